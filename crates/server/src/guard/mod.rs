//! The checks before every request: the number of connections and the time they may take ([`connections`]), the number
//! of clients that wait for news ([`listeners`]), the size of a request, the name of the site in it, the origin of
//! changes ([`csrf`]), their rate ([`limits`]), and the security headers of every answer ([`headers`]).
//!
//! The guard refuses by default: a change needs an account, except for the few routes listed here, and everything
//! below `/api/v1/admin` needs the organiser. Handlers check the account again (`extract`); a handler that does not
//! is still behind the guard.

pub mod address;
pub mod attempts;
pub mod connections;
pub mod csrf;
pub mod headers;
mod host;
pub mod limits;
pub mod listeners;
mod tracked_body;
mod write_timeout;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use model::UserId;
use tokio::sync::broadcast;
use tracing::Instrument as _;
use tracing::field::Empty;

use crate::extract::{AuthUser, By, peer};
use crate::wire::Role;
use crate::{ApiError, App, StartError, accounts};
use connections::Connection;

/// Most bytes of a body with a bot or a picture.
pub const UPLOAD_BYTES: usize = 512 * 1024;
/// Most bytes of any other body.
pub const BODY_BYTES: usize = 64 * 1024;
/// Most bytes of all headers of a request.
const HEAD_BYTES: usize = 32 * 1024;
/// Most bytes of an address.
const ADDRESS_BYTES: usize = 4096;

const API: &str = "/api/v1";

/// The header with the id of a request.
pub const REQUEST_ID: &str = "x-request-id";

/// Changes for which no account is needed and the current session is ignored: they make a session or a password.
const OPENING: &[&str] = &["/login", "/signup", "/reset", "/reset/request"];

/// Puts the guard before all routes.
pub fn layer(router: Router, app: &App) -> Router {
    router.layer(from_fn_with_state(app.clone(), check))
}

/// The address under which the client is counted.
pub fn address(app: &App, parts: &Parts) -> IpAddr {
    address::counted(address::client(peer(parts), &parts.headers, &app.config.trusted_proxy))
}

/// Gives every request an id, which appears in its log lines and its answer. The log contains the route but not the
/// address: an address may contain a secret.
async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    let id = format!("{:016x}", getrandom::u64().unwrap_or_default());
    let span =
        tracing::info_span!(target: "agon::http", "request", id, method = %request.method(), route = Empty);
    let mut response = handle(app, request, next).instrument(span).await;
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    response
}

/// Adds the route to the log lines of a request.
pub(crate) async fn note_route(route: MatchedPath, request: Request, next: Next) -> Response {
    tracing::Span::current().record("route", route.as_str());
    next.run(request).await
}

