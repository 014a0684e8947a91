//! Starts processes. This module, [`crate::namespaces`] and [`crate::keeper`] are the only ones that need `unsafe`.
//!
//! A child shares our memory until it becomes the program (`CLONE_VM | CLONE_VFORK`, as `posix_spawn` does), so that
//! the cost of a start does not depend on the size of our process. Before that it takes the steps that only the child
//! itself can take: enter its groups, set its limits, drop its rights, set its parent-death signal. Everything it needs
//! is prepared before.
//!
//! A program in a prepared sandbox ([`Within`]) has a *keeper*: the first process of its process namespace, which makes
//! the file systems of this one match, starts the program, reaps orphans and reports how the program ended. It starts as
//! such a child too, and becomes [`crate::keeper`]'s tiny program before the bot may run: no code or file of ours is
//! inside.
//!
//! The kernel binds the parent-death signal to the *thread* that started the child. Threads end, so children are
//! started by the main thread or by threads of this module, which never end.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::ffi::{CString, c_int, c_void};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{Pid, Resource, Rlimit, Signal};
use rustix::thread::{CapabilitiesSecureBits, CapabilitySet, CapabilitySets, CpuSet};

use crate::guard::Entry;
use crate::namespaces::{Act, Namespaces, enter, enter_namespace};
use crate::seccomp::Filter;
use crate::users::INSIDE;

/// The steps of a child before it becomes the program, in the order of the fields.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The line of the guard's list to enter.
    pub(crate) entry: Option<Entry>,
    /// Open files of the groups to enter, by writing `0`. A keeper stays outside.
    pub(crate) groups: Vec<Arc<OwnedFd>>,
    /// Be the first process that the kernel kills when the host runs out of memory.
    pub(crate) oom_first: bool,
    /// Create files that other users may read, whatever our own file mode mask is.
    pub(crate) usual_mask: bool,
    /// Cores to run on.
    pub(crate) cores: Option<CpuSet>,
    /// Become descriptors 0, 1, 2, ... All others are closed.
    pub(crate) files: Vec<OwnedFd>,
    /// The prepared sandbox to run in.
    pub(crate) within: Option<Within>,
    /// The working folder.
    pub(crate) folder: Option<CString>,
    /// Drop the supplementary groups.
    pub(crate) no_groups: bool,
    /// User and group to become.
    pub(crate) user: Option<u32>,
    /// Drop every capability, also those that an executed file would grant.
    pub(crate) no_capabilities: bool,
    /// Die when this process dies.
    pub(crate) die_with_us: bool,
    /// A landlock ruleset, to which `/proc/self` is added first.
    pub(crate) landlock: Option<OwnedFd>,
    /// Limits, soft and hard.
    pub(crate) limits: Vec<(Resource, u64)>,
    /// A seccomp filter.
    pub(crate) filter: Option<Filter>,
    /// The file to run.
    pub(crate) program: CString,
    /// Its arguments, the first being its name.
    pub(crate) arguments: Vec<CString>,
    /// Its environment, as `NAME=value`.
    pub(crate) environment: Vec<CString>,
}

/// A prepared sandbox, and the parts of it that are made anew for each start.
#[derive(Clone, Debug)]
pub(crate) struct Within {
    pub(crate) namespaces: Arc<Namespaces>,
    /// The file systems of this start.
    pub(crate) fresh: Arc<Vec<Act>>,
    /// The user namespace of the program.
    pub(crate) users: Arc<OwnedFd>,
    /// The program of the keeper. It writes a byte to its descriptor 0 when it runs.
    pub(crate) keeper: BorrowedFd<'static>,
    /// This process; readable when it has ended.
    pub(crate) us: BorrowedFd<'static>,
}

/// A started process that has not been waited for.
#[derive(Debug)]
pub(crate) struct Child {
    pub(crate) pid: Pid,
    pub(crate) pidfd: OwnedFd,
}

/// The step at which a child failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Step {
    Clone,
    Life,
    Groups,
    Limits,
    Cores,
    Files,
    View,
    Keeper,
    Folder,
    Rights,
    Landlock,
    Seccomp,
    Exec,
}

