//! What works on this host and what is missing.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Level;

/// One mechanism a box is built from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mechanism {
    /// What it is called.
    pub name: String,
    /// Whether it works here.
    pub works: bool,
    /// What was found, or what is missing.
    pub detail: String,
    /// The command that installs it, where there is one.
    pub install: Option<String>,
}

/// How noisy the clock of this host is, in nanoseconds beyond what was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockNoise {
    /// Half of the gaps were shorter.
    pub p50: u64,
    /// Of a hundred gaps, one was longer.
    pub p99: u64,
    /// The longest gap.
    pub max: u64,
}

/// What works on this host and what is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The best level this host reaches.
    pub level: Level,
    /// Each mechanism.
    pub mechanisms: Vec<Mechanism>,
    /// How noisy the clock is.
    pub clock: ClockNoise,
    /// Cores this process may use.
    pub cores: usize,
    /// How many bots can run at once, each on a core of its own.
    pub bots_at_once: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "box level {}", self.level)
    }
}

/// Looks at this host. Takes about a second, for the clock.
pub fn doctor() -> Report {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Report {
        level: Level::None,
        mechanisms: Vec::new(),
        clock: ClockNoise::default(),
        cores,
        bots_at_once: cores.saturating_sub(1).max(1),
    }
}
