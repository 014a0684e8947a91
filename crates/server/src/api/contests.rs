//! Contests.

use axum::extract::State;
use store::InvitationKind;

use super::convert;
use crate::accounts;
use crate::accounts::name::Name;
use crate::accounts::secret;
use crate::contests::{ContestEntry, ContestLookup as _};
use crate::extract::{AuthUser, Json, MaybeMe, Path, Submitter};
use crate::guard::limits::Limit;
use crate::wire::{Contest, ContestPage, Done, Finale, JoinAsk, OwnTeam, TeamAsk, TeamInfo, TeamJoin, Text};
use crate::{ApiError, App, now_ms};

/// The longest description of a contest, in characters.
const LONGEST_TEXT: usize = 20_000;

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
    let mut teams: Vec<TeamInfo> = Vec::new();
    for member in app.store.team_members(known.contest.id).await? {
        let (team, name) = (convert::name(&member.team), convert::name(&member.name));
        match teams.last_mut().filter(|last| last.name == team) {
            Some(last) => last.members.push(name),
            None => teams.push(TeamInfo { name: team, members: vec![name] }),
        }
    }
    let team = match &me {
        Some(me) => app.store.team_of(known.contest.id, me.id).await?,
        None => None,
    };
    let safe = |text: &model::Text| Text {
        en: game::text::safe_text(&text.en, LONGEST_TEXT),
        fr: game::text::safe_text(&text.fr, LONGEST_TEXT),
    };
    Ok(Json(ContestPage {
        about: safe(&known.settings.about),
        prizes: safe(&known.settings.prizes),
        teams,
        team: team.map(|team| OwnTeam { name: convert::name(&team.name), code: team.code }),
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

/// The contest, if it has teams that can still change: before its end, for those who take part.
async fn with_teams<'a>(
    app: &App,
    contests: &'a crate::contests::Contests,
    key: &str,
    me: &AuthUser,
) -> Result<&'a ContestEntry, ApiError> {
    let known = contests.by_key(Some(key))?;
    if known.settings.team_size < 2 {
        return Err(ApiError::conflict("no_teams", "this contest has no teams", "take part alone"));
    }
    if !matches!(known.contest.state, model::ContestState::Planned | model::ContestState::Running) {
        return Err(ApiError::conflict("closed", "the contest is over", "its teams cannot change any more"));
    }
    if !takes_part(app, known, me).await? {
        return Err(ApiError::forbidden(
            "this contest is for those who were invited",
            "POST /api/v1/contests/KEY/join with the code of your invitation",
        ));
    }
    Ok(known)
}

/// The refusal of a change of a team.
fn team_refused(error: store::StoreError) -> ApiError {
    match error.kind {
        store::ErrorKind::Conflict => {
            ApiError::conflict("team", error.message, "choose another name or team")
        }
        store::ErrorKind::NotFound => ApiError::new(
            axum::http::StatusCode::NOT_FOUND,
            "bad_team_code",
            "no team of this contest has this code",
            "ask a member of the team for its code",
        ),
        _ => error.into(),
    }
}

/// Creates a team in a contest. Its bots, standings and results belong to the team.
#[utoipa::path(post, path = "/contests/{key}/teams", tag = "contests", params(("key" = String, Path)), request_body = TeamAsk, responses(
    (status = 200, body = OwnTeam),
))]
pub(crate) async fn create_team(
    State(app): State<App>,
    Submitter(me): Submitter,
    Path(key): Path<String>,
    Json(ask): Json<TeamAsk>,
) -> Result<Json<OwnTeam>, ApiError> {
    let contests = app.contests().await?;
    let known = with_teams(&app, &contests, &key, &me).await?;
    let name = Name::new(ask.name.trim())
        .map_err(|wrong| ApiError::bad(wrong.to_string(), "send another `name`"))?;
    Limit::Account.of_account(&app, &me.name).await?;
    let code = secret::typeable()?;
    let team =
        app.store.create_team(known.contest.id, &name.to_string(), &plain(&code), me.id, now_ms()).await;
    let team = team.map_err(team_refused)?;
    Ok(Json(OwnTeam { name: team.name, code: team.code }))
}

/// A code as it is stored: case, blanks and dashes do not matter.
fn plain(code: &str) -> String {
    code.chars().filter(char::is_ascii_alphanumeric).take(100).map(|c| c.to_ascii_lowercase()).collect()
}

/// Joins a team by its code.
#[utoipa::path(post, path = "/contests/{key}/teams/join", tag = "contests", params(("key" = String, Path)), request_body = TeamJoin, responses(
    (status = 200, body = OwnTeam),
))]
pub(crate) async fn join_team(
    State(app): State<App>,
    Submitter(me): Submitter,
    Path(key): Path<String>,
    Json(ask): Json<TeamJoin>,
) -> Result<Json<OwnTeam>, ApiError> {
    let contests = app.contests().await?;
    let known = with_teams(&app, &contests, &key, &me).await?;
    Limit::Account.of_account(&app, &me.name).await?;
    let joined =
        app.store.join_team(known.contest.id, &plain(&ask.code), me.id, known.settings.team_size).await;
    let team = joined.map_err(team_refused)?;
    Ok(Json(OwnTeam { name: convert::name(&team.name), code: team.code }))
}

/// Leaves the team of a contest.
#[utoipa::path(post, path = "/contests/{key}/teams/leave", tag = "contests", params(("key" = String, Path)), responses(
    (status = 200, body = Done),
))]
pub(crate) async fn leave_team(
    State(app): State<App>,
    Submitter(me): Submitter,
    Path(key): Path<String>,
) -> Result<Json<Done>, ApiError> {
    let contests = app.contests().await?;
    let known = with_teams(&app, &contests, &key, &me).await?;
    app.store.leave_team(known.contest.id, me.id).await.map_err(team_refused)?;
    Ok(Json(Done::YES))
}
