//! One match: the referee's state machine driven by the events of processes.

use std::fmt;
use std::sync::mpsc::{self, TryRecvError};
use std::time::{Duration, Instant};

use catalog::{AnyGame, AnyMatch};
use game::{Fault, Selected};
use referee::{CaughtUp, Cause, Clock, Ending, Past, Settings, TurnLog};
use sandbox::{Level, Limits, Sandbox};
use toolchain::{Bot, Launcher};

use crate::host::{Heartbeat, Pinned, Placement};
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
    pub bots: Vec<&'a Bot>,
    /// How time is kept.
    pub clock: Clock,
    /// Whether a bot may think while it is not asked. If not, it is frozen, and so is a bot that shares its core.
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
    /// Whether players that answer together shared cores and were asked one after the other.
    pub waves: bool,
    /// The time from the first question to the end.
    pub took: Duration,
    /// The answers to recorded questions, by seat, in a match that continues another one.
    pub caught_up: Vec<CaughtUp>,
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

    /// The number of answers whose time was disturbed: a part of it had to be given back, because the host was busy.
    pub fn disturbed(&self) -> usize {
        self.log.iter().filter(|entry| entry.uncharged >= DISTURBED).count()
    }

    /// The orders of a seat that were skipped, because the rules did not allow them.
    pub fn skipped(&self, seat: usize) -> impl Iterator<Item = &Fault> {
        self.play.faults().iter().filter(move |fault| !fault.fatal && fault.seat.index() == seat)
    }

    /// The reason why a seat failed, with the turn. The text of a fault already contains its turn.
    pub fn failure(&self, seat: usize, cause: &Cause) -> String {
        match self.last_turn(seat).filter(|_| !matches!(cause, Cause::Invalid { .. })) {
            Some(turn) => format!("turn {turn}: {cause}"),
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

/// Observes a match while it is played, on a thread of its own: the match never waits for it.
pub trait Watcher: Send {
    /// A match begins. A void match may be played again.
    fn began(&mut self) {}

    /// A player answered or failed to. Called for each answer in order, some time after it.
    fn answered(&mut self, answer: &TurnLog);
}

/// A watcher gets new answers after this time at the latest.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// An answer is disturbed if at least this much time was given back.
const DISTURBED: Duration = Duration::from_millis(1);

/// Plays matches, one at a time.
#[derive(Clone, Copy)]
pub struct Runner<'a> {
    sandbox: &'a Sandbox,
    launcher: &'a Launcher,
    heartbeat: Option<&'a Heartbeat>,
    breaks_off: &'a dyn Fn() -> Option<String>,
    past: Option<&'a Past>,
    number: u64,
}

impl fmt::Debug for Runner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner").field("sandbox", &self.sandbox).finish_non_exhaustive()
    }
}

