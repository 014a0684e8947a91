//! The system calls that a sandboxed program may not make.
//!
//! A deny list: listed calls fail with `EPERM`, so that runtimes that only try them (a JIT, a thread pool) continue. It
//! covers the gaps of namespaces (keyrings, file locks, `AF_VSOCK`, `io_uring`), large attack surfaces of the kernel,
//! and calls that leave the program's process group or cores. Other calls are not slowed down: the kernel caches that
//! the filter always allows them.

use libc::{c_long, sock_filter};

/// A filter program for the kernel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    code: Vec<Instruction>,
    /// Instructions that compare with the process id of the program itself.
    own_pid: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Instruction {
    code: u16,
    jump_true: u8,
    jump_false: u8,
    k: u32,
}

/// The condition under which a listed call is refused.
#[derive(Clone, Copy, Debug)]
enum When {
    /// Always.
    Always,
    /// When the argument (by index) has one of these bits.
    AnyBit(u8, u32),
    /// When the argument is this value.
    Is(u8, u32),
    /// When the argument, under the mask, is this value.
    MaskedIs(u8, u32, u32),
    /// When the argument is not this value.
    IsNot(u8, u32),
    /// When the argument is neither 0 nor the process id of the program itself.
    NotOwnPid(u8),
    /// When the argument is not the process id of the program itself.
    NotOnlyOwnPid(u8),
}

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: Option<u32> = Some(0xC000_003E);
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: Option<u32> = Some(0xC000_00B7);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const ARCHITECTURE: Option<u32> = None;

/// Bit of the calls of the "x32" kind, which share the architecture of the 64-bit ones.
#[cfg(target_arch = "x86_64")]
const X32: Option<u32> = Some(0x4000_0000);
#[cfg(not(target_arch = "x86_64"))]
const X32: Option<u32> = None;

const NEW_NAMESPACES: u32 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u32;
const SOCKET_TYPE: u32 = 0xf;

