//! Frames: sandboxes that are made once and used for many starts of the same program.
//!
//! A frame has everything of a sandbox that a program cannot change: a read-only file system, a network namespace without
//! network, a user id, control groups. Everything that a program can change is made anew for each start: a process
//! namespace, and a copy of the file system with new folders for temporary files, shared memory and processes. It ends
//! when the last process has ended. A frame is used by one start at a time, and only for the program for which it was
//! made. Before it is used again, nothing of the last start is left: no process (their namespace has ended), no file
//! (their file systems are unmounted), no socket (the list of the network namespace is empty), no memory above a small
//! limit (the control group says so). Nothing else can be left in the namespaces that stay: the system calls that create
//! keys, queues, semaphores and shared memory with a name, or bind a socket, are refused.

use std::collections::VecDeque;
use std::ffi::CString;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use rustix::process::Resource;

use crate::boxed::Belongings;
use crate::bwrap::passwd;
use crate::keeper;
use crate::namespaces::{Act, Namespaces, make_namespaces};
use crate::resolve::Resolved;
use crate::spawn::Within;
use crate::start::first_cores;
use crate::view::{self, Part};
use crate::{Limits, Program};

/// The folders that are made anew for each start.
const WRITABLE: [&str; 2] = ["/tmp", "/dev/shm"];
const DEVICES: [&str; 6] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];
const DEVICE_LINKS: [(&str, &str); 5] = [
    ("/proc/self/fd", "/dev/fd"),
    ("/proc/self/fd/0", "/dev/stdin"),
    ("/proc/self/fd/1", "/dev/stdout"),
    ("/proc/self/fd/2", "/dev/stderr"),
    ("/proc/kcore", "/dev/core"),
];

/// A frame that no program uses now.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) own: Belongings,
    pub(crate) within: Within,
    pub(crate) resolved: Resolved,
    program: Program,
    limits: Limits,
    seen: Vec<Seen>,
}

/// A file or folder of the host when the frame was made.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    path: PathBuf,
    id: Option<(u64, u64)>,
    /// For the program's file: when it was last changed.
    changed: Option<(i64, i64)>,
}

impl Seen {
    fn of(path: &Path, whole: bool) -> Seen {
        let meta = fs::metadata(path).ok();
        Seen {
            path: path.to_owned(),
            id: meta.as_ref().map(|meta| (meta.dev(), meta.ino())),
            changed: meta.filter(|_| whole).map(|meta| (meta.ctime(), meta.ctime_nsec())),
        }
    }

    fn is_still_so(&self) -> bool {
        *self == Seen::of(&self.path, self.changed.is_some())
    }
}

impl Frame {
    /// Makes a frame for a program.
    pub(crate) fn make(
        system: &[Part],
        program: &Program,
        resolved: Resolved,
        limits: &Limits,
        own: Belongings,
    ) -> io::Result<Frame> {
        let users = own.user.as_ref().and_then(|(_, user)| Some((user.id, user.namespace()?)));
        let (id, users) = users.ok_or_else(|| io::Error::other("a frame needs a user id"))?;
        let users = rustix::io::fcntl_dupfd_cloexec(users, 3)?;
        let parts = view::of_program(&resolved);
        let (late, early): (Vec<Part>, Vec<Part>) =
            parts.into_iter().partition(|part| WRITABLE.iter().any(|folder| part.path().starts_with(folder)));
        let namespaces = make_namespaces(&lasting(system, &early)?)
            .map_err(|failed| io::Error::new(failed.error.kind(), format!("namespaces: {}", failed.error)))?;
        let within = Within {
            namespaces: Arc::new(namespaces),
            fresh: Arc::new(fresh(limits, id, &late)?),
            users: Arc::new(users),
            keeper: keeper::program()?,
            us: keeper::us()?,
        };
        let shown = resolved.shown.iter().chain(&resolved.masked).map(|(real, _)| Seen::of(real, false));
        let seen = shown.chain([Seen::of(&resolved.file, true)]).collect();
        Ok(Frame { own, within, resolved, program: program.clone(), limits: limits.clone(), seen })
    }

    fn is_for(&self, program: &Program, limits: &Limits) -> bool {
        self.program == *program && self.limits == *limits
    }

