//! People: signing up and in, sessions, tokens, forgotten passwords.

use axum::http::request::Parts;
use utoipa_axum::router::OpenApiRouter;

use crate::extract::Signed;
use crate::{App, Problem};

/// The routes below `/api/v1` that are about accounts.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}

/// Who sent a request: by its cookie or by its token. Nobody where there is neither.
///
/// # Errors
///
/// When the token is not good, or the store does not answer.
pub async fn who(_app: &App, _parts: &Parts) -> Result<Option<Signed>, Problem> {
    std::future::ready(Ok(None)).await
}
