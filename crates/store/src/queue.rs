//! The queue: matches wait, are leased to a worker for a while, and end as done or void.

use model::{BotId, MatchId, UserId, VersionId};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::db::{Tx, change};
use crate::value::{Columns, FromRow, values};
use crate::{Ladder, Result, Store, StoreError};

/// How often a match is tried when it is our fault that it could not be played.
const ATTEMPTS: i64 = 3;
/// How often a match is tried whose worker never came back. More often than above, since a server is also killed for reasons of its
/// own; but a match that kills its server must not do so for ever.
const LOST: i64 = 10;

/// A match to be.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewMatch {
    /// The ladder it counts for.
    pub ladder_id: i64,
    /// The seed of its map.
    pub seed: i64,
    /// The version in each seat.
    pub seats: Vec<VersionId>,
    /// Higher ones are played first.
    pub priority: i64,
    /// Which trial of its bot it belongs to; 0 elsewhere.
    pub round: i64,
}

/// A match given to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Leased {
    /// The match.
    pub id: MatchId,
    /// What shows, at the end, that the lease still holds.
    pub token: i64,
    /// The ladder it counts for.
    pub ladder: Ladder,
    /// The seed of its map.
    pub seed: i64,
    /// Which trial of its bot it belongs to.
    pub round: i64,
    /// How often it could not be played, by our fault.
    pub attempts: i64,
    /// Who plays, by seat.
    pub seats: Vec<LeasedSeat>,
}

/// A seat of a match given to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LeasedSeat {
    /// The seat, from 0.
    pub seat: i64,
    /// The version.
    pub version_id: VersionId,
    /// Its number among its bot's.
    pub number: i64,
    /// Its programming language; `house` for a built-in bot.
    pub language: String,
    /// The SHA-256 of its source.
    pub digest: String,
    /// The bot.
    pub bot_id: BotId,
    /// Its name.
    pub name: String,
    /// The built-in bot it is.
    pub built_in: Option<String>,
    /// Whose it is.
    pub user_id: Option<UserId>,
}

/// How long the queue is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct QueueLength {
    /// Matches that wait.
    pub queued: i64,
    /// Matches that are being played.
    pub leased: i64,
}

/// What became of a match that could not be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Voided {
    /// It waits to be played again.
    Requeued,
    /// It was tried often enough: it is void and will not be rated.
    Void,
    /// The lease no longer held: nothing was changed.
    Refused,
}

impl FromRow for LeasedSeat {
    fn from_row(row: &AnyRow) -> Result<LeasedSeat> {
        Ok(LeasedSeat {
            seat: row.int("seat")?,
            version_id: row.id("version_id")?,
            number: row.int("number")?,
            language: row.text("language")?,
            digest: row.text("digest")?,
            bot_id: row.id("bot_id")?,
            name: row.text("name")?,
            built_in: row.text_or_none("house")?,
            user_id: row.id_or_none("user_id")?,
        })
    }
}

impl Tx {
    /// The next number of a counter. It also locks the counter until the end of the transaction: on PostgreSQL, whoever counts the
    /// same waits, so what follows runs as on SQLite, one after another.
    pub(crate) async fn count(&mut self, counter: &str) -> Result<i64> {
        self.number("UPDATE counters SET value = value + 1 WHERE name = $1 RETURNING value", values![counter])
            .await
    }

    /// Makes recorders, and whoever changes what they look at, wait until the end of this transaction.
    pub(crate) async fn lock(&mut self) -> Result<()> {
        self.run("UPDATE counters SET value = value WHERE name = 'seq'", &[]).await.map(|_| ())
    }

