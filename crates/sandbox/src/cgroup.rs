//! Control groups: memory, processes and cores of a whole sandbox; killing and freezing it at once.
//!
//! Hosts differ: version 1 with one tree per controller, version 2 with a single tree, or both, with the controllers in
//! version 1 and an empty version 2 tree that can still kill and freeze. Each controller is used where it is found.
//! Groups are created below the group of this process, or, where version 2 forbids that, beside it.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::Limits;

const PREFIX: &str = "agon-box-";
const ROOT: &str = "/sys/fs/cgroup";
const UNIFIED: &str = "unified";
/// A sandbox that is not empty after this time has a process that the kernel cannot kill; its groups are left behind.
const EMPTY_WITHIN: Duration = Duration::from_secs(5);

/// The version of the tree that has a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    One,
    Two,
}

/// The control groups that are usable on this host.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trees {
    memory: Option<PathBuf>,
    pids: Option<PathBuf>,
    cpuset: Option<PathBuf>,
    /// The memory nodes that a version 1 group of cores also needs.
    nodes: String,
    unified: Option<Unified>,
    /// Why controllers are missing: the location and the reason.
    refused: Vec<(&'static str, String)>,
}

/// The version 2 tree.
#[derive(Clone, Debug)]
struct Unified {
    /// The folder in which groups are created.
    folder: PathBuf,
    controllers: Vec<String>,
    kills: bool,
    freezes: bool,
}

impl Trees {
    /// Finds the trees in which this process may create groups, by creating a group in each.
    pub(crate) fn find() -> Trees {
        let mut trees = Trees::default();
        let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        for mount in mounts.lines().filter_map(Mount::parse) {
            match mount.version {
                Version::One => {
                    for controller in ["memory", "pids", "cpuset"] {
                        if mount.options.split(',').any(|option| option == controller) {
                            trees.try_one(controller, &mount.folder_of(&own, controller));
                        }
                    }
                }
                Version::Two => trees.try_two(&mount, &own),
            }
        }
        trees.sweep();
        trees
    }

    fn try_one(&mut self, controller: &'static str, folder: &Path) {
        match probe(folder, |_| Ok(())) {
            Ok(()) => match controller {
                "memory" => self.memory = Some(folder.to_owned()),
                "pids" => self.pids = Some(folder.to_owned()),
                _ => {
                    self.nodes = words(&folder.join("cpuset.effective_mems")).concat();
                    self.cpuset = Some(folder.to_owned());
                }
            },
            Err(error) => {
                self.refused.push((controller, refusal(folder, &error)));
            }
        }
    }

    /// A group with processes cannot delegate controllers to groups below (except the root group), so the search goes
    /// from our own group upwards. A tree without our controllers is used for killing and freezing.
    fn try_two(&mut self, mount: &Mount, own: &str) {
        let start = mount.folder_of(own, "");
        let mut refused = None;
        let mut bare = None;
        for folder in start.ancestors().take_while(|folder| folder.starts_with(&mount.point)) {
            let here = words(&folder.join("cgroup.controllers"));
            for wanted in ["memory", "pids", "cpuset"] {
                if here.iter().any(|name| name == wanted) {
                    let _may_be_busy = fs::write(folder.join("cgroup.subtree_control"), format!("+{wanted}"));
                }
            }
            let controllers = words(&folder.join("cgroup.subtree_control"));
            let mut found = Unified { folder: folder.to_owned(), controllers, kills: false, freezes: false };
            let made = probe(folder, |group| {
                found.kills = group.join("cgroup.kill").exists();
                found.freezes = group.join("cgroup.freeze").exists();
                Ok(())
            });
            match made {
                Ok(()) if found.has("memory") && found.has("pids") => {
                    self.unified = Some(found);
                    return;
                }
                Ok(()) => bare = bare.or(Some(found)),
                Err(error) => {
                    refused = refused.or(Some((UNIFIED, refusal(folder, &error))));
                }
            }
        }
        self.refused.extend(refused.filter(|_| bare.is_none()));
        self.unified = bare;
    }

    fn home(&self, controller: &str) -> Option<Version> {
        let one = match controller {
            "memory" => &self.memory,
            "pids" => &self.pids,
            _ => &self.cpuset,
        };
        match &self.unified {
            _ if one.is_some() => Some(Version::One),
            Some(unified) if unified.has(controller) => Some(Version::Two),
            _ => None,
        }
    }

