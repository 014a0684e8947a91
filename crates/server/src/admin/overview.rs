//! The state of the site, and its controls: pause, resume, play a match again.

use axum::extract::State;
use contest::Doing;
use model::MatchId;
use serde::Deserialize;
use store::Kind;
use utoipa::IntoParams;

use super::note;
use crate::api::convert;
use crate::extract::{Admin, Json, Path, Query};
use crate::wire::{AuditLine, DoctorLine, Done, Overview, PausedBot, VoidInfo, WorkerInfo};
use crate::{ApiError, App};

/// The state of the site.
#[utoipa::path(get, path = "/admin/overview", tag = "admin",
    responses((status = 200, body = Overview)))]
pub(super) async fn overview(State(app): State<App>, _who: Admin) -> Result<Json<Overview>, ApiError> {
    let counts = app.store.counts().await?;
    let paused = app.store.paused_bots().await?;
    let service = app.service.status();
    let mut doctor = vec![DoctorLine {
        what: "box for bots".to_owned(),
        fine: service.level == Some(sandbox::Level::A),
        says: match service.level {
            None => "no bots are run here".to_owned(),
            Some(sandbox::Level::A) => "level a, the strongest there is".to_owned(),
            Some(level) => format!("level {level}; `agon doctor` tells what a stronger one needs"),
        },
    }];
    doctor.extend(toolchain::LANGUAGES.iter().map(|language| {
        let missing = language.missing();
        DoctorLine {
            what: language.name.to_owned(),
            fine: missing.is_none(),
            says: missing.map_or_else(
                || "works".to_owned(),
                |program| format!("needs `{program}`: apt-get install {}", language.package),
            ),
        }
    }));
    doctor.extend(service.storage.iter().map(|failure| DoctorLine {
        what: "storage".to_owned(),
        fine: false,
        says: format!(
            "no new work begins until it works again: {}",
            game::text::safe_line(&failure.what, 300)
        ),
    }));
    doctor.extend(service.troubles.iter().rev().take(10).map(|trouble| DoctorLine {
        what: "trouble".to_owned(),
        fine: false,
        says: game::text::safe_line(&trouble.what, 300),
    }));
    Ok(Json(Overview {
        queued: counts.queue.queued,
        running: counts.queue.leased,
        done: counts.matches,
        voids: counts.voids,
        building: counts.building,
        users: counts.users,
        bots: counts.bots,
        paused: service.paused,
        workers: service.workers.into_iter().map(worker).collect(),
        pauses: paused
            .iter()
            .map(|bot| PausedBot {
                bot: convert::of_bot(bot),
                game: bot.game.clone(),
                why: game::text::safe_line(bot.paused.as_deref().unwrap_or_default(), 300),
            })
            .collect(),
        doctor,
        database: match app.store.kind() {
            Kind::Sqlite => "sqlite",
            Kind::Postgres => "postgres",
        }
        .to_owned(),
        listeners: app.guard.connections.open().1 as i64,
        since: app.since,
    }))
}

fn worker(status: contest::WorkerStatus) -> WorkerInfo {
    let (doing, match_id) = match status.doing {
        Doing::Waiting => ("waits".to_owned(), None),
        Doing::Building { version_id } => (format!("builds version {version_id}"), None),
        Doing::Playing { match_id } => (format!("plays match {match_id}"), Some(match_id)),
        Doing::Stopped => ("has ended".to_owned(), None),
    };
    WorkerInfo { name: status.name, doing, match_id: match_id.map(i64::from), since: status.since }
}

/// Pause the queue: no new match begins. Running matches are played to their end; submissions are still built.
#[utoipa::path(post, path = "/admin/pause", tag = "admin", responses((status = 200, body = Done)))]
pub(super) async fn pause(State(app): State<App>, Admin(who): Admin) -> Result<Json<Done>, ApiError> {
    app.service.set_paused(true).await?;
    note(&app, &who, "matches paused").await?;
    Ok(Json(Done::YES))
}

/// Resume the queue.
#[utoipa::path(post, path = "/admin/resume", tag = "admin", responses((status = 200, body = Done)))]
pub(super) async fn resume(State(app): State<App>, Admin(who): Admin) -> Result<Json<Done>, ApiError> {
    app.service.set_paused(false).await?;
    note(&app, &who, "matches resumed").await?;
    Ok(Json(Done::YES))
}

/// A part of a list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Before {
    /// Id: lists older entries only.
    before: Option<i64>,
}

/// Void matches, the newest first.
#[utoipa::path(get, path = "/admin/voids", tag = "admin", params(Before),
    responses((status = 200, body = Vec<VoidInfo>)))]
pub(super) async fn voids(
    State(app): State<App>,
    _who: Admin,
    Query(from): Query<Before>,
) -> Result<Json<Vec<VoidInfo>>, ApiError> {
    let contests = app.contests().await?;
    let rows = app.store.voids(from.before.map(MatchId), 100).await?;
    let voids = rows.iter().map(|row| VoidInfo {
        info: convert::match_info(row, &contests),
        why: game::text::safe_line(row.why.as_deref().unwrap_or_default(), 500),
        attempts: row.attempts,
    });
    Ok(Json(voids.collect()))
}

/// Queue a void match again.
#[utoipa::path(post, path = "/admin/matches/{id}/requeue", tag = "admin", params(("id" = i64, Path, description = "its number")),
    responses((status = 200, body = Done)))]
pub(super) async fn requeue(
    State(app): State<App>,
    Admin(who): Admin,
    Path(id): Path<MatchId>,
) -> Result<Json<Done>, ApiError> {
    if !app.store.requeue(id).await? {
        return Err(ApiError::conflict(
            "not_void",
            "this match is not void",
            "only void matches are played again",
        ));
    }
    app.service.wake();
    note(&app, &who, format!("match {id} is played again")).await?;
    Ok(Json(Done::YES))
}

/// The audit log, the newest line first.
#[utoipa::path(get, path = "/admin/audit", tag = "admin", params(Before),
    responses((status = 200, body = Vec<AuditLine>)))]
pub(super) async fn audit(
    State(app): State<App>,
    _who: Admin,
    Query(from): Query<Before>,
) -> Result<Json<Vec<AuditLine>>, ApiError> {
    let lines = app.store.audit_log(from.before, 100).await?;
    let audit = lines.into_iter().map(|line| AuditLine {
        id: line.id,
        at: line.at,
        user: line.user,
        what: game::text::safe_line(&line.what, 500),
    });
    Ok(Json(audit.collect()))
}
