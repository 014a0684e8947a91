//! A running sandbox.

use std::fmt;
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{MetadataExt as _, lchown};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, WaitOptions, kill_process_group, pidfd_send_signal,
    waitid, waitpgid,
};
use serde::{Deserialize, Serialize};

use crate::bwrap::Status;
use crate::cgroup::Group;
use crate::frame::Lease;
use crate::guard::Place;
use crate::spawn::{Child, cpu_time};
use crate::users::{User, Users};

/// A killed process that still exists after this time is stuck in the kernel; waiting longer would not help.
const DEAD_WITHIN: Duration = Duration::from_secs(5);
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

/// A running sandbox. Dropping it kills everything inside.
#[derive(Debug)]
pub struct Boxed {
    /// Our end of the program's standard input: non-blocking, closed on exec.
    pub stdin: Option<OwnedFd>,
    /// Our end of the program's standard output: non-blocking, closed on exec.
    pub stdout: Option<OwnedFd>,
    /// Our end of the program's standard error: non-blocking, closed on exec.
    pub stderr: Option<OwnedFd>,
    pub(crate) inside: Inside,
    exit: Option<Exit>,
    /// The memory statistics of the control groups, read when the sandbox was emptied.
    told: Option<Told>,
}

/// The memory statistics of a sandbox.
#[derive(Clone, Copy, Debug)]
struct Told {
    exceeded: bool,
    peak: Option<u64>,
}

/// The parts of a sandbox besides the pipes.
#[derive(Debug)]
pub(crate) struct Inside {
    /// The process that we started and will wait for: the program, or the bubblewrap around it. It leads the process
    /// group of all others, and stays unreaped until the group is empty, so that the kernel does not reuse its number.
    pub(crate) top: Child,
    /// The program itself.
    pub(crate) bot: Option<Pid>,
    /// The first process of the sandbox's namespace.
    pub(crate) init: Option<OwnedFd>,
    /// Bubblewrap's report.
    pub(crate) status: Option<Status>,
    /// The entry in the list of the guard, which kills the sandbox if we are killed.
    pub(crate) place: Option<Place>,
    pub(crate) own: Own,
}

/// The resources of a sandbox: of its own, or of a frame.
#[derive(Debug)]
pub(crate) enum Own {
    Once(Belongings),
    Frame(Box<Lease>),
    /// Given back.
    Gone,
}

impl Own {
    fn group(&self) -> Option<&Group> {
        match self {
            Own::Once(own) => own.group.as_ref(),
            Own::Frame(lease) => lease.frame.own.group.as_ref(),
            Own::Gone => None,
        }
    }
}

/// The resources of a sandbox, released when it is empty.
#[derive(Debug, Default)]
pub(crate) struct Belongings {
    pub(crate) group: Option<Group>,
    pub(crate) user: Option<(Arc<Users>, User)>,
    pub(crate) lent: Option<Lent>,
}

impl Belongings {
    /// Removes the control groups.
    pub(crate) fn remove_group(&mut self) {
        self.group = None;
    }

    fn give_back(&mut self) {
        if let Some(group) = &mut self.group {
            group.remove();
        }
        self.lent = None;
        if let Some((users, user)) = self.user.take() {
            users.give_back(user);
        }
    }
}

impl Drop for Belongings {
    fn drop(&mut self) {
        self.give_back();
    }
}

/// A folder that belongs to the sandbox's user temporarily.
#[derive(Debug)]
pub(crate) struct Lent {
    folder: PathBuf,
    owner: (u32, u32),
}

impl Lent {
    pub(crate) fn to(user: u32, folder: &Path) -> io::Result<Lent> {
        let meta = fs::symlink_metadata(folder)?;
        lchown(folder, Some(user), Some(user))?;
        Ok(Lent { folder: folder.to_owned(), owner: (meta.uid(), meta.gid()) })
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let _gone = lchown(&self.folder, Some(self.owner.0), Some(self.owner.1));
    }
}

impl Boxed {
    pub(crate) fn new([stdin, stdout, stderr]: [OwnedFd; 3], inside: Inside) -> Boxed {
        Boxed {
            stdin: Some(stdin),
            stdout: Some(stdout),
            stderr: Some(stderr),
            inside,
            exit: None,
            told: None,
        }
    }