/// Denied in every sandbox.
const DENIED: &[(c_long, When)] = &[
    // Objects that namespaces do not separate.
    (libc::SYS_add_key, When::Always),
    (libc::SYS_request_key, When::Always),
    (libc::SYS_keyctl, When::Always),
    (libc::SYS_flock, When::Always),
    (libc::SYS_fcntl, When::Is(1, libc::F_SETLK as u32)),
    (libc::SYS_fcntl, When::Is(1, libc::F_SETLKW as u32)),
    (libc::SYS_fcntl, When::Is(1, libc::F_OFD_SETLK as u32)),
    (libc::SYS_fcntl, When::Is(1, libc::F_OFD_SETLKW as u32)),
    (libc::SYS_fcntl, When::Is(1, libc::F_SETLEASE as u32)),
    (libc::SYS_fcntl, When::Is(1, libc::F_NOTIFY as u32)),
    // A watch on a system file reveals which other processes read it.
    (libc::SYS_inotify_init1, When::Always),
    (libc::SYS_inotify_add_watch, When::Always),
    (libc::SYS_shmget, When::Always),
    (libc::SYS_msgget, When::Always),
    (libc::SYS_semget, When::Always),
    (libc::SYS_mq_open, When::Always),
    // The network. Pairs of local sockets remain, because runtimes use them as pipes; but not datagrams, which can be
    // sent to an address.
    (libc::SYS_socket, When::Always),
    (libc::SYS_socketpair, When::IsNot(0, libc::AF_UNIX as u32)),
    (libc::SYS_socketpair, When::MaskedIs(1, SOCKET_TYPE, libc::SOCK_DGRAM as u32)),
    (libc::SYS_socketpair, When::MaskedIs(1, SOCKET_TYPE, libc::SOCK_RAW as u32)),
    (libc::SYS_bind, When::Always),
    (libc::SYS_connect, When::Always),
    (libc::SYS_listen, When::Always),
    (libc::SYS_accept, When::Always),
    (libc::SYS_accept4, When::Always),
    // Large parts of the kernel that a bot does not need.
    (libc::SYS_io_uring_setup, When::Always),
    (libc::SYS_io_uring_enter, When::Always),
    (libc::SYS_io_uring_register, When::Always),
    (libc::SYS_bpf, When::Always),
    (libc::SYS_perf_event_open, When::Always),
    (libc::SYS_userfaultfd, When::Always),
    (libc::SYS_memfd_secret, When::Always),
    (libc::SYS_fanotify_init, When::Always),
    (libc::SYS_fanotify_mark, When::Always),
    (libc::SYS_open_by_handle_at, When::Always),
    (libc::SYS_name_to_handle_at, When::Always),
    (libc::SYS_quotactl, When::Always),
    (libc::SYS_quotactl_fd, When::Always),
    (libc::SYS_lookup_dcookie, When::Always),
    (libc::SYS_vhangup, When::Always),
    (libc::SYS_acct, When::Always),
    // Other processes.
    (libc::SYS_ptrace, When::Always),
    (libc::SYS_process_vm_readv, When::Always),
    (libc::SYS_process_vm_writev, When::Always),
    (libc::SYS_process_madvise, When::Always),
    (libc::SYS_process_mrelease, When::Always),
    (libc::SYS_pidfd_getfd, When::Always),
    (libc::SYS_kcmp, When::Always),
    (libc::SYS_move_pages, When::Always),
    (libc::SYS_migrate_pages, When::Always),
    // Namespaces and mounts. `clone3` hides its flags in memory; it fails with `ENOSYS`, and libraries fall back to
    // `clone`.
    (libc::SYS_unshare, When::Always),
    (libc::SYS_setns, When::Always),
    (libc::SYS_clone, When::AnyBit(0, NEW_NAMESPACES)),
    (libc::SYS_mount, When::Always),
    (libc::SYS_umount2, When::Always),
    (libc::SYS_pivot_root, When::Always),
    (libc::SYS_chroot, When::Always),
    (libc::SYS_open_tree, When::Always),
    (libc::SYS_move_mount, When::Always),
    (libc::SYS_fsopen, When::Always),
    (libc::SYS_fsconfig, When::Always),
    (libc::SYS_fsmount, When::Always),
    (libc::SYS_fspick, When::Always),
    (libc::SYS_mount_setattr, When::Always),
    (SYS_OPEN_TREE_ATTR, When::Always),
    // The machine.
    (libc::SYS_kexec_load, When::Always),
    (libc::SYS_kexec_file_load, When::Always),
    (libc::SYS_init_module, When::Always),
    (libc::SYS_finit_module, When::Always),
    (libc::SYS_delete_module, When::Always),
    (libc::SYS_reboot, When::Always),
    (libc::SYS_swapon, When::Always),
    (libc::SYS_swapoff, When::Always),
    (libc::SYS_syslog, When::Always),
    (libc::SYS_sync, When::Always),
    (libc::SYS_syncfs, When::Always),
    (libc::SYS_settimeofday, When::Always),
    (libc::SYS_clock_settime, When::Always),
    (libc::SYS_clock_adjtime, When::Always),
    (libc::SYS_adjtimex, When::Always),
    (libc::SYS_sethostname, When::Always),
    (libc::SYS_setdomainname, When::Always),
    // Leaving the process group, by which a sandbox is frozen and killed, and leaving the assigned cores.
    (libc::SYS_setsid, When::Always),
    (libc::SYS_setpgid, When::Always),
    (libc::SYS_sched_setaffinity, When::Always),
    (libc::SYS_ioprio_set, When::Always),
];

/// Calls that succeed without an effect. Mono writes a warning to its standard output, which is the answer of a bot, if it
/// cannot set the priority of a thread.
const IGNORED: &[c_long] = &[libc::SYS_sched_setscheduler, libc::SYS_sched_setparam, libc::SYS_sched_setattr];

#[cfg(target_arch = "x86_64")]
const DENIED_HERE: &[(c_long, When)] = &[
    (libc::SYS_iopl, When::Always),
    (libc::SYS_ioperm, When::Always),
    (libc::SYS_modify_ldt, When::Always),
    (libc::SYS_uselib, When::Always),
    (libc::SYS_nfsservctl, When::Always),
    (libc::SYS__sysctl, When::Always),
    (libc::SYS_inotify_init, When::Always),
];
#[cfg(not(target_arch = "x86_64"))]
const DENIED_HERE: &[(c_long, When)] = &[];