async fn handle(app: App, request: Request, next: Next) -> Response {
    let connection = request.extensions().get::<Connection>().cloned();
    let mut response = match admit(&app, request, connection.as_ref()).await {
        Ok((request, _turn, _busy)) => next.run(request).await,
        Err(problem) => {
            // The rest of the request is not read: the connection ends with the answer.
            let unread = matches!(problem.status.as_u16(), 408 | 413 | 503);
            let mut response = problem.into_response();
            if unread {
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            response
        }
    };
    tracing::debug!(target: "agon::http", status = response.status().as_u16(), "answered");
    let shared = response.extensions_mut().remove::<headers::Shared>().is_some();
    let secure = app.config.public_url.as_ref().is_some_and(|url| url.secure);
    headers::put(response.headers_mut(), secure, shared);
    match connection {
        Some(connection) => {
            let slot = response.extensions_mut().remove::<Arc<listeners::Slot>>();
            let busy = connection.sends(slot.is_some());
            response.map(|body| Body::new(tracked_body::TrackedBody::new(body, busy, slot)))
        }
        None => response,
    }
}

type Admitted = (Request, tokio::sync::OwnedSemaphorePermit, Option<connections::Busy>);

/// The checks of a request before its handler, the cheapest first; the whole body is read last.
async fn admit(app: &App, request: Request, connection: Option<&Connection>) -> Result<Admitted, ApiError> {
    let (mut parts, body) = request.into_parts();
    check_length(parts.uri.path_and_query().map_or(0, |path| path.as_str().len()))?;
    let head: usize = parts.headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if head > HEAD_BYTES {
        return Err(ApiError::new(
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            "too_large",
            format!("the headers of a request have at most {} KB", HEAD_BYTES / 1024),
            "in a browser, delete the cookies of this site",
        ));
    }
    host::check(&parts, &app.config)?;
    // No name contains a NUL character, and PostgreSQL does not accept it.
    if parts.uri.path_and_query().is_some_and(|path| path.as_str().contains("%00")) {
        return Err(nul());
    }
    let path = parts.uri.path().strip_prefix(API).unwrap_or_default().to_owned();
    if csrf::is_change(&parts.method) {
        may_change(app, &mut parts, &path).await?;
    } else if path == "/events" {
        csrf::check_listener(&parts.headers, app.config.public_url.as_ref())?;
    } else if is_below(&path, "/admin") {
        organiser(identify(app, &mut parts).await?.as_ref())?;
    }
    let most = if is_upload(&parts, &path) { UPLOAD_BYTES } else { BODY_BYTES };
    let body = read(&parts, body, most, app.guard.connections.patience()).await?;
    let busy = connection.map(Connection::works);
    let turn = app.guard.connections.turn().await?;
    Ok((Request::from_parts(parts, body), turn, busy))
}

/// Checks the length of an address.
pub(crate) fn check_length(bytes: usize) -> Result<(), ApiError> {
    if bytes <= ADDRESS_BYTES {
        return Ok(());
    }
    Err(ApiError::new(
        StatusCode::URI_TOO_LONG,
        "too_long",
        format!("an address has at most {ADDRESS_BYTES} characters"),
        "put long texts into the body",
    ))
}

/// Whether the body of a request may hold a bot or a picture.
fn is_upload(parts: &Parts, path: &str) -> bool {
    matches!(path, "/submissions" | "/tests" | "/admin/pictures") || parts.uri.path() == crate::api::MCP_PATH
}

/// Checks whether a change is allowed: from a page of this site, by an account with the right to make it.
async fn may_change(app: &App, parts: &mut Parts, path: &str) -> Result<(), ApiError> {
    let public = app.config.public_url.as_ref();
    if OPENING.contains(&path) {
        return csrf::check_anonymous(&parts.headers, public);
    }
    let signed = identify(app, parts).await?;
    match signed.as_ref().map(|signed| &signed.by) {
        Some(By::Session(_)) => {
            let session = accounts::cookie(&parts.headers).unwrap_or_default();
            csrf::check_session(&parts.headers, session, public)?;
        }
        Some(By::Token(_)) => {}
        // Games against a boss, continuations and analyses of matches need no account.
        None if is_below(path, "/human-games") || is_review(path) => {
            csrf::check_anonymous(&parts.headers, public)?;
        }
        None => return Err(ApiError::sign_in()),
    }
    let must_change = signed.as_ref().is_some_and(|signed| signed.must_change);
    let about_me = path == "/logout" || (path == "/me" && parts.method == Method::PATCH);
    if must_change && !about_me {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "must_change",
            "the password of this account must be changed first",
            "PATCH /api/v1/me with `old_password` and `password`",
        ));
    }
    if is_below(path, "/admin") {
        organiser(signed.as_ref())?;
    }
    Ok(())
}

/// Finds the account of the client once and keeps it with the request.
async fn identify(app: &App, parts: &mut Parts) -> Result<Option<AuthUser>, ApiError> {
    let signed = accounts::who(app, parts).await?;
    parts.extensions.insert(accounts::Known(signed.clone()));
    Ok(signed)
}

fn organiser(signed: Option<&AuthUser>) -> Result<(), ApiError> {
    let signed = signed.ok_or_else(ApiError::sign_in)?;
    if signed.role != Role::Admin || !signed.may("admin") {
        return Err(ApiError::forbidden(
            "this is for the organiser",
            "ask the organiser; a token needs the scope `admin`",
        ));
    }
    Ok(())
}