    /// Whether it still shows the files that a new one would show.
    fn is_current(&self) -> bool {
        self.seen.iter().all(Seen::is_still_so)
    }
}

/// A frame while a program runs in it.
#[derive(Debug)]
pub(crate) struct Lease {
    pub(crate) frame: Frame,
    pub(crate) pool: Arc<Pool>,
    /// The file systems of this start: kept until the processes have ended, so that their end does not wait for the
    /// unmounting.
    pub(crate) mounts: Option<OwnedFd>,
}

impl Lease {
    /// Takes the sandbox back after all its processes have ended.
    pub(crate) fn end(self) {
        self.pool.state().cleaning += 1;
        let cleaners = cleaners();
        if let Err(back) = cleaners.send(self) {
            back.0.clean();
        }
    }

    /// Unmounts the file systems of the last start, and gives the frame back if nothing is left in it.
    fn clean(self) {
        let Lease { mut frame, pool, mounts } = self;
        // The last reference: the file systems are gone when this returns.
        drop(mounts);
        let is_clean = has_no_socket_soon(&frame.within.namespaces);
        if frame.own.group.as_mut().is_some_and(|group| !group.renew()) {
            frame.own.remove_group();
        }
        let dropped = pool.put(is_clean.then_some(frame));
        drop(dropped);
        pool.state().cleaning -= 1;
        pool.cleaned.notify_all();
    }
}

/// Sockets that hold each other are freed by the kernel some time after their last process has ended, when another
/// socket is closed.
fn has_no_socket_soon(namespaces: &Namespaces) -> bool {
    (0..20).any(|tries| {
        if tries > 0 {
            drop(std::os::unix::net::UnixStream::pair());
            std::thread::sleep(Duration::from_millis(2));
        }
        namespaces.has_no_socket()
    })
}

/// The threads that unmount file systems: the kernel makes them wait, and a match should not.
fn cleaners() -> Sender<Lease> {
    const THREADS: usize = 4;
    static JOBS: OnceLock<Mutex<Sender<Lease>>> = OnceLock::new();
    let jobs = JOBS.get_or_init(|| {
        let (sender, jobs) = channel::<Lease>();
        let jobs: Arc<Mutex<Receiver<Lease>>> = Arc::new(Mutex::new(jobs));
        for _ in 0..THREADS {
            let jobs = Arc::clone(&jobs);
            let work = move || {
                // The thread that starts this one may be bound to a core.
                if let Some(cores) = first_cores() {
                    let _keeps_its_core = rustix::thread::sched_setaffinity(None, &cores);
                }
                loop {
                    let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok(lease) = job else { return };
                    lease.clean();
                }
            };
            // Fewer threads do the same; with none of them the channel has no end, and the caller cleans.
            let _none = std::thread::Builder::new().name("box cleaner".into()).spawn(work);
        }
        Mutex::new(sender)
    });
    jobs.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The frames of a [`Sandbox`](crate::Sandbox) that no program uses now.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    state: Mutex<State>,
    cleaned: Condvar,
    made: AtomicU64,
    /// The number of attempts that failed since the last one that did not.
    failed: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    /// The frames, the least recently used first.
    idle: VecDeque<Frame>,
    /// The number of leases that have ended and are not cleaned yet.
    cleaning: usize,
    closed: bool,
}

impl Pool {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An idle frame for this program.
    pub(crate) fn take(&self, program: &Program, limits: &Limits) -> Option<Frame> {
        loop {
            let mut state = self.state();
            let place = state.idle.iter().rposition(|frame| frame.is_for(program, limits))?;
            let frame = state.idle.remove(place)?;
            drop(state);
            if frame.is_current() {
                return Some(frame);
            }
        }
    }

