//! Contests.

use axum::extract::State;
use store::InvitationKind;

use super::convert;
use crate::accounts;
use crate::contests::{ContestEntry, ContestLookup as _};
use crate::extract::{AuthUser, Json, MaybeMe, Path, Submitter};
use crate::wire::{Contest, ContestPage, Done, Finale, JoinAsk};
use crate::{ApiError, App, now_ms};

/// All contests, the permanent one first.
#[utoipa::path(get, path = "/contests", tag = "contests", responses((status = 200, body = Vec<Contest>)))]
pub(crate) async fn contests(State(app): State<App>) -> Result<Json<Vec<Contest>>, ApiError> {
    let contests = app.contests().await?;
    Ok(Json(contests.all().iter().map(|known| convert::contest(known)).collect()))
}

/// A contest with its games and leagues.
#[utoipa::path(get, path = "/contests/{key}", tag = "contests", params(("key" = String, Path)), responses(
    (status = 200, body = ContestPage),
))]
pub(crate) async fn contest(
    State(app): State<App>,
    MaybeMe(me): MaybeMe,
    Path(key): Path<String>,
) -> Result<Json<ContestPage>, ApiError> {
    let contests = app.contests().await?;
    let known = contests.by_key(Some(&key))?;
    let joined = match &me {
        Some(me) => takes_part(&app, known, me).await?,
        None => false,
    };
    let finals = known.settings.finals;
    Ok(Json(ContestPage {
        contest: convert::contest(known),
        games: convert::games(known),
        joined,
        finale: known.contest.ends.map(|_| Finale { top: finals.top.into(), matches: finals.matches.into() }),
    }))
}

async fn takes_part(app: &App, known: &ContestEntry, me: &AuthUser) -> Result<bool, ApiError> {
    Ok(!known.contest.invited_only || app.store.is_member(known.contest.id, me.id).await?)
}

/// Joins a contest that requires an invitation. Contests without invitations need neither a code nor this request.
#[utoipa::path(post, path = "/contests/{key}/join", tag = "contests", params(("key" = String, Path)), request_body = JoinAsk, responses(
    (status = 200, body = Done),
))]
pub(crate) async fn join(
    State(app): State<App>,
    Submitter(me): Submitter,
    Path(key): Path<String>,
    Json(ask): Json<JoinAsk>,
) -> Result<Json<Done>, ApiError> {
    let contests = app.contests().await?;
    let known = contests.by_key(Some(&key))?;
    if takes_part(&app, known, &me).await? {
        app.store.add_member(known.contest.id, me.id).await?;
        return Ok(Json(Done::YES));
    }
    let refused = || {
        ApiError::new(
            axum::http::StatusCode::FORBIDDEN,
            "bad_code",
            "this code does not open this contest: it is not good, was used up or has expired",
            "ask the organiser for an invitation",
        )
    };
    let code = ask.code.as_deref().map(str::trim).filter(|code| !code.is_empty()).ok_or_else(refused)?;
    let digest = accounts::code_digest(InvitationKind::Contest, code);
    let invitation =
        app.store.use_invitation(&digest, InvitationKind::Contest, now_ms()).await?.ok_or_else(refused)?;
    // The code gives access to the contest it was made for, whichever contest the client named.
    let opens = invitation.contest_id.ok_or_else(refused)?;
    app.store.add_member(opens, me.id).await?;
    if opens != known.contest.id {
        return Err(ApiError::conflict(
            "other_contest",
            format!("this code was for the contest {}; you take part in it now", contests.key_of(opens)),
            "ask the organiser for an invitation to this one",
        ));
    }
    Ok(Json(Done::YES))
}
