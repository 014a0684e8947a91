//! The state machine of a match.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use catalog::AnyMatch;
use game::{FaultKind, Limits, Outcome, Seat, Seats};
use serde::{Deserialize, Serialize};

use crate::cause::{Cause, Exit, Stream};
use crate::clock::Clock;
use crate::past::{CaughtUp, Past};

/// Time and size limits of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// How time is kept.
    pub clock: Clock,
    /// Milliseconds for the first answer.
    pub first_turn_ms: u32,
    /// Milliseconds for every later answer.
    pub turn_ms: u32,
    /// The longest line a program may write.
    pub line_bytes: usize,
    /// The most a program may write from one question to the next.
    pub turn_bytes: usize,
    /// The most a program may write in the whole match, so that no record grows without a bound.
    #[serde(default = "match_bytes")]
    pub match_bytes: usize,
    /// What is kept of the standard error output of one turn.
    pub stderr_turn_bytes: usize,
    /// What is kept of the standard error output of the whole match.
    pub stderr_match_bytes: usize,
    /// Whether lines that come before a question count as answers to the next questions, as the statements say. Otherwise they
    /// are dropped.
    pub keep_early_lines: bool,
    /// A host that stood still for longer than this during a question makes a late answer our fault: the match is void. A player
    /// that does not answer within its limit and the length of the stall once more is timed out nevertheless.
    pub void_stall_ms: u64,
    /// The most milliseconds of wall time for the whole match; a match that takes longer is void. `None`: no limit.
    #[serde(default)]
    pub match_ms: Option<u64>,
}

/// The limit on the wall time of a match, as a multiple of the sum of its limits.
const MATCH_FACTOR: u64 = 4;

/// The usual limit on the output of a program in a match.
const fn match_bytes() -> usize {
    4 << 20
}

impl Settings {
    /// The usual settings for a game's limits, without a limit on the wall time of the match.
    pub fn new(clock: Clock, limits: Limits) -> Settings {
        Settings {
            clock,
            first_turn_ms: limits.first_turn_ms,
            turn_ms: limits.turn_ms,
            line_bytes: limits.answer_bytes.min(10_000),
            turn_bytes: 64 << 10,
            match_bytes: match_bytes(),
            stderr_turn_bytes: 10 << 10,
            stderr_match_bytes: 256 << 10,
            keep_early_lines: true,
            void_stall_ms: 20,
            match_ms: None,
        }
    }

    /// Limits the wall time of a match with at most this number of answers of all players together: four times the sum
    /// of the limits, and never less than its clock allows. A match without a clock has no limit.
    #[must_use]
    pub fn with_match_limit(mut self, players: u8, answers: u64) -> Settings {
        let players = u64::from(players);
        let sum = |first: u64, later: u64| players * first + answers.saturating_sub(players) * later;
        let allowed = |ms: u32| {
            let limit = Duration::from_millis(u64::from(ms));
            let usual = limit * MATCH_FACTOR as u32;
            self.clock.guard(limit).map_or(usual, |guard| guard.max(usual)).as_millis() as u64
        };
        let bank = match self.clock {
            Clock::Bank { bank_ms } => MATCH_FACTOR * players * bank_ms,
            _ => 0,
        };
        self.match_ms = (self.clock != Clock::Off)
            .then(|| sum(allowed(self.first_turn_ms), allowed(self.turn_ms)).saturating_add(bank));
        self
    }
}

/// What the driver must do next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Write a question to a program, then call [`Referee::sent`].
    Ask(Question),
    /// The player is out: end its program.
    Kill(Seat),
    /// The match is over: end every program and take [`Referee::finish`].
    Finish,
}

/// A question to a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The player.
    pub seat: Seat,
    /// All lines, each with its line feed.
    pub text: String,
}

/// How a match ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "ending", rename_all = "snake_case")]
pub enum Ending {
    /// By the rules.
    Over {
        /// Scores and places.
        outcome: Outcome,
        /// Why a player lost by its own fault, by seat.
        causes: Vec<Option<Cause>>,
    },
    /// By our own fault: the match must not be scored and is played again.
    Void {
        /// What we failed at.
        why: String,
        /// The player whose extra time made the match too long, if there is one. It has not lost.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Seat>,
    },
}

