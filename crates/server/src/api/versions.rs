//! Submitting bots: versions, the active version, test matches and trials against the boss.

use axum::extract::State;
use axum::http::StatusCode;
use model::{BotId, ContestState, LadderKind, VersionId};
use store::{Bot, NewVersion, Version};

use super::{convert, site};
use crate::contests::{ContestEntry, ContestLookup as _, LeagueLookup as _};
use crate::extract::{AuthUser, Json, Me, Path, Submitter};
use crate::guard::limits::Limit;
use crate::wire::{Done, ErrorBody, Role, Submission, VersionInfo, VersionPage};
use crate::{ApiError, App, now_ms};

/// Most characters of a source.
const LONGEST_SOURCE: usize = 100_000;
/// Most versions of all users that may wait to be built.
const MOST_WAITING: i64 = 500;

/// Submits a version of a bot. It waits to be built; `GET /versions/{id}` shows the result.
#[utoipa::path(post, path = "/submissions", tag = "bots", request_body = Submission, responses(
    (status = 201, body = VersionInfo),
))]
pub(crate) async fn submit(
    State(app): State<App>,
    Submitter(me): Submitter,
    Json(ask): Json<Submission>,
) -> Result<(StatusCode, Json<VersionInfo>), ApiError> {
    let contests = app.contests().await?;
    let known = contests.by_key(ask.contest.as_deref())?;
    known.game(&ask.game)?;
    check_source(&ask.source)?;
    let language = site::language(&app, &ask.language).await?;
    may_enter(&app, known, &me).await?;
    Limit::Upload.of_account(&app, &me.name).await?;
    check_queue(&app).await?;
    let new = NewVersion {
        contest_id: known.contest.id,
        game: ask.game,
        user_id: app.store.entrant_of(known.contest.id, me.id).await?,
        language,
        source: ask.source,
        activate: ask.activate,
    };
    let version = app.store.submit(&new, now_ms()).await?;
    app.service.wake();
    Ok((StatusCode::CREATED, Json(convert::version_info(&version, None))))
}

/// Refuses further builds while too many of them wait.
pub(super) async fn check_queue(app: &App) -> Result<(), ApiError> {
    if app.store.counts().await?.building >= MOST_WAITING {
        return Err(ApiError::busy("too many bots wait to be built", 60));
    }
    Ok(())
}

pub(super) fn check_source(source: &str) -> Result<(), ApiError> {
    let characters = source.chars().count();
    if characters > LONGEST_SOURCE {
        return Err(ApiError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "too_large",
            format!("the source has {characters} characters"),
            format!("at most {LONGEST_SOURCE} are taken"),
        ));
    }
    if source.trim().is_empty() {
        return Err(ApiError::bad("the source is empty", "GET /api/v1/games/GAME/kits has starter bots"));
    }
    if source.contains('\0') {
        return Err(ApiError::bad(
            "the source has a zero byte in it",
            "send the text of the program, not the program",
        ));
    }
    Ok(())
}

/// Checks whether the contest accepts bots, and from this person.
pub(super) async fn may_enter(app: &App, known: &ContestEntry, me: &AuthUser) -> Result<(), ApiError> {
    let closed = |message: &str, hint: &str| Err(ApiError::conflict("closed", message, hint));
    match known.contest.state {
        ContestState::Running if known.contest.ends.is_some_and(|ends| ends <= now_ms()) => {
            return closed("the contest is over", "its board can be read");
        }
        ContestState::Running => {}
        ContestState::Planned => {
            return closed("the contest has not begun", "GET /api/v1/contests shows when it does");
        }
        ContestState::Final => {
            return closed("the final is being played", "no more bots are taken; watch it");
        }
        ContestState::Closed => return closed("the contest is over", "its board can be read"),
    }
    if known.contest.invited_only
        && me.role != Role::Admin
        && !app.store.is_member(known.contest.id, me.id).await?
    {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "not_member",
            "this contest is for those who were invited",
            "POST /api/v1/contests/KEY/join with the code of your invitation",
        ));
    }
    Ok(())
}

/// A version of the client's own bot. For others it does not exist.
pub(super) async fn own(app: &App, id: VersionId, me: &AuthUser) -> Result<(Version, Bot), ApiError> {
    let nothing = || ApiError::not_found("version");
    let version = app.store.version(id).await?.ok_or_else(nothing)?;
    let bot = app.store.bot(version.bot_id).await?.filter(|bot| me.owns(bot.user_id)).ok_or_else(nothing)?;
    Ok((version, bot))
}

/// Whether a version was submitted for the rules of its bot's current tier.
fn fits(leagues: &contest::GameLeagues, version: &Version, bot: &Bot) -> bool {
    version.tier.until(bot.tier).all(|tier| leagues.goes_on_above(tier))
}