    async fn enqueue(&mut self, new: &NewMatch, now: i64) -> Result<MatchId> {
        if new.seats.is_empty() {
            return Err(StoreError::conflict("a match needs players"));
        }
        let id: MatchId = self
            .number(
                "INSERT INTO matches (ladder_id, seed, round, state, attempts, priority, created) \
                 VALUES ($1, $2, $3, 'queued', 0, $4, $5) RETURNING id",
                values![new.ladder_id, new.seed, new.round, new.priority, now],
            )
            .await?
            .into();
        for (seat, &version) in new.seats.iter().enumerate() {
            let sql = "INSERT INTO seats (match_id, seat, version_id, bot_id) SELECT $1, $2, id, bot_id FROM versions WHERE id = $3";
            if self.run(sql, values![id, seat as i64, version]).await? == 0 {
                return Err(StoreError::not_found(format!("version {version}")));
            }
        }
        Ok(id)
    }
}

impl Store {
    /// Puts a match on the queue; its number.
    ///
    /// # Errors
    ///
    /// When there is no such ladder or version, or the database fails.
    pub async fn enqueue(&self, new: &NewMatch, now: i64) -> Result<MatchId> {
        change!(self, tx => tx.enqueue(new, now).await?)
    }

    /// Puts matches on the queue, all or none; their numbers.
    ///
    /// # Errors
    ///
    /// When there is no such ladder or version, or the database fails.
    pub async fn enqueue_all(&self, new: &[NewMatch], now: i64) -> Result<Vec<MatchId>> {
        change!(self, tx => {
            let mut ids = Vec::with_capacity(new.len());
            for new in new {
                ids.push(tx.enqueue(new, now).await?);
            }
            ids
        })
    }

