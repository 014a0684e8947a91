//! A program that is sent recorded input.

use std::collections::VecDeque;
use std::fmt;
use std::os::fd::AsFd as _;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use sandbox::{Boxed, Exit, Limits, Program, Sandbox, StartError};

/// The longest line, and the most that is kept of the standard error output.
const LONGEST: usize = 1 << 20;

/// A program that is sent recorded input and writes lines.
#[derive(Debug)]
pub struct Feeder {
    boxed: Boxed,
    /// The rest of the input, still to be written.
    pending: Vec<u8>,
    lines: VecDeque<Vec<u8>>,
    /// Bytes of a line that is not ended.
    partial: Vec<u8>,
    /// The last line ended with a carriage return, so a line feed right behind it belongs to it.
    after_cr: bool,
    stderr: Vec<u8>,
    stdout_open: bool,
    stderr_open: bool,
    exit: Option<Exit>,
    /// When the last byte of the input was written, or did not fit in the pipe.
    sent: Instant,
    /// When the input was sent or the last line was taken, whichever was later.
    progress: Instant,
}

/// Why a program does not answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoAnswer {
    /// It has ended.
    Ended(Exit),
    /// It took longer than this.
    Late(Duration),
    /// It wrote a line that is too long.
    TooLong,
    /// Its output could not be read.
    Unreadable,
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAnswer::Ended(exit) => write!(f, "the program ended: {exit}"),
            NoAnswer::Late(limit) if limit.as_millis() >= 10_000 => {
                write!(f, "no answer within {} s", limit.as_secs())
            }
            NoAnswer::Late(limit) => write!(f, "no answer within {} ms", limit.as_millis()),
            NoAnswer::TooLong => write!(f, "a line of more than {LONGEST} bytes"),
            NoAnswer::Unreadable => f.write_str("its output could not be read"),
        }
    }
}

impl Feeder {
    /// Starts a program.
    ///
    /// # Errors
    ///
    /// Those of [`Sandbox::start`].
    pub fn start(sandbox: &Sandbox, program: &Program, limits: &Limits) -> Result<Feeder, StartError> {
        Ok(Feeder {
            boxed: sandbox.start(program, limits)?,
            pending: Vec::new(),
            lines: VecDeque::new(),
            partial: Vec::new(),
            after_cr: false,
            stderr: Vec::new(),
            stdout_open: true,
            stderr_open: true,
            exit: None,
            sent: Instant::now(),
            progress: Instant::now(),
        })
    }

    /// Sends input.
    pub fn send(&mut self, input: &str) {
        self.pending.extend_from_slice(input.as_bytes());
        self.write();
        self.sent = Instant::now();
        self.progress = self.sent;
    }

    /// Waits for the next line, at most for `patience` after the input was sent or the last line was taken; `None` waits
    /// for ever.
    ///
    /// # Errors
    ///
    /// When the program has ended, is too late or writes a line that is too long.
    pub fn line(&mut self, patience: Option<Duration>) -> Result<Vec<u8>, NoAnswer> {
        loop {
            if let Some(line) = self.lines.pop_front() {
                self.progress = Instant::now();
                return Ok(line);
            }
            if let Some(exit) = self.exit {
                return Err(NoAnswer::Ended(exit));
            }
            if self.partial.len() > LONGEST {
                return Err(NoAnswer::TooLong);
            }
            let left = patience.map(|patience| patience.saturating_sub(self.progress.elapsed()));
            if left.is_some_and(|left| left.is_zero()) {
                return Err(NoAnswer::Late(patience.unwrap_or_default()));
            }
            self.wait(left).map_err(|_| NoAnswer::Unreadable)?;
        }
    }

    /// The time since the input was sent.
    pub fn since_sent(&self) -> Duration {
        self.sent.elapsed()
    }

    /// Takes what the program wrote to its standard error output since the last call, cut to a limit.
    pub fn take_stderr(&mut self) -> Vec<u8> {
        self.read_stderr();
        std::mem::take(&mut self.stderr)
    }

    /// Waits for an event and handles it.
    fn wait(&mut self, left: Option<Duration>) -> Result<(), Errno> {
        let mut fds = vec![PollFd::from_borrowed_fd(self.boxed.pidfd(), PollFlags::IN)];
        let stdin = self.boxed.stdin.as_ref().filter(|_| !self.pending.is_empty());
        fds.extend(stdin.map(|pipe| PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::OUT)));
        let stdout = self.boxed.stdout.as_ref().filter(|_| self.stdout_open);
        fds.extend(stdout.map(|pipe| PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN)));
        let stderr = self.boxed.stderr.as_ref().filter(|_| self.stderr_open);
        fds.extend(stderr.map(|pipe| PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN)));
        let left = left
            .map(|left| Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) });
        match poll(&mut fds, left.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
        let ended = !fds[0].revents().is_empty();
        drop(fds);
        self.write();
        self.read_stderr();
        self.read_stdout();
        if ended {
            self.exit = self.boxed.try_wait();
        }
        Ok(())
    }

    /// Writes as much as the pipe accepts.
    fn write(&mut self) {
        let Some(stdin) = &self.boxed.stdin else { return self.pending.clear() };
        let mut written = 0;
        while written < self.pending.len() {
            match rustix::io::write(stdin, &self.pending[written..]) {
                Ok(bytes) => written += bytes,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                // The program closed its input or has ended; its answer or its end will show which.
                Err(_) => written = self.pending.len(),
            }
        }
        self.pending.drain(..written);
    }

    /// Reads until the pipe is empty.
    fn read_stdout(&mut self) {
        let mut buffer = [0; 16 << 10];
        while let Some(stdout) = self.boxed.stdout.as_ref().filter(|_| self.stdout_open) {
            match rustix::io::read(stdout, &mut buffer[..]) {
                Ok(0) => self.stdout_open = false,
                Ok(bytes) => self.split(&buffer[..bytes]),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => self.stdout_open = false,
            }
            if self.partial.len() > LONGEST || self.lines.len() > LONGEST {
                return;
            }
        }
    }

    /// Splits output into lines as the referee does.
    fn split(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            let follows_cr = std::mem::replace(&mut self.after_cr, byte == b'\r');
            match byte {
                b'\n' if follows_cr => {}
                b'\n' | b'\r' => self.lines.push_back(std::mem::take(&mut self.partial)),
                byte => self.partial.push(byte),
            }
        }
    }

    /// Reads a bounded amount: a program may write faster than this thread reads.
    fn read_stderr(&mut self) {
        let mut buffer = [0; 16 << 10];
        for _ in 0..16 {
            let Some(stderr) = self.boxed.stderr.as_ref().filter(|_| self.stderr_open) else { return };
            match rustix::io::read(stderr, &mut buffer[..]) {
                Ok(0) => self.stderr_open = false,
                Ok(bytes) => {
                    let room = LONGEST.saturating_sub(self.stderr.len()).min(bytes);
                    self.stderr.extend_from_slice(&buffer[..room]);
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => self.stderr_open = false,
            }
        }
    }
}
