//! The loop of one match: it carries questions and answers between the referee and the processes of the players.
//!
//! One thread does everything. A turn of a program that answers at once costs a write, a wait and a read, and nothing
//! else delays the clock. Only programs that owe an answer are read from: the others may fill their pipes and then
//! wait.
//!
//! Nothing else happens on this thread: watchers get the answers through a channel. A player is not charged for time in
//! which this thread could not look for its answer.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::os::fd::AsFd;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use catalog::AnyMatch;
use game::{Seat, Seats};
use referee::{Command, Exit, Past, Question, Referee, Settings, TurnLog};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use sandbox::{Boxed, Limits, Program, Sandbox, StartError};
use toolchain::{How, Launcher};

use crate::host::Heartbeat;
use crate::player_process::{PlayerProcess, timespec};
use crate::runner::MatchPlan;
use crate::sched_stat::{OwnWait, SchedStat};

/// A program that thinks for longer than this is sampled: other programs may keep it from running.
const WATCH_AFTER: Duration = Duration::from_millis(1);

/// This thread wakes up at least this often while a program is thinking, to notice when it was itself kept from
/// running: an answer that arrived in that time is not late.
const TICK: Duration = Duration::from_millis(10);

/// A player is not charged for a span longer than this in which this thread did not look for its answer.
const LATE: Duration = Duration::from_millis(2);

/// A program that is ready to run when its time is over may have waited for a core. The kernel reports a wait when it is
/// over, so the program is sampled again after this time.
const PROBE: Duration = Duration::from_millis(2);

/// A match is void if a program waits for a core for longer than this when its time is over.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// A bot that is not asked runs on for this long before it is frozen: most bots sleep by then, and need no freezing.
const FREEZE_AFTER: Duration = Duration::from_millis(1);

/// A match in progress.
pub(crate) struct MatchLoop<'a> {
    pub(crate) plan: MatchPlan<'a>,
    heartbeat: Option<&'a Heartbeat>,
    epoch: Instant,
    pub(crate) referee: Referee,
    pub(crate) players: Vec<PlayerProcess<'a>>,
    buffer: Vec<u8>,
    /// Questions that are not written yet: another program thinks on the core of the player.
    waiting: VecDeque<Question>,
    /// Whether players that answer together share a core, so that they are asked one after the other.
    pub(crate) waves: bool,
    /// Where the answers go.
    watcher: Option<Sender<TurnLog>>,
    /// Number of answers that were sent there.
    told: usize,
    /// When this thread last looked for answers.
    looked: Instant,
    own_wait: OwnWait,
    /// The wait of this thread for a core when it last looked for answers, if a program was thinking.
    own_wait_seen: Option<Duration>,
}

