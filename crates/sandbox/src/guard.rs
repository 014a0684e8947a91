//! What ends the bots when we are killed ourselves, for boxes without a process namespace.
//!
//! "Die with your parent" reaches the program we started, not those it started. So one small shell, started once, waits
//! for the end of a pipe that only we hold. When we are gone, however that came, it kills the process groups listed in a
//! file in memory that both share. Entering and leaving the list is one write; nothing is woken by it.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt as _;
use std::sync::{Mutex, OnceLock, PoisonError};

use rustix::fs::MemfdFlags;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::Pid;

use crate::spawn::{Plan, spawn};

/// One process group per line, padded with spaces to this many bytes; an empty line is a free place.
const LINE: usize = 12;
const SCRIPT: &std::ffi::CStr = c"read -r x
while read -r g; do [ -z \"$g\" ] || kill -9 -- \"-$g\"; done <&3";

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

    pub(crate) fn enter(&self, group: Pid) -> io::Result<Place> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let free = places.iter().position(|taken| !taken).unwrap_or_else(|| {
            places.push(false);
            places.len() - 1
        });
        self.write(free, &group.as_raw_pid().to_string())?;
        places[free] = true;
        Ok(Place(free))
    }

    fn leave(&self, place: usize) {
        // Off the list first: a number must not stay there once the kernel may give it to somebody else.
        let _memory_does_not_fail = self.write(place, "");
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places[place] = false;
    }

    fn write(&self, place: usize, text: &str) -> io::Result<()> {
        let line = format!("{text:<width$}\n", width = LINE - 1);
        self.list.write_all_at(line.as_bytes(), (place * LINE) as u64)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Ok(guard) = Guard::get() {
            guard.leave(self.0);
        }
    }
}
