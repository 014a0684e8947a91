//! The levels of sandboxes, and the resource limits of a program.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

const MIB: u64 = 1 << 20;

/// The strength of a sandbox, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Root: control groups (version 1 or 2), a separate user id for the bot, bubblewrap, seccomp, rlimits.
    A,
    /// An ordinary user: bubblewrap, seccomp, rlimits. Memory is limited per process only, except where the user has
    /// control groups.
    B,
    /// Without namespaces: landlock, seccomp, rlimits. Nothing can be written, memory is limited per process, and the
    /// processes of an ordinary user are counted together.
    C,
    /// A plain process, for the user's own bots. Never chosen automatically.
    None,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Level::A => "a",
            Level::B => "b",
            Level::C => "c",
            Level::None => "none",
        })
    }
}

/// A name that no level has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no box level is named '{}': a, b, c or none", .0.escape_default())]
pub struct UnknownLevel(pub String);

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(text: &str) -> Result<Level, UnknownLevel> {
        match text {
            "a" | "A" => Ok(Level::A),
            "b" | "B" => Ok(Level::B),
            "c" | "C" => Ok(Level::C),
            "none" => Ok(Level::None),
            _ => Err(UnknownLevel(text.to_owned())),
        }
    }
}

/// The resource limits of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Bytes of memory of the whole sandbox, its temporary files included.
    pub memory: u64,
    /// Processes and threads.
    pub processes: u32,
    /// Open file descriptors of each process.
    pub open_files: u32,
    /// Bytes of the private temporary folder.
    pub tmp_bytes: u64,
    /// Bytes of a single file.
    pub file_bytes: u64,
    /// CPU seconds of each process, as a last resort against a program that is not stopped otherwise.
    pub cpu_seconds: Option<u32>,
    /// The cores the program runs on; empty for any.
    pub cores: Vec<usize>,
}

impl Limits {
    /// For a bot in a match.
    pub const BOT: Limits = Limits {
        memory: 768 * MIB,
        processes: 64,
        open_files: 64,
        tmp_bytes: 16 * MIB,
        file_bytes: 16 * MIB,
        cpu_seconds: None,
        cores: Vec::new(),
    };
    /// For a compiler.
    pub const COMPILE: Limits = Limits {
        memory: 2048 * MIB,
        processes: 256,
        open_files: 1024,
        tmp_bytes: 256 * MIB,
        file_bytes: 64 * MIB,
        cpu_seconds: Some(60),
        cores: Vec::new(),
    };
}
