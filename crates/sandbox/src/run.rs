//! Running a program to its end.

use std::os::fd::{AsFd as _, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::{Exit, Limits, Program, Sandbox, StartError};

/// The caller's check runs at least this often.
const CHECK: Duration = Duration::from_millis(20);

/// A program that ran to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// How it ended.
    pub exit: Exit,
    /// Whether it was killed because its time was up.
    pub timed_out: bool,
    /// Whether it was killed because the caller's check refused to let it go on.
    pub refused: bool,
    /// Whether a process of the sandbox was killed because the memory was used up.
    pub memory_exceeded: bool,
    /// The maximum memory of the sandbox, where there is a control group.
    pub peak_memory: Option<u64>,
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

impl Finished {
    /// Whether it ended by itself with code 0.
    pub fn succeeded(&self) -> bool {
        self.exit == Exit::Code(0) && !self.timed_out && !self.refused
    }
}

impl Sandbox {
    /// Runs a program to its end: writes `input` and closes the pipe, keeps the first `keep` bytes of each output
    /// stream and discards the rest, kills the program after `wall`.
    ///
    /// # Errors
    ///
    /// Same as [`Sandbox::start`].
    pub fn run(
        &self,
        program: &Program,
        limits: &Limits,
        input: &[u8],
        wall: Duration,
        keep: usize,
    ) -> Result<Finished, StartError> {
        self.run_while(program, limits, input, wall, keep, &mut || true)
    }

    /// Like [`Sandbox::run`], and kills the program when `may_go_on`, which is called again and again, returns false.
    ///
    /// # Errors
    ///
    /// Same as [`Sandbox::start`].
    pub fn run_while(
        &self,
        program: &Program,
        limits: &Limits,
        input: &[u8],
        wall: Duration,
        keep: usize,
        may_go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Finished, StartError> {
        let mut boxed = self.start(program, limits)?;
        let began = Instant::now();
        let mut input = Input { pipe: boxed.stdin.take(), rest: input };
        let mut stdout = Output { pipe: boxed.stdout.take(), kept: Vec::new(), cut: 0, keep };
        let mut stderr = Output { pipe: boxed.stderr.take(), kept: Vec::new(), cut: 0, keep };
        input.write();
        let (mut timed_out, mut refused) = (false, false);
        while boxed.try_wait().is_none() {
            let left = wall.saturating_sub(began.elapsed());
            timed_out = left.is_zero();
            refused = !timed_out && !may_go_on();
            if timed_out || refused {
                break;
            }
            let left = left.min(CHECK);
            let mut events = vec![PollFd::from_borrowed_fd(boxed.pidfd(), PollFlags::IN)];
            events.extend(input.pipe.iter().map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
            for output in [&stdout, &stderr] {
                events.extend(output.pipe.iter().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
            }
            let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
            // Interrupted or not, the loop checks everything again.
            let _ready = poll(&mut events, Some(&left));
            drop(events);
            input.write();
            stdout.read();
            stderr.read();
        }
        let wall = began.elapsed();
        if boxed.is_broken() {
            return Err(StartError::Ours("the box ended".into()));
        }
        let (memory_exceeded, peak_memory) = (boxed.memory_exceeded(), boxed.peak_memory());
        let exit = boxed.kill();
        // All writers have ended: the pipes contain all remaining output.
        stdout.read();
        stderr.read();
        Ok(Finished {
            exit,
            timed_out,
            refused,
            memory_exceeded,
            peak_memory,
            stdout: stdout.kept,
            stderr: stderr.kept,
            stdout_cut: stdout.cut,
            stderr_cut: stderr.cut,
            wall,
        })
    }
}

struct Input<'a> {
    pipe: Option<OwnedFd>,
    rest: &'a [u8],
}

impl Input<'_> {
    /// Writes as much as the pipe accepts, and closes it at the end or when there is no reader.
    fn write(&mut self) {
        while let Some(pipe) = self.pipe.as_ref().filter(|_| !self.rest.is_empty()) {
            match rustix::io::write(pipe.as_fd(), self.rest) {
                Ok(count) => self.rest = &self.rest[count..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => break,
            }
        }
        self.pipe = None;
    }
}

struct Output {
    pipe: Option<OwnedFd>,
    kept: Vec<u8>,
    cut: u64,
    keep: usize,
}

impl Output {
    fn read(&mut self) {
        /// Limits the reads in a row: a program that writes without end must not keep us from checking the clock.
        const AT_ONCE: usize = 64;
        let mut buffer = [0; 16 << 10];
        for _ in 0..AT_ONCE {
            let Some(pipe) = &self.pipe else { return };
            match rustix::io::read(pipe, &mut buffer[..]) {
                Ok(0) => self.pipe = None,
                Ok(count) => {
                    let room = (self.keep - self.kept.len()).min(count);
                    self.kept.extend_from_slice(&buffer[..room]);
                    self.cut += (count - room) as u64;
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => self.pipe = None,
            }
        }
    }
}
