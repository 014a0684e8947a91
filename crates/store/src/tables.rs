//! The tables and their columns, for backups.

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Column {
    Int,
    Real,
    Text,
}

/// A table in a backup: its columns in order, and its sort key.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    /// `name:kind`, `i` for integers, `r` for reals, `t` for texts.
    columns: &'static str,
    pub(crate) key: &'static str,
}

impl Table {
    pub(crate) fn columns(&self) -> Vec<(&'static str, Column)> {
        self.columns
            .split_whitespace()
            .map(|column| match column.split_once(':') {
                Some((name, "i")) => (name, Column::Int),
                Some((name, "r")) => (name, Column::Real),
                Some((name, _)) => (name, Column::Text),
                None => (column, Column::Text),
            })
            .collect()
    }

    /// Whether its rows have an auto-incremented number.
    pub(crate) fn numbered(&self) -> bool {
        self.key == "id"
    }
}

/// All tables; a table comes after the tables it refers to.
#[rustfmt::skip]
pub(crate) const TABLES: &[Table] = &[
    Table { name: "users", key: "id", columns: "id:i name:t name_key:t email:t password:t role:t lang:t created:i blocked:i must_change:i build_turn:i build_skips:i match_turn:i network:t about:t" },
    Table { name: "sessions", key: "id", columns: "id:i user_id:i token_hash:t created:i expires:i seen:i" },
    Table { name: "tokens", key: "id", columns: "id:i user_id:i name:t token_hash:t scopes:t created:i used:i revoked:i" },
    Table { name: "contests", key: "id", columns: "id:i key:t title:t starts:i ends:i invited_only:i settings:t state:t created:i" },
    Table { name: "members", key: "contest_id, user_id", columns: "contest_id:i user_id:i" },
    Table { name: "teams", key: "user_id", columns: "user_id:i contest_id:i code:t created:i" },
    Table { name: "teammates", key: "contest_id, user_id", columns: "contest_id:i user_id:i team_id:i" },
    Table { name: "invitations", key: "id", columns: "id:i code_hash:t kind:t user_id:i contest_id:i created_by:i created:i expires:i uses_left:i" },
    Table { name: "attempts", key: "id", columns: "id:i kind:t key:t at:i" },
    Table { name: "audit", key: "id", columns: "id:i at:i user_id:i what:t" },
    Table { name: "settings", key: "key", columns: "key:t value:t" },
    Table { name: "announcements", key: "id", columns: "id:i en:t fr:t starts:i ends:i" },
    Table { name: "pictures", key: "digest", columns: "digest:t kind:t base64:t created:i" },
    Table { name: "bots", key: "id", columns: "id:i contest_id:i game:t user_id:i house:t name:t league:i active_version:i paused:t created:i" },
    Table { name: "versions", key: "id", columns: "id:i bot_id:i number:i language:t source:t digest:t state:t build_log:t created:i league:i activate:i attempts:i not_before:i plan:t lease:i lease_until:i builder:t program:t platform:t" },
    Table { name: "ladders", key: "id", columns: "id:i contest_id:i game:t league:i players:i kind:t" },
    Table { name: "standings", key: "ladder_id, version_id", columns: "ladder_id:i version_id:i bot_id:i listed:i rating:r uncertainty:r proven:r games:i wins:i draws:i losses:i failures:i extra_sum:r extra_games:i last_seq:i extra_squares:r" },
    Table { name: "matches", key: "id", columns: "id:i ladder_id:i seed:i round:i state:t worker:t lease:i lease_until:i attempts:i priority:i created:i started:i finished:i seq:i ending:t record:t why:t lost:i turns:i" },
    Table { name: "seats", key: "match_id, seat", columns: "match_id:i seat:i version_id:i bot_id:i score:i rank:i outcome:t cause:t details:t extra:r rating:r uncertainty:r part:i" },
    Table { name: "promotions", key: "id", columns: "id:i bot_id:i version_id:i from_league:i to_league:i match_id:i at:i" },
    Table { name: "blames", key: "id", columns: "id:i bot_id:i match_id:i at:i" },
    Table { name: "notices", key: "id", columns: "id:i user_id:i at:i kind:t data:t seen:i" },
    Table { name: "workers", key: "name", columns: "name:t info:t first_seen:i last_seen:i rate:r state:t why:t" },
    Table { name: "counters", key: "name", columns: "name:t value:i" },
];
