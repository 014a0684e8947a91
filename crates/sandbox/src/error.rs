//! The errors: a level that the host does not reach, and a program that does not start.

use std::fmt;

use crate::Level;

/// A requested level that this host does not support.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Unreachable {
    /// The requested level; `None` when any level would do.
    pub asked: Option<Level>,
    /// The missing parts, one sentence each.
    pub missing: Vec<String>,
    /// Commands that install missing parts.
    pub install: Vec<String>,
}

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.asked {
            Some(level) => write!(f, "this host does not reach box level {level}: ")?,
            None => write!(f, "this host has no box for programs: ")?,
        }
        f.write_str(&self.missing.join("; "))?;
        if !self.install.is_empty() {
            write!(f, " (try: {})", self.install.join("; "))?;
        }
        Ok(())
    }
}

/// Why a program did not start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// The program's fault: there is no such file.
    #[error("no such program: {0}")]
    NotFound(String),
    /// The program's fault: the file exists but cannot be run.
    #[error("cannot be run: {0}")]
    NotExecutable(String),
    /// Our fault: the match is void.
    #[error("the box failed: {0}")]
    Ours(String),
}

impl StartError {
    /// Whether the sandbox failed, and not the program.
    pub fn is_ours(&self) -> bool {
        matches!(self, StartError::Ours(_))
    }
}