/// A version with its source, its build log and its test matches, for its owner only.
#[utoipa::path(get, path = "/versions/{id}", tag = "bots", params(("id" = i64, Path)), responses(
    (status = 200, body = VersionPage),
))]
pub(crate) async fn version(
    State(app): State<App>,
    Me(me): Me,
    Path(id): Path<VersionId>,
) -> Result<Json<VersionPage>, ApiError> {
    let (version, bot) = own(&app, id, &me).await?;
    let contests = app.contests().await?;
    let known = contests.by_id(bot.contest_id).ok_or_else(|| ApiError::not_found("contest"))?;
    let fits = fits(known.game(&bot.game)?, &version, &bot);
    let tests = app.store.matches_of_version(id, LadderKind::Test, 20).await?;
    Ok(Json(VersionPage {
        version: convert::version_info(&version, bot.active_version),
        contest: contests.key_of(bot.contest_id),
        game: bot.game,
        source: app.store.source(id).await?,
        log: version.build_log.map(|log| game::text::safe_text(&log, 50_000)),
        tier_now: bot.tier.into(),
        fits,
        tests: tests.iter().map(|row| convert::match_info(row, &contests)).collect(),
    }))
}

/// Makes a version the active version of its bot. A version that was active before goes on with its rating.
#[utoipa::path(post, path = "/versions/{id}/activate", tag = "bots", params(("id" = i64, Path)), responses(
    (status = 200, body = VersionInfo),
    (status = 409, description = "Not built", body = ErrorBody),
))]
pub(crate) async fn activate(
    State(app): State<App>,
    Submitter(me): Submitter,
    Path(id): Path<VersionId>,
) -> Result<Json<VersionInfo>, ApiError> {
    let (version, bot) = own(&app, id, &me).await?;
    let contests = app.contests().await?;
    let known = contests.by_id(bot.contest_id).ok_or_else(|| ApiError::not_found("contest"))?;
    may_enter(&app, known, &me).await?;
    is_built(&version)?;
    let bot = app.service.activate(id).await?;
    Ok(Json(convert::version_info(&version, bot.active_version)))
}

fn is_built(version: &Version) -> Result<(), ApiError> {
    match version.state {
        _ if version.is_draft() => Err(ApiError::conflict(
            "draft",
            "this is a draft, not a version",
            "submit its source: POST /api/v1/submissions",
        )),
        store::VersionState::Ready => Ok(()),
        store::VersionState::Failed => Err(ApiError::conflict(
            "build_failed",
            "this version could not be built",
            "its log shows why: GET /api/v1/versions/ID; hand in another one",
        )),
        _ => Err(ApiError::conflict("not_built", "this version is not built yet", "ask again in a moment")),
    }
}

/// Queues one more test match of a version against the boss.
#[utoipa::path(post, path = "/versions/{id}/test", tag = "bots", params(("id" = i64, Path)), responses(
    (status = 200, body = Done),
))]
pub(crate) async fn test(
    State(app): State<App>,
    Submitter(me): Submitter,
    Path(id): Path<VersionId>,
) -> Result<Json<Done>, ApiError> {
    let (version, bot) = own(&app, id, &me).await?;
    is_built(&version)?;
    let contests = app.contests().await?;
    let known = contests.by_id(bot.contest_id).ok_or_else(|| ApiError::not_found("contest"))?;
    may_enter(&app, known, &me).await?;
    let waiting = app.store.matches_of_version(id, LadderKind::Test, 20).await?;
    let waits =
        |row: &&store::MatchRow| matches!(row.state, store::MatchState::Queued | store::MatchState::Leased);
    if waiting.iter().filter(waits).count() >= 3 {
        return Err(ApiError::too_many("three tries of this version wait already", 10));
    }
    Limit::Test.of_account(&app, &me.name).await?;
    app.service.test(id).await?;
    Ok(Json(Done::YES))
}

/// Begins another best of five against the boss, when the last one is over.
#[utoipa::path(post, path = "/bots/{id}/trial", tag = "bots", params(("id" = i64, Path)), responses(
    (status = 200, body = Done),
))]
pub(crate) async fn trial(
    State(app): State<App>,
    Submitter(me): Submitter,
    Path(id): Path<BotId>,
) -> Result<Json<Done>, ApiError> {
    let bot = app.store.bot(id).await?.filter(|bot| me.owns(bot.user_id));
    let bot = bot.ok_or_else(|| ApiError::not_found("bot"))?;
    let contests = app.contests().await?;
    let known = contests.by_id(bot.contest_id).ok_or_else(|| ApiError::not_found("contest"))?;
    may_enter(&app, known, &me).await?;
    if known.league(&bot.game, bot.tier)?.has_ladders() {
        return Err(ApiError::conflict(
            "ladder",
            "this league has a ladder",
            "there is no best of five in it; keep playing",
        ));
    }
    if bot.active_version.is_none() {
        return Err(ApiError::conflict(
            "no_version",
            "no version of this bot plays",
            "hand in a version and activate it",
        ));
    }
    Limit::Trial.of_account(&app, &me.name).await?;
    app.service.trial(id).await?;
    Ok(Json(Done::YES))
}