    /// Gives the next match to a worker until a time: the highest priority, then the oldest.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn lease(&self, worker: &str, now: i64, until: i64) -> Result<Option<Leased>> {
        const NEXT: &str = "SELECT id FROM matches WHERE state = 'queued' AND seq IS NULL ORDER BY priority DESC, id LIMIT 1";
        // An empty queue costs no lock.
        if self.optional(NEXT, &[]).await?.is_none() {
            return Ok(None);
        }
        change!(self, tx => {
            let token = tx.count("lease").await?;
            let sql = format!(
                "UPDATE matches SET state = 'leased', worker = $1, lease = $2, lease_until = $3, started = $4 \
                 WHERE id = ({NEXT}) AND state = 'queued' RETURNING id, ladder_id, seed, round, attempts"
            );
            match tx.optional(&sql, values![worker, token, until, now]).await? {
                None => None,
                Some(row) => {
                    let id: MatchId = row.id("id")?;
                    let seats = tx
                        .list(
                            "SELECT s.seat, s.version_id, v.number, v.language, v.digest, s.bot_id, b.name, b.house, b.user_id \
                             FROM seats s JOIN versions v ON v.id = s.version_id JOIN bots b ON b.id = s.bot_id \
                             WHERE s.match_id = $1 ORDER BY s.seat",
                            values![id],
                        )
                        .await?;
                    Some(Leased {
                        id,
                        token,
                        ladder: tx.ladder(row.int("ladder_id")?).await?,
                        seed: row.int("seed")?,
                        round: row.int("round")?,
                        attempts: row.int("attempts")?,
                        seats,
                    })
                }
            }
        })
    }

    /// Makes a lease last longer; false when it no longer holds (the worker should give the match up).
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn renew(&self, id: MatchId, token: i64, until: i64) -> Result<bool> {
        let sql = "UPDATE matches SET lease_until = $3 WHERE id = $1 AND lease = $2 AND state = 'leased'";
        Ok(self.run(sql, values![id, token, until]).await? > 0)
    }

    /// Says that a match could not be played by our fault: it is tried again, at most three times in all.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn void(&self, id: MatchId, token: i64, why: &str, now: i64) -> Result<Voided> {
        change!(self, tx => {
            let sql = "UPDATE matches SET attempts = attempts + 1, why = $3, worker = NULL, lease = NULL, lease_until = NULL, \
                       started = NULL, state = CASE WHEN attempts + 1 >= $4 THEN 'void' ELSE 'queued' END, \
                       finished = CASE WHEN attempts + 1 >= $4 THEN $5 ELSE NULL END \
                       WHERE id = $1 AND lease = $2 AND state = 'leased' RETURNING state";
            match tx.optional(sql, values![id, token, why, ATTEMPTS, now]).await? {
                None => Voided::Refused,
                Some(row) if row.text("state")? == "void" => Voided::Void,
                Some(_) => Voided::Requeued,
            }
        })
    }

    /// Gives a match back unplayed and unblamed, as when the server stops; false when the lease no longer held.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn give_back(&self, id: MatchId, token: i64) -> Result<bool> {
        let sql = "UPDATE matches SET state = 'queued', worker = NULL, lease = NULL, lease_until = NULL, started = NULL \
                   WHERE id = $1 AND lease = $2 AND state = 'leased' AND seq IS NULL";
        Ok(self.run(sql, values![id, token]).await? > 0)
    }

    /// Puts matches whose lease ran out back on the queue; how many. What their workers bring later is refused. One that was lost
    /// ten times is void.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn expire(&self, now: i64) -> Result<u64> {
        let sql =
            "SELECT id FROM matches WHERE state = 'leased' AND seq IS NULL AND lease_until < $1 LIMIT 1";
        if self.optional(sql, values![now]).await?.is_none() {
            return Ok(0);
        }
        self.run(&lost("lease_until < $1"), values![now, LOST, now]).await
    }

    /// Puts all matches of workers whose name begins so back on the queue, as lost; how many. For the start of a server, whose own
    /// workers of before are dead.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn own_leases_to_queue(&self, worker: &str, now: i64) -> Result<u64> {
        self.run(&lost("substr(worker, 1, length($1)) = $1"), values![worker, LOST, now]).await
    }

    /// How many matches wait and are being played.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn queue_length(&self) -> Result<QueueLength> {
        let sql = "SELECT state, COUNT(*) AS n FROM matches WHERE state IN ('queued', 'leased') AND seq IS NULL GROUP BY state";
        let mut length = QueueLength { queued: 0, leased: 0 };
        for row in self.all(sql, &[]).await? {
            match row.text("state")?.as_str() {
                "queued" => length.queued = row.int("n")?,
                _ => length.leased = row.int("n")?,
            }
        }
        Ok(length)
    }

    /// How many matches of a ladder wait or are being played.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn waiting_on(&self, ladder: i64) -> Result<i64> {
        let sql = "SELECT COUNT(*) AS n FROM matches WHERE state IN ('queued', 'leased') AND ladder_id = $1 AND seq IS NULL";
        self.all(sql, values![ladder]).await?.first().map_or(Ok(0), |row| row.int("n"))
    }

    /// Takes a waiting match off the queue for good; whether it was waiting.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn cancel(&self, id: MatchId) -> Result<bool> {
        Ok(self.run("DELETE FROM matches WHERE id = $1 AND state = 'queued'", values![id]).await? > 0)
    }

    /// Takes all waiting matches of a contest but those of its finals off the queue; how many.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn cancel_of_contest(&self, contest: i64) -> Result<u64> {
        let sql = "DELETE FROM matches WHERE state = 'queued' AND seq IS NULL \
                   AND +ladder_id IN (SELECT id FROM ladders WHERE contest_id = $1 AND kind <> 'final')";
        self.run(sql, values![contest]).await
    }

    /// Gives a void match another three attempts; whether it was void.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn requeue(&self, id: MatchId) -> Result<bool> {
        let sql = "UPDATE matches SET state = 'queued', attempts = 0, lost = 0, finished = NULL WHERE id = $1 AND state = 'void'";
        Ok(self.run(sql, values![id]).await? > 0)
    }
}

/// Leased matches that are such lost their worker: they go back to the queue, or are void after `$2` times; `$3` is now.
fn lost(such: &str) -> String {
    format!(
        "UPDATE matches SET lost = lost + 1, worker = NULL, lease = NULL, lease_until = NULL, started = NULL, \
         state = CASE WHEN lost + 1 >= $2 THEN 'void' ELSE 'queued' END, \
         finished = CASE WHEN lost + 1 >= $2 THEN $3 ELSE NULL END, \
         why = CASE WHEN lost + 1 >= $2 THEN 'its server ended again and again while it was played' ELSE why END \
         WHERE state = 'leased' AND seq IS NULL AND {such}"
    )
}