    /// The version that limits memory; `None` if neither can.
    pub(crate) fn memory(&self) -> Option<Version> {
        self.home("memory")
    }

    /// The version that counts processes; `None` if neither can.
    pub(crate) fn pids(&self) -> Option<Version> {
        self.home("pids")
    }

    /// The version that assigns cores; `None` if neither can.
    pub(crate) fn cpuset(&self) -> Option<Version> {
        self.home("cpuset")
    }

    /// Why a controller is missing.
    pub(crate) fn why_not(&self, controller: &str) -> String {
        let place =
            |name: &str| self.refused.iter().find(|(place, _)| *place == name).map(|(_, why)| why.clone());
        place(controller)
            .or_else(|| place(UNIFIED))
            .unwrap_or_else(|| format!("no control group for {controller} under {ROOT}"))
    }

    /// Whether a whole group can be killed and frozen by one write.
    pub(crate) fn kills_and_freezes(&self) -> (bool, bool) {
        self.unified.as_ref().map_or((false, false), |unified| (unified.kills, unified.freezes))
    }

    /// Creates the groups of a sandbox; `extra` processes of our own are added to the limit.
    pub(crate) fn make(&self, limits: &Limits, extra: u32) -> io::Result<Group> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("{PREFIX}{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let mut group = Group::default();
        let pids = limits.processes.saturating_add(extra).to_string();
        let memory = limits.memory.to_string();
        if let Some(folder) = &self.memory {
            let made = group.add(folder, &name, "tasks")?;
            write(&made, "memory.limit_in_bytes", &memory)?;
            // Where swap is not accounted, the file does not exist and there is nothing to disable.
            let _no_swap = write(&made, "memory.memsw.limit_in_bytes", &memory);
            group.memory = Some(Memory::of(&made, Version::One)?);
        }
        if let Some(folder) = &self.pids {
            let made = group.add(folder, &name, "tasks")?;
            write(&made, "pids.max", &pids)?;
        }
        let cores = (!limits.cores.is_empty()).then(|| core_list(&limits.cores));
        if let (Some(folder), Some(cores)) = (&self.cpuset, &cores) {
            let made = group.add(folder, &name, "tasks")?;
            write(&made, "cpuset.mems", &self.nodes)?;
            write(&made, "cpuset.cpus", cores)?;
        }
        if let Some(unified) = &self.unified {
            let made = group.add(&unified.folder, &name, "cgroup.procs")?;
            if self.home("memory") == Some(Version::Two) {
                write(&made, "memory.max", &memory)?;
                let _no_swap = write(&made, "memory.swap.max", "0");
                let _old_kernel = write(&made, "memory.oom.group", "1");
                group.memory = Some(Memory::of(&made, Version::Two)?);
            }
            if self.home("pids") == Some(Version::Two) {
                write(&made, "pids.max", &pids)?;
            }
            if let Some(cores) = cores.as_ref().filter(|_| self.home("cpuset") == Some(Version::Two)) {
                write(&made, "cpuset.cpus", cores)?;
            }
            group.kill = unified.kills.then(|| open(&made.join("cgroup.kill"))).transpose()?;
            group.freeze = unified.freezes.then(|| open(&made.join("cgroup.freeze"))).transpose()?;
            // An old kernel has no such file.
            group.cpu = File::open(made.join("cpu.stat")).ok();
            group.members = File::open(made.join("cgroup.procs")).ok();
        }
        Ok(group)
    }

    /// Removes groups that other processes of ours left behind when they were killed. A group with a process in it
    /// stays: its owner may run where we cannot see it.
    fn sweep(&self) {
        let trees = [&self.memory, &self.pids, &self.cpuset];
        let unified = self.unified.as_ref().map(|unified| &unified.folder);
        for folder in trees.into_iter().flatten().chain(unified) {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let owner = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next());
                if let Some(owner) = owner
                    && owner.parse::<u32>().is_ok()
                    && !Path::new("/proc").join(owner).exists()
                {
                    let _still_busy = fs::remove_dir(entry.path());
                }
            }
        }
    }
}

impl Unified {
    fn has(&self, controller: &str) -> bool {
        self.controllers.iter().any(|name| name == controller)
    }
}

