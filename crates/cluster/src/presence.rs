//! Workers announce themselves.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt as _;
use sandbox::{ClockNoise, Level};
use serde::{Deserialize, Serialize};

use crate::connection::{Cluster, WORKERS};
use crate::error::{ClusterError, Result};
use crate::message::PROTOCOL;

/// After this time without an entry there is none.
const NO_MORE: Duration = Duration::from_secs(1);

/// A worker as it announces itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WorkerInfo {
    /// Its name.
    pub name: String,
    /// Its host.
    pub host: String,
    /// The version of its program.
    pub version: String,
    /// The version of its messages.
    pub protocol: u32,
    /// The cores that it uses.
    pub cores: usize,
    /// The level of its sandbox.
    pub level: Level,
    /// Turns of random games that one core plays per second.
    pub speed: u64,
    /// The noise of its clock.
    pub noise: ClockNoise,
    /// Whether it takes matches that time decides.
    pub timed: bool,
    /// Work that it holds.
    pub held: usize,
    /// Matches that it has played.
    pub played: u64,
    /// Matches that it could not play.
    pub void: u64,
    /// The names of the languages that it can compile.
    #[serde(default)]
    pub languages: Vec<String>,
    /// Builds that it has handed in.
    #[serde(default)]
    pub built: u64,
    /// Compilers that it has started, for builds and for matches.
    #[serde(default)]
    pub compiled: u64,
}

impl WorkerInfo {
    /// A worker with one core, for all matches and in the strongest sandbox, that has not measured anything yet.
    pub fn new(name: &str) -> WorkerInfo {
        WorkerInfo {
            name: name.to_owned(),
            host: String::new(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            protocol: PROTOCOL,
            cores: 1,
            level: Level::A,
            speed: 0,
            noise: ClockNoise::default(),
            timed: true,
            held: 0,
            played: 0,
            void: 0,
            languages: Vec::new(),
            built: 0,
            compiled: 0,
        }
    }
}

/// What an organiser has told a worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// To take work.
    Play,
    /// To take no work, and to hand in the work that it has.
    Rest,
}

/// The key of the order for a worker.
fn order_key(worker: &str) -> String {
    format!("order.{worker}")
}

impl Cluster {
    /// Tells a worker whether to take work. It obeys within some seconds.
    ///
    /// # Errors
    ///
    /// When the server does not answer.
    pub async fn set_order(&self, worker: &str, order: Order) -> Result<()> {
        let text = serde_json::to_vec(&order)?;
        self.settings().await?.put(order_key(worker), text.into()).await.map_err(ClusterError::broker)?;
        Ok(())
    }

    /// The order for a worker.
    pub(crate) async fn order_of(&self, worker: &str) -> Result<Order> {
        let text = self.settings().await?.get(order_key(worker)).await.map_err(ClusterError::broker)?;
        Ok(text.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or(Order::Play))
    }

    /// Announces a worker, or renews its announcement.
    pub(crate) async fn announce(&self, info: &WorkerInfo) -> Result<()> {
        let text = serde_json::to_vec(info)?;
        self.workers().await?.put(&info.name, text.into()).await.map_err(ClusterError::broker)?;
        Ok(())
    }

    /// The number of workers that were seen lately.
    ///
    /// # Errors
    ///
    /// When the server does not answer.
    pub async fn worker_count(&self) -> Result<usize> {
        // A handle that is kept knows the count of the time when it was made.
        let bucket = self.js.get_key_value(WORKERS).await.map_err(ClusterError::broker)?;
        let status = bucket.status().await.map_err(ClusterError::broker)?;
        Ok(usize::try_from(status.values()).unwrap_or(usize::MAX))
    }

    /// The workers that were seen lately, by name.
    ///
    /// # Errors
    ///
    /// When the server does not answer.
    pub async fn seen_workers(&self) -> Result<Vec<WorkerInfo>> {
        let mut found = BTreeMap::new();
        if self.worker_count().await? == 0 {
            return Ok(Vec::new());
        }
        // One reader of all entries: a request for each entry takes too long with a thousand workers.
        let mut entries =
            self.workers().await?.watch_with_history(">").await.map_err(ClusterError::broker)?;
        // The last entry may have been removed meanwhile: then nothing more comes.
        while let Ok(Some(entry)) = tokio::time::timeout(NO_MORE, entries.next()).await {
            let entry = entry.map_err(ClusterError::broker)?;
            // An entry that cannot be read belongs to a worker of another version; one with another name to nobody.
            if let Ok(info) = serde_json::from_slice::<WorkerInfo>(&entry.value)
                && info.name == entry.key
            {
                found.insert(info.name.clone(), info);
            }
            if entry.delta == 0 {
                break;
            }
        }
        Ok(found.into_values().collect())
    }
}
