//! The run file: a finished match is on disk before it is reported.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::fs::FlockOperation;
use rustix::io::Errno;

use crate::error::{InvalidRun, RunError};
use crate::findings::Results;
use crate::header::RunHeader;
use crate::line::MatchLine;
use crate::schedule::Schedule;

/// A run and its file.
#[derive(Debug)]
pub struct Run {
    /// The settings of the run.
    pub header: RunHeader,
    path: PathBuf,
    file: File,
    /// Finished matches by their index in the schedule, from the first match of this file to the last finished one.
    results: Vec<Option<MatchLine>>,
    finished: usize,
    /// Disturbed answers and all answers of the matches that this process played.
    disturbed: (u64, u64),
    /// Shared with the workers while they play.
    pub(crate) schedule: Arc<Schedule>,
}

impl Run {
    /// Begins a run in a new file.
    ///
    /// # Errors
    ///
    /// When a file of this name exists already, it cannot be written, or the header is not valid.
    pub fn create(path: &Path, header: RunHeader) -> Result<Run, RunError> {
        header.check().map_err(|why| RunError::NotARun(path.to_owned(), why))?;
        let at = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => RunError::Exists(path.to_owned()),
            _ => RunError::File(path.to_owned(), error),
        };
        let file = OpenOptions::new().create_new(true).write(true).open(path).map_err(at)?;
        lock(&file, path)?;
        let schedule = Arc::new(Schedule::of(&header));
        let mut run = Run {
            header,
            path: path.to_owned(),
            file,
            results: Vec::new(),
            finished: 0,
            disturbed: (0, 0),
            schedule,
        };
        let mut line =
            serde_json::to_vec(&run.header).map_err(|error| RunError::File(path.to_owned(), error.into()))?;
        line.push(b'\n');
        run.append(&line)?;
        run.extend_schedule();
        Ok(run)
    }

    /// Opens a run that was stopped. A last line that was cut off by a crash is discarded; its match is played again.
    ///
    /// # Errors
    ///
    /// When it is not a run file, or another process is playing it.
    pub fn open(path: &Path) -> Result<Run, RunError> {
        let at = |error| RunError::File(path.to_owned(), error);
        let not = |why: InvalidRun| RunError::NotARun(path.to_owned(), why);
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(at)?;
        lock(&file, path)?;
        let mut reader = BufReader::new(&file);
        let mut line = Vec::new();
        let mut whole = reader.read_until(b'\n', &mut line).map_err(at)? as u64;
        let header = RunHeader::parse(&line, path)?;
        let (mut results, mut finished): (Vec<Option<MatchLine>>, usize) = (Vec::new(), 0);
        loop {
            line.clear();
            let size = reader.read_until(b'\n', &mut line).map_err(at)?;
            if size == 0 || !line.ends_with(b"\n") {
                break;
            }
            let line = MatchLine::parse(&line, &header).map_err(not)?;
            finished += usize::from(keep(&mut results, &header, line));
            whole += size as u64;
        }
        drop(reader);
        file.set_len(whole).map_err(at)?;
        file.seek(SeekFrom::End(0)).map_err(at)?;
        let schedule = Arc::new(Schedule::of(&header));
        let mut run =
            Run { header, path: path.to_owned(), file, results, finished, disturbed: (0, 0), schedule };
        run.extend_schedule();
        Ok(run)
    }

    /// The path of the run file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Finished matches in the order of the schedule, not in the order in which they ended.
    pub fn results(&self) -> impl Iterator<Item = &MatchLine> {
        self.results.iter().flatten()
    }

    /// The number of finished matches.
    pub fn finished(&self) -> usize {
        self.finished
    }

    /// The share of answers whose time was disturbed, of the matches that this process played, if there are enough to
    /// say.
    pub fn disturbed(&self) -> Option<f64> {
        let (disturbed, all) = self.disturbed;
        (all >= ENOUGH_ANSWERS).then(|| disturbed as f64 / all as f64)
    }

    /// Whether this match is finished.
    pub fn has(&self, index: u64) -> bool {
        self.place(index).is_some_and(|place| self.results.get(place).is_some_and(Option::is_some))
    }

    /// The index after the last finished match.
    pub(crate) fn reach(&self) -> u64 {
        self.header.own_indices().start + self.results.len() as u64
    }

    /// The place of a match in `results`.
    fn place(&self, index: u64) -> Option<usize> {
        usize::try_from(index.checked_sub(self.header.own_indices().start)?).ok()
    }

    /// The matches of a unit, if all of them are finished.
    pub fn unit(&self, unit: u64) -> Option<Vec<&MatchLine>> {
        let each = self.header.players as usize;
        let from = self.place(unit.checked_mul(each as u64)?)?;
        self.results.get(from..from.checked_add(each)?)?.iter().map(Option::as_ref).collect()
    }

    /// Writes finished matches to the file: once this returns, a crash cannot lose them. Matches that come together
    /// share one wait for the disk.
    pub(crate) fn keep(&mut self, lines: Vec<MatchLine>) -> Result<(), RunError> {
        let mut text = Vec::new();
        for line in &lines {
            serde_json::to_writer(&mut text, line)
                .map_err(|error| RunError::File(self.path.clone(), error.into()))?;
            text.push(b'\n');
        }
        self.append(&text)?;
        for line in lines {
            self.disturbed.0 += u64::from(line.disturbed);
            self.disturbed.1 += u64::from(line.answers);
            self.finished += usize::from(keep(&mut self.results, &self.header, line));
        }
        Ok(())
    }

    fn append(&mut self, text: &[u8]) -> Result<(), RunError> {
        let written = self.file.write_all(text).and_then(|()| self.file.sync_data());
        written.map_err(|error| RunError::File(self.path.clone(), error))
    }
}

impl Results for Run {
    fn unit(&self, unit: u64) -> Option<Vec<&MatchLine>> {
        Run::unit(self, unit)
    }

    fn lines(&self) -> impl Iterator<Item = &MatchLine> {
        self.results()
    }
}

/// With fewer answers a share of them says little.
const ENOUGH_ANSWERS: u64 = 200;

/// A process that was killed a moment ago releases its lock within this time: it may have been starting a program, by a
/// process that shares its open files for some milliseconds.
const RELEASED_WITHIN: Duration = Duration::from_secs(2);

/// Locks the file: two processes that append to one file would damage each other's lines. A lock of this kind belongs
/// to the process: bots do not inherit it, and the kernel releases it however the process ends.
fn lock(file: &File, path: &Path) -> Result<(), RunError> {
    let begun = Instant::now();
    loop {
        match rustix::fs::fcntl_lock(file, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::ACCESS | Errno::AGAIN) if begun.elapsed() < RELEASED_WITHIN => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(Errno::ACCESS | Errno::AGAIN) => return Err(RunError::Busy(path.to_owned())),
            // If the file system does not support locks, the run is played without one.
            _ => return Ok(()),
        }
    }
}

/// Stores a match unless it is there already: no match counts twice. Returns whether it is new.
fn keep(results: &mut Vec<Option<MatchLine>>, header: &RunHeader, line: MatchLine) -> bool {
    let place = (line.index - header.own_indices().start) as usize;
    if results.len() <= place {
        results.resize(place + 1, None);
    }
    let new = results[place].is_none();
    results[place].get_or_insert(line.slim());
    new
}
