//! Records in a bucket of an S3-compatible object store.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt as _;
use object_store::aws::AmazonS3Builder;
use object_store::path::Path;
use object_store::{BackoffConfig, ObjectStore, ObjectStoreExt as _, RetryConfig};
use tokio::runtime::Handle;

use super::{LARGEST, RecordFile, digest_of};
use crate::{ErrorKind, Result, StoreError};

/// A request is repeated for a short time only: the arena says that its storage fails, and tries again by itself.
const RETRIES: usize = 3;
const RETRY_FOR: Duration = Duration::from_secs(10);
/// The object that [`Bucket::probe`] writes and removes.
const PROBE: &str = ".probe";
/// The longest part of a server's answer in a message.
const LONGEST_ANSWER: usize = 300;

/// A bucket, and the part of its names that precedes those of the records.
#[derive(Clone)]
pub(super) struct Bucket {
    /// The runtime of the requests.
    handle: Handle,
    objects: Arc<dyn ObjectStore>,
    name: String,
    prefix: Path,
}

/// Without the credentials.
impl fmt::Debug for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bucket")
            .field("name", &self.name)
            .field("prefix", &self.prefix)
            .finish_non_exhaustive()
    }
}

impl Bucket {
    /// Connects to a bucket and checks that it can be written. The variables `AWS_*` of the environment give its address
    /// and the credentials. The caller must be in a runtime, on a blocking thread.
    pub(super) fn open(name: &str, prefix: &str) -> Result<Bucket> {
        // No other provider of cryptography is part of the program. An error says that one was chosen before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let retry =
            RetryConfig { backoff: BackoffConfig::default(), max_retries: RETRIES, retry_timeout: RETRY_FOR };
        let s3 = AmazonS3Builder::from_env().with_bucket_name(name).with_retry(retry).build();
        let wrong = |error: &dyn Error| StoreError::other(format!("the bucket {name}: {error}"));
        let s3 = s3.map_err(|error| wrong(&error))?;
        let prefix = Path::parse(prefix).map_err(|error| wrong(&error))?;
        let bucket =
            Bucket { handle: Handle::current(), objects: Arc::new(s3), name: name.to_owned(), prefix };
        bucket.probe()?;
        Ok(bucket)
    }

    fn wait<T>(&self, request: impl Future<Output = object_store::Result<T>>) -> Result<T> {
        self.handle.block_on(request).map_err(|error| self.explain(&error))
    }

    fn path(&self, name: &str) -> Path {
        self.prefix.parts().chain(Path::from(name).parts()).collect()
    }

    /// Writes an object. When this returns, the server has stored it. An object that is there is written again: the
    /// bytes are the same, and a request for them would take as long.
    pub(super) fn write(&self, name: &str, bytes: Vec<u8>) -> Result<()> {
        self.wait(self.objects.put(&self.path(name), bytes.into())).map(drop)
    }

    pub(super) fn read(&self, name: &str) -> Result<Vec<u8>> {
        let read = self.wait(async {
            let found = self.objects.get(&self.path(name)).await?;
            if found.meta.size > LARGEST {
                return Ok(None);
            }
            found.bytes().await.map(Some)
        });
        match read? {
            Some(bytes) => Ok(bytes.into()),
            None => Err(StoreError::other(format!("{name} in the bucket {} is too large", self.name))),
        }
    }

    /// Removes an object. The server does not say whether it was there.
    pub(super) fn remove(&self, name: &str) -> Result<bool> {
        match self.wait(self.objects.delete(&self.path(name))) {
            Err(error) if error.kind == ErrorKind::NotFound => Ok(false),
            removed => removed.map(|()| true),
        }
    }

    /// Writes an object and removes it.
    pub(super) fn probe(&self) -> Result<()> {
        self.write(PROBE, Vec::new())?;
        self.remove(PROBE).map(drop)
    }

    pub(super) fn list(&self) -> Result<Vec<RecordFile>> {
        let depth = self.prefix.parts().count();
        let objects: Vec<_> = self.wait(self.objects.list(Some(&self.prefix)).try_collect())?;
        let files = objects.into_iter().filter_map(|object| {
            let name = object.location.parts().skip(depth).collect::<Path>().to_string();
            // Other objects may stand in the bucket.
            let digest = Some(digest_of(&name)?);
            Some(RecordFile { digest, name, written: object.last_modified.into() })
        });
        Ok(files.collect())
    }