impl<'a> Runner<'a> {
    /// A runner. The launcher starts built-in bots. With a heartbeat, stalls of the host are noticed and charged to
    /// no player.
    pub fn new(sandbox: &'a Sandbox, launcher: &'a Launcher, heartbeat: Option<&'a Heartbeat>) -> Runner<'a> {
        Runner { sandbox, launcher, heartbeat, breaks_off: &|| None, past: None, number: 0 }
    }

    /// A runner whose matches continue a recorded one: the bots are sent their past, and the recorded answers are
    /// played. `number` is that of the continuation: bots that play in memory use other random numbers in each; those
    /// of number 0 are the ones of an ordinary match.
    #[must_use]
    pub fn continuing(self, past: &'a Past, number: u64) -> Runner<'a> {
        Runner { past: Some(past), number, ..self }
    }

    /// A runner that aborts a match when `reason` returns a reason; the match is void then. It is called after each
    /// answer by the thread that plays the match, so it must be quick.
    #[must_use]
    pub fn breaking_off(self, reason: &'a dyn Fn() -> Option<String>) -> Runner<'a> {
        Runner { breaks_off: reason, ..self }
    }

    /// Plays a match to its end. All programs have ended when this returns.
    pub fn play(&self, plan: &MatchPlan<'_>) -> PlayedMatch {
        self.play_telling(plan, None)
    }

    /// Plays a match to its end while a watcher observes it. All programs have ended and the watcher has seen all
    /// answers when this returns.
    pub fn play_watched(&self, plan: &MatchPlan<'_>, watcher: &mut dyn Watcher) -> PlayedMatch {
        std::thread::scope(|scope| {
            let (sender, answers) = mpsc::channel::<TurnLog>();
            let watch = move || {
                watcher.began();
                loop {
                    match answers.try_recv() {
                        Ok(answer) => watcher.answered(&answer),
                        // To wake up a waiting thread would cost the match more than the turn of a quick bot.
                        Err(TryRecvError::Empty) => std::thread::park_timeout(LOOK_EVERY),
                        Err(TryRecvError::Disconnected) => return,
                    }
                }
            };
            // Without the thread the match is not observed; it is played anyway.
            let thread = std::thread::Builder::new().name("watcher".into()).spawn_scoped(scope, watch);
            let played = self.play_telling(plan, Some(sender));
            if let Ok(thread) = thread {
                thread.thread().unpark();
            }
            played
        })
    }

    fn play_telling(&self, plan: &MatchPlan<'_>, watcher: Option<mpsc::Sender<TurnLog>>) -> PlayedMatch {
        self.start_telling(plan, watcher).play()
    }

    /// Starts the programs of a match. The calling thread must also play it.
    pub fn start(&self, plan: &MatchPlan<'a>) -> StartedMatch<'a> {
        self.start_telling(plan, None)
    }

    fn start_telling<'b>(
        &self,
        plan: &MatchPlan<'b>,
        watcher: Option<mpsc::Sender<TurnLog>>,
    ) -> StartedMatch<'b>
    where
        'a: 'b,
    {
        let pinned = plan.placement.referee.map(|core| Pinned::to(&[core]));
        let past = self.past.cloned().unwrap_or_default();
        let mut match_loop = MatchLoop::new(plan.clone(), self.heartbeat, watcher, past, self.number);
        match_loop.start(self.sandbox, self.launcher);
        drop(pinned);
        StartedMatch { match_loop, runner: *self }
    }
}

/// A match whose programs are started. They end when this is dropped.
pub struct StartedMatch<'a> {
    match_loop: MatchLoop<'a>,
    runner: Runner<'a>,
}

impl fmt::Debug for StartedMatch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StartedMatch").field("plan", &self.match_loop.plan).finish_non_exhaustive()
    }
}

impl StartedMatch<'_> {
    /// Plays the match to its end. All programs have ended when this returns. First answers are measured from their
    /// questions, however long ago the programs were started.
    pub fn play(self) -> PlayedMatch {
        let StartedMatch { mut match_loop, runner } = self;
        let pinned = match_loop.plan.placement.referee.map(|core| Pinned::to(&[core]));
        let inspect = match_loop.plan.inspect;
        let begun = Instant::now();
        match_loop.run(runner.breaks_off);
        let took = begun.elapsed();
        let mut memory = Vec::new();
        let mut start = Vec::new();
        let mut compliance = Vec::new();
        for player in &mut match_loop.players {
            compliance.push(inspect.then(|| player.close_and_wait()));
            player.kill();
            memory.push(player.memory);
            start.push(player.start);
        }
        drop(pinned);
        let stall = match_loop.referee.stall();
        let waves = match_loop.waves;
        let caught_up = match_loop.referee.caught_up();
        let settings = match_loop.referee.settings().clone();
        let Some((ending, log, play)) = match_loop.referee.finish() else {
            unreachable!("the loop runs until the referee is done")
        };
        PlayedMatch {
            ending,
            log,
            play,
            settings,
            level: runner.sandbox.level(),
            stall,
            memory,
            start,
            compliance,
            waves,
            took,
            caught_up,
        }
    }
}
