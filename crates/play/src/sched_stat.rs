//! Samples of the scheduling of a program: whether other programs kept it from running.

use std::time::{Duration, Instant};

use sandbox::Boxed;

/// A sample of the scheduling of a program.
#[derive(Clone, Copy)]
pub(crate) struct SchedStat {
    at: Instant,
    /// How long it was ready to run and had no core.
    waited: Duration,
    /// CPU time of all processes in its sandbox.
    pub(crate) cpu: Duration,
    /// Whether it is ready to run now. A wait that is not over is not in `waited` yet.
    runnable: bool,
}

impl SchedStat {
    pub(crate) fn of(boxed: &Boxed) -> Option<SchedStat> {
        let schedule = std::fs::read_to_string(format!("/proc/{}/schedstat", boxed.pid()?)).ok()?;
        let waited = Duration::from_nanos(schedule.split(' ').nth(1)?.parse().ok()?);
        let status = std::fs::read_to_string(format!("/proc/{}/stat", boxed.pid()?)).ok()?;
        // The state is after the name, which is in brackets and may contain any character.
        let runnable = status.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('R'));
        let cpu = boxed.cpu_time_of_all().or_else(|| boxed.cpu_time())?;
        Some(SchedStat { at: Instant::now(), waited, cpu, runnable })
    }

    /// The sample of a kernel that does not report scheduling: a later sample never shows a wait after it.
    pub(crate) fn untold() -> SchedStat {
        SchedStat { at: Instant::now(), waited: Duration::MAX, cpu: Duration::MAX, runnable: false }
    }

    /// How long other programs kept the program from running since an earlier sample. Its own threads and children do
    /// not count.
    pub(crate) fn kept_waiting_since(&self, before: &SchedStat) -> Duration {
        let wall = self.at.duration_since(before.at);
        let others = wall.saturating_sub(self.cpu.saturating_sub(before.cpu));
        // At most the time in which it did not run.
        if self.runnable { others } else { self.waited.saturating_sub(before.waited).min(others) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(at: Instant, ms: [u64; 3], runnable: bool) -> SchedStat {
        let [after, waited, cpu] = ms.map(Duration::from_millis);
        SchedStat { at: at + after, waited, cpu, runnable }
    }

    #[test]
    fn only_waits_caused_by_other_programs_are_credited() {
        let start = Instant::now();
        let before = ran(start, [0, 5, 10], false);
        let kept = |ms, runnable| ran(start, ms, runnable).kept_waiting_since(&before).as_millis();
        // It waited for 30 ms of 50 and ran for 20.
        assert_eq!(kept([50, 35, 30], false), 30);
        // Its own children kept the core busy while it waited.
        assert_eq!(kept([50, 35, 60], false), 0);
        // It sleeps voluntarily.
        assert_eq!(kept([50, 5, 10], false), 0);
        // It still waits: the kernel has not counted that yet.
        assert_eq!(kept([50, 5, 10], true), 50);
        // With a kernel that does not report scheduling, no time is credited.
        let untold = SchedStat { at: start, ..SchedStat::untold() };
        assert_eq!(ran(start, [50, 35, 30], false).kept_waiting_since(&untold).as_millis(), 0);
    }
}
