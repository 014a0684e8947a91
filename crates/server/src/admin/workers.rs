//! The workers of the cluster that plays for the arena.

use axum::extract::State;
use model::Suspicion;
use store::{WorkerRow, WorkerState};

use super::note;
use crate::extract::{Admin, Json, Path};
use crate::wire::{ClusterWorker, ClusterWorkerState, ClusterWorkers, Done, WorkerPatch, WorkerReason};
use crate::{ApiError, App};

/// The workers of the cluster, by name; none if the arena has no cluster.
#[utoipa::path(get, path = "/admin/workers", tag = "admin", responses((status = 200, body = ClusterWorkers)))]
pub(super) async fn workers(State(app): State<App>, _who: Admin) -> Result<Json<ClusterWorkers>, ApiError> {
    let workers = app.store.workers().await?.iter().map(worker).collect();
    Ok(Json(ClusterWorkers { cluster: app.service.has_cluster(), leads: app.service.leads(), workers }))
}

fn worker(row: &WorkerRow) -> ClusterWorker {
    // A worker of another version may announce itself in another form.
    let info = serde_json::from_value::<cluster::WorkerInfo>(row.info.clone()).ok();
    let text = |text: &str| game::text::safe_line(text, 100);
    let of = |get: &dyn Fn(&cluster::WorkerInfo) -> u64| {
        info.as_ref().map_or(0, |info| i64::try_from(get(info)).unwrap_or(i64::MAX))
    };
    ClusterWorker {
        name: text(&row.name),
        host: info.as_ref().map_or_else(String::new, |info| text(&info.host)),
        version: info.as_ref().map_or_else(String::new, |info| text(&info.version)),
        level: info.as_ref().map_or_else(String::new, |info| info.level.to_string()),
        cores: of(&|info| info.cores as u64),
        speed: of(&|info| info.speed),
        noise_us: of(&|info| info.noise.stall_max / 1000),
        timed: info.as_ref().is_some_and(|info| info.timed),
        played: of(&|info| info.played),
        failures: of(&|info| info.void),
        built: of(&|info| info.built),
        rate: row.rate,
        first_seen: row.first_seen,
        last_seen: row.last_seen,
        state: match row.state {
            WorkerState::Active => ClusterWorkerState::Active,
            WorkerState::Drained => ClusterWorkerState::Drained,
            WorkerState::Disabled => ClusterWorkerState::Disabled,
        },
        why: row.why.as_deref().map(|why| reason(&Suspicion::read(why))),
        languages: info.map_or_else(Vec::new, |info| info.languages.iter().map(|name| text(name)).collect()),
    }
}

/// The reason for the pages, which say it in the language of the reader.
fn reason(why: &Suspicion) -> WorkerReason {
    let text = |text: &str| game::text::safe_line(text, 500);
    let number = |number: f64| number.round() as i64;
    match why {
        Suspicion::Failures { played, seen, expected } => {
            WorkerReason::Failures { played: *played, seen: *seen, expected: number(*expected) }
        }
        Suspicion::Wins { bot, played, seen, expected } => {
            WorkerReason::Wins { bot: bot.0, played: *played, seen: *seen, expected: number(*expected) }
        }
        Suspicion::Differs { match_id, other } => {
            WorkerReason::Differs { match_id: match_id.0, other: text(other) }
        }
        Suspicion::FalseResult { match_id, details } => {
            WorkerReason::FalseResult { match_id: match_id.0, details: text(details) }
        }
        Suspicion::Text { text: old } => WorkerReason::Text { text: text(old) },
    }
}

/// Let a worker play, drain it (it takes no more work) or disable it (its results are refused too).
#[utoipa::path(patch, path = "/admin/workers/{name}", tag = "admin",
    params(("name" = String, Path, description = "its name")), request_body = WorkerPatch,
    responses((status = 200, body = Done)))]
pub(super) async fn change(
    State(app): State<App>,
    Admin(who): Admin,
    Path(name): Path<String>,
    Json(patch): Json<WorkerPatch>,
) -> Result<Json<Done>, ApiError> {
    let (state, word) = match patch.state {
        ClusterWorkerState::Active => (WorkerState::Active, "plays"),
        ClusterWorkerState::Drained => (WorkerState::Drained, "takes no more work"),
        ClusterWorkerState::Disabled => (WorkerState::Disabled, "is disabled"),
    };
    if !app.store.set_worker(&name, state, None).await? {
        return Err(ApiError::not_found("worker"));
    }
    note(&app, &who, format!("worker {} {word}", game::text::safe_line(&name, 100))).await?;
    Ok(Json(Done::YES))
}