/// Older names of calls in the lists below, which newer architectures do not have.
#[cfg(target_arch = "x86_64")]
const DENIED_IN_SIGHT_HERE: &[(c_long, When)] =
    &[(libc::SYS_chown, When::Always), (libc::SYS_lchown, When::Always)];
#[cfg(not(target_arch = "x86_64"))]
const DENIED_IN_SIGHT_HERE: &[(c_long, When)] = &[];
#[cfg(target_arch = "x86_64")]
const MARKS_HERE: &[(c_long, When)] = &[
    (libc::SYS_chmod, When::Always),
    (libc::SYS_utime, When::Always),
    (libc::SYS_utimes, When::Always),
    (libc::SYS_futimesat, When::Always),
];
#[cfg(not(target_arch = "x86_64"))]
const MARKS_HERE: &[(c_long, When)] = &[];

/// Denied in a sandbox without namespaces, where processes of the same user are visible: calls that affect them.
const DENIED_IN_SIGHT: &[(c_long, When)] = &[
    (libc::SYS_prlimit64, When::NotOwnPid(0)),
    (libc::SYS_setpriority, When::IsNot(1, 0)),
    (libc::SYS_fcntl, When::Is(1, libc::F_SETOWN as u32)),
    (libc::SYS_fcntl, When::Is(1, F_SETOWN_EX)),
    // Calls that landlock does not control, or not in its first versions.
    (libc::SYS_truncate, When::Always),
    (libc::SYS_setxattr, When::Always),
    (libc::SYS_lsetxattr, When::Always),
    (libc::SYS_fsetxattr, When::Always),
    (libc::SYS_removexattr, When::Always),
    (libc::SYS_lremovexattr, When::Always),
    (libc::SYS_fremovexattr, When::Always),
    (SYS_SETXATTRAT, When::Always),
    (SYS_REMOVEXATTRAT, When::Always),
    (SYS_FILE_SETATTR, When::Always),
    (libc::SYS_ioctl, When::Is(1, FS_IOC_SETFLAGS)),
    (libc::SYS_ioctl, When::Is(1, FS_IOC_FSSETXATTR)),
    (libc::SYS_fchown, When::Always),
    (libc::SYS_fchownat, When::Always),
];
const F_SETOWN_EX: u32 = 15;

/// Also denied there, except for a program with a writable folder: compilers and linkers need these calls for their
/// results.
const MARKS: &[(c_long, When)] = &[
    (libc::SYS_fchmod, When::Always),
    (libc::SYS_fchmodat, When::Always),
    (SYS_FCHMODAT2, When::Always),
    (libc::SYS_utimensat, When::Always),
];

// Newer calls have the same number on all architectures.
const SYS_FCHMODAT2: c_long = 452;
const SYS_SETXATTRAT: c_long = 463;
const SYS_REMOVEXATTRAT: c_long = 466;
const SYS_OPEN_TREE_ATTR: c_long = 467;
const SYS_FILE_SETATTR: c_long = 469;
const FS_IOC_SETFLAGS: u32 = 0x4008_6602;
const FS_IOC_FSSETXATTR: u32 = 0x401c_5820;

/// Also denied there, for versions of landlock that do not restrict signals (before 6) and do not restrict the
/// truncation of a file that is opened for reading (before 3).
const OLD_LANDLOCK: &[(c_long, When)] = &[
    (libc::SYS_kill, When::NotOnlyOwnPid(0)),
    (libc::SYS_tgkill, When::NotOnlyOwnPid(0)),
    (libc::SYS_tkill, When::NotOnlyOwnPid(0)),
    (libc::SYS_rt_sigqueueinfo, When::NotOnlyOwnPid(0)),
    (libc::SYS_rt_tgsigqueueinfo, When::NotOnlyOwnPid(0)),
    (libc::SYS_pidfd_send_signal, When::Always),
    (libc::SYS_openat, When::MaskedIs(2, READ_AND_TRUNCATE.0, READ_AND_TRUNCATE.1)),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, When::MaskedIs(1, READ_AND_TRUNCATE.0, READ_AND_TRUNCATE.1)),
];
const READ_AND_TRUNCATE: (u32, u32) = ((libc::O_ACCMODE | libc::O_TRUNC) as u32, libc::O_TRUNC as u32);

