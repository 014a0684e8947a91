//! The queue: matches wait, are leased to a worker for some time, and end as done or void.

use std::collections::{BTreeMap, VecDeque};

use model::{BotId, LadderKind, MatchId, UserId, VersionId};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::builds::ProgramRef;
use crate::db::{Tx, change};
use crate::value::{Columns, FromRow, Value, values};
use crate::{Bot, Ladder, Result, Store, StoreError};

/// The number of attempts at a match that could not be played by our fault.
const ATTEMPTS: i64 = 3;
/// The number of attempts at a match whose worker disappeared. It is larger than `ATTEMPTS`, because a server may be
/// killed for other reasons; but a match that kills its server must not do so forever.
const LOST: i64 = 10;
/// A bot is paused after this number of void matches that it caused within [`BLAME_LASTS`].
const BLAMES: i64 = 3;
/// When this number of other bots caused void matches within [`HOST_FAULT_LASTS`] too, the host is to blame.
const HOST_FAULT: i64 = 3;
/// One hour in milliseconds.
const HOST_FAULT_LASTS: i64 = 3_600_000;
/// The time for which a void match counts against the bot that caused it, in milliseconds.
const BLAME_LASTS: i64 = 24 * 3_600_000;
/// The kinds of matches in the order of their urgency. Each kind has one lease in four to itself while matches of it
/// wait; the leases of the other kinds go to the most urgent kind.
const SHARES: [LadderKind; 4] = [LadderKind::Test, LadderKind::Trial, LadderKind::Final, LadderKind::Ladder];
/// The next matches of a kind: the highest priority, then the oldest.
const NEXT: &str = "SELECT m.id FROM matches m JOIN ladders l ON l.id = m.ladder_id \
    WHERE m.state = 'queued' AND m.seq IS NULL AND l.kind = $1 ORDER BY m.priority DESC, m.id LIMIT $2";
/// The same for the kinds in which accounts take turns: tests and trials. The account that was served longest ago is
/// next; new accounts from one network share a turn. A test counts for the account that asked for it alone.
const NEXT_BY_TURN: &str = "SELECT m.id, u.id AS user_id FROM matches m JOIN ladders l ON l.id = m.ladder_id \
    LEFT JOIN (seats s JOIN bots b ON b.id = s.bot_id JOIN users u ON u.id = b.user_id) \
    ON s.match_id = m.id AND s.part <> 2 \
    WHERE m.state = 'queued' AND m.seq IS NULL AND l.kind = $1 \
    ORDER BY m.priority DESC, \
    COALESCE((SELECT MAX(o.match_turn) FROM users o WHERE o.network = u.network), u.match_turn, 0), \
    COALESCE(u.match_turn, 0), m.id LIMIT 1";

/// The seats of leased matches.
pub(crate) const SEATS: &str = "SELECT s.match_id, s.seat, s.version_id, v.number, v.language, v.digest, v.program, v.platform, s.bot_id, b.name, b.house, b.user_id \
    FROM seats s JOIN versions v ON v.id = s.version_id JOIN bots b ON b.id = s.bot_id \
    WHERE s.match_id IN {IDS} ORDER BY s.match_id, s.seat";

/// A match to queue.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewMatch {
    /// The ladder it counts for.
    pub ladder_id: i64,
    /// The seed of its map.
    pub seed: i64,
    /// The version in each seat.
    pub seats: Vec<VersionId>,
    /// Among the matches of its kind, those with a higher priority are played first.
    pub priority: i64,
    /// The number of the trial of its bot to which it belongs; 0 for other matches.
    pub round: i64,
}

/// A match leased to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Leased {
    /// The match.
    pub id: MatchId,
    /// The token that proves, at the end, that the lease is still valid.
    pub token: i64,
    /// The ladder it counts for.
    pub ladder: Ladder,
    /// The seed of its map.
    pub seed: i64,
    /// The number of the trial of its bot to which it belongs.
    pub round: i64,
    /// The number of attempts that failed by our fault.
    pub attempts: i64,
    /// The players by seat.
    pub seats: Vec<LeasedSeat>,
}

