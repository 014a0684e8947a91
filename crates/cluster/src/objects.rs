//! Files by digest: in the object store of the cluster, and in a folder of a worker.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use toolchain::{BuildCache, LARGEST_PROGRAM, Language, SentProgram};

use crate::connection::{Cluster, FILES, PROGRAMS};
use crate::error::{ClusterError, Result};

/// The largest file of a bot, in bytes.
const LARGEST: usize = 256 << 20;

pub(crate) fn digest_of(bytes: &[u8]) -> String {
    catalog::record::hex(&Sha256::digest(bytes))
}

impl Cluster {
    /// Puts bytes into an object store, unless they are there. Returns their digest.
    pub(crate) async fn put_object(&self, bucket: &str, bytes: &[u8]) -> Result<String> {
        let digest = digest_of(bytes);
        let files = self.objects(bucket).await?;
        if files.info(&digest).await.is_err() {
            files.put(digest.as_str(), &mut &*bytes).await.map_err(ClusterError::broker)?;
        }
        Ok(digest)
    }

    /// The bytes with this digest. The parts are read one by one: a server that goes away in between is an error.
    pub(crate) async fn get_object(&self, bucket: &str, digest: &str) -> Result<Vec<u8>> {
        let missing = || ClusterError::Object(digest.to_owned());
        let info = self.objects(bucket).await?.info(digest).await.map_err(|_| missing())?;
        if info.size > LARGEST {
            return Err(missing());
        }
        let stream =
            self.js.get_stream_no_info(format!("OBJ_{bucket}")).await.map_err(ClusterError::broker)?;
        let subject = format!("$O.{bucket}.C.{}", info.nuid);
        let (mut bytes, mut next) = (Vec::new(), 1);
        for _ in 0..info.chunks {
            let part =
                stream.direct_get_next_for_subject(&subject, Some(next)).await.map_err(|_| missing())?;
            next = part.sequence + 1;
            bytes.extend_from_slice(&part.payload);
            if bytes.len() > LARGEST {
                return Err(missing());
            }
        }
        if digest_of(&bytes) == digest { Ok(bytes) } else { Err(missing()) }
    }

    /// Puts a packed program into the object store. Returns its digest.
    pub(crate) async fn put_program(&self, packed: &[u8]) -> Result<String> {
        self.put_object(PROGRAMS, packed).await
    }

    /// The packed program with this digest.
    ///
    /// # Errors
    ///
    /// When it is missing, too large or has another digest, or the server does not answer.
    pub async fn get_program(&self, digest: &str) -> Result<Vec<u8>> {
        let packed = self.get_object(PROGRAMS, digest).await?;
        if packed.len() > LARGEST_PROGRAM { Err(ClusterError::Object(digest.to_owned())) } else { Ok(packed) }
    }

    /// Takes a program that was built elsewhere into a build cache, if it can run here and is not there yet. Without it the source
    /// has to be compiled, which costs time and nothing else.
    pub async fn fetch_program(
        &self,
        cache: &BuildCache,
        language: &Language,
        source: &[u8],
        program: &SentProgram,
    ) {
        if !cache.runs_here(language, program) || cache.sent("", language, source, program).is_some() {
            return;
        }
        let taken = match self.get_program(&program.digest).await {
            Ok(packed) => {
                cache.take_sent(language, source, program, &packed).map_err(|error| error.to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        if let Err(error) = taken {
            tracing::warn!(target: "cluster", error, "a built program cannot be used; its source is compiled");
        }
    }

    /// Removes bytes that are not needed any more. If this fails, the server removes them after some time.
    pub(crate) async fn remove_object(&self, bucket: &str, digest: &str) {
        if let Ok(files) = self.objects(bucket).await {
            let _ = files.delete(digest).await;
        }
    }
}

/// The files of bots that a worker has, in a folder: `DIGEST/NAME`.
#[derive(Clone, Debug)]
pub struct Objects {
    folder: PathBuf,
}

impl Objects {
    /// The files in this folder.
    pub fn new(folder: PathBuf) -> Objects {
        Objects { folder: std::path::absolute(&folder).unwrap_or(folder) }
    }

    /// The path of a file under this name. It is copied from the object store if it is missing or damaged.
    ///
    /// # Errors
    ///
    /// When the object store does not have it, or it cannot be written.
    pub async fn file(&self, cluster: &Cluster, digest: &str, name: &str) -> Result<PathBuf> {
        if digest.len() != 64 || !digest.bytes().all(|byte| byte.is_ascii_hexdigit()) || name.contains('/') {
            return Err(ClusterError::Object(digest.to_owned()));
        }
        let folder = self.folder.join(digest);
        let path = folder.join(name);
        if fs::read(&path).is_ok_and(|bytes| digest_of(&bytes) == digest) {
            return Ok(path);
        }
        let bytes = cluster.get_object(FILES, digest).await?;
        write(&folder, &path, &bytes).map_err(|error| ClusterError::File(path.clone(), error))?;
        Ok(path)
    }
}

/// Writes a program: it is whole or missing, and every user may run it, since bots have users of their own.
fn write(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
    let draft = tempfile::NamedTempFile::new_in(folder)?;
    fs::write(draft.path(), bytes)?;
    fs::set_permissions(draft.path(), fs::Permissions::from_mode(0o755))?;
    draft.persist(path)?;
    Ok(())
}
