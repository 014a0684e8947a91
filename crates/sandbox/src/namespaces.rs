//! Makes the namespaces of sandboxes, by processes that share our memory until they end.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_int, c_void};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::process::Signal;

use crate::spawn::{SpawnError, Step, Within, last_errno, stack, vfork};

/// The namespaces of a prepared sandbox. None of their descriptors is below 3.
#[derive(Debug)]
pub(crate) struct Namespaces {
    /// A read-only file system without the folders that a program may write to.
    mounts: OwnedFd,
    net: OwnedFd,
    ipc: OwnedFd,
    names: OwnedFd,
    /// The list of sockets in its network namespace (`/proc/net/unix`).
    sockets: OwnedFd,
}

impl Namespaces {
    /// Whether its network namespace has no socket.
    pub(crate) fn has_no_socket(&self) -> bool {
        let mut text = [0; 256];
        match rustix::io::pread(&self.sockets, &mut text[..], 0) {
            // One line of titles.
            Ok(length) => text[..length].iter().position(|byte| *byte == b'\n') == length.checked_sub(1),
            Err(_) => false,
        }
    }
}

/// A step of making a file system.
#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// A folder, which may exist already.
    Folder(CString),
    /// An empty file, which may exist already.
    File(CString),
    /// A file with a text.
    Text(CString, Vec<u8>),
    /// A symbolic link: target, path.
    Link(CString, CString),
    /// A file or folder of the host with everything below: real path, path inside, attributes of the mount.
    Tree(CString, CString, u64),
    /// An empty file system in memory, with these options.
    Memory(CString, CString),
    /// The processes of the sandbox.
    Processes(CString),
    /// Makes a file system read-only.
    ReadOnly(CString),
}

impl Act {
    /// Attributes of a mounted tree that only shows files.
    pub(crate) const SHOWN: u64 = Act::READ_ONLY | Act::NO_SET_USER_ID | Act::NO_DEVICES;
    /// Attributes of a mounted device.
    pub(crate) const DEVICE: u64 = Act::NO_SET_USER_ID | Act::NO_PROGRAMS;

    // `MOUNT_ATTR_` of the kernel.
    const READ_ONLY: u64 = 1;
    const NO_SET_USER_ID: u64 = 2;
    const NO_DEVICES: u64 = 4;
    const NO_PROGRAMS: u64 = 8;
}

/// Makes the namespaces of a sandbox: a file system made by `acts`, and no network.
pub(crate) fn make_namespaces(acts: &[Act]) -> Result<Namespaces, SpawnError> {
    let mut site = Site {
        acts,
        trees: vec![-1; acts.len()],
        made: [-1; 5],
        step: AtomicI32::new(0),
        errno: AtomicI32::new(0),
        number: 0,
    };
    let number = &raw mut site.number;
    // SAFETY: `build` takes a `Site`, which outlives it. With CLONE_FILES it opens descriptors in our table.
    let pid = unsafe { vfork(build, libc::CLONE_FILES, (&raw mut site).cast::<c_void>(), number) };
    let pid = pid.map_err(|error| SpawnError { step: Step::Clone, error })?;
    let _reaped = rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::empty());
    let failed = |errno: i32| SpawnError { step: Step::View, error: io::Error::from_raw_os_error(errno) };
    // SAFETY: the child opened these descriptors for us; nobody else knows them.
    let made = site.made.map(|fd| (fd >= 0).then(|| unsafe { OwnedFd::from_raw_fd(fd) }));
    let errno = site.errno.load(Ordering::Acquire);
    if errno != 0 {
        return Err(failed(errno));
    }
    let above = |fd: Option<OwnedFd>| {
        let fd = fd.ok_or_else(|| failed(libc::EBADF))?;
        rustix::io::fcntl_dupfd_cloexec(&fd, 3).map_err(|errno| failed(errno.raw_os_error()))
    };
    let [mounts, net, ipc, names, sockets] = made;
    Ok(Namespaces {
        mounts: above(mounts)?,
        net: above(net)?,
        ipc: above(ipc)?,
        names: above(names)?,
        sockets: above(sockets)?,
    })
}