/// The visibility of other processes from a sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// It has its own process namespace.
    Apart,
    /// It sees other processes, but cannot signal them.
    Scoped,
    /// It sees other processes.
    Open,
}

/// The filter of a sandbox, with or without a writable folder. `None` on an unsupported architecture.
pub(crate) fn filter(sight: Sight, writes: bool) -> Option<Filter> {
    let mut refused = vec![(libc::SYS_clone3, When::Always, libc::ENOSYS)];
    // The error number 0 is a success.
    refused.extend(IGNORED.iter().map(|&call| (call, When::Always, 0)));
    let mut refuse = |list: &[(c_long, When)]| {
        refused.extend(list.iter().map(|&(call, when)| (call, when, libc::EPERM)));
    };
    refuse(DENIED);
    refuse(DENIED_HERE);
    if sight != Sight::Apart {
        refuse(DENIED_IN_SIGHT);
        refuse(DENIED_IN_SIGHT_HERE);
        if !writes {
            refuse(MARKS);
            refuse(MARKS_HERE);
        }
    }
    if sight == Sight::Open {
        refuse(OLD_LANDLOCK);
        // It hides its flags in memory, like `clone3`.
        refused.push((libc::SYS_openat2, When::Always, libc::ENOSYS));
    }
    // Calls with several conditions keep their order.
    refused.sort_by_key(|(call, ..)| *call);
    let mut runs: Vec<Refused> = Vec::new();
    for (call, when, errno) in refused {
        match runs.last_mut() {
            Some(run)
                if call == run.last + 1
                    && errno == run.errno
                    && matches!((when, run.when), (When::Always, When::Always)) =>
            {
                run.last = call;
            }
            _ => runs.push(Refused { first: call, last: call, when, errno }),
        }
    }
    let mut filter = Filter::default();
    filter.begin(ARCHITECTURE?);
    filter.search(&runs);
    Some(filter)
}

/// Calls with consecutive numbers that are refused in the same way.
struct Refused {
    first: c_long,
    last: c_long,
    when: When,
    errno: i32,
}