impl Step {
    const ALL: [Step; 13] = [
        Step::Clone,
        Step::Life,
        Step::Groups,
        Step::Limits,
        Step::Cores,
        Step::Files,
        Step::View,
        Step::Keeper,
        Step::Folder,
        Step::Rights,
        Step::Landlock,
        Step::Seccomp,
        Step::Exec,
    ];
}

/// Why a process did not start.
#[derive(Debug)]
pub(crate) struct SpawnError {
    pub(crate) step: Step,
    pub(crate) error: io::Error,
}

type Answer = Result<Child, SpawnError>;
type Job = (Plan, SyncSender<Answer>);

thread_local! {
    /// Whether this thread outlives the processes that it starts.
    static OUTLIVES: Cell<bool> = const { Cell::new(false) };
}

/// Does something on this thread, which outlives the processes that are started meanwhile.
pub(crate) fn outliving<T>(act: impl FnOnce() -> T) -> T {
    let before = OUTLIVES.replace(true);
    let done = act();
    OUTLIVES.set(before);
    done
}

/// Starts a process, from a thread that lives as long as this process, or longer than the started one.
pub(crate) fn spawn(plan: Plan) -> Answer {
    static IDLE: Mutex<Vec<SyncSender<Job>>> = Mutex::new(Vec::new());
    if OUTLIVES.get() || rustix::thread::gettid() == rustix::process::getpid() {
        return spawn_here(&plan);
    }
    let failed = |error: io::Error| SpawnError {
        step: Step::Clone,
        error: io::Error::other(format!("thread: {error}")),
    };
    let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let starter = match idle {
        Some(starter) => starter,
        None => {
            let (starter, jobs) = sync_channel::<Job>(1);
            std::thread::Builder::new()
                .name("box starter".into())
                .spawn(move || {
                    for (plan, answer) in jobs {
                        let child = spawn_here(&plan);
                        // Close the child's ends of the pipes.
                        drop(plan);
                        let _nobody_waits = answer.send(child);
                    }
                })
                .map_err(failed)?;
            starter
        }
    };
    let (sender, answer) = sync_channel(1);
    let gone = |_| failed(io::Error::other("a thread that starts programs has ended"));
    starter.send((plan, sender)).map_err(|_| failed(io::Error::other("no thread to start programs")))?;
    let answer = answer.recv().map_err(gone)?;
    IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(starter);
    answer
}

/// The plan in the form that the child needs: no allocation, no lock, no unwinding from here on.
struct Orders<'a> {
    plan: &'a Plan,
    argv: Vec<*const libc::c_char>,
    envp: Vec<*const libc::c_char>,
    /// Space for descriptors while they are moved to their places.
    moved: Vec<RawFd>,
    /// Space for the trees of the acts.
    trees: Vec<RawFd>,
    filter: Vec<libc::sock_filter>,
    parent: Pid,
    /// The number of the child as we see it, written by the kernel before the child runs.
    child: AtomicI32,
    /// The stack of a program that a keeper starts.
    stack: Vec<u128>,
    /// A pipe through which the keeper's program lets the bot run: read, write.
    go: Option<(OwnedFd, OwnedFd)>,
    /// Zero when the program that a keeper started no longer shares our memory; the kernel writes it.
    program_lives: AtomicU32,
    /// The step at which the child failed, read by the parent after the child has ended.
    step: AtomicI32,
    errno: AtomicI32,
}

impl Orders<'_> {
    fn fail(&self, (step, errno): (Step, Errno)) -> ! {
        self.step.store(step as i32, Ordering::Release);
        self.errno.store(errno.raw_os_error().max(1), Ordering::Release);
        // SAFETY: ends this process only, without running anything of the parent's.
        unsafe { libc::_exit(127) }
    }

    /// The error of a child that has ended or has become its program.
    fn failure(&self) -> Option<SpawnError> {
        let errno = self.errno.load(Ordering::Acquire);
        let step = Step::ALL.get(self.step.load(Ordering::Acquire) as usize).copied().unwrap_or(Step::Clone);
        (errno != 0).then(|| SpawnError { step, error: io::Error::from_raw_os_error(errno) })
    }
}

