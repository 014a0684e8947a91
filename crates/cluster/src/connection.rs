//! The connection to a NATS server, and the queues and buckets there.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::ContextBuilder;
use async_nats::jetstream::stream::{Config, RetentionPolicy, Stream};
use async_nats::jetstream::{Context, kv, object_store};
use async_nats::{Client, ConnectOptions};
use tokio::sync::OnceCell;
use toolchain::LANGUAGES;

use crate::error::{ClusterError, Result};
use crate::message::{Job, PROTOCOL, Work};

/// Work that a worker neither finishes nor reports as in progress for this time goes to another worker.
pub(crate) const ACK_WAIT: Duration = Duration::from_secs(30);
/// The interval in which a worker reports that its work is in progress.
pub(crate) const PROGRESS: Duration = Duration::from_secs(10);
/// A worker that was not seen for this time is gone.
const SEEN_WITHIN: Duration = Duration::from_secs(10);
/// Work and reports of a master that never comes back are removed after this time.
const ABANDONED: Duration = Duration::from_hours(48);
/// Files of bots are removed after this time; a master that starts again sends them again.
const FILES_KEPT: Duration = Duration::from_hours(24 * 30);
/// Built programs are removed after this time; then workers compile the sources themselves.
const PROGRAMS_KEPT: Duration = Duration::from_hours(24 * 7);
/// The time to connect.
const CONNECT: Duration = Duration::from_secs(5);
/// The most work that may be with workers.
const MOST_HELD: i64 = 100_000;

/// The object store with the files of bots.
pub(crate) const FILES: &str = "agon-files";
/// The object store with records that are too large for a message.
pub(crate) const RECORDS: &str = "agon-records";
/// The object store with built programs. Workers may add to it.
pub(crate) const PROGRAMS: &str = "agon-programs";
/// The bucket in which workers announce themselves.
pub(crate) const WORKERS: &str = "agon-workers";
/// The bucket with the protocol of the masters.
const SETTINGS: &str = "agon-settings";
/// The key of the protocol.
const PROTOCOL_KEY: &str = "protocol";

/// The address of a NATS server and the means to be accepted there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Address {
    /// `nats://HOST:PORT`, or `tls://HOST:PORT` for an encrypted connection.
    pub url: String,
    /// A file with the seed of an NKey, or with credentials (`.creds`).
    pub key: Option<PathBuf>,
    /// A file with the certificate of the authority that signed the server's certificate, if it is not a known one.
    pub authority: Option<PathBuf>,
}

/// A connection to a NATS server. Clones share it. It is established again when it is lost.
#[derive(Clone)]
pub struct Cluster {
    pub(crate) client: Client,
    pub(crate) js: Context,
    /// The handles of buckets: to make one is a request.
    buckets: Arc<Buckets>,
}

#[derive(Default)]
struct Buckets {
    settings: OnceCell<kv::Store>,
    workers: OnceCell<kv::Store>,
    files: OnceCell<object_store::ObjectStore>,
    records: OnceCell<object_store::ObjectStore>,
    programs: OnceCell<object_store::ObjectStore>,
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cluster").finish_non_exhaustive()
    }
}

/// Who connects. Answers of the server go to an inbox of the client's own, so that workers cannot read those of others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role<'a> {
    /// A command that plays a run, or a server of an arena; its name.
    Master(&'a str),
    /// A worker; its name.
    Worker(&'a str),
}

impl Role<'_> {
    /// The name of the client in the lists of the server.
    fn client(self) -> String {
        match self {
            Role::Master(name) => format!("agon {name}"),
            Role::Worker(name) => format!("agon worker {name}"),
        }
    }

    /// The first part of the subjects of its inboxes.
    fn inbox(self) -> String {
        match self {
            Role::Master(_) => "_INBOX.master".to_owned(),
            Role::Worker(name) => format!("_INBOX.worker.{}", worker_name(name)),
        }
    }
}

/// The name of a worker as it can be a part of a subject: letters, digits, `-` and `_`.
pub fn worker_name(name: &str) -> String {
    name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_', "-")
}

/// The classes of work. A worker takes those that it can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    /// Matches that time decides.
    Timed,
    /// Other matches.
    Untimed,
    /// Builds of a language, by the extension of its files.
    Build(&'static str),
}

