//! What this host can do, and starting a program with it.

use std::fmt;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, pidfd_open};

use crate::{Boxed, Exit, Level, Limits, Program};

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
#[derive(Debug)]
pub enum StartError {
    /// The program's fault: there is no such file.
    NotFound(String),
    /// The program's fault: the file is there and cannot be run.
    NotExecutable(String),
    /// Our fault: the match is void.
    Ours(String),
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

/// A program that ran to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// How it ended.
    pub exit: Exit,
    /// Whether it was killed because its time was up.
    pub timed_out: bool,
    /// Whether its memory was used up.
    pub memory_exceeded: bool,
    /// The first bytes of its standard output.
    pub stdout: Vec<u8>,
    /// The first bytes of its standard error.
    pub stderr: Vec<u8>,
    /// Bytes of standard output that were dropped.
    pub stdout_cut: u64,
    /// Bytes of standard error that were dropped.
    pub stderr_cut: u64,
    /// How long it ran.
    pub wall: Duration,
}

/// What this host can do, found out once.
#[derive(Debug)]
pub struct Sandbox {
    level: Level,
}

impl Sandbox {
    /// A sandbox of the asked level, or of the best this host reaches; never silently weaker, never
    /// [`Level::None`] unless asked for.
    ///
    /// # Errors
    ///
    /// What is missing for the asked level, and the command that installs it.
    pub fn new(asked: Option<Level>) -> Result<Sandbox, Unreachable> {
        match asked {
            Some(Level::None) => Ok(Sandbox { level: Level::None }),
            _ => Err(Unreachable {
                asked,
                missing: vec!["boxes are being written".into()],
                install: Vec::new(),
            }),
        }
    }

    /// The level of its boxes.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Starts a program in a box of its own.
    ///
    /// # Errors
    ///
    /// [`StartError::Ours`] when the box failed, otherwise what is wrong with the program.
    pub fn start(&self, program: &Program, _limits: &Limits) -> Result<Boxed, StartError> {
        let Some((name, rest)) = program.argv.split_first() else {
            return Err(StartError::NotFound("an empty command".into()));
        };
        let mut command = Command::new(name);
        command.args(rest).env_clear().envs(program.env.iter().map(|(k, v)| (k, v)));
        for name in ["PATH", "HOME", "LANG"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        if let Some(folder) = &program.folder {
            command.current_dir(folder);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| {
            let what = format!("{}: {error}", name.display());
            match error.kind() {
                io::ErrorKind::NotFound => StartError::NotFound(what),
                io::ErrorKind::PermissionDenied => StartError::NotExecutable(what),
                _ => StartError::Ours(what),
            }
        })?;
        let ours = |error: rustix::io::Errno| StartError::Ours(error.to_string());
        let pidfd = pidfd_open(Pid::from_child(&child), PidfdFlags::empty()).map_err(ours)?;
        let ends = [
            child.stdin.take().map(OwnedFd::from),
            child.stdout.take().map(OwnedFd::from),
            child.stderr.take().map(OwnedFd::from),
        ];
        for end in ends.iter().flatten() {
            rustix::io::ioctl_fionbio(end, true).map_err(ours)?;
        }
        let [stdin, stdout, stderr] = ends;
        Ok(Boxed { stdin, stdout, stderr, child, pidfd, exit: None })
    }

    /// Runs a program to its end: writes `input`, keeps the first `keep` bytes of each stream, kills it after `wall`.
    ///
    /// # Errors
    ///
    /// As [`Sandbox::start`].
    pub fn run(
        &self,
        program: &Program,
        limits: &Limits,
        input: &[u8],
        wall: Duration,
        keep: usize,
    ) -> Result<Finished, StartError> {
        let began = Instant::now();
        let mut boxed = self.start(program, limits)?;
        let mut finished = Finished {
            exit: Exit::Signal(9),
            timed_out: false,
            memory_exceeded: false,
            stdout: Vec::new(),
            stderr: Vec::new(),
            stdout_cut: 0,
            stderr_cut: 0,
            wall: Duration::ZERO,
        };
        if let Some(stdin) = boxed.stdin.take() {
            let _reader_may_be_gone = std::fs::File::from(stdin).write_all(input);
        }
        while boxed.try_wait().is_none() && !finished.timed_out {
            finished.timed_out = began.elapsed() > wall;
            std::thread::sleep(Duration::from_millis(1));
        }
        finished.exit = boxed.kill();
        for (end, into) in
            [(boxed.stdout.take(), &mut finished.stdout), (boxed.stderr.take(), &mut finished.stderr)]
        {
            if let Some(end) = end {
                let _would_block = std::fs::File::from(end).take(keep as u64).read_to_end(into);
            }
        }
        finished.wall = began.elapsed();
        Ok(finished)
    }
}
