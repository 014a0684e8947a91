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
    /// Its core; any core if `None`.
    pub(crate) core: Option<usize>,
    /// Whether it may run while it owes no answer.
    pub(crate) ponders: bool,
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
    /// The first sample of its scheduling since it was asked.
    pub(crate) first: Option<SchedStat>,
    /// The last sample of its scheduling since it was asked.
    pub(crate) ran: Option<SchedStat>,
    /// How long other programs have kept it from running since it was asked, as far as it was credited.
    pub(crate) kept: Duration,
    /// The sample in which it was ready to run when its time was over.
    pub(crate) probe: Option<SchedStat>,
    /// How long its deadline was moved because of such samples since it was asked.
    pub(crate) probed: Duration,
    /// Time since it was asked that it is not charged for.
    pub(crate) free: Duration,
    /// CPU time of the program when it was asked.
    pub(crate) cpu_asked: Option<Duration>,
    /// CPU time of the program when it was last measured: when it was asked, or at a look for its answer.
    pub(crate) cpu_looked: Option<Duration>,
    /// The time of that measurement.
    pub(crate) cpu_looked_at: Instant,
    /// The same for all processes in its sandbox; `None` if it was not measured since its question.
    pub(crate) all_cpu_looked: Option<Duration>,
    pub(crate) compliance: Compliance,
}

impl<'a> PlayerProcess<'a> {
    /// `number` is that of the continuation of a recorded match, 0 otherwise.
    pub(crate) fn new(bot: &'a Bot, seed: i64, seat: u64, number: u64) -> PlayerProcess<'a> {
        PlayerProcess {
            bot,
            dice: Dice::new((seed as u64).rotate_left(17) ^ seat ^ number.rotate_left(40)),
            boxed: None,
            core: None,
            ponders: true,
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
            first: None,
            ran: None,
            kept: Duration::ZERO,
            probe: None,
            probed: Duration::ZERO,
            free: Duration::ZERO,
            cpu_asked: None,
            cpu_looked: None,
            cpu_looked_at: Instant::now(),
            all_cpu_looked: None,
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

    /// Whether it is to be frozen while it owes no answer.
    pub(crate) fn may_be_frozen(&self) -> bool {
        !self.ponders && !self.frozen && !self.exited && self.boxed.is_some()
    }

    /// Stops the program until [`PlayerProcess::thaw`], unless it may ponder.
    pub(crate) fn freeze(&mut self) {
        if self.may_be_frozen()
            && let Some(boxed) = &self.boxed
        {
            boxed.freeze();
            self.frozen = true;
        }
    }

    /// Lets a frozen program run again.
    pub(crate) fn thaw(&mut self) {
        if std::mem::take(&mut self.frozen)
            && let Some(boxed) = &self.boxed
        {
            boxed.thaw();
        }
    }

    /// Returns the part of a span that it is not charged for. It is charged at least for its CPU time: spans in which it
    /// and this thread waited at the same time count once.
    pub(crate) fn give(&mut self, span: Duration) -> Duration {
        let used =
            self.cpu().zip(self.cpu_asked).map_or(Duration::ZERO, |(now, asked)| now.saturating_sub(asked));
        let idle = self.asked.elapsed().saturating_sub(used);
        let given = span.min(idle.saturating_sub(self.free));
        self.free += given;
        given
    }

    /// Forgets all measurements: a question is about to be written.
    pub(crate) fn ask(&mut self) {
        self.asked = Instant::now();
        self.stall_seen = self.asked;
        (self.first, self.ran, self.probe) = (None, None, None);
        (self.kept, self.probed, self.free) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    }

    /// Counts an answer that came although the pipe still holds a part of the question.
    pub(crate) fn count_unread(&mut self) {
        let stdin = self.boxed.as_ref().and_then(|boxed| boxed.stdin.as_ref());
        let unread = stdin.and_then(|stdin| rustix::io::ioctl_fionread(stdin).ok()).unwrap_or(0);
        self.compliance.unread += u32::from(unread > 0 || !self.pending.is_empty());
    }

    /// Samples the scheduling of the program and returns how long it was ready to run and had no core since the last
    /// sample, zero at the first sample; `None` if the kernel does not report it.
    pub(crate) fn sample(&mut self) -> Option<Duration> {
        let now = SchedStat::of(self.boxed.as_ref()?)?;
        self.ran = Some(now);
        let total = now.kept_waiting_since(self.asked, self.first.get_or_insert(now));
        let kept = total.saturating_sub(self.kept);
        self.kept = self.kept.max(total);
        Some(self.give(kept))
    }

    /// CPU time of the program.
    pub(crate) fn cpu(&self) -> Option<Duration> {
        self.boxed.as_ref().and_then(Boxed::cpu_time)
    }

    /// CPU time of all processes in its sandbox, where it is known.
    pub(crate) fn cpu_of_all(&self) -> Option<Duration> {
        self.boxed.as_ref().and_then(Boxed::cpu_time_of_all)
    }

    /// Measures its CPU time at a look for its answer.
    pub(crate) fn remember_look(&mut self, at: Instant) {
        self.cpu_looked = self.cpu();
        self.all_cpu_looked = self.cpu_of_all();
        self.cpu_looked_at = at;
    }

    /// The time since its CPU time was last measured in which it did not run.
    pub(crate) fn idle_since_look(&self, now: Instant) -> Duration {
        let used = |now: Option<Duration>, seen: Option<Duration>| {
            now.zip(seen).map_or(Duration::ZERO, |(now, seen)| now.saturating_sub(seen))
        };
        let used = used(self.cpu(), self.cpu_looked).max(used(self.cpu_of_all(), self.all_cpu_looked));
        now.saturating_duration_since(self.cpu_looked_at).saturating_sub(used)
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

pub(crate) fn timespec(duration: Duration) -> Timespec {
    Timespec { tv_sec: duration.as_secs() as i64, tv_nsec: i64::from(duration.subsec_nanos()) }
}
