//! Record files, named by the hash of their contents.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

use crate::bots::hex;
use crate::value::{Columns, values};
use crate::{ErrorKind, Result, Store, StoreError, private};

/// The maximum size of an uncompressed record.
const LARGEST: u64 = 256 << 20;

/// The size of the file that [`Records::probe`] writes: larger than most records.
const PROBE: usize = 1 << 20;

/// A folder of record files: `ab/abcdef….json.gz`, named by the SHA-256 of their uncompressed contents. A file never
/// changes.
///
/// These functions block; call them from a blocking thread, or use [`Store::put_record`] and [`Store::read_record`].
#[derive(Clone, Debug)]
pub struct Records {
    folder: PathBuf,
}

impl Records {
    pub(crate) fn open(folder: &Path) -> Result<Records> {
        private::create_folder(folder).map_err(|error| {
            let error = StoreError::from(error);
            StoreError {
                message: format!("cannot make the folder {}: {}", folder.display(), error.message),
                ..error
            }
        })?;
        Ok(Records { folder: folder.to_owned() })
    }

    /// Stores a record and returns its digest. When it returns, the record is on disk and survives a power failure.
    ///
    /// # Errors
    ///
    /// When the disk is full or fails; see [`StoreError::is_storage`].
    pub fn put(&self, bytes: &[u8]) -> Result<String> {
        self.try_put(bytes).map_err(|error| storage_error(&error))
    }

    fn try_put(&self, bytes: &[u8]) -> Result<String> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let digest = hex(&Sha256::digest(bytes));
        let path = self.path(&digest)?;
        if path.exists() {
            return Ok(digest);
        }
        let folder = path.parent().unwrap_or(&self.folder);
        if !folder.exists() {
            private::create_folder(folder)?;
            sync_folder(&self.folder)?;
        }
        let temporary =
            folder.join(format!(".{digest}.{}.{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
        let written = (|| -> Result<()> {
            let mut packer = GzEncoder::new(private::create_file(&temporary)?, Compression::default());
            packer.write_all(bytes)?;
            packer.finish()?.sync_all()?;
            fs::rename(&temporary, &path)?;
            sync_folder(folder)
        })();
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written.map(|()| digest)
    }

    /// Checks that a record can be written: writes a file and removes it.
    pub(crate) fn probe(&self) -> Result<()> {
        let path = self.folder.join(".probe");
        let written = File::create(&path).and_then(|mut file| {
            file.write_all(&vec![0; PROBE])?;
            file.sync_all()
        });
        let _ = fs::remove_file(&path);
        written.map_err(|error| storage_error(&error.into()))
    }

    /// A record, uncompressed and checked against its digest.
    ///
    /// # Errors
    ///
    /// When there is no record with this digest, or its file is damaged.
    pub fn get(&self, digest: &str) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let unpacked = GzDecoder::new(File::open(self.path(digest)?)?).take(LARGEST).read_to_end(&mut bytes);
        if unpacked.is_err() || hex(&Sha256::digest(&bytes)) != digest {
            return Err(StoreError::other(format!("the record {digest} is damaged")));
        }
        Ok(bytes)
    }

    /// The path of a record, which need not exist. Only 64 hexadecimal digits are accepted, so untrusted text cannot
    /// become a path.
    pub(crate) fn path(&self, digest: &str) -> Result<PathBuf> {
        let sound =
            digest.len() == 64 && digest.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        if !sound {
            return Err(StoreError::new(ErrorKind::NotFound, "a digest is 64 hexadecimal digits"));
        }
        Ok(self.folder.join(&digest[..2]).join(format!("{digest}.json.gz")))
    }

    /// Makes sure that all names in the folders survive a power failure.
    pub(crate) fn sync(&self) -> Result<()> {
        for folder in fs::read_dir(&self.folder)? {
            let folder = folder?;
            if folder.file_type()?.is_dir() {
                sync_folder(&folder.path())?;
            }
        }
        sync_folder(&self.folder)
    }

    /// All record files. Files that are renamed or removed meanwhile may be missing.
    pub(crate) fn walk(&self) -> Result<Vec<RecordFile>> {
        let mut files = Vec::new();
        for folder in fs::read_dir(&self.folder)? {
            let folder = folder?;
            if !folder.file_type()?.is_dir() {
                continue;
            }
            let Some(inside) = unless_gone(fs::read_dir(folder.path()))? else { continue };
            for file in inside {
                let file = file?;
                let digest = file
                    .file_name()
                    .to_str()
                    .and_then(|name| name.strip_suffix(".json.gz"))
                    .map(str::to_owned);
                let digest = digest.filter(|digest| digest.len() == 64);
                let Some(about) = unless_gone(file.metadata())? else { continue };
                files.push(RecordFile { digest, path: file.path(), written: about.modified()? });
            }
        }
        Ok(files)
    }
}

