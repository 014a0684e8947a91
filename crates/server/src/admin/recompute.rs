//! Computes the ratings again from the log of results, as a job in the background.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::State;

use super::note;
use crate::error::log_line;
use crate::extract::{Admin, Json};
use crate::wire::{Recompute, RecomputeAsk};
use crate::{ApiError, App, now_ms};

/// The progress of the job. At most one job runs at a time.
#[derive(Debug, Clone)]
pub struct Job(Arc<Mutex<Recompute>>);

impl Default for Job {
    fn default() -> Self {
        let nothing =
            Recompute { running: false, done: 0, total: 0, differences: None, error: None, finished: None };
        Self(Arc::new(Mutex::new(nothing)))
    }
}

impl Job {
    fn look(&self) -> MutexGuard<'_, Recompute> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks the job as running; false if one runs already.
    fn begin(&self) -> bool {
        let mut state = self.look();
        if state.running {
            return false;
        }
        *state =
            Recompute { running: true, done: 0, total: 0, differences: None, error: None, finished: None };
        true
    }
}

/// The progress of the recomputation.
#[utoipa::path(get, path = "/admin/recompute", tag = "admin",
    responses((status = 200, body = Recompute)))]
pub(super) async fn state(State(app): State<App>, _who: Admin) -> Json<Recompute> {
    Json(app.recompute.look().clone())
}

/// Compute all ratings again: compare only, or correct what differs (no match is recorded meanwhile).
#[utoipa::path(post, path = "/admin/recompute", tag = "admin", request_body = RecomputeAsk,
    responses((status = 200, body = Recompute)))]
pub(super) async fn start(
    State(app): State<App>,
    Admin(who): Admin,
    Json(ask): Json<RecomputeAsk>,
) -> Result<Json<Recompute>, ApiError> {
    if !app.recompute.begin() {
        return Err(ApiError::conflict(
            "running",
            "the ratings are being computed already",
            "wait until it is done",
        ));
    }
    let job = app.recompute.clone();
    let work = tokio::spawn({
        let app = app.clone();
        async move {
            let tell = |done: i64, total: i64| {
                let mut state = job.look();
                (state.done, state.total) = (done, total);
            };
            app.store.recompute(ask.check, &tell).await
        }
    });
    // The end of the work is recorded in every case: otherwise no other job could start.
    tokio::spawn({
        let job = app.recompute.clone();
        async move {
            let ended = work.await;
            let mut state = job.look();
            state.running = false;
            state.finished = Some(now_ms());
            match ended {
                Ok(Ok(found)) => state.differences = Some(found.different),
                Ok(Err(error)) => {
                    tracing::error!(target: "agon::server", error = %log_line(&error), "the ratings could not be computed again");
                    state.error =
                        Some("the database failed; the log of the server holds the reason".to_owned());
                }
                Err(error) => {
                    tracing::error!(target: "agon::server", error = %log_line(&error), "the ratings could not be computed again");
                    state.error = Some("it broke off; the log of the server holds the reason".to_owned());
                }
            }
        }
    });
    note(&app, &who, if ask.check { "ratings compared" } else { "ratings computed again" }).await?;
    Ok(Json(app.recompute.look().clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_job_at_a_time() {
        let job = Job::default();
        assert!(job.begin());
        assert!(!job.clone().begin());
        job.look().running = false;
        assert!(job.begin());
    }
}
