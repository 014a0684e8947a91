//! Records, named by the hash of their contents, in a folder or in a bucket.

mod bucket;
mod folder;

use std::collections::HashSet;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

use crate::bots::hex;
use crate::value::{Columns, values};
use crate::{ErrorKind, Result, Store, StoreError};
use bucket::Bucket;
use folder::Folder;

pub(crate) use folder::sync_folder;

/// The maximum size of an uncompressed record.
const LARGEST: u64 = 256 << 20;
/// The records that are copied at the same time: a bucket takes long to answer, and answers many requests at once.
const COPIES: usize = 8;

/// The place of the records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordsPlace {
    /// A folder.
    Folder(PathBuf),
    /// A bucket of an S3-compatible object store.
    Bucket {
        /// Its name.
        name: String,
        /// The part of the names of its objects that precedes those of the records.
        prefix: String,
    },
}

impl FromStr for RecordsPlace {
    type Err = StoreError;

    /// Reads `s3://BUCKET`, `s3://BUCKET/PREFIX` or the path of a folder.
    fn from_str(text: &str) -> Result<RecordsPlace> {
        let wrong = || StoreError::other("records are in a folder or in s3://BUCKET/PREFIX");
        let Some((scheme, rest)) = text.split_once("://") else {
            return if text.is_empty() { Err(wrong()) } else { Ok(Path::new(text).into()) };
        };
        let (name, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let is_sound = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        let prefix = object_store::path::Path::parse(prefix).map_err(|_| wrong())?.to_string();
        if scheme != "s3" || name.is_empty() || !name.bytes().all(is_sound) {
            return Err(wrong());
        }
        Ok(RecordsPlace::Bucket { name: name.to_owned(), prefix })
    }
}

impl From<&Path> for RecordsPlace {
    fn from(folder: &Path) -> RecordsPlace {
        RecordsPlace::Folder(folder.to_owned())
    }
}

impl From<&PathBuf> for RecordsPlace {
    fn from(folder: &PathBuf) -> RecordsPlace {
        folder.as_path().into()
    }
}

/// The records: compressed files `ab/abcdef….json.gz`, named by the SHA-256 of their uncompressed contents. A file never
/// changes.
///
/// These functions block; call them from a blocking thread, or use [`Store::put_record`] and [`Store::read_record`].
#[derive(Clone, Debug)]
pub struct Records(Files);

/// The files of records: everything that depends on their place.
#[derive(Clone, Debug)]
enum Files {
    Folder(Folder),
    Bucket(Bucket),
}

impl Records {
    pub(crate) fn open(place: impl Into<RecordsPlace>) -> Result<Records> {
        Ok(Records(match place.into() {
            RecordsPlace::Folder(path) => Files::Folder(Folder::open(&path)?),
            RecordsPlace::Bucket { name, prefix } => Files::Bucket(Bucket::open(&name, &prefix)?),
        }))
    }

    /// Stores a record and returns its digest. When it returns, the record is on disk and survives a power failure.
    ///
    /// # Errors
    ///
    /// When the disk is full or fails, or the bucket cannot be written; see [`StoreError::is_storage`].
    pub fn put(&self, bytes: &[u8]) -> Result<String> {
        let digest = hex(&Sha256::digest(bytes));
        let name = name_of(&digest)?;
        let has = matches!(&self.0, Files::Folder(folder) if folder.has(&name));
        if !has {
            let mut packer = GzEncoder::new(Vec::new(), Compression::default());
            packer.write_all(bytes)?;
            self.write(&name, packer.finish()?).map_err(|error| storage_error(&error))?;
        }
        Ok(digest)
    }

    fn write(&self, name: &str, packed: Vec<u8>) -> Result<()> {
        match &self.0 {
            Files::Folder(folder) => folder.write(name, &packed),
            Files::Bucket(bucket) => bucket.write(name, packed),
        }
    }

    /// Checks that a record can be written: writes a file and removes it.
    pub(crate) fn probe(&self) -> Result<()> {
        let written = match &self.0 {
            Files::Folder(folder) => folder.probe(),
            Files::Bucket(bucket) => bucket.probe(),
        };
        written.map_err(|error| storage_error(&error))
    }

    /// A record, uncompressed and checked against its digest.
    ///
    /// # Errors
    ///
    /// When there is no record with this digest, or its file is damaged.
    pub fn get(&self, digest: &str) -> Result<Vec<u8>> {
        let packed = self.read(&name_of(digest)?)?;
        let mut bytes = Vec::new();
        let unpacked = GzDecoder::new(packed.as_slice()).take(LARGEST).read_to_end(&mut bytes);
        if unpacked.is_err() || hex(&Sha256::digest(&bytes)) != digest {
            return Err(StoreError::other(format!("the record {digest} is damaged")));
        }
        Ok(bytes)
    }

    fn read(&self, name: &str) -> Result<Vec<u8>> {
        match &self.0 {
            Files::Folder(folder) => folder.read(name),
            Files::Bucket(bucket) => bucket.read(name),
        }
    }

    /// All record files. Files that are written or removed meanwhile may be missing.
    pub(crate) fn list(&self) -> Result<Vec<RecordFile>> {
        match &self.0 {
            Files::Folder(folder) => folder.list(),
            Files::Bucket(bucket) => bucket.list(),
        }
    }

    /// Removes files, and returns their number. Another process may remove them too.
    fn remove(&self, files: &[RecordFile]) -> Result<u64> {
        let mut removed = 0;
        for file in files {
            removed += u64::from(match &self.0 {
                Files::Folder(folder) => folder.remove(&file.name)?,
                Files::Bucket(bucket) => bucket.remove(&file.name)?,
            });
        }
        Ok(removed)
    }

