//! Samples of the scheduling of a program: whether other programs kept it from running.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::time::{Duration, Instant};

use sandbox::Boxed;

/// A sample of the scheduling of a program.
#[derive(Clone, Copy)]
pub(crate) struct SchedStat {
    at: Instant,
    /// How long its first thread was ready to run and had no core. A wait that is not over is not included.
    waited: Duration,
    /// How often its first thread got a core.
    runs: u64,
    /// CPU time of the other threads and processes in its sandbox, where it is known.
    beside: Option<Duration>,
    /// CPU time of all processes in its sandbox.
    cpu: Duration,
    /// Whether its first thread is ready to run now: it runs, or it waits for a core.
    runnable: bool,
}

/// The numbers of a sample belong together if they were read within this time.
const AT_ONCE: Duration = Duration::from_micros(500);
/// The most attempts to read them within that time.
const TRIES: u32 = 5;

impl SchedStat {
    pub(crate) fn of(boxed: &Boxed) -> Option<SchedStat> {
        let mut tries = 0;
        loop {
            let begun = Instant::now();
            let sample = SchedStat::read(boxed)?;
            tries += 1;
            // Between two reads this thread may have been kept from running, while the program ran on.
            if begun.elapsed() < AT_ONCE || tries == TRIES {
                return Some(sample);
            }
        }
    }

    fn read(boxed: &Boxed) -> Option<SchedStat> {
        let pid = boxed.pid()?;
        let all = boxed.cpu_time_of_all();
        let schedule = std::fs::read_to_string(format!("/proc/{pid}/schedstat")).ok()?;
        let mut numbers = schedule.split_whitespace().map(str::parse::<u64>);
        let [ran, waited, runs] = [numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?];
        let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The state is after the name, which is in brackets and may contain any character.
        let runnable = status.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('R'));
        Some(SchedStat {
            at: Instant::now(),
            waited: Duration::from_nanos(waited),
            runs,
            beside: all.map(|all| all.saturating_sub(Duration::from_nanos(ran))),
            cpu: all.or_else(|| boxed.cpu_time())?,
            runnable,
        })
    }

    /// The sample of a kernel that does not report scheduling: a later sample never shows a wait after it.
    pub(crate) fn untold() -> SchedStat {
        SchedStat {
            at: Instant::now(),
            waited: Duration::MAX,
            runs: 0,
            beside: None,
            cpu: Duration::MAX,
            runnable: false,
        }
    }

    /// How long other programs kept the program from running since it was asked, where `before` is its first sample
    /// since then. Only time in which it was ready to run counts, never time in which it slept. Its own threads and
    /// children do not count.
    pub(crate) fn kept_waiting_since(&self, asked: Instant, before: &SchedStat) -> Duration {
        let wall = self.at.saturating_duration_since(asked);
        // At most the time in which no process of the sandbox ran.
        let idle = wall.saturating_sub(self.cpu.saturating_sub(before.cpu));
        // While another thread or process of the sandbox had the core, that one kept it from running.
        let beside = self.beside.zip(before.beside).map(|(now, before)| now.saturating_sub(before));
        let waited = self.waited.saturating_sub(before.waited);
        waited.saturating_sub(beside.unwrap_or_default()).min(idle)
    }

    /// Whether the program may have waited for a core since an earlier sample without a break: the kernel reports a
    /// wait when it is over.
    pub(crate) fn may_wait_since(&self, before: &SchedStat) -> bool {
        self.runnable && self.runs == before.runs && self.cpu == before.cpu
    }

    /// Whether the program is ready to run: it runs, or it waits for a core.
    pub(crate) fn is_runnable(&self) -> bool {
        self.runnable
    }
}

/// How long a thread of ours was ready to run and had no core.
pub(crate) struct OwnWait(Option<File>);

impl OwnWait {
    /// The counter of the thread that calls this.
    pub(crate) fn of_this_thread() -> OwnWait {
        OwnWait(File::open("/proc/thread-self/schedstat").ok())
    }

    /// The total so far; `None` if the kernel does not report it.
    pub(crate) fn read(&self) -> Option<Duration> {
        let mut text = [0; 96];
        let length = self.0.as_ref()?.read_at(&mut text, 0).ok()?;
        let text = std::str::from_utf8(&text[..length]).ok()?;
        text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sample by its milliseconds: the time, the wait of the first thread, its CPU time, that of the others.
    fn ran(at: Instant, ms: [u64; 4], runnable: bool) -> SchedStat {
        let [after, waited, first, beside] = ms.map(Duration::from_millis);
        let runs = first.as_millis() as u64;
        SchedStat { at: at + after, waited, runs, beside: Some(beside), cpu: first + beside, runnable }
    }

    #[test]
    fn only_waits_caused_by_other_programs_are_credited() {
        let start = Instant::now();
        let before = ran(start, [0, 5, 10, 0], false);
        let kept = |ms, runnable| ran(start, ms, runnable).kept_waiting_since(start, &before).as_millis();
        // It waited for 30 ms of 50 and ran for 20.
        assert_eq!(kept([50, 35, 30, 0], false), 30);
        // Its own children kept the core busy while it waited.
        assert_eq!(kept([50, 35, 30, 30], false), 0);
        // It slept for 50 ms of 100, then it and its child ran for 25 ms each.
        assert_eq!(kept([100, 30, 35, 25], false), 0);
        // It sleeps voluntarily.
        assert_eq!(kept([50, 5, 10, 0], false), 0);
        // It slept and is now ready to run: the time in which it slept is not given back.
        assert_eq!(kept([50, 5, 10, 0], true), 0);
        assert_eq!(kept([50, 6, 10, 0], true), 1);
        // With a kernel that does not report scheduling, no time is credited.
        let untold = SchedStat::untold();
        assert_eq!(ran(start, [50, 35, 30, 0], false).kept_waiting_since(start, &untold).as_millis(), 0);
    }

    #[test]
    fn a_wait_that_is_not_over_is_recognised() {
        let start = Instant::now();
        let before = ran(start, [0, 5, 10, 0], true);
        assert!(ran(start, [2, 5, 10, 0], true).may_wait_since(&before));
        // It sleeps, it has run, or its child has.
        assert!(!ran(start, [2, 5, 10, 0], false).may_wait_since(&before));
        assert!(!ran(start, [2, 6, 11, 0], true).may_wait_since(&before));
        assert!(!ran(start, [2, 5, 10, 2], true).may_wait_since(&before));
    }

    #[test]
    fn the_wait_of_this_thread_is_read() {
        let own = OwnWait::of_this_thread();
        let first = own.read().unwrap();
        assert!(own.read().unwrap() >= first);
    }
}
