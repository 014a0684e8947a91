//! Sandboxes without namespaces: landlock for files, and the other parts that such a sandbox needs.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, PathBeneath, PathFd,
    Ruleset, RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, RulesetError, Scope,
};

use crate::resolve::{LOCAL, Resolved, SYSTEM, parts_without, settings};

/// The newest version of landlock whose rights are known here; older kernels use the rights they know.
const NEWEST: ABI = ABI::V7;
/// The oldest version that is sufficient; with it a few more system calls are refused.
pub(crate) const NEEDED: u32 = 1;
/// The first version that keeps signals inside the sandbox.
pub(crate) const SCOPES_SIGNALS: u32 = 6;

const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
/// Files that runtimes read; none of them contains information about other processes.
const READ: [&str; 12] = [
    // Node exits if it may not read this file, although the file may be missing.
    "/etc/ssl/openssl.cnf",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/kernel",
    "/proc/sys/vm",
    "/proc/uptime",
    "/proc/version",
    "/proc/version_signature",
    "/sys/devices/system/cpu",
];

/// The files that the program may open: the system and its own files for reading, its writable folder for everything.
pub(crate) fn ruleset(resolved: &Resolved) -> io::Result<OwnedFd> {
    let ruleset = build(resolved).map_err(io::Error::other)?;
    Option::<OwnedFd>::from(ruleset).ok_or_else(|| io::Error::other("this kernel has no landlock"))
}

fn build(resolved: &Resolved) -> Result<RulesetCreated, RulesetError> {
    let read = AccessFs::from_read(NEWEST);
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    let masked: Vec<&Path> = resolved.masked.iter().map(|(real, _)| real.as_path()).collect();
    let hidden: Vec<&Path> = masked.iter().copied().chain([Path::new(LOCAL)]).collect();
    for path in SYSTEM.iter().filter_map(|path| fs::canonicalize(path).ok()) {
        for part in parts_without(&path, &hidden) {
            rules = allow(rules, &part, read)?;
        }
    }
    for path in READ.map(Path::new) {
        rules = allow(rules, path, read)?;
    }
    for path in settings() {
        rules = allow(rules, &path, read)?;
    }
    for path in DEVICES.map(Path::new) {
        rules = allow(rules, path, AccessFs::ReadFile | AccessFs::WriteFile)?;
    }
    for (real, _) in &resolved.shown {
        for part in parts_without(real, &masked) {
            rules = allow(rules, &part, read)?;
        }
    }
    if let Some(writable) = &resolved.writable {
        rules = allow(rules, writable, AccessFs::from_all(NEWEST))?;
    }
    Ok(rules)
}

/// Adds a rule for a path; a missing path needs no rule.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let Ok(file) = PathFd::new(path) else { return Ok(rules) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEWEST) };
    rules.add_rule(PathBeneath::new(file, access))
}

/// Whether every user may reach and run this file.
pub(crate) fn open_to_all(path: &Path) -> bool {
    let Ok(real) = fs::canonicalize(path) else { return false };
    let mode = |path: &Path| fs::metadata(path).map_or(0, |meta| meta.mode());
    mode(&real) & 0o005 == 0o005 && real.ancestors().skip(1).all(|folder| mode(folder) & 0o001 != 0)
}

/// The number of processes and threads of this user on the whole host, which the kernel counts together. At most a
/// second old.
pub(crate) fn tasks_of_user() -> u64 {
    static LAST: Mutex<Option<(Instant, u64)>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((when, count)) = *last
        && when.elapsed() < Duration::from_secs(1)
    {
        return count;
    }
    let user = rustix::process::getuid().as_raw();
    let count = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name().as_encoded_bytes().first().is_some_and(u8::is_ascii_digit))
        .filter(|entry| entry.metadata().is_ok_and(|meta| meta.uid() == user))
        // The number of links of a folder is the number of its subfolders, one per thread, plus two.
        .map(|entry| {
            fs::metadata(entry.path().join("task")).map_or(1, |tasks| tasks.nlink().saturating_sub(2))
        })
        .sum();
    *last = Some((Instant::now(), count));
    count
}
