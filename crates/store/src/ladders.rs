//! Ladders (rating lists) and their standings.

use model::{BotId, LadderKind, Tier, UserId, VersionId};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::db::{Tx, change};
use crate::fold::Standing;
use crate::value::{Columns, FromRow, Value, values};
use crate::{Result, Store, StoreError};

/// A ladder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ladder {
    /// Its number.
    pub id: i64,
    /// The contest.
    pub contest_id: i64,
    /// The game.
    pub game: String,
    /// The tier of its bots.
    pub tier: Tier,
    /// The number of players of a match.
    pub players: i64,
    /// Its purpose.
    pub kind: LadderKind,
}

/// The rating of a version and the counts of its matches.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tally {
    /// The mean of the estimated skill.
    pub rating: f64,
    /// The standard deviation of the estimated skill.
    pub uncertainty: f64,
    /// The value by which boards are sorted: rating - 3 uncertainties.
    pub proven: f64,
    /// Matches.
    pub games: i64,
    /// Matches it won alone.
    pub wins: i64,
    /// Matches in which it shared the first place.
    pub draws: i64,
    /// All other matches.
    pub losses: i64,
    /// Matches it lost by its own fault (timeout, crash, ...).
    pub failures: i64,
}

/// A version's standing on a ladder.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StandingRow {
    /// The ladder.
    pub ladder_id: i64,
    /// The version.
    pub version_id: VersionId,
    /// Its bot.
    pub bot_id: BotId,
    /// Whether the board shows it: the active version of a bot that is in this tier.
    pub listed: bool,
    /// Its rating and the counts of its matches.
    #[serde(flatten)]
    pub tally: Tally,
    /// The sum of its side-quest points.
    pub side_quest_sum: f64,
    /// The sum of the squares of its side-quest points.
    pub side_quest_squares: f64,
    /// Matches that reported side-quest points.
    pub side_quest_games: i64,
    /// The last result that changed it.
    pub last_seq: i64,
}

/// A version that the matchmaker may seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entrant {
    /// The version that plays.
    pub version_id: VersionId,
    /// Its bot.
    pub bot_id: BotId,
    /// Its user; none for a built-in bot.
    pub user_id: Option<UserId>,
    /// The name of the built-in bot, if it is one.
    pub built_in: Option<String>,
    /// Its name.
    pub name: String,
    /// Whether it is paused and must not get a match.
    pub paused: bool,
    /// The mean of the estimated skill.
    pub rating: f64,
    /// The standard deviation of the estimated skill.
    pub uncertainty: f64,
    /// The number of its matches so far.
    pub games: i64,
    /// The last result that changed it; 0 if there is none.
    pub last_seq: i64,
    /// Matches on this ladder that wait or are being played.
    pub waiting: i64,
}

impl FromRow for Ladder {
    fn from_row(row: &AnyRow) -> Result<Ladder> {
        Ok(Ladder {
            id: row.int("id")?,
            contest_id: row.int("contest_id")?,
            game: row.text("game")?,
            tier: row.id("league")?,
            players: row.int("players")?,
            kind: row.word("kind")?,
        })
    }
}

impl FromRow for Tally {
    fn from_row(row: &AnyRow) -> Result<Tally> {
        Ok(Tally {
            rating: row.real("rating")?,
            uncertainty: row.real("uncertainty")?,
            proven: row.real("proven")?,
            games: row.int("games")?,
            wins: row.int("wins")?,
            draws: row.int("draws")?,
            losses: row.int("losses")?,
            failures: row.int("failures")?,
        })
    }
}

impl FromRow for StandingRow {
    fn from_row(row: &AnyRow) -> Result<StandingRow> {
        Ok(StandingRow {
            ladder_id: row.int("ladder_id")?,
            version_id: row.id("version_id")?,
            bot_id: row.id("bot_id")?,
            listed: row.flag("listed")?,
            tally: Tally::from_row(row)?,
            side_quest_sum: row.real("extra_sum")?,
            side_quest_squares: row.real("extra_squares")?,
            side_quest_games: row.int("extra_games")?,
            last_seq: row.int("last_seq")?,
        })
    }
}

