//! The periodic task: renews leases, moves contests to their next state, begins pending trials.

use std::sync::Arc;
use std::time::{Duration, Instant};

use store::CLUSTER;

use crate::service::{Inner, now_ms};
use crate::work::LEASE_MS;

/// The interval of the task.
const TICK: Duration = Duration::from_secs(1);
/// The interval in which leases are renewed: a fraction of their duration.
const RENEW: Duration = Duration::from_secs(15);
/// A match of another machine that sends nothing for this time is not shown any more.
const SILENT: Duration = Duration::from_mins(1);

/// Runs until the service has stopped.
pub(crate) async fn look_after(inner: Arc<Inner>) {
    let mut renewed = Instant::now();
    loop {
        if renewed.elapsed() >= RENEW {
            renewed = Instant::now();
            // A lease runs out only after the leases of this service have been renewed: while the database does not
            // answer, no lease is lost.
            if note(&inner, "leases", renew(&inner).await).is_some() && inner.leads() {
                note(&inner, "lost leases", inner.store.expire(now_ms()).await);
                note(&inner, "lost builds", inner.store.expire_builds(now_ms()).await);
            }
            inner.live.forget_silent(SILENT);
            if let Err(error) = inner.renew_claim().await {
                inner.storage_failed(error.to_string());
            }
            // Other programs may have changed the store without a notification.
            inner.look_again();
        }
        inner.check_storage().await;
        if inner.stops() {
            // Leases must stay valid until the last match has ended.
            if inner.is_still() {
                return;
            }
        } else if !inner.has_storage_failure() {
            if inner.link.is_some() {
                note(&inner, "settings", inner.read_paused().await);
            }
            note(&inner, "contests", inner.live_on().await);
            if inner.leads()
                && let Some(begun) = note(&inner, "trials", inner.make_trials().await)
                && begun > 0
            {
                inner.wake();
            }
        }
        tokio::time::sleep(TICK).await;
    }
}

/// Renews the leases of the matches that this service plays; a leader also the leases of the cluster's workers.
async fn renew(inner: &Inner) -> store::Result<()> {
    inner.renew_leases().await?;
    if inner.link.is_some() && inner.leads() {
        inner.store.renew_all(CLUSTER, now_ms() + LEASE_MS).await?;
        inner.store.renew_builds(CLUSTER, now_ms() + LEASE_MS).await?;
    }
    Ok(())
}

fn note<T>(inner: &Inner, what: &str, done: store::Result<T>) -> Option<T> {
    done.map_err(|error| {
        if error.is_storage() {
            inner.storage_failed(error.to_string());
        } else {
            inner.trouble(format!("{what}: {error}"));
        }
    })
    .ok()
}