impl<'a> MatchLoop<'a> {
    pub(crate) fn new(
        plan: MatchPlan<'a>,
        heartbeat: Option<&'a Heartbeat>,
        watcher: Option<Sender<TurnLog>>,
        past: Past,
        number: u64,
    ) -> MatchLoop<'a> {
        let play = plan.game.start(plan.selected, plan.seed);
        let settings = settings(&plan, &*play);
        MatchLoop {
            heartbeat,
            epoch: Instant::now(),
            referee: Referee::continuing(play, settings, past),
            players: plan
                .bots
                .iter()
                .zip(0..)
                .map(|(bot, seat)| PlayerProcess::new(bot, plan.seed, seat, number))
                .collect(),
            buffer: vec![0; 64 << 10],
            waiting: VecDeque::new(),
            waves: false,
            watcher,
            told: 0,
            looked: Instant::now(),
            own_wait: OwnWait::of_this_thread(),
            own_wait_seen: None,
            plan,
        }
    }

    /// Time since the match began.
    fn now(&self) -> Duration {
        self.epoch.elapsed()
    }

    /// Starts the programs of all seats that have one.
    pub(crate) fn start(&mut self, sandbox: &Sandbox, launcher: &Launcher) {
        let mut programs = Vec::new();
        for (index, player) in self.players.iter_mut().enumerate() {
            let program = match &player.bot.how {
                How::Program(program) => Cow::Borrowed(program),
                How::Builtin(builtin) => {
                    match launcher.program(*builtin, self.plan.game, self.plan.selected) {
                        Ok(Some(program)) => Cow::Owned(program),
                        Ok(None) => continue,
                        Err(error) => return self.referee.void(error.to_string(), None),
                    }
                }
            };
            player.core = self.plan.placement.bots.get(index).copied();
            let limits = Limits { cores: player.core.into_iter().collect(), ..self.plan.limits.clone() };
            programs.push((index, program, limits));
        }
        let wanted: Vec<_> = programs.iter().map(|(_, program, limits)| (&**program, limits)).collect();
        sandbox.prepare(&wanted);
        for (index, program, limits) in &programs {
            self.start_one(sandbox, *index, program, limits);
        }
    }

    fn start_one(&mut self, sandbox: &Sandbox, index: usize, program: &Program, limits: &Limits) {
        let seat = Seat(index as u8);
        let begun = Instant::now();
        // This thread plays the match to its end.
        match sandbox.start_from_here(program, limits) {
            Ok(boxed) => {
                let player = &mut self.players[index];
                player.start = Some(begun.elapsed());
                player.boxed = Some(boxed);
                player.stdout_open = true;
                player.stderr_open = true;
            }
            Err(StartError::Ours(why)) => {
                self.referee.void(format!("player {seat} could not be started: {why}"), None);
            }
            Err(error) => {
                self.players[index].exited = true;
                let now = self.now();
                self.referee.stderr(seat, error.to_string().as_bytes());
                self.referee.gone(seat, now, None, Exit::NotStarted);
            }
        }
    }

    /// Plays the match to its end. `breaks_off` returns a reason to abort it, which makes it void.
    pub(crate) fn run(&mut self, breaks_off: &dyn Fn() -> Option<String>) {
        self.share_cores();
        self.epoch = Instant::now();
        self.looked = self.epoch;
        loop {
            while let Some(command) = self.referee.poll() {
                match command {
                    Command::Ask(question) => self.waiting.push_back(question),
                    Command::Kill(seat) => self.players[seat.index()].kill(),
                    Command::Finish => return self.tell(),
                }
            }
            if self.ask_waiting() {
                continue;
            }
            if self.referee.log().len() > self.told {
                self.tell();
                if let Some(why) = breaks_off() {
                    self.referee.void(why, None);
                    continue;
                }
            }
            if !self.referee.thinking().is_empty() {
                self.listen();
            }
        }
    }

    /// A program whose core is also that of another program runs only while it owes an answer.
    fn share_cores(&mut self) {
        let cores: Vec<usize> = self
            .players
            .iter()
            .filter(|player| player.boxed.is_some())
            .filter_map(|player| player.core)
            .collect();
        for player in self.players.iter_mut().filter(|player| player.boxed.is_some()) {
            let is_shared = cores.iter().filter(|&&core| player.core == Some(core)).count() > 1;
            player.ponders = self.plan.ponder && !is_shared;
            if is_shared {
                player.idle_since = Some(Instant::now());
                self.waves = self.plan.game.info().simultaneous;
            }
        }
    }

    /// Sends new answers to the watcher. The channel has no bound: this never waits.
    fn tell(&mut self) {
        let log = self.referee.log();
        if let Some(watcher) = &self.watcher {
            for entry in &log[self.told..] {
                // A watcher that has ended wants no more answers.
                let _ = watcher.send(entry.clone());
            }
        }
        self.told = log.len();
    }

    /// Asks the players that wait for their questions, one at a time on each core. Returns whether one was asked.
    fn ask_waiting(&mut self) -> bool {
        let free = self.waiting.iter().position(|question| self.core_is_free(question.seat));
        let Some(question) = free.and_then(|place| self.waiting.remove(place)) else { return false };
        self.ask(question);
        true
    }

    /// Whether no other program thinks on the core of a player.
    fn core_is_free(&self, seat: Seat) -> bool {
        let Some(core) =
            self.players[seat.index()].core.filter(|_| self.players[seat.index()].boxed.is_some())
        else {
            return true;
        };
        let mut thinking = self.referee.thinking().map(|other| &self.players[other.index()]);
        !thinking.any(|other| other.core == Some(core) && other.boxed.is_some())
    }

    /// Freezes the other programs on the core of a player that is asked now.
    fn clear_core(&mut self, seat: Seat) {
        let core = self.players[seat.index()].core;
        for (other, player) in self.players.iter_mut().enumerate() {
            if other != seat.index() && player.core == core && player.idle_since.is_some() {
                player.freeze();
            }
        }
    }

    /// Passes a question on: a built-in bot answers at once, a program gets as much as its pipe accepts.
    fn ask(&mut self, question: Question) {
        let Question { seat, text } = question;
        let now = self.now();
        let player = &mut self.players[seat.index()];
        player.ask();
        if let How::Builtin(builtin) = player.bot.how
            && let Some(mut answer) = builtin.answer(self.referee.play(), seat, &mut player.dice)
        {
            answer.push(b'\n');
            self.referee.sent(seat, now, None);
            self.referee.stdout(seat, now, None, &answer);
            return;
        }
        player.idle_since = None;
        player.pending = text.into_bytes();
        if self.waves {
            self.clear_core(seat);
        }
        self.players[seat.index()].thaw();
        self.write(seat);
    }

    /// Writes as much as the pipe accepts. The clock starts when the whole question is written.
    fn write(&mut self, seat: Seat) {
        let player = &mut self.players[seat.index()];
        let stdin = player.boxed.as_ref().and_then(|boxed| boxed.stdin.as_ref());
        let mut written = 0;
        while let Some(stdin) = stdin
            && written < player.pending.len()
        {
            match rustix::io::write(stdin, &player.pending[written..]) {
                Ok(bytes) => written += bytes,
                Err(Errno::INTR) => {}
                // A program that does not read must not stop the clock: it starts now at the latest.
                Err(Errno::AGAIN) => break,
                // The program closed its input or has ended; its answer, its end or the deadline will show which.
                Err(_) => written = player.pending.len(),
            }
        }
        if stdin.is_none() {
            written = player.pending.len();
        }
        player.pending.drain(..written);
        // A program that is still being started has used no CPU time.
        let cpu = player.cpu().or(player.boxed.is_some().then_some(Duration::ZERO));
        (player.cpu_asked, player.cpu_looked, player.all_cpu_looked) = (cpu, cpu, None);
        player.cpu_looked_at = Instant::now();
        let now = player.cpu_looked_at.duration_since(self.epoch);
        self.referee.sent(seat, now, cpu);
    }

    /// Waits for the next event or deadline and passes it to the referee.
    fn listen(&mut self) {
        let thinking = self.referee.thinking();
        let deadline = self.referee.deadline().map(|deadline| self.epoch + deadline);
        let now = Instant::now();
        let events = deadline.into_iter().chain(self.freeze_at()).chain(self.watch_at());
        let wake = events.fold(now + TICK, Instant::min).max(now);
        if now.duration_since(self.looked) > LATE {
            // The wait so far is a part of the time before this call.
            self.own_wait_seen = self.own_wait.read();
        }
        let (owners, mut fds) = self.interests();
        let waited = poll(&mut fds, Some(&timespec(wake.duration_since(now))));
        let back = Instant::now();
        let happened: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
        drop(fds);
        if let Err(error) = waited
            && error != Errno::INTR
        {
            return self.referee.void(format!("waiting for the bots failed: {error}"), None);
        }
        let mut written = Seats::NONE;
        for (_, (seat, _)) in happened
            .iter()
            .zip(&owners)
            .filter(|(happened, (_, what))| **happened && matches!(what, What::Stdout))
        {
            written.add(*seat);
        }
        self.excuse_absence(now, wake, back, written);
        // Events that were reported together are handled as of the time of the report.
        let seen = back.duration_since(self.epoch);
        for seat in thinking {
            let mut ready = Ready::default();
            for (_, (_, what)) in
                happened.iter().zip(&owners).filter(|(happened, (owner, _))| **happened && *owner == seat)
            {
                match what {
                    What::Stdout => ready.stdout = true,
                    What::Stderr => ready.stderr = true,
                    What::Stdin => ready.stdin = true,
                    What::End => ready.end = true,
                }
            }
            self.hear(seat, ready, seen);
        }
        self.watch();
        if self.referee.deadline().is_some_and(|deadline| deadline <= seen) {
            self.account_for_stalls();
            self.check_memory(seen);
            self.postpone_waiting(seen);
            let players = &self.players;
            self.referee.tick(seen, |seat| players[seat.index()].cpu());
        }
        self.freeze();
        self.remember_look(back);
    }

    /// The state at the end of a look for answers, for the next [`MatchLoop::excuse_absence`].
    fn remember_look(&mut self, back: Instant) {
        self.looked = back;
        // Programs that answer at once are not measured: until the first sample of a program, this thread means to wake
        // up within a millisecond, so that a later time to wake up is its own delay.
        let mut measured = false;
        for seat in self.referee.thinking() {
            let player = &mut self.players[seat.index()];
            if player.ran.is_some() {
                measured = true;
                player.remember_look(back);
            }
        }
        self.own_wait_seen = if measured { self.own_wait.read() } else { None };
    }

    /// The descriptors to wait for, with their owners: those of programs that owe an answer.
    fn interests(&self) -> (Vec<(Seat, What)>, Vec<PollFd<'_>>) {
        let mut owners = Vec::with_capacity(16);
        let mut fds = Vec::with_capacity(16);
        for seat in self.referee.thinking() {
            let player = &self.players[seat.index()];
            let Some(boxed) = &player.boxed else { continue };
            let wanted = [
                (
                    What::Stdout,
                    boxed.stdout.as_ref().filter(|_| player.stdout_open).map(AsFd::as_fd),
                    PollFlags::IN,
                ),
                (
                    What::Stderr,
                    boxed.stderr.as_ref().filter(|_| player.stderr_open).map(AsFd::as_fd),
                    PollFlags::IN,
                ),
                (
                    What::Stdin,
                    boxed.stdin.as_ref().filter(|_| !player.pending.is_empty()).map(AsFd::as_fd),
                    PollFlags::OUT,
                ),
                (What::End, (!player.exited).then(|| boxed.pidfd()), PollFlags::IN),
            ];
            for (what, fd, flags) in wanted {
                if let Some(fd) = fd {
                    owners.push((seat, what));
                    fds.push(PollFd::from_borrowed_fd(fd, flags));
                }
            }
        }
        (owners, fds)
    }

    /// Handles the events of one program.
    fn hear(&mut self, seat: Seat, what: Ready, seen: Duration) {
        if what.stderr || what.end {
            self.read_stderr(seat);
        }
        if what.stdout || what.end {
            self.read_stdout(seat, seen);
        }
        if what.stdin {
            self.write_rest(seat);
        }
        if what.end {
            self.ended(seat, seen);
        }
        let player = &mut self.players[seat.index()];
        if !self.referee.thinking().contains(seat) && player.idle_since.is_none() {
            player.idle_since = Some(Instant::now());
        }
    }

    /// Reads answers until the pipe is empty or the program owes none.
    fn read_stdout(&mut self, seat: Seat, seen: Duration) {
        loop {
            let player = &mut self.players[seat.index()];
            let Some(stdout) =
                player.boxed.as_ref().and_then(|boxed| boxed.stdout.as_ref()).filter(|_| player.stdout_open)
            else {
                return;
            };
            match rustix::io::read(stdout, &mut self.buffer) {
                Ok(0) => player.stdout_open = false,
                Ok(bytes) => {
                    let cpu = player.cpu();
                    self.account_if_late(seat, seen);
                    if self.plan.inspect {
                        self.players[seat.index()].count_unread();
                    }
                    self.referee.stdout(seat, seen, cpu, &self.buffer[..bytes]);
                    // Fewer bytes than the buffer holds: the pipe is empty.
                    if bytes < self.buffer.len() || !self.referee.thinking().contains(seat) {
                        return;
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => player.stdout_open = false,
            }
        }
    }

    /// Reads a bounded amount: a program may write faster than this thread reads.
    fn read_stderr(&mut self, seat: Seat) {
        for _ in 0..16 {
            let player = &mut self.players[seat.index()];
            let Some(stderr) =
                player.boxed.as_ref().and_then(|boxed| boxed.stderr.as_ref()).filter(|_| player.stderr_open)
            else {
                return;
            };
            match rustix::io::read(stderr, &mut self.buffer) {
                Ok(0) => player.stderr_open = false,
                Ok(bytes) => self.referee.stderr(seat, &self.buffer[..bytes]),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => player.stderr_open = false,
            }
        }
    }

    /// Continues to write a question that did not fit in the pipe. The clock is running already.
    fn write_rest(&mut self, seat: Seat) {
        let player = &mut self.players[seat.index()];
        let Some(stdin) = player.boxed.as_ref().and_then(|boxed| boxed.stdin.as_ref()) else { return };
        match rustix::io::write(stdin, &player.pending) {
            Ok(bytes) => drop(player.pending.drain(..bytes)),
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(_) => player.pending.clear(),
        }
    }

    /// The program has ended, and its whole output was read.
    fn ended(&mut self, seat: Seat, seen: Duration) {
        let limit = self.plan.limits.memory;
        let player = &mut self.players[seat.index()];
        let Some(boxed) = &mut player.boxed else { return };
        let Some(exit) = boxed.try_wait() else { return };
        player.exited = true;
        if boxed.is_broken() {
            self.referee.void(format!("the box of player {seat} failed"), None);
        } else if boxed.memory_exceeded() {
            self.referee.out_of_memory(seat, seen, None, limit);
        } else {
            let exit = match exit {
                sandbox::Exit::Code(code) => Exit::Code(code),
                sandbox::Exit::Signal(signal) => Exit::Signal(signal),
            };
            self.referee.gone(seat, seen, None, exit);
        }
    }

    /// A program that is killed for its memory may need time to end: that is not a timeout.
    fn check_memory(&mut self, now: Duration) {
        for seat in self.referee.thinking() {
            let exceeded = self.players[seat.index()].boxed.as_ref().is_some_and(Boxed::memory_exceeded);
            if exceeded {
                self.referee.out_of_memory(seat, now, None, self.plan.limits.memory);
            }
        }
    }

    /// Checks whether a late answer is the host's fault.
    fn account_if_late(&mut self, seat: Seat, now: Duration) {
        let limit = Duration::from_millis(u64::from(self.referee.settings().turn_ms));
        let asked = self.players[seat.index()].asked.duration_since(self.epoch);
        if now.saturating_sub(asked) > limit {
            self.account_for_stalls();
        }
    }

    /// An answer that came while this thread did not look could not be seen: no player is charged for that time. A player
    /// that has not `written` anything meanwhile is charged for the CPU time that it used in it. This thread looked until
    /// `self.looked`, was elsewhere until `entered`, and waited for events until `back`, where `wake` is the time at which
    /// it meant to wake up.
    fn excuse_absence(&mut self, entered: Instant, wake: Instant, back: Instant, written: Seats) {
        let since = self.looked;
        if back.duration_since(since) <= LATE {
            return;
        }
        let own = self.own_wait.read().zip(self.own_wait_seen).map(|(now, seen)| now.saturating_sub(seen));
        let asleep = back.saturating_duration_since(wake).max(own.unwrap_or_default());
        for seat in self.referee.thinking() {
            let player = &mut self.players[seat.index()];
            let since = since.max(player.asked);
            let window = back.saturating_duration_since(since);
            let absent = (entered.saturating_duration_since(since) + asleep).min(window);
            if absent <= LATE {
                continue;
            }
            let kept = player.sample().unwrap_or_default();
            let excused = if written.contains(seat) {
                absent.saturating_sub(kept)
            } else {
                player.give(absent.min(player.idle_since_look(back)))
            };
            player.stall_seen = back;
            self.referee.credit(seat, kept);
            self.referee.excuse(seat, excused);
        }
    }

    /// Moves the deadlines of players that may be waiting for a core now. The wait is reported when it is over.
    fn postpone_waiting(&mut self, seen: Duration) {
        let overdue = self.referee.overdue(seen);
        for (index, player) in self.players.iter_mut().enumerate() {
            let seat = Seat(index as u8);
            let is_waiting = overdue.contains(seat)
                && player.ran.is_some_and(|now| match &player.probe {
                    None => now.is_runnable(),
                    Some(before) => now.may_wait_since(before),
                });
            if !is_waiting {
                player.probe = None;
                continue;
            }
            player.probe = player.ran;
            player.probed += PROBE;
            if player.probed > LONGEST_WAIT {
                let why = format!("player {seat} had no core for {} ms", player.probed.as_millis());
                return self.referee.void(why, Some(seat));
            }
            self.referee.postpone(seat, seen + PROBE);
        }
    }

    /// Credits players with the time in which they were kept from running or in which the whole host was stalled.
    fn account_for_stalls(&mut self) {
        let mut longest = Duration::ZERO;
        for seat in self.referee.thinking() {
            let player = &mut self.players[seat.index()];
            if player.ran.is_some()
                && let Some(kept) = player.sample()
            {
                longest = longest.max(kept);
                self.referee.credit(seat, kept);
            }
        }
        let Some(heartbeat) = self.heartbeat else { return };
        let now = Instant::now();
        let Some(since) = self.referee.thinking().map(|seat| self.players[seat.index()].stall_seen).min()
        else {
            return;
        };
        // A busy host delays the heartbeat as much as the bots: that part is credited already.
        let stall = heartbeat.stalled_since(since).saturating_sub(longest);
        if !stall.is_zero() {
            self.referee.stalled(stall);
            for player in &mut self.players {
                player.stall_seen = now;
            }
        }
    }

    /// The time of the first sample of a program. Programs that answer at once are never sampled.
    fn watch_at(&self) -> Option<Instant> {
        let players = self.referee.thinking().map(|seat| &self.players[seat.index()]);
        players
            .filter(|player| player.ran.is_none() && player.boxed.is_some())
            .map(|player| player.asked + WATCH_AFTER)
            .min()
    }

    /// Takes the first sample of each program that has been thinking for a moment.
    fn watch(&mut self) {
        for seat in self.referee.thinking() {
            let player = &mut self.players[seat.index()];
            if player.ran.is_none()
                && player.asked.elapsed() >= WATCH_AFTER
                && player.boxed.is_some()
                && player.sample().is_none()
            {
                player.first = Some(SchedStat::untold());
                player.ran = player.first;
            }
        }
    }

    /// The time at which the next program that owes no answer is frozen.
    fn freeze_at(&self) -> Option<Instant> {
        let idle = self.players.iter().filter(|player| player.may_be_frozen());
        idle.filter_map(|player| player.idle_since).min().map(|since| since + FREEZE_AFTER)
    }

    /// Freezes programs that owe no answer, unless they may ponder.
    fn freeze(&mut self) {
        for player in &mut self.players {
            if player.idle_since.is_some_and(|since| since.elapsed() >= FREEZE_AFTER) {
                player.freeze();
            }
        }
    }
}

/// The settings of a match, with its limit on wall time.
fn settings(plan: &MatchPlan<'_>, play: &dyn AnyMatch) -> Settings {
    let players = plan.selected.players;
    let together = if plan.game.info().simultaneous { players } else { 1 };
    let answers = u64::from(play.max_steps()) * u64::from(together);
    Settings::new(plan.clock, plan.game.limits(plan.selected)).with_match_limit(players, answers)
}

/// A descriptor of a program.
#[derive(Clone, Copy)]
enum What {
    Stdout,
    Stderr,
    Stdin,
    End,
}

/// The descriptors of a program that have events.
#[derive(Clone, Copy, Default)]
struct Ready {
    stdout: bool,
    stderr: bool,
    stdin: bool,
    end: bool,
}