/// A seat of a leased match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LeasedSeat {
    /// The seat, from 0.
    pub seat: i64,
    /// The version.
    pub version_id: VersionId,
    /// The number of the version among the versions of its bot.
    pub number: i64,
    /// Its programming language; the literal `house` for a built-in bot.
    pub language: String,
    /// The SHA-256 of its source.
    pub digest: String,
    /// Its program in the object store of a cluster.
    pub program: Option<ProgramRef>,
    /// The bot.
    pub bot_id: BotId,
    /// Its name.
    pub name: String,
    /// The name of the built-in bot, if it is one.
    pub built_in: Option<String>,
    /// The owner.
    pub user_id: Option<UserId>,
}

/// The length of the queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct QueueLength {
    /// Matches that wait.
    pub queued: i64,
    /// Matches that are being played.
    pub leased: i64,
}

/// The new state of a match that could not be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Voided {
    /// It waits to be played again.
    Requeued,
    /// It has no attempts left: it is void and will not be rated.
    Void,
    /// The lease was no longer valid: nothing was changed.
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
            program: ProgramRef::of(row)?,
            bot_id: row.id("bot_id")?,
            name: row.text("name")?,
            built_in: row.text_or_none("house")?,
            user_id: row.id_or_none("user_id")?,
        })
    }
}

/// Leases waiting matches: the match, the token, the worker, the end of the lease, the time.
const LEASE: &str = "UPDATE matches SET state = 'leased', worker = v.column3, lease = v.column2, lease_until = v.column4, \
    started = v.column5 FROM (VALUES {ROWS}) AS v WHERE matches.id = v.column1 AND matches.state = 'queued' \
    RETURNING matches.id, lease, ladder_id, seed, round, attempts";

/// The waiting matches that a transaction has found, by the place of their kind in [`SHARES`].
#[derive(Default)]
struct Waiting {
    /// Kinds without accounts that take turns: their next matches.
    matches: [VecDeque<MatchId>; SHARES.len()],
    is_read: [bool; SHARES.len()],
    /// Kinds in which no match waits.
    is_empty: [bool; SHARES.len()],
}

impl Tx {
    /// Takes numbers for leases and returns the last one. It also locks the counter until the end of the transaction: on
    /// PostgreSQL, other transactions that lease wait, so they run one after another, as on SQLite.
    async fn lease_numbers(&mut self, count: usize) -> Result<i64> {
        let sql = "UPDATE counters SET value = value + $1 WHERE name = 'lease' RETURNING value";
        self.number(sql, values![count as i64]).await
    }

    /// Makes transactions that record a result, or change data used by recording, wait until the end of this
    /// transaction.
    pub(crate) async fn lock(&mut self) -> Result<()> {
        self.run("UPDATE counters SET value = value WHERE name = 'seq'", &[]).await.map(|_| ())
    }

    /// Leases the next matches, at most `most`.
    async fn lease(&mut self, worker: &str, most: usize, now: i64, until: i64) -> Result<Vec<Leased>> {
        let last = self.lease_numbers(most).await?;
        let mut waiting = Waiting::default();
        let mut rows = Vec::new();
        let mut chosen: Vec<Vec<Value>> = Vec::new();
        for token in last - most as i64 + 1..=last {
            let Some((id, by_turn)) = self.next_match(token, most, &mut waiting).await? else { break };
            let row = vec![id.into(), token.into(), worker.into(), until.into(), now.into()];
            if by_turn {
                // The next search must not find it again.
                rows.extend(self.for_rows(LEASE, &[row]).await?);
            } else {
                chosen.push(row);
            }
        }
        rows.extend(self.for_rows(LEASE, &chosen).await?);
        self.leased(&rows).await
    }

    /// The next match to play, and whether accounts take turns in its kind; the token decides whose share it is.
    async fn next_match(
        &mut self,
        token: i64,
        most: usize,
        waiting: &mut Waiting,
    ) -> Result<Option<(MatchId, bool)>> {
        let own = SHARES[token.rem_euclid(SHARES.len() as i64) as usize];
        for kind in std::iter::once(own).chain(SHARES) {
            let place = SHARES.iter().position(|other| *other == kind).unwrap_or_default();
            if matches!(kind, LadderKind::Test | LadderKind::Trial) {
                if waiting.is_empty[place] {
                    continue;
                }
                let Some(row) = self.optional(NEXT_BY_TURN, values![kind.word()]).await? else {
                    waiting.is_empty[place] = true;
                    continue;
                };
                let user: Option<UserId> = row.id_or_none("user_id")?;
                self.run("UPDATE users SET match_turn = $2 WHERE id = $1", values![user, token]).await?;
                return Ok(Some((row.id("id")?, true)));
            }
            if !waiting.is_read[place] {
                waiting.is_read[place] = true;
                let rows = self.all(NEXT, values![kind.word(), most as i64]).await?;
                waiting.matches[place] = rows.iter().map(|row| row.id("id")).collect::<Result<_>>()?;
            }
            if let Some(id) = waiting.matches[place].pop_front() {
                return Ok(Some((id, false)));
            }
        }
        Ok(None)
    }

