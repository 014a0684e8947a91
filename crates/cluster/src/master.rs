//! A master: it sends work and takes the reports.

use std::collections::BTreeSet;
use std::fmt;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::{FutureExt as _, StreamExt as _, TryStreamExt as _};
use tokio::runtime::Handle;
use tokio::sync::Mutex;

use crate::connection::{
    ACK_WAIT, Class, Cluster, FILES, RECORDS, all_work, done_subject, stop_subject, work_subject,
};
use crate::error::{ClusterError, Result};
use crate::message::{Packed, Report, Work};

/// The most reports that are taken at once.
const BATCH: usize = 512;
/// The interval in which the server says that it is there. It counts as gone after two; a master that records many results does not
/// listen for seconds.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// The most files that are put into the object store at once.
const FILES_AT_ONCE: usize = 16;
/// A master that does not come back within this time loses its place in the queue of reports, not the reports.
const AWAY: Duration = Duration::from_hours(48);

/// A master of a cluster.
pub struct Master {
    handle: Handle,
    cluster: Cluster,
    id: String,
    reports: Mutex<Option<pull::Stream>>,
    search: Mutex<Search>,
}

/// The state of the search for lost work.
struct Search {
    /// When work was sent, a report came, or the queue was read.
    since: Instant,
    /// The work that was missing when the queue was read.
    missing: BTreeSet<u64>,
}

/// What a search for lost work has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The work that has to be sent again.
    pub lost: Vec<u64>,
    /// The number of works that wait or are with workers.
    pub waiting: usize,
}

impl fmt::Debug for Master {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Master").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Drop for Master {
    fn drop(&mut self) {
        // The stream of reports says goodbye to the server in a task of its own.
        let _inside = self.handle.enter();
        self.reports.get_mut().take();
    }
}

/// A report that is not acknowledged yet: it comes again until it is.
#[derive(Debug)]
pub struct Received {
    /// The report.
    pub report: Report,
    message: Message,
}

impl Master {
    /// How long a master waits for reports before it looks at other things.
    pub const TICK: Duration = Duration::from_millis(200);
    /// After this time without a report a master looks whether work was lost.
    const SILENCE: Duration = Duration::from_secs(3);
    /// The most seconds that a worker may take for a match.
    pub const MATCH_S: u64 = 3600;
    /// The most seconds that a worker may take for a build, with the time for which it waits beside matches.
    pub const BUILD_S: u64 = 600;

    /// A master of this name: letters and digits. Queues that are missing are made.
    ///
    /// # Errors
    ///
    /// When the server does not answer, has no JetStream, or is used by another version.
    pub async fn open(cluster: Cluster, id: String) -> Result<Master> {
        cluster.prepare().await?;
        let search = Mutex::new(Search { since: Instant::now(), missing: BTreeSet::new() });
        Ok(Master { handle: Handle::current(), cluster, id, reports: Mutex::default(), search })
    }

    /// Its name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The connection.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// Makes queues again that the server has lost.
    ///
    /// # Errors
    ///
    /// When the server does not answer.
    pub async fn prepare_again(&self) -> Result<()> {
        *self.reports.lock().await = None;
        self.cluster.prepare().await
    }

    /// Puts the file of a bot into the object store. Returns its digest.
    ///
    /// # Errors
    ///
    /// When the server does not answer.
    pub async fn put_file(&self, bytes: &[u8]) -> Result<String> {
        self.cluster.put_object(FILES, bytes).await
    }

    /// Puts files of bots into the object store, several at a time. Returns their digests.
    ///
    /// # Errors
    ///
    /// When the server does not answer; some files may be there.
    pub async fn put_files(&self, files: &[String]) -> Result<Vec<String>> {
        let puts = files.iter().map(|file| self.put_file(file.as_bytes()));
        futures_util::stream::iter(puts).buffered(FILES_AT_ONCE).try_collect().await
    }

    /// Sends work to the queue.
    ///
    /// # Errors
    ///
    /// When the server does not take all of it; it may have taken a part.
    pub async fn send(&self, works: &[Work]) -> Result<()> {
        let mut accepted = Vec::with_capacity(works.len());
        for work in works {
            let class =
                Class::of(work).ok_or_else(|| ClusterError::broker("a build of an unknown language"))?;
            let subject = work_subject(class, &self.id, work.item);
            let text = serde_json::to_vec(work)?;
            accepted.push(self.cluster.js.publish(subject, text.into()).await.map_err(ClusterError::broker)?);
        }
        for accepted in accepted {
            accepted.await.map_err(ClusterError::broker)?;
        }
        self.search.lock().await.since = Instant::now();
        Ok(())
    }

