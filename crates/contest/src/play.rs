//! Plays a leased match and builds its result.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use catalog::{AnyGame, AnyMatch};
use cluster::ProgressSender;
use game::Selected;
use play::{MatchPlan, Placement, Runner, Watcher, to_record};
use referee::{Cause, Clock, Ending, Exit, TurnLog};
use replay::{AnswerMeta, Live};
use sandbox::{Limits, Sandbox};
use serde_json::{Value, json};
use store::{Leased, LeasedSeat, MatchResult, SeatResult};
use toolchain::{Bot, Builtin, Hold, How, NotBuilt, SentProgram};

use crate::build;
use crate::events::{Event, LadderRef, SeatRef};
use crate::live::Playing;
use crate::service::{Inner, now_ms};
use crate::work::LEASE_MS;

/// The result of playing a match.
#[derive(Debug)]
pub(crate) enum Ended {
    /// It has ended: the result, and the record to store.
    Over(Box<MatchResult>, Vec<u8>),
    /// There is no result, by our fault.
    Void {
        /// The reason.
        why: String,
        /// The seat whose bot caused it, if there is one. The bot has not lost.
        by: Option<usize>,
    },
    /// It was aborted because the service stops or another worker has the match: no fault is counted.
    BrokenOff,
}

impl Ended {
    /// There is no result, and no bot caused that.
    fn void(why: impl Into<String>) -> Ended {
        Ended::Void { why: why.into(), by: None }
    }
}

/// The maximum length of a bot's standard error output in the details of its failure (the end of the output), in bytes.
const LAST_WORDS: usize = 2 << 10;

impl Inner {
    /// Plays a leased match on these cores.
    pub(crate) fn play(&self, sandbox: &Sandbox, cores: &[usize], leased: &Leased) -> Ended {
        let (game, selected) = match self.rules_of(leased) {
            Ok(rules) => rules,
            Err(why) => return Ended::void(why),
        };
        let mut bots = Vec::with_capacity(leased.seats.len());
        // Keeps the programs on disk until the match is over.
        let mut holds = Vec::new();
        for seat in &leased.seats {
            match self.prepare(sandbox, seat) {
                Ok((bot, hold)) => {
                    bots.push(bot);
                    holds.extend(hold);
                }
                Err(why) => {
                    return Ended::void(format!("player {} could not be made ready: {why}", seat.seat));
                }
            }
        }
        // Preparing the bots may have taken some time.
        let renew = || self.block(self.store.renew(leased.id, leased.token, now_ms() + LEASE_MS));
        match self.persist(renew) {
            Ok(true) => {}
            Ok(false) => return Ended::BrokenOff,
            Err(error) => return Ended::void(error.to_string()),
        }
        let simultaneous = game.info().simultaneous;
        let plan = MatchPlan {
            game,
            selected,
            seed: leased.seed,
            bots: bots.iter().collect(),
            clock: Clock::SITE,
            ponder: simultaneous,
            limits: Limits::BOT,
            placement: Placement::of(simultaneous, selected.players, cores),
            inspect: false,
        };
        let playing = Arc::new(playing(leased, (game, selected), None));
        self.live.add(&playing);
        self.tell(Event::MatchStarted {
            match_id: leased.id,
            at: playing.at.clone(),
            seats: playing.seats.clone(),
        });
        // Two atomic reads: the thread that plays the match calls this after each answer.
        let is_broken_off = || self.aborts() || playing.lost.load(Ordering::Relaxed);
        let breaks_off = || is_broken_off().then(|| "broken off".to_owned());
        let runner = Runner::new(sandbox, &self.launcher, Some(&self.heartbeat)).breaking_off(&breaks_off);
        let sender = self.link.as_ref().filter(|_| playing.live.is_some()).map(|link| link.progress(leased));
        let mut played = runner.play_watched(&plan, &mut MatchObserver { playing: &playing, sender });
        let broken_off = is_broken_off();
        if let Some(live) = &playing.live {
            match &played.ending {
                Ending::Void { .. } => live.finish(Vec::new(), Some("the match was broken off".to_owned())),
                Ending::Over { causes, .. } => {
                    let word = |cause: &Option<Cause>| cause.as_ref().map(|cause| cause.name().to_owned());
                    live.finish(causes.iter().map(word).collect(), None);
                }
            }
        }
        runs::hide_folders(&mut played, &plan.bots);
        match &played.ending {
            Ending::Void { .. } if broken_off => Ended::BrokenOff,
            Ending::Void { why, by } => Ended::Void { why: why.clone(), by: by.map(game::Seat::index) },
            Ending::Over { causes, .. } => {
                let last = |seat: usize| {
                    let entry = played.log.iter().rev().find(|entry| entry.seat.index() == seat);
                    entry.map(|entry| (entry.turn, entry.stderr.clone()))
                };
                let finish = Finish {
                    play: &*played.play,
                    causes,
                    last: (0..causes.len()).map(last).collect(),
                    took_ms: played.took.as_millis() as u64,
                };
                finish.ended(leased, &to_record(&plan, &played))
            }
        }
    }

