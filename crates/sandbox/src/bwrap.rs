//! Bubblewrap: namespaces, a separate file system, no capabilities.
//!
//! Bubblewrap is run as a program. Its arguments say which files to show. It reports on a pipe the first process inside
//! and how the bot ended, and it waits on another pipe until we let the bot start.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Resource, Rlimit};

use crate::Limits;
use crate::resolve::Resolved;
use crate::users::INSIDE;
use crate::view::{self, Part};

/// A sandbox that is not ready after this time never will be: our fault.
const READY_WITHIN: Duration = Duration::from_secs(30);

/// The user file (`/etc/passwd`) inside.
pub(crate) fn passwd() -> String {
    format!("bot:x:{INSIDE}:{INSIDE}:bot:/tmp:/bin/sh\n")
}

/// Bubblewrap on this host, and the system folders that every sandbox shows.
#[derive(Clone, Debug)]
pub(crate) struct Bwrap {
    pub(crate) program: PathBuf,
    pub(crate) system: Vec<Part>,
}

/// The descriptors for making a sandbox, by their numbers in bubblewrap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    pub(crate) status: usize,
    pub(crate) block: usize,
    pub(crate) filter: usize,
    pub(crate) passwd: usize,
    /// A user namespace to enter; `None` to create a new one.
    pub(crate) namespace: Option<usize>,
}

impl Bwrap {
    /// Finds bubblewrap in a folder of `PATH` or in the usual places.
    pub(crate) fn find() -> Option<Bwrap> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let program = std::env::split_paths(&path)
            .chain(["/usr/bin", "/usr/local/bin", "/bin"].map(PathBuf::from))
            .map(|folder| folder.join("bwrap"))
            .find(|file| file.is_absolute() && file.is_file())?;
        Some(Bwrap { program, system: view::system() })
    }

    /// Its version, such as `0.8.0`.
    pub(crate) fn version(&self) -> io::Result<String> {
        let output = Command::new(&self.program).arg("--version").env_clear().output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(text.split_whitespace().last().unwrap_or("unknown").to_owned())
    }

    /// Whether the file is set-user-id root.
    pub(crate) fn is_setuid(&self) -> bool {
        fs::metadata(&self.program).is_ok_and(|meta| meta.mode() & 0o4000 != 0)
    }

    /// The arguments that describe a sandbox, without the command.
    pub(crate) fn arguments(
        &self,
        resolved: &Resolved,
        limits: &Limits,
        numbers: &Numbers,
        environment: &[(OsString, OsString)],
    ) -> Vec<OsString> {
        let mut list = Arguments(vec!["bwrap".into()]);
        match numbers.namespace {
            // Bubblewrap would leave the namespace's descriptor open in the bot; it closes the descriptor of
            // `--sync-fd`.
            Some(number) => list.add(["--userns", &number.to_string(), "--sync-fd", &number.to_string()]),
            None => list.add(["--unshare-user"]),
        }
        let inside = INSIDE.to_string();
        list.add(["--uid", &inside, "--gid", &inside]);
        list.add([
            "--unshare-pid",
            "--unshare-net",
            "--unshare-ipc",
            "--unshare-uts",
            "--unshare-cgroup-try",
        ]);
        list.add(["--cap-drop", "ALL", "--die-with-parent", "--hostname", "box"]);
        list.add(["--json-status-fd", &numbers.status.to_string(), "--block-fd", &numbers.block.to_string()]);
        list.add(["--seccomp", &numbers.filter.to_string()]);
        list.0.extend(self.system.iter().flat_map(Part::words));
        list.add(["--file", &numbers.passwd.to_string(), "/etc/passwd"]);
        list.add(["--proc", "/proc", "--dev", "/dev"]);
        let size = limits.tmp_bytes.max(4096).to_string();
        list.add(["--size", &size, "--tmpfs", "/dev/shm", "--size", &size, "--tmpfs", "/tmp"]);
        list.0.extend(view::no_java_files().words());
        list.0.extend(view::of_program(resolved).iter().flat_map(Part::words));
        if let Some(writable) = &resolved.writable {
            list.add([OsStr::new("--bind"), writable.as_os_str(), writable.as_os_str()]);
        }
        // The file systems that bubblewrap creates in memory have no size limit, so they are read-only.
        list.add(["--remount-ro", "/dev", "--remount-ro", "/"]);
        for part in &self.system {
            if let Part::Hidden(path) = part {
                list.add([OsStr::new("--remount-ro"), path.as_os_str()]);
            }
        }
        let folder = resolved.folder.as_deref().unwrap_or(Path::new("/tmp"));
        list.add([OsStr::new("--chdir"), folder.as_os_str()]);
        for (name, value) in environment {
            list.add([OsStr::new("--setenv"), name, value]);
        }
        list.0
    }
}

struct Arguments(Vec<OsString>);

impl Arguments {
    fn add<S: AsRef<OsStr>>(&mut self, words: impl IntoIterator<Item = S>) {
        self.0.extend(words.into_iter().map(|word| word.as_ref().to_owned()));
    }
}

/// Our ends of the pipes to a bubblewrap that is creating a sandbox.
#[derive(Debug)]
pub(crate) struct Making {
    /// Bubblewrap's report.
    pub(crate) status: Status,
    /// The other end is closed once the sandbox is ready.
    pub(crate) block: OwnedFd,
    /// The limit of processes, where it has to be set from outside.
    pub(crate) processes: Option<u32>,
}

