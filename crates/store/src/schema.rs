//! The tables, and the migration steps that create them.
//!
//! All integers have 64 bits, flags are 0 or 1, reals are doubles, JSON is text: both databases support these. A step
//! runs in one transaction together with the row that marks it as done, so a crash never leaves a step half done.

use crate::value::{Columns, values};
use crate::{Kind, Result, Store, StoreError};

/// A migration step: its purpose and its statements. `{ID}` stands for an auto-incremented primary key,
/// `{TURNS}` for the number of turns in the JSON of an ending.
struct Step {
    number: i64,
    sql: &'static str,
}

/// All steps, in order. A released step is never changed: a change is a new step.
const STEPS: &[Step] = &[
    Step { number: 1, sql: TABLES_1 },
    Step { number: 2, sql: INDEXES_2 },
    Step { number: 3, sql: LOST_3 },
    Step { number: 4, sql: TURNS_4 },
    Step { number: 5, sql: NETWORK_5 },
    Step { number: 6, sql: DRAFTS_6 },
    Step { number: 7, sql: TEAMS_7 },
    Step { number: 8, sql: PICTURES_8 },
    Step { number: 9, sql: WORKERS_9 },
    Step { number: 10, sql: BUILDS_10 },
];

/// Adds the leases of builds, the worker that built a version, and its program in the object store of a cluster.
const BUILDS_10: &str = "
ALTER TABLE versions ADD COLUMN lease BIGINT;
ALTER TABLE versions ADD COLUMN lease_until BIGINT;
ALTER TABLE versions ADD COLUMN builder TEXT;
ALTER TABLE versions ADD COLUMN program TEXT;
ALTER TABLE versions ADD COLUMN platform TEXT;
CREATE INDEX versions_program ON versions (builder) WHERE program IS NOT NULL;
UPDATE versions SET state = 'waiting' WHERE state = 'building';
";

/// Adds the workers of a cluster.
const WORKERS_9: &str = "
CREATE TABLE workers (
    name TEXT PRIMARY KEY, info TEXT NOT NULL, first_seen BIGINT NOT NULL, last_seen BIGINT NOT NULL,
    rate DOUBLE PRECISION NOT NULL, state TEXT NOT NULL, why TEXT
);
";

/// Adds the pictures of descriptions, by their digest, and fills in the length of matches that were played before step 7.
const PICTURES_8: &str = "
CREATE TABLE pictures (digest TEXT PRIMARY KEY, kind TEXT NOT NULL, base64 TEXT NOT NULL, created BIGINT NOT NULL);
UPDATE matches SET turns = {TURNS} WHERE state = 'done' AND turns IS NULL AND ending IS NOT NULL;
";

/// Adds teams (a team is an account that nobody signs in to; its members act for it), a few words of a user, the length
/// of a match, and the squares of side-quest points, for the intervals of their averages.
const TEAMS_7: &str = "
CREATE TABLE teams (
    user_id BIGINT PRIMARY KEY REFERENCES users (id), contest_id BIGINT NOT NULL REFERENCES contests (id),
    code TEXT NOT NULL UNIQUE, created BIGINT NOT NULL
);
CREATE TABLE teammates (
    contest_id BIGINT NOT NULL REFERENCES contests (id), user_id BIGINT NOT NULL REFERENCES users (id),
    team_id BIGINT NOT NULL REFERENCES teams (user_id), PRIMARY KEY (contest_id, user_id)
);
CREATE INDEX teammates_team ON teammates (team_id);
CREATE INDEX teammates_user ON teammates (user_id);
ALTER TABLE users ADD COLUMN about TEXT;
ALTER TABLE matches ADD COLUMN turns BIGINT;
CREATE INDEX matches_seed ON matches (seed);
ALTER TABLE standings ADD COLUMN extra_squares DOUBLE PRECISION NOT NULL DEFAULT 0;
UPDATE standings SET extra_squares = COALESCE((SELECT SUM(s.extra * s.extra) FROM seats s JOIN matches m ON m.id = s.match_id
    WHERE s.bot_id = standings.bot_id AND s.version_id = standings.version_id AND m.ladder_id = standings.ladder_id
    AND m.seq IS NOT NULL), 0) WHERE extra_games > 0;