impl StandingRow {
    /// Its columns, in the order of the table.
    pub(crate) fn values(&self) -> Vec<Value> {
        let tally = &self.tally;
        values![
            self.ladder_id,
            self.version_id,
            self.bot_id,
            self.listed,
            tally.rating,
            tally.uncertainty,
            tally.proven,
            tally.games,
            tally.wins,
            tally.draws,
            tally.losses,
            tally.failures,
            self.side_quest_sum,
            self.side_quest_games,
            self.last_seq,
            self.side_quest_squares
        ]
        .to_vec()
    }
}

impl FromRow for Entrant {
    fn from_row(row: &AnyRow) -> Result<Entrant> {
        Ok(Entrant {
            version_id: row.id("version_id")?,
            bot_id: row.id("bot_id")?,
            user_id: row.id_or_none("user_id")?,
            built_in: row.text_or_none("house")?,
            name: row.text("name")?,
            paused: row.text_or_none("paused")?.is_some(),
            rating: row.real("rating")?,
            uncertainty: row.real("uncertainty")?,
            games: row.int("games")?,
            last_seq: row.int("last_seq")?,
            waiting: row.int("waiting")?,
        })
    }
}

impl Tx {
    /// Inserts or updates standings. `listed` of an existing standing stays as it is.
    pub(crate) async fn write_standings(&mut self, standings: &[StandingRow]) -> Result<()> {
        let sql = "INSERT INTO standings (ladder_id, version_id, bot_id, listed, rating, uncertainty, proven, games, wins, draws, \
             losses, failures, extra_sum, extra_games, last_seq, extra_squares) VALUES {ROWS} \
             ON CONFLICT (ladder_id, version_id) DO UPDATE SET rating = excluded.rating, uncertainty = excluded.uncertainty, \
             proven = excluded.proven, games = excluded.games, wins = excluded.wins, draws = excluded.draws, \
             losses = excluded.losses, failures = excluded.failures, extra_sum = excluded.extra_sum, \
             extra_games = excluded.extra_games, last_seq = excluded.last_seq, extra_squares = excluded.extra_squares";
        let rows: Vec<Vec<Value>> = standings.iter().map(StandingRow::values).collect();
        self.run_rows(sql, &rows).await.map(|_| ())
    }

    /// Lists a version on a ladder's board; a version without a standing on this ladder starts as a newcomer.
    pub(crate) async fn enlist(&mut self, ladder: i64, version: VersionId, bot: BotId) -> Result<()> {
        let newcomer = Standing::newcomer();
        self.run(
            "INSERT INTO standings (ladder_id, version_id, bot_id, listed, rating, uncertainty, proven, games, wins, draws, \
             losses, failures, extra_sum, extra_games, last_seq) \
             VALUES ($1, $2, $3, 1, $4, $5, $6, 0, 0, 0, 0, 0, 0, 0, 0) \
             ON CONFLICT (ladder_id, version_id) DO UPDATE SET listed = 1",
            values![ladder, version, bot, newcomer.rating, newcomer.uncertainty, newcomer.proven()],
        )
        .await
        .map(|_| ())
    }

    /// Updates the boards for a bot: its active version is listed on the ladders of its tier, and on no other ladder.
    /// Finals stay as they are.
    pub(crate) async fn relist(&mut self, bot: BotId) -> Result<()> {
        self.run(
            "UPDATE standings SET listed = 0 WHERE bot_id = $1 AND listed = 1 \
             AND ladder_id IN (SELECT id FROM ladders WHERE kind IN ('ladder', 'trial'))",
            values![bot],
        )
        .await?;
        let homes = self
            .all(
                "SELECT l.id AS ladder_id, b.active_version AS version_id FROM bots b \
                 JOIN ladders l ON l.contest_id = b.contest_id AND l.game = b.game AND l.league = b.league \
                 WHERE b.id = $1 AND b.active_version IS NOT NULL AND l.kind IN ('ladder', 'trial') ORDER BY l.id",
                values![bot],
            )
            .await?;
        for home in homes {
            self.enlist(home.int("ladder_id")?, home.id("version_id")?, bot).await?;
        }
        Ok(())
    }
}