fn pointers(strings: &[CString]) -> Vec<*const libc::c_char> {
    strings.iter().map(|s| s.as_ptr()).chain([std::ptr::null()]).collect()
}

/// A program that does not run after this time never will: our fault.
const READY_WITHIN: Duration = Duration::from_secs(30);

/// More than a child's few frames need, also without optimization.
const STACK: usize = 64 << 10;

pub(crate) fn stack() -> Vec<u128> {
    Vec::with_capacity(STACK / size_of::<u128>())
}

/// Runs `child` in a new process that shares our memory, and waits until it has become another program or has ended.
/// The kernel writes its number to `number` before it runs.
///
/// # Safety
///
/// `child` must be a function for such a process, and `orders` a valid argument for it.
pub(crate) unsafe fn vfork(
    child: extern "C" fn(*mut c_void) -> c_int,
    flags: c_int,
    orders: *mut c_void,
    number: *mut i32,
) -> io::Result<Pid> {
    let mut stack = stack();
    let flags = flags | libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PARENT_SETTID | libc::SIGCHLD;
    let all = all_signals();
    // SAFETY: `sigset_t` is plain data, and zeros are a value of it.
    let mut before: libc::sigset_t = unsafe { std::mem::zeroed() };
    // SAFETY: both sets are valid for the call.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before) };
    // SAFETY: the child runs `child` on its own stack, which grows down from the aligned end of `stack`. Because of
    // CLONE_VFORK this thread waits until the child has called `execve` or `_exit`, so `stack` and `orders` outlive its
    // use of them, and no other code changes them. All signals are blocked, so no handler of ours runs in the child.
    // CLONE_PARENT_SETTID stores a number at the fifth argument, a valid `i32`.
    let pid = unsafe {
        let top = stack.as_mut_ptr().add(stack.capacity()).cast::<c_void>();
        libc::clone(child, top, flags, orders, number)
    };
    let failed = io::Error::last_os_error();
    // SAFETY: `before` was filled above.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, std::ptr::null_mut()) };
    Pid::from_raw(pid).filter(|_| pid > 0).ok_or(failed)
}

/// Starts a process from this thread, and returns when it has become the program.
fn spawn_here(plan: &Plan) -> Answer {
    let failed = |error: io::Error| SpawnError { step: Step::Clone, error };
    let within = plan.within.as_ref();
    let go = match within {
        Some(_) => {
            Some(rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).map_err(|e| failed(e.into()))?)
        }
        None => None,
    };
    let mut orders = Orders {
        plan,
        argv: pointers(&plan.arguments),
        envp: pointers(&plan.environment),
        moved: vec![-1; plan.files.len()],
        trees: vec![-1; within.map_or(0, |within| within.fresh.len())],
        filter: plan.filter.as_ref().map(Filter::raw).unwrap_or_default(),
        parent: rustix::process::getpid(),
        child: AtomicI32::new(0),
        stack: if within.is_some() { stack() } else { Vec::new() },
        go,
        program_lives: AtomicU32::new(0),
        step: AtomicI32::new(0),
        errno: AtomicI32::new(0),
    };
    let flags = if within.is_some() { libc::CLONE_NEWPID } else { 0 };
    let number = orders.child.as_ptr();
    let steps = if within.is_some() { keeper } else { child };
    // SAFETY: `child` and `keeper` take `Orders`, and `orders` outlives them: this thread waits for both processes.
    let pid = unsafe { vfork(steps, flags, (&raw mut orders).cast::<c_void>(), number) }.map_err(failed)?;
    // The process is ours and was not waited for: the number is still its own.
    let pidfd = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty());
    // A keeper that failed has ended, and with it everything in its namespace; else its program comes to an end of its
    // steps by itself: it becomes the bot or ends.
    let patience = rustix::thread::futex::Timespec { tv_sec: READY_WITHIN.as_secs() as i64, tv_nsec: 0 };
    while orders.errno.load(Ordering::Acquire) == 0 && orders.program_lives.load(Ordering::Acquire) != 0 {
        let flags = rustix::thread::futex::Flags::empty();
        if rustix::thread::futex::wait(&orders.program_lives, flags, 1, Some(&patience))
            == Err(Errno::TIMEDOUT)
        {
            // The end of a keeper is the end of its program.
            let _gone = rustix::process::kill_process(pid, Signal::KILL);
            orders.step.store(Step::Keeper as i32, Ordering::Release);
            orders.errno.store(libc::ETIMEDOUT, Ordering::Release);
        }
    }
    let wait = || rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::empty());
    match (orders.failure(), pidfd) {
        (None, Ok(pidfd)) => Ok(Child { pid, pidfd }),
        (Some(error), _) => {
            // It has ended already or does so now; this only removes what is left of it.
            let _reaped = wait();
            Err(error)
        }
        (None, Err(errno)) => {
            let _gone = rustix::process::kill_process(pid, Signal::KILL);
            let _reaped = wait();
            Err(failed(errno.into()))
        }
    }
}

