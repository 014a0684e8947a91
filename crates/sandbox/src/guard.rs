//! What ends the bots when we are killed ourselves.
//!
//! "Die with your parent" reaches the program we started, not those it started; and what bubblewrap passes on to the first
//! process of a box does not arrive where that runs as another user. So one small shell, started once, waits for the end of
//! a pipe that only we hold. When we are gone, however that came, it kills the process groups listed in a file in memory
//! that both share. Entering and leaving the list is one write; nothing is woken by it.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Mutex, OnceLock, PoisonError};

use rustix::fs::MemfdFlags;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::Pid;

use crate::spawn::{Plan, spawn};

/// One process group per line, with spaces before it; an empty line is a free place.
const LINE: usize = 12;
const SCRIPT: &std::ffi::CStr = c"read -r x
while read -r g; do case $g in '' | 0 | 1) ;; *) kill -s KILL -- \"-$g\" ;; esac; done <&3";

/// The list of process groups to kill when this process ends.
#[derive(Debug)]
pub(crate) struct Guard {
    list: File,
    places: Mutex<Vec<bool>>,
    /// Its closing is what the shell waits for.
    _alive: OwnedFd,
}

/// A place in the list. Leaving it takes the group off the list.
#[derive(Debug)]
pub(crate) struct Place(usize);

impl Guard {
    /// The one guard of this process, started when it is first needed.
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
        // It outlives us on purpose; nobody waits for it.
        drop(child);
        Ok(Guard { list: File::from(list), places: Mutex::new(Vec::new()), _alive: alive })
    }

    /// A place on the list, still empty. The process that is to be listed writes its own number there, by
    /// [`Entry::write`], before it becomes the program: not a moment passes in which it is not listed.
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
        // Off the list first: a number must not stay there once the kernel may give it to somebody else.
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
    /// Writes the line. Allocates nothing, since a child that shares our memory calls it.
    pub(crate) fn write(self, group: Option<Pid>) -> rustix::io::Result<()> {
        let line = line(group.map_or(0, Pid::as_raw_pid));
        rustix::io::pwrite(self.list, &line, self.at).map(drop)
    }
}

/// A number with spaces before it and a line break after; for 0, only spaces.
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
