//! Checks which sandbox mechanisms work on this host.

use std::fmt;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::bwrap::Bwrap;
use crate::cgroup::{Trees, Version};
use crate::confine;
use crate::sandbox::BWRAP_INSTALL;
use crate::seccomp::{self, Sight};
use crate::spawn::landlock_version;
use crate::users;
use crate::{Level, Sandbox};

/// The duration of each clock measurement.
const WATCH: Duration = Duration::from_secs(1);
/// The shortest step between two readings of the clock that counts as an interruption, in nanoseconds; reading the
/// clock takes less.
const STEP: u64 = 1_000;

/// A mechanism of a sandbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mechanism {
    /// Its name.
    pub name: String,
    /// Whether it works here.
    pub works: bool,
    /// What was found or is missing.
    pub detail: String,
    /// The command that installs it, where there is one.
    pub install: Option<String>,
}

/// Whether this host reaches a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reach {
    /// The level.
    pub level: Level,
    /// The missing parts; empty when a program has run in such a sandbox.
    pub missing: Vec<String>,
    /// The time to start and end a small program in such a sandbox, in microseconds: the median of a few runs.
    pub start_us: Option<u64>,
}

/// The noise of this host's clock, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockNoise {
    /// The median delay of a sleep of a millisecond.
    pub p50: u64,
    /// The 99th percentile of the delay.
    pub p99: u64,
    /// The maximum delay.
    pub max: u64,
    /// The longest interruption of a program that reads the clock without pause.
    pub stall_max: u64,
    /// The share of time lost to interruptions, in millionths.
    pub stalled_ppm: u64,
}

impl ClockNoise {
    /// Whether other programs keep a busy program waiting for more than 5 % of the time, or for 20 ms at once.
    pub fn is_busy(&self) -> bool {
        self.stalled_ppm > 50_000 || self.stall_max > 20_000_000
    }
}

/// The sandbox mechanisms that work on this host, and the missing ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The best level of this host; [`Level::None`] when it supports no sandbox.
    pub level: Level,
    /// Each level, strongest first.
    pub levels: Vec<Reach>,
    /// Each mechanism.
    pub mechanisms: Vec<Mechanism>,
    /// The noise of the clock.
    pub clock: ClockNoise,
    /// The cores that this process may use.
    pub cores: usize,
    /// The number of bots that can run at once, each on its own core, with a core left for the referee.
    pub bots_at_once: usize,
    /// The kernel version (`uname -r`).
    pub kernel: String,
}

/// Checks this host. Takes about two seconds, because of the clock measurements.
pub fn doctor() -> Report {
    let levels: Vec<Reach> = [Level::A, Level::B, Level::C].into_iter().map(reach).collect();
    let best = levels.iter().find(|reach| reach.missing.is_empty());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Report {
        level: best.map_or(Level::None, |reach| reach.level),
        levels,
        mechanisms: mechanisms(),
        clock: watch_clock(),
        cores,
        bots_at_once: cores.saturating_sub(1).max(1),
        kernel: rustix::system::uname().release().to_string_lossy().into_owned(),
    }
}

fn reach(level: Level) -> Reach {
    const STARTS: usize = 5;
    let sandbox = match Sandbox::new(Some(level)) {
        Ok(sandbox) => sandbox,
        Err(not) => return Reach { level, missing: not.missing, start_us: None },
    };
    let mut times: Vec<Duration> = (0..STARTS)
        .filter_map(|_| {
            let began = Instant::now();
            sandbox.prove().ok().map(|()| began.elapsed())
        })
        .collect();
    times.sort();
    Reach {
        level,
        missing: Vec::new(),
        start_us: times.get(times.len() / 2).map(|time| time.as_micros() as u64),
    }
}

