//! The process of one player.

use std::time::{Duration, Instant};

use game::Dice;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use sandbox::Boxed;
use toolchain::Bot;

use crate::runner::Compliance;
use crate::sched_stat::SchedStat;

/// A program whose input has ended should have ended after this time.
const END_WAIT: Duration = Duration::from_secs(1);

/// The bot of a seat and its process.
pub(crate) struct PlayerProcess<'a> {
    pub(crate) bot: &'a Bot,
    pub(crate) dice: Dice,
    pub(crate) boxed: Option<Boxed>,
    pub(crate) start: Option<Duration>,
    pub(crate) memory: Option<u64>,
    /// The rest of the question, still to be written.
    pub(crate) pending: Vec<u8>,
    pub(crate) stdout_open: bool,
    pub(crate) stderr_open: bool,
    pub(crate) exited: bool,
    pub(crate) frozen: bool,
    /// The time of its last answer, while it owes none.
    pub(crate) idle_since: Option<Instant>,
    /// The time of its last question.
    pub(crate) asked: Instant,
    /// Stalls of the host before this moment are credited.
    pub(crate) stall_seen: Instant,
    /// The last sample of its scheduling since it was asked.
    pub(crate) ran: Option<SchedStat>,
    /// CPU time of all processes in its sandbox at the last sample.
    pub(crate) cpu_seen: Duration,
    pub(crate) compliance: Compliance,
}

impl<'a> PlayerProcess<'a> {
    pub(crate) fn new(bot: &'a Bot, seed: i64, seat: u64) -> PlayerProcess<'a> {
        PlayerProcess {
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
            compliance: Compliance::default(),
        }
    }

    /// Closes the input of the program and waits a moment: the program should end by itself.
    pub(crate) fn close_and_wait(&mut self) -> Compliance {
        let Some(boxed) = self.boxed.as_mut().filter(|_| !self.exited) else { return self.compliance };
        if std::mem::take(&mut self.frozen) {
            boxed.thaw();
        }
        boxed.stdin = None;
        let pidfd = boxed.pidfd();
        let mut fds = [PollFd::from_borrowed_fd(pidfd, PollFlags::IN)];
        let gone = poll(&mut fds, Some(&timespec(END_WAIT))).is_ok_and(|ready| ready > 0);
        self.compliance.ends_with_input = Some(gone);
        self.compliance
    }

    /// Counts an answer that came although the pipe still holds a part of the question.
    pub(crate) fn count_unread(&mut self) {
        let stdin = self.boxed.as_ref().and_then(|boxed| boxed.stdin.as_ref());
        let unread = stdin.and_then(|stdin| rustix::io::ioctl_fionread(stdin).ok()).unwrap_or(0);
        self.compliance.unread += u32::from(unread > 0 || !self.pending.is_empty());
    }

    /// Samples the scheduling of the program and returns the difference to the last sample; `None` if the kernel does
    /// not report it.
    pub(crate) fn sample(&mut self) -> Option<Since> {
        let now = SchedStat::of(self.boxed.as_ref()?)?;
        let used = now.cpu.saturating_sub(std::mem::replace(&mut self.cpu_seen, now.cpu));
        let before = self.ran.replace(now);
        Some(Since { used, kept: before.map_or(Duration::ZERO, |before| now.kept_waiting_since(&before)) })
    }

    /// CPU time of the program.
    pub(crate) fn cpu(&self) -> Option<Duration> {
        self.boxed.as_ref().and_then(Boxed::cpu_time)
    }

    /// Kills the program and all its children.
    pub(crate) fn kill(&mut self) {
        if let Some(boxed) = &mut self.boxed {
            // The numbers are read first: a sandbox that was removed has none.
            self.memory = boxed.peak_memory();
            boxed.kill();
        }
        self.boxed = None;
        self.exited = true;
    }
}

/// The difference between two samples of a program.
pub(crate) struct Since {
    /// CPU time of all processes in its sandbox.
    pub(crate) used: Duration,
    /// How long it was ready to run and had no core; zero at the first sample.
    pub(crate) kept: Duration,
}

pub(crate) fn timespec(duration: Duration) -> Timespec {
    Timespec { tv_sec: duration.as_secs() as i64, tv_nsec: i64::from(duration.subsec_nanos()) }
}