/// The groups of a sandbox. They are removed with it.
#[derive(Debug, Default)]
pub(crate) struct Group {
    folders: Vec<PathBuf>,
    /// The files to which a process writes `0` in order to enter.
    enter: Vec<Arc<OwnedFd>>,
    memory: Option<Memory>,
    cpu: Option<File>,
    /// The processes inside.
    members: Option<File>,
    /// The counters when this use of the group began.
    before: Counters,
    kill: Option<File>,
    freeze: Option<File>,
}

/// The counters of a group, which only grow.
#[derive(Clone, Copy, Debug, Default)]
struct Counters {
    kills: u64,
    cpu: Duration,
}

/// The open files of a group's memory.
#[derive(Debug)]
struct Memory {
    events: File,
    peak: Option<File>,
    used: File,
    /// Whether the peak can be reset.
    resets: bool,
}

impl Memory {
    fn of(folder: &Path, version: Version) -> io::Result<Memory> {
        let [events, peak, used] = match version {
            Version::One => ["memory.oom_control", "memory.max_usage_in_bytes", "memory.usage_in_bytes"],
            Version::Two => ["memory.events", "memory.peak", "memory.current"],
        };
        let read = |name: &str| File::open(folder.join(name)).map_err(|error| at(folder, &error));
        // Version 2 resets the peak since Linux 6.12, for the descriptor to which something is written.
        let both = OpenOptions::new().read(true).write(true).open(folder.join(peak));
        Ok(Memory {
            events: read(events)?,
            resets: both.is_ok(),
            peak: both.or_else(|_| File::open(folder.join(peak))).ok(),
            used: read(used)?,
        })
    }
}

/// A group whose last program left more than this behind (files that it read, for example) is not used again.
const LEFT_BEHIND: u64 = 8 << 20;

impl Group {
    fn add(&mut self, tree: &Path, name: &str, tasks: &str) -> io::Result<PathBuf> {
        let folder = tree.join(name);
        fs::create_dir(&folder).map_err(|error| at(&folder, &error))?;
        self.folders.push(folder.clone());
        self.enter.push(Arc::new(open(&folder.join(tasks))?.into()));
        Ok(folder)
    }

    /// The files for entering.
    pub(crate) fn entries(&self) -> Vec<Arc<OwnedFd>> {
        self.enter.clone()
    }

    /// Starts all counters again, for another program. Returns whether that was possible: nothing of the last program
    /// is left, and the kernel can reset its numbers.
    pub(crate) fn renew(&mut self) -> bool {
        let empty =
            self.members.as_ref().is_some_and(|members| text_of(members).is_some_and(|text| text.is_empty()));
        let Some(memory) = self.memory.as_ref().filter(|memory| empty && memory.resets) else { return false };
        let left = text_of(&memory.used).and_then(|text| text.trim().parse::<u64>().ok());
        // A program may have been killed while it was frozen.
        let thawed = self.freeze.is_none() || self.freeze(false);
        let reset = thawed && memory.peak.as_ref().is_some_and(|peak| peak.write_at(b"0", 0).is_ok());
        if !reset || left.is_none_or(|left| left > LEFT_BEHIND) {
            return false;
        }
        self.before = Counters::default();
        self.before = Counters {
            kills: self.memory_kills().unwrap_or_default(),
            cpu: self.cpu_time().unwrap_or_default(),
        };
        true
    }

    /// Kills everything inside with one write. Returns whether that was possible.
    pub(crate) fn kill(&self) -> bool {
        self.kill.as_ref().is_some_and(|mut file| file.write_all(b"1").is_ok())
    }

    /// Freezes or thaws everything inside. Returns whether that was possible.
    pub(crate) fn freeze(&self, freeze: bool) -> bool {
        let word: &[u8] = if freeze { b"1" } else { b"0" };
        self.freeze.as_ref().is_some_and(|mut file| file.write_all(word).is_ok())
    }

    /// Whether the kernel killed a process inside because of the memory limit.
    pub(crate) fn memory_exceeded(&self) -> bool {
        self.memory_kills().is_some_and(|kills| kills > self.before.kills)
    }

    fn memory_kills(&self) -> Option<u64> {
        number_after(&text_of(&self.memory.as_ref()?.events)?, "oom_kill")
    }

