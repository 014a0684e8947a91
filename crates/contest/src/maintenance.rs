//! The periodic task: renews leases, moves contests to their next state, begins pending trials.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::service::{Inner, now_ms};

/// The interval of the task.
const TICK: Duration = Duration::from_secs(1);
/// The interval in which leases are renewed: a fraction of their duration.
const RENEW: Duration = Duration::from_secs(15);

/// Runs until the service has stopped.
pub(crate) async fn look_after(inner: Arc<Inner>) {
    let mut renewed = Instant::now();
    loop {
        if renewed.elapsed() >= RENEW {
            renewed = Instant::now();
            // A lease runs out only after the leases of this service have been renewed: while the database does not
            // answer, no lease is lost.
            if note(&inner, "leases", inner.renew_leases().await).is_some() {
                note(&inner, "lost leases", inner.store.expire(now_ms()).await);
            }
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
            note(&inner, "contests", inner.live_on().await);
            if let Some(begun) = note(&inner, "trials", inner.make_trials().await)
                && begun > 0
            {
                inner.wake();
            }
        }
        tokio::time::sleep(TICK).await;
    }
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