/// A file in the folder of records.
#[derive(Clone, Debug)]
pub(crate) struct RecordFile {
    /// The digest of the record; `None` for the remains of an unfinished write.
    pub(crate) digest: Option<String>,
    pub(crate) path: PathBuf,
    pub(crate) written: SystemTime,
}

/// Any failure to write a record is a failure of the storage.
fn storage_error(error: &StoreError) -> StoreError {
    let kind = if error.kind == ErrorKind::Full { ErrorKind::Full } else { ErrorKind::Busy };
    StoreError::new(kind, format!("a record could not be written: {error}"))
}

/// Makes sure that a new name in a folder survives a power failure.
pub(crate) fn sync_folder(folder: &Path) -> Result<()> {
    Ok(File::open(folder)?.sync_all()?)
}

/// The windows over which attempts are counted are shorter than this.
const ATTEMPTS_LAST: Duration = Duration::from_hours(24);
/// A record is written before the row that names it: an older record without a row will never get one.
const RECORDS_WAIT: Duration = Duration::from_hours(1);

impl Store {
    /// Calls [`Records::put`] on a blocking thread.
    ///
    /// # Errors
    ///
    /// Same as [`Records::put`].
    pub async fn put_record(&self, bytes: Vec<u8>) -> Result<String> {
        let records = self.records().clone();
        blocking(move || records.put(&bytes)).await
    }

    /// Calls [`Records::get`] on a blocking thread.
    ///
    /// # Errors
    ///
    /// Same as [`Records::get`].
    pub async fn read_record(&self, digest: &str) -> Result<Vec<u8>> {
        let (records, digest) = (self.records().clone(), digest.to_owned());
        blocking(move || records.get(&digest)).await
    }

    /// Deletes expired sessions and invitations, attempts that are older than a day, and records that no match names.
    /// Returns the number of deleted records.
    ///
    /// # Errors
    ///
    /// When the database or the disk fails.
    pub async fn sweep(&self, now: i64) -> Result<u64> {
        self.sweep_access(now, now - ATTEMPTS_LAST.as_millis() as i64).await?;
        self.sweep_records(RECORDS_WAIT).await
    }

    /// Deletes record files older than `older_than` that no match names (left by a crash before the row was written).
    /// Returns their number.
    ///
    /// # Errors
    ///
    /// When the database or the disk fails.
    pub async fn sweep_records(&self, older_than: Duration) -> Result<u64> {
        let records = self.records().clone();
        let mut files = blocking(move || records.walk()).await?;
        let limit = SystemTime::now().checked_sub(older_than).unwrap_or(SystemTime::UNIX_EPOCH);
        files.retain(|file| file.written <= limit);
        if files.is_empty() {
            return Ok(0);
        }
        let mut named: HashSet<String> = HashSet::new();
        let mut after = 0;
        loop {
            let sql = "SELECT id, record FROM matches WHERE id > $1 ORDER BY id LIMIT 10000";
            let rows = self.all(sql, values![after]).await?;
            let Some(last) = rows.last() else { break };
            after = last.int("id")?;
            for row in &rows {
                named.extend(row.text_or_none("record")?);
            }
        }
        blocking(move || {
            files.retain(|file| file.digest.as_ref().is_none_or(|digest| !named.contains(digest)));
            remove(&files)
        })
        .await
    }
}

/// Removes files, and returns their number. Another process may remove them too.
fn remove(files: &[RecordFile]) -> Result<u64> {
    let mut removed = 0;
    for file in files {
        removed += u64::from(unless_gone(fs::remove_file(&file.path))?.is_some());
    }
    Ok(removed)
}

/// The result of a file operation; `None` when the file was renamed or removed.
pub(crate) fn unless_gone<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

/// Runs a blocking function on a blocking thread.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => Err(StoreError::other(format!("a file operation was cut short: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Instant;

    use super::*;

    /// A server writes records (a temporary file that is renamed) and removes records while the folder is listed.
    #[test]
    fn files_may_vanish_while_the_folder_is_listed() {
        let folder = testing::scratch();
        let records = Records::open(folder.path()).unwrap();
        let inside = folder.path().join("ab");
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
                listed = records.walk();
            }
            over.store(true, Ordering::Relaxed);
            listed.unwrap();
        });
    }

    #[test]
    fn a_file_that_another_process_removed_is_not_removed_again() {
        let folder = testing::scratch();
        let records = Records::open(folder.path()).unwrap();
        for bytes in [b"1", b"2"] {
            records.put(bytes).unwrap();
        }
        let files = records.walk().unwrap();
        fs::remove_file(&files[0].path).unwrap();
        assert_eq!(remove(&files).unwrap(), 1);
        assert!(records.walk().unwrap().is_empty());
    }
}