/// What the maker of namespaces needs and gives.
struct Site<'a> {
    acts: &'a [Act],
    trees: Vec<RawFd>,
    made: [RawFd; 5],
    step: AtomicI32,
    errno: AtomicI32,
    number: i32,
}

/// The function of the process that makes namespaces. It shares our memory and our descriptors.
extern "C" fn build(site: *mut c_void) -> c_int {
    // SAFETY: `make_namespaces` passed a valid pointer and waits until this function is done with it.
    let site = unsafe { &mut *site.cast::<Site<'_>>() };
    if let Err(errno) = build_in(site) {
        site.step.store(Step::View as i32, Ordering::Release);
        site.errno.store(errno.raw_os_error().max(1), Ordering::Release);
    }
    for tree in &site.trees {
        if *tree >= 0 {
            // SAFETY: a descriptor that this process opened and nobody else knows.
            unsafe { libc::close(*tree) };
        }
    }
    // SAFETY: ends this process only, without running anything of the parent's.
    unsafe { libc::_exit(0) }
}

fn build_in(site: &mut Site<'_>) -> Result<(), Errno> {
    const FILES: [&CStr; 5] = [
        c"/proc/self/ns/mnt",
        c"/proc/self/ns/net",
        c"/proc/self/ns/ipc",
        c"/proc/self/ns/uts",
        c"/proc/self/net/unix",
    ];
    let flags = libc::CLONE_NEWNS | libc::CLONE_NEWNET | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;
    // SAFETY: plain system calls of this process; all strings end with a zero and live through the calls.
    unsafe {
        check(libc::unshare(flags))?;
        for (file, made) in FILES.iter().zip(&mut site.made) {
            *made = libc::open(file.as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
            check(*made)?;
        }
        check(libc::sethostname(c"box".as_ptr(), 3))?;
        let nothing = std::ptr::null();
        let all = libc::MS_REC | libc::MS_PRIVATE;
        check(libc::mount(nothing, c"/".as_ptr(), nothing, all, std::ptr::null()))?;
        open_trees(site.acts, &mut site.trees)?;
        // The new root is mounted on a folder that every host has, and takes the place of the old one.
        memory(c"/tmp", c"mode=0755")?;
        check(libc::chdir(c"/tmp".as_ptr()))?;
        check(libc::syscall(libc::SYS_pivot_root, c".".as_ptr(), c".".as_ptr()) as c_int)?;
        check(libc::umount2(c".".as_ptr(), libc::MNT_DETACH))?;
        check(libc::chdir(c"/".as_ptr()))?;
    }
    carry_out(site.acts, &mut site.trees)
}

/// Makes a user namespace with this map of user and group ids. It needs no program: a process that only waits holds it
/// until the map is written.
pub(crate) fn make_user_namespace(map: &[u8]) -> io::Result<OwnedFd> {
    let mut tenancy = Tenancy { map, stack: stack(), made: -1, errno: AtomicI32::new(0), number: 0 };
    let number = &raw mut tenancy.number;
    // SAFETY: `settle` takes a `Tenancy`, which outlives it. With CLONE_FILES it opens a descriptor in our table.
    let pid = unsafe { vfork(settle, libc::CLONE_FILES, (&raw mut tenancy).cast::<c_void>(), number) }?;
    let _reaped = rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::empty());
    // SAFETY: the child opened this descriptor for us; nobody else knows it.
    let made = (tenancy.made >= 0).then(|| unsafe { OwnedFd::from_raw_fd(tenancy.made) });
    match tenancy.errno.load(Ordering::Acquire) {
        0 => made.ok_or_else(|| io::Error::other("no descriptor")),
        errno => Err(io::Error::from_raw_os_error(errno)),
    }
}

/// What the maker of a user namespace needs and gives.
struct Tenancy<'a> {
    map: &'a [u8],
    /// The stack of the process that holds the namespace.
    stack: Vec<u128>,
    made: RawFd,
    errno: AtomicI32,
    number: i32,
}

