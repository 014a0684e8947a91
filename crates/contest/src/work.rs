//! The loop of a worker: build a waiting version, else play a waiting match, else queue new matches. At most one worker
//! builds; a service with one worker builds and plays in turns.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use model::{BotId, GameLeagues, VersionId};
use sandbox::Sandbox;
use store::{ErrorKind, Leased, MatchResult, Recorded, ResultContext, ToRecord, Voided};

use crate::events::{Event, LadderRef};
use crate::play::{Ended, seated};
use crate::promotion::verdicts;
use crate::service::{Doing, Inner, lock, now_ms};

/// The duration of a lease without renewal, in milliseconds.
pub(crate) const LEASE_MS: i64 = 120_000;
/// A worker looks for work at least this often.
const LOOK: Duration = Duration::from_millis(250);
/// The longest pause after failures on our side.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// A storage that fails is tried again after this time.
const AGAIN: Duration = Duration::from_secs(1);
/// The number of attempts at a write that fails for another reason than the storage.
const ATTEMPTS: u32 = 12;
/// The time for which a service that is aborted tries to store a result.
const ABORT: Duration = Duration::from_secs(5);
/// A bot whose version was built before is paused after this number of failed preparations.
const UNREADY: u32 = 3;

impl Inner {
    pub(crate) fn work(&self, sandbox: &Sandbox, number: usize, cores: &[usize]) {
        let _end = WorkerEnd { inner: self, number };
        let mut failures = 0;
        let mut rests_until = Instant::now();
        let alone = lock(&self.workers).len() == 1;
        let mut play_first = false;
        while !self.stops() {
            if self.has_storage_failure() {
                self.block(self.check_storage());
                if self.has_storage_failure() {
                    self.wait(AGAIN);
                    continue;
                }
            }
            // One work of a visitor between two matches: matches go on.
            self.work_between(sandbox, cores);
            let fresh = Instant::now() >= rests_until;
            let done = self.work_once(sandbox, number, cores, fresh, play_first);
            play_first = alone && matches!(done, Ok(Done::Built));
            match done {
                Ok(Done::Played) => failures = 0,
                Ok(Done::Built | Done::Something) => {}
                Ok(Done::Nothing) => self.wait(LOOK),
                Ok(Done::Void) => {
                    // After repeated failures, the pause grows.
                    failures += 1;
                    let pause = Duration::from_millis(250) * 2_u32.saturating_pow(failures.min(10));
                    rests_until = Instant::now() + pause.min(LONGEST_PAUSE);
                }
                Err(error) => {
                    if error.is_storage() {
                        self.storage_failed(error.to_string());
                    } else {
                        self.trouble(format!("the store: {error}"));
                    }
                    self.look_again();
                    self.wait(AGAIN);
                }
            }
            self.doing(number, Doing::Waiting);
        }
    }

    pub(crate) fn doing(&self, number: usize, doing: Doing) {
        if let Some(worker) = lock(&self.workers).get_mut(number).filter(|worker| worker.doing != doing) {
            worker.doing = doing;
            worker.since = now_ms();
        }
    }

    /// The name of a worker in the store.
    pub(crate) fn worker_name(&self, number: usize) -> String {
        lock(&self.workers).get(number).map(|worker| worker.name.clone()).unwrap_or_default()
    }

    /// Builds, plays or queues matches. A worker that pauses after failures only builds.
    fn work_once(
        &self,
        sandbox: &Sandbox,
        number: usize,
        cores: &[usize],
        fresh: bool,
        play_first: bool,
    ) -> store::Result<Done> {
        if play_first {
            let done = self.play_one(sandbox, number, cores, fresh)?;
            if !matches!(done, Done::Nothing) {
                return Ok(done);
            }
        }
        let built = self.build_one(sandbox, number);
        if built.is_err() {
            self.stale_builds.store(true, Ordering::Relaxed);
        }
        if built? { Ok(Done::Built) } else { self.play_one(sandbox, number, cores, fresh) }
    }

    /// Plays a waiting match, or queues matches.
    fn play_one(
        &self,
        sandbox: &Sandbox,
        number: usize,
        cores: &[usize],
        fresh: bool,
    ) -> store::Result<Done> {
        if self.is_paused() || self.only_builds || !fresh {
            return Ok(Done::Nothing);
        }
        // Enough for all workers, and few enough that a new bot does not wait long.
        let most = 2 * lock(&self.workers).len();
        let name = self.worker_name(number);
        let (leased, made) = self.block(self.lease_next(&name, most))?;
        let Some(leased) = leased else {
            return Ok(if made > 0 { Done::Something } else { Done::Nothing });
        };
        self.doing(number, Doing::Playing { match_id: leased.id });
        let ended = self.play(sandbox, cores, &leased);
        let done = self.finish(number, &leased, ended);
        self.live.remove(leased.id);
        done
    }

