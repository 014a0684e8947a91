//! One match: the referee's state machine driven by the events of processes.

use std::fmt;
use std::time::{Duration, Instant};

use catalog::{AnyGame, AnyMatch};
use game::Selected;
use referee::{Cause, Clock, Ending, Referee, Settings, TurnLog};
use sandbox::{Level, Limits, Sandbox};
use toolchain::{Bot, Launcher};

use crate::host::{Heartbeat, Placement};
use crate::match_loop::MatchLoop;

/// A match to be played.
#[derive(Clone)]
pub struct MatchPlan<'a> {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The rule set.
    pub selected: Selected,
    /// The seed.
    pub seed: i64,
    /// The bots by seat.
    pub bots: &'a [Bot],
    /// How time is kept.
    pub clock: Clock,
    /// Whether a bot may think while it is not asked. If not, it is frozen.
    pub ponder: bool,
    /// The limits of each program.
    pub limits: Limits,
    /// The cores that are used.
    pub placement: Placement,
    /// Whether to check the compliance of the programs: they read all of a question, and end when their input ends.
    pub inspect: bool,
}

impl fmt::Debug for MatchPlan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MatchPlan")
            .field("game", &self.game.info().name)
            .field("selected", &self.selected)
            .field("seed", &self.seed)
            .field("bots", &self.bots)
            .finish_non_exhaustive()
    }
}

/// A match that was played.
pub struct PlayedMatch {
    /// How it ended.
    pub ending: Ending,
    /// The answers in order.
    pub log: Vec<TurnLog>,
    /// The match at its end.
    pub play: Box<dyn AnyMatch>,
    /// The limits of the referee.
    pub settings: Settings,
    /// The level of the sandbox.
    pub level: Level,
    /// How long the host was stalled while a player was thinking.
    pub stall: Duration,
    /// The most memory that each program used, by seat, if it is known.
    pub memory: Vec<Option<u64>>,
    /// The time to start each program, by seat.
    pub start: Vec<Option<Duration>>,
    /// The compliance of each program, by seat, if the plan asked for it.
    pub compliance: Vec<Option<Compliance>>,
    /// The time from the first question to the end.
    pub took: Duration,
}

/// The behaviour of a program besides its answers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Compliance {
    /// Answers it gave before it had read all of the question.
    pub unread: u32,
    /// Whether it ended by itself when its input ended; `None` if it had ended before.
    pub ends_with_input: Option<bool>,
}

impl PlayedMatch {
    /// The last turn in which a seat was asked, with the number that the viewer shows. If the seat failed, it failed
    /// in this turn.
    pub fn last_turn(&self, seat: usize) -> Option<u32> {
        self.log.iter().rev().find(|entry| entry.seat.index() == seat).map(|entry| entry.turn)
    }

    /// The reason why a seat failed, with the turn. The text of a fault already contains its turn.
    pub fn failure(&self, seat: usize, cause: &Cause) -> String {
        match self.last_turn(seat).filter(|_| !matches!(cause, Cause::Invalid { .. })) {
            Some(turn) => format!("{cause} (turn {turn})"),
            None => cause.to_string(),
        }
    }
}

impl fmt::Debug for PlayedMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlayedMatch")
            .field("ending", &self.ending)
            .field("answers", &self.log.len())
            .finish_non_exhaustive()
    }
}

/// Observes a match while it is played.
pub trait Watcher {
    /// A player answered or failed to.
    fn answered(&mut self, referee: &Referee);

    /// A reason to abort the match, which is then void. Called after each answer.
    fn breaks_off(&mut self) -> Option<String> {
        None
    }
}

/// No observer.
impl Watcher for () {
    fn answered(&mut self, _: &Referee) {}
}

/// Plays matches, one at a time.
#[derive(Debug)]
pub struct Runner<'a> {
    sandbox: &'a Sandbox,
    launcher: &'a Launcher,
    heartbeat: Option<&'a Heartbeat>,
}

impl<'a> Runner<'a> {
    /// A runner. The launcher starts built-in bots. With a heartbeat, stalls of the host are noticed and charged to
    /// no player.
    pub fn new(sandbox: &'a Sandbox, launcher: &'a Launcher, heartbeat: Option<&'a Heartbeat>) -> Runner<'a> {
        Runner { sandbox, launcher, heartbeat }
    }

    /// Plays a match to its end. All programs have ended when this returns.
    pub fn play(&self, plan: &MatchPlan<'_>, watcher: &mut dyn Watcher) -> PlayedMatch {
        let settings = Settings::new(plan.clock, plan.game.limits(plan.selected));
        let pinned = plan.placement.referee.map(Pinned::to);
        let mut match_loop = MatchLoop::new(plan, settings.clone(), self.heartbeat);
        for seat in 0..plan.bots.len() {
            match_loop.start(self.sandbox, self.launcher, seat);
        }
        let begun = Instant::now();
        match_loop.run(watcher);
        let took = begun.elapsed();
        let mut memory = Vec::new();
        let mut start = Vec::new();
        let mut compliance = Vec::new();
        for player in &mut match_loop.players {
            compliance.push(plan.inspect.then(|| player.close_and_wait()));
            player.kill();
            memory.push(player.memory);
            start.push(player.start);
        }
        drop(pinned);
        let stall = match_loop.referee.stall();
        let Some((ending, log, play)) = match_loop.referee.finish() else {
            unreachable!("the loop runs until the referee is done")
        };
        PlayedMatch {
            ending,
            log,
            play,
            settings,
            level: self.sandbox.level(),
            stall,
            memory,
            start,
            compliance,
            took,
        }
    }
}

/// Keeps the referee's thread on one core for the time of a match.
struct Pinned(rustix::thread::CpuSet);

impl Pinned {
    fn to(core: usize) -> Option<Pinned> {
        let before = rustix::thread::sched_getaffinity(None).ok()?;
        let mut only = rustix::thread::CpuSet::new();
        only.set(core);
        rustix::thread::sched_setaffinity(None, &only).ok()?;
        Some(Pinned(before))
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // If this fails the thread stays on its core, which is harmless.
        let _ = rustix::thread::sched_setaffinity(None, &self.0);
    }
}