    /// Copies record files to another place. Returns the number of those that are there then. A file that was removed
    /// since it was listed is left out: no row names it.
    pub(crate) fn copy(&self, files: &[RecordFile], to: &Records) -> Result<u64> {
        let (next, copied) = (AtomicUsize::new(0), AtomicU64::new(0));
        let failed: Mutex<Option<StoreError>> = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..COPIES.min(files.len()) {
                scope.spawn(|| {
                    while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                        match self.copy_one(file, to) {
                            Ok(is_there) => drop(copied.fetch_add(u64::from(is_there), Ordering::Relaxed)),
                            Err(error) => {
                                next.store(files.len(), Ordering::Relaxed);
                                *failed.lock().unwrap_or_else(std::sync::PoisonError::into_inner) =
                                    Some(error);
                            }
                        }
                    }
                });
            }
        });
        if let Some(error) = failed.into_inner().unwrap_or_default() {
            return Err(error);
        }
        if let Files::Folder(folder) = &to.0 {
            folder.sync()?;
        }
        Ok(copied.into_inner())
    }

    /// Copies a record file. Returns whether the other place has it.
    fn copy_one(&self, file: &RecordFile, to: &Records) -> Result<bool> {
        if file.digest.is_none() {
            return Ok(false);
        }
        if let (Files::Folder(from), Files::Folder(to)) = (&self.0, &to.0) {
            return to.link_from(from, &file.name);
        }
        match self.read(&file.name) {
            Ok(packed) => to.write(&file.name, packed).map(|()| true),
            Err(error) if error.kind == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// A file among the records.
#[derive(Clone, Debug)]
pub(crate) struct RecordFile {
    /// The digest of the record; `None` for the remains of an unfinished write.
    pub(crate) digest: Option<String>,
    name: String,
    written: SystemTime,
}

/// The name of the file of a record. Only 64 hexadecimal digits are accepted, so untrusted text cannot become a path.
fn name_of(digest: &str) -> Result<String> {
    let is_sound =
        digest.len() == 64 && digest.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    if !is_sound {
        return Err(StoreError::new(ErrorKind::NotFound, "a digest is 64 hexadecimal digits"));
    }
    Ok(format!("{}/{digest}.json.gz", &digest[..2]))
}

/// The digest of the record in a file of this name.
fn digest_of(name: &str) -> Option<String> {
    let digest = name.split_once('/')?.1.strip_suffix(".json.gz")?;
    (name_of(digest).ok()? == name).then(|| digest.to_owned())
}

/// Any failure to write a record is a failure of the storage.
fn storage_error(error: &StoreError) -> StoreError {
    let kind = if error.kind == ErrorKind::Full { ErrorKind::Full } else { ErrorKind::Busy };
    StoreError::new(kind, format!("a record could not be written: {error}"))
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

    /// The digests of all stored records, in order.
    ///
    /// # Errors
    ///
    /// When the disk or the bucket fails.
    pub async fn record_digests(&self) -> Result<Vec<String>> {
        let records = self.records().clone();
        let files = blocking(move || records.list()).await?;
        let mut digests: Vec<String> = files.into_iter().filter_map(|file| file.digest).collect();
        digests.sort();
        Ok(digests)
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
        let mut files = blocking(move || records.list()).await?;
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
        let records = self.records().clone();
        blocking(move || {
            files.retain(|file| file.digest.as_ref().is_none_or(|digest| !named.contains(digest)));
            records.remove(&files)
        })
        .await
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
    use super::*;

    #[test]
    fn a_place_is_a_folder_or_a_bucket() {
        let place = |text: &str| text.parse::<RecordsPlace>();
        let bucket = |name: &str, prefix: &str| RecordsPlace::Bucket {
            name: name.to_owned(),
            prefix: prefix.to_owned(),
        };
        assert_eq!(place("/shared/records").unwrap(), Path::new("/shared/records").into());
        assert_eq!(place("s3").unwrap(), Path::new("s3").into());
        assert_eq!(place("s3://arena").unwrap(), bucket("arena", ""));
        assert_eq!(place("s3://arena/").unwrap(), bucket("arena", ""));
        assert_eq!(place("s3://arena/a/b/").unwrap(), bucket("arena", "a/b"));
        for wrong in
            ["", "s3://", "s3:///a", "s3://a b", "s3://a/b//c", "s3://a/../b", "gs://a", "http://a/b"]
        {
            let error = place(wrong).unwrap_err().message;
            assert!(error.contains("s3://BUCKET/PREFIX"), "{wrong}: {error}");
        }
    }

    #[test]
    fn a_record_that_vanishes_while_it_is_copied_is_left_out() {
        let (from, to) = (testing::scratch(), testing::scratch());
        let (from, to) = (Records::open(from.path()).unwrap(), Records::open(to.path()).unwrap());
        let kept = from.put(b"kept").unwrap();
        let removed = from.put(b"removed").unwrap();
        let files = from.list().unwrap();
        let gone: Vec<_> =
            files.iter().filter(|file| file.digest.as_ref() == Some(&removed)).cloned().collect();
        assert_eq!(from.remove(&gone).unwrap(), 1);
        assert_eq!(from.copy(&files, &to).unwrap(), 1);
        assert_eq!(to.get(&kept).unwrap(), b"kept");
        assert!(to.get(&removed).is_err());
    }
}