    /// Readable when the program has ended.
    pub fn pidfd(&self) -> BorrowedFd<'_> {
        self.inside.top.pidfd.as_fd()
    }

    /// The program's process id on the host, while the program is known to run.
    pub fn pid(&self) -> Option<u32> {
        self.inside.bot.map(|pid| pid.as_raw_pid() as u32)
    }

    /// The CPU time that the program's own process has used so far, all its threads together. One system call.
    pub fn cpu_time(&self) -> Option<Duration> {
        self.inside.bot.and_then(cpu_time)
    }

    /// The CPU time of all processes of the sandbox, including those that the program started, where there is a control
    /// group. Slower than [`Boxed::cpu_time`], but a program cannot escape it by starting another process.
    pub fn cpu_time_of_all(&self) -> Option<Duration> {
        self.inside.own.group()?.cpu_time()
    }

    /// Stops every process of the sandbox until [`Boxed::thaw`].
    pub fn freeze(&self) {
        self.stop(true);
    }

    /// Resumes a frozen sandbox.
    pub fn thaw(&self) {
        self.stop(false);
    }

    fn stop(&self, stop: bool) {
        if self.told.is_some() || self.inside.own.group().is_some_and(|group| group.freeze(stop)) {
            return;
        }
        let signal = if stop { Signal::STOP } else { Signal::CONT };
        let _gone = kill_process_group(self.inside.top.pid, signal);
    }

    /// How the program ended; `None` while it runs.
    pub fn try_wait(&mut self) -> Option<Exit> {
        if self.exit.is_none() {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            let ended = waitid(WaitId::PidFd(self.inside.top.pidfd.as_fd()), options).ok().flatten();
            self.exit = ended.map(|status| self.exit_of(&status));
        }
        self.exit
    }

    fn exit_of(&self, status: &WaitIdStatus) -> Exit {
        let exit = match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Exit::Code(code),
            (None, Some(signal)) => Exit::Signal(signal),
            (None, None) => Exit::Signal(libc::SIGKILL),
        };
        match exit {
            // Bubblewrap and a keeper report a signal as a shell does.
            Exit::Code(code @ 129..=192) if self.inside.status.is_some() || self.has_keeper() => {
                Exit::Signal(code - 128)
            }
            exit => exit,
        }
    }

    fn has_keeper(&self) -> bool {
        matches!(self.inside.own, Own::Frame(_))
    }

    /// Whether the sandbox itself has failed: a signal ended its first process, which no program inside can send. How
    /// the program ended is not known then.
    pub fn is_broken(&mut self) -> bool {
        self.told.is_none() && self.has_keeper() && self.try_wait().is_some() && {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            let ended = waitid(WaitId::PidFd(self.inside.top.pidfd.as_fd()), options).ok().flatten();
            ended.is_none_or(|status| status.exit_status().is_none())
        }
    }

    /// Whether a process of the sandbox was killed because the memory was used up.
    pub fn memory_exceeded(&self) -> bool {
        match (self.told, self.inside.own.group()) {
            (Some(told), _) => told.exceeded,
            (None, Some(group)) => group.memory_exceeded(),
            (None, None) => false,
        }
    }

    /// The maximum memory used so far, in bytes: of the whole sandbox where there is a control group, otherwise of the
    /// program's own process, while it runs.
    pub fn peak_memory(&self) -> Option<u64> {
        if let Some(told) = self.told {
            return told.peak;
        }
        if let Some(group) = self.inside.own.group() {
            return group.peak_memory();
        }
        let status = fs::read_to_string(format!("/proc/{}/status", self.inside.bot?.as_raw_pid())).ok()?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        peak.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kib| kib << 10)
    }

    /// Kills everything in the sandbox, waits until it is empty, and removes its resources. Returns how the program
    /// ended: by itself, or by this kill. A repeated call changes nothing.
    pub fn kill(&mut self) -> Exit {
        let exit = self.try_wait().unwrap_or(Exit::Signal(libc::SIGKILL));
        self.exit = Some(exit);
        if self.told.is_none() {
            let group = self.inside.own.group();
            self.told = Some(Told {
                exceeded: group.is_some_and(Group::memory_exceeded),
                peak: group.and_then(Group::peak_memory),
            });
            self.empty();
        }
        exit
    }

    fn empty(&mut self) {
        let inside = &mut self.inside;
        if let Some(group) = inside.own.group() {
            group.kill();
        }
        let _gone = kill_process_group(inside.top.pid, Signal::KILL);
        if let Some(init) = &inside.init {
            // The namespace's first process ends after all other processes of the namespace.
            let _gone = pidfd_send_signal(init, Signal::KILL);
            wait_for_end(init.as_fd());
        }
        wait_for_end(inside.top.pidfd.as_fd());
        // Before the kernel may reuse the process number.
        inside.place = None;
        reap(inside.top.pid);
        inside.bot = None;
        match std::mem::replace(&mut inside.own, Own::Gone) {
            Own::Once(own) => drop(own),
            Own::Frame(lease) => lease.end(),
            Own::Gone => {}
        }
    }
}

impl Drop for Boxed {
    fn drop(&mut self) {
        self.kill();
    }
}

fn wait_for_end(pidfd: BorrowedFd<'_>) {
    let until = Instant::now() + DEAD_WITHIN;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        match poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], Some(&left)) {
            Err(rustix::io::Errno::INTR) => {}
            _ => return,
        }
    }
}

/// Reaps the remaining processes of a group that have all been killed. We are the parent of the orphans (see
/// [`adopt_orphans`]), and none of them left the group unless it is a plain process.
fn reap(group: Pid) {
    let until = Instant::now() + DEAD_WITHIN;
    loop {
        match waitpgid(group, WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(rustix::io::Errno::INTR) => {}
            Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_micros(50)),
            // No processes are left.
            Ok(None) | Err(_) => return,
        }
    }
}

/// Makes this process the parent of orphans from our sandboxes. Otherwise the host's first process would adopt them,
/// and it may reap them late: until then they count against the sandbox's user.
pub(crate) fn adopt_orphans() {
    let _kernel_is_old = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}
