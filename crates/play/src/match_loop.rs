//! The loop of one match: it carries questions and answers between the referee and the processes of the players.
//!
//! One thread does everything. A turn of a program that answers at once costs a write, a wait and a read, and nothing
//! else delays the clock. Only programs that owe an answer are read from: the others may fill their pipes and then
//! wait.

use std::borrow::Cow;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use game::Seat;
use referee::{Command, Exit, Question, Referee, Settings};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use sandbox::{Boxed, Sandbox, StartError};
use toolchain::{How, Launcher};

use crate::host::Heartbeat;
use crate::player_process::{PlayerProcess, timespec};
use crate::runner::{MatchPlan, Watcher};
use crate::sched_stat::SchedStat;

/// A program that thinks for longer than this is sampled: other programs may keep it from running.
const WATCH_AFTER: Duration = Duration::from_millis(1);

/// This thread wakes up at least this often while a program is thinking, to notice when it was itself kept from
/// running: an answer that arrived in that time is not late.
const TICK: Duration = Duration::from_millis(10);

/// Waking up later than this means that this thread was kept from running.
const LATE: Duration = Duration::from_millis(2);

/// A bot that is not asked runs on for this long before it is frozen: most bots sleep by then, and need no freezing.
const FREEZE_AFTER: Duration = Duration::from_millis(1);

/// A match in progress.
pub(crate) struct MatchLoop<'a> {
    plan: &'a MatchPlan<'a>,
    heartbeat: Option<&'a Heartbeat>,
    epoch: Instant,
    pub(crate) referee: Referee,
    pub(crate) players: Vec<PlayerProcess<'a>>,
    buffer: Vec<u8>,
}

