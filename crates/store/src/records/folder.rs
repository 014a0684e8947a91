//! Record files in a folder.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::{RecordFile, digest_of};
use crate::{Result, StoreError, private};

/// The size of the file that [`Folder::probe`] writes: larger than most records.
const PROBE: usize = 1 << 20;

/// A folder of record files, for their owner alone.
#[derive(Clone, Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn open(path: &Path) -> Result<Folder> {
        private::create_folder(path).map_err(|error| {
            let error = StoreError::from(error);
            StoreError {
                message: format!("cannot make the folder {}: {}", path.display(), error.message),
                ..error
            }
        })?;
        Ok(Folder(path.to_owned()))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Writes a file that is not there yet. When this returns, the file survives a power failure.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let path = self.path(name);
        if path.exists() {
            return Ok(());
        }
        let folder = self.make_parent(&path)?;
        // Processes of other machines may write into the same folder.
        let own = name.rsplit('/').next().unwrap_or(name);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let temporary = folder.join(format!(".{own}.{}.{number}", std::process::id()));
        let written = (|| -> Result<()> {
            let mut file = private::create_file(&temporary)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&temporary, &path)?;
            sync_folder(folder)
        })();
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written
    }

    /// Makes the folder of a file.
    fn make_parent<'a>(&self, path: &'a Path) -> Result<&'a Path> {
        let folder = path.parent().unwrap_or(path);
        if !folder.exists() {
            private::create_folder(folder)?;
            sync_folder(&self.0)?;
        }
        Ok(folder)
    }

    pub(super) fn read(&self, name: &str) -> Result<Vec<u8>> {
        Ok(fs::read(self.path(name))?)
    }

    /// Removes a file. Returns whether it was there: another process may remove it too.
    pub(super) fn remove(&self, name: &str) -> Result<bool> {
        Ok(unless_gone(fs::remove_file(self.path(name)))?.is_some())
    }

    /// Writes a file and removes it.
    pub(super) fn probe(&self) -> Result<()> {
        let path = self.path(".probe");
        let written = File::create(&path).and_then(|mut file| {
            file.write_all(&vec![0; PROBE])?;
            file.sync_all()
        });
        let _ = fs::remove_file(&path);
        Ok(written?)
    }

    /// All record files. Files that are renamed or removed meanwhile may be missing.
    pub(super) fn list(&self) -> Result<Vec<RecordFile>> {
        let mut files = Vec::new();
        for folder in fs::read_dir(&self.0)? {
            let folder = folder?;
            if !folder.file_type()?.is_dir() {
                continue;
            }
            let Some(inside) = unless_gone(fs::read_dir(folder.path()))? else { continue };
            for file in inside {
                let file = file?;
                let (Ok(parent), Ok(name)) =
                    (folder.file_name().into_string(), file.file_name().into_string())
                else {
                    continue;
                };
                let Some(about) = unless_gone(file.metadata())? else { continue };
                let name = format!("{parent}/{name}");
                files.push(RecordFile { digest: digest_of(&name), name, written: about.modified()? });
            }
        }
        Ok(files)
    }

    /// Links or copies a file of another folder. Returns whether it is there.
    pub(super) fn link_from(&self, other: &Folder, name: &str) -> Result<bool> {
        let (path, target) = (other.path(name), self.path(name));
        if target.exists() {
            return Ok(true);
        }
        self.make_parent(&target)?;
        Ok(unless_gone(link_or_copy(&path, &target))?.is_some())
    }

    /// Makes sure that all names in the folders survive a power failure.
    pub(super) fn sync(&self) -> Result<()> {
        for folder in fs::read_dir(&self.0)? {
            let folder = folder?;
            if folder.file_type()?.is_dir() {
                sync_folder(&folder.path())?;
            }
        }
        sync_folder(&self.0)
    }
}

fn link_or_copy(path: &Path, target: &Path) -> io::Result<()> {
    // A link has the permissions of the file.
    private::narrow(path).and_then(|()| fs::hard_link(path, target)).or_else(|_| {
        // A partly written file must never have the name of a record.
        let unfinished = target.with_extension("unfinished");
        fs::copy(path, &unfinished)?;
        private::narrow(&unfinished)?;
        File::open(&unfinished)?.sync_all()?;
        fs::rename(&unfinished, target)
    })
}

/// Makes sure that a new name in a folder survives a power failure.
pub(crate) fn sync_folder(folder: &Path) -> Result<()> {
    Ok(File::open(folder)?.sync_all()?)
}

/// The result of a file operation; `None` when the file was renamed or removed.
fn unless_gone<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};

    use super::*;

    /// A server writes records (a temporary file that is renamed) and removes records while the folder is listed.
    #[test]
    fn files_may_vanish_while_the_folder_is_listed() {
        let scratch = testing::scratch();
        let folder = Folder::open(scratch.path()).unwrap();
        let inside = scratch.path().join("ab");
        private::create_folder(&inside).unwrap();
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    let (temporary, path) = (inside.join(".new"), inside.join("a.json.gz"));
                    fs::write(&temporary, "").unwrap();
                    fs::rename(&temporary, &path).unwrap();
                    fs::remove_file(&path).unwrap();
                }
            });
            let begun = Instant::now();
            let mut listed = Ok(Vec::new());
            while listed.is_ok() && begun.elapsed() < Duration::from_millis(500) {
                listed = folder.list();
            }
            over.store(true, Ordering::Relaxed);
            listed.unwrap();
        });
    }

    #[test]
    fn a_file_that_another_process_removed_is_not_removed_again() {
        let scratch = testing::scratch();
        let folder = Folder::open(scratch.path()).unwrap();
        folder.write("ab/1", b"1").unwrap();
        assert!(folder.remove("ab/1").unwrap());
        assert!(!folder.remove("ab/1").unwrap());
        assert!(folder.list().unwrap().is_empty());
    }
}