    /// Notes that a void match was caused by the bot of a seat. After a few such matches in a day the bot is paused,
    /// and the admin's log says so. Several attempts at a match count once.
    async fn blame(&mut self, id: MatchId, seat: i64, why: &str, now: i64) -> Result<()> {
        let sql =
            "SELECT b.* FROM seats s JOIN bots b ON b.id = s.bot_id WHERE s.match_id = $1 AND s.seat = $2";
        let bot: Option<Bot> = self.find(sql, values![id, seat]).await?;
        // A built-in bot is our own.
        let Some(bot) = bot.filter(|bot| bot.user_id.is_some()) else { return Ok(()) };
        // A test never pauses a bot: neither the draft of its author nor an opponent.
        let sql = "SELECT seat FROM seats WHERE match_id = $1 AND part <> 0 LIMIT 1";
        if self.optional(sql, values![id]).await?.is_some() {
            return Ok(());
        }
        let sql = "INSERT INTO blames (bot_id, match_id, at) VALUES ($1, $2, $3)";
        self.run(sql, values![bot.id, id, now]).await?;
        let sql = "SELECT COUNT(DISTINCT match_id) AS n FROM blames WHERE bot_id = $1 AND at > $2";
        let blames = self.number(sql, values![bot.id, now - BLAME_LASTS]).await?;
        let sql = "SELECT COUNT(DISTINCT bot_id) AS n FROM blames WHERE bot_id <> $1 AND at > $2";
        let others = self.number(sql, values![bot.id, now - HOST_FAULT_LASTS]).await?;
        if blames >= BLAMES && others < HOST_FAULT {
            // The bot starts again without blame when its author activates a version.
            self.run("DELETE FROM blames WHERE bot_id = $1", values![bot.id]).await?;
            let reason = format!(
                "{BLAMES} of its matches within a day had no result because of it, the last time: {why}"
            );
            self.pause(&bot, &reason, now).await?;
            self.audit(now, &format!("bot {} ({}) was paused: {reason} (match {id})", bot.id, bot.name))
                .await?;
        }
        Ok(())
    }

    pub(crate) async fn enqueue(&mut self, new: &NewMatch, now: i64) -> Result<MatchId> {
        let ids = self.enqueue_all(std::slice::from_ref(new), now).await?;
        ids.first().copied().ok_or_else(|| StoreError::other("the match was not queued"))
    }

    /// Queues matches and returns their numbers, in the same order.
    pub(crate) async fn enqueue_all(&mut self, new: &[NewMatch], now: i64) -> Result<Vec<MatchId>> {
        if new.iter().any(|new| new.seats.is_empty()) {
            return Err(StoreError::conflict("a match needs players"));
        }
        let row = |new: &NewMatch| {
            let state = [Value::from("queued"), 0.into()];
            let values = vec![new.ladder_id.into(), new.seed.into(), new.round.into()];
            [values, state.to_vec(), vec![new.priority.into(), now.into()]].concat()
        };
        let rows: Vec<Vec<Value>> = new.iter().map(row).collect();
        let sql = "INSERT INTO matches (ladder_id, seed, round, state, attempts, priority, created) VALUES {ROWS} \
                   RETURNING id, ladder_id, seed, round, priority";
        // The order of the returned rows is not promised; matches with the same values are interchangeable.
        let mut made: BTreeMap<[i64; 4], VecDeque<MatchId>> = BTreeMap::new();
        for row in self.for_rows(sql, &rows).await? {
            let key = [row.int("ladder_id")?, row.int("seed")?, row.int("round")?, row.int("priority")?];
            made.entry(key).or_default().push_back(row.id("id")?);
        }
        let (mut ids, mut seats) = (Vec::with_capacity(new.len()), Vec::new());
        for new in new {
            let key = [new.ladder_id, new.seed, new.round, new.priority];
            let id = made.get_mut(&key).and_then(VecDeque::pop_front);
            let id = id.ok_or_else(|| StoreError::other("a match was not queued"))?;
            let seat = |(seat, version): (usize, &VersionId)| {
                vec![id.into(), (seat as i64).into(), (*version).into()]
            };
            seats.extend(new.seats.iter().enumerate().map(seat));
            ids.push(id);
        }
        let sql = "INSERT INTO seats (match_id, seat, version_id, bot_id) SELECT v.column1, v.column2, o.id, o.bot_id \
                   FROM (VALUES {ROWS}) AS v JOIN versions o ON o.id = v.column3";
        if self.run_rows(sql, &seats).await? < seats.len() as u64 {
            return Err(StoreError::not_found("one of the versions"));
        }
        self.mark_tests(&ids).await?;
        Ok(ids)
    }
}

