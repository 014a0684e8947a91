//! The seats of a match, what sits on them, and all that passes between them and the referee.
//!
//! One thread does everything. A turn of a program that answers at once costs a write, a wait and a read; nothing else is in
//! the way of the clock. Only programs that owe an answer are listened to: the others may fill their pipes and then wait.

use std::borrow::Cow;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use game::{Dice, Seat};
use referee::{Command, Exit, Question, Referee, Settings};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use sandbox::{Boxed, Sandbox, StartError};

use crate::bot::{Bot, How};
use crate::builtin::Builtin;
use crate::host::Heartbeat;
use crate::ran::Ran;
use crate::runner::{Manners, MatchPlan, Watcher};

/// A program that thinks for longer is looked after, in case others keep it from running.
const LOOK_AFTER: Duration = Duration::from_millis(1);

/// We wake up at least this often while somebody is thinking, to notice when we ourselves were kept from running: an answer that lay
/// there meanwhile is not late.
const TICK: Duration = Duration::from_millis(10);

/// Waking up later than this means that we were kept from running.
const LATE: Duration = Duration::from_millis(2);

/// A program whose input has ended should be gone after this time.
const FAREWELL: Duration = Duration::from_secs(1);

/// A bot that is not asked may go on for this long before it is frozen: most are asleep by then, and freezing those is a waste.
const FREEZE_AFTER: Duration = Duration::from_millis(1);

/// A seat and what sits on it.
pub(crate) struct Chair<'a> {
    bot: &'a Bot,
    dice: Dice,
    boxed: Option<Boxed>,
    pub(crate) start: Option<Duration>,
    pub(crate) memory: Option<u64>,
    /// What is still to be written of the question.
    pending: Vec<u8>,
    stdout_open: bool,
    stderr_open: bool,
    exited: bool,
    frozen: bool,
    /// Since when it owes nothing.
    idle_since: Option<Instant>,
    /// When it was last asked.
    asked: Instant,
    /// Stalls before this moment are accounted for.
    stall_seen: Instant,
    /// What the kernel said of its running when it had been thinking for a moment.
    ran: Option<Ran>,
    /// CPU time of all that runs in its box, as last seen.
    cpu_seen: Duration,
    manners: Manners,
}

impl<'a> Chair<'a> {
    fn new(bot: &'a Bot, seed: i64, seat: u64) -> Chair<'a> {
        Chair {
            bot,
            dice: Dice::new((seed as u64).rotate_left(17) ^ seat),
            boxed: None,
            start: None,
            memory: None,
            pending: Vec::new(),
            stdout_open: false,
            stderr_open: false,
            exited: false,
            frozen: false,
            idle_since: None,
            asked: Instant::now(),
            stall_seen: Instant::now(),
            ran: None,
            cpu_seen: Duration::ZERO,
            manners: Manners::default(),
        }
    }

    /// Ends the input of the program and looks whether it goes by itself.
    pub(crate) fn farewell(&mut self) -> Manners {
        let Some(boxed) = self.boxed.as_mut().filter(|_| !self.exited) else { return self.manners };
        if std::mem::take(&mut self.frozen) {
            boxed.thaw();
        }
        boxed.stdin = None;
        let pidfd = boxed.pidfd();
        let mut fds = [PollFd::from_borrowed_fd(pidfd, PollFlags::IN)];
        let gone = poll(&mut fds, Some(&timespec(FAREWELL))).is_ok_and(|ready| ready > 0);
        self.manners.ends_with_input = Some(gone);
        self.manners
    }

    /// Counts an answer that came although the pipe still holds a part of the question.
    fn look_at_unread(&mut self) {
        let stdin = self.boxed.as_ref().and_then(|boxed| boxed.stdin.as_ref());
        let unread = stdin.and_then(|stdin| rustix::io::ioctl_fionread(stdin).ok()).unwrap_or(0);
        self.manners.unread += u32::from(unread > 0 || !self.pending.is_empty());
    }

    /// Asks the kernel how it runs, and notes the answer; none where the kernel does not say.
    fn look(&mut self) -> Option<Since> {
        let now = Ran::of(self.boxed.as_ref()?)?;
        let used = now.cpu.saturating_sub(std::mem::replace(&mut self.cpu_seen, now.cpu));
        let before = self.ran.replace(now);
        Some(Since { used, kept: before.map_or(Duration::ZERO, |before| now.kept_waiting_since(&before)) })
    }

    fn cpu(&self) -> Option<Duration> {
        self.boxed.as_ref().and_then(Boxed::cpu_time)
    }

    pub(crate) fn kill(&mut self) {
        if let Some(boxed) = &mut self.boxed {
            // The box forgets when it is gone.
            self.memory = boxed.peak_memory();
            boxed.kill();
        }
        self.boxed = None;
        self.exited = true;
    }
}

/// What a program did since the last look.
struct Since {
    /// CPU time of all that runs in its box.
    used: Duration,
    /// How long it wanted a core and had none; nothing at the first look.
    kept: Duration,
}

/// A match in progress.
pub(crate) struct Table<'a> {
    plan: &'a MatchPlan<'a>,
    heartbeat: Option<&'a Heartbeat>,
    epoch: Instant,
    pub(crate) referee: Referee,
    pub(crate) chairs: Vec<Chair<'a>>,
    buffer: Vec<u8>,
}