/// One answer and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnLog {
    /// The turn it belongs to, as [`AnyMatch::turn`] counts.
    pub turn: u32,
    /// The player.
    pub seat: Seat,
    /// The line; `None` when none came.
    pub output: Option<Vec<u8>>,
    /// Time from the question to the answer.
    pub wall: Duration,
    /// CPU time the program used meanwhile, where it is known.
    pub cpu: Option<Duration>,
    /// The part of the time that is not charged: the program had no core, the referee could not look for the answer, or
    /// the host stood still.
    pub uncharged: Duration,
    /// What it wrote to its standard error output since its last answer, cut to the limit.
    pub stderr: Vec<u8>,
}

/// A question that waits for its answer.
struct Asked {
    limit: Duration,
    /// When its last byte was written, and the CPU time of the program then.
    sent: Option<(Duration, Option<Duration>)>,
    /// The time at which the player is timed out.
    deadline: Option<Duration>,
    /// The player is not timed out before this time, whatever its deadline is.
    not_before: Duration,
    /// The time the host stood still since the question.
    stall: Duration,
    /// Time that is not charged: the program had no core, or the referee could not see its answer.
    credit: Duration,
    /// Whether it got extra time because the host stood still.
    extended: bool,
    /// Whether the recorded answer is played, whatever the player answers.
    past: bool,
}

impl Asked {
    /// The time that counts of what has passed since the question.
    fn counted(&self, now: Duration, sent: Duration) -> Duration {
        now.saturating_sub(sent).saturating_sub(self.stall).saturating_sub(self.credit)
    }

    /// When to decide whether the player is timed out.
    fn due(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.max(self.not_before))
    }
}

#[derive(Default)]
struct Player {
    asked: Option<Asked>,
    answered_before: bool,
    out: bool,
    cause: Option<Cause>,
    overruns: u32,
    bank: Duration,
    /// The extra time of the whole match that the program got because it had no core.
    extra: Duration,
    exit: Option<Exit>,
    early: VecDeque<Vec<u8>>,
    /// Bytes of a line that is not ended.
    partial: Vec<u8>,
    /// The last line ended with a carriage return, so a line feed right behind it belongs to it.
    after_cr: bool,
    /// Bytes written since the last question.
    written: usize,
    /// Bytes written in the whole match.
    written_in_all: usize,
    stderr: Vec<u8>,
    stderr_kept: usize,
    /// The end of the standard error output, for the report of a crash.
    stderr_tail: VecDeque<u8>,
    caught_up: CaughtUp,
}

/// The time for an answer to a question of the past, as a multiple of its limit, and the least such time.
const PAST_FACTOR: u32 = 20;
const PAST_LEAST: Duration = Duration::from_secs(10);

/// How much of the end of the standard error output a crash is reported with.
const STDERR_TAIL: usize = 2 << 10;

/// A match in progress. See the [module documentation](crate).
pub struct Referee {
    play: Box<dyn AnyMatch>,
    settings: Settings,
    players: Vec<Player>,
    commands: VecDeque<Command>,
    log: Vec<TurnLog>,
    faults_seen: usize,
    stall: Duration,
    past: Past,
    /// When the past was over: the limit on the wall time of the match counts from here.
    began: Duration,
    void: Option<Void>,
    finished: bool,
}

/// Why the match is void, and the player that caused it, if there is one.
struct Void {
    why: String,
    by: Option<Seat>,
}

impl fmt::Debug for Referee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Referee")
            .field("awaited", &self.play.awaited())
            .field("turns", &self.log.len())
            .field("finished", &self.finished)
            .finish_non_exhaustive()
    }
}

impl Referee {
    /// A match whose first questions are ready.
    pub fn new(play: Box<dyn AnyMatch>, settings: Settings) -> Referee {
        Referee::continuing(play, settings, Past::default())
    }

    /// A match that continues a recorded one. `play` is the match before its first question. A player that fails while it
    /// is sent the past makes the match void.
    pub fn continuing(play: Box<dyn AnyMatch>, settings: Settings, past: Past) -> Referee {
        let bank = match settings.clock {
            Clock::Bank { bank_ms } => Duration::from_millis(bank_ms),
            _ => Duration::ZERO,
        };
        let players = (0..play.players()).map(|_| Player { bank, ..Player::default() }).collect();
        let mut referee = Referee {
            play,
            settings,
            players,
            commands: VecDeque::new(),
            log: Vec::new(),
            faults_seen: 0,
            stall: Duration::ZERO,
            past,
            began: Duration::ZERO,
            void: None,
            finished: false,
        };
        referee.settle();
        referee
    }