fn mechanisms() -> Vec<Mechanism> {
    let root = users::are_ours();
    let mechanism = |name: &str, works: bool, detail: String| Mechanism {
        name: name.into(),
        works,
        detail,
        install: None,
    };
    let bwrap = Bwrap::find();
    let wrapped = match &bwrap {
        Some(bwrap) => {
            let version = bwrap.version().unwrap_or_else(|error| error.to_string());
            let note = if bwrap.is_setuid() { ", with root's rights set on the file" } else { "" };
            mechanism("bubblewrap", true, format!("{version} at {}{note}", bwrap.program.display()))
        }
        None => Mechanism {
            install: Some(BWRAP_INSTALL.into()),
            ..mechanism("bubblewrap", false, "not installed: levels a and b need it".into())
        },
    };
    let namespaces = std::fs::read_to_string("/proc/sys/user/max_user_namespaces").unwrap_or_default();
    let namespaces = namespaces.trim();
    let allowed = namespaces != "0" && !namespaces.is_empty();
    let trees = Trees::find();
    let group = |name: &str, controller: &str, version: Option<Version>| {
        let detail = match version {
            Some(Version::One) => "control group version 1".into(),
            Some(Version::Two) => "control group version 2".into(),
            None => trees.why_not(controller),
        };
        mechanism(name, version.is_some(), detail)
    };
    let (kills, freezes) = trees.kills_and_freezes();
    let at_once = |works: bool, otherwise: &str| {
        if works { "control group version 2, at once".to_owned() } else { format!("by signals, {otherwise}") }
    };
    let landlock = landlock_version();
    let seccomp =
        std::fs::read_to_string("/proc/self/status").is_ok_and(|status| status.contains("Seccomp:"));
    vec![
        mechanism("root", root, if root { "yes".into() } else { "no: level a needs it".into() }),
        wrapped,
        mechanism("user namespaces", allowed, format!("at most {namespaces}")),
        group("memory of a box", "memory", trees.memory()),
        group("processes of a box", "pids", trees.pids()),
        group("cores of a box", "cpuset", trees.cpuset()),
        mechanism("kill a box", kills, at_once(kills, "which works as well")),
        mechanism("freeze a box", freezes, at_once(freezes, "which works as well")),
        mechanism(
            "landlock",
            landlock >= confine::NEEDED,
            format!("version {landlock}; level c needs {}", confine::NEEDED),
        ),
        mechanism(
            "seccomp",
            seccomp && seccomp::filter(Sight::Apart, false).is_some(),
            std::env::consts::ARCH.to_owned(),
        ),
    ]
}

/// Measures the clock: half of the time with short sleeps, half by reading the clock without pause.
pub fn watch_clock() -> ClockNoise {
    let began = Instant::now();
    let mut late = Vec::with_capacity(1024);
    while began.elapsed() < WATCH {
        let asked = Duration::from_millis(1);
        let before = Instant::now();
        std::thread::sleep(asked);
        late.push(before.elapsed().saturating_sub(asked).as_nanos() as u64);
    }
    late.sort_unstable();
    let at = |share: usize| late.get((late.len().saturating_sub(1)) * share / 100).copied().unwrap_or(0);
    let (mut longest, mut total) = (0, 0);
    let began = Instant::now();
    let mut last = began;
    while last.duration_since(began) < WATCH {
        let now = Instant::now();
        let step = now.duration_since(last).as_nanos() as u64;
        if step > STEP {
            longest = longest.max(step);
            total += step;
        }
        last = now;
    }
    ClockNoise {
        p50: at(50),
        p99: at(99),
        max: at(100),
        stall_max: longest,
        stalled_ppm: total * 1_000_000 / WATCH.as_nanos() as u64,
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.level {
            Level::None => {
                writeln!(f, "This host has no box for programs: only your own bots should run here.")?;
            }
            level => writeln!(f, "Box level {level} ({}).", explain(level))?,
        }
        writeln!(f)?;
        for reach in &self.levels {
            let (mark, what) = match (&reach.missing[..], reach.start_us) {
                ([], Some(time)) => ("yes", format!("a small program takes {:.1} ms", time as f64 / 1000.0)),
                ([], None) => ("yes", String::new()),
                (missing, _) => ("no", missing.join("; ")),
            };
            writeln!(f, "  level {:<22} {mark:<4} {what}", reach.level)?;
        }
        for mechanism in &self.mechanisms {
            let mark = if mechanism.works { "yes" } else { "no" };
            writeln!(f, "  {:<28} {mark:<4} {}", mechanism.name, mechanism.detail)?;
            if let Some(install) = &mechanism.install {
                writeln!(f, "  {:<28}      install it: {install}", "")?;
            }
        }
        let clock = &self.clock;
        let us = |nanoseconds: u64| nanoseconds as f64 / 1000.0;
        writeln!(
            f,
            "\nClock: a sleep of 1 ms ends {:.0} us late (median), {:.0} us (99 %), {:.0} us (worst);",
            us(clock.p50),
            us(clock.p99),
            us(clock.max)
        )?;
        writeln!(
            f,
            "a busy program is kept waiting for at most {:.0} us, {:.2} % of the time.",
            us(clock.stall_max),
            clock.stalled_ppm as f64 / 10_000.0
        )?;
        if clock.is_busy() {
            writeln!(
                f,
                "This host is too busy for clocks of wall time: stop other programs, or play with --clock cpu."
            )?;
        }
        writeln!(
            f,
            "Cores: {}; bots at once, each on a core of its own: {}. Linux {}.",
            self.cores, self.bots_at_once, self.kernel
        )
    }
}

fn explain(level: Level) -> &'static str {
    match level {
        Level::A => "fit for programs of strangers",
        Level::B => "memory is limited per process; fit for programs of people you know",
        Level::C => {
            "files, network and system calls are closed off; fit for your own programs and those of friends"
        }
        Level::None => "plain processes",
    }
}