impl<'a> Table<'a> {
    pub(crate) fn new(
        plan: &'a MatchPlan<'a>,
        settings: Settings,
        heartbeat: Option<&'a Heartbeat>,
    ) -> Table<'a> {
        Table {
            plan,
            heartbeat,
            epoch: Instant::now(),
            referee: Referee::new(plan.game.start(plan.selected, plan.seed), settings),
            chairs: plan.bots.iter().zip(0..).map(|(bot, seat)| Chair::new(bot, plan.seed, seat)).collect(),
            buffer: vec![0; 64 << 10],
        }
    }

    fn now(&self) -> Duration {
        self.epoch.elapsed()
    }

    /// Starts the program of a seat, if it has one.
    pub(crate) fn start(&mut self, sandbox: &Sandbox, index: usize) {
        let seat = Seat(index as u8);
        let bot = self.chairs[index].bot;
        let program = match &bot.how {
            How::Program(program) => Ok(Some(Cow::Borrowed(program))),
            How::Builtin(builtin) => {
                builtin.program(self.plan.game, self.plan.selected).map(|program| program.map(Cow::Owned))
            }
        };
        let program = match program {
            Ok(Some(program)) => program,
            Ok(None) => return,
            Err(why) => return self.referee.void(why),
        };
        let mut limits = self.plan.limits.clone();
        limits.cores = self.plan.placement.bots.get(index).copied().into_iter().collect();
        let begun = Instant::now();
        match sandbox.start(&program, &limits) {
            Ok(boxed) => {
                let chair = &mut self.chairs[index];
                chair.start = Some(begun.elapsed());
                chair.boxed = Some(boxed);
                chair.stdout_open = true;
                chair.stderr_open = true;
            }
            Err(StartError::Ours(why)) => {
                self.referee.void(format!("player {seat} could not be started: {why}"));
            }
            Err(error) => {
                self.chairs[index].exited = true;
                let now = self.now();
                self.referee.stderr(seat, error.to_string().as_bytes());
                self.referee.gone(seat, now, None, Exit::NotStarted);
            }
        }
    }

    /// Plays to the end.
    pub(crate) fn run(&mut self, watcher: &mut dyn Watcher) {
        let mut answers = 0;
        loop {
            while let Some(command) = self.referee.poll() {
                match command {
                    Command::Ask(question) => self.ask(question),
                    Command::Kill(seat) => self.chairs[seat.index()].kill(),
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

    /// Hands a question over: a built-in answers at once, a program gets as much as its pipe takes.
    fn ask(&mut self, question: Question) {
        let Question { seat, text } = question;
        let now = self.now();
        let chair = &mut self.chairs[seat.index()];
        chair.asked = Instant::now();
        chair.stall_seen = chair.asked;
        chair.ran = None;
        if let How::Builtin(builtin @ (Builtin::Random | Builtin::Wait)) = chair.bot.how {
            let name = self.plan.game.info().name;
            let mut answer = builtin.answer(name, self.referee.play(), seat, &text, &mut chair.dice);
            answer.push(b'\n');
            self.referee.sent(seat, now, None);
            self.referee.stdout(seat, now, None, &answer);
            return;
        }
        chair.idle_since = None;
        if std::mem::take(&mut chair.frozen)
            && let Some(boxed) = &chair.boxed
        {
            boxed.thaw();
        }
        chair.pending = text.into_bytes();
        self.write(seat);
    }

    /// Writes what the pipe takes. The clock starts when all is written.
    fn write(&mut self, seat: Seat) {
        let chair = &mut self.chairs[seat.index()];
        let stdin = chair.boxed.as_ref().and_then(|boxed| boxed.stdin.as_ref());
        let mut written = 0;
        while let Some(stdin) = stdin
            && written < chair.pending.len()
        {
            match rustix::io::write(stdin, &chair.pending[written..]) {
                Ok(bytes) => written += bytes,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    chair.pending.drain(..written);
                    // A program that does not read must not stop the clock: it starts now at the latest.
                    break;
                }
                // It closed its input or has ended; its answer, its end or the deadline will tell.
                Err(_) => written = chair.pending.len(),
            }
        }
        if stdin.is_none() || written == chair.pending.len() {
            chair.pending.clear();
        }
        // A program that is only just being started has used nothing.
        let cpu = chair.cpu().or(chair.boxed.is_some().then_some(Duration::ZERO));
        let now = self.now();
        self.referee.sent(seat, now, cpu);
    }

    /// Waits until something happens or time is up, and hands it to the referee.
    fn listen(&mut self) {
        let thinking = self.referee.thinking();
        let deadline = self.referee.deadline().map(|deadline| self.epoch + deadline);
        let now = Instant::now();
        let others = deadline.into_iter().chain(self.freeze_at()).chain(self.look_at());
        let wake = others.fold(now + TICK, Instant::min).max(now);
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
            self.excuse(late);
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
        self.look();
        let now = self.now();
        if self.referee.deadline().is_some_and(|deadline| deadline <= now) {
            self.account_for_stalls();
            self.look_at_memory(now);
            let chairs = &self.chairs;
            self.referee.tick(now, |seat| chairs[seat.index()].cpu());
        }
        self.freeze();
    }

    /// What to listen to: all descriptors of programs that owe an answer.
    fn interests(&self) -> (Vec<(Seat, What)>, Vec<PollFd<'_>>) {
        let mut owners = Vec::with_capacity(16);
        let mut fds = Vec::with_capacity(16);
        for seat in self.referee.thinking() {
            let chair = &self.chairs[seat.index()];
            let Some(boxed) = &chair.boxed else { continue };
            let wanted = [
                (
                    What::Stdout,
                    boxed.stdout.as_ref().filter(|_| chair.stdout_open).map(AsFd::as_fd),
                    PollFlags::IN,
                ),
                (
                    What::Stderr,
                    boxed.stderr.as_ref().filter(|_| chair.stderr_open).map(AsFd::as_fd),
                    PollFlags::IN,
                ),
                (
                    What::Stdin,
                    boxed.stdin.as_ref().filter(|_| !chair.pending.is_empty()).map(AsFd::as_fd),
                    PollFlags::OUT,
                ),
                (What::End, (!chair.exited).then(|| boxed.pidfd()), PollFlags::IN),
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
        let chair = &mut self.chairs[seat.index()];
        if !self.referee.thinking().contains(seat) && chair.idle_since.is_none() {
            chair.idle_since = Some(Instant::now());
        }
    }

    fn read_stdout(&mut self, seat: Seat) {
        loop {
            let chair = &mut self.chairs[seat.index()];
            let Some(stdout) =
                chair.boxed.as_ref().and_then(|boxed| boxed.stdout.as_ref()).filter(|_| chair.stdout_open)
            else {
                return;
            };
            match rustix::io::read(stdout, &mut self.buffer) {
                Ok(0) => chair.stdout_open = false,
                Ok(bytes) => {
                    let now = self.epoch.elapsed();
                    let cpu = chair.cpu();
                    self.account_if_late(seat, now);
                    if self.plan.inspect {
                        self.chairs[seat.index()].look_at_unread();
                    }
                    self.referee.stdout(seat, now, cpu, &self.buffer[..bytes]);
                    // Less than there was room for: the pipe is empty.
                    if bytes < self.buffer.len() || !self.referee.thinking().contains(seat) {
                        return;
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => chair.stdout_open = false,
            }
        }
    }

    /// Takes what is there, but not for ever: a program may write faster than we read.
    fn read_stderr(&mut self, seat: Seat) {
        for _ in 0..16 {
            let chair = &mut self.chairs[seat.index()];
            let Some(stderr) =
                chair.boxed.as_ref().and_then(|boxed| boxed.stderr.as_ref()).filter(|_| chair.stderr_open)
            else {
                return;
            };
            match rustix::io::read(stderr, &mut self.buffer) {
                Ok(0) => chair.stderr_open = false,
                Ok(bytes) => self.referee.stderr(seat, &self.buffer[..bytes]),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => chair.stderr_open = false,
            }
        }
    }

    /// Goes on writing a question that did not fit in the pipe. The clock runs already.
    fn write_rest(&mut self, seat: Seat) {
        let chair = &mut self.chairs[seat.index()];
        let Some(stdin) = chair.boxed.as_ref().and_then(|boxed| boxed.stdin.as_ref()) else { return };
        match rustix::io::write(stdin, &chair.pending) {
            Ok(bytes) => drop(chair.pending.drain(..bytes)),
            Err(Errno::INTR | Errno::AGAIN) => {}
            Err(_) => chair.pending.clear(),
        }
    }

    /// The program has ended, and all it wrote was read.
    fn ended(&mut self, seat: Seat) {
        let now = self.now();
        let limit = self.plan.limits.memory;
        let chair = &mut self.chairs[seat.index()];
        let Some(boxed) = &mut chair.boxed else { return };
        let Some(exit) = boxed.try_wait() else { return };
        chair.exited = true;
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

    /// A program that is ended for its memory may take its time to go: it did not run out of time.
    fn look_at_memory(&mut self, now: Duration) {
        for seat in self.referee.thinking() {
            let exceeded = self.chairs[seat.index()].boxed.as_ref().is_some_and(Boxed::memory_exceeded);
            if exceeded {
                self.referee.out_of_memory(seat, now, None, self.plan.limits.memory);
            }
        }
    }

    /// A late answer may be the host's fault.
    fn account_if_late(&mut self, seat: Seat, now: Duration) {
        let limit = Duration::from_millis(u64::from(self.referee.settings().turn_ms));
        let asked = self.chairs[seat.index()].asked.duration_since(self.epoch);
        if now.saturating_sub(asked) > limit {
            self.account_for_stalls();
        }
    }

    /// We came late by so much: nobody is charged for it, but for what he did with the core meanwhile.
    fn excuse(&mut self, late: Duration) {
        for seat in self.referee.thinking() {
            let chair = &mut self.chairs[seat.index()];
            // It may have waited at the same time as we did: that counts once.
            let back = chair.look().map_or(late, |since| late.saturating_sub(since.used).max(since.kept));
            chair.stall_seen = Instant::now();
            self.referee.credit(seat, back);
        }
    }

    /// Time that a player was kept from running, or in which the whole host stood still, is not the player's.
    fn account_for_stalls(&mut self) {
        let mut longest = Duration::ZERO;
        for seat in self.referee.thinking() {
            let chair = &mut self.chairs[seat.index()];
            if chair.ran.is_some()
                && let Some(since) = chair.look()
            {
                longest = longest.max(since.kept);
                self.referee.credit(seat, since.kept);
            }
        }
        let Some(heartbeat) = self.heartbeat else { return };
        let now = Instant::now();
        let Some(since) = self.referee.thinking().map(|seat| self.chairs[seat.index()].stall_seen).min()
        else {
            return;
        };
        // A busy host delays the heartbeat as it delays the bots; that much is given back already.
        let stall = heartbeat.stalled_since(since).saturating_sub(longest);
        if !stall.is_zero() {
            self.referee.stalled(stall);
            for chair in &mut self.chairs {
                chair.stall_seen = now;
            }
        }
    }

    /// When to ask the kernel about a program that has been thinking for a moment. Those that answer at once are not worth it.
    fn look_at(&self) -> Option<Instant> {
        let chairs = self.referee.thinking().map(|seat| &self.chairs[seat.index()]);
        chairs
            .filter(|chair| chair.ran.is_none() && chair.boxed.is_some())
            .map(|chair| chair.asked + LOOK_AFTER)
            .min()
    }

    fn look(&mut self) {
        for seat in self.referee.thinking() {
            let chair = &mut self.chairs[seat.index()];
            if chair.ran.is_none()
                && chair.asked.elapsed() >= LOOK_AFTER
                && chair.boxed.is_some()
                && chair.look().is_none()
            {
                chair.ran = Some(Ran::untold());
            }
        }
    }

    /// When somebody who owes nothing is to be frozen.
    fn freeze_at(&self) -> Option<Instant> {
        if self.plan.ponder {
            return None;
        }
        let idle = self.chairs.iter().filter(|chair| !chair.frozen && !chair.exited && chair.boxed.is_some());
        idle.filter_map(|chair| chair.idle_since).min().map(|since| since + FREEZE_AFTER)
    }

    fn freeze(&mut self) {
        if self.plan.ponder {
            return;
        }
        for chair in &mut self.chairs {
            let due = chair.idle_since.is_some_and(|since| since.elapsed() >= FREEZE_AFTER);
            if due
                && !chair.frozen
                && !chair.exited
                && let Some(boxed) = &chair.boxed
            {
                boxed.freeze();
                chair.frozen = true;
            }
        }
    }
}

#[derive(Clone, Copy)]
enum What {
    Stdout,
    Stderr,
    Stdin,
    End,
}

#[derive(Clone, Copy, Default)]
struct Ready {
    stdout: bool,
    stderr: bool,
    stdin: bool,
    end: bool,
}

fn timespec(duration: Duration) -> Timespec {
    Timespec { tv_sec: duration.as_secs() as i64, tv_nsec: i64::from(duration.subsec_nanos()) }
}