/// The function of the child: takes the steps of the plan and becomes the program, or reports an error and ends.
extern "C" fn child(orders: *mut c_void) -> c_int {
    // SAFETY: `spawn_here` passed a valid pointer and waits until this function is done with it; all that is changed
    // through it is atomic or, in `moved` and `filter`, the child's alone.
    let orders = unsafe { &mut *orders.cast::<Orders<'_>>() };
    let failed = match begin(orders, rustix::process::getpid()).and_then(|()| confine(orders)) {
        Ok(()) => become_program(orders),
        Err(failed) => failed,
    };
    orders.fail(failed)
}

/// The function of a keeper: makes the sandbox of this start, starts the program in it, and becomes the keeper's
/// program.
extern "C" fn keeper(orders: *mut c_void) -> c_int {
    // SAFETY: as in `child`. The program that is started here uses the fields that are changed by `confine`, the keeper
    // the others.
    let orders = unsafe { &mut *orders.cast::<Orders<'_>>() };
    let failed = match keep(orders) {
        Ok(never) => match never {},
        Err(failed) => failed,
    };
    orders.fail(failed)
}

fn keep(orders: &mut Orders<'_>) -> Result<std::convert::Infallible, (Step, Errno)> {
    let at = |step: Step| move |errno: Errno| (step, errno);
    let plan = orders.plan;
    let Some((within, (_, go))) = plan.within.as_ref().zip(orders.go.as_ref()) else {
        return Err((Step::Keeper, Errno::INVAL));
    };
    let (go, own) = (go.as_raw_fd(), orders.child.load(Ordering::Acquire));
    let own = Pid::from_raw(own).ok_or((Step::Life, Errno::SRCH))?;
    begin(orders, own)?;
    enter(within, &mut orders.trees).map_err(at(Step::View))?;
    orders.program_lives.store(1, Ordering::Release);
    let flags = libc::CLONE_VM | libc::CLONE_CHILD_CLEARTID | libc::SIGCHLD;
    // SAFETY: the program runs `program` on a stack of its own. The thread that waits for this keeper waits for it too,
    // by the word that the kernel clears when it no longer uses our memory, so `orders` outlives its use.
    let pid = unsafe {
        let top = orders.stack.as_mut_ptr().add(orders.stack.capacity()).cast::<c_void>();
        let lives = orders.program_lives.as_ptr();
        let nothing = std::ptr::null_mut::<c_void>();
        libc::clone(program, top, flags, (&raw mut *orders).cast::<c_void>(), nothing, nothing, lives)
    };
    if pid < 0 {
        return Err((Step::Keeper, last_errno()));
    }
    // Still as the host's root, so that the program cannot reach this process, but without any right.
    enter_namespace(within.users.as_fd(), libc::CLONE_NEWUSER).map_err(at(Step::Keeper))?;
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    rustix::thread::set_capabilities(None, none).map_err(at(Step::Keeper))?;
    rustix::thread::set_no_new_privs(true).map_err(at(Step::Keeper))?;
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).map_err(at(Step::Life))?;
    // We may have ended before. The number of a parent outside the namespace is not known inside.
    let mut ended = [rustix::event::PollFd::new(&within.us, rustix::event::PollFlags::IN)];
    let now = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
    if rustix::event::poll(&mut ended, Some(&now)).map_err(at(Step::Life))? > 0 {
        return Err((Step::Life, Errno::SRCH));
    }
    // SAFETY: plain system calls on the keeper's own descriptors; the strings and the list end as they must.
    unsafe {
        if libc::dup2(go, 0) < 0
            || libc::syscall(libc::SYS_close_range, 1_u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) != 0
        {
            return Err((Step::Keeper, last_errno()));
        }
        let arguments = [c"init".as_ptr(), std::ptr::null()];
        let nothing = [std::ptr::null::<libc::c_char>()];
        let file = within.keeper.as_raw_fd();
        libc::syscall(
            libc::SYS_execveat,
            file,
            c"".as_ptr(),
            arguments.as_ptr(),
            nothing.as_ptr(),
            libc::AT_EMPTY_PATH,
        );
    }
    Err((Step::Keeper, last_errno()))
}

/// The function of the program that a keeper starts.
extern "C" fn program(orders: *mut c_void) -> c_int {
    // SAFETY: as in `child`; the keeper does not use `filter` any more.
    let orders = unsafe { &mut *orders.cast::<Orders<'_>>() };
    let failed = match join(orders).and_then(|()| confine(orders)).and_then(|()| wait_for_keeper(orders)) {
        Ok(()) => become_program(orders),
        Err(failed) => failed,
    };
    orders.fail(failed)
}

/// Enters the groups, which become the root of the groups that the program sees.
fn join(orders: &Orders<'_>) -> Result<(), (Step, Errno)> {
    let at = |step: Step| move |errno: Errno| (step, errno);
    enter_groups(orders.plan)?;
    // SAFETY: a call without pointers; the process shares no file system information with us.
    let made = unsafe { libc::unshare(libc::CLONE_NEWCGROUP) };
    // A kernel without such namespaces shows the name of the group.
    match if made == 0 { Ok(()) } else { Err(last_errno()) } {
        Err(Errno::INVAL) | Ok(()) => Ok(()),
        Err(errno) => Err(at(Step::Groups)(errno)),
    }
}

/// Waits until the keeper is no longer a copy of ours.
fn wait_for_keeper(orders: &Orders<'_>) -> Result<(), (Step, Errno)> {
    let Some((go, _)) = &orders.go else { return Err((Step::Keeper, Errno::INVAL)) };
    let mut byte = [0; 1];
    loop {
        match rustix::io::read(go, &mut byte[..]) {
            Ok(1) => return Ok(()),
            Err(Errno::INTR) => {}
            Ok(_) => return Err((Step::Keeper, Errno::PIPE)),
            Err(errno) => return Err((Step::Keeper, errno)),
        }
    }
}

fn enter_groups(plan: &Plan) -> Result<(), (Step, Errno)> {
    for group in &plan.groups {
        rustix::io::write(group, b"0").map_err(|errno| (Step::Groups, errno))?;
    }
    Ok(())
}

/// The first steps between `clone` and `execve`, of a child or a keeper whose number outside is `own`. Only direct system
/// calls: nothing here allocates.
fn begin(orders: &mut Orders<'_>, own: Pid) -> Result<(), (Step, Errno)> {
    let plan = orders.plan;
    let at = |step: Step| move |errno: Errno| (step, errno);

    default_signals();
    rustix::process::setsid().map_err(at(Step::Life))?;
    if let Some(entry) = plan.entry {
        entry.write(Some(own)).map_err(at(Step::Life))?;
    }
    if plan.within.is_none() {
        enter_groups(plan)?;
    }
    if plan.oom_first {
        // A host without this file is not a problem.
        if let Ok(file) = rustix::fs::open(c"/proc/self/oom_score_adj", OFlags::WRONLY, Mode::empty()) {
            let _unsupported = rustix::io::write(&file, b"1000");
        }
    }
    if plan.usual_mask {
        rustix::process::umask(Mode::WGRP | Mode::WOTH);
    }
    if let Some(cores) = &plan.cores {
        rustix::thread::sched_setaffinity(None, cores).map_err(at(Step::Cores))?;
    }
    place_files(&plan.files, &mut orders.moved).map_err(at(Step::Files))
}

/// The last steps before `execve`, of a child or of the program of a keeper.
fn confine(orders: &mut Orders<'_>) -> Result<(), (Step, Errno)> {
    let plan = orders.plan;
    let at = |step: Step| move |errno: Errno| (step, errno);

    if let Some(folder) = &plan.folder {
        rustix::process::chdir(folder.as_c_str()).map_err(at(Step::Folder))?;
    }
    give_up_rights(plan).map_err(at(Step::Rights))?;
    // After the change of user, which would reset it. A program with a keeper ends with the keeper.
    if plan.die_with_us && plan.within.is_none() {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL)).map_err(at(Step::Life))?;
        // The parent may have ended before.
        if rustix::process::getppid() != Some(orders.parent) {
            return Err((Step::Life, Errno::SRCH));
        }
    }
    if plan.landlock.is_some() || plan.filter.is_some() {
        rustix::thread::set_no_new_privs(true).map_err(at(Step::Rights))?;
    }
    if let Some(ruleset) = &plan.landlock {
        restrict_files(ruleset).map_err(at(Step::Landlock))?;
    }
    // Not earlier: with many open files here, there may be no free descriptor below the limit.
    for &(resource, most) in &plan.limits {
        // An ordinary user cannot raise a limit that is already lower.
        let hard = rustix::process::getrlimit(resource).maximum.map_or(most, |hard| hard.min(most));
        let limit = Rlimit { current: Some(hard), maximum: Some(hard) };
        rustix::process::setrlimit(resource, limit).map_err(at(Step::Limits))?;
    }
    if let Some(filter) = &plan.filter {
        filter.put_pid(&mut orders.filter, rustix::process::getpid().as_raw_pid() as u32);
        restrict_calls(&orders.filter).map_err(at(Step::Seccomp))?;
    }
    Ok(())
}

