//! The workers of a cluster: their announcements, the decisions of organisers about them, and the failures and wins on each
//! of them.

use std::collections::{BTreeMap, BTreeSet};

use model::{BotId, MatchId, VersionId};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::db::change;
use crate::queue::SEATS;
use crate::value::{Columns, FromRow, Value, values};
use crate::{Ladder, Leased, LeasedSeat, Result, Store, StoreError};

/// The names of workers of a cluster begin with this where matches and versions name them.
pub const CLUSTER: &str = "cluster/";

/// Whether a worker plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkerState {
    /// It takes work.
    Active,
    /// It takes no more work; results of the work that it has are recorded.
    Drained,
    /// It takes no work, and its results are refused.
    Disabled,
}

impl WorkerState {
    /// The stored word.
    pub fn word(self) -> &'static str {
        match self {
            WorkerState::Active => "active",
            WorkerState::Drained => "drained",
            WorkerState::Disabled => "disabled",
        }
    }

    fn of(word: &str) -> Result<WorkerState> {
        let all = [WorkerState::Active, WorkerState::Drained, WorkerState::Disabled];
        all.into_iter()
            .find(|state| state.word() == word)
            .ok_or_else(|| StoreError::other(format!("there is no state `{word}` of a worker")))
    }
}

/// A worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorkerRow {
    /// Its name.
    pub name: String,
    /// Its last announcement.
    pub info: serde_json::Value,
    /// When it was seen for the first time.
    pub first_seen: i64,
    /// When it was seen last.
    pub last_seen: i64,
    /// Matches per second, lately.
    pub rate: f64,
    /// Whether it plays.
    pub state: WorkerState,
    /// Why it is not active, or why it is suspected.
    pub why: Option<String>,
}

impl FromRow for WorkerRow {
    fn from_row(row: &AnyRow) -> Result<WorkerRow> {
        let info = row.text("info")?;
        Ok(WorkerRow {
            name: row.text("name")?,
            info: serde_json::from_str(&info).unwrap_or_default(),
            first_seen: row.int("first_seen")?,
            last_seen: row.int("last_seen")?,
            rate: row.real("rate")?,
            state: WorkerState::of(&row.text("state")?)?,
            why: row.text_or_none("why")?,
        })
    }
}

/// A worker that was seen.
#[derive(Clone, PartialEq, Debug)]
pub struct SeenWorker {
    /// Its name.
    pub name: String,
    /// Its announcement.
    pub info: serde_json::Value,
    /// Matches per second, lately.
    pub rate: f64,
}

/// The matches of a version on a worker against opponents of about one strength.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkerTally {
    /// The worker, as the matches name it.
    pub worker: String,
    /// The bot.
    pub bot_id: BotId,
    /// Its version.
    pub version_id: VersionId,
    /// The ladder.
    pub ladder_id: i64,
    /// How much stronger than its opponents the bot is rated, in steps of half a unit of the curve of expected results;
    /// `None` without ratings.
    pub strength: Option<i64>,
    /// The seats that it played.
    pub played: i64,
    /// The seats that it lost by a timeout or a crash.
    pub failed: i64,
    /// The seats with the first rank, alone or shared.
    pub won: i64,
}

impl FromRow for WorkerTally {
    fn from_row(row: &AnyRow) -> Result<WorkerTally> {
        Ok(WorkerTally {
            worker: row.text("worker")?,
            bot_id: row.id("bot_id")?,
            version_id: row.id("version_id")?,
            ladder_id: row.int("ladder_id")?,
            strength: row.int_or_none("strength")?,
            played: row.int("played")?,
            failed: row.int("failed")?,
            won: row.int("won")?,
        })
    }
}