impl Store {
    /// Queues a match and returns its number.
    ///
    /// # Errors
    ///
    /// When there is no such ladder or version, or the database fails.
    pub async fn enqueue(&self, new: &NewMatch, now: i64) -> Result<MatchId> {
        change!(self, tx => tx.enqueue(new, now).await?)
    }

    /// Queues all matches or none, and returns their numbers.
    ///
    /// # Errors
    ///
    /// When there is no such ladder or version, or the database fails.
    pub async fn enqueue_all(&self, new: &[NewMatch], now: i64) -> Result<Vec<MatchId>> {
        change!(self, tx => tx.enqueue_all(new, now).await?)
    }

    /// Leases the next match to a worker until `until`. Tests, trials, finals and ladder matches each have a guaranteed
    /// share; within a kind the highest priority is next, then the account that was served longest ago (tests and
    /// trials), then the oldest match.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn lease(&self, worker: &str, now: i64, until: i64) -> Result<Option<Leased>> {
        Ok(self.lease_many(worker, 1, now, until).await?.pop())
    }

    /// Leases the next matches to a worker in one transaction, at most `most`: those that as many calls of [`Store::lease`]
    /// would lease.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn lease_many(&self, worker: &str, most: usize, now: i64, until: i64) -> Result<Vec<Leased>> {
        // An empty queue is found without a lock.
        let sql = "SELECT id FROM matches WHERE state = 'queued' AND seq IS NULL LIMIT 1";
        if most == 0 || self.optional(sql, &[]).await?.is_none() {
            return Ok(Vec::new());
        }
        change!(self, tx => tx.lease(worker, most, now, until).await?)
    }

    /// Extends a lease. Returns false when it is no longer valid (the worker should abort the match).
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn renew(&self, id: MatchId, token: i64, until: i64) -> Result<bool> {
        let sql = "UPDATE matches SET lease_until = $3 WHERE id = $1 AND lease = $2 AND state = 'leased'";
        Ok(self.run(sql, values![id, token, until]).await? > 0)
    }

    /// Reports that a match could not be played: it is tried again, at most three times in all. `by` is the seat whose
    /// bot caused it; `None` when it was our own fault. A bot that causes three void matches in a day is paused.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn void(
        &self,
        id: MatchId,
        token: i64,
        why: &str,
        by: Option<i64>,
        now: i64,
    ) -> Result<Voided> {
        change!(self, tx => {
            let sql = "UPDATE matches SET attempts = attempts + 1, why = $3, worker = NULL, lease = NULL, lease_until = NULL, \
                       started = NULL, state = CASE WHEN attempts + 1 >= $4 THEN 'void' ELSE 'queued' END, \
                       finished = CASE WHEN attempts + 1 >= $4 THEN $5 ELSE NULL END \
                       WHERE id = $1 AND lease = $2 AND state = 'leased' RETURNING state";
            tx.lock().await?;
            let voided = match tx.optional(sql, values![id, token, why, ATTEMPTS, now]).await? {
                None => Voided::Refused,
                Some(row) if row.text("state")? == "void" => Voided::Void,
                Some(_) => Voided::Requeued,
            };
            if let Some(seat) = by.filter(|_| voided != Voided::Refused) {
                tx.blame(id, seat, why, now).await?;
            }
            voided
        })
    }

    /// Returns an unplayed match to the queue without counting an attempt, for example when the server stops. Returns
    /// false when the lease was no longer valid.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn give_back(&self, id: MatchId, token: i64) -> Result<bool> {
        let sql = "UPDATE matches SET state = 'queued', worker = NULL, lease = NULL, lease_until = NULL, started = NULL \
                   WHERE id = $1 AND lease = $2 AND state = 'leased' AND seq IS NULL";
        Ok(self.run(sql, values![id, token]).await? > 0)
    }

    /// Puts matches whose lease expired back into the queue, and returns their number. Later results of their workers
    /// are refused. A match that was lost ten times becomes void.
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

    /// Puts all leased matches of workers whose name begins with `worker` back into the queue, as lost, and returns
    /// their number. Called at the start of a server: the workers of its previous run are dead.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn own_leases_to_queue(&self, worker: &str, now: i64) -> Result<u64> {
        self.run(&lost("substr(worker, 1, length($1)) = $1"), values![worker, LOST, now]).await
    }

    /// Queues the matches of a trial, unless matches of a trial of this version on this ladder wait: several servers may
    /// begin the same one. Returns whether they were queued.
    ///
    /// # Errors
    ///
    /// When there is no such ladder or version, or the database fails.
    pub async fn enqueue_trial(
        &self,
        ladder: i64,
        version: VersionId,
        new: &[NewMatch],
        now: i64,
    ) -> Result<bool> {
        let sql = "SELECT COUNT(*) AS n FROM matches m JOIN seats s ON s.match_id = m.id \
                   WHERE m.state IN ('queued', 'leased') AND m.seq IS NULL AND m.ladder_id = $1 AND s.version_id = $2";
        change!(self, tx => {
            tx.lock().await?;
            let is_free = tx.number(sql, values![ladder, version]).await? == 0;
            if is_free {
                tx.enqueue_all(new, now).await?;
            }
            is_free
        })
    }

    /// The number of matches that wait, and of matches that are being played.
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

    /// The number of matches of this kind that wait, counted up to `most`.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn count_queued(&self, kind: LadderKind, most: usize) -> Result<usize> {
        Ok(self.all(NEXT, values![kind.word(), most as i64]).await?.len())
    }

    /// The number of matches of a ladder that wait or are being played.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn waiting_on(&self, ladder: i64) -> Result<i64> {
        let sql = "SELECT COUNT(*) AS n FROM matches WHERE state IN ('queued', 'leased') AND ladder_id = $1 AND seq IS NULL";
        self.all(sql, values![ladder]).await?.first().map_or(Ok(0), |row| row.int("n"))
    }

    /// Removes a waiting match from the queue for good. Returns whether it was waiting.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn cancel(&self, id: MatchId) -> Result<bool> {
        Ok(self.run("DELETE FROM matches WHERE id = $1 AND state = 'queued'", values![id]).await? > 0)
    }

    /// Removes all waiting matches of a contest, except the matches of its finals, from the queue. Returns their
    /// number.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn cancel_of_contest(&self, contest: i64) -> Result<u64> {
        let sql = "DELETE FROM matches WHERE state = 'queued' AND seq IS NULL \
                   AND +ladder_id IN (SELECT id FROM ladders WHERE contest_id = $1 AND kind <> 'final')";
        self.run(sql, values![contest]).await
    }

    /// Gives a void match another three attempts. Returns whether it was void.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn requeue(&self, id: MatchId) -> Result<bool> {
        let sql = "UPDATE matches SET state = 'queued', attempts = 0, lost = 0, finished = NULL WHERE id = $1 AND state = 'void'";
        Ok(self.run(sql, values![id]).await? > 0)
    }
}

/// Leased matches that satisfy the condition `such` have lost their worker: they return to the queue, or become void
/// after `$2` losses; `$3` is the time.
fn lost(such: &str) -> String {
    format!(
        "UPDATE matches SET lost = lost + 1, worker = NULL, lease = NULL, lease_until = NULL, started = NULL, \
         state = CASE WHEN lost + 1 >= $2 THEN 'void' ELSE 'queued' END, \
         finished = CASE WHEN lost + 1 >= $2 THEN $3 ELSE NULL END, \
         why = CASE WHEN lost + 1 >= $2 THEN 'its server ended again and again while it was played' ELSE why END \
         WHERE state = 'leased' AND seq IS NULL AND {such}"
    )
}
