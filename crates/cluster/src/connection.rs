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

use crate::error::{ClusterError, Result};
use crate::message::PROTOCOL;

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
/// The time to connect.
const CONNECT: Duration = Duration::from_secs(5);
/// The most work that may be with workers.
const MOST_HELD: i64 = 100_000;

/// The object store with the files of bots.
pub(crate) const FILES: &str = "agon-files";
/// The object store with records that are too large for a message.
pub(crate) const RECORDS: &str = "agon-records";
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
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cluster").finish_non_exhaustive()
    }
}

/// Whether time decides: the two classes of work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Class {
    Timed,
    Untimed,
}

impl Class {
    pub(crate) fn of(timed: bool) -> Class {
        if timed { Class::Timed } else { Class::Untimed }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Class::Timed => "timed",
            Class::Untimed => "untimed",
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

/// The subject of the reports for a master.
pub(crate) fn done_subject(master: &str) -> String {
    format!("agon.{PROTOCOL}.done.{master}")
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
        subjects: vec![format!("agon.{PROTOCOL}.done.*")],
        retention: RetentionPolicy::WorkQueue,
        max_age: ABANDONED,
        ..Config::default()
    }
}

impl Cluster {
    /// Connects. `name` is the name of this client in the lists of the server.
    ///
    /// # Errors
    ///
    /// When there is no server, it refuses the key, or a file cannot be read.
    pub async fn connect(address: &Address, name: &str) -> Result<Cluster> {
        let Address { url, key, authority } = address;
        let failed = |why: String| ClusterError::Connect { url: url.clone(), why };
        let mut options = ConnectOptions::new()
            .name(name)
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
        for class in [Class::Timed, Class::Untimed] {
            work.get_or_create_consumer(class.word(), consumer_of(class))
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
        for (name, max_age) in [(FILES, FILES_KEPT), (RECORDS, ABANDONED)] {
            if self.js.get_object_store(name).await.is_err() {
                let config = object_store::Config {
                    bucket: name.to_owned(),
                    max_age,
                    ..object_store::Config::default()
                };
                self.js.create_object_store(config).await.map_err(ClusterError::broker)?;
            }
        }
        if self.protocol().await?.is_none() {
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
        let cell = if bucket == FILES { &self.buckets.files } else { &self.buckets.records };
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
        self.work().await?.get_consumer(class.word()).await.map_err(ClusterError::broker)
    }

    /// The largest message.
    pub(crate) fn max_payload(&self) -> usize {
        self.client.server_info().max_payload
    }
}

fn consumer_of(class: Class) -> pull::Config {
    pull::Config {
        durable_name: Some(class.word().to_owned()),
        filter_subject: format!("agon.{PROTOCOL}.work.{}.*.*", class.word()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: ACK_WAIT,
        max_ack_pending: MOST_HELD,
        ..pull::Config::default()
    }
}
