//! Files of results. Nobody must ever find half a file: it is written beside and then put in place.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use crate::Failure;

/// A file with a value as JSON on each line, compressed if its name ends in `.gz`. It appears under its name with
/// [`RecordFile::finish`]; until then it lies beside, and is gone if it is dropped.
pub(crate) struct RecordFile {
    path: PathBuf,
    /// Where it is written meanwhile; `None` for what cannot be replaced, such as a pipe.
    beside: Option<PathBuf>,
    out: Option<Out>,
}

enum Out {
    Plain(BufWriter<File>),
    Compressed(GzEncoder<BufWriter<File>>),
}

impl RecordFile {
    pub(crate) fn create(path: &Path) -> Result<RecordFile, Failure> {
        // A device or a pipe is written to; a file is replaced.
        let special = fs::metadata(path).is_ok_and(|found| !found.is_file());
        let beside = (!special).then(|| {
            let mut name = OsString::from(path);
            name.push(format!(".{}.part", std::process::id()));
            PathBuf::from(name)
        });
        let file = if let Some(beside) = &beside {
            File::create(beside)
        } else {
            fs::OpenOptions::new().write(true).open(path)
        };
        let file = BufWriter::new(file.map_err(|error| unwritable(path, &error))?);
        let out = if path.extension().is_some_and(|extension| extension == "gz") {
            Out::Compressed(GzEncoder::new(file, Compression::default()))
        } else {
            Out::Plain(file)
        };
        Ok(RecordFile { path: path.to_owned(), beside, out: Some(out) })
    }

    /// Adds a line.
    pub(crate) fn line(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        let written = match &mut self.out {
            Some(Out::Plain(file)) => file.write_all(&line),
            Some(Out::Compressed(file)) => file.write_all(&line),
            None => Ok(()),
        };
        written.map_err(|error| unwritable(&self.path, &error))
    }

    /// Puts the file in place.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        let flushed = match self.out.take() {
            Some(Out::Plain(mut file)) => file.flush(),
            Some(Out::Compressed(file)) => file.finish().and_then(|mut file| file.flush()),
            None => Ok(()),
        };
        flushed
            .and_then(|()| match &self.beside {
                Some(beside) => fs::rename(beside, &self.path),
                None => Ok(()),
            })
            .map_err(|error| unwritable(&self.path, &error))?;
        self.beside = None;
        Ok(())
    }
}

impl Drop for RecordFile {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            // What was written so far is of no use.
            let _ = fs::remove_file(beside);
        }
    }
}

/// Writes a file that holds one value.
pub(crate) fn write_one(path: &Path, value: &impl Serialize) -> Result<(), Failure> {
    let mut file = RecordFile::create(path)?;
    file.line(value)?;
    file.finish()
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::Unusable(format!("{} cannot be written: {error}", path.display()))
}