/// The function of the process that makes a user namespace. It shares our memory and our descriptors.
extern "C" fn settle(tenancy: *mut c_void) -> c_int {
    // SAFETY: `make_user_namespace` passed a valid pointer and waits until this function is done with it.
    let tenancy = unsafe { &mut *tenancy.cast::<Tenancy<'_>>() };
    let flags = libc::CLONE_VM | libc::CLONE_NEWUSER | libc::SIGCHLD;
    // SAFETY: the holder runs on its own stack, which outlives it: it is killed and waited for here.
    let holder = unsafe {
        let top = tenancy.stack.as_mut_ptr().add(tenancy.stack.capacity()).cast::<c_void>();
        libc::clone(hold, top, flags, std::ptr::null_mut())
    };
    let made = if holder < 0 { Err(last_errno()) } else { give_ids(tenancy.map, holder) };
    match made {
        Ok(namespace) => tenancy.made = namespace,
        Err(errno) => tenancy.errno.store(errno.raw_os_error().max(1), Ordering::Release),
    }
    // SAFETY: plain system calls; the number is that of the child above, which was not waited for.
    unsafe {
        if holder > 0 {
            libc::kill(holder, libc::SIGKILL);
            libc::waitpid(holder, std::ptr::null_mut(), 0);
        }
        libc::_exit(0)
    }
}

/// The function of a process that holds a user namespace until it is killed. It changes nothing in our memory.
extern "C" fn hold(_: *mut c_void) -> c_int {
    let _kernel_is_old = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    loop {
        // SAFETY: a call without pointers; all signals but the last one are blocked.
        unsafe { libc::pause() };
    }
}

/// Writes the maps of a user namespace and opens it. Allocates nothing.
fn give_ids(map: &[u8], holder: c_int) -> Result<RawFd, Errno> {
    let mut path = [0_u8; 40];
    for name in [c"uid_map", c"gid_map"] {
        let file = rustix::fs::open(
            path_of(&mut path, holder, name),
            OFlags::WRONLY | OFlags::CLOEXEC,
            Mode::empty(),
        )?;
        rustix::io::write(&file, map)?;
    }
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let namespace = rustix::fs::open(path_of(&mut path, holder, c"ns/user"), flags, Mode::empty())?;
    Ok(namespace.into_raw_fd())
}

/// The path of a file of a process in `/proc`.
fn path_of<'a>(space: &'a mut [u8; 40], pid: c_int, name: &CStr) -> &'a CStr {
    let mut digits = [0_u8; 12];
    let mut rest = pid.unsigned_abs();
    let mut first = digits.len();
    while rest > 0 && first > 0 {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    let parts: [&[u8]; 4] = [b"/proc/", &digits[first..], b"/", name.to_bytes_with_nul()];
    for (place, byte) in space.iter_mut().zip(parts.into_iter().flatten()) {
        *place = *byte;
    }
    CStr::from_bytes_until_nul(space).unwrap_or(c"")
}

/// Enters a prepared sandbox and makes its file systems of this start.
pub(crate) fn enter(within: &Within, trees: &mut [RawFd]) -> Result<(), Errno> {
    open_trees(&within.fresh, trees)?;
    let namespaces = &within.namespaces;
    enter_namespace(namespaces.mounts.as_fd(), libc::CLONE_NEWNS)?;
    // SAFETY: a call without pointers.
    check(unsafe { libc::unshare(libc::CLONE_NEWNS) })?;
    enter_namespace(namespaces.net.as_fd(), libc::CLONE_NEWNET)?;
    enter_namespace(namespaces.ipc.as_fd(), libc::CLONE_NEWIPC)?;
    enter_namespace(namespaces.names.as_fd(), libc::CLONE_NEWUTS)?;
    carry_out(&within.fresh, trees)
}

pub(crate) fn enter_namespace(namespace: BorrowedFd<'_>, kind: c_int) -> Result<(), Errno> {
    // SAFETY: a call without pointers on an open descriptor.
    check(unsafe { libc::setns(namespace.as_raw_fd(), kind) })
}