// Offsets in `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCH: u32 = 4;
const ARGUMENTS: u32 = 16;

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const JUMP: u16 = (libc::BPF_JMP | libc::BPF_JA) as u16;
const HAS_BIT: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const AND: u16 = (libc::BPF_ALU | libc::BPF_AND | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

impl Filter {
    /// Refuses calls of other architectures, and loads the number of the call into the register.
    fn begin(&mut self, architecture: u32) {
        self.load(ARCH);
        self.test(EQUAL, architecture, 1, 0);
        self.errno(libc::EPERM);
        self.load(NUMBER);
        if let Some(x32) = X32 {
            self.test(AT_LEAST, x32, 0, 1);
            self.errno(libc::EPERM);
        }
    }

    /// Adds a search for the call among these, sorted by their numbers. At each start of a program the kernel compiles
    /// the filter and runs it for every call there is, to learn which are always allowed: a plain list takes longer.
    fn search(&mut self, refused: &[Refused]) {
        const FEW: usize = 4;
        let middle = refused.get(refused.len() / 2).map_or(0, |run| run.first);
        let right = refused.partition_point(|run| run.first < middle);
        if refused.len() <= FEW || right == 0 {
            for run in refused {
                if run.first == run.last {
                    self.refuse(run.first, run.when, run.errno);
                } else {
                    self.test(AT_LEAST, run.first as u32, 0, 2);
                    self.test(AT_LEAST, run.last as u32 + 1, 1, 0);
                    self.errno(run.errno);
                }
            }
            return self.returns(libc::SECCOMP_RET_ALLOW);
        }
        self.test(AT_LEAST, middle as u32, 0, 1);
        let jump = self.code.len();
        self.test(JUMP, 0, 0, 0);
        self.search(&refused[..right]);
        self.code[jump].k = (self.code.len() - jump - 1) as u32;
        self.search(&refused[right..]);
    }

    /// Adds a call. The number is in the register before and after.
    fn refuse(&mut self, call: c_long, when: When, errno: i32) {
        let head = self.code.len();
        self.test(EQUAL, call as u32, 0, 0);
        match when {
            When::Always => {
                self.errno(errno);
                self.skip_to_here(head);
                return;
            }
            When::AnyBit(argument, bits) => {
                self.load_argument(argument);
                self.test(HAS_BIT, bits, 0, 1);
            }
            When::Is(argument, value) => {
                self.load_argument(argument);
                self.test(EQUAL, value, 0, 1);
            }
            When::MaskedIs(argument, mask, value) => {
                self.load_argument(argument);
                self.test(AND, mask, 0, 0);
                self.test(EQUAL, value, 0, 1);
            }
            When::IsNot(argument, value) => {
                self.load_argument(argument);
                self.test(EQUAL, value, 1, 0);
            }
            When::NotOwnPid(argument) => {
                self.load_argument(argument);
                self.test(EQUAL, 0, 2, 0);
                self.own_pid.push(self.code.len());
                self.test(EQUAL, 0, 1, 0);
            }
            When::NotOnlyOwnPid(argument) => {
                self.load_argument(argument);
                self.own_pid.push(self.code.len());
                self.test(EQUAL, 0, 1, 0);
            }
        }
        self.errno(errno);
        self.load(NUMBER);
        self.skip_to_here(head);
    }

    /// Makes the test at `head`, when it fails, continue with the next instruction.
    fn skip_to_here(&mut self, head: usize) {
        self.code[head].jump_false = (self.code.len() - head - 1) as u8;
    }

    /// Loads the lower half of an argument: all calls above use only 32 bits of it.
    fn load_argument(&mut self, argument: u8) {
        let low = if cfg!(target_endian = "little") { 0 } else { 4 };
        self.load(ARGUMENTS + 8 * u32::from(argument) + low);
    }

    fn load(&mut self, place: u32) {
        self.test(LOAD, place, 0, 0);
    }

    fn errno(&mut self, errno: i32) {
        self.returns(libc::SECCOMP_RET_ERRNO | errno as u32);
    }

    fn returns(&mut self, value: u32) {
        self.test(RETURN, value, 0, 0);
    }

    fn test(&mut self, code: u16, k: u32, jump_true: u8, jump_false: u8) {
        self.code.push(Instruction { code, jump_true, jump_false, k });
    }

    /// The program in the form of the kernel.
    pub(crate) fn raw(&self) -> Vec<sock_filter> {
        let raw = |i: &Instruction| sock_filter { code: i.code, jt: i.jump_true, jf: i.jump_false, k: i.k };
        self.code.iter().map(raw).collect()
    }

    /// The program in the form that bubblewrap reads.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let bytes = |i: &Instruction| {
            let [a, b] = i.code.to_ne_bytes();
            let [c, d, e, f] = i.k.to_ne_bytes();
            [a, b, i.jump_true, i.jump_false, c, d, e, f]
        };
        self.code.iter().flat_map(bytes).collect()
    }

    /// Writes the process id of the program where the filter compares with it. Allocates nothing, never panics.
    pub(crate) fn put_pid(&self, raw: &mut [sock_filter], pid: u32) {
        for &place in &self.own_pid {
            if let Some(instruction) = raw.get_mut(place) {
                instruction.k = pid;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the filter as the kernel would.
    fn verdict(filter: &Filter, call: c_long, arguments: [u64; 6]) -> u32 {
        let mut data = [0_u32; 16];
        data[0] = call as u32;
        data[1] = ARCHITECTURE.unwrap();
        for (i, argument) in arguments.iter().enumerate() {
            data[4 + 2 * i] = *argument as u32;
            data[5 + 2 * i] = (*argument >> 32) as u32;
        }
        let mut raw = filter.raw();
        filter.put_pid(&mut raw, 4711);
        let (mut at, mut register) = (0, 0);
        loop {
            let i = raw[at];
            at += 1;
            let jump = |yes: bool| usize::from(if yes { i.jt } else { i.jf });
            match i.code {
                LOAD => register = data[i.k as usize / 4],
                EQUAL => at += jump(register == i.k),
                AT_LEAST => at += jump(register >= i.k),
                HAS_BIT => at += jump(register & i.k != 0),
                AND => register &= i.k,
                JUMP => at += i.k as usize,
                RETURN => return i.k,
                code => panic!("instruction {code:#x}"),
            }
        }
    }

    #[test]
    fn every_call_gets_the_verdict_of_the_lists() {
        let filter = filter(Sight::Apart, false).unwrap();
        println!("{} instructions", filter.code.len());
        for call in 0..600 {
            let listed = DENIED.iter().chain(DENIED_HERE).filter(|(listed, _)| *listed == call);
            let always = listed.clone().any(|(_, when)| matches!(when, When::Always));
            if listed.count() > 0 && !always {
                continue;
            }
            let expected = match call {
                libc::SYS_clone3 => libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32,
                _ if IGNORED.contains(&call) => libc::SECCOMP_RET_ERRNO,
                _ if always => libc::SECCOMP_RET_ERRNO | libc::EPERM as u32,
                _ => libc::SECCOMP_RET_ALLOW,
            };
            assert_eq!(verdict(&filter, call, [0; 6]), expected, "call {call}");
        }
    }

    #[test]
    fn what_is_listed_is_refused_and_nothing_else() {
        let refused = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
        for sight in [Sight::Apart, Sight::Scoped, Sight::Open] {
            let filter = filter(sight, false).unwrap();
            let check = |call, arguments: &[u64], expected| {
                let mut all = [0; 6];
                all[..arguments.len()].copy_from_slice(arguments);
                assert_eq!(verdict(&filter, call, all), expected, "{call} {arguments:?} {sight:?}");
            };
            let allowed = libc::SECCOMP_RET_ALLOW;
            check(libc::SYS_read, &[], allowed);
            check(libc::SYS_execve, &[], allowed);
            check(libc::SYS_clone3, &[], libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32);
            check(libc::SYS_clone, &[libc::CLONE_THREAD as u64], allowed);
            check(libc::SYS_clone, &[libc::CLONE_NEWUSER as u64 | libc::SIGCHLD as u64], refused);
            check(libc::SYS_socket, &[libc::AF_UNIX as u64], refused);
            check(libc::SYS_socketpair, &[1, 1], allowed);
            check(libc::SYS_socketpair, &[1, libc::SOCK_CLOEXEC as u64 | 1], allowed);
            check(libc::SYS_socketpair, &[1, libc::SOCK_CLOEXEC as u64 | 2], refused);
            check(libc::SYS_socketpair, &[2, 1], refused);
            check(libc::SYS_fcntl, &[0, libc::F_GETFL as u64], allowed);
            check(libc::SYS_fcntl, &[0, libc::F_SETLK as u64], refused);
            check(libc::SYS_keyctl, &[], refused);
            let signals = if sight == Sight::Open { refused } else { allowed };
            let in_sight = if sight == Sight::Apart { allowed } else { refused };
            check(libc::SYS_kill, &[4711, 6], allowed);
            check(libc::SYS_kill, &[4712, 6], signals);
            check(libc::SYS_kill, &[u64::MAX, 9], signals);
            check(libc::SYS_kill, &[0, 9], signals);
            let flags = |flags: i32| [0, 0, flags as u64];
            check(libc::SYS_openat, &flags(libc::O_RDONLY | libc::O_CLOEXEC), allowed);
            check(libc::SYS_openat, &flags(libc::O_WRONLY | libc::O_TRUNC), allowed);
            check(libc::SYS_openat, &flags(libc::O_RDONLY | libc::O_TRUNC), signals);
            check(libc::SYS_prlimit64, &[0], allowed);
            check(libc::SYS_prlimit64, &[4711], allowed);
            check(libc::SYS_prlimit64, &[1], in_sight);
        }
        #[cfg(target_arch = "x86_64")]
        assert_eq!(
            verdict(&filter(Sight::Apart, false).unwrap(), 0x4000_0000 | libc::SYS_read, [0; 6]),
            refused
        );
    }
}