    /// Leases the next match for a worker. If there is none, the second value is the number of matches that were queued, at
    /// most `most`.
    async fn lease_next(&self, worker: &str, most: usize) -> store::Result<(Option<Leased>, usize)> {
        let is_leader = self.leads();
        // Ladders get their share although other matches wait.
        if is_leader
            && self.changed.load(Ordering::Relaxed)
            && self.store.count_queued(model::LadderKind::Ladder, 1).await? == 0
        {
            self.make_matches(most).await?;
        }
        let now = now_ms();
        let leased = self.store.lease(worker, now, now + LEASE_MS).await?;
        let is_idle = leased.is_none() && is_leader && self.wants_matches();
        let made = if is_idle { self.make_matches(most).await? } else { 0 };
        Ok((leased, made))
    }

    /// Stores the result of a match.
    fn finish(&self, number: usize, leased: &Leased, ended: Ended) -> store::Result<Done> {
        match ended {
            Ended::Over(result, record) => {
                let over = Over { leased: leased.clone(), result: *result, record };
                let recorded = self.record(&mut [over])?.pop();
                if let Some(worker) = lock(&self.workers).get_mut(number) {
                    worker.played += 1;
                }
                if let Some(Recorded::Refused) = recorded {
                    self.trouble(format!("match {} was given to somebody else meanwhile", leased.id));
                }
                Ok(Done::Played)
            }
            Ended::BrokenOff => {
                self.persist(|| self.block(self.store.give_back(leased.id, leased.token)))?;
                Ok(Done::Something)
            }
            Ended::Void { why, by } => self.void(number, leased, &why, by),
        }
    }

    /// Stores that a match of a worker has no result.
    fn void(&self, number: usize, leased: &Leased, why: &str, by: Option<usize>) -> store::Result<Done> {
        if let Some(worker) = lock(&self.workers).get_mut(number) {
            worker.void += 1;
        }
        self.void_match(leased, why, by)?;
        Ok(Done::Void)
    }

    /// Stores that a match has no result; `by` is the seat whose bot caused it.
    pub(crate) fn void_match(&self, leased: &Leased, why: &str, by: Option<usize>) -> store::Result<()> {
        let culprit = by.and_then(|seat| leased.seats.get(seat));
        let bot = culprit.map_or_else(String::new, |seat| format!(" (bot {})", seat.bot_id));
        self.trouble(format!("match {} is void: {why}{bot}", leased.id));
        let voided = self.persist(|| {
            let by = culprit.map(|seat| seat.seat);
            self.block(self.store.void(leased.id, leased.token, why, by, now_ms()))
        })?;
        self.live.remove_remote(leased.id);
        self.look_again();
        if voided != Voided::Refused {
            self.tell(Event::MatchVoid { match_id: leased.id, at: LadderRef::from(&leased.ladder) });
        }
        if let Some(user_id) = culprit.and_then(|seat| seat.user_id) {
            // The bot may have been paused.
            self.tell(Event::Notice { user_id });
        }
        Ok(())
    }

    /// Writes the record of a match, unless it is written. This comes before the row that names it.
    pub(crate) fn put_record(&self, over: &mut Over) -> store::Result<()> {
        if over.result.record.is_none() {
            over.result.record = Some(self.persist(|| self.store.records().put(&over.record))?);
        }
        Ok(())
    }

    /// Records results in one transaction.
    pub(crate) fn record(&self, overs: &mut [Over]) -> store::Result<Vec<Recorded>> {
        for over in overs.iter_mut() {
            self.put_record(over)?;
        }
        let leagues: Vec<Option<GameLeagues>> = overs
            .iter()
            .map(|Over { leased, .. }| self.leagues(leased.ladder.contest_id, &leased.ladder.game).ok())
            .collect();
        let rule = |leagues: Option<&GameLeagues>, context: &ResultContext| {
            leagues.map_or_else(Vec::new, |leagues| verdicts(leagues, context))
        };
        let rules: Vec<_> = leagues
            .iter()
            .map(|leagues| move |context: &ResultContext| rule(leagues.as_ref(), context))
            .collect();
        let to_record: Vec<ToRecord<'_>> = (overs.iter().zip(&rules))
            .map(|(Over { leased, result, .. }, rule)| ToRecord {
                id: leased.id,
                token: leased.token,
                result,
                rule,
            })
            .collect();
        let all = self.persist(|| self.block(self.store.record_all(&to_record)))?;
        for (over, recorded) in overs.iter().zip(&all) {
            if let Ok(recorded) = recorded {
                self.after(&over.leased, &over.result, recorded);
            }
        }
        all.into_iter().collect()
    }

