//! Lists of matches, and the page of a match.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse as _, Response};
use model::{BotId, MatchId, Tier};
use serde::Deserialize;
use store::{MatchFilter, MatchList, MatchRow, MatchSearch, Outcome};
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
    /// Id of a bot: lists its matches, for admins including those that wait; without other properties than `filter`,
    /// `contest`, `game` and `tier` are ignored.
    bot: Option<i64>,
    /// Only with `bot`: `all`, `won`, `lost` or `errors`; default: `all`.
    filter: Option<String>,
    /// Name of a player: a user, a team or a built-in bot.
    player: Option<String>,
    /// Name of another player of the match.
    opponent: Option<String>,
    /// Result of `player` or `bot` (without one: of any player): `won`, `drawn` or `lost`.
    result: Option<String>,
    /// Fault by which `player` or `bot` (without one: any player) lost: `timeout`, `crash`, `invalid`, `flood`, `memory`;
    /// `any` for any fault.
    cause: Option<String>,
    /// Seed of the map.
    seed: Option<String>,
    /// Smallest number of turns.
    min_turns: Option<i64>,
    /// Largest number of turns.
    max_turns: Option<i64>,
    /// Earliest end.
    from: Option<i64>,
    /// Latest end.
    to: Option<i64>,
    /// Id of a match: lists older matches only.
    before: Option<i64>,
    /// Number of matches, at most 100; default: 30.
    limit: Option<i64>,
}

impl MatchesAsk {
    /// Whether it asks for more than the newest matches of a contest, game and tier, or of a bot.
    fn is_search(&self) -> bool {
        let texts = [&self.player, &self.opponent, &self.result, &self.cause, &self.seed];
        let numbers = [self.min_turns, self.max_turns, self.from, self.to];
        texts.into_iter().any(Option::is_some) || numbers.iter().any(Option::is_some)
    }

    fn search(&self, contest_id: Option<i64>, limit: i64) -> Result<MatchSearch, ApiError> {
        let outcome: Option<Outcome> =
            match self.result.as_deref() {
                None => None,
                Some(word) => Some(word.parse().map_err(|_| {
                    ApiError::bad("there is no such result", "choose one of: won, drawn, lost")
                })?),
            };
        let seed = match self.seed.as_deref() {
            None => None,
            Some(seed) => Some(
                seed.trim()
                    .parse()
                    .map_err(|_| ApiError::bad("a seed is a whole number", "change `seed`"))?,
            ),
        };
        let name = |name: &String| game::text::safe_line(name.trim(), 60);
        Ok(MatchSearch {
            contest_id,
            game: self.game.clone(),
            tier: self.tier.map(Tier),
            player: self.player.as_ref().map(name),
            bot: self.bot.map(BotId),
            opponent: self.opponent.as_ref().map(name),
            outcome,
            cause: self
                .cause
                .as_deref()
                .map(|cause| if cause == "any" { String::new() } else { cause.to_owned() }),
            seed,
            turns: (self.min_turns, self.max_turns),
            finished: (self.from, self.to),
            before: self.before.map(MatchId),
            limit,
        })
    }
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
    let contest_id = match &ask.contest {
        Some(key) => Some(contests.by_key(Some(key))?.contest.id),
        None => None,
    };
    if ask.is_search() {
        let rows = app.store.find_matches(&ask.search(contest_id, limit)?).await?;
        return Ok(Json(page(&rows, me.as_ref())).into_response());
    }
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
