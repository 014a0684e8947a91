//! Signing up, logging in, logging out, and choosing a new password after the old one was forgotten.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use model::UserId;
use store::{ErrorKind, InvitationKind, NewInvitation, NewUser, Role as Kept, User};

use super::name::Name;
use super::{COOKIE, SESSION_MS, code_digest, cookie, device, language, mail, me, password, secret};
use crate::error::log_line;
use crate::extract::{Address, Json, MaybeMe};
use crate::guard::{self, limits};
use crate::wire::{Done, LoginAsk, Me, ResetAsk, ResetRequest, Signup, SignupAsk};
use crate::{ApiError, App, now_ms};

/// How long a code that was sent by mail is valid.
const MAILED_MS: i64 = 3600 * 1000;

/// Create an account and sign in.
#[utoipa::path(post, path = "/signup", tag = "accounts", request_body = SignupAsk,
    responses((status = 200, body = Me)))]
pub(super) async fn signup(
    axum::extract::State(app): axum::extract::State<App>,
    Address(address): Address,
    headers: HeaderMap,
    Json(ask): Json<SignupAsk>,
) -> Result<Response, ApiError> {
    let name =
        Name::new(&ask.name).map_err(|wrong| invalid("name", wrong.to_string(), "choose another name"))?;
    password::check(&ask.password, &ask.name)
        .map_err(|wrong| invalid("password", wrong, "choose another password"))?;
    let email = match ask.email.as_deref().map(str::trim).filter(|email| !email.is_empty()) {
        Some(email) => Some(
            mail::address(email)
                .map_err(|wrong| invalid("email", wrong, "leave it out, or write it as name@example.org"))?,
        ),
        None => None,
    };
    let code = ask.invitation.as_deref().map(str::trim).filter(|code| !code.is_empty());
    if app.config.signup == Signup::Invited && code.is_none() {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "invitation",
            "an account is made by invitation here",
            "ask the organiser for an invitation, and open its link",
        ));
    }
    limits::signup(&app, address)?;
    let new = NewUser {
        name: name.to_string(),
        email,
        password: app.guard.passwords.hash(ask.password).await?,
        role: Kept::Player,
        lang: language(ask.lang.as_deref()).to_owned(),
        must_change: false,
    };
    let code = code.map(|code| code_digest(InvitationKind::SignUp, code));
    // The address itself is not stored; the key is not in the log and not shown to anybody.
    let network = secret::digest(&format!("{} {}", app.network_key, guard::address::counted(address)));
    let user = app.store.sign_up(&new, code.as_deref(), Some(&network), now_ms()).await;
    let user = user.map_err(|error| match error.kind {
        ErrorKind::Conflict => {
            ApiError::conflict("name_taken", format!("the name `{name}` is taken"), "choose another name")
        }
        ErrorKind::NotFound => ApiError::new(
            StatusCode::FORBIDDEN,
            "invitation",
            "this invitation does not hold (any more)",
            "ask the organiser for another one",
        ),
        _ => error.into(),
    })?;
    begin(&app, user, &headers).await
}

fn invalid(code: &'static str, wrong: impl Into<String>, hint: &str) -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, code, wrong, hint)
}

/// Sign in.
#[utoipa::path(post, path = "/login", tag = "accounts", request_body = LoginAsk,
    responses((status = 200, body = Me)))]
pub(super) async fn login(
    axum::extract::State(app): axum::extract::State<App>,
    Address(address): Address,
    headers: HeaderMap,
    Json(ask): Json<LoginAsk>,
) -> Result<Response, ApiError> {
    // A text that cannot be a name is handled like the name of an account that does not exist.
    let user = match Name::plain(&ask.name) {
        Ok(name) => app.store.user_by_name(&name.to_string()).await?,
        Err(_) => None,
    };
    limits::login(&app, address, &ask.name, device::known(&headers, user.as_ref()))?;
    let kept = user.as_ref().map(|user| user.password.clone());
    let good = app.guard.passwords.matches(ask.password, kept).await?;
    let Some(user) = user.filter(|_| good) else {
        return Err(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "login",
            "name or password is wrong",
            "try again, or ask for a new password",
        ));
    };
    if user.blocked {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "blocked",
            "this account is blocked",
            "ask the organiser why",
        ));
    }
    begin(&app, user, &headers).await
}

/// Begins a session with a new secret. A cookie that the browser already had is not reused: an attacker may have
/// planted it.
async fn begin(app: &App, user: User, headers: &HeaderMap) -> Result<Response, ApiError> {
    if let Some(old) = cookie(headers) {
        app.store.drop_session(&secret::digest(old)).await?;
    }
    let session = secret::fresh()?;
    let now = now_ms();
    app.store.create_session(user.id, &secret::digest(&session), now, now + SESSION_MS).await?;
    let device = device_cookie(app, &user)?;
    let body = me::tell(app, Some(user), &session).await?;
    let mut response = axum::Json(body).into_response();
    response.headers_mut().append(header::SET_COOKIE, session_cookie(app, &session, SESSION_MS / 1000)?);
    response.headers_mut().append(header::SET_COOKIE, device);
    Ok(response)
}

fn session_cookie(app: &App, session: &str, seconds: i64) -> Result<HeaderValue, ApiError> {
    set_cookie(app, COOKIE, session, "/", seconds)
}