    /// Repeats a call of the store until the storage works, so that nothing is lost when it fails for a while; no new
    /// work begins meanwhile. Gives up when the store refuses the call, and soon after the service is aborted.
    pub(crate) fn persist<T>(&self, mut call: impl FnMut() -> store::Result<T>) -> store::Result<T> {
        let mut attempt = 0;
        let mut aborted = None;
        loop {
            let error = match call() {
                Ok(done) => {
                    self.storage_works();
                    return Ok(done);
                }
                Err(error) => error,
            };
            attempt += 1;
            if self.aborts() && aborted.get_or_insert_with(Instant::now).elapsed() >= ABORT {
                return Err(error);
            }
            match error.kind {
                ErrorKind::Busy | ErrorKind::Full => self.storage_failed(error.to_string()),
                ErrorKind::Other if attempt < ATTEMPTS => self.trouble(format!("the store: {error}")),
                _ => return Err(error),
            }
            // A sleep instead of `wait`: the result must be stored even when the service stops.
            std::thread::sleep((Duration::from_millis(100) * attempt).min(AGAIN));
        }
    }

    /// Publishes the events that follow from a result.
    fn after(&self, leased: &Leased, result: &MatchResult, recorded: &Recorded) {
        let Recorded::Done { promotions, paused, .. } = recorded else { return };
        self.look_again();
        let at = LadderRef::from(&leased.ladder);
        let ranks = result.seats.iter().map(|seat| seat.rank).collect();
        self.tell(Event::MatchDone { match_id: leased.id, at: at.clone(), seats: seated(leased), ranks });
        if leased.ladder.kind.rates() {
            self.tell(Event::BoardChanged { at: at.clone() });
        }
        for promotion in promotions {
            let Some(seat) = leased.seats.iter().find(|seat| seat.bot_id == promotion.bot_id) else {
                continue;
            };
            self.tell(Event::Promotion {
                user_id: seat.user_id,
                bot_id: seat.bot_id,
                name: game::text::safe_line(&seat.name, 60),
                contest_id: at.contest_id,
                game: at.game.clone(),
                from_tier: promotion.from_tier,
                to_tier: promotion.to_tier,
            });
            let above = LadderRef { tier: promotion.to_tier, ..at.clone() };
            self.tell(Event::BoardChanged { at: above });
        }
        let moved = promotions.iter().map(|promotion| promotion.bot_id).chain(paused.iter().copied());
        for bot in moved {
            let seat = leased.seats.iter().find(|seat| seat.bot_id == bot);
            if let Some(user_id) = seat.and_then(|seat| seat.user_id) {
                self.tell(Event::Notice { user_id });
            }
        }
        if leased.ladder.kind == model::LadderKind::Trial {
            self.after_trial(leased);
        }
    }

    /// Removes the waiting matches of a decided trial from the queue.
    fn after_trial(&self, leased: &Leased) {
        for seat in leased.seats.iter().filter(|seat| seat.user_id.is_some()) {
            let decided = self.block(async {
                let last = self.store.last_trial_of(seat.bot_id, seat.version_id, leased.ladder.id).await?;
                let over = last.is_some_and(|last| last.trial.verdict().is_some());
                if over { self.store.end_trial(seat.version_id).await } else { Ok(0) }
            });
            if let Err(error) = decided {
                // They will be played, and change nothing.
                self.trouble(format!("a trial could not be ended: {error}"));
            }
        }
    }

    /// Counts a failed preparation of a version that was built before. After a few failures its bot is paused, because
    /// it would block the matches of others.
    pub(crate) fn not_ready(&self, version: VersionId, bot: BotId) {
        let times = {
            let mut unready = lock(&self.unready);
            let times = unready.entry(version).or_default();
            *times += 1;
            *times
        };
        if times >= UNREADY {
            let why = "it was built once and can no longer be built here; submit it again";
            match self.block(self.store.set_paused(bot, Some(why), now_ms())) {
                Ok(()) => drop(lock(&self.unready).remove(&version)),
                Err(error) => self.trouble(format!("bot {bot} could not be paused: {error}")),
            }
        }
    }

    /// Renews the leases of the matches that this service plays, and marks matches as lost whose lease another worker
    /// has.
    pub(crate) async fn renew_leases(&self) -> store::Result<()> {
        for playing in self.live.playing() {
            if !self.store.renew(playing.match_id, playing.token, now_ms() + LEASE_MS).await? {
                playing.lost.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }
}

/// Marks a worker as stopped when it ends, even by a panic: a service that stops waits for that.
struct WorkerEnd<'a> {
    inner: &'a Inner,
    number: usize,
}

impl Drop for WorkerEnd<'_> {
    fn drop(&mut self) {
        self.inner.doing(self.number, Doing::Stopped);
    }
}

/// A match that is over.
pub(crate) struct Over {
    pub(crate) leased: Leased,
    pub(crate) result: MatchResult,
    pub(crate) record: Vec<u8>,
}

/// The result of a worker's step.
enum Done {
    /// A match.
    Played,
    /// A build.
    Built,
    Something,
    Nothing,
    /// The match failed, by our fault.
    Void,
}