    /// The next thing to do, if there is any.
    pub fn poll(&mut self) -> Option<Command> {
        self.commands.pop_front()
    }

    /// Seats to which a question was written and that have not answered.
    pub fn thinking(&self) -> Seats {
        self.seats_with(|asked| asked.sent.is_some())
    }

    /// Seats whose deadline has passed.
    pub fn overdue(&self, now: Duration) -> Seats {
        self.seats_with(|asked| asked.due().is_some_and(|due| due <= now))
    }

    fn seats_with(&self, is_wanted: impl Fn(&Asked) -> bool) -> Seats {
        let mut seats = Seats::NONE;
        for (seat, player) in self.seats() {
            if player.asked.as_ref().is_some_and(&is_wanted) {
                seats.add(seat);
            }
        }
        seats
    }

    /// When to call [`Referee::tick`] at the latest.
    pub fn deadline(&self) -> Option<Duration> {
        let players = self.players.iter().filter_map(|player| player.asked.as_ref()?.due());
        players.chain(self.match_limit()).min()
    }

    /// The limit on the wall time of the match.
    fn match_limit(&self) -> Option<Duration> {
        let limit = self.settings.match_ms.filter(|_| self.past.is_over())?;
        Some(self.began + Duration::from_millis(limit))
    }

    /// The answers of each player to questions of the past, by seat.
    pub fn caught_up(&self) -> Vec<CaughtUp> {
        self.players.iter().map(|player| player.caught_up).collect()
    }

    /// The match so far.
    pub fn play(&self) -> &dyn AnyMatch {
        &*self.play
    }

    /// The answers so far.
    pub fn log(&self) -> &[TurnLog] {
        &self.log
    }

    /// The time the host stood still in all.
    pub fn stall(&self) -> Duration {
        self.stall
    }

    /// The settings of the match.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The last byte of the question was written: the clock starts.
    pub fn sent(&mut self, seat: Seat, now: Duration, cpu: Option<Duration>) {
        let clock = self.settings.clock;
        let player = &mut self.players[seat.index()];
        let bank = player.bank;
        let Some(asked) = &mut player.asked else { return };
        asked.sent = Some((now, cpu));
        let patience = clock.patience(asked.limit, bank);
        let patience = if asked.past { patience.map(|_| asked.limit) } else { patience };
        asked.deadline = patience.map(|patience| now + patience);
        if let Some(line) = player.early.pop_front() {
            self.take(seat, now, cpu, line);
        } else if let Some(exit) = player.exit {
            self.crash(seat, now, cpu, exit);
        }
        self.settle();
    }

    /// A program wrote to its standard output.
    pub fn stdout(&mut self, seat: Seat, now: Duration, cpu: Option<Duration>, mut bytes: &[u8]) {
        while !bytes.is_empty() && !self.finished {
            let player = &mut self.players[seat.index()];
            if player.out {
                return;
            }
            if std::mem::take(&mut player.after_cr) && bytes[0] == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let end = bytes.iter().position(|&byte| byte == b'\n' || byte == b'\r');
            let piece = &bytes[..end.unwrap_or(bytes.len())];
            let length = piece.len() + usize::from(end.is_some());
            player.written += length;
            player.written_in_all += length;
            let Settings { line_bytes: line_limit, turn_bytes: turn_limit, match_bytes, .. } = self.settings;
            if player.partial.len() + piece.len() > line_limit {
                return self.flood(seat, now, cpu, Stream::Line, line_limit);
            }
            if player.written > turn_limit {
                return self.flood(seat, now, cpu, Stream::Turn, turn_limit);
            }
            if player.written_in_all > match_bytes {
                return self.flood(seat, now, cpu, Stream::Match, match_bytes);
            }
            player.partial.extend_from_slice(piece);
            let Some(end) = end else { return };
            player.after_cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            let line = std::mem::take(&mut player.partial);
            match &player.asked {
                Some(Asked { sent: Some(_), .. }) => {
                    self.take(seat, now, cpu, line);
                    self.settle();
                }
                _ if self.settings.keep_early_lines => player.early.push_back(line),
                _ => {}
            }
        }
    }