";

/// Adds the tests of drafts: the plan of the matches that are queued when a draft is built, and the part of a seat in a test
/// (see `Part`).
const DRAFTS_6: &str = "
ALTER TABLE versions ADD COLUMN plan TEXT;
ALTER TABLE seats ADD COLUMN part BIGINT NOT NULL DEFAULT 0;
CREATE INDEX seats_public ON seats (bot_id, match_id) WHERE part = 0;
";

/// Adds the network from which a new account was made, as a digest.
const NETWORK_5: &str = "
ALTER TABLE users ADD COLUMN network TEXT;
CREATE INDEX users_network ON users (network) WHERE network IS NOT NULL;
";

/// Adds the turns of accounts in the queues of builds and matches, the attempts at a build that failed by our fault, and
/// the void matches that a bot caused.
const TURNS_4: &str = "
ALTER TABLE users ADD COLUMN build_turn BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN build_skips BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN match_turn BIGINT NOT NULL DEFAULT 0;
ALTER TABLE versions ADD COLUMN attempts BIGINT NOT NULL DEFAULT 0;
ALTER TABLE versions ADD COLUMN not_before BIGINT NOT NULL DEFAULT 0;
CREATE TABLE blames (
    id {ID}, bot_id BIGINT NOT NULL REFERENCES bots (id), match_id BIGINT NOT NULL, at BIGINT NOT NULL
);
CREATE INDEX blames_bot ON blames (bot_id, at);
";

/// Adds the number of times that the worker of a match was lost with its server.
const LOST_3: &str = "ALTER TABLE matches ADD COLUMN lost BIGINT NOT NULL DEFAULT 0;";

/// Indexes for a long log. Few matches are not in the log yet, and every query for them contains the literal text
/// `seq IS NULL`, because SQLite cannot derive it. The side-quest board sorts by an average: it scans its whole index,
/// but reads no row.
const INDEXES_2: &str = "
DROP INDEX matches_queue;
CREATE INDEX matches_open ON matches (state, priority DESC, id) WHERE seq IS NULL;
DROP INDEX versions_waiting;
CREATE INDEX versions_state ON versions (state, id);
CREATE INDEX promotions_match ON promotions (match_id);
CREATE INDEX standings_extra ON standings (ladder_id, bot_id, extra_sum, extra_games) WHERE listed = 1 AND extra_games > 0;
";