/// Opens the trees of the acts, in the file system of the host.
fn open_trees(acts: &[Act], trees: &mut [RawFd]) -> Result<(), Errno> {
    /// `struct mount_attr` of the kernel.
    #[repr(C)]
    struct Attributes {
        set: u64,
        clear: u64,
        propagation: u64,
        user_namespace: u64,
    }
    const OPEN_TREE_CLONE: u32 = 1;
    for (act, tree) in acts.iter().zip(trees) {
        let Act::Tree(real, _, attributes) = act else { continue };
        let attributes =
            Attributes { set: *attributes, clear: 0, propagation: libc::MS_PRIVATE, user_namespace: 0 };
        let whole = libc::AT_RECURSIVE as u32;
        // SAFETY: the string and the attributes live through the calls; the kernel copies them.
        unsafe {
            let flags = OPEN_TREE_CLONE | libc::O_CLOEXEC as u32 | whole;
            *tree = libc::syscall(libc::SYS_open_tree, libc::AT_FDCWD, real.as_ptr(), flags) as c_int;
            check(*tree)?;
            let set = libc::syscall(
                libc::SYS_mount_setattr,
                *tree,
                c"".as_ptr(),
                libc::AT_EMPTY_PATH as u32 | whole,
                &raw const attributes,
                size_of::<Attributes>(),
            );
            check(set as c_int)?;
        }
    }
    Ok(())
}

/// Makes a file system in the root of this process.
fn carry_out(acts: &[Act], trees: &mut [RawFd]) -> Result<(), Errno> {
    // `MOVE_MOUNT_F_EMPTY_PATH` and `MOVE_MOUNT_T_SYMLINKS` of the kernel.
    const FROM_DESCRIPTOR: u32 = 0x4;
    const TO_TARGET_OF_LINK: u32 = 0x10;
    let may_exist = |made: Result<(), Errno>| match made {
        // Where it is missing and cannot be made, the mount on it fails.
        Err(Errno::EXIST | Errno::ROFS) => Ok(()),
        made => made,
    };
    for (act, tree) in acts.iter().zip(trees) {
        // SAFETY: plain system calls of this process; all strings end with a zero and live through the calls.
        unsafe {
            match act {
                Act::Folder(path) => may_exist(check(libc::mkdir(path.as_ptr(), 0o755)))?,
                Act::File(path) => may_exist(check(libc::mknod(path.as_ptr(), libc::S_IFREG | 0o644, 0)))?,
                Act::Text(path, text) => {
                    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
                    let file = rustix::fs::open(path.as_c_str(), flags, Mode::from_raw_mode(0o644))?;
                    rustix::io::write(&file, text)?;
                }
                Act::Link(target, path) => may_exist(check(libc::symlink(target.as_ptr(), path.as_ptr())))?,
                Act::Tree(_, path, _) => {
                    let moved = libc::syscall(
                        libc::SYS_move_mount,
                        *tree,
                        c"".as_ptr(),
                        libc::AT_FDCWD,
                        path.as_ptr(),
                        FROM_DESCRIPTOR | TO_TARGET_OF_LINK,
                    );
                    check(moved as c_int)?;
                    libc::close(std::mem::replace(tree, -1));
                }
                Act::Memory(path, options) => memory(path, options)?,
                Act::Processes(path) => {
                    let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
                    let kind = c"proc".as_ptr();
                    check(libc::mount(kind, path.as_ptr(), kind, flags, std::ptr::null()))?;
                }
                Act::ReadOnly(path) => {
                    let flags =
                        libc::MS_REMOUNT | libc::MS_BIND | libc::MS_RDONLY | libc::MS_NOSUID | libc::MS_NODEV;
                    let nothing = std::ptr::null();
                    check(libc::mount(nothing, path.as_ptr(), nothing, flags, std::ptr::null()))?;
                }
            }
        }
    }
    Ok(())
}

/// Mounts an empty file system in memory.
fn memory(path: &CStr, options: &CStr) -> Result<(), Errno> {
    let kind = c"tmpfs".as_ptr();
    let flags = libc::MS_NOSUID | libc::MS_NODEV;
    // SAFETY: all strings end with a zero and live through the call.
    check(unsafe { libc::mount(kind, path.as_ptr(), kind, flags, options.as_ptr().cast::<c_void>()) })
}

fn check(result: c_int) -> Result<(), Errno> {
    if result < 0 { Err(last_errno()) } else { Ok(()) }
}