    /// A program wrote to its standard error output. All of it is taken, some of it is kept.
    pub fn stderr(&mut self, seat: Seat, bytes: &[u8]) {
        let Settings { stderr_turn_bytes, stderr_match_bytes, .. } = self.settings;
        let player = &mut self.players[seat.index()];
        let room = (stderr_turn_bytes.saturating_sub(player.stderr.len()))
            .min(stderr_match_bytes.saturating_sub(player.stderr_kept));
        let kept = &bytes[..bytes.len().min(room)];
        player.stderr.extend_from_slice(kept);
        player.stderr_kept += kept.len();
        let tail = &bytes[bytes.len().saturating_sub(STDERR_TAIL)..];
        player.stderr_tail.extend(tail);
        let excess = player.stderr_tail.len().saturating_sub(STDERR_TAIL);
        player.stderr_tail.drain(..excess);
    }

    /// A program has ended; all it wrote was handed in before.
    pub fn gone(&mut self, seat: Seat, now: Duration, cpu: Option<Duration>, exit: Exit) {
        let player = &mut self.players[seat.index()];
        player.exit = Some(exit);
        if matches!(&player.asked, Some(Asked { sent: Some(_), .. })) {
            self.crash(seat, now, cpu, exit);
            self.settle();
        }
    }

    /// A program was stopped for the memory it took.
    pub fn out_of_memory(&mut self, seat: Seat, now: Duration, cpu: Option<Duration>, limit: u64) {
        self.retire(seat, now, cpu, Cause::Memory { limit });
        self.settle();
    }

    /// The host stood still for a while: no player is charged for that time.
    pub fn stalled(&mut self, by: Duration) {
        self.stall += by;
        for seat in self.thinking() {
            if let Some(asked) = &mut self.players[seat.index()].asked {
                asked.stall += by;
                asked.deadline = asked.deadline.map(|deadline| deadline + by);
            }
        }
    }

    /// A program that thinks was ready to run for a while and had no core: it gets that time back.
    pub fn credit(&mut self, seat: Seat, by: Duration) {
        self.excuse(seat, by);
        self.players[seat.index()].extra += by;
    }

    /// For a while an answer of this player could not be seen, because the referee was kept from looking: the player is
    /// not charged for that time.
    pub fn excuse(&mut self, seat: Seat, by: Duration) {
        if let Some(asked) = self.players[seat.index()].asked.as_mut().filter(|asked| asked.sent.is_some()) {
            asked.credit += by;
            asked.deadline = asked.deadline.map(|deadline| deadline + by);
        }
    }

    /// It is not known yet whether a program has waited for a core: it is not timed out before `until`. The time counts.
    pub fn postpone(&mut self, seat: Seat, until: Duration) {
        if let Some(asked) = &mut self.players[seat.index()].asked {
            asked.not_before = until;
        }
    }

    /// We failed: the match does not count. `by` is the player that caused it, if there is one.
    pub fn void(&mut self, why: String, by: Option<Seat>) {
        self.void.get_or_insert(Void { why, by });
        self.settle();
    }

    /// The match has taken too long. The player that got most of the time as extra time caused it.
    fn void_too_long(&mut self, limit: Duration) {
        let longest = self.seats().max_by_key(|(_, player)| player.extra);
        let by = longest.filter(|(_, player)| player.extra * 2 > limit).map(|(seat, _)| seat);
        let extra = by.map_or_else(String::new, |seat| {
            let ms = self.players[seat.index()].extra.as_millis();
            format!(", of which player {seat} had {ms} ms of extra time")
        });
        self.void(format!("the match took longer than {} ms{extra}", limit.as_millis()), by);
    }

    /// A player has failed while it was sent the past.
    fn void_catching_up(&mut self, seat: Seat, cause: &Cause) {
        let mut why =
            format!("player {seat} failed at turn {}, while it was sent the past: {cause}", self.play.turn());
        if let Cause::Crash { stderr, .. } = cause
            && let Some(last) = stderr.lines().rev().find(|line| !line.trim().is_empty())
        {
            why = format!("{why}; it wrote {}", game::quote(last.as_bytes()));
        }
        self.void.get_or_insert(Void { why, by: Some(seat) });
    }