    /// The rules of a match: the rules of its league in its contest.
    pub(crate) fn rules_of(&self, leased: &Leased) -> Result<(&'static dyn AnyGame, Selected), String> {
        let ladder = &leased.ladder;
        let game = catalog::find(&ladder.game).map_err(|error| error.to_string())?;
        let leagues = self.leagues(ladder.contest_id, &ladder.game)?;
        let league =
            leagues.league(ladder.tier).ok_or_else(|| format!("there is no tier {}", ladder.tier))?;
        let players = u8::try_from(leased.seats.len()).map_err(|error| error.to_string())?;
        Ok((game, league.selected(game, players).map_err(|error| error.to_string())?))
    }

    /// The bot of a seat. A bot that was prepared before is taken from memory.
    pub(crate) fn prepare(
        &self,
        sandbox: &Sandbox,
        seat: &LeasedSeat,
    ) -> Result<(Bot, Option<Hold>), String> {
        let called = game::text::safe_line(&seat.name, 60);
        if let Some(built_in) = &seat.built_in {
            let builtin = Builtin::find(built_in, None).map_err(|error| error.to_string())?;
            let asked = format!("@{built_in}");
            return Ok((Bot { name: called, asked, digest: None, how: How::Builtin(builtin) }, None));
        }
        if let Some((bot, hold)) = self.ready(seat) {
            return Ok((bot, Some(hold)));
        }
        let source = self.persist(|| self.block(self.store.source(seat.version_id)));
        let source = source.map_err(|error| error.to_string())?;
        let damaged = "its program was damaged right after its build";
        if let Some((bot, digest)) = self.sent_program(seat, &called, &source) {
            self.keep_ready(seat.version_id, &bot, Some(digest));
            let hold = self.build_cache.hold(&bot).ok_or(damaged)?;
            return Ok((bot, Some(hold)));
        }
        match build::build(&self.build_cache, sandbox, &called, seat.user_id, &seat.language, &source) {
            Ok(bot) => {
                self.keep_ready(seat.version_id, &bot, None);
                let hold = self.build_cache.hold(&bot).ok_or(damaged)?;
                Ok((bot, Some(hold)))
            }
            // A worker has built it: this host lacks the language, and nobody is to blame.
            Err(NotBuilt::Unable(why)) if self.link.is_some() => Err(why),
            Err(NotBuilt::Failed { log, .. } | NotBuilt::Unable(log)) => {
                // The draft of an author says nothing about the bot.
                if seat.number > 0 {
                    self.not_ready(seat.version_id, seat.bot_id);
                }
                Err(format!("it was built before and cannot be built now: {log}"))
            }
            Err(NotBuilt::Ours(why)) => Err(why),
        }
    }

    /// The bot of a seat from the program that a worker of the cluster has built, if it can run here, and its digest.
    fn sent_program(&self, seat: &LeasedSeat, name: &str, source: &str) -> Option<(Bot, String)> {
        let (link, program) = (self.link.as_ref()?, seat.program.as_ref()?);
        let language = build::language(&seat.language)?;
        let sent = SentProgram { digest: program.digest.clone(), platform: program.platform.clone() };
        let (cache, source) = (&self.build_cache, source.as_bytes());
        self.block(link.cluster.fetch_program(cache, language, source, &sent));
        let bot = cache.sent(name, language, source, &sent)?;
        // Other users must learn nothing about a source, not even its digest.
        Some((Bot { digest: None, ..bot }, sent.digest))
    }
}

