//! People: signing up and in, sessions, tokens, forgotten passwords.

pub mod mail;
pub mod name;
pub mod password;
pub mod secret;

use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use utoipa_axum::router::OpenApiRouter;

use crate::extract::Signed;
use crate::{App, Problem};

/// The cookie of a session.
pub const COOKIE: &str = "agon_session";

/// What the guard already found out about a request.
#[derive(Clone, Debug)]
pub(crate) struct Known(pub(crate) Option<Signed>);

/// The routes below `/api/v1` that are about accounts.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}

/// Who sent a request: by its cookie or by its token. Nobody where there is neither.
///
/// # Errors
///
/// When the token is not good, or the store does not answer.
pub async fn who(_app: &App, parts: &Parts) -> Result<Option<Signed>, Problem> {
    let known = parts.extensions.get::<Known>().and_then(|known| known.0.clone());
    std::future::ready(Ok(known)).await
}

/// What the cookie of a session holds.
pub(crate) fn cookie(headers: &HeaderMap) -> Option<&str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE).map(|(_, value)| value).filter(|value| !value.is_empty())
}
