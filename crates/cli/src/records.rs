//! Files of records, with errors that name the file.

use std::io;
use std::path::Path;

use catalog::file;
use serde::Serialize;

use crate::Failure;

/// A [`file::RecordFile`] with the errors of a command.
pub(crate) struct RecordFile(file::RecordFile);

impl RecordFile {
    pub(crate) fn create(path: &Path) -> Result<RecordFile, Failure> {
        file::RecordFile::create(path).map(RecordFile).map_err(|error| unwritable(path, &error))
    }

    pub(crate) fn line(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        self.0.line(value).map_err(|error| unwritable(self.0.path(), &error))
    }

    pub(crate) fn finish(self) -> Result<(), Failure> {
        let path = self.0.path().to_owned();
        self.0.finish().map_err(|error| unwritable(&path, &error))
    }
}

/// Writes a file that holds one value.
pub(crate) fn write_one(path: &Path, value: &impl Serialize) -> Result<(), Failure> {
    file::write_one(path, value).map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::Unusable(format!("{} cannot be written: {error}", path.display()))
}