/// Whether a path is that of an analysis or a continuation of a match.
fn is_review(path: &str) -> bool {
    let mut parts = path.split('/').skip(1);
    let names = (parts.next(), parts.next(), parts.next(), parts.next());
    matches!(names, (Some("matches"), Some(_), Some("analysis" | "continue"), None))
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn nul() -> ApiError {
    ApiError::bad("texts hold no NUL characters", "take it out")
}

/// Reads the whole body within its limits of time and size. Handlers never wait for a client.
async fn read(parts: &Parts, body: Body, most: usize, patience: Duration) -> Result<Body, ApiError> {
    let too_large = || {
        ApiError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too_large",
            format!("at most {} KB are taken here", most / 1024),
            "send less; a source has at most 100,000 characters",
        )
    };
    let length = parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    let length = length.and_then(|length| length.parse::<u64>().ok()).unwrap_or(0);
    let is_large = length > most as u64;
    // A client that asks first (`Expect`) is refused before it sends. The body of another client is read up to a
    // limit: a client that is disconnected while it sends does not see the answer.
    if is_large && (length > tracked_body::HEARD_OUT as u64 || parts.headers.contains_key(header::EXPECT)) {
        return Err(too_large());
    }
    match tokio::time::timeout(patience, tracked_body::whole(body, most)).await {
        Err(_) if is_large => Err(too_large()),
        Ok(Ok(bytes)) if tracked_body::has_nul(&bytes) => Err(nul()),
        Ok(Ok(bytes)) => Ok(Body::from(bytes)),
        Ok(Err(tracked_body::Unread::TooLarge)) => Err(too_large()),
        Ok(Err(tracked_body::Unread::Broken)) => Err(ApiError::bad("the body broke off", "send it again")),
        Err(_) => Err(ApiError::new(
            StatusCode::REQUEST_TIMEOUT,
            "too_slow",
            format!("the body did not arrive within {} seconds", patience.as_secs()),
            "send it again, in one go",
        )),
    }
}

/// The state of the guard while the site runs.
#[derive(Debug)]
pub struct Guard {
    /// The connections.
    pub connections: connections::ConnectionLimiter,
    /// The clients that wait for news.
    pub listeners: listeners::Listeners,
    /// The attempts of strangers.
    pub attempts: attempts::Attempts,
    /// Hashes passwords.
    pub passwords: accounts::password::Passwords,
    /// Sends mail, if it is configured.
    pub mail: Option<accounts::mail::Mail>,
    /// Accounts whose listeners are disconnected.
    gone: broadcast::Sender<UserId>,
}

impl Guard {
    /// A guard with the given settings.
    ///
    /// # Errors
    /// When the settings of the mail server cannot be used.
    pub fn new(config: &crate::Config) -> Result<Guard, StartError> {
        accounts::password::warm_up();
        connections::make_room(config.connections * 2 + config.listeners);
        Ok(Guard {
            connections: connections::ConnectionLimiter::new(config.connections, config.patience),
            listeners: listeners::Listeners::new(config.listeners),
            attempts: attempts::Attempts::default(),
            passwords: accounts::password::Passwords::default(),
            mail: config
                .smtp
                .as_ref()
                .map(accounts::mail::Mail::new)
                .transpose()
                .map_err(StartError::Mail)?,
            gone: broadcast::Sender::new(64),
        })
    }

    /// Disconnects the listeners of an account that is blocked or logged out.
    pub(crate) fn disconnect_listeners(&self, user: UserId) {
        // Sending fails when there are no listeners.
        let _ = self.gone.send(user);
    }

    /// Waits until the listeners of an account are disconnected.
    pub(crate) fn disconnected(&self, user: Option<UserId>) -> impl Future<Output = ()> + use<> {
        let mut gone = self.gone.subscribe();
        async move {
            let Some(user) = user else { return std::future::pending().await };
            loop {
                match gone.recv().await {
                    Ok(other) if other != user => {}
                    // Clients that fall behind are disconnected; they may reconnect.
                    _ => return,
                }
            }
        }
    }
}