    /// The reports that have arrived. Waits for the first one, at most this long.
    ///
    /// # Errors
    ///
    /// When the server does not answer.
    pub async fn reports(&self, wait: Duration) -> Result<Vec<Received>> {
        let mut stream = self.reports.lock().await;
        if stream.is_none() {
            *stream = Some(self.report_stream().await?);
        }
        let Some(messages) = stream.as_mut() else { return Ok(Vec::new()) };
        let mut next = tokio::time::timeout(wait, messages.next()).await.ok().flatten();
        let mut found = Vec::new();
        while let Some(message) = next {
            let message = match message {
                Ok(message) => message,
                Err(error) => {
                    *stream = None;
                    if found.is_empty() {
                        return Err(ClusterError::broker(error));
                    }
                    return Ok(found);
                }
            };
            match read(&self.id, &message) {
                Ok(report) => found.push(Received { report, message }),
                Err(error) => {
                    tracing::warn!(target: "cluster", %error, "a report is refused");
                    // If this fails, it comes again.
                    let _ = message.ack().await;
                }
            }
            if found.len() >= BATCH {
                break;
            }
            // Without `unconstrained` the runtime ends this loop after 128 messages, to let other tasks run.
            next = tokio::task::unconstrained(messages.next()).now_or_never().flatten();
        }
        if !found.is_empty() {
            self.search.lock().await.since = Instant::now();
        }
        Ok(found)
    }

    async fn report_stream(&self) -> Result<pull::Stream> {
        let config = pull::Config {
            durable_name: Some(self.id.clone()),
            filter_subject: done_subject(&self.id, "*"),
            ack_policy: AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
            max_ack_pending: 4 * BATCH as i64,
            inactive_threshold: AWAY,
            ..pull::Config::default()
        };
        let done = self.cluster.done().await?;
        let consumer: PullConsumer =
            done.get_or_create_consumer(&self.id, config).await.map_err(ClusterError::broker)?;
        let stream = consumer.stream().max_messages_per_batch(BATCH).heartbeat(HEARTBEAT);
        stream.expires(3 * HEARTBEAT).messages().await.map_err(ClusterError::broker)
    }

    /// Acknowledges reports: their results are stored. If this fails, they come again.
    pub async fn acknowledge(&self, received: &[Received]) {
        for Received { message, .. } in received {
            let _ = message.ack().await;
        }
    }

    /// Looks for work of `open` that neither waits nor has a report: the server lost it, or its report. `None` as long as
    /// there is no reason to look: work was sent, a report came, or this was called, a short time ago.
    ///
    /// # Errors
    ///
    /// When the server does not answer.
    pub async fn find_lost(&self, open: impl Iterator<Item = u64>) -> Result<Option<Found>> {
        let mut search = self.search.lock().await;
        if search.since.elapsed() < Master::SILENCE {
            return Ok(None);
        }
        search.since = Instant::now();
        let waiting = self.waiting().await?;
        let missing: BTreeSet<u64> = open.filter(|item| !waiting.contains(item)).collect();
        // A report may be on its way: the work must be missing twice.
        let lost: Vec<u64> = missing.intersection(&search.missing).copied().collect();
        search.missing = missing;
        for item in &lost {
            search.missing.remove(item);
        }
        Ok(Some(Found { lost, waiting: waiting.len() }))
    }

    /// The numbers of the works that wait or are with workers.
    ///
    /// # Errors
    ///
    /// When the server does not answer.
    pub async fn waiting(&self) -> Result<BTreeSet<u64>> {
        let work = self.cluster.work().await?;
        let info = work.info_with_subjects(all_work(&self.id)).await.map_err(ClusterError::broker)?;
        let subjects: Vec<(String, usize)> = info.try_collect().await.map_err(ClusterError::broker)?;
        Ok(subjects.iter().filter_map(|(subject, _)| subject.rsplit('.').next()?.parse().ok()).collect())
    }

    /// Removes all waiting work.
    ///
    /// # Errors
    ///
    /// When the server does not answer.
    pub async fn clear(&self) -> Result<()> {
        let work = self.cluster.work().await?;
        work.purge().filter(all_work(&self.id)).await.map_err(ClusterError::broker)?;
        Ok(())
    }

    /// Ends all work: waiting work is removed, and workers break off work with this token.
    ///
    /// # Errors
    ///
    /// When the server does not answer.
    pub async fn stop(&self, token: u64) -> Result<()> {
        self.clear().await?;
        let token = token.to_string();
        let stopped = self.cluster.client.publish(stop_subject(&self.id), token.into()).await;
        stopped.map_err(ClusterError::broker)?;
        self.cluster.client.flush().await.map_err(ClusterError::broker)
    }

    /// The bytes that belong to a report. Bytes in the object store are removed there when they are acknowledged with
    /// [`Master::forget`].
    ///
    /// # Errors
    ///
    /// When they are missing or damaged.
    pub async fn unpack(&self, packed: &Packed) -> Result<Vec<u8>> {
        match packed {
            Packed::Inline(text) => {
                STANDARD.decode(text).map_err(|_| ClusterError::Object("of a record".to_owned()))
            }
            Packed::Object(digest) => self.cluster.get_object(RECORDS, digest).await,
        }
    }

    /// Removes the bytes of a report whose result is stored.
    pub async fn forget(&self, packed: &Packed) {
        if let Packed::Object(digest) = packed {
            self.cluster.remove_object(RECORDS, digest).await;
        }
    }
}

/// The report of a message. It must name the worker that the subject names: the server may have checked only the subject.
fn read(master: &str, message: &Message) -> std::result::Result<Report, String> {
    let report: Report = serde_json::from_slice(&message.payload).map_err(|error| error.to_string())?;
    if message.subject.as_str() == done_subject(master, &report.worker) {
        Ok(report)
    } else {
        Err(format!("{} hands in a report of worker {}", message.subject, report.worker))
    }
}
