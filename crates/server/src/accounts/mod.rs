//! People: signing up and in, sessions, tokens, forgotten passwords.
//!
//! A client is known by a cookie (people) or by a token in a header (programs); of both only digests are kept. Nobody
//! learns here whether a name has an account: wrong name and wrong password are one answer, made with the same work.

mod entry;
mod first;
pub mod mail;
mod me;
pub mod name;
pub mod password;
pub mod secret;
mod tokens;

use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use store::{Role as Kept, User};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::extract::{AuthUser, By};
use crate::wire::Role;
use crate::{ApiError, App, now_ms};

pub(crate) use entry::reset_code;
pub use first::{FirstAdmin, first_admin};

/// The cookie of a session.
pub const COOKIE: &str = "agon_session";
/// How long a session lasts.
const SESSION_MS: i64 = 30 * 24 * 3600 * 1000;
/// A use is noted at most this often: it is a write.
const TOUCH_MS: i64 = 5 * 60 * 1000;

/// The routes below `/api/v1` that are about accounts.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(entry::signup))
        .routes(routes!(entry::login))
        .routes(routes!(entry::logout))
        .routes(routes!(entry::reset))
        .routes(routes!(entry::reset_request))
        .routes(routes!(me::me, me::change))
        .routes(routes!(me::notices))
        .routes(routes!(me::notices_seen))
        .routes(routes!(tokens::list, tokens::make))
        .routes(routes!(tokens::revoke))
}

/// What the guard already found out about a request.
#[derive(Clone, Debug)]
pub(crate) struct Known(pub(crate) Option<AuthUser>);

/// Who sent a request: by its cookie or by its token. Nobody where there is neither.
///
/// # Errors
///
/// When the token is not good, or the store does not answer.
pub async fn who(app: &App, parts: &Parts) -> Result<Option<AuthUser>, ApiError> {
    if let Some(Known(signed)) = parts.extensions.get() {
        return Ok(signed.clone());
    }
    if let Some(given) = parts.headers.get(header::AUTHORIZATION) {
        let given = given.to_str().ok().and_then(|given| given.strip_prefix("Bearer "));
        let token = given
            .map(str::trim)
            .filter(|token| token.starts_with(secret::TOKEN_PREFIX))
            .ok_or_else(bad_token)?;
        return by_token(app, token).await.map(Some);
    }
    match cookie(&parts.headers) {
        Some(session) => by_session(app, session).await,
        None => Ok(None),
    }
}

/// What the cookie of a session holds.
pub(crate) fn cookie(headers: &HeaderMap) -> Option<&str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE).map(|(_, value)| value).filter(|value| !value.is_empty())
}

fn bad_token() -> ApiError {
    ApiError::new(
        StatusCode::UNAUTHORIZED,
        "bad_token",
        "this token is not good: it never was, it was taken back, or its account is blocked",
        "send `Authorization: Bearer agon_...`; make a new token on the page of your account",
    )
}

async fn by_token(app: &App, token: &str) -> Result<AuthUser, ApiError> {
    let now = now_ms();
    let login = app.store.token(&secret::digest(token)).await?.ok_or_else(bad_token)?;
    if login.token.used.is_none_or(|used| used + TOUCH_MS < now) {
        app.store.touch_token(login.token.id, now).await?;
    }
    let scopes = login.token.scopes.split(' ').map(str::to_owned).collect();
    Ok(signed(login.user, By::Token(scopes)))
}

async fn by_session(app: &App, session: &str) -> Result<Option<AuthUser>, ApiError> {
    let now = now_ms();
    let Some(login) = app.store.session(&secret::digest(session), now).await? else { return Ok(None) };
    if login.session.seen + TOUCH_MS < now {
        app.store.touch_session(login.session.id, now, login.session.expires).await?;
    }
    Ok(Some(signed(login.user, By::Session(login.session.id))))
}

fn signed(user: User, by: By) -> AuthUser {
    let User { id, name, lang, must_change, .. } = user;
    AuthUser { id, name, role: role(user.role), lang, must_change, by }
}

pub(crate) fn role(kept: Kept) -> Role {
    match kept {
        Kept::Player => Role::Player,
        Kept::Admin => Role::Admin,
    }
}

/// `en` or `fr`; whatever else was asked for is English.
fn language(asked: Option<&str>) -> &'static str {
    if asked == Some("fr") { "fr" } else { "en" }
}

/// What is kept of a one-time code. What it is for goes into the digest, so one code can open two things, each counted apart.
pub fn code_digest(kind: store::InvitationKind, code: &str) -> String {
    // People type codes: case, blanks and strokes do not matter.
    let code: String =
        code.chars().filter(char::is_ascii_alphanumeric).take(100).map(|c| c.to_ascii_lowercase()).collect();
    secret::digest(&format!("{} {code}", kind.word()))
}

#[cfg(test)]
mod tests {
    use store::InvitationKind;

    use super::*;

    #[test]
    fn cookies_are_found_among_others() {
        let of = |lines: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::COOKIE, line.parse().unwrap());
            }
            cookie(&headers).map(str::to_owned)
        };
        assert_eq!(of(&["a=b; agon_session=xyz; c"]).as_deref(), Some("xyz"));
        assert_eq!(of(&["a=b", "agon_session=xyz"]).as_deref(), Some("xyz"));
        assert_eq!(of(&["agon_session="]), None);
        assert_eq!(of(&["xagon_session=xyz; agon_sessio=1"]), None);
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn codes_are_typed_by_people() {
        let digest = |code: &str| code_digest(InvitationKind::Reset, code);
        assert_eq!(digest("abcde-fghij"), digest(" ABCDE fghij\n"));
        assert_ne!(digest("abcde"), digest("abcdf"));
        assert_ne!(digest("abcde"), code_digest(InvitationKind::SignUp, "abcde"));
    }
}