/// Moves the descriptors to 0, 1, 2, ... and closes all others. In two rounds, because a descriptor may have the number
/// of another's place.
fn place_files(files: &[OwnedFd], moved: &mut [RawFd]) -> Result<(), Errno> {
    for (file, to) in files.iter().zip(moved.iter_mut()) {
        // SAFETY: a plain system call on an open descriptor; the copy is closed by the exec.
        *to = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_DUPFD, files.len() as c_int) };
        if *to < 0 {
            return Err(last_errno());
        }
    }
    for (place, from) in moved.iter().enumerate() {
        // SAFETY: as above. The places below `files.len()` are nobody's in this copy of the table.
        if unsafe { libc::dup2(*from, place as c_int) } < 0 {
            return Err(last_errno());
        }
    }
    // SAFETY: marks descriptors of the child's own table; they are open until the exec.
    let closed = unsafe {
        libc::syscall(libc::SYS_close_range, files.len() as u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC)
    };
    if closed == 0 { Ok(()) } else { Err(last_errno()) }
}

/// Drops groups, user and capabilities, in the order in which each step is still allowed.
fn give_up_rights(plan: &Plan) -> Result<(), Errno> {
    if plan.no_groups {
        rustix::thread::set_thread_groups(&[])?;
    }
    if let Some(within) = &plan.within {
        enter_namespace(within.users.as_fd(), libc::CLONE_NEWUSER)?;
    }
    if plan.no_capabilities {
        for capability in 0..64 {
            match rustix::thread::remove_capability_from_bounding_set(CapabilitySet::from_bits_retain(
                1 << capability,
            )) {
                Ok(()) => {}
                // The number is past the last capability of this kernel, or we may not remove it.
                Err(Errno::INVAL | Errno::PERM) => break,
                Err(errno) => return Err(errno),
            }
        }
    }
    let inside = plan.within.as_ref().map(|_| INSIDE);
    if let Some(user) = inside.or(plan.user) {
        let gid = rustix::process::Gid::from_raw(user);
        let uid = rustix::process::Uid::from_raw(user);
        rustix::thread::set_thread_res_gid(gid, gid, gid)?;
        rustix::thread::set_thread_res_uid(uid, uid, uid)?;
    }
    if plan.no_capabilities {
        let none = CapabilitySets {
            effective: CapabilitySet::empty(),
            permitted: CapabilitySet::empty(),
            inheritable: CapabilitySet::empty(),
        };
        // Only a privileged process can set these bits; other processes cannot gain rights by an exec.
        let _not_ours = rustix::thread::set_capabilities_secure_bits(
            CapabilitiesSecureBits::NO_ROOT | CapabilitiesSecureBits::NO_ROOT_LOCKED,
        );
        rustix::thread::set_capabilities(None, none)?;
    }
    Ok(())
}

