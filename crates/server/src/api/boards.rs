//! Leaderboards.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use model::{ContestState, LadderKind, Tier};
use serde::Deserialize;
use store::BoardQuery;
use utoipa::IntoParams;

use super::convert;
use super::response_cache::Ready;
use crate::contests::{ContestLookup as _, LeagueLookup as _};
use crate::extract::{Json, Path, Query};
use crate::wire::{Board, SideQuestBoard, SideQuestRow};
use crate::{ApiError, App};

/// Lines on a page.
const SIZE: i64 = 50;
/// The last page that a client may ask for: the store reads all pages before it.
const MOST_PAGES: i64 = 10_000;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoardAsk {
    /// Tier, 0 is the lowest; default: all tiers in one list, the highest first.
    #[serde(alias = "league")]
    tier: Option<i64>,
    /// Number of players; default: the first number the league offers (without `tier`: the highest league).
    players: Option<u8>,
    /// Number of the page, from 0; default: 0.
    page: Option<i64>,
    /// Text that the names must contain; default: all names.
    search: Option<String>,
    /// `true`: the board of the contest's final (without `tier`: of the tier in which it is played). `false`: the board of
    /// the ladder. Default: with `tier`, the board of the final once there is one; without `tier`, the ladders.
    r#final: Option<bool>,
}

/// A page of a leaderboard.
#[utoipa::path(get, path = "/boards/{contest}/{game}", tag = "boards",
    params(("contest" = String, Path), ("game" = String, Path), BoardAsk), responses(
    (status = 200, body = Board),
))]
pub(crate) async fn board(
    State(app): State<App>,
    Path((contest, game)): Path<(String, String)>,
    Query(ask): Query<BoardAsk>,
    asked: HeaderMap,
) -> Result<Response, ApiError> {
    let question = format!("board {contest} {game} {ask:?}");
    let is_search = ask.search.as_deref().is_some_and(|search| !search.is_empty());
    let make = async { Ready::new(&page(&app, contest, game, ask).await?) };
    let answer = if is_search { make.await } else { app.responses.get(question, make).await };
    Ok(answer?.answer(&asked))
}

async fn page(app: &App, contest: String, game: String, ask: BoardAsk) -> Result<Board, ApiError> {
    let contests = app.contests().await?;
    let known = contests.by_key(Some(&contest))?;
    let leagues = known.game(&game)?;
    let page = ask.page.unwrap_or(0).clamp(0, MOST_PAGES);
    let query =
        BoardQuery { page, size: SIZE, search: game::text::safe_line(&ask.search.unwrap_or_default(), 60) };
    let nobody = || store::Board { rows: Vec::new(), total: 0 };
    let last = leagues.leagues.last().and_then(|league| league.players.first());
    let (tier, players, board) = match ask.tier.map(Tier) {
        None if ask.r#final == Some(true) => {
            // A final is played in the highest tier that a bot has reached, which need not be the last one.
            let ladders = app.store.ladders(known.contest.id, &game).await?;
            let is_meant = |ladder: &&store::Ladder| {
                ladder.kind == LadderKind::Final
                    && ask.players.is_none_or(|players| ladder.players == i64::from(players))
            };
            match ladders.iter().filter(is_meant).max_by_key(|ladder| (ladder.tier, -ladder.players)) {
                Some(ladder) => {
                    let players = u8::try_from(ladder.players).unwrap_or(2);
                    (Some(ladder.tier), players, app.store.leaderboard(ladder.id, &query).await?)
                }
                None => (None, ask.players.or(last.copied()).unwrap_or(2), nobody()),
            }
        }
        None => {
            let players = ask.players.or(last.copied()).unwrap_or(2);
            (None, players, app.store.game_board(known.contest.id, &game, players.into(), &query).await?)
        }
        Some(tier) => {
            let league = known.league(&game, tier)?;
            let players = ask.players.or_else(|| league.players.first().copied()).unwrap_or(2);
            let ladders = app.store.ladders(known.contest.id, &game).await?;
            let of_players =
                |ladder: &&store::Ladder| ladder.tier == tier && ladder.players == i64::from(players);
            let is_over = matches!(known.contest.state, ContestState::Final | ContestState::Closed);
            let has_final =
                || ladders.iter().filter(of_players).any(|ladder| ladder.kind == LadderKind::Final);
            let finale = ask.r#final.unwrap_or_else(|| is_over && has_final());
            let is_meant = |kind: LadderKind| match kind {
                LadderKind::Final => finale,
                LadderKind::Ladder => !finale && league.has_ladders(),
                LadderKind::Trial => !finale && !league.has_ladders(),
                LadderKind::Test => false,
            };
            let ladder = ladders.iter().filter(of_players).find(|ladder| is_meant(ladder.kind));
            let board = match ladder {
                Some(ladder) => app.store.leaderboard(ladder.id, &query).await?,
                None => nobody(),
            };
            (Some(tier), players, board)
        }
    };
    Ok(Board {
        contest,
        game,
        tier: tier.map(i64::from),
        players,
        page,
        total: board.total,
        more: (page + 1) * SIZE < board.total,
        rows: board.rows.iter().map(|row| convert::board_row(row, leagues)).collect(),
    })
}

/// A bot needs this number of matches for a place in a side quest, or all its matches of a shorter final.
const LEAST_GAMES: i64 = 10;

/// The leaderboard of a side quest: the best 100 bots of users by average points per match. In the final of a contest, and
/// afterwards, the matches of the final decide.
#[utoipa::path(get, path = "/boards/{contest}/{game}/side-quest", tag = "boards",
    params(("contest" = String, Path), ("game" = String, Path)), responses(
    (status = 200, body = SideQuestBoard),
))]
pub(crate) async fn side_quest(
    State(app): State<App>,
    Path((contest, game)): Path<(String, String)>,
) -> Result<Json<SideQuestBoard>, ApiError> {
    let contests = app.contests().await?;
    let known = contests.by_key(Some(&contest))?;
    known.game(&game)?;
    let query = BoardQuery { page: 0, size: 100, search: String::new() };
    let ladders = app.store.ladders(known.contest.id, &game).await?;
    let finale = ladders.iter().any(|ladder| ladder.kind == LadderKind::Final);
    let (kind, least) = if finale {
        (LadderKind::Final, LEAST_GAMES.min(known.settings.finals.matches.into()))
    } else {
        (LadderKind::Ladder, LEAST_GAMES)
    };
    let rows = app.store.side_quest_board(known.contest.id, &game, kind, least, &query).await?;
    let row = |row: &store::SideQuestRow| SideQuestRow {
        place: row.place,
        bot: convert::bot_ref(row.bot_id, &row.name, row.user_id.is_none()),
        tier: row.tier.into(),
        average: row.average,
        low: row.interval[0],
        high: row.interval[1],
        games: row.games,
    };
    Ok(Json(SideQuestBoard { contest, game, finale, least, rows: rows.iter().map(row).collect() }))
}
