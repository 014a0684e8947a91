//! Why a player lost by its own fault.

use std::fmt;

use game::Fault;
use serde::{Deserialize, Serialize};

/// How a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// It never started.
    NotStarted,
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Code(code) => write!(f, "exit code {code}"),
            Exit::Signal(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "signal {signal} ({name})"),
                None => write!(f, "signal {signal}"),
            },
            Exit::NotStarted => f.write_str("it could not be started"),
        }
    }
}

/// The names of the signals that end bots.
fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        31 => "SIGSYS",
        _ => return None,
    })
}

/// The limit that a program exceeded by its output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    /// A line longer than allowed.
    Line,
    /// More in one turn than allowed.
    Turn,
    /// More in one match than allowed.
    Match,
}

/// Why a player lost by its own fault.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "cause", rename_all = "snake_case")]
pub enum Cause {
    /// No answer in time.
    Timeout {
        /// Milliseconds that counted.
        used_ms: u64,
        /// Milliseconds it had.
        limit_ms: u64,
        /// What it had written without ending the line, escaped and cut.
        partial: Option<String>,
    },
    /// The program ended when it was to answer.
    Crash {
        /// How it ended.
        exit: Exit,
        /// The end of what it wrote to its standard error output.
        stderr: String,
    },
    /// An answer the rules do not take.
    Invalid {
        /// What was expected and what came.
        fault: Fault,
    },
    /// Too much output.
    Flood {
        /// The limit it exceeded.
        stream: Stream,
        /// How many bytes were allowed.
        limit: u64,
    },
    /// More memory than allowed.
    Memory {
        /// Bytes that were allowed.
        limit: u64,
    },
}

impl Cause {
    /// The short stable name: `timeout`, `crash`, `invalid`, `flood` or `memory`.
    pub const fn name(&self) -> &'static str {
        match self {
            Cause::Timeout { .. } => "timeout",
            Cause::Crash { .. } => "crash",
            Cause::Invalid { .. } => "invalid",
            Cause::Flood { .. } => "flood",
            Cause::Memory { .. } => "memory",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Timeout { used_ms, limit_ms, partial } => {
                write!(f, "timeout: no answer after {used_ms} ms, the limit is {limit_ms} ms")?;
                match partial {
                    Some(partial) => write!(f, "; it had written {partial} without a line feed"),
                    None => Ok(()),
                }
            }
            Cause::Crash { exit, .. } => write!(f, "crash: {exit} when it was asked for a move"),
            Cause::Invalid { fault } => write!(f, "invalid answer: {fault}"),
            Cause::Flood { stream: Stream::Line, limit } => {
                write!(f, "flood: a line of more than {limit} bytes")
            }
            Cause::Flood { stream: Stream::Turn, limit } => {
                write!(f, "flood: more than {limit} bytes in one turn")
            }
            Cause::Flood { stream: Stream::Match, limit } => {
                write!(f, "flood: more than {limit} bytes in one match")
            }
            Cause::Memory { limit } => write!(f, "memory: more than {} MiB", limit >> 20),
        }
    }
}