impl<'a> MatchLoop<'a> {
    pub(crate) fn new(
        plan: &'a MatchPlan<'a>,
        settings: Settings,
        heartbeat: Option<&'a Heartbeat>,
    ) -> MatchLoop<'a> {
        MatchLoop {
            plan,
            heartbeat,
            epoch: Instant::now(),
            referee: Referee::new(plan.game.start(plan.selected, plan.seed), settings),
            players: plan
                .bots
                .iter()
                .zip(0..)
                .map(|(bot, seat)| PlayerProcess::new(bot, plan.seed, seat))
                .collect(),
            buffer: vec![0; 64 << 10],
        }
    }

    /// Time since the match began.
    fn now(&self) -> Duration {
        self.epoch.elapsed()
    }

    /// Starts the program of a seat, if it has one.
    pub(crate) fn start(&mut self, sandbox: &Sandbox, launcher: &Launcher, index: usize) {
        let seat = Seat(index as u8);
        let bot = self.players[index].bot;
        let program = match &bot.how {
            How::Program(program) => Ok(Some(Cow::Borrowed(program))),
            How::Builtin(builtin) => {
                let program = launcher.program(*builtin, self.plan.game, self.plan.selected);
                program.map(|program| program.map(Cow::Owned))
            }
        };
        let program = match program {
            Ok(Some(program)) => program,
            Ok(None) => return,
            Err(error) => return self.referee.void(error.to_string()),
        };
        let mut limits = self.plan.limits.clone();
        limits.cores = self.plan.placement.bots.get(index).copied().into_iter().collect();
        let begun = Instant::now();
        match sandbox.start(&program, &limits) {
            Ok(boxed) => {
                let player = &mut self.players[index];
                player.start = Some(begun.elapsed());
                player.boxed = Some(boxed);
                player.stdout_open = true;
                player.stderr_open = true;
            }
            Err(StartError::Ours(why)) => {
                self.referee.void(format!("player {seat} could not be started: {why}"));
            }
            Err(error) => {
                self.players[index].exited = true;
                let now = self.now();
                self.referee.stderr(seat, error.to_string().as_bytes());
                self.referee.gone(seat, now, None, Exit::NotStarted);
            }
        }
    }

    /// Plays the match to its end.
    pub(crate) fn run(&mut self, watcher: &mut dyn Watcher) {
        let mut answers = 0;
        loop {
            while let Some(command) = self.referee.poll() {
                match command {
                    Command::Ask(question) => self.ask(question),
                    Command::Kill(seat) => self.players[seat.index()].kill(),
                    Command::Finish => {
                        watcher.answered(&self.referee);
                        return;
                    }
                }
            }
            if self.referee.log().len() > answers {
                answers = self.referee.log().len();
                watcher.answered(&self.referee);
                if let Some(why) = watcher.breaks_off() {
                    self.referee.void(why);
                    continue;
                }
            }
            if !self.referee.thinking().is_empty() {
                self.listen();
            }
        }
    }

    /// Passes a question on: a built-in bot answers at once, a program gets as much as its pipe accepts.
    fn ask(&mut self, question: Question) {
        let Question { seat, text } = question;
        let now = self.now();
        let player = &mut self.players[seat.index()];
        player.asked = Instant::now();
        player.stall_seen = player.asked;
        player.ran = None;
        if let How::Builtin(builtin) = player.bot.how
            && let Some(mut answer) = builtin.answer(self.referee.play(), seat, &mut player.dice)
        {
            answer.push(b'\n');
            self.referee.sent(seat, now, None);
            self.referee.stdout(seat, now, None, &answer);
            return;
        }
        player.idle_since = None;
        if std::mem::take(&mut player.frozen)
            && let Some(boxed) = &player.boxed
        {
            boxed.thaw();
        }
        player.pending = text.into_bytes();
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
                Err(Errno::AGAIN) => {
                    player.pending.drain(..written);
                    // A program that does not read must not stop the clock: it starts now at the latest.
                    break;
                }
                // The program closed its input or has ended; its answer, its end or the deadline will show which.
                Err(_) => written = player.pending.len(),
            }
        }
        if stdin.is_none() || written == player.pending.len() {
            player.pending.clear();
        }
        // A program that is still being started has used no CPU time.
        let cpu = player.cpu().or(player.boxed.is_some().then_some(Duration::ZERO));
        let now = self.now();
        self.referee.sent(seat, now, cpu);
    }

    /// Waits for the next event or deadline and passes it to the referee.
    fn listen(&mut self) {
        let thinking = self.referee.thinking();
        let deadline = self.referee.deadline().map(|deadline| self.epoch + deadline);
        let now = Instant::now();
        let events = deadline.into_iter().chain(self.freeze_at()).chain(self.watch_at());
        let wake = events.fold(now + TICK, Instant::min).max(now);
        let (owners, mut fds) = self.interests();
        let waited = poll(&mut fds, Some(&timespec(wake.duration_since(now))));
        let late = Instant::now().saturating_duration_since(wake);
        let happened: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
        drop(fds);
        if let Err(error) = waited
            && error != Errno::INTR
        {
            return self.referee.void(format!("waiting for the bots failed: {error}"));
        }
        if late > LATE {
            self.credit_lateness(late);
        }
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
            self.hear(seat, ready);
        }
        self.watch();
        let now = self.now();
        if self.referee.deadline().is_some_and(|deadline| deadline <= now) {
            self.account_for_stalls();
            self.check_memory(now);
            let players = &self.players;
            self.referee.tick(now, |seat| players[seat.index()].cpu());
        }
        self.freeze();
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
    fn hear(&mut self, seat: Seat, what: Ready) {
        if what.stderr || what.end {
            self.read_stderr(seat);
        }
        if what.stdout || what.end {
            self.read_stdout(seat);
        }
        if what.stdin {
            self.write_rest(seat);
        }
        if what.end {
            self.ended(seat);
        }
        let player = &mut self.players[seat.index()];
        if !self.referee.thinking().contains(seat) && player.idle_since.is_none() {
            player.idle_since = Some(Instant::now());
        }
    }

    /// Reads answers until the pipe is empty or the program owes none.
    fn read_stdout(&mut self, seat: Seat) {
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
                    let now = self.epoch.elapsed();
                    let cpu = player.cpu();
                    self.account_if_late(seat, now);
                    if self.plan.inspect {
                        self.players[seat.index()].count_unread();
                    }
                    self.referee.stdout(seat, now, cpu, &self.buffer[..bytes]);
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
    fn ended(&mut self, seat: Seat) {
        let now = self.now();
        let limit = self.plan.limits.memory;
        let player = &mut self.players[seat.index()];
        let Some(boxed) = &mut player.boxed else { return };
        let Some(exit) = boxed.try_wait() else { return };
        player.exited = true;
        if boxed.memory_exceeded() {
            self.referee.out_of_memory(seat, now, None, limit);
        } else {
            let exit = match exit {
                sandbox::Exit::Code(code) => Exit::Code(code),
                sandbox::Exit::Signal(signal) => Exit::Signal(signal),
            };
            self.referee.gone(seat, now, None, exit);
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

    /// This thread woke up late: no player is charged for that time, except for the CPU time that the player used in
    /// it.
    fn credit_lateness(&mut self, late: Duration) {
        for seat in self.referee.thinking() {
            let player = &mut self.players[seat.index()];
            // The player may have waited at the same time as this thread: that time counts once.
            let back = player.sample().map_or(late, |since| late.saturating_sub(since.used).max(since.kept));
            player.stall_seen = Instant::now();
            self.referee.credit(seat, back);
        }
    }

    /// Credits players with the time in which they were kept from running or in which the whole host was stalled.
    fn account_for_stalls(&mut self) {
        let mut longest = Duration::ZERO;
        for seat in self.referee.thinking() {
            let player = &mut self.players[seat.index()];
            if player.ran.is_some()
                && let Some(since) = player.sample()
            {
                longest = longest.max(since.kept);
                self.referee.credit(seat, since.kept);
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
                player.ran = Some(SchedStat::untold());
            }
        }
    }

    /// The time at which the next program that owes no answer is frozen.
    fn freeze_at(&self) -> Option<Instant> {
        if self.plan.ponder {
            return None;
        }
        let idle =
            self.players.iter().filter(|player| !player.frozen && !player.exited && player.boxed.is_some());
        idle.filter_map(|player| player.idle_since).min().map(|since| since + FREEZE_AFTER)
    }

    /// Freezes programs that owe no answer, unless they may ponder.
    fn freeze(&mut self) {
        if self.plan.ponder {
            return;
        }
        for player in &mut self.players {
            let due = player.idle_since.is_some_and(|since| since.elapsed() >= FREEZE_AFTER);
            if due
                && !player.frozen
                && !player.exited
                && let Some(boxed) = &player.boxed
            {
                boxed.freeze();
                player.frozen = true;
            }
        }
    }
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
