//! What the organiser does.

use utoipa_axum::router::OpenApiRouter;

use crate::App;

/// The routes below `/api/v1` that are for the organiser, and the exports of contests.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}