impl Store {
    /// The ladder with these five properties; it is created if it does not exist, and the bots of its tier are listed
    /// on it.
    ///
    /// # Errors
    ///
    /// When there is no such contest, or the database fails.
    pub async fn ensure_ladder(
        &self,
        contest: i64,
        game: &str,
        tier: Tier,
        players: i64,
        kind: LadderKind,
    ) -> Result<Ladder> {
        const FIND: &str = "SELECT * FROM ladders WHERE contest_id = $1 AND game = $2 AND league = $3 AND players = $4 AND kind = $5";
        let values = values![contest, game, tier, players, kind.word()];
        if let Some(found) = self.find(FIND, values).await? {
            return Ok(found);
        }
        change!(self, tx => {
            tx.lock().await?;
            let sql = "INSERT INTO ladders (contest_id, game, league, players, kind) VALUES ($1, $2, $3, $4, $5) \
                       ON CONFLICT (contest_id, game, league, players, kind) DO NOTHING";
            tx.run(sql, values).await?;
            let ladder: Ladder = tx.find(FIND, values).await?.ok_or_else(|| StoreError::not_found("such ladder"))?;
            if matches!(kind, LadderKind::Ladder | LadderKind::Trial) {
                let sql = "SELECT id, active_version FROM bots \
                           WHERE contest_id = $1 AND game = $2 AND league = $3 AND active_version IS NOT NULL ORDER BY id";
                for bot in tx.all(sql, values![contest, game, tier]).await? {
                    tx.enlist(ladder.id, bot.id("active_version")?, bot.id("id")?).await?;
                }
            }
            ladder
        })
    }

    /// The ladder with this number.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn ladder(&self, id: i64) -> Result<Option<Ladder>> {
        self.find("SELECT * FROM ladders WHERE id = $1", values![id]).await
    }

    /// The ladders of a game in a contest, the highest tier first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn ladders(&self, contest: i64, game: &str) -> Result<Vec<Ladder>> {
        let sql =
            "SELECT * FROM ladders WHERE contest_id = $1 AND game = $2 ORDER BY league DESC, kind, players";
        self.list(sql, values![contest, game]).await
    }

    /// Lists versions on a final's board, as newcomers.
    ///
    /// # Errors
    ///
    /// When there is no such ladder or version, or the database fails.
    pub async fn enlist(&self, ladder: i64, versions: &[VersionId]) -> Result<()> {
        change!(self, tx => {
            for &version in versions {
                let bot = tx.number("SELECT bot_id FROM versions WHERE id = $1", values![version]).await?.into();
                tx.enlist(ladder, version, bot).await?;
            }
        })
    }

    /// A version's standing on a ladder.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn standing(&self, ladder: i64, version: VersionId) -> Result<Option<StandingRow>> {
        let sql = "SELECT * FROM standings WHERE ladder_id = $1 AND version_id = $2";
        self.find(sql, values![ladder, version]).await
    }

    /// All versions that a matchmaker may seat on a ladder (paused versions are included and marked), the best first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn field(&self, ladder: i64) -> Result<Vec<Entrant>> {
        self.list(
            "SELECT st.version_id, st.bot_id, b.user_id, b.house, b.name, b.paused, st.rating, st.uncertainty, st.games, \
             st.last_seq, COALESCE(q.waiting, 0) AS waiting \
             FROM standings st JOIN bots b ON b.id = st.bot_id \
             LEFT JOIN (SELECT s.version_id, COUNT(*) AS waiting FROM matches m JOIN seats s ON s.match_id = m.id \
                        WHERE m.state IN ('queued', 'leased') AND m.ladder_id = $1 AND m.seq IS NULL GROUP BY s.version_id) q \
             ON q.version_id = st.version_id \
             WHERE st.ladder_id = $1 AND st.listed = 1 ORDER BY st.proven DESC, st.version_id",
            values![ladder],
        )
        .await
    }
}