/// The failure of a built-in bot, if there is one: it is our fault, and no player may profit from it.
fn built_in_failed(leased: &Leased, causes: &[Option<Cause>]) -> Option<String> {
    let failed = leased
        .seats
        .iter()
        .zip(causes)
        .find_map(|(seat, cause)| Some((seat.built_in.as_ref()?, cause.as_ref()?)));
    failed.map(|(built_in, cause)| format!("@{built_in} failed: {cause}"))
}

/// A match that begins. `by` is the worker or the server that plays it; `None` for this one.
pub(crate) fn playing(
    leased: &Leased,
    (game, selected): (&'static dyn AnyGame, Selected),
    by: Option<&str>,
) -> Playing {
    let hidden = game.info().hidden;
    let names: Vec<String> = leased.seats.iter().map(|seat| game::text::safe_line(&seat.name, 60)).collect();
    let live = (!hidden).then(|| Live::new(game, selected, leased.seed, &names, None)).and_then(Result::ok);
    Playing {
        by: by.map(str::to_owned),
        heard: Mutex::new((Instant::now(), 0)),
        match_id: leased.id,
        token: leased.token,
        at: LadderRef::from(&leased.ladder),
        seats: seated(leased),
        started: now_ms(),
        hidden,
        live,
        turn: AtomicU32::new(0),
        lost: AtomicBool::new(false),
    }
}

/// The players of a match by seat.
pub(crate) fn seated(leased: &Leased) -> Vec<SeatRef> {
    let seat = |seat: &LeasedSeat| SeatRef {
        bot_id: seat.bot_id,
        name: game::text::safe_line(&seat.name, 60),
        built_in: seat.built_in.is_some(),
    };
    leased.seats.iter().map(seat).collect()
}

/// Reports the progress of a match to spectators here and, in a cluster, to the other servers.
struct MatchObserver<'a> {
    playing: &'a Playing,
    sender: Option<ProgressSender>,
}

impl Watcher for MatchObserver<'_> {
    fn answered(&mut self, answer: &TurnLog) {
        self.playing.turn.store(answer.turn, Ordering::Relaxed);
        if let Some(live) = &self.playing.live {
            // Only its author may see the standard error output of a bot.
            let aside = AnswerMeta { wall_us: Some(answer.wall.as_micros() as u64), stderr: Vec::new() };
            live.answered(answer.seat, answer.output.as_deref(), &aside);
        }
        if let Some(sender) = &mut self.sender {
            sender.answered(answer.turn, answer.seat.0, answer.output.as_deref(), answer.wall);
        }
    }
}

/// A program that could not be started. We built it, and it was started before, so this is our fault. Its seat is named,
/// in case it is a program that never starts.
fn not_started(causes: &[Option<Cause>]) -> Option<Ended> {
    causes.iter().enumerate().find_map(|(seat, cause)| match cause {
        Some(Cause::Crash { exit: Exit::NotStarted, stderr }) => {
            Some(Ended::Void { why: format!("player {seat} could not be started: {stderr}"), by: Some(seat) })
        }
        _ => None,
    })
}

/// The end of a match that was played here or on another machine.
pub(crate) struct Finish<'a> {
    /// The match at its end.
    pub(crate) play: &'a dyn AnyMatch,
    /// Why players lost by their own fault, by seat.
    pub(crate) causes: &'a [Option<Cause>],
    /// The last turn in which a player was asked, and its standard error output then, by seat.
    pub(crate) last: Vec<Option<(u32, Vec<u8>)>>,
    /// The time from the first question to the end.
    pub(crate) took_ms: u64,
}

