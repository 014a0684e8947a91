//! The host: its cores, and the detection of stalls.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The cores this process may use.
pub fn cores() -> Vec<usize> {
    let Ok(set) = sched_getaffinity(None) else { return vec![0] };
    (0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect()
}

/// The memory that new programs can use without swapping, in bytes; 0 if it is unknown.
pub fn available_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kilobytes = text.lines().find_map(|line| line.strip_prefix("MemAvailable:")?.strip_suffix("kB"));
    kilobytes.and_then(|number| number.trim().parse::<u64>().ok()).map_or(0, |number| number << 10)
}

/// The cores that a match uses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Placement {
    /// The core of the referee; any core if `None`.
    pub referee: Option<usize>,
    /// The core of each bot, by seat; any core if there is no entry.
    pub bots: Vec<usize>,
}

impl Placement {
    /// The placement of a single match on these cores.
    ///
    /// If players take turns, only one of all programs has work to do at any time, and a question costs 6 us on one
    /// core against 27 to 60 us across two: so all share a core. If they answer together, each bot has its own core
    /// as long as there are enough; otherwise the bots of a core are asked one after the other.
    pub fn of(simultaneous: bool, players: u8, cores: &[usize]) -> Placement {
        let Some(&last) = cores.last() else { return Placement::default() };
        if !simultaneous {
            return Placement { referee: Some(last), bots: vec![last; players as usize] };
        }
        let bots = cores.iter().rev().copied().cycle().take(players as usize).collect();
        Placement { referee: None, bots }
    }
}

/// Keeps this thread on some cores until it is dropped.
#[derive(Debug)]
pub struct Pinned(Option<CpuSet>);

impl Pinned {
    /// Keeps this thread on these cores. If that fails it stays where it is.
    pub fn to(cores: &[usize]) -> Pinned {
        let mut only = CpuSet::new();
        cores.iter().filter(|&&core| core < CpuSet::MAX_CPU).for_each(|&core| only.set(core));
        let before = sched_getaffinity(None).ok();
        Pinned(before.filter(|_| sched_setaffinity(None, &only).is_ok()))
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            // If this fails the thread stays on its cores, which is harmless.
            let _ = sched_setaffinity(None, before);
        }
    }
}

/// A thread that only sleeps and reads the clock: when it wakes up late, the host was stalled.
#[derive(Debug)]
pub struct Heartbeat {
    stalls: Arc<Mutex<VecDeque<(Instant, Duration)>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Heartbeat {
    const BEAT: Duration = Duration::from_millis(2);
    /// Waking up later than this is a stall.
    const LATE: Duration = Duration::from_millis(8);
    const KEPT: usize = 256;

    /// Starts the thread.
    pub fn start() -> Heartbeat {
        let stalls = Arc::new(Mutex::new(VecDeque::new()));
        let stop = Arc::new(AtomicBool::new(false));
        let (kept, stopped) = (Arc::clone(&stalls), Arc::clone(&stop));
        let thread = std::thread::Builder::new().name("heartbeat".into()).spawn(move || {
            let mut last = Instant::now();
            while !stopped.load(Ordering::Relaxed) {
                std::thread::sleep(Self::BEAT);
                let now = Instant::now();
                let gap = now.duration_since(last).saturating_sub(Self::BEAT);
                if gap > Self::LATE {
                    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                    kept.push_back((now, gap));
                    if kept.len() > Self::KEPT {
                        kept.pop_front();
                    }
                }
                last = now;
            }
        });
        // Without the thread stalls are not noticed; matches are played anyway.
        Heartbeat { stalls, stop, thread: thread.ok() }
    }

    /// For how long the host was stalled since then.
    pub fn stalled_since(&self, since: Instant) -> Duration {
        let stalls = self.stalls.lock().unwrap_or_else(PoisonError::into_inner);
        stalls
            .iter()
            .filter(|(at, _)| *at > since)
            .map(|(at, gap)| (*gap).min(at.duration_since(since)))
            .sum()
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // The thread sleeps for at most 2 ms; a panic in it would have been printed.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_that_take_turns_share_a_core() {
        assert_eq!(Placement::of(false, 2, &[0, 1]), Placement { referee: Some(1), bots: vec![1, 1] });
        assert_eq!(Placement::of(true, 3, &[0, 1]), Placement { referee: None, bots: vec![1, 0, 1] });
        assert_eq!(Placement::of(true, 2, &[]), Placement::default());
    }

    #[test]
    fn this_process_may_use_a_core_and_memory() {
        assert!(!cores().is_empty());
        assert!(available_memory() > 1 << 20);
    }
}