/// Lets the child read its own files in `/proc`, and nothing outside the ruleset.
fn restrict_files(ruleset: &OwnedFd) -> Result<(), Errno> {
    #[repr(C, packed)]
    struct PathBeneath {
        allowed_access: u64,
        parent_fd: i32,
    }
    const RULE_PATH_BENEATH: c_int = 1;
    const READ_FILE: u64 = 1 << 2;
    const READ_DIR: u64 = 1 << 3;

    let own = rustix::fs::open(c"/proc/self", OFlags::PATH, Mode::empty())?;
    let rule = PathBeneath { allowed_access: READ_FILE | READ_DIR, parent_fd: own.as_raw_fd() };
    // SAFETY: the ruleset is an open descriptor, the rule lives through the call, and the kernel copies it.
    let added = unsafe {
        libc::syscall(libc::SYS_landlock_add_rule, ruleset.as_raw_fd(), RULE_PATH_BENEATH, &raw const rule, 0)
    };
    if added != 0 {
        return Err(last_errno());
    }
    // SAFETY: a call without pointers.
    let restricted = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0) };
    if restricted == 0 { Ok(()) } else { Err(last_errno()) }
}

fn restrict_calls(filter: &[libc::sock_filter]) -> Result<(), Errno> {
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
    // SAFETY: the program lives through the call; the kernel reads and copies it.
    let set = unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) };
    if set == 0 { Ok(()) } else { Err(last_errno()) }
}

