//! The API of the organiser. The guard also checks everything below `/api/v1/admin`; every change is written to the
//! audit log.

mod contests;
mod export;
mod news;
mod overview;
mod people;
mod pictures;
mod recompute;
mod workers;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::AuthUser;
use crate::{ApiError, App, now_ms};

pub use recompute::Job;

/// The routes below `/api/v1` that are for the organiser, and the exports of contests.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(overview::overview))
        .routes(routes!(overview::pause))
        .routes(routes!(overview::resume))
        .routes(routes!(overview::voids))
        .routes(routes!(overview::requeue))
        .routes(routes!(overview::audit))
        .routes(routes!(people::users))
        .routes(routes!(people::bulk))
        .routes(routes!(people::change))
        .routes(routes!(people::reset))
        .routes(routes!(people::invitations, people::invite))
        .routes(routes!(people::uninvite))
        .routes(routes!(contests::make))
        .routes(routes!(contests::change))
        .routes(routes!(contests::finish))
        .routes(routes!(news::announcements, news::announce))
        .routes(routes!(news::unannounce))
        .routes(routes!(pictures::add))
        .routes(routes!(pictures::show))
        .routes(routes!(recompute::state, recompute::start))
        .routes(routes!(workers::workers))
        .routes(routes!(workers::change))
        .routes(routes!(export::csv))
        .routes(routes!(export::json))
        .routes(routes!(export::records))
}

/// Writes an action of an organiser to the audit log.
async fn note(app: &App, who: &AuthUser, what: impl AsRef<str>) -> Result<(), ApiError> {
    Ok(app.store.audit(now_ms(), Some(who.id), what.as_ref()).await?)
}
