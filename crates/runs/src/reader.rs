//! Reading a run without changing it: another process may still write it, or it may be read-only.

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

use crate::{InvalidRun, MatchLine, RunError, RunHeader};

/// The longest line of a run; a file with a longer one is not a run.
const LONGEST_LINE: u64 = 64 << 20;

/// The matches of a run file, one after the other: only one line is in memory at a time.
#[derive(Debug)]
pub struct RunReader {
    header: RunHeader,
    lines: Lines,
}

impl RunReader {
    /// Opens a run for reading.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is not a run of a version that this program knows.
    pub fn open(path: &Path) -> Result<RunReader, RunError> {
        let file = File::open(path).map_err(|error| RunError::File(path.to_owned(), error))?;
        let mut lines = Lines {
            path: path.to_owned(),
            reader: BufReader::with_capacity(1 << 16, file),
            line: Vec::new(),
            number: 0,
            torn: false,
        };
        if !lines.read()? && lines.line.is_empty() {
            return Err(lines.not_a_run(InvalidRun::Empty));
        }
        Ok(RunReader { header: RunHeader::parse(&lines.line, path)?, lines })
    }

    /// The settings of the run.
    pub fn header(&self) -> &RunHeader {
        &self.header
    }

    /// Whether the file ends within a line: a match was being written, or its writer was killed.
    pub fn torn(&self) -> bool {
        self.lines.torn
    }

    /// The next finished match, in the order in which they ended. A match may be in the file twice; the first one
    /// counts.
    ///
    /// # Errors
    ///
    /// When the file cannot be read further, or a line is not a match of this run; the message has its number.
    pub fn next_match(&mut self) -> Result<Option<MatchLine>, RunError> {
        if !self.lines.read()? {
            return Ok(None);
        }
        let line = MatchLine::parse(&self.lines.line, &self.header);
        line.map(Some).map_err(|error| {
            let (number, error) = (self.lines.number, Box::new(error));
            self.lines.not_a_run(InvalidRun::Line { number, error })
        })
    }
}

#[derive(Debug)]
struct Lines {
    path: PathBuf,
    reader: BufReader<File>,
    line: Vec<u8>,
    number: u64,
    torn: bool,
}

impl Lines {
    /// Reads the next line and returns whether it is complete.
    fn read(&mut self) -> Result<bool, RunError> {
        self.line.clear();
        self.number += 1;
        let mut bounded = self.reader.by_ref().take(LONGEST_LINE);
        let size = bounded
            .read_until(b'\n', &mut self.line)
            .map_err(|error| RunError::File(self.path.clone(), error))?;
        if size as u64 == LONGEST_LINE {
            return Err(self.not_a_run(InvalidRun::LongLine(self.number)));
        }
        let whole = self.line.ends_with(b"\n");
        self.torn = size > 0 && !whole;
        Ok(whole)
    }

    fn not_a_run(&self, why: InvalidRun) -> RunError {
        RunError::NotARun(self.path.clone(), why)
    }
}