impl Store {
    /// Notes that workers were seen. A new worker is active.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn see_workers(&self, seen: &[SeenWorker], now: i64) -> Result<()> {
        if seen.is_empty() {
            return Ok(());
        }
        let sql = "INSERT INTO workers (name, info, first_seen, last_seen, rate, state) VALUES {ROWS} \
                   ON CONFLICT (name) DO UPDATE SET info = excluded.info, last_seen = excluded.last_seen, rate = excluded.rate";
        let row = |worker: &SeenWorker| {
            let (name, info) = ((&worker.name).into(), (&worker.info).into());
            vec![name, info, now.into(), now.into(), worker.rate.into(), "active".into()]
        };
        let rows: Vec<Vec<Value>> = seen.iter().map(row).collect();
        change!(self, tx => tx.run_rows(sql, &rows).await?).map(|_: u64| ())
    }

    /// All workers, by name.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn workers(&self) -> Result<Vec<WorkerRow>> {
        self.list("SELECT * FROM workers ORDER BY name", &[]).await
    }

    /// Decides whether a worker plays, and notes why. The programs that a disabled worker has built are not used any more: others
    /// compile the sources. Returns whether there is such a worker.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn set_worker(&self, name: &str, state: WorkerState, why: Option<&str>) -> Result<bool> {
        change!(self, tx => {
            if state == WorkerState::Disabled {
                let sql = "UPDATE versions SET program = NULL, platform = NULL WHERE program IS NOT NULL AND builder = $1";
                tx.run(sql, values![format!("{CLUSTER}{name}")]).await?;
            }
            let sql = "UPDATE workers SET state = $2, why = $3 WHERE name = $1";
            tx.run(sql, values![name, state.word(), why]).await? > 0
        })
    }

    /// The bots on each worker in about the last `matches` results.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn worker_tallies(&self, matches: i64) -> Result<Vec<WorkerTally>> {
        // The databases round differently, which moves the limits of the steps only.
        let sql = "SELECT worker, bot_id, version_id, ladder_id, CAST(strength AS BIGINT) AS strength, COUNT(*) AS played, \
                   COUNT(CASE WHEN cause IN ('timeout', 'crash') THEN 1 END) AS failed, \
                   COUNT(CASE WHEN rank = 1 THEN 1 END) AS won \
                   FROM (SELECT m.worker, m.ladder_id, s.bot_id, s.version_id, s.cause, s.rank, \
                   (s.rating - (SELECT AVG(o.rating) FROM seats o WHERE o.match_id = m.id AND o.seat <> s.seat)) / $2 AS strength \
                   FROM matches m JOIN seats s ON s.match_id = m.id \
                   WHERE m.seq > (SELECT value FROM counters WHERE name = 'seq') - $1 AND m.worker IS NOT NULL) AS played \
                   GROUP BY worker, bot_id, version_id, ladder_id, CAST(strength AS BIGINT)";
        self.list(sql, values![matches, rating::System::ARENA.scale() / 2.0]).await
    }

    /// The matches that are leased to workers whose names begin with `worker`.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn leased_to(&self, worker: &str) -> Result<Vec<Leased>> {
        let sql = "SELECT id, lease, ladder_id, seed, round, attempts FROM matches WHERE state = 'leased' AND seq IS NULL \
                   AND substr(worker, 1, length($1)) = $1 ORDER BY id";
        let mut tx = self.snapshot().await?;
        let rows = tx.all(sql, values![worker]).await?;
        tx.leased(&rows).await
    }

    /// A match that is leased.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn leased_match(&self, id: MatchId) -> Result<Option<Leased>> {
        let sql = "SELECT id, lease, ladder_id, seed, round, attempts FROM matches WHERE id = $1 AND state = 'leased'";
        let mut tx = self.snapshot().await?;
        let rows = tx.all(sql, values![id]).await?;
        Ok(tx.leased(&rows).await?.pop())
    }

    /// Extends all leases of workers whose names begin with `worker`.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn renew_all(&self, worker: &str, until: i64) -> Result<u64> {
        let sql = "UPDATE matches SET lease_until = $2 WHERE state = 'leased' AND seq IS NULL \
                   AND substr(worker, 1, length($1)) = $1";
        self.run(sql, values![worker, until]).await
    }
}

impl crate::db::Tx {
    /// Leased matches with their seats.
    pub(crate) async fn leased(&mut self, rows: &[AnyRow]) -> Result<Vec<Leased>> {
        let ids: Vec<i64> = rows.iter().map(|row| row.int("id")).collect::<Result<_>>()?;
        let mut seats: BTreeMap<MatchId, Vec<LeasedSeat>> = BTreeMap::new();
        for row in self.of_ids(SEATS, &ids).await? {
            seats.entry(row.id("match_id")?).or_default().push(LeasedSeat::from_row(&row)?);
        }
        let ladders: BTreeSet<i64> = rows.iter().map(|row| row.int("ladder_id")).collect::<Result<_>>()?;
        let ladders: Vec<i64> = ladders.into_iter().collect();
        let found = self.of_ids("SELECT * FROM ladders WHERE id IN {IDS}", &ladders).await?;
        let ladders: Vec<Ladder> = found.iter().map(Ladder::from_row).collect::<Result<_>>()?;
        let leased = |row: &AnyRow| {
            let (id, ladder): (MatchId, i64) = (row.id("id")?, row.int("ladder_id")?);
            let ladder = ladders.iter().find(|one| one.id == ladder);
            Ok(Leased {
                id,
                token: row.int("lease")?,
                ladder: ladder.cloned().ok_or_else(|| StoreError::not_found("the ladder of a match"))?,
                seed: row.int("seed")?,
                round: row.int("round")?,
                attempts: row.int("attempts")?,
                seats: seats.remove(&id).unwrap_or_default(),
            })
        };
        rows.iter().map(leased).collect()
    }
}
