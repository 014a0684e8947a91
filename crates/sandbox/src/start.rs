//! Starts a program: with namespaces, without namespaces, or without any sandbox.

use std::borrow::Cow;
use std::ffi::{CString, OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::Resource;
use rustix::thread::CpuSet;

use crate::boxed::{Belongings, Inside, Lent, Own};
use crate::bwrap::{self, Making, NotMade, Numbers, Status, only_child};
use crate::cgroup::Group;
use crate::confine;
use crate::frame::{Frame, Lease};
use crate::guard::Guard;
use crate::resolve::Resolved;
use crate::spawn::{Plan, SpawnError, Step, outliving, spawn};
use crate::users::Users;
use crate::{Boxed, Level, Limits, Program, Sandbox, StartError};

/// The number of bubblewrap's own processes in each sandbox.
const BWRAP_PROCESSES: u32 = 2;
/// The number of attempts to run a file that is still being written, a millisecond apart.
const BUSY_TRIES: u32 = 200;
/// The number of other processes that a user may start while a bot runs whose limit counts all processes of that user.
const OTHER_PROCESSES: u64 = 256;

/// Why a start failed, before it is reported.
enum Failed {
    Start(StartError),
    /// The program's file is open for writing.
    Busy,
    /// The file has no executable format that the kernel knows.
    Unknown(PathBuf),
}

/// Why a program was not started in a frame.
enum NotStarted {
    /// The frame cannot be entered.
    View,
    Failed(Failed),
}

impl<E: Into<Failed>> From<E> for NotStarted {
    fn from(failed: E) -> NotStarted {
        NotStarted::Failed(failed.into())
    }
}

impl From<StartError> for Failed {
    fn from(error: StartError) -> Failed {
        Failed::Start(error)
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Failed {
        Failed::Start(StartError::Ours(error.to_string()))
    }
}

impl From<rustix::io::Errno> for Failed {
    fn from(errno: rustix::io::Errno) -> Failed {
        io::Error::from(errno).into()
    }
}

impl Sandbox {
    /// Starts a program in its own sandbox; returns when the program runs.
    ///
    /// At levels A and B as root, and at level C as root where it can be reached, the program runs under a separate
    /// user id: all users must be able to read its files.
    ///
    /// # Errors
    ///
    /// [`StartError::Ours`] when the sandbox failed, otherwise the fault of the program.
    pub fn start(&self, program: &Program, limits: &Limits) -> Result<Boxed, StartError> {
        let mut tries = 0;
        let mut program = Cow::Borrowed(program);
        loop {
            let started = match self.level {
                Level::A => match self.start_framed(&program, limits) {
                    Some(started) => started,
                    None => self.start_wrapped(&program, limits),
                },
                Level::B => self.start_wrapped(&program, limits),
                Level::C => self.start_confined(&program, limits),
                Level::None => self.start_plain(&program, limits),
            };
            match started {
                // A script without an interpreter line is run by the shell.
                Err(Failed::Unknown(file)) if tries < BUSY_TRIES && is_text(&file) => {
                    tries = BUSY_TRIES;
                    let argv = &mut program.to_mut().argv;
                    argv[0] = file.into_os_string();
                    argv.insert(0, "/bin/sh".into());
                }
                Err(Failed::Unknown(file)) => {
                    return Err(StartError::NotExecutable(format!(
                        "{}: neither program nor script",
                        file.display()
                    )));
                }
                Ok(boxed) => return Ok(boxed),
                Err(Failed::Start(error)) => return Err(error),
                // Another child of ours holds a file that we have just written, until this child becomes its program.
                Err(Failed::Busy) if tries < BUSY_TRIES => {
                    tries += 1;
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(Failed::Busy) => {
                    return Err(StartError::Ours("its file is being written".into()));
                }
            }
        }
    }

    /// Like [`Sandbox::start`], for a thread that ends after the sandbox has: the program is killed when this thread
    /// ends. It saves two changes of threads.
    ///
    /// # Errors
    ///
    /// Same as [`Sandbox::start`].
    pub fn start_from_here(&self, program: &Program, limits: &Limits) -> Result<Boxed, StartError> {
        // The guard lives as long as this process.
        Guard::get().map_err(|error| StartError::Ours(error.to_string()))?;
        outliving(|| self.start(program, limits))
    }

    /// Makes the sandboxes for these starts that have to be made first, all at the same time. The starts then find them
    /// ready. It fails silently: a start makes its sandbox itself if there is none.
    pub fn prepare(&self, starts: &[(&Program, &Limits)]) {
        if self.level != Level::A || starts.len() < 2 {
            return;
        }
        let mut frames: Vec<Option<Frame>> =
            starts.iter().map(|(program, limits)| self.pool.take(program, limits)).collect();
        let is_ready = |frame: &Option<Frame>| frame.is_some();
        if frames.iter().filter(|frame| !is_ready(frame)).count() > 1 {
            std::thread::scope(|scope| {
                for (frame, (program, limits)) in
                    frames.iter_mut().zip(starts).filter(|(frame, _)| !is_ready(frame))
                {
                    let make = move || {
                        // This thread may be bound to the core of one match.
                        if let Some(cores) = first_cores() {
                            let _keeps_its_core = rustix::thread::sched_setaffinity(None, &cores);
                        }
                        *frame = self.new_frame(program, limits).ok().flatten();
                    };
                    let _made_by_the_start = std::thread::Builder::new().spawn_scoped(scope, make);
                }
            });
        }
        for frame in frames.into_iter().flatten() {
            drop(self.pool.put(Some(frame)));
        }
    }

    /// Level None: a process in its own group that dies with us.
    fn start_plain(&self, program: &Program, limits: &Limits) -> Result<Boxed, Failed> {
        let name = program.argv.first().map_or(OsStr::new(""), OsString::as_os_str);
        let file = self.places.find(name, program.folder.as_deref())?;
        let ours = |name: &str, otherwise: &str| std::env::var_os(name).unwrap_or_else(|| otherwise.into());
        let usual = [
            ("PATH", ours("PATH", "/usr/local/bin:/usr/bin:/bin")),
            ("HOME", ours("HOME", "/")),
            ("LANG", ours("LANG", "C.UTF-8")),
        ];
        let (ends, theirs) = pipes()?;
        let plan = Plan {
            cores: core_set(limits),
            files: theirs,
            folder: program.folder.as_deref().map(|folder| string(folder.as_os_str())).transpose()?,
            die_with_us: true,
            program: string(file.as_os_str())?,
            arguments: named(&file, program)?,
            environment: variables(program, usual)?,
            ..Plan::default()
        };
        start_bare(plan, ends, Belongings::default())
    }

    /// Level C: the same, restricted by landlock and seccomp.
    fn start_confined(&self, program: &Program, limits: &Limits) -> Result<Boxed, Failed> {
        let resolved = self.places.resolve(program)?;
        let reachable = confine::open_to_all(&resolved.file)
            && resolved.folder.as_deref().is_none_or(confine::open_to_all)
            && resolved.shown.iter().all(|(real, _)| confine::open_to_all(real));
        let users = self.users.as_ref().filter(|_| reachable);
        let own = self.belongings(users, program, limits, 0)?;
        let (ends, theirs) = pipes()?;
        let mut bounds = self.bounds(limits);
        let processes = u64::from(limits.processes);
        bounds.push((
            Resource::Nproc,
            if own.user.is_some() {
                processes
            } else {
                confine::tasks_of_user() + OTHER_PROCESSES + processes
            },
        ));
        let temporary = resolved.writable.as_deref().map(|folder| ("TMPDIR", folder.as_os_str().to_owned()));
        let usual = [("PATH", resolved.path.clone()), ("HOME", "/".into()), ("LANG", "C.UTF-8".into())];
        let plan = Plan {
            groups: own.group.as_ref().map(Group::entries).unwrap_or_default(),
            oom_first: true,
            usual_mask: true,
            cores: core_set(limits),
            files: theirs,
            folder: Some(resolved.folder.as_deref().map_or(Ok(c"/".into()), |f| string(f.as_os_str()))?),
            no_groups: self.users.is_some(),
            user: own.user.as_ref().map(|(_, user)| user.id),
            no_capabilities: true,
            die_with_us: true,
            landlock: Some(confine::ruleset(&resolved)?),
            limits: bounds,
            filter: self.filters.as_ref().map(|filters| filters.choose(program).clone()),
            program: string(resolved.file.as_os_str())?,
            arguments: named(&resolved.file, program)?,
            environment: variables(program, usual.into_iter().chain(temporary))?,
            ..Plan::default()
        };
        start_bare(plan, ends, own)
    }

    /// Level A: in a frame, which is made once and used again. `None` where the sandbox must be made by bubblewrap.
    fn start_framed(&self, program: &Program, limits: &Limits) -> Option<Result<Boxed, Failed>> {
        let frame = match self.pool.take(program, limits) {
            Some(mut frame) => {
                if frame.own.group.is_none() {
                    let made = self.trees.as_ref().map(|trees| trees.make(limits, 0)).transpose();
                    frame.own.group = match made {
                        Ok(group) => group,
                        Err(error) => return Some(Err(error.into())),
                    };
                }
                frame
            }
            None => match self.new_frame(program, limits) {
                Ok(frame) => frame?,
                Err(failed) => return Some(Err(failed)),
            },
        };
        match self.start_in(frame, program, limits) {
            // Something of the host that only frames need.
            Err(NotStarted::View) => None,
            Err(NotStarted::Failed(failed)) => Some(Err(failed)),
            Ok(boxed) => Some(Ok(boxed)),
        }
    }

    /// A new frame; `None` if this host cannot make it, and for a compiler, which runs once.
    fn new_frame(&self, program: &Program, limits: &Limits) -> Result<Option<Frame>, Failed> {
        if program.writable.is_some() || self.users.is_none() || self.pool.has_given_up() {
            return Ok(None);
        }
        let resolved = self.places.resolve(program)?;
        let Some(bwrap) = &self.bwrap else { return Ok(None) };
        readable_by_all(&resolved)?;
        let own = self.belongings(self.users.as_ref(), program, limits, 0)?;
        let made = Frame::make(&bwrap.system, program, resolved, limits, own).ok();
        self.pool.count(made.is_some());
        Ok(made)
    }

    fn start_in(&self, frame: Frame, program: &Program, limits: &Limits) -> Result<Boxed, NotStarted> {
        let resolved = &frame.resolved;
        let (ends, files) = pipes()?;
        let folder = resolved.folder.as_deref().unwrap_or(Path::new("/tmp")).as_os_str();
        let usual = [
            ("PATH", resolved.path.clone()),
            ("HOME", "/tmp".into()),
            ("LANG", "C.UTF-8".into()),
            ("PWD", folder.to_owned()),
        ];
        let mut bounds = self.bounds(limits);
        bounds.push((Resource::Nproc, u64::from(limits.processes)));
        let (place, entry) = Guard::get().map_err(Failed::from)?.reserve();
        let plan = Plan {
            entry: Some(entry),
            groups: frame.own.group.as_ref().map(Group::entries).unwrap_or_default(),
            oom_first: true,
            usual_mask: true,
            cores: core_set(limits),
            files,
            within: Some(frame.within.clone()),
            folder: Some(string(folder)?),
            no_groups: true,
            no_capabilities: true,
            die_with_us: true,
            limits: bounds,
            filter: self.filters.as_ref().map(|filters| filters.choose(program).clone()),
            program: string(resolved.file.as_os_str())?,
            arguments: named(&resolved.file, program)?,
            environment: variables(program, usual)?,
            ..Plan::default()
        };
        let file = plan.program.clone();
        let top = match spawn(plan) {
            Ok(top) => top,
            Err(failed) => {
                return Err(match failed.step {
                    Step::View | Step::Keeper | Step::Clone => NotStarted::View,
                    _ => NotStarted::Failed(not_started(&failed, &file.to_string_lossy())),
                });
            }
        };
        let bot = only_child(top.pid);
        let mounts = File::open(format!("/proc/{}/ns/mnt", top.pid.as_raw_pid())).ok().map(OwnedFd::from);
        let own = Own::Frame(Box::new(Lease { frame, pool: Arc::clone(&self.pool), mounts }));
        Ok(Boxed::new(ends, Inside { top, bot, init: None, status: None, place: Some(place), own }))
    }

    /// Levels A and B: inside bubblewrap.
    fn start_wrapped(&self, program: &Program, limits: &Limits) -> Result<Boxed, Failed> {
        let resolved = self.places.resolve(program)?;
        let (Some(bwrap), Some(filters)) = (&self.bwrap, &self.filters) else {
            return Err(StartError::Ours("there is no bubblewrap".into()).into());
        };
        if self.users.is_some() {
            readable_by_all(&resolved)?;
        }
        let own = self.belongings(self.users.as_ref(), program, limits, BWRAP_PROCESSES)?;
        let (ends, mut files) = pipes()?;
        let (status, status_there) = pipe_with(PipeFlags::CLOEXEC)?;
        let (block_there, block) = pipe_with(PipeFlags::CLOEXEC)?;
        rustix::io::ioctl_fionbio(&status, true)?;
        files.extend([status_there, block_there, filled(&filters.choose(program).bytes())?]);
        files.push(filled(bwrap::passwd().as_bytes())?);
        let mut numbers = Numbers { status: 3, block: 4, filter: 5, passwd: 6, namespace: None };
        if let Some(namespace) = own.user.as_ref().and_then(|(_, user)| user.namespace()) {
            numbers.namespace = Some(files.len());
            files.push(namespace.try_clone_to_owned()?);
        }
        let usual = [("PATH", resolved.path.clone()), ("HOME", "/tmp".into()), ("LANG", "C.UTF-8".into())];
        let mut arguments = bwrap.arguments(&resolved, limits, &numbers, &merged(program, usual));
        arguments.push("--".into());
        arguments.push(resolved.file.clone().into_os_string());
        arguments.extend(program.argv.iter().skip(1).cloned());
        let mut bounds = self.bounds(limits);
        if own.user.is_some() {
            bounds.push((Resource::Nproc, u64::from(limits.processes.saturating_add(BWRAP_PROCESSES))));
        }
        let (place, entry) = Guard::get()?.reserve();
        let plan = Plan {
            entry: Some(entry),
            groups: own.group.as_ref().map(Group::entries).unwrap_or_default(),
            oom_first: true,
            usual_mask: true,
            cores: core_set(limits),
            files,
            folder: Some(c"/".into()),
            no_groups: self.users.is_some(),
            die_with_us: true,
            limits: bounds,
            program: string(bwrap.program.as_os_str())?,
            arguments: strings(&arguments)?,
            ..Plan::default()
        };
        let top = spawn(plan).map_err(|failed| Failed::from(ours(&failed)))?;
        // An ordinary user's bubblewrap is counted with all processes of that user: the limit is for the processes
        // inside.
        let processes = own.user.is_none().then_some(limits.processes.saturating_add(BWRAP_PROCESSES));
        let mut boxed = Boxed::new(
            ends,
            Inside { top, bot: None, init: None, status: None, place: Some(place), own: Own::Once(own) },
        );
        match (Making { status: Status::new(status), block, processes }).finish() {
            Ok(made) => {
                boxed.inside.bot = made.bot;
                boxed.inside.init = Some(made.init);
                boxed.inside.status = Some(made.status);
                Ok(boxed)
            }
            Err(NotMade::Failed(error)) => Err(error.into()),
            Err(NotMade::Ended) => Err(why_ended(&mut boxed, &resolved)),
        }
    }

    /// The limits that the kernel enforces for each process.
    fn bounds(&self, limits: &Limits) -> Vec<(Resource, u64)> {
        let mut bounds = vec![
            (Resource::Core, 0),
            (Resource::Fsize, limits.file_bytes),
            (Resource::Nofile, u64::from(limits.open_files)),
        ];
        bounds.extend(limits.cpu_seconds.map(|seconds| (Resource::Cpu, u64::from(seconds))));
        if self.trees.is_none() {
            // Not the address space: a Java machine reserves more of it than it ever uses.
            bounds.push((Resource::Data, limits.memory));
        }
        bounds
    }

    /// The resources of a sandbox for its lifetime: groups, a user, a folder.
    fn belongings(
        &self,
        users: Option<&Arc<Users>>,
        program: &Program,
        limits: &Limits,
        extra: u32,
    ) -> Result<Belongings, Failed> {
        let mut own = Belongings::default();
        if let Some(trees) = &self.trees {
            own.group = Some(trees.make(limits, extra)?);
        }
        if let Some(users) = users {
            let user = users.take()?;
            own.lent = program.writable.as_deref().map(|folder| Lent::to(user.id, folder)).transpose()?;
            own.user = Some((Arc::clone(users), user));
        }
        Ok(own)
    }
}

/// Starts the program itself, without bubblewrap.
fn start_bare(plan: Plan, ends: [OwnedFd; 3], own: Belongings) -> Result<Boxed, Failed> {
    let (place, entry) = Guard::get()?.reserve();
    let file = plan.program.clone();
    let plan = Plan { entry: Some(entry), ..plan };
    let top = spawn(plan).map_err(|failed| not_started(&failed, &file.to_string_lossy()))?;
    let bot = Some(top.pid);
    let own = Own::Once(own);
    Ok(Boxed::new(ends, Inside { top, bot, init: None, status: None, place: Some(place), own }))
}

/// The failure of a process that did not become the program.
fn not_started(failed: &SpawnError, file: &str) -> Failed {
    let what = || format!("{file}: {}", failed.error);
    match (failed.step, failed.error.raw_os_error()) {
        (Step::Exec, Some(libc::ETXTBSY)) => Failed::Busy,
        (Step::Exec, Some(libc::ENOEXEC)) => Failed::Unknown(file.into()),
        (Step::Exec, Some(libc::ENOENT)) if Path::new(file).exists() => {
            StartError::NotExecutable(format!("{file}: its interpreter or loader is missing")).into()
        }
        (Step::Exec, Some(libc::ENOENT | libc::ENOTDIR)) => StartError::NotFound(what()).into(),
        (
            Step::Exec,
            Some(
                libc::EACCES
                | libc::EPERM
                | libc::EINVAL
                | libc::EISDIR
                | libc::ELOOP
                | libc::ELIBBAD
                | libc::ENAMETOOLONG
                | libc::E2BIG,
            ),
        ) => StartError::NotExecutable(what()).into(),
        (Step::Folder, _) => StartError::NotFound(format!("the working folder: {}", failed.error)).into(),
        _ => ours(failed).into(),
    }
}

fn ours(failed: &SpawnError) -> StartError {
    StartError::Ours(format!("{:?}: {}", failed.step, failed.error))
}

/// Whether a file looks like a script, as shells decide it.
fn is_text(file: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(file).and_then(|file| file.take(256).read_to_end(&mut start));
    read.is_ok() && !start.contains(&0)
}

/// The ends of bubblewrap's messages when the host lacks something.
const OUR_FAULTS: [&str; 6] = [
    "Resource temporarily unavailable",
    "Cannot allocate memory",
    "Too many open files",
    "Too many open files in system",
    "No space left on device",
    "Input/output error",
];

/// The failure of a bubblewrap that ended before the program ran, so that the standard error output is bubblewrap's.
fn why_ended(boxed: &mut Boxed, resolved: &Resolved) -> Failed {
    boxed.kill();
    let mut said = Vec::new();
    if let Some(stderr) = boxed.stderr.take() {
        let _end_or_empty = File::from(stderr).take(4096).read_to_end(&mut said);
    }
    let said = String::from_utf8_lossy(&said);
    let said = said.trim();
    let file = resolved.file.display();
    let error = match said.strip_prefix("bwrap: execvp ") {
        Some(why) if why.ends_with("Text file busy") => return Failed::Busy,
        Some(why) if OUR_FAULTS.iter().any(|fault| why.ends_with(fault)) => {
            StartError::Ours(format!("bubblewrap could not run {why}"))
        }
        Some(why) if why.ends_with("No such file or directory") => {
            StartError::NotExecutable(format!("{file}: its interpreter or loader is missing in the box"))
        }
        Some(why) => StartError::NotExecutable(format!("{file}: {}", why.rsplit(": ").next().unwrap_or(why))),
        None => StartError::Ours(if said.is_empty() { "bubblewrap ended".into() } else { said.to_owned() }),
    };
    error.into()
}

/// Checks that a sandbox with a separate user can read the files.
fn readable_by_all(resolved: &Resolved) -> Result<(), StartError> {
    let closed = |path: &Path, bits: u32| fs::metadata(path).is_ok_and(|meta| meta.mode() & bits != bits);
    let folder =
        resolved.folder.as_deref().filter(|folder| resolved.shown.iter().any(|(_, inside)| inside == folder));
    for path in folder.into_iter().chain([resolved.file.as_path()]) {
        if closed(path, 0o005) {
            return Err(StartError::NotExecutable(format!(
                "{} is closed to other users, and the box runs it as one (chmod -R o+rX)",
                path.display()
            )));
        }
    }
    Ok(())
}

/// Three pipes: our non-blocking ends, and the ends of the program.
fn pipes() -> Result<([OwnedFd; 3], Vec<OwnedFd>), Failed> {
    let (stdin_there, stdin) = pipe_with(PipeFlags::CLOEXEC)?;
    let (stdout, stdout_there) = pipe_with(PipeFlags::CLOEXEC)?;
    let (stderr, stderr_there) = pipe_with(PipeFlags::CLOEXEC)?;
    for end in [&stdin, &stdout, &stderr] {
        rustix::io::ioctl_fionbio(end, true)?;
    }
    Ok(([stdin, stdout, stderr], vec![stdin_there, stdout_there, stderr_there]))
}

/// A pipe that contains a small text.
fn filled(text: &[u8]) -> Result<OwnedFd, Failed> {
    let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
    let written = rustix::io::write(&write, text)?;
    if written == text.len() { Ok(read) } else { Err(StartError::Ours("a pipe is too short".into()).into()) }
}

/// The requested cores, or the first cores of this process: the thread that starts a program may be bound to a core.
fn core_set(limits: &Limits) -> Option<CpuSet> {
    if limits.cores.is_empty() {
        return first_cores();
    }
    let mut set = CpuSet::new();
    for &core in limits.cores.iter().filter(|&&core| core < CpuSet::MAX_CPU) {
        set.set(core);
    }
    Some(set)
}

/// The cores of this process when it first created a sandbox.
pub(crate) fn first_cores() -> Option<CpuSet> {
    static CORES: OnceLock<Option<CpuSet>> = OnceLock::new();
    *CORES.get_or_init(|| rustix::thread::sched_getaffinity(None).ok())
}

/// The program's variables, and the default variables that it does not set.
fn merged(
    program: &Program,
    usual: impl IntoIterator<Item = (&'static str, OsString)>,
) -> Vec<(OsString, OsString)> {
    let usual = usual.into_iter().map(|(name, value)| (OsString::from(name), value));
    let missing = usual.filter(|(name, _)| !program.env.iter().any(|(own, _)| own == name));
    program.env.iter().cloned().chain(missing).collect()
}

fn variables(
    program: &Program,
    usual: impl IntoIterator<Item = (&'static str, OsString)>,
) -> Result<Vec<CString>, Failed> {
    let joined = |(name, value): &(OsString, OsString)| {
        let mut text = name.clone();
        text.push("=");
        text.push(value);
        text
    };
    strings(&merged(program, usual).iter().map(joined).collect::<Vec<_>>())
}

/// The arguments; the first is the file that was found, because the name of a wrapper would mislead an interpreter.
fn named(file: &Path, program: &Program) -> Result<Vec<CString>, Failed> {
    let rest = program.argv.iter().skip(1).map(OsString::as_os_str);
    [file.as_os_str()].into_iter().chain(rest).map(string).collect()
}

fn strings(texts: &[OsString]) -> Result<Vec<CString>, Failed> {
    texts.iter().map(|text| string(text)).collect()
}

fn string(text: &OsStr) -> Result<CString, Failed> {
    CString::new(text.as_bytes())
        .map_err(|_| StartError::NotFound("a zero byte in the command or its environment".into()).into())
}
