//! Starts processes: the only module of this crate that needs `unsafe`.
//!
//! A child shares our memory until it becomes the program (`CLONE_VM | CLONE_VFORK`, as `posix_spawn` does), so that
//! the cost of a start does not depend on the size of our process. Before that it takes the steps that only the child
//! itself can take: enter its groups, set its limits, drop its rights, set its parent-death signal. Everything it needs
//! is prepared before.
//!
//! The kernel binds the parent-death signal to the *thread* that started the child. Threads end, so children are
//! started by the main thread or by threads of this module, which never end.
#![allow(unsafe_code)]

use std::ffi::{CString, c_int, c_void};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{Pid, Resource, Rlimit, Signal};
use rustix::thread::{CapabilitiesSecureBits, CapabilitySet, CapabilitySets, CpuSet};

use crate::guard::Entry;
use crate::seccomp::Filter;

/// The steps of a child before it becomes the program, in the order of the fields.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Become the first process of a new user namespace.
    pub(crate) new_user_namespace: bool,
    /// The line of the guard's list to enter.
    pub(crate) entry: Option<Entry>,
    /// Open files of the groups to enter, by writing `0`.
    pub(crate) groups: Vec<OwnedFd>,
    /// Be the first process that the kernel kills when the host runs out of memory.
    pub(crate) oom_first: bool,
    /// Create files that other users may read, whatever our own file mode mask is.
    pub(crate) usual_mask: bool,
    /// Cores to run on.
    pub(crate) cores: Option<CpuSet>,
    /// Become descriptors 0, 1, 2, ... All others are closed.
    pub(crate) files: Vec<OwnedFd>,
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
    Folder,
    Rights,
    Landlock,
    Seccomp,
    Exec,
}

impl Step {
    const ALL: [Step; 11] = [
        Step::Clone,
        Step::Life,
        Step::Groups,
        Step::Limits,
        Step::Cores,
        Step::Files,
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

/// Starts a process, from a thread that lives as long as this process.
pub(crate) fn spawn(plan: Plan) -> Answer {
    static IDLE: Mutex<Vec<SyncSender<Job>>> = Mutex::new(Vec::new());
    if rustix::thread::gettid() == rustix::process::getpid() {
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
    filter: Vec<libc::sock_filter>,
    parent: Pid,
    /// The step at which the child failed, read by the parent after the child has ended.
    step: AtomicI32,
    errno: AtomicI32,
}

fn pointers(strings: &[CString]) -> Vec<*const libc::c_char> {
    strings.iter().map(|s| s.as_ptr()).chain([std::ptr::null()]).collect()
}

/// Starts a process from this thread, and returns when it has become the program.
fn spawn_here(plan: &Plan) -> Answer {
    /// More than the child's few frames need, also without optimization.
    const STACK: usize = 64 << 10;

    let mut orders = Orders {
        plan,
        argv: pointers(&plan.arguments),
        envp: pointers(&plan.environment),
        moved: vec![-1; plan.files.len()],
        filter: plan.filter.as_ref().map(Filter::raw).unwrap_or_default(),
        parent: rustix::process::getpid(),
        step: AtomicI32::new(0),
        errno: AtomicI32::new(0),
    };
    let mut stack: Vec<u128> = Vec::with_capacity(STACK / size_of::<u128>());
    let mut flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
    if plan.new_user_namespace {
        flags |= libc::CLONE_NEWUSER;
    }
    let mut pidfd: c_int = -1;
    let all = all_signals();
    // SAFETY: `sigset_t` is plain data, and zeros are a value of it.
    let mut before: libc::sigset_t = unsafe { std::mem::zeroed() };
    // SAFETY: both sets are valid for the call.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before) };
    // SAFETY: the child runs `child` on its own stack, which grows down from the aligned end of `stack`. Because of
    // CLONE_VFORK this thread waits until the child has called `execve` or `_exit`, so `stack`, `orders` and `plan`
    // outlive its use of them, and no other code changes them. All signals are blocked, so no handler of ours runs in
    // the child. CLONE_PIDFD stores a descriptor at the fifth argument, a valid `c_int`.
    let pid = unsafe {
        libc::clone(
            child,
            stack.as_mut_ptr().add(stack.capacity()).cast::<c_void>(),
            flags,
            (&raw mut orders).cast::<c_void>(),
            &raw mut pidfd,
        )
    };
    let failed = io::Error::last_os_error();
    // SAFETY: `before` was filled above.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, std::ptr::null_mut()) };
    let Some(pid) = Pid::from_raw(pid).filter(|_| pid > 0) else {
        return Err(SpawnError { step: Step::Clone, error: failed });
    };
    // SAFETY: the kernel made this descriptor for us just now; nobody else knows it.
    let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
    match orders.errno.load(Ordering::Acquire) {
        0 => Ok(Child { pid, pidfd }),
        errno => {
            // It has ended already; this only removes what is left of it.
            let _reaped = rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::empty());
            let step = orders.step.load(Ordering::Acquire);
            let step = Step::ALL.get(step as usize).copied().unwrap_or(Step::Clone);
            Err(SpawnError { step, error: io::Error::from_raw_os_error(errno) })
        }
    }
}

/// The function of the child: takes the steps of the plan and becomes the program, or reports an error and ends.
extern "C" fn child(orders: *mut c_void) -> c_int {
    // SAFETY: `spawn_here` passed a valid pointer and waits until this function is done with it; all that is changed
    // through it is atomic or, in `moved` and `filter`, the child's alone.
    let orders = unsafe { &mut *orders.cast::<Orders<'_>>() };
    let (step, errno) = match carry_out(orders) {
        Ok(()) => become_program(orders),
        Err(failed) => failed,
    };
    orders.step.store(step as i32, Ordering::Release);
    orders.errno.store(errno.raw_os_error().max(1), Ordering::Release);
    // SAFETY: ends this process only, without running anything of the parent's.
    unsafe { libc::_exit(127) }
}

/// All steps between `clone` and `execve`. Only direct system calls: nothing here allocates.
fn carry_out(orders: &mut Orders<'_>) -> Result<(), (Step, Errno)> {
    let plan = orders.plan;
    let at = |step: Step| move |errno: Errno| (step, errno);

    default_signals();
    rustix::process::setsid().map_err(at(Step::Life))?;
    if let Some(entry) = plan.entry {
        entry.write(Some(rustix::process::getpid())).map_err(at(Step::Life))?;
    }
    for group in &plan.groups {
        rustix::io::write(group, b"0").map_err(at(Step::Groups))?;
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
    place_files(&plan.files, &mut orders.moved).map_err(at(Step::Files))?;
    if let Some(folder) = &plan.folder {
        rustix::process::chdir(folder.as_c_str()).map_err(at(Step::Folder))?;
    }
    give_up_rights(plan).map_err(at(Step::Rights))?;
    // After the change of user, which would reset it.
    if plan.die_with_us {
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
    if let Some(user) = plan.user {
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

fn last_errno() -> Errno {
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