    /// Time has passed. `cpu` returns the CPU time a program has used, where it is known.
    pub fn tick(&mut self, now: Duration, mut cpu: impl FnMut(Seat) -> Option<Duration>) {
        if let Some(limit) = self.match_limit().filter(|&limit| limit <= now) {
            return self.void_too_long(limit);
        }
        for seat in self.overdue(now) {
            let clock = self.settings.clock;
            let player = &mut self.players[seat.index()];
            let Some(Asked {
                limit,
                sent: Some((sent, cpu_sent)),
                deadline: Some(deadline),
                stall,
                extended,
                past,
                ..
            }) = &mut player.asked
            else {
                continue;
            };
            let used = cpu(seat);
            if let Some(guard) = clock.guard(*limit).filter(|_| !*past) {
                // The wall clock has come to the limit; the CPU clock may not have, and then there is time left.
                let spent = used
                    .zip(*cpu_sent)
                    .map_or(now.saturating_sub(*sent), |(used, before)| used.saturating_sub(before));
                let end = *sent + guard + *stall;
                if spent < *limit && now < end {
                    *deadline = end.min(now + limit.saturating_sub(spent).max(Duration::from_millis(1)));
                    continue;
                }
            }
            if *stall > Duration::from_millis(self.settings.void_stall_ms) && !*extended {
                *extended = true;
                *deadline = now + *limit + *stall;
                continue;
            }
            self.time_out(seat, now, used);
        }
        self.settle();
    }

    /// The answers and the ending; `None` before [`Command::Finish`].
    pub fn finish(self) -> Option<(Ending, Vec<TurnLog>, Box<dyn AnyMatch>)> {
        if !self.finished {
            return None;
        }
        let ending = match self.void {
            Some(Void { why, by }) => Ending::Void { why, by },
            None => Ending::Over {
                outcome: self.play.outcome(),
                causes: self.players.into_iter().map(|player| player.cause).collect(),
            },
        };
        Some((ending, self.log, self.play))
    }

    fn seats(&self) -> impl Iterator<Item = (Seat, &Player)> {
        (0..).map(Seat).zip(&self.players)
    }

    /// Takes a whole line of a player that was asked, in time or not.
    fn take(&mut self, seat: Seat, now: Duration, cpu: Option<Duration>, line: Vec<u8>) {
        let clock = self.settings.clock;
        let player = &mut self.players[seat.index()];
        let Some(asked) = &player.asked else { return };
        let (limit, Some((sent, cpu_sent))) = (asked.limit, asked.sent) else { return };
        let wall = asked.counted(now, sent);
        let late = wall.saturating_sub(limit);
        let in_time = match clock {
            _ if asked.past => true,
            Clock::Off => true,
            Clock::Strict => late.is_zero(),
            Clock::Bank { .. } => {
                let enough = late <= player.bank;
                player.bank = player.bank.saturating_sub(late);
                enough
            }
            Clock::Site { grace_ms, overruns } => {
                player.overruns += u32::from(!late.is_zero());
                late <= Duration::from_millis(grace_ms) && (late.is_zero() || player.overruns < overruns)
            }
            Clock::Cpu { .. } => {
                let spent = cpu.zip(cpu_sent).map_or(wall, |(used, before)| used.saturating_sub(before));
                spent <= limit && clock.guard(limit).is_none_or(|guard| wall <= guard)
            }
        };
        if in_time {
            self.answer(seat, now, cpu, Some(line));
        } else if asked.stall > Duration::from_millis(self.settings.void_stall_ms) {
            let stall = asked.stall.as_millis();
            self.void.get_or_insert_with(|| Void {
                why: format!("the host stood still for {stall} ms while player {seat} was thinking"),
                by: None,
            });
        } else {
            self.time_out(seat, now, cpu);
        }
    }

    fn time_out(&mut self, seat: Seat, now: Duration, cpu: Option<Duration>) {
        let player = &self.players[seat.index()];
        let Some(asked) = &player.asked else { return };
        let (limit, Some((sent, cpu_sent))) = (asked.limit, asked.sent) else { return };
        let counted = asked.counted(now, sent);
        let used = match self.settings.clock {
            Clock::Cpu { .. } => cpu.zip(cpu_sent).map(|(used, before)| used.saturating_sub(before)),
            _ => None,
        };
        let used = used.unwrap_or(counted);
        let cause = Cause::Timeout {
            used_ms: used.as_millis() as u64,
            limit_ms: limit.as_millis() as u64,
            partial: (!player.partial.is_empty()).then(|| game::quote(&player.partial)),
        };
        self.retire(seat, now, cpu, cause);
    }

    fn crash(&mut self, seat: Seat, now: Duration, cpu: Option<Duration>, exit: Exit) {
        let tail: Vec<u8> = self.players[seat.index()].stderr_tail.iter().copied().collect();
        let stderr = String::from_utf8_lossy(&tail).into_owned();
        self.retire(seat, now, cpu, Cause::Crash { exit, stderr });
    }

