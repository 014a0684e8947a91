//! Files of records. A file is written under a temporary name and then renamed, so that a reader never finds half a file.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

/// A file with a value as JSON on each line, compressed if its name ends in `.gz`. It appears under its name with
/// [`RecordFile::finish`]; until then it has a temporary name beside it, and it is removed if it is dropped.
pub struct RecordFile {
    path: PathBuf,
    /// The temporary name; `None` for a path that must not be replaced, such as a pipe.
    beside: Option<PathBuf>,
    out: Option<Out>,
}

enum Out {
    Plain(BufWriter<File>),
    Compressed(GzEncoder<BufWriter<File>>),
}

impl fmt::Debug for RecordFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordFile").field("path", &self.path).finish_non_exhaustive()
    }
}

impl RecordFile {
    /// An empty file.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn create(path: &Path) -> io::Result<RecordFile> {
        // A file is replaced; a device, a pipe or a link (`/dev/stdout` is one) is written to and stays what it is.
        let special = fs::symlink_metadata(path).is_ok_and(|found| !found.is_file());
        let beside = (!special).then(|| {
            let mut name = OsString::from(path);
            name.push(format!(".{}.part", std::process::id()));
            PathBuf::from(name)
        });
        let file = BufWriter::new(match &beside {
            Some(beside) => File::create(beside)?,
            None => fs::OpenOptions::new().write(true).truncate(true).open(path)?,
        });
        let out = if path.extension().is_some_and(|extension| extension == "gz") {
            Out::Compressed(GzEncoder::new(file, Compression::default()))
        } else {
            Out::Plain(file)
        };
        Ok(RecordFile { path: path.to_owned(), beside, out: Some(out) })
    }

    /// Adds a line.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        match &mut self.out {
            Some(Out::Plain(file)) => file.write_all(&line),
            Some(Out::Compressed(file)) => file.write_all(&line),
            None => Ok(()),
        }
    }

    /// Puts the file in place.
    ///
    /// # Errors
    ///
    /// When it cannot be written; nothing is left behind then.
    pub fn finish(mut self) -> io::Result<()> {
        match self.out.take() {
            Some(Out::Plain(mut file)) => file.flush()?,
            Some(Out::Compressed(file)) => file.finish()?.flush()?,
            None => {}
        }
        if let Some(beside) = &self.beside {
            fs::rename(beside, &self.path)?;
            self.beside = None;
        }
        Ok(())
    }

    /// Where it will be.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for RecordFile {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            // Half a file is of no use.
            let _ = fs::remove_file(beside);
        }
    }
}

/// Writes a file that holds one value.
///
/// # Errors
///
/// When it cannot be written; nothing is left behind then.
pub fn write_one(path: &Path, value: &impl Serialize) -> io::Result<()> {
    let mut file = RecordFile::create(path)?;
    file.line(value)?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_when_it_is_whole() {
        let folder = std::env::temp_dir().join(format!("agon-record-file-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("records.jsonl");
        fs::write(&path, "before").unwrap();
        let mut file = RecordFile::create(&path).unwrap();
        file.line(&1).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"before");
        drop(file);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "what is given up leaves nothing behind");
        let mut file = RecordFile::create(&path).unwrap();
        file.line(&"a").unwrap();
        file.line(&"b").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"\"a\"\n\"b\"\n");
        write_one(&folder.join("one.gz"), &[1, 2]).unwrap();
        assert_eq!(fs::read(folder.join("one.gz")).unwrap()[..2], [0x1F, 0x8B]);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        // A link stays a link.
        let link = folder.join("link.jsonl");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_one(&link, &7).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"7\n");
        assert!(RecordFile::create(&folder.join("no/such/folder")).is_err());
        assert!(RecordFile::create(&folder).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
