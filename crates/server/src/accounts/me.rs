//! The data of the client's own account, and changes to it.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use store::User;
use utoipa::IntoParams;

use super::{cookie, entry, language, mail, password, role};
use crate::extract::{By, Json, MaybeMe, Me as AuthUser, Person, Query, Submitter};
use crate::guard::csrf;
use crate::guard::limits::Limit;
use crate::wire::{Account, DeleteMe, Done, Me, MePatch, NoticeInfo};
use crate::{ApiError, App};

/// The signed-in user.
#[utoipa::path(get, path = "/me", tag = "accounts", responses((status = 200, body = Me)))]
pub(super) async fn me(
    State(app): State<App>,
    MaybeMe(who): MaybeMe,
    headers: HeaderMap,
) -> Result<Json<Me>, ApiError> {
    let user = match &who {
        Some(who) => app.store.user(who.id).await?,
        None => None,
    };
    let by_session = who.is_some_and(|who| matches!(who.by, By::Session(_)));
    let session = if by_session { cookie(&headers).unwrap_or_default() } else { "" };
    Ok(Json(tell(&app, user, session).await?))
}

/// The data of an account for its owner; the CSRF token belongs to the session.
pub(super) async fn tell(app: &App, user: Option<User>, session: &str) -> Result<Me, ApiError> {
    let notices_unseen = match &user {
        Some(user) => app.store.unseen_notices(user.id).await?,
        None => 0,
    };
    let csrf = if session.is_empty() { String::new() } else { csrf::token(session) };
    let is_admin = user.as_ref().is_some_and(|user| user.role == store::Role::Admin);
    let status = is_admin.then(|| app.service.status());
    let storage_failure = status.and_then(|status| status.storage).map(|failure| failure.what);
    Ok(Me { user: user.map(account), csrf, notices_unseen, storage_failure })
}

fn account(user: User) -> Account {
    let User { id, name, email, lang, created, must_change, about, .. } = user;
    Account { id: id.into(), name, email, role: role(user.role), lang, created, must_change, about }
}

/// The longest text of a user about itself, in characters.
const LONGEST_ABOUT: usize = 300;

/// Everything that is stored about the signed-in user: account, bots with their sources, notices and tokens (without their
/// secrets).
#[utoipa::path(get, path = "/me/export", tag = "accounts",
    responses((status = 200, description = "The data of the account", body = Object)))]
pub(super) async fn export(State(app): State<App>, Person(who): Person) -> Result<Response, ApiError> {
    let user = app.store.user(who.id).await?.ok_or_else(ApiError::sign_in)?;
    let mut bots = Vec::new();
    for bot in app.store.bots_of_user(who.id).await? {
        let mut versions = Vec::new();
        let mut before = None;
        loop {
            let page = app.store.versions(bot.id, before).await?;
            let Some(last) = page.last() else { break };
            before = Some(last.number);
            for version in page {
                let source = app.store.source(version.id).await?;
                versions.push(serde_json::json!({"version": version, "source": source}));
            }
        }
        let promotions = app.store.promotions(bot.id).await?;
        bots.push(serde_json::json!({"bot": bot, "versions": versions, "promotions": promotions}));
    }
    let data = serde_json::json!({
        "account": account(user),
        "bots": bots,
        "notices": app.store.notices(who.id, None, 100).await?,
        "tokens": app.store.list_tokens(who.id).await?.iter().map(|token| &token.name).collect::<Vec<_>>(),
    });
    let headers = [(header::CONTENT_DISPOSITION, "attachment; filename=\"agon-account.json\"")];
    Ok((headers, axum::Json(data)).into_response())
}

/// Deletes the account of the signed-in user for good. Results of its bots stay, without its name.
#[utoipa::path(post, path = "/me/delete", tag = "accounts", request_body = DeleteMe, responses((status = 200, body = Done)))]
pub(super) async fn delete(
    State(app): State<App>,
    Person(who): Person,
    Json(ask): Json<DeleteMe>,
) -> Result<Json<Done>, ApiError> {
    let user = app.store.user(who.id).await?.ok_or_else(ApiError::sign_in)?;
    Limit::Account.of_account(&app, &user.name).await?;
    if !app.guard.passwords.matches(ask.password, Some(user.password)).await? {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "old_password",
            "the present password is missing or wrong",
            "send it as `password`",
        ));
    }
    if user.role == store::Role::Admin {
        return Err(ApiError::conflict(
            "organiser",
            "the account of an organiser cannot be deleted",
            "another organiser must make it the account of a player first",
        ));
    }
    let name = app.store.delete_user(who.id, crate::now_ms()).await?;
    app.guard.disconnect_listeners(who.id);
    app.responses.forget();
    app.store
        .audit(crate::now_ms(), None, &format!("an account was deleted by its owner; it is {name} now"))
        .await?;
    Ok(Json(Done::YES))
}

