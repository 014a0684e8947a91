//! Accounts, as the organiser sees them, and invitations.

use axum::extract::State;
use model::UserId;
use serde::Deserialize;
use store::{InvitationKind, NewInvitation, NewUser, Role as Kept, User};
use utoipa::IntoParams;

use super::note;
use crate::accounts::name::Name;
use crate::accounts::{code_digest, mail, reset_code, role, secret};
use crate::extract::{Admin, Json, Path, Query};
use crate::wire::{
    BulkAsk, BulkLine, Done, InvitationAsk, InvitationInfo, OneTimeLink, Role, UserInfo, UserPage, UserPatch,
};
use crate::{ApiError, App, now_ms};

const DAY_MS: i64 = 24 * 3600 * 1000;
const PAGE: i64 = 50;

/// A part of the list of accounts.
#[derive(Debug, Deserialize, IntoParams)]
pub(super) struct Which {
    /// Number of the page, from 0; default: 0.
    #[serde(default)]
    page: i64,
    /// Text that the names must contain; default: all names.
    #[serde(default)]
    search: String,
}

/// Accounts, the newest first.
#[utoipa::path(get, path = "/admin/users", tag = "admin", params(Which),
    responses((status = 200, body = UserPage)))]
pub(super) async fn users(
    State(app): State<App>,
    _who: Admin,
    Query(which): Query<Which>,
) -> Result<Json<UserPage>, ApiError> {
    let page = which.page.clamp(0, 1_000_000);
    let users = app.store.list_users(&which.search, page, PAGE).await?;
    let more = users.len() as i64 == PAGE;
    Ok(Json(UserPage { users: users.into_iter().map(info).collect(), page, more }))
}

fn info(user: User) -> UserInfo {
    let User { id, name, email, created, blocked, .. } = user;
    UserInfo { id: id.into(), name, email, role: role(user.role), created, blocked }
}

/// Change the rights of an account, or block it: its sessions end, its tokens are refused and its bots pause at once.
#[utoipa::path(patch, path = "/admin/users/{id}", tag = "admin", params(("id" = i64, Path, description = "its number")),
    request_body = UserPatch, responses((status = 200, body = UserInfo)))]
pub(super) async fn change(
    State(app): State<App>,
    Admin(who): Admin,
    Path(id): Path<UserId>,
    Json(patch): Json<UserPatch>,
) -> Result<Json<UserInfo>, ApiError> {
    let user = app.store.user(id).await?.ok_or_else(|| ApiError::not_found("account"))?;
    if id == who.id {
        return Err(ApiError::conflict(
            "yourself",
            "nobody changes his own role or locks himself out",
            "ask another organiser: there is always one left this way",
        ));
    }
    if let Some(role) = patch.role {
        let kept = if role == Role::Admin { Kept::Admin } else { Kept::Player };
        app.store.set_role(id, kept).await?;
        if kept == Kept::Player {
            // Tokens with the scope `admin` stop with the role; sessions know the role at every request.
            note(&app, &who, format!("{} is a player now", user.name)).await?;
        } else {
            note(&app, &who, format!("{} is an organiser now", user.name)).await?;
        }
    }
    if let Some(blocked) = patch.blocked {
        app.store.set_blocked(id, blocked, now_ms()).await?;
        if blocked {
            app.guard.disconnect_listeners(id);
        }
        note(&app, &who, format!("{} is {} now", user.name, if blocked { "blocked" } else { "let in" }))
            .await?;
    }
    let user = app.store.user(id).await?.ok_or_else(|| ApiError::not_found("account"))?;
    Ok(Json(info(user)))
}

/// A link for a user who forgot the password: it works once, for a day. The old password works until then.
#[utoipa::path(post, path = "/admin/users/{id}/reset", tag = "admin", params(("id" = i64, Path, description = "its number")),
    responses((status = 200, body = OneTimeLink)))]
pub(super) async fn reset(
    State(app): State<App>,
    Admin(who): Admin,
    Path(id): Path<UserId>,
) -> Result<Json<OneTimeLink>, ApiError> {
    let user = app.store.user(id).await?.ok_or_else(|| ApiError::not_found("account"))?;
    let code = reset_code(&app, id, Some(who.id), DAY_MS).await?;
    note(&app, &who, format!("a link for a new password of {}", user.name)).await?;
    // The code comes after a `#`: browsers do not send that part, so it is in no log.
    Ok(Json(link(&app, "reset#", code, now_ms() + DAY_MS)))
}

/// The maximum number of accounts of one request.
const MOST_ACCOUNTS: usize = 500;

/// Create accounts from CSV: one line for each, with a name and optionally a mail address. Each gets a password that must be
/// changed at the first login. A line that is wrong is skipped, with the reason.
#[utoipa::path(post, path = "/admin/users/bulk", tag = "admin", request_body = BulkAsk,
    responses((status = 200, body = Vec<BulkLine>)))]