impl Finish<'_> {
    /// The result with its record, or why there is none.
    pub(crate) fn ended(&self, leased: &Leased, record: &catalog::record::Played) -> Ended {
        if let Some(void) = built_in_failed(leased, self.causes).map(Ended::void) {
            return void;
        }
        if let Some(void) = not_started(self.causes) {
            return void;
        }
        match serde_json::to_vec(record) {
            Ok(record) => Ended::Over(Box::new(self.result()), record),
            Err(error) => Ended::void(format!("the record could not be written: {error}")),
        }
    }

    /// The stored result.
    fn result(&self) -> MatchResult {
        let (outcome, end) = (self.play.outcome(), self.play.end());
        let has_quest = self.play.rules()["side_quest"] == json!(true);
        let seats = (0..outcome.scores.len())
            .map(|seat| {
                let cause = self.causes.get(seat).and_then(Option::as_ref);
                SeatResult {
                    score: outcome.scores[seat],
                    rank: outcome.ranks.get(seat).copied().map_or(1, i64::from),
                    cause: cause.map(|cause| cause.name().to_owned()),
                    details: cause.map(|cause| self.details(cause, seat)),
                    side_quest: end["side_quest"][seat].as_f64().filter(|_| has_quest),
                }
            })
            .collect();
        let ending = json!({
            "reason": outcome.reason,
            "turns": self.play.turn(),
            "took_ms": self.took_ms,
        });
        MatchResult { seats, ending, record: None, finished: now_ms(), worker: None }
    }

    /// The details of a failure for the author of the bot: the cause with its numbers, a sentence, the turn, the end of
    /// its standard error output.
    fn details(&self, cause: &Cause, seat: usize) -> Value {
        let last = self.last.get(seat).and_then(Option::as_ref);
        let mut details = json!(cause);
        details["said"] = json!(game::text::safe_line(&cause.to_string(), 500));
        details["turn"] = json!(last.map(|(turn, _)| turn));
        let last_words = match cause {
            Cause::Crash { stderr, .. } => stderr.clone(),
            _ => {
                last.map(|(_, stderr)| String::from_utf8_lossy(tail(stderr)).into_owned()).unwrap_or_default()
            }
        };
        details["stderr"] = json!(game::text::safe_text(&last_words, LAST_WORDS));
        details
    }
}

fn tail(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.len().saturating_sub(LAST_WORDS)..]
}

#[cfg(test)]
mod tests {
    use model::{BotId, LadderKind, MatchId, Tier, UserId, VersionId};
    use store::Ladder;

    use super::*;

    #[test]
    fn a_program_that_does_not_start_is_our_fault() {
        let crash = |exit| Some(Cause::Crash { exit, stderr: "no such program".into() });
        assert!(not_started(&[None, crash(Exit::Code(1))]).is_none());
        let Some(Ended::Void { why, by }) = not_started(&[None, crash(Exit::NotStarted)]) else {
            panic!("not void")
        };
        assert_eq!((why.as_str(), by), ("player 1 could not be started: no such program", Some(1)));
    }

    #[test]
    fn a_boss_that_fails_is_our_fault() {
        let seat = |number: i64, built_in: Option<&str>| LeasedSeat {
            seat: number,
            version_id: VersionId(number),
            number: 1,
            language: "Python".into(),
            digest: String::new(),
            program: None,
            bot_id: BotId(number),
            name: "x".into(),
            built_in: built_in.map(str::to_owned),
            user_id: built_in.is_none().then_some(UserId(1)),
        };
        let ladder = Ladder {
            id: 1,
            contest_id: 1,
            game: "hypersonic".into(),
            tier: Tier::FIRST,
            players: 2,
            kind: LadderKind::Trial,
        };
        let seats = vec![seat(0, Some("boss-1")), seat(1, None)];
        let leased = Leased { id: MatchId(1), token: 1, ladder, seed: 1, round: 1, attempts: 0, seats };
        let flood = || Some(Cause::Memory { limit: 1 << 20 });
        assert_eq!(built_in_failed(&leased, &[None, None]), None);
        assert_eq!(built_in_failed(&leased, &[None, flood()]), None);
        let why = built_in_failed(&leased, &[flood(), None]).unwrap();
        assert_eq!(why, "@boss-1 failed: memory: more than 1 MiB");
    }
}