/// Change password, mail address, language or the words on the public page.
#[utoipa::path(patch, path = "/me", tag = "accounts", request_body = MePatch,
    responses((status = 200, body = Me)))]
pub(super) async fn change(
    State(app): State<App>,
    Person(who): Person,
    headers: HeaderMap,
    Json(patch): Json<MePatch>,
) -> Result<Response, ApiError> {
    let user = app.store.user(who.id).await?.ok_or_else(ApiError::sign_in)?;
    let invalid = |code, wrong: &str| {
        ApiError::new(StatusCode::BAD_REQUEST, code, wrong, "change it and send it again")
    };
    let email = match patch.email.as_deref().map(str::trim) {
        Some("") => Some(None),
        Some(email) => Some(Some(mail::address(email).map_err(|wrong| invalid("email", wrong))?)),
        None => None,
    };
    if let Some(new) = &patch.password {
        password::check(new, &user.name).map_err(|wrong| invalid("password", wrong))?;
    }
    if patch.password.is_some() || email.is_some() {
        // An abandoned session must not be enough to take over an account: the password is asked for.
        Limit::Account.of_account(&app, &user.name).await?;
        let old = patch.old_password.unwrap_or_default();
        if !app.guard.passwords.matches(old, Some(user.password.clone())).await? {
            return Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "old_password",
                "the present password is missing or wrong",
                "send it as `old_password`",
            ));
        }
    }
    if let Some(email) = email {
        app.store.set_email(user.id, email.as_deref()).await?;
    }
    if let Some(about) = patch.about.as_deref().map(str::trim) {
        if about.chars().count() > LONGEST_ABOUT {
            return Err(invalid("about", "at most 300 characters are taken"));
        }
        let about = game::text::safe_text(about, LONGEST_ABOUT);
        app.store.set_about(user.id, Some(about.as_str()).filter(|about| !about.is_empty())).await?;
    }
    if let Some(lang) = patch.lang.as_deref() {
        app.store.set_lang(user.id, language(Some(lang))).await?;
    }
    let has_new_password = patch.password.is_some();
    if let Some(new) = patch.password {
        let hash = app.guard.passwords.hash(new).await?;
        app.store.set_password(user.id, &hash, false).await?;
        let kept = match who.by {
            By::Session(id) => Some(id),
            By::Token(_) => None,
        };
        app.store.drop_sessions_of(user.id, kept).await?;
    }
    let user = app.store.user(who.id).await?.ok_or_else(ApiError::sign_in)?;
    let device = has_new_password.then(|| entry::device_cookie(&app, &user)).transpose()?;
    let me = tell(&app, Some(user), cookie(&headers).unwrap_or_default()).await?;
    let mut response = axum::Json(me).into_response();
    if let Some(device) = device {
        response.headers_mut().append(header::SET_COOKIE, device);
    }
    Ok(response)
}

/// A part of a list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Before {
    /// Id: lists older entries only.
    before: Option<i64>,
}

/// The notices of the signed-in user, the newest first.
#[utoipa::path(get, path = "/me/notices", tag = "accounts", params(Before),
    responses((status = 200, body = Vec<NoticeInfo>)))]
pub(super) async fn notices(
    State(app): State<App>,
    AuthUser(who): AuthUser,
    Query(from): Query<Before>,
) -> Result<Json<Vec<NoticeInfo>>, ApiError> {
    let notices = app.store.notices(who.id, from.before, 100).await?;
    let notices = notices.into_iter().map(|notice| NoticeInfo {
        id: notice.id,
        at: notice.at,
        kind: notice.kind,
        data: notice.data,
        seen: notice.seen,
    });
    Ok(Json(notices.collect()))
}

/// Mark all notices as seen.
#[utoipa::path(post, path = "/me/notices/seen", tag = "accounts",
    responses((status = 200, body = Done)))]
pub(super) async fn notices_seen(
    State(app): State<App>,
    Submitter(who): Submitter,
) -> Result<Json<Done>, ApiError> {
    app.store.see_notices(who.id, i64::MAX).await?;
    Ok(Json(Done::YES))
}