/// The cookie of a browser that has logged in, or has set the password.
pub(super) fn device_cookie(app: &App, user: &User) -> Result<HeaderValue, ApiError> {
    set_cookie(app, device::COOKIE, &device::fresh(user)?, "/api/v1/login", device::SECONDS)
}

fn set_cookie(app: &App, name: &str, value: &str, path: &str, seconds: i64) -> Result<HeaderValue, ApiError> {
    let secure = if app.config.public_url.as_ref().is_some_and(|url| url.secure) { "; Secure" } else { "" };
    let line = format!("{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::try_from(line).map_err(ApiError::internal)
}

/// Sign out: the session ends, and its cookie is invalid everywhere.
#[utoipa::path(post, path = "/logout", tag = "accounts", responses((status = 200, body = Done)))]
pub(super) async fn logout(
    axum::extract::State(app): axum::extract::State<App>,
    MaybeMe(who): MaybeMe,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if let Some(who) = who {
        app.guard.disconnect_listeners(who.id);
    }
    if let Some(session) = cookie(&headers) {
        app.store.drop_session(&secret::digest(session)).await?;
    }
    let mut response = axum::Json(Done::YES).into_response();
    response.headers_mut().insert(header::SET_COOKIE, session_cookie(&app, "", 0)?);
    Ok(response)
}

/// Choose a new password with a one-time code.
#[utoipa::path(post, path = "/reset", tag = "accounts", request_body = ResetAsk,
    responses((status = 200, body = Done)))]
pub(super) async fn reset(
    axum::extract::State(app): axum::extract::State<App>,
    Address(address): Address,
    Json(ask): Json<ResetAsk>,
) -> Result<Response, ApiError> {
    limits::reset(&app, address, None)?;
    // The account is known only once the code is used, so the password is not compared with the name here.
    password::check(&ask.password, "")
        .map_err(|wrong| invalid("password", wrong, "choose another password"))?;
    let hash = app.guard.passwords.hash(ask.password).await?;
    let now = now_ms();
    let digest = code_digest(InvitationKind::Reset, &ask.code);
    let Some(user) = app.store.reset_password(&digest, &hash, now).await? else {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "code",
            "this code does not hold (any more)",
            "ask for another one",
        ));
    };
    app.store.audit(now, Some(user), "password reset with a code").await?;
    let mut response = axum::Json(Done::YES).into_response();
    if let Some(user) = app.store.user(user).await? {
        response.headers_mut().append(header::SET_COOKIE, device_cookie(&app, &user)?);
    }
    Ok(response)
}

/// Ask for a code by mail. The answer is always the same, and always as quick: it does not tell who has an account.
#[utoipa::path(post, path = "/reset/request", tag = "accounts", request_body = ResetRequest,
    responses((status = 200, body = Done)))]
pub(super) async fn reset_request(
    axum::extract::State(app): axum::extract::State<App>,
    Address(address): Address,
    Json(ask): Json<ResetRequest>,
) -> Result<Json<Done>, ApiError> {
    if app.guard.mail.is_none() {
        return Err(ApiError::new(
            StatusCode::CONFLICT,
            "no_mail",
            "this site sends no mail",
            "ask the organiser for a new password",
        ));
    }
    limits::reset(&app, address, Some(&ask.name))?;
    tokio::spawn(async move {
        if let Err(why) = mail_code(&app, &ask.name).await {
            tracing::error!(target: "agon::mail", error = %log_line(&why), "the mail for a new password was not sent");
        }
    });
    Ok(Json(Done::YES))
}

async fn mail_code(app: &App, name: &str) -> Result<(), String> {
    if Name::plain(name).is_err() {
        return Ok(());
    }
    let user =
        app.store.user_by_name(name).await.map_err(|error| error.message)?.filter(|user| !user.blocked);
    let (Some(user), Some(mail), Some(site)) = (user, &app.guard.mail, &app.config.public_url) else {
        return Ok(());
    };
    let Some(to) = &user.email else { return Ok(()) };
    let code = reset_code(app, user.id, None, MAILED_MS).await.map_err(|problem| problem.message)?;
    let link = format!("{}/reset#{code}", site.origin);
    let (title, name) = (&app.config.title, &user.name);
    let (subject, text) = if user.lang == "fr" {
        (
            format!("{title} : nouveau mot de passe"),
            format!(
                "Bonjour {name},\n\nquelqu'un (vous, sans doute) demande un nouveau mot de passe pour votre compte. Ce lien vaut une \
                 heure et une seule fois :\n\n{link}\n\nSi ce n'est pas vous, il n'y a rien à faire.\n"
            ),
        )
    } else {
        (
            format!("{title}: new password"),
            format!(
                "Hello {name},\n\nsomebody (you, most likely) asks for a new password for your account. This link holds for one hour \
                 and once:\n\n{link}\n\nIf it was not you, there is nothing to do.\n"
            ),
        )
    };
    mail.send(to, subject, text).await.map_err(|error| error.to_string())
}

/// Makes a one-time code for a new password.
pub(crate) async fn reset_code(
    app: &App,
    user: UserId,
    by: Option<UserId>,
    holds_ms: i64,
) -> Result<String, ApiError> {
    let code = secret::typeable()?;
    let now = now_ms();
    let new = NewInvitation {
        code_hash: code_digest(InvitationKind::Reset, &code),
        kind: InvitationKind::Reset,
        user_id: Some(user),
        contest_id: None,
        created_by: by,
        expires: now + holds_ms,
        uses: 1,
    };
    app.store.create_invitation(&new, now).await?;
    Ok(code)
}