    /// The maximum memory used inside.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        text_of(self.memory.as_ref()?.peak.as_ref()?)?.trim().parse().ok()
    }

    /// The CPU time of all processes that ran inside.
    pub(crate) fn cpu_time(&self) -> Option<Duration> {
        let all = number_after(&text_of(self.cpu.as_ref()?)?, "usage_usec").map(Duration::from_micros)?;
        Some(all.saturating_sub(self.before.cpu))
    }

    /// Waits until no process runs inside, and removes the groups.
    pub(crate) fn remove(&mut self) {
        self.enter.clear();
        let until = Instant::now() + EMPTY_WITHIN;
        let mut pause = Duration::from_micros(20);
        for folder in std::mem::take(&mut self.folders) {
            // The kernel refuses to remove a group with a process in it, which tells us when it is empty.
            while let Err(error) = fs::remove_dir(&folder) {
                if error.kind() == io::ErrorKind::NotFound || Instant::now() > until {
                    break;
                }
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(5));
            }
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.remove();
    }
}

/// A mounted tree.
struct Mount {
    version: Version,
    /// The group of the tree that is mounted as the root.
    root: String,
    point: PathBuf,
    options: String,
}

impl Mount {
    /// One line of `/proc/self/mountinfo`.
    fn parse(line: &str) -> Option<Mount> {
        let (place, kind) = line.split_once(" - ")?;
        let mut place = place.split(' ').skip(3);
        let (root, point) = (place.next()?, place.next()?);
        let mut kind = kind.split(' ');
        let version = match kind.next()? {
            "cgroup" => Version::One,
            "cgroup2" => Version::Two,
            _ => return None,
        };
        let options = kind.nth(1).unwrap_or_default();
        Some(Mount { version, root: root.into(), point: point.into(), options: options.into() })
    }

    /// The folder of our own group, from `/proc/self/cgroup`.
    fn folder_of(&self, own: &str, controller: &str) -> PathBuf {
        let group = own.lines().find_map(|line| {
            let mut parts = line.splitn(3, ':').skip(1);
            let (names, group) = (parts.next()?, parts.next()?);
            let mine = if controller.is_empty() {
                names.is_empty()
            } else {
                names.split(',').any(|name| name == controller)
            };
            mine.then_some(group)
        });
        let group = group.unwrap_or("/");
        let below = group.strip_prefix(self.root.trim_end_matches('/')).unwrap_or("");
        let folder = self.point.join(below.trim_start_matches('/'));
        if folder.is_dir() { folder } else { self.point.clone() }
    }
}

/// Creates a group, inspects it and removes it.
fn probe(folder: &Path, look: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let group = folder.join(format!("{PREFIX}{}-probe-{number}", std::process::id()));
    fs::create_dir(&group)?;
    let looked = look(&group);
    fs::remove_dir(&group)?;
    looked
}

fn refusal(folder: &Path, error: &io::Error) -> String {
    format!("no group can be made in {}: {error}", folder.display())
}

fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(path).map_err(|error| at(path, &error))
}

fn write(folder: &Path, file: &str, text: &str) -> io::Result<()> {
    let path = folder.join(file);
    open(&path)?.write_all(text.as_bytes()).map_err(|error| at(&path, &error))
}

fn words(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

fn core_list(cores: &[usize]) -> String {
    let mut list = String::new();
    for core in cores {
        let comma = if list.is_empty() { "" } else { "," };
        let _into_a_string = write!(list, "{comma}{core}");
    }
    list
}

/// The number after a word at the start of a line.
fn number_after(text: &str, word: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(word)?.strip_prefix(' ')?.trim().parse().ok())
}

/// The start of a small file that is kept open.
fn text_of(file: &File) -> Option<String> {
    let mut text = [0; 1024];
    let length = file.read_at(&mut text, 0).ok()?;
    Some(String::from_utf8_lossy(&text[..length]).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mounts_and_own_groups_are_read() {
        let line = "33 26 0:29 /outer /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory";
        let mount = Mount::parse(line).unwrap();
        assert_eq!((mount.version, mount.options.as_str()), (Version::One, "rw,memory"));
        let two = Mount::parse("35 26 0:31 / /proc rw,nosuid - cgroup2 cgroup2 rw").unwrap();
        assert_eq!(two.version, Version::Two);
        assert_eq!(two.folder_of("0::/self\n4:memory:/x\n", ""), Path::new("/proc/self"));
        assert_eq!(two.folder_of("4:memory:/x\n", ""), Path::new("/proc"));
        assert!(Mount::parse("1 1 0:1 / / rw - ext4 /dev/vda rw").is_none());
    }

    #[test]
    fn cores_are_listed() {
        assert_eq!(core_list(&[0, 3]), "0,3");
    }
}