/// Becomes the program; returns only on failure.
fn become_program(orders: &Orders<'_>) -> (Step, Errno) {
    let none = no_signals();
    // SAFETY: no handler of ours is left (`default_signals`), so unblocking runs none of our code. The arrays end with
    // a null pointer and, like the strings they point to, outlive the call.
    unsafe {
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
        libc::execve(orders.plan.program.as_ptr(), orders.argv.as_ptr(), orders.envp.as_ptr());
    }
    (Step::Exec, last_errno())
}

/// Resets every signal to its default: a signal that we ignore (a Rust program ignores SIGPIPE) would stay ignored.
fn default_signals() {
    // SAFETY: `sigaction` is plain data; zeros mean the default action, no flags, an empty mask. The child has its own
    // table of handlers (no CLONE_SIGHAND), so ours do not change. Signals that cannot be set are refused.
    unsafe {
        let action: libc::sigaction = std::mem::zeroed();
        for signal in 1..=64 {
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
}

fn all_signals() -> libc::sigset_t {
    let mut set = no_signals();
    // SAFETY: `set` is a valid signal set.
    unsafe { libc::sigfillset(&raw mut set) };
    set
}

fn no_signals() -> libc::sigset_t {
    // SAFETY: `sigset_t` is plain data; on Linux, zeros are the empty set.
    unsafe { std::mem::zeroed() }
}

pub(crate) fn last_errno() -> Errno {
    // SAFETY: the address of this thread's `errno` is always valid.
    Errno::from_raw_os_error(unsafe { *libc::__errno_location() })
}

/// The version of landlock's interface, 0 where there is none.
pub(crate) fn landlock_version() -> u32 {
    const VERSION: c_int = 1;
    // SAFETY: with this flag the call takes no pointer and makes nothing.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, 0_usize, 0_usize, VERSION) };
    u32::try_from(version).unwrap_or(0)
}

/// CPU time a process has used, all its threads together. Works for any process that has not been reaped.
pub(crate) fn cpu_time(pid: Pid) -> Option<Duration> {
    /// The scheduler's precise clock of a process, as `clock_getcpuclockid` makes it.
    const CPUCLOCK_SCHED: libc::clockid_t = 2;
    let clock = (!pid.as_raw_pid() << 3) | CPUCLOCK_SCHED;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is valid for the call; an unknown clock is refused.
    let got = unsafe { libc::clock_gettime(clock, &raw mut time) };
    (got == 0).then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}