const TABLES_1: &str = "
CREATE TABLE users (
    id {ID}, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE, email TEXT, password TEXT NOT NULL, role TEXT NOT NULL,
    lang TEXT NOT NULL, created BIGINT NOT NULL, blocked BIGINT NOT NULL, must_change BIGINT NOT NULL
);
CREATE TABLE sessions (
    id {ID}, user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE, token_hash TEXT NOT NULL UNIQUE,
    created BIGINT NOT NULL, expires BIGINT NOT NULL, seen BIGINT NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE TABLE tokens (
    id {ID}, user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE, name TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE, scopes TEXT NOT NULL, created BIGINT NOT NULL, used BIGINT, revoked BIGINT
);
CREATE INDEX tokens_user ON tokens (user_id);
CREATE TABLE contests (
    id {ID}, key TEXT NOT NULL UNIQUE, title TEXT NOT NULL, starts BIGINT, ends BIGINT, invited_only BIGINT NOT NULL,
    settings TEXT NOT NULL, state TEXT NOT NULL, created BIGINT NOT NULL
);
CREATE TABLE members (
    contest_id BIGINT NOT NULL REFERENCES contests (id), user_id BIGINT NOT NULL REFERENCES users (id),
    PRIMARY KEY (contest_id, user_id)
);
CREATE TABLE invitations (
    id {ID}, code_hash TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, user_id BIGINT REFERENCES users (id),
    contest_id BIGINT REFERENCES contests (id), created_by BIGINT REFERENCES users (id), created BIGINT NOT NULL,
    expires BIGINT NOT NULL, uses_left BIGINT NOT NULL
);
CREATE TABLE attempts (id {ID}, kind TEXT NOT NULL, key TEXT NOT NULL, at BIGINT NOT NULL);
CREATE INDEX attempts_key ON attempts (kind, key, at);
CREATE INDEX attempts_at ON attempts (at);
CREATE TABLE audit (id {ID}, at BIGINT NOT NULL, user_id BIGINT REFERENCES users (id), what TEXT NOT NULL);
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE announcements (id {ID}, en TEXT NOT NULL, fr TEXT NOT NULL, starts BIGINT NOT NULL, ends BIGINT);
CREATE TABLE bots (
    id {ID}, contest_id BIGINT NOT NULL REFERENCES contests (id), game TEXT NOT NULL,
    user_id BIGINT REFERENCES users (id), house TEXT, name TEXT NOT NULL, league BIGINT NOT NULL,
    active_version BIGINT, paused TEXT, created BIGINT NOT NULL,
    UNIQUE (contest_id, game, user_id), UNIQUE (contest_id, game, house, league)
);
CREATE INDEX bots_user ON bots (user_id);
CREATE INDEX bots_paused ON bots (id) WHERE paused IS NOT NULL;
CREATE TABLE versions (
    id {ID}, bot_id BIGINT NOT NULL REFERENCES bots (id), number BIGINT NOT NULL, language TEXT NOT NULL,
    source TEXT NOT NULL, digest TEXT NOT NULL, state TEXT NOT NULL, build_log TEXT, created BIGINT NOT NULL,
    league BIGINT NOT NULL, activate BIGINT NOT NULL, UNIQUE (bot_id, number)
);
CREATE INDEX versions_waiting ON versions (state, id) WHERE state IN ('waiting', 'building');
CREATE TABLE ladders (
    id {ID}, contest_id BIGINT NOT NULL REFERENCES contests (id), game TEXT NOT NULL, league BIGINT NOT NULL,
    players BIGINT NOT NULL, kind TEXT NOT NULL, UNIQUE (contest_id, game, league, players, kind)
);
CREATE TABLE standings (
    ladder_id BIGINT NOT NULL REFERENCES ladders (id), version_id BIGINT NOT NULL REFERENCES versions (id),
    bot_id BIGINT NOT NULL REFERENCES bots (id), listed BIGINT NOT NULL, rating DOUBLE PRECISION NOT NULL,
    uncertainty DOUBLE PRECISION NOT NULL, proven DOUBLE PRECISION NOT NULL, games BIGINT NOT NULL, wins BIGINT NOT NULL,
    draws BIGINT NOT NULL, losses BIGINT NOT NULL, failures BIGINT NOT NULL, extra_sum DOUBLE PRECISION NOT NULL,
    extra_games BIGINT NOT NULL, last_seq BIGINT NOT NULL, PRIMARY KEY (ladder_id, version_id)
);
CREATE INDEX standings_board ON standings (ladder_id, listed, proven DESC, version_id);
CREATE INDEX standings_bot ON standings (bot_id);
CREATE TABLE matches (
    id {ID}, ladder_id BIGINT NOT NULL REFERENCES ladders (id), seed BIGINT NOT NULL, round BIGINT NOT NULL,
    state TEXT NOT NULL, worker TEXT, lease BIGINT, lease_until BIGINT, attempts BIGINT NOT NULL, priority BIGINT NOT NULL,
    created BIGINT NOT NULL, started BIGINT, finished BIGINT, seq BIGINT UNIQUE, ending TEXT, record TEXT, why TEXT
);
CREATE INDEX matches_queue ON matches (state, priority DESC, id) WHERE state IN ('queued', 'leased', 'void');
CREATE INDEX matches_ladder ON matches (ladder_id, seq);
CREATE TABLE seats (
    match_id BIGINT NOT NULL REFERENCES matches (id) ON DELETE CASCADE, seat BIGINT NOT NULL,
    version_id BIGINT NOT NULL REFERENCES versions (id), bot_id BIGINT NOT NULL REFERENCES bots (id), score BIGINT,
    rank BIGINT, outcome TEXT, cause TEXT, details TEXT, extra DOUBLE PRECISION, rating DOUBLE PRECISION,
    uncertainty DOUBLE PRECISION, PRIMARY KEY (match_id, seat)
);
CREATE INDEX seats_bot ON seats (bot_id, match_id);
CREATE INDEX seats_outcome ON seats (bot_id, outcome, match_id);
CREATE INDEX seats_failed ON seats (bot_id, match_id) WHERE cause IS NOT NULL;
CREATE TABLE promotions (
    id {ID}, bot_id BIGINT NOT NULL REFERENCES bots (id), version_id BIGINT NOT NULL REFERENCES versions (id),
    from_league BIGINT NOT NULL, to_league BIGINT NOT NULL, match_id BIGINT REFERENCES matches (id), at BIGINT NOT NULL
);
CREATE INDEX promotions_bot ON promotions (bot_id);
CREATE TABLE notices (
    id {ID}, user_id BIGINT NOT NULL REFERENCES users (id) ON DELETE CASCADE, at BIGINT NOT NULL, kind TEXT NOT NULL,
    data TEXT NOT NULL, seen BIGINT NOT NULL
);
CREATE INDEX notices_user ON notices (user_id, id);
CREATE INDEX notices_unseen ON notices (user_id) WHERE seen = 0;
CREATE TABLE counters (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
INSERT INTO counters (name, value) VALUES ('seq', 0), ('lease', 0);
";

/// The number of the newest step.
pub(crate) fn newest() -> i64 {
    STEPS.last().map_or(0, |step| step.number)
}

/// Runs every step that is not done yet.
pub(crate) async fn migrate(store: &Store, now: i64) -> Result<()> {
    migrate_with(store, now, STEPS).await
}

async fn migrate_with(store: &Store, now: i64, steps: &[Step]) -> Result<()> {
    // Two servers may start on the same new database: the second waits here, then finds the steps done.
    let mut tx = store.begin().await?;
    if store.kind() == Kind::Postgres {
        tx.script("SELECT pg_advisory_xact_lock(4714201)").await?;
    }
    tx.script("CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, at BIGINT NOT NULL)")
        .await?;
    tx.commit().await?;
    for step in steps {
        let mut tx = store.begin().await?;
        if store.kind() == Kind::Postgres {
            tx.script("SELECT pg_advisory_xact_lock(4714201)").await?;
        }
        let done =
            tx.optional("SELECT number FROM migrations WHERE number = $1", values![step.number]).await?;
        if done.is_none() {
            let sql = step.sql.replace("{ID}", counting(store.kind()));
            tx.script(&sql.replace("{TURNS}", turns(store.kind()))).await?;
            tx.run("INSERT INTO migrations (number, at) VALUES ($1, $2)", values![step.number, now]).await?;
            tx.commit().await?;
        }
    }
    let rows = store.all("SELECT MAX(number) AS number FROM migrations", &[]).await?;
    let newest = steps.last().map_or(0, |step| step.number);
    match rows.first().map(|row| row.int_or_none("number")).transpose()?.flatten() {
        Some(found) if found > newest => Err(StoreError::conflict(format!(
            "this database was made by a newer version (its tables are at step {found}, this program knows {newest}): update the program"
        ))),
        _ => Ok(()),
    }
}

fn counting(kind: Kind) -> &'static str {
    match kind {
        Kind::Sqlite => "INTEGER PRIMARY KEY AUTOINCREMENT",
        Kind::Postgres => "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
    }
}

fn turns(kind: Kind) -> &'static str {
    match kind {
        Kind::Sqlite => "json_extract(ending, '$.turns')",
        Kind::Postgres => "(ending::json ->> 'turns')::bigint",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::home::{Home, On};
    use crate::{ErrorKind, on_both};

    on_both!(a_crash_inside_each_step, newer_tables_are_refused, old_matches_get_their_length);

    async fn old_matches_get_their_length(home: &Home) {
        let store = Store::connect(&home.url, &home.folder).await.unwrap();
        let before = STEPS.iter().position(|step| step.number == 8).unwrap();
        migrate_with(&store, 1, &STEPS[..before]).await.unwrap();
        for sql in [
            "INSERT INTO contests (id, key, title, starts, ends, invited_only, settings, state, created) \
             VALUES (1, 'a', 'A', 0, NULL, 0, '{}', 'running', 0)",
            "INSERT INTO ladders (id, contest_id, game, league, players, kind) VALUES (1, 1, 'g', 0, 2, 'ladder')",
            "INSERT INTO matches (id, ladder_id, seed, round, state, attempts, priority, created, ending) VALUES \
             (1, 1, 0, 0, 'done', 0, 0, 0, '{\"reason\": \"x\", \"turns\": 42}'), (2, 1, 0, 0, 'done', 0, 0, 0, '{}'), \
             (3, 1, 0, 0, 'queued', 0, 0, 0, NULL)",
        ] {
            store.run(sql, &[]).await.unwrap();
        }
        migrate(&store, 1).await.unwrap();
        let rows = store.all("SELECT turns FROM matches ORDER BY id", &[]).await.unwrap();
        let turns: Vec<Option<i64>> = rows.iter().map(|row| row.int_or_none("turns").unwrap()).collect();
        assert_eq!(turns, [Some(42), None, None]);
    }

    /// After a failure at any statement of a step, nothing of the step is left, and the next run does all of it.
    async fn a_crash_inside_each_step(home: &Home) {
        let store = Store::connect(&home.url, &home.folder).await.unwrap();
        for step in STEPS {
            let statements: Vec<&str> =
                step.sql.split_inclusive(';').filter(|sql| sql.contains(';')).collect();
            for done in 1..=statements.len() {
                let broken = format!("{} SELECT nothing FROM nowhere;", statements[..done].concat());
                let steps = [Step { number: step.number, sql: broken.leak() }];
                migrate_with(&store, 1, &steps).await.unwrap_err();
            }
            migrate_with(&store, 1, &[Step { number: step.number, sql: step.sql }]).await.unwrap();
        }
        migrate(&store, 2).await.unwrap();
        store.ping().await.unwrap();
        let steps = store.all("SELECT number, at FROM migrations ORDER BY number", &[]).await.unwrap();
        assert_eq!(steps.len(), STEPS.len());
        assert!(steps.iter().all(|step| step.int("at").unwrap() == 1), "no step ran twice");
    }

    async fn newer_tables_are_refused(home: &Home) {
        let store = home.open().await;
        store.run("INSERT INTO migrations (number, at) VALUES (999, 1)", &[]).await.unwrap();
        let error = Store::open(&home.url, &home.folder, 1).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::Conflict);
        assert!(error.message.contains("newer"), "{error}");
    }

    /// The column names in a backup are the column names of the tables.
    #[tokio::test]
    async fn the_list_of_tables_is_complete() {
        let home = Home::new(On::Sqlite).unwrap();
        let store = home.open().await;
        let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'migrations' ORDER BY name";
        let rows = store.all(sql, &[]).await.unwrap();
        let found: Vec<String> = rows.iter().map(|row| row.text("name").unwrap()).collect();
        let mut listed: Vec<&str> = crate::tables::TABLES.iter().map(|table| table.name).collect();
        listed.sort_unstable();
        assert_eq!(found, listed);
        for table in crate::tables::TABLES {
            let rows = store
                .all(&format!("SELECT name FROM pragma_table_info('{}')", table.name), &[])
                .await
                .unwrap();
            let found: Vec<String> = rows.iter().map(|row| row.text("name").unwrap()).collect();
            let listed: Vec<&str> = table.columns().iter().map(|(name, _)| *name).collect();
            assert_eq!(found, listed, "{}", table.name);
        }
        store.close().await;
    }
}
