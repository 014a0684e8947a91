//! A running box.

use std::fmt;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Exit {
    /// It returned this code.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Exit::Code(code) => write!(f, "exit code {code}"),
            Exit::Signal(signal) => write!(f, "signal {signal}"),
        }
    }
}

/// A running box. Dropping it kills everything inside.
#[derive(Debug)]
pub struct Boxed {
    /// Our end of the program's standard input: non-blocking, closed on exec.
    pub stdin: Option<OwnedFd>,
    /// Our end of the program's standard output: non-blocking, closed on exec.
    pub stdout: Option<OwnedFd>,
    /// Our end of the program's standard error: non-blocking, closed on exec.
    pub stderr: Option<OwnedFd>,
    pub(crate) child: Child,
    pub(crate) pidfd: OwnedFd,
    pub(crate) exit: Option<Exit>,
}

impl Boxed {
    /// Readable when the program has ended.
    pub fn pidfd(&self) -> BorrowedFd<'_> {
        self.pidfd.as_fd()
    }

    /// CPU time the program used so far.
    pub fn cpu_time(&self) -> Option<Duration> {
        None
    }

    /// Stops every process of the box until [`Boxed::thaw`].
    pub fn freeze(&self) {}

    /// Lets a frozen box run on.
    pub fn thaw(&self) {}

    /// How the program ended, once it has.
    pub fn try_wait(&mut self) -> Option<Exit> {
        if self.exit.is_none() {
            self.exit = self.child.try_wait().ok().flatten().map(exit_of);
        }
        self.exit
    }

    /// Whether something in the box was killed because its memory was used up.
    pub fn memory_exceeded(&self) -> bool {
        false
    }

    /// The most memory the box ever used, in bytes.
    pub fn peak_memory(&self) -> Option<u64> {
        None
    }

    /// Kills everything in the box and waits until it is empty.
    pub fn kill(&mut self) -> Exit {
        if let Some(exit) = self.exit {
            return exit;
        }
        let _already_gone = self.child.kill();
        let exit = self.child.wait().map_or(Exit::Signal(9), exit_of);
        self.exit = Some(exit);
        exit
    }
}

impl Drop for Boxed {
    fn drop(&mut self) {
        self.kill();
    }
}

fn exit_of(status: ExitStatus) -> Exit {
    status.code().map_or_else(|| Exit::Signal(status.signal().unwrap_or(9)), Exit::Code)
}
