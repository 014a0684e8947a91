//! Queues matches: ladder matches chosen by the matchmaker, trials and tests on request.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use game::Dice;
use model::{BotId, LadderKind, MatchId, Trial, VersionId};
use store::{Bot, ErrorKind, NewMatch, StoreError, VersionState};

use crate::cache::OpenContest;
use crate::matchmaking::{Entrant, Field};
use crate::service::{Inner, lock, now_ms};
use crate::{League, Way};

/// The priorities of matches: among matches of the same kind, higher ones are played first.
pub(crate) mod priority {
    use crate::matchmaking::Need;

    pub(crate) const TEST: i64 = 50;
    pub(crate) const TRIAL: i64 = 40;
    pub(crate) const FINAL: i64 = 30;

    pub(crate) fn of(need: Need) -> i64 {
        match need {
            Need::Placement => 20,
            Need::Settling => 15,
            Need::BuiltIn => 5,
            Need::Pastime => 0,
        }
    }
}

/// The state of the match scheduler.
#[derive(Debug)]
pub(crate) struct MatchScheduler {
    pub(crate) dice: Dice,
    /// When the last pastime match was queued.
    last_pastime: Option<Instant>,
    /// The next ladder to serve when no ladder needs a match.
    turn: usize,
    /// The time that it took to queue matches the last time.
    pub(crate) planning: Duration,
}

impl MatchScheduler {
    pub(crate) fn new() -> MatchScheduler {
        let nanos = std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos() as u64);
        MatchScheduler {
            dice: Dice::new(nanos ^ u64::from(std::process::id())),
            last_pastime: None,
            turn: 0,
            planning: Duration::ZERO,
        }
    }

    /// A random seed, short enough to type.
    pub(crate) fn seed(&mut self) -> i64 {
        i64::from(self.dice.bits() as u32)
    }
}

/// A ladder and its number.
struct Numbered {
    ladder_id: i64,
    field: Field,
}

impl Numbered {
    /// The next match, to be queued.
    fn next(&mut self, pastime: bool, scheduler: &mut MatchScheduler) -> Option<NewMatch> {
        let table = self.field.next(pastime, &mut scheduler.dice)?;
        Some(NewMatch {
            ladder_id: self.ladder_id,
            seed: scheduler.seed(),
            seats: table.seats,
            priority: priority::of(table.need),
            round: 0,
        })
    }
}

impl Inner {
    /// Whether to look for new matches: something has changed since the last time, or a pastime match is due.
    pub(crate) fn wants_matches(&self) -> bool {
        self.changed.load(Ordering::Relaxed) || self.is_pastime(&lock(&self.scheduler))
    }

    /// Notes that something has changed, so that the scheduler looks for new matches.
    pub(crate) fn look_again(&self) {
        self.changed.store(true, Ordering::Relaxed);
    }

    fn is_pastime(&self, scheduler: &MatchScheduler) -> bool {
        scheduler.last_pastime.is_none_or(|last| last.elapsed() >= self.idle_every)
    }

    /// Queues ladder matches, at most `most`. Returns their number.
    pub(crate) async fn make_matches(&self, most: usize) -> store::Result<usize> {
        // One caller at a time: two callers would see the same needs.
        let _making = self.making.lock().await;
        let begun = Instant::now();
        self.changed.store(false, Ordering::Relaxed);
        let mut fields = Vec::new();
        for open in self.open_contests.all().iter().filter(|open| open.is_running()) {
            for rated in &open.ladders {
                let entrants = self.store.field(rated.ladder.id).await?;
                let entrants = entrants.iter().filter(|one| !one.paused).map(entrant).collect();
                let players = u8::try_from(rated.ladder.players).unwrap_or(2);
                let field = Field::new(entrants, players, rated.placement);
                fields.push(Numbered { ladder_id: rated.ladder.id, field });
            }
        }
        let read = begun.elapsed();
        let matches = self.choose(&mut fields, most);
        let chosen = begun.elapsed();
        let made =
            if matches.is_empty() { 0 } else { self.store.enqueue_all(&matches, now_ms()).await?.len() };
        let all = begun.elapsed();
        tracing::debug!(target: "contest", made, most, ?read, ?chosen, ?all, "matches are queued");
        lock(&self.scheduler).planning = all;
        Ok(made)
    }

    fn choose(&self, fields: &mut [Numbered], most: usize) -> Vec<NewMatch> {
        let mut scheduler = lock(&self.scheduler);
        let mut matches = Vec::new();
        while matches.len() < most {
            let needs = fields.iter().enumerate().filter_map(|(place, one)| Some((one.field.need()?, place)));
            let Some((_, place)) = needs.min() else { break };
            let Some(next) = fields[place].next(false, &mut scheduler) else { break };
            matches.push(next);
        }
        if matches.is_empty() && self.is_pastime(&scheduler) {
            scheduler.last_pastime = Some(Instant::now());
            for _ in 0..fields.len() {
                scheduler.turn = scheduler.turn.wrapping_add(1);
                let field = &mut fields[scheduler.turn % fields.len()];
                if let Some(next) = field.next(true, &mut scheduler) {
                    matches.push(next);
                    break;
                }
            }
        }
        matches
    }

    /// Begins the trials of versions that never had a trial, and continues trials that lack matches. Returns the number
    /// of bots.
    pub(crate) async fn make_trials(&self) -> store::Result<usize> {
        let mut begun = 0;
        for open in self.open_contests.all().iter().filter(|open| open.is_running()) {
            for ladder in &open.trials {
                for bot in self.store.untried(ladder.id).await? {
                    let bot = self.bot(bot).await?;
                    begun += usize::from(self.begin_trial(open, &bot, false).await?);
                }
            }
        }
        Ok(begun)
    }