    /// The error of a request, with what can be done about it.
    fn explain(&self, error: &object_store::Error) -> StoreError {
        use object_store::Error as Failed;
        let name = &self.name;
        let (kind, why) = match error {
            Failed::NotFound { source, .. } if source.to_string().contains("NoSuchBucket") => {
                (ErrorKind::Busy, "it does not exist: make it, or correct the setting `records`".to_owned())
            }
            Failed::NotFound { .. } => (ErrorKind::NotFound, "there is no such record".to_owned()),
            Failed::PermissionDenied { source, .. } | Failed::Unauthenticated { source, .. } => {
                let answer = short(&source.to_string());
                let what = "the server refuses the key in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
                (ErrorKind::Busy, format!("{what}, or its rights do not suffice: {answer}"))
            }
            _ => (ErrorKind::Busy, failure(error)),
        };
        StoreError::new(kind, format!("the bucket {name}: {why}"))
    }
}

/// A failure of a request, with its last cause, which the libraries leave out of their messages.
fn failure(error: &object_store::Error) -> String {
    let text = error.to_string();
    let mut last: &dyn Error = error;
    while let Some(source) = last.source() {
        last = source;
    }
    let cause = last.to_string();
    if cause.contains("URL scheme is not allowed") {
        return "the connection would not be encrypted: set AWS_ALLOW_HTTP=true to allow http://".to_owned();
    }
    let cause = if text.contains(&cause) { String::new() } else { format!(": {}", short(&cause)) };
    format!("the server does not answer as it should: {}{cause}", short(&text))
}

/// The beginning of a text, in one line.
fn short(text: &str) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    line.join(" ").chars().take(LONGEST_ANSWER).collect()
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;
    use tokio::runtime::Runtime;

    use super::super::{Files, Records};
    use super::*;

    fn bucket(runtime: &Runtime, objects: &Arc<InMemory>, prefix: &str) -> Bucket {
        let (handle, objects) = (runtime.handle().clone(), Arc::clone(objects) as _);
        Bucket { handle, objects, name: "arena".to_owned(), prefix: Path::from(prefix) }
    }

    #[test]
    fn records_are_objects_below_a_prefix() {
        let (runtime, objects) = (Runtime::new().unwrap(), Arc::new(InMemory::new()));
        let inside = Records(Files::Bucket(bucket(&runtime, &objects, "a/b")));
        let beside = Records(Files::Bucket(bucket(&runtime, &objects, "a/c")));
        inside.probe().unwrap();
        let digest = inside.put(b"content").unwrap();
        assert_eq!(inside.put(b"content").unwrap(), digest);
        assert_eq!(inside.get(&digest).unwrap(), b"content");
        assert_eq!(beside.get(&digest).unwrap_err().kind, ErrorKind::NotFound);
        // Objects of others are no records.
        let foreign = Path::from("a/b/notes/of.json.gz");
        runtime.block_on(objects.put(&foreign, "text".into())).unwrap();
        let files = inside.list().unwrap();
        assert_eq!(files.len(), 1);
        assert_eq!(files[0].digest.as_ref(), Some(&digest));
        assert!(beside.list().unwrap().is_empty());
        // To a folder, and from there to another bucket.
        let scratch = testing::scratch();
        let folder = Records::open(scratch.path()).unwrap();
        assert_eq!(inside.copy(&files, &folder).unwrap(), 1);
        assert_eq!(folder.get(&digest).unwrap(), b"content");
        assert_eq!(folder.copy(&folder.list().unwrap(), &beside).unwrap(), 1);
        assert_eq!(beside.get(&digest).unwrap(), b"content");
        assert_eq!(inside.remove(&files).unwrap(), 1);
        assert_eq!(inside.copy(&files, &folder).unwrap(), 0, "it vanished after it was listed");
        assert_eq!(inside.get(&digest).unwrap_err().kind, ErrorKind::NotFound);
        assert_eq!(beside.get(&digest).unwrap(), b"content");
    }

    #[test]
    fn an_address_without_encryption_is_explained() {
        let (runtime, objects) = (Runtime::new().unwrap(), Arc::new(InMemory::new()));
        let failed = |cause: &str| object_store::Error::Generic { store: "S3", source: cause.into() };
        let said = |cause: &str| bucket(&runtime, &objects, "").explain(&failed(cause)).message;
        assert!(said("URL scheme is not allowed").contains("AWS_ALLOW_HTTP=true"));
        assert!(said("something else").contains("the bucket arena: the server does not answer as it should"));
    }

    #[test]
    fn a_damaged_object_is_noticed() {
        let (runtime, objects) = (Runtime::new().unwrap(), Arc::new(InMemory::new()));
        let records = Records(Files::Bucket(bucket(&runtime, &objects, "")));
        let digest = records.put(b"content").unwrap();
        let path = Path::from(format!("{}/{digest}.json.gz", &digest[..2]));
        runtime.block_on(objects.put(&path, "text".into())).unwrap();
        assert!(records.get(&digest).unwrap_err().message.contains("damaged"));
    }
}