    /// Counts an attempt to make a frame.
    pub(crate) fn count(&self, is_made: bool) {
        if is_made {
            self.made.fetch_add(1, Ordering::Relaxed);
            self.failed.store(0, Ordering::Relaxed);
        } else {
            self.failed.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Whether this host cannot make frames: the last attempts failed.
    pub(crate) fn has_given_up(&self) -> bool {
        self.failed.load(Ordering::Relaxed) >= 3
    }

    /// The number of frames that were made.
    pub(crate) fn made(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }

    /// Keeps a frame. Returns a frame that is not kept.
    pub(crate) fn put(&self, frame: Option<Frame>) -> Option<Frame> {
        let mut state = self.state();
        if state.closed {
            return frame;
        }
        state.idle.extend(frame);
        if state.idle.len() > most_idle() { state.idle.pop_front() } else { None }
    }

    /// Removes all frames; those in use are removed when their programs have ended.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        while state.cleaning > 0 {
            state = self.cleaned.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let idle = std::mem::take(&mut state.idle);
        drop(state);
        drop(idle);
    }
}

/// The number of idle frames that are kept: each has about 20 open files.
fn most_idle() -> usize {
    static MOST: OnceLock<usize> = OnceLock::new();
    *MOST.get_or_init(|| {
        let files = rustix::process::getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
        usize::try_from(files / 40).unwrap_or(usize::MAX).clamp(4, 64)
    })
}

/// The part of the file system that is made once.
fn lasting(system: &[Part], program: &[Part]) -> io::Result<Vec<Act>> {
    let mut acts = Vec::new();
    for part in system {
        add(&mut acts, part)?;
    }
    folders(&mut acts, Path::new("/etc"))?;
    acts.push(Act::Text(string("/etc/passwd")?, passwd().into_bytes()));
    folders(&mut acts, Path::new("/proc"))?;
    folders(&mut acts, Path::new("/dev"))?;
    acts.push(Act::Memory(string("/dev")?, string("mode=0755")?));
    for device in DEVICES.map(Path::new).into_iter().filter(|device| device.exists()) {
        acts.push(Act::File(string(device)?));
        acts.push(Act::Tree(string(device)?, string(device)?, Act::DEVICE));
    }
    for (target, path) in DEVICE_LINKS {
        acts.push(Act::Link(string(target)?, string(path)?));
    }
    for folder in WRITABLE {
        folders(&mut acts, Path::new(folder))?;
    }
    for part in program {
        add(&mut acts, part)?;
    }
    acts.push(Act::ReadOnly(string("/dev")?));
    acts.push(Act::ReadOnly(string("/")?));
    for part in system {
        if let Part::Hidden(path) = part {
            acts.push(Act::ReadOnly(string(path)?));
        }
    }
    Ok(acts)
}

/// The part of the file system that is made for each start.
fn fresh(limits: &Limits, user: u32, late: &[Part]) -> io::Result<Vec<Act>> {
    let size = limits.tmp_bytes.max(4096);
    let options = string(format!("mode=0755,size={size},uid={user},gid={user}"))?;
    let mut acts = Vec::new();
    for folder in WRITABLE {
        acts.push(Act::Memory(string(folder)?, options.clone()));
    }
    add(&mut acts, &view::no_java_files())?;
    for part in late {
        add(&mut acts, part)?;
    }
    acts.push(Act::Processes(string("/proc")?));
    Ok(acts)
}

fn add(acts: &mut Vec<Act>, part: &Part) -> io::Result<()> {
    let path = part.path();
    if let Some(parent) = path.parent() {
        folders(acts, parent)?;
    }
    match part {
        Part::Link { target, .. } => acts.push(Act::Link(string(target)?, string(path)?)),
        Part::Folder(_) => acts.push(Act::Folder(string(path)?)),
        Part::Hidden(_) => {
            acts.push(Act::Folder(string(path)?));
            acts.push(Act::Memory(string(path)?, string("mode=0755")?));
        }
        Part::Shown { real, .. } => {
            let is_folder = fs::metadata(real)?.is_dir();
            acts.push(if is_folder { Act::Folder(string(path)?) } else { Act::File(string(path)?) });
            acts.push(Act::Tree(string(real)?, string(path)?, Act::SHOWN));
        }
    }
    Ok(())
}

/// A folder with the folders above it.
fn folders(acts: &mut Vec<Act>, path: &Path) -> io::Result<()> {
    let mut above: Vec<&Path> = path.ancestors().filter(|path| path.parent().is_some()).collect();
    above.reverse();
    for folder in above {
        acts.push(Act::Folder(string(folder)?));
    }
    Ok(())
}

fn string(path: impl AsRef<Path>) -> io::Result<CString> {
    Ok(CString::new(path.as_ref().as_os_str().as_bytes())?)
}