    /// Queues the matches of a trial: the missing matches of an unfinished trial, or the matches of a new one. Returns
    /// false when there is nothing to do: matches of the trial wait, or the trial is decided and `again` is false.
    pub(crate) async fn begin_trial(
        &self,
        open: &OpenContest,
        bot: &Bot,
        again: bool,
    ) -> store::Result<bool> {
        let _making = self.making.lock().await;
        let (Some(version), Some(boss)) = (bot.active_version, open.boss(&bot.game, bot.tier)) else {
            return Ok(false);
        };
        let Some(ladder) =
            open.trials.iter().find(|ladder| ladder.game == bot.game && ladder.tier == bot.tier)
        else {
            return Ok(false);
        };
        let last = self.store.last_trial_of(bot.id, version, ladder.id).await?;
        let left = match last {
            Some(last) if last.waiting > 0 => return Ok(false),
            Some(last) if last.trial.verdict().is_some() && !again => return Ok(false),
            Some(last) if last.trial.verdict().is_none() => last.trial.left(),
            _ => Trial::default().left(),
        };
        let round = match last.filter(|last| last.trial.verdict().is_none()) {
            Some(unfinished) => unfinished.round,
            None => self.store.last_trial(bot.id).await?.map_or(1, |last| last.round + 1),
        };
        let seat = league_of(open, bot).and_then(|league| league.seat);
        let matches: Vec<NewMatch> = {
            let mut scheduler = lock(&self.scheduler);
            (0..left)
                .map(|number| NewMatch {
                    ladder_id: ladder.id,
                    seed: scheduler.seed(),
                    seats: facing(version, boss, seat.unwrap_or((number % 2) as u8)),
                    priority: priority::TRIAL,
                    round,
                })
                .collect()
        };
        self.store.enqueue_trial(ladder.id, version, &matches, now_ms()).await
    }

    /// Begins another trial of a bot.
    pub(crate) async fn trial(&self, bot: BotId) -> store::Result<()> {
        let bot = self.bot(bot).await?;
        let open = self.running_page(bot.contest_id)?;
        if league_of(&open, &bot).is_none_or(|league| league.way != Way::BestOfFive) {
            return Err(conflict(
                "only the first leagues have a best of five; on a ladder matches come by themselves",
            ));
        }
        if bot.active_version.is_none() {
            return Err(conflict("the bot has no version that plays; activate one"));
        }
        if bot.paused.is_some() {
            return Err(conflict("the bot is paused; submit or activate a version first"));
        }
        if self.begin_trial(&open, &bot, true).await? {
            Ok(())
        } else {
            Err(conflict("a best of five is being played; wait for its end"))
        }
    }

    /// Queues a match against the boss that does not count. Returns its number.
    pub(crate) async fn test(&self, version: VersionId) -> store::Result<MatchId> {
        let found = self.store.version(version).await?;
        let found = found
            .ok_or_else(|| StoreError::new(ErrorKind::NotFound, format!("there is no version {version}")))?;
        if found.state != VersionState::Ready {
            return Err(conflict("the version is not built"));
        }
        let bot = self.bot(found.bot_id).await?;
        let open = self.running_page(bot.contest_id)?;
        let league = league_of(&open, &bot).ok_or_else(|| conflict("the bot's league is no more"))?;
        let boss = open.boss(&bot.game, bot.tier).ok_or_else(|| conflict("the league has no boss"))?;
        let players = i64::from(league.players[0]);
        let ladder =
            self.store.ensure_ladder(bot.contest_id, &bot.game, bot.tier, players, LadderKind::Test).await?;
        let (seed, seat) = {
            let mut scheduler = lock(&self.scheduler);
            (scheduler.seed(), league.seat.unwrap_or_else(|| scheduler.dice.below(2) as u8))
        };
        let mut seats = facing(version, boss, seat);
        seats.resize(usize::from(league.players[0]), boss);
        let new = NewMatch { ladder_id: ladder.id, seed, seats, priority: priority::TEST, round: 0 };
        self.store.enqueue(&new, now_ms()).await
    }

    /// Activates a version; in a league with trials, its trial begins.
    pub(crate) async fn activate(&self, version: VersionId) -> store::Result<Bot> {
        let bot = self.store.activate(version, now_ms()).await?;
        if let Ok(open) = self.running_page(bot.contest_id) {
            self.begin_trial(&open, &bot, false).await?;
        }
        self.wake();
        Ok(bot)
    }

    pub(crate) async fn bot(&self, id: BotId) -> store::Result<Bot> {
        self.store
            .bot(id)
            .await?
            .ok_or_else(|| StoreError::new(ErrorKind::NotFound, format!("there is no bot {id}")))
    }

    pub(crate) fn running_page(&self, contest: i64) -> store::Result<Arc<OpenContest>> {
        let open = self.open_contests.get(contest).filter(|open| open.is_running());
        open.ok_or_else(|| conflict("the contest is not running"))
    }
}

/// The two seats of a match against the boss.
fn facing(version: VersionId, boss: VersionId, seat: u8) -> Vec<VersionId> {
    if seat == 0 { vec![version, boss] } else { vec![boss, version] }
}

pub(crate) fn league_of<'a>(open: &'a OpenContest, bot: &Bot) -> Option<&'a League> {
    open.entry.settings.games.of(&bot.game)?.league(bot.tier)
}

pub(crate) fn conflict(message: &str) -> StoreError {
    StoreError::new(ErrorKind::Conflict, message)
}

fn entrant(one: &store::Entrant) -> Entrant {
    Entrant {
        version: one.version_id,
        rating: one.rating,
        uncertainty: one.uncertainty,
        games: one.games.max(0) as u64,
        pending: one.waiting.max(0) as u64,
        last: one.last_seq,
        built_in: one.built_in.is_some(),
    }
}
