//! What can go wrong: before a box exists, and when a program is put into one.

use std::fmt;

use crate::Level;

/// An asked level that this host does not reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreachable {
    /// The level that was asked for; `None` when any would have done.
    pub asked: Option<Level>,
    /// What is missing, one sentence each.
    pub missing: Vec<String>,
    /// Commands that would help.
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

impl std::error::Error for Unreachable {}

/// Why a program did not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartError {
    /// The program's fault: there is no such file.
    NotFound(String),
    /// The program's fault: the file is there and cannot be run.
    NotExecutable(String),
    /// Our fault: the match is void.
    Ours(String),
}

impl StartError {
    /// Whether the box failed, and not the program.
    pub fn is_ours(&self) -> bool {
        matches!(self, StartError::Ours(_))
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::NotFound(what) => write!(f, "no such program: {what}"),
            StartError::NotExecutable(what) => write!(f, "cannot be run: {what}"),
            StartError::Ours(what) => write!(f, "the box failed: {what}"),
        }
    }
}

impl std::error::Error for StartError {}
