//! Clocks: how much time a player has, and which time counts.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How time is kept. Time runs from the last byte written to a program to the line feed of its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Clock {
    /// Like the contest sites: a program is killed at the limit plus a grace. An answer within the grace is an overrun, and too
    /// many overruns are a timeout.
    Site {
        /// Milliseconds after the limit at which a program is killed.
        grace_ms: u64,
        /// The overrun with this number is a timeout.
        overruns: u32,
    },
    /// Killed at the limit.
    Strict,
    /// What an answer takes beyond the limit is taken from a bank that lasts for the whole match.
    Bank {
        /// Milliseconds in the bank at the start.
        bank_ms: u64,
    },
    /// Only the program's own CPU time counts; a limit on wall time catches programs that sleep.
    Cpu {
        /// The limit on wall time as a multiple of the limit on CPU time.
        guard_factor: u32,
        /// The least limit on wall time, in milliseconds.
        guard_min_ms: u64,
    },
    /// No limit.
    Off,
}

impl Clock {
    /// The clock of the contest sites, as measured there.
    pub const SITE: Clock = Clock::Site { grace_ms: 50, overruns: 3 };
    /// A bank of ten usual turns.
    pub const BANK: Clock = Clock::Bank { bank_ms: 500 };
    /// CPU time with a generous limit on wall time.
    pub const CPU: Clock = Clock::Cpu { guard_factor: 20, guard_min_ms: 2000 };

    /// How long to wait for an answer, after the last byte of the question, given what is left in the bank.
    pub(crate) fn patience(self, limit: Duration, bank: Duration) -> Option<Duration> {
        match self {
            Clock::Site { grace_ms, .. } => Some(limit + Duration::from_millis(grace_ms)),
            Clock::Strict | Clock::Cpu { .. } => Some(limit),
            Clock::Bank { .. } => Some(limit + bank),
            Clock::Off => None,
        }
    }

    /// The limit on wall time where CPU time counts.
    pub(crate) fn guard(self, limit: Duration) -> Option<Duration> {
        match self {
            Clock::Cpu { guard_factor, guard_min_ms } => {
                Some((limit * guard_factor).max(Duration::from_millis(guard_min_ms)))
            }
            _ => None,
        }
    }
}

/// A clock that does not exist.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no clock `{0}`; choose one of: site, strict, bank, bank=MS, cpu, off")]
pub struct ClockError(String);

impl FromStr for Clock {
    type Err = ClockError;

    fn from_str(text: &str) -> Result<Self, ClockError> {
        let unknown = || ClockError(text.to_owned());
        Ok(match text {
            "site" => Clock::SITE,
            "strict" => Clock::Strict,
            "bank" => Clock::BANK,
            "cpu" => Clock::CPU,
            "off" => Clock::Off,
            _ => {
                let bank_ms =
                    text.strip_prefix("bank=").and_then(|ms| ms.parse().ok()).ok_or_else(unknown)?;
                Clock::Bank { bank_ms }
            }
        })
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Clock::Site { .. } => f.write_str("site"),
            Clock::Strict => f.write_str("strict"),
            Clock::Bank { bank_ms } => write!(f, "bank={bank_ms}"),
            Clock::Cpu { .. } => f.write_str("cpu"),
            Clock::Off => f.write_str("off"),
        }
    }
}
