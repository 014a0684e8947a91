//! A separate user id for each sandbox, where we are root.
//!
//! Each running sandbox has a *slot*: a unique host user id, and a user namespace in which that id is the bot and the
//! host's root is an ordinary user. Bubblewrap enters the namespace, still able to reach the folders that it must show
//! (also below an inaccessible `/root`), and becomes the bot. Slots are created once and reused.

use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Mutex, PoisonError};

use rustix::thread::CapabilitySet;

use crate::namespaces::make_user_namespace;

/// The bot's user and group id inside.
pub(crate) const INSIDE: u32 = 1000;
/// The id inside of the host's root, so that its files can be reached while the sandbox is created.
const ROOT_INSIDE: u32 = 65533;

/// Ids above the ids of people and services; each process of the host has a part of this range.
const FIRST: u32 = 0x4000_0000;
const PER_PROCESS: u32 = 512;
/// The range inside a container that has only the usual 65,536 ids.
const FIRST_FEW: u32 = 30_000;
const FEW: u32 = 30_000;

/// The slots of this process.
#[derive(Debug)]
pub(crate) struct Users {
    /// Whether the sandboxes have namespaces.
    namespaces: bool,
    free: Mutex<Vec<User>>,
    made: Mutex<u32>,
}

/// A user id of the host that belongs to a sandbox.
#[derive(Debug)]
pub(crate) struct User {
    pub(crate) id: u32,
    namespace: Option<OwnedFd>,
}

impl Users {
    pub(crate) fn new(namespaces: bool) -> Users {
        Users { namespaces, free: Mutex::default(), made: Mutex::default() }
    }

    /// A free slot, or a new one.
    pub(crate) fn take(&self) -> io::Result<User> {
        if let Some(user) = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop() {
            return Ok(user);
        }
        let number = {
            let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            *made += 1;
            *made - 1
        };
        let id = id(number);
        let namespace = self.namespaces.then(|| namespace(id)).transpose()?;
        Ok(User { id, namespace })
    }

    /// Frees the slot of an empty sandbox.
    pub(crate) fn give_back(&self, user: User) {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(user);
    }
}

impl User {
    pub(crate) fn namespace(&self) -> Option<BorrowedFd<'_>> {
        self.namespace.as_ref().map(AsFd::as_fd)
    }
}

/// Creates a user namespace in which this id of the host is the bot.
fn namespace(id: u32) -> io::Result<OwnedFd> {
    let map = format!("{INSIDE} {id} 1\n{ROOT_INSIDE} 0 1\n");
    make_user_namespace(map.as_bytes())
        .map_err(|error| io::Error::new(error.kind(), format!("no user namespace: {error}")))
}

/// Whether we can assign user ids: we are root, and not only in a namespace without other ids, nor in a container that
/// dropped the necessary rights.
pub(crate) fn are_ours() -> bool {
    let needed = CapabilitySet::SETUID | CapabilitySet::SETGID;
    let able = rustix::thread::capabilities(None).is_ok_and(|ours| ours.effective.contains(needed));
    able && rustix::process::geteuid().is_root() && known_ids() > u64::from(FIRST_FEW + FEW)
}

/// The number of user ids that this process knows, from 0 upwards.
fn known_ids() -> u64 {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let from_zero = map.lines().find_map(|line| {
        let mut numbers = line.split_whitespace().filter_map(|word| word.parse::<u64>().ok());
        (numbers.next() == Some(0)).then(|| numbers.nth(1)).flatten()
    });
    from_zero.unwrap_or(0)
}

/// The host's id of a slot: unique among the processes of the host.
fn id(slot: u32) -> u32 {
    let process = std::process::id();
    if known_ids() > 0xF000_0000 {
        FIRST + process % (1 << 22) * PER_PROCESS + slot % PER_PROCESS
    } else {
        FIRST_FEW + process.wrapping_mul(37).wrapping_add(slot) % FEW
    }
}