/// A sandbox with a running program.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) status: Status,
    /// The first process inside; when it has ended, the sandbox is empty.
    pub(crate) init: OwnedFd,
    /// The bot, unless it has ended already.
    pub(crate) bot: Option<Pid>,
}

/// Why there is no program in the sandbox.
#[derive(Debug)]
pub(crate) enum NotMade {
    /// Bubblewrap has ended; its standard error says why.
    Ended,
    Failed(io::Error),
}

impl From<rustix::io::Errno> for NotMade {
    fn from(errno: rustix::io::Errno) -> NotMade {
        NotMade::Failed(errno.into())
    }
}

impl Making {
    /// Waits until the program runs.
    pub(crate) fn finish(mut self) -> Result<Made, NotMade> {
        let until = Instant::now() + READY_WITHIN;
        let first = loop {
            if let Some(pid) = self.status.first_process() {
                break pid;
            }
            if self.status.ended {
                return Err(NotMade::Ended);
            }
            wait_for(&self.status.pipe, PollFlags::IN, until)?;
            self.status.read();
        };
        let init = rustix::process::pidfd_open(first, PidfdFlags::empty())?;
        if let Some(processes) = self.processes {
            let most = Some(u64::from(processes));
            rustix::process::prlimit(Some(first), Resource::Nproc, Rlimit { current: most, maximum: most })?;
        }
        rustix::io::write(&self.block, b"x")?;
        // The sandbox is ready when its end of the pipe is closed; it is also closed when bubblewrap has failed.
        wait_for(&self.block, PollFlags::empty(), until)?;
        let bot = self.wait_for_program(first, until)?;
        Ok(Made { status: self.status, init, bot })
    }

    /// Waits for the program. Only a fork and an exec are left: too short for a long sleep.
    fn wait_for_program(&mut self, first: Pid, until: Instant) -> Result<Option<Pid>, NotMade> {
        let mut bot = None;
        loop {
            if bot.is_none() {
                bot = only_child(first);
            }
            if bot.is_some_and(has_exec) {
                return Ok(bot);
            }
            self.status.read();
            if self.status.exit_code.is_some() {
                return Ok(None);
            }
            if self.status.ended {
                return Err(NotMade::Ended);
            }
            if Instant::now() > until {
                return Err(NotMade::Failed(io::Error::other("the program was not reached in time")));
            }
            std::thread::sleep(Duration::from_micros(30));
        }
    }
}

/// Bubblewrap's report: two small JSON objects.
#[derive(Debug)]
pub(crate) struct Status {
    pipe: OwnedFd,
    text: String,
    pub(crate) ended: bool,
    /// How the program ended; missing when it never ran.
    pub(crate) exit_code: Option<i32>,
}

impl Status {
    /// A report on a non-blocking pipe.
    pub(crate) fn new(pipe: OwnedFd) -> Status {
        Status { pipe, text: String::new(), ended: false, exit_code: None }
    }

    pub(crate) fn read(&mut self) {
        let mut buffer = [0; 512];
        while !self.ended {
            match rustix::io::read(&self.pipe, &mut buffer[..]) {
                Ok(0) => self.ended = true,
                Ok(count) => self.text.push_str(&String::from_utf8_lossy(&buffer[..count])),
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => break,
                Err(_) => self.ended = true,
            }
        }
        self.exit_code = self.number("\"exit-code\":");
    }

    fn first_process(&self) -> Option<Pid> {
        // Only when the whole object has arrived: the number could be incomplete.
        self.text.contains('}').then(|| self.number("\"child-pid\":")).flatten().and_then(Pid::from_raw)
    }

    fn number(&self, name: &str) -> Option<i32> {
        let (_, rest) = self.text.split_once(name)?;
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        rest[..end].parse().ok()
    }
}

/// Waits for an event, for an error or for the other end to be closed.
fn wait_for(pipe: impl AsFd, event: PollFlags, until: Instant) -> Result<(), NotMade> {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        match poll(&mut [PollFd::new(&pipe, event)], Some(&left)) {
            Ok(0) => return Err(NotMade::Failed(io::Error::other("the box was not ready in time"))),
            Ok(_) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
}

/// The only child of the first process of a sandbox.
pub(crate) fn only_child(first: Pid) -> Option<Pid> {
    let pid = first.as_raw_pid();
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).ok()?;
    Pid::from_raw(children.split_whitespace().next()?.parse().ok()?)
}

/// Whether a process has become another program since it was forked.
fn has_exec(pid: Pid) -> bool {
    /// The kernel's mark of a process that was forked and has not called exec.
    const FORKED_ONLY: u64 = 0x40;
    let Ok(stat) = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_pid())) else { return false };
    // The second field is a name in parentheses, which may hold anything; the flags are the ninth.
    let flags = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(6));
    flags.and_then(|flags| flags.parse::<u64>().ok()).is_some_and(|flags| flags & FORKED_ONLY == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_is_read_piece_by_piece() {
        let (read, write) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::NONBLOCK).unwrap();
        let mut status = Status::new(read);
        let mut send = |text: &str| {
            rustix::io::write(&write, text.as_bytes()).unwrap();
            status.read();
            (status.first_process().map(Pid::as_raw_pid), status.exit_code)
        };
        assert_eq!(send("{ \"child-pid\": 12"), (None, None));
        assert_eq!(send("34, \"ipc\": 1 }\n"), (Some(1234), None));
        assert_eq!(send("{ \"exit-code\": 139 }\n"), (Some(1234), Some(139)));
        drop(write);
        status.read();
        assert!(status.ended);
    }
}