impl Class {
    /// The class of work; `None` for a language that is not known.
    pub(crate) fn of(work: &Work) -> Option<Class> {
        match &work.job {
            Job::Matches(matches) if matches.is_timed() => Some(Class::Timed),
            Job::Matches(_) => Some(Class::Untimed),
            Job::Build(build) => Class::of_build(&build.language),
        }
    }

    pub(crate) fn of_build(language: &str) -> Option<Class> {
        toolchain::language(language).map(|language| Class::Build(language.extensions[0]))
    }

    fn all() -> impl Iterator<Item = Class> {
        let builds = LANGUAGES.iter().map(|language| Class::Build(language.extensions[0]));
        [Class::Timed, Class::Untimed].into_iter().chain(builds)
    }

    pub(crate) fn word(self) -> String {
        match self {
            Class::Timed => "timed".to_owned(),
            Class::Untimed => "untimed".to_owned(),
            Class::Build(extension) => format!("build-{extension}"),
        }
    }
}

/// The subject of a work.
pub(crate) fn work_subject(class: Class, master: &str, item: u64) -> String {
    format!("agon.{PROTOCOL}.work.{}.{master}.{item}", class.word())
}

/// The subjects of all work of a master.
pub(crate) fn all_work(master: &str) -> String {
    format!("agon.{PROTOCOL}.work.*.{master}.*")
}

/// The subject of the reports of a worker for a master. It names the worker, so that the server can let each worker speak only for
/// itself.
pub(crate) fn done_subject(master: &str, worker: &str) -> String {
    format!("agon.{PROTOCOL}.done.{master}.{worker}")
}

/// The subject on which a master ends its work.
pub(crate) fn stop_subject(master: &str) -> String {
    format!("agon.{PROTOCOL}.stop.{master}")
}

/// The subject on which the answers of a master's matches are sent while they are played.
pub(crate) fn live_subject(master: &str) -> String {
    format!("agon.{PROTOCOL}.live.{master}")
}

/// The subject on which the servers of an arena tell each other something.
pub(crate) fn servers_subject(arena: &str) -> String {
    format!("agon.{PROTOCOL}.servers.{arena}")
}

fn work_stream() -> Config {
    Config {
        name: format!("agon-work-{PROTOCOL}"),
        subjects: vec![format!("agon.{PROTOCOL}.work.*.*.*")],
        retention: RetentionPolicy::WorkQueue,
        max_age: ABANDONED,
        ..Config::default()
    }
}

fn done_stream() -> Config {
    Config {
        name: format!("agon-done-{PROTOCOL}"),
        subjects: vec![format!("agon.{PROTOCOL}.done.*.*")],
        retention: RetentionPolicy::WorkQueue,
        max_age: ABANDONED,
        ..Config::default()
    }
}

impl Cluster {
    /// Connects.
    ///
    /// # Errors
    ///
    /// When there is no server, it refuses the key, or a file cannot be read.
    pub async fn connect(address: &Address, role: Role<'_>) -> Result<Cluster> {
        let Address { url, key, authority } = address;
        let failed = |why: String| ClusterError::Connect { url: url.clone(), why };
        let mut options = ConnectOptions::new()
            .name(role.client())
            .custom_inbox_prefix(role.inbox())
            .connection_timeout(CONNECT)
            .ping_interval(Duration::from_secs(5))
            .reconnect_delay_callback(|attempt| {
                Duration::from_millis(50 * u64::try_from(attempt).unwrap_or(20).min(20))
            });
        if let Some(path) = key {
            let text =
                std::fs::read_to_string(path).map_err(|error| ClusterError::File(path.clone(), error))?;
            options = if text.contains("BEGIN NATS USER JWT") {
                options.credentials(&text).map_err(|error| ClusterError::File(path.clone(), error))?
            } else {
                options.nkey(text.trim().to_owned())
            };
        }
        if let Some(path) = authority {
            options = options.add_root_certificates(path.clone());
        }
        if url.starts_with("tls://") {
            options = options.require_tls(true);
        }
        let connecting = options.connect(url.as_str());
        let client = match tokio::time::timeout(CONNECT * 2, connecting).await {
            Ok(connected) => connected.map_err(|error| failed(error.to_string()))?,
            Err(_) => return Err(failed("no answer".to_owned())),
        };
        let js = ContextBuilder::new().timeout(CONNECT).ack_timeout(CONNECT).build(client.clone());
        Ok(Cluster { client, js, buckets: Arc::default() })
    }

