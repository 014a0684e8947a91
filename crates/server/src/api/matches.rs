//! Lists of matches, and the page of a match.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Response};
use model::{BotId, MatchId, Tier};
use serde::Deserialize;
use store::{MatchFilter, MatchList, MatchRow};
use utoipa::IntoParams;

use super::convert::{self, may_see, seats_of};
use super::response_cache::Ready;
use crate::contests::ContestLookup as _;
use crate::extract::{AuthUser, Json, MaybeMe, Path, Query};
use crate::wire::{LiveMatch, MatchPage, MatchPageInfo, Watch};
use crate::{ApiError, App};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchesAsk {
    /// Key of the contest; default: all contests.
    contest: Option<String>,
    /// Name of the game; default: all games.
    game: Option<String>,
    /// Tier, 0 is the lowest; default: all tiers.
    #[serde(alias = "league")]
    tier: Option<i64>,
    /// Id of a bot: lists its matches, for admins including those that wait; `contest`, `game` and `tier` are ignored.
    bot: Option<i64>,
    /// Only with `bot`: `all`, `won`, `lost` or `errors`; default: `all`.
    filter: Option<String>,
    /// Id of a match: lists older matches only.
    before: Option<i64>,
    /// Number of matches, at most 100; default: 30.
    limit: Option<i64>,
}

/// Matches, the newest first. Test matches of versions are listed for their authors only, with `bot`.
#[utoipa::path(get, path = "/matches", tag = "matches", params(MatchesAsk), responses(
    (status = 200, body = MatchPage),
))]
pub(crate) async fn matches(
    State(app): State<App>,
    MaybeMe(me): MaybeMe,
    Query(ask): Query<MatchesAsk>,
    asked: HeaderMap,
) -> Result<Response, ApiError> {
    let contests = app.contests().await?;
    let limit = ask.limit.unwrap_or(30).clamp(1, 100);
    let page = |rows: &[MatchRow], me: Option<&AuthUser>| {
        let next = rows.last().filter(|_| rows.len() as i64 == limit).map(|row| row.id);
        let rows = rows.iter().filter(|row| may_see(row, me));
        MatchPage {
            matches: rows.map(|row| convert::match_info(row, &contests)).collect(),
            next: next.map(i64::from),
        }
    };
    if let Some(bot) = ask.bot {
        let filter: MatchFilter = match ask.filter.as_deref() {
            None => MatchFilter::All,
            Some(word) => word.parse().map_err(|_| {
                ApiError::bad("there is no such filter", "choose one of: all, won, lost, errors")
            })?,
        };
        let rows = app.store.matches_of(BotId(bot), filter, ask.before.map(MatchId), limit).await?;
        return Ok(Json(page(&rows, me.as_ref())).into_response());
    }
    let contest_id = match &ask.contest {
        Some(key) => Some(contests.by_key(Some(key))?.contest.id),
        None => None,
    };
    let list = MatchList {
        contest_id,
        game: ask.game,
        tier: ask.tier.map(Tier),
        before: ask.before.map(MatchId),
        limit,
    };
    let answer = app
        .responses
        .get(format!("matches {list:?}"), async { Ready::new(&page(&app.store.recent(&list).await?, None)) });
    Ok(answer.await?.answer(&asked))
}

/// Matches that are being played, without test matches.
#[utoipa::path(get, path = "/matches/live", tag = "matches", responses((status = 200, body = Vec<LiveMatch>)))]
pub(crate) async fn live(State(app): State<App>, asked: HeaderMap) -> Result<Response, ApiError> {
    let answer = app.responses.get("live".to_owned(), async {
        let contests = app.contests().await?;
        let rows = app.store.running().await?;
        let live = rows.iter().filter(|row| may_see(row, None)).map(|row| {
            let (watch, turn) = watchable(&app, row);
            LiveMatch { info: convert::match_info(row, &contests), watch, turn: turn.unwrap_or(0) }
        });
        Ready::new(&live.collect::<Vec<_>>())
    });
    Ok(answer.await?.answer(&asked))
}

/// Whether and how a match can be watched, and the last turn that was played.
pub(crate) fn watchable(app: &App, row: &MatchRow) -> (Watch, Option<u32>) {
    match row.state {
        store::MatchState::Done if row.record.is_some() => (Watch::Replay, None),
        store::MatchState::Leased => match app.service.watch(row.id) {
            Some((live, Some(_))) => (Watch::Live, Some(live.turn)),
            Some((live, None)) => (Watch::Later, Some(live.turn)),
            None => (Watch::Nothing, None),
        },
        _ => (Watch::Nothing, None),
    }
}

/// A match, if the client may see it.
pub(crate) async fn find(app: &App, id: MatchId, me: &MaybeMe) -> Result<MatchRow, ApiError> {
    let row = app.store.match_row(id).await?.filter(|row| may_see(row, me.0.as_ref()));
    row.ok_or_else(|| ApiError::not_found("match"))
}

/// A match in detail. The details of a bot's failure are for its owner only.
#[utoipa::path(get, path = "/matches/{id}", tag = "matches", params(("id" = i64, Path)), responses(
    (status = 200, body = MatchPageInfo),
))]
pub(crate) async fn page(
    State(app): State<App>,
    me: MaybeMe,
    Path(id): Path<MatchId>,
) -> Result<Json<MatchPageInfo>, ApiError> {
    let row = find(&app, id, &me).await?;
    let contests = app.contests().await?;
    let mine = seats_of(&row, me.0.as_ref());
    let mut details = Vec::new();
    if !mine.is_empty() {
        let all = app.store.seat_details(id).await?;
        let of = |seat: &u8| {
            all.iter().find(|one| one.seat == i64::from(*seat)).and_then(|one| one.details.clone())
        };
        details = mine
            .iter()
            .map(|seat| of(seat).map_or(serde_json::Value::Null, replay::redact::details))
            .collect();
    }
    let (watch, turn) = watchable(&app, &row);
    let analysed = super::reviews::is_kept(&app, &row);
    let info = convert::match_info(&row, &contests);
    Ok(Json(MatchPageInfo { info, watch, turn, mine, details, analysed }))
}
