//! Accounts: signing up and in, sessions, tokens, forgotten passwords.
//!
//! A client is identified by a cookie (people) or by a token in a header (programs); only digests of both are stored.
//! The API does not tell whether an account exists: a wrong name and a wrong password give the same answer after the
//! same work.

mod device;
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
/// The last use of a session is written at most this often, because it costs a write.
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
        .routes(routes!(me::delete))
        .routes(routes!(me::export))
        .routes(routes!(me::notices))
        .routes(routes!(me::notices_seen))
        .routes(routes!(tokens::list, tokens::make))
        .routes(routes!(tokens::revoke))
}

/// The account that the guard has already found for a request.
#[derive(Clone, Debug)]
pub(crate) struct Known(pub(crate) Option<AuthUser>);

/// The account that sent a request, by its cookie or its token; `None` if the request has neither.
///
/// # Errors
///
/// When the token is not valid, or the store does not answer.
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

/// The value of the session cookie.
pub(crate) fn cookie(headers: &HeaderMap) -> Option<&str> {
    cookie_named(headers, COOKIE)
}

fn cookie_named<'a>(headers: &'a HeaderMap, wanted: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == wanted).map(|(_, value)| value).filter(|value| !value.is_empty())
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
    signed(app, login.user, By::Token(scopes)).await
}

async fn by_session(app: &App, session: &str) -> Result<Option<AuthUser>, ApiError> {
    let now = now_ms();
    let Some(login) = app.store.session(&secret::digest(session), now).await? else { return Ok(None) };
    if login.session.seen + TOUCH_MS < now {
        app.store.touch_session(login.session.id, now, login.session.expires).await?;
    }
    signed(app, login.user, By::Session(login.session.id)).await.map(Some)
}

async fn signed(app: &App, user: User, by: By) -> Result<AuthUser, ApiError> {
    let User { id, name, lang, must_change, .. } = user;
    let teams = app.store.teams_of(id).await?;
    Ok(AuthUser { id, name, role: role(user.role), lang, must_change, by, teams })
}

pub(crate) fn role(kept: Kept) -> Role {
    match kept {
        Kept::Player | Kept::Team => Role::Player,
        Kept::Admin => Role::Admin,
    }
}

/// `en` or `fr`; any other language becomes English.
fn language(asked: Option<&str>) -> &'static str {
    if asked == Some("fr") { "fr" } else { "en" }
}

/// The digest of a one-time code, which is stored instead of the code. The kind is part of the digest, so the same
/// code can be used for two purposes that are counted separately.
pub fn code_digest(kind: store::InvitationKind, code: &str) -> String {
    // People type codes: case, blanks and dashes do not matter.
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
    fn codes_are_accepted_as_people_type_them() {
        let digest = |code: &str| code_digest(InvitationKind::Reset, code);
        assert_eq!(digest("abcde-fghij"), digest(" ABCDE fghij\n"));
        assert_ne!(digest("abcde"), digest("abcdf"));
        assert_ne!(digest("abcde"), code_digest(InvitationKind::SignUp, "abcde"));
    }
}
