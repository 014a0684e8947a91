//! Ends the bots when we are killed ourselves.
//!
//! The parent-death signal reaches the program that we started, not the programs it started; and the signal that
//! bubblewrap passes on does not arrive at the first process of a sandbox that runs as another user. So a small shell,
//! started once, waits for the end of a pipe that only we hold. When our process has ended for any reason, the shell
//! kills the process groups listed in a shared file in memory. Adding or removing an entry is one write and wakes no
//! process.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Mutex, OnceLock, PoisonError};

use rustix::fs::MemfdFlags;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::Pid;

use crate::spawn::{Plan, spawn};

/// The length of a line. Each line holds a process group, padded with spaces; an empty line is a free entry.
const LINE: usize = 12;
const SCRIPT: &std::ffi::CStr = c"read -r x
while read -r g; do case $g in '' | 0 | 1) ;; *) kill -s KILL -- \"-$g\" ;; esac; done <&3";

/// The list of process groups to kill when this process ends.
#[derive(Debug)]
pub(crate) struct Guard {
    list: File,
    places: Mutex<Vec<bool>>,
    /// The shell waits until this descriptor is closed.
    _alive: OwnedFd,
}

/// An entry in the list. Dropping it removes the group from the list.
#[derive(Debug)]
pub(crate) struct Place(usize);

impl Guard {
    /// The only guard of this process, started when it is first needed.
    pub(crate) fn get() -> io::Result<&'static Guard> {
        static GUARD: OnceLock<Result<Guard, String>> = OnceLock::new();
        GUARD
            .get_or_init(|| Guard::start().map_err(|error| error.to_string()))
            .as_ref()
            .map_err(|error| io::Error::other(error.clone()))
    }

    fn start() -> io::Result<Guard> {
        let list = rustix::fs::memfd_create(c"boxes", MemfdFlags::CLOEXEC)?;
        let (read, alive) = pipe_with(PipeFlags::CLOEXEC)?;
        let nowhere: OwnedFd = File::options().read(true).write(true).open("/dev/null")?.into();
        let plan = Plan {
            files: vec![read, nowhere.try_clone()?, nowhere, list.try_clone()?],
            folder: Some(c"/".into()),
            program: c"/bin/sh".into(),
            arguments: vec![c"sh".into(), c"-c".into(), SCRIPT.into()],
            ..Plan::default()
        };
        let child = spawn(plan).map_err(|failed| failed.error)?;
        // The shell must outlive us; it is never waited for.
        drop(child);
        Ok(Guard { list: File::from(list), places: Mutex::new(Vec::new()), _alive: alive })
    }

    /// Reserves an empty entry. The listed process writes its own number there, by [`Entry::write`], before it becomes
    /// the program: there is no moment in which it runs unlisted.
    pub(crate) fn reserve(&'static self) -> (Place, Entry) {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let free = places.iter().position(|taken| !taken).unwrap_or_else(|| {
            places.push(false);
            places.len() - 1
        });
        places[free] = true;
        (Place(free), Entry { list: &self.list, at: (free * LINE) as u64 })
    }

    fn leave(&'static self, place: usize) {
        // First remove it from the list: a number must not be listed once the kernel may reuse it.
        let _memory_does_not_fail = Entry { list: &self.list, at: (place * LINE) as u64 }.write(None);
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places[place] = false;
    }
}

/// A line of the list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    list: &'static File,
    at: u64,
}

impl Entry {
    /// Writes the line. Allocates nothing, because a child that shares our memory calls it.
    pub(crate) fn write(self, group: Option<Pid>) -> rustix::io::Result<()> {
        let line = line(group.map_or(0, Pid::as_raw_pid));
        rustix::io::pwrite(self.list, &line, self.at).map(drop)
    }
}

/// A number padded with spaces, and a line break; for 0, only spaces.
fn line(number: i32) -> [u8; LINE] {
    let mut line = [b' '; LINE];
    line[LINE - 1] = b'\n';
    let mut rest = number;
    for digit in line[..LINE - 1].iter_mut().rev() {
        if rest <= 0 {
            break;
        }
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    line
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Ok(guard) = Guard::get() {
            guard.leave(self.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Written as one loop over an `Option<Pid>`, a release build of Rust 1.95 put a `0` on an empty line, and the
    /// guard would have killed itself first.
    #[test]
    fn lines_have_a_number_or_none() {
        for (number, expected) in [(0, "           \n"), (7, "          7\n"), (i32::MAX, " 2147483647\n")] {
            assert_eq!(line(std::hint::black_box(number)), expected.as_bytes());
        }
        let list: &'static File =
            Box::leak(Box::new(rustix::fs::memfd_create(c"x", MemfdFlags::CLOEXEC).unwrap().into()));
        let mut text = [0; LINE];
        let entry = Entry { list, at: 0 };
        for (group, expected) in [(Pid::from_raw(std::process::id() as i32), true), (None, false)] {
            entry.write(group).unwrap();
            rustix::io::pread(list, &mut text[..], 0).unwrap();
            assert_eq!(text.iter().any(u8::is_ascii_digit), expected, "{text:?}");
        }
    }
}