    /// Makes the queues and buckets that are missing, and refuses a cluster of another version. Only masters may.
    pub(crate) async fn prepare(&self) -> Result<()> {
        self.js.get_or_create_stream(done_stream()).await.map_err(ClusterError::broker)?;
        let work = self.js.get_or_create_stream(work_stream()).await.map_err(ClusterError::broker)?;
        for class in Class::all() {
            work.get_or_create_consumer(&class.word(), consumer_of(class))
                .await
                .map_err(ClusterError::broker)?;
        }
        let bucket =
            |name: &str, max_age| kv::Config { bucket: name.to_owned(), max_age, ..kv::Config::default() };
        for (name, age) in [(SETTINGS, Duration::ZERO), (WORKERS, SEEN_WITHIN)] {
            if self.js.get_key_value(name).await.is_err() {
                self.js.create_key_value(bucket(name, age)).await.map_err(ClusterError::broker)?;
            }
        }
        for (name, max_age) in [(FILES, FILES_KEPT), (RECORDS, ABANDONED), (PROGRAMS, PROGRAMS_KEPT)] {
            if self.js.get_object_store(name).await.is_err() {
                let config = object_store::Config {
                    bucket: name.to_owned(),
                    max_age,
                    ..object_store::Config::default()
                };
                self.js.create_object_store(config).await.map_err(ClusterError::broker)?;
            }
        }
        // A new version takes over the cluster of an older one: from then on older programs are refused.
        if self.protocol().await?.is_none_or(|found| found < PROTOCOL) {
            let settings = self.settings().await?;
            let text = PROTOCOL.to_string().into();
            settings.put(PROTOCOL_KEY, text).await.map_err(ClusterError::broker)?;
        }
        self.check_protocol().await
    }

    /// Refuses a cluster whose masters have another version.
    pub(crate) async fn check_protocol(&self) -> Result<()> {
        match self.protocol().await? {
            Some(found) if found != PROTOCOL => Err(ClusterError::Protocol { found }),
            _ => Ok(()),
        }
    }

    /// The protocol of the masters; `None` if there was no master yet.
    async fn protocol(&self) -> Result<Option<u32>> {
        let found = self.settings().await?.get(PROTOCOL_KEY).await.map_err(ClusterError::broker)?;
        Ok(found.map(|text| String::from_utf8_lossy(&text).parse().unwrap_or(0)))
    }

    pub(crate) async fn settings(&self) -> Result<&kv::Store> {
        let found = self.buckets.settings.get_or_try_init(|| self.js.get_key_value(SETTINGS)).await;
        found.map_err(ClusterError::broker)
    }

    pub(crate) async fn workers(&self) -> Result<&kv::Store> {
        let found = self.buckets.workers.get_or_try_init(|| self.js.get_key_value(WORKERS)).await;
        found.map_err(ClusterError::broker)
    }

    pub(crate) async fn objects(&self, bucket: &str) -> Result<&object_store::ObjectStore> {
        let cell = match bucket {
            FILES => &self.buckets.files,
            PROGRAMS => &self.buckets.programs,
            _ => &self.buckets.records,
        };
        cell.get_or_try_init(|| self.js.get_object_store(bucket)).await.map_err(ClusterError::broker)
    }

    pub(crate) async fn work(&self) -> Result<Stream<()>> {
        self.js.get_stream_no_info(work_stream().name).await.map_err(ClusterError::broker)
    }

    pub(crate) async fn done(&self) -> Result<Stream<()>> {
        self.js.get_stream_no_info(done_stream().name).await.map_err(ClusterError::broker)
    }

    /// The queue of a class of work, for a worker.
    pub(crate) async fn queue(&self, class: Class) -> Result<PullConsumer> {
        self.work().await?.get_consumer(&class.word()).await.map_err(ClusterError::broker)
    }

    /// The largest message.
    pub(crate) fn max_payload(&self) -> usize {
        self.client.server_info().max_payload
    }
}

fn consumer_of(class: Class) -> pull::Config {
    pull::Config {
        durable_name: Some(class.word()),
        filter_subject: format!("agon.{PROTOCOL}.work.{}.*.*", class.word()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: ACK_WAIT,
        max_ack_pending: MOST_HELD,
        ..pull::Config::default()
    }
}