pub(super) async fn bulk(
    State(app): State<App>,
    Admin(who): Admin,
    Json(ask): Json<BulkAsk>,
) -> Result<Json<Vec<BulkLine>>, ApiError> {
    let contest = match &ask.contest {
        Some(key) => {
            Some(app.store.contest_by_key(key).await?.ok_or_else(|| ApiError::not_found("contest"))?)
        }
        None => None,
    };
    let lines: Vec<&str> = ask.csv.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.len() > MOST_ACCOUNTS {
        return Err(ApiError::bad(format!("at most {MOST_ACCOUNTS} accounts at once"), "send fewer lines"));
    }
    let mut made = Vec::new();
    for (at, line) in lines.into_iter().enumerate() {
        let mut fields = line.split([',', ';', '\t']).map(|field| field.trim().trim_matches('"'));
        let (name, email) =
            (fields.next().unwrap_or_default(), fields.next().filter(|field| !field.is_empty()));
        if at == 0 && name.eq_ignore_ascii_case("name") {
            continue;
        }
        made.push(match account(&app, name, email, contest.as_ref()).await? {
            Ok(password) => BulkLine { name: name.to_owned(), password: Some(password), wrong: None },
            Err(wrong) => {
                BulkLine { name: game::text::safe_line(name, 60), password: None, wrong: Some(wrong) }
            }
        });
    }
    let count = made.iter().filter(|line| line.password.is_some()).count();
    note(&app, &who, format!("{count} accounts made from CSV")).await?;
    Ok(Json(made))
}

/// Creates an account. Returns its first password, or why it cannot be created.
async fn account(
    app: &App,
    name: &str,
    email: Option<&str>,
    contest: Option<&store::Contest>,
) -> Result<Result<String, String>, ApiError> {
    let name = match Name::new(name) {
        Ok(name) => name.to_string(),
        Err(wrong) => return Ok(Err(wrong.to_string())),
    };
    let email = match email.map(mail::address).transpose() {
        Ok(email) => email,
        Err(wrong) => return Ok(Err(wrong.to_owned())),
    };
    let password = secret::typeable()?;
    let hash = app.guard.passwords.hash(password.clone()).await?;
    let new =
        NewUser { name, email, password: hash, role: Kept::Player, lang: "en".to_owned(), must_change: true };
    match app.store.create_user(&new, now_ms()).await {
        Ok(user) => {
            if let Some(contest) = contest {
                app.store.add_member(contest.id, user.id).await?;
            }
            Ok(Ok(password))
        }
        Err(error) if error.kind == store::ErrorKind::Conflict => Ok(Err(error.message)),
        Err(error) => Err(error.into()),
    }
}

fn link(app: &App, page: &str, code: String, expires: i64) -> OneTimeLink {
    OneTimeLink { url: format!("{}/{page}{code}", app.address()), code, expires }
}

/// Invitations that can still be used. Their codes are not stored, so they cannot be shown again.
#[utoipa::path(get, path = "/admin/invitations", tag = "admin",
    responses((status = 200, body = Vec<InvitationInfo>)))]
pub(super) async fn invitations(
    State(app): State<App>,
    _who: Admin,
) -> Result<Json<Vec<InvitationInfo>>, ApiError> {
    let contests = app.store.contests().await?;
    let kept = app.store.list_invitations(now_ms()).await?;
    let invitations =
        kept.into_iter().filter(|invitation| invitation.kind != InvitationKind::Reset).map(|invitation| {
            let contest = contests.iter().find(|contest| Some(contest.id) == invitation.contest_id);
            InvitationInfo {
                id: invitation.id,
                kind: invitation.kind.word().to_owned(),
                contest: contest.map(|contest| contest.key.clone()),
                created: invitation.created,
                expires: invitation.expires,
                uses_left: invitation.uses_left,
            }
        });
    Ok(Json(invitations.collect()))
}

/// Invite: to the site, or to a contest (then the same code also makes an account).
#[utoipa::path(post, path = "/admin/invitations", tag = "admin", request_body = InvitationAsk,
    responses((status = 200, body = OneTimeLink)))]
pub(super) async fn invite(
    State(app): State<App>,
    Admin(who): Admin,
    Json(ask): Json<InvitationAsk>,
) -> Result<Json<OneTimeLink>, ApiError> {
    let (uses, days) = (ask.uses.unwrap_or(1), ask.days.unwrap_or(14));
    if !(1..=10_000).contains(&uses) || !(1..=366).contains(&days) {
        return Err(ApiError::bad(
            "an invitation has 1 to 10,000 uses and holds for 1 to 366 days",
            "change `uses` or `days`",
        ));
    }
    let contest = match &ask.contest {
        Some(key) => {
            Some(app.store.contest_by_key(key).await?.ok_or_else(|| ApiError::not_found("contest"))?)
        }
        None => None,
    };
    let code = secret::typeable()?;
    let now = now_ms();
    let kinds = if contest.is_some() {
        &[InvitationKind::SignUp, InvitationKind::Contest][..]
    } else {
        &[InvitationKind::SignUp]
    };
    for &kind in kinds {
        let new = NewInvitation {
            code_hash: code_digest(kind, &code),
            kind,
            user_id: None,
            contest_id: contest.as_ref().map(|contest| contest.id),
            created_by: Some(who.id),
            expires: now + days * DAY_MS,
            uses,
        };
        app.store.create_invitation(&new, now).await?;
    }
    let to = contest.as_ref().map_or("the site", |contest| &contest.key);
    note(&app, &who, format!("an invitation to {to} for {uses}")).await?;
    let page =
        contest.as_ref().map_or_else(|| "signup#".to_owned(), |contest| format!("contests/{}#", contest.key));
    Ok(Json(link(&app, &page, code, now + days * DAY_MS)))
}

/// Withdraw an invitation.
#[utoipa::path(delete, path = "/admin/invitations/{id}", tag = "admin", params(("id" = i64, Path, description = "its number")),
    responses((status = 200, body = Done)))]
pub(super) async fn uninvite(
    State(app): State<App>,
    Admin(who): Admin,
    Path(id): Path<i64>,
) -> Result<Json<Done>, ApiError> {
    if !app.store.drop_invitation(id).await? {
        return Err(ApiError::not_found("invitation"));
    }
    note(&app, &who, format!("invitation {id} taken back")).await?;
    Ok(Json(Done::YES))
}