    fn flood(&mut self, seat: Seat, now: Duration, cpu: Option<Duration>, stream: Stream, limit: usize) {
        self.retire(seat, now, cpu, Cause::Flood { stream, limit: limit as u64 });
        self.settle();
    }

    /// A player is out by its own fault: its program is ended, and it answers nothing now if it was asked.
    fn retire(&mut self, seat: Seat, now: Duration, cpu: Option<Duration>, cause: Cause) {
        let player = &mut self.players[seat.index()];
        if player.out {
            return;
        }
        player.out = true;
        self.commands.push_back(Command::Kill(seat));
        // An invalid answer of the past is the recorded one: that player has lost as in the record.
        if !matches!(cause, Cause::Invalid { .. }) && self.past.covers(seat) {
            return self.void_catching_up(seat, &cause);
        }
        let player = &mut self.players[seat.index()];
        player.cause.get_or_insert(cause);
        if player.asked.is_some() {
            self.answer(seat, now, cpu, None);
        }
    }

    fn answer(&mut self, seat: Seat, now: Duration, cpu: Option<Duration>, line: Option<Vec<u8>>) {
        let player = &mut self.players[seat.index()];
        let asked = player.asked.take();
        player.answered_before = true;
        let was_asked = asked.is_some();
        let uncharged = asked.as_ref().map_or(Duration::ZERO, |asked| asked.stall + asked.credit);
        let (sent, cpu_sent) = asked.and_then(|asked| asked.sent).unwrap_or((now, None));
        let line = match self.past.take(seat) {
            None => line,
            Some(recorded) => {
                player.caught_up.ignored += u32::from(was_asked);
                player.caught_up.differed += u32::from(was_asked && recorded != line);
                if self.past.is_over() {
                    self.began = now;
                }
                recorded
            }
        };
        let turn = self.play.turn();
        if let Err(error) = self.play.answer(seat, line.as_deref()) {
            // Only seats that the game awaits are asked.
            self.void.get_or_insert(Void { why: error.to_string(), by: None });
        }
        self.log.push(TurnLog {
            turn,
            seat,
            output: line,
            wall: now.saturating_sub(sent),
            cpu: cpu.zip(cpu_sent).map(|(used, before)| used.saturating_sub(before)),
            uncharged,
            stderr: std::mem::take(&mut player.stderr),
        });
    }

    /// Decides what follows: which players are out by their answers, which ones to ask, whether the match is over.
    fn settle(&mut self) {
        while !self.finished {
            self.retire_faulty();
            let awaited = self.play.awaited();
            if awaited.is_empty() || self.void.is_some() {
                self.finished = true;
                self.commands.push_back(Command::Finish);
                return;
            }
            // A player that is out answers nothing. That may complete the turn, so the loop starts again.
            let Some(absent) = awaited.into_iter().find(|seat| self.players[seat.index()].out) else {
                for seat in awaited {
                    self.ask(seat);
                }
                return;
            };
            self.answer(absent, Duration::ZERO, None, None);
        }
    }

    /// Gives a cause to players whose answers lost the game.
    fn retire_faulty(&mut self) {
        let faults = self.play.faults();
        let fatal: Vec<_> = faults[self.faults_seen..]
            .iter()
            .filter(|fault| fault.fatal && fault.kind != FaultKind::Missing)
            .cloned()
            .collect();
        self.faults_seen = faults.len();
        for fault in fatal {
            self.retire(fault.seat, Duration::ZERO, None, Cause::Invalid { fault });
        }
    }

    fn ask(&mut self, seat: Seat) {
        let Settings { first_turn_ms, turn_ms, .. } = self.settings;
        let player = &mut self.players[seat.index()];
        if player.asked.is_some() {
            return;
        }
        let past = self.past.covers(seat);
        let limit =
            Duration::from_millis(u64::from(if player.answered_before { turn_ms } else { first_turn_ms }));
        let limit = if past { (limit * PAST_FACTOR).max(PAST_LEAST) } else { limit };
        player.asked = Some(Asked {
            limit,
            sent: None,
            deadline: None,
            not_before: Duration::ZERO,
            stall: Duration::ZERO,
            credit: Duration::ZERO,
            extended: false,
            past,
        });
        player.written = 0;
        let mut text = String::new();
        self.play.question(seat, &mut text);
        self.commands.push_back(Command::Ask(Question { seat, text }));
    }
}
