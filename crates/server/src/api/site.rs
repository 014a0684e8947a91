//! The overview of the site, the statements, the starter bots.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use game::Lang;
use model::Tier;
use moka::sync::Cache;
use serde::Deserialize;
use utoipa::IntoParams;

use super::convert;
use super::response_cache::Ready;
use crate::contests::{ContestLookup as _, LeagueLookup as _};
use crate::extract::{Json, MaybeMe, Path, Query};
use crate::wire::{Counts, Kit, LanguageInfo, SearchResults, SearchedBot, Site, Text};
use crate::{ApiError, App, now_ms};

/// Data that does not change while the site runs.
#[derive(Debug)]
pub struct SiteCache {
    languages: std::sync::OnceLock<Vec<LanguageInfo>>,
    statements: Cache<RuleSet, Arc<str>>,
}

impl Default for SiteCache {
    fn default() -> SiteCache {
        SiteCache { languages: std::sync::OnceLock::new(), statements: Cache::new(MOST_STATEMENTS) }
    }
}

/// Most statements in the cache.
const MOST_STATEMENTS: u64 = 256;

/// Game, level of the league, edition, number of players, and whether the statement is in French.
type RuleSet = (String, u8, String, u8, bool);

/// The games, contests and languages of the site.
#[utoipa::path(get, path = "/site", tag = "site", responses((status = 200, body = Site)))]
pub(crate) async fn site(State(app): State<App>, asked: HeaderMap) -> Result<Response, ApiError> {
    let answer = app.responses.get("site".to_owned(), async { Ready::new(&describe(&app).await?) });
    Ok(answer.await?.answer(&asked))
}

async fn describe(app: &App) -> Result<Site, ApiError> {
    let contests = app.contests().await?;
    let standing = contests.by_key(None)?;
    let counts = app.store.counts().await?;
    let announcement = app.store.announcements(now_ms()).await?.into_iter().next();
    let going_on = contests.all().iter().filter(|known| known.contest.state != model::ContestState::Closed);
    Ok(Site {
        title: app.config.title.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        games: convert::games(standing),
        contests: going_on.map(|known| convert::contest(known)).collect(),
        languages: languages(app).await?,
        signup: app.config.signup,
        mail: app.config.smtp.is_some(),
        announcement: announcement.map(|said| Text {
            en: game::text::safe_text(&said.en, 2000),
            fr: game::text::safe_text(&said.fr, 2000),
        }),
        counts: Counts {
            users: counts.users,
            bots: counts.bots,
            matches: counts.matches,
            queued: counts.queue.queued,
            running: counts.queue.leased,
        },
    })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchAsk {
    /// Part of a name or title, at least 2 characters, or the id of a match.
    q: String,
}

/// Users, teams, built-in bots and contests by name, and matches by id.
#[utoipa::path(get, path = "/search", tag = "site", params(SearchAsk), responses((status = 200, body = SearchResults)))]
pub(crate) async fn search(
    State(app): State<App>,
    me: MaybeMe,
    Query(ask): Query<SearchAsk>,
) -> Result<Json<SearchResults>, ApiError> {
    let text = game::text::safe_line(ask.q.trim(), 60);
    let contests = app.contests().await?;
    let number = text.trim_start_matches('#').parse::<i64>().ok();
    let game_match = match number {
        Some(id) => super::matches::find(&app, model::MatchId(id), &me).await.ok(),
        None => None,
    };
    let mut results = SearchResults {
        users: Vec::new(),
        bots: Vec::new(),
        contests: Vec::new(),
        game_match: game_match.map(|row| convert::match_info(&row, &contests)),
    };
    if text.chars().count() < 2 {
        return Ok(Json(results));
    }
    results.users = app.store.find_users(&text).await?.iter().map(|name| convert::name(name)).collect();
    for bot in app.store.find_bots(&text).await?.into_iter().filter(|bot| bot.user_id.is_none()) {
        results.bots.push(SearchedBot {
            bot: convert::bot_ref(bot.id, &bot.name, true),
            contest: contests.key_of(bot.contest_id),
            game: bot.game,
            tier: bot.tier.into(),
        });
    }
    let wanted = text.to_lowercase();
    let is_meant = |known: &&std::sync::Arc<crate::contests::ContestEntry>| {
        known.contest.title.to_lowercase().contains(&wanted) || known.contest.key.contains(&wanted)
    };
    results.contests = contests.all().iter().filter(is_meant).map(|known| convert::contest(known)).collect();
    Ok(Json(results))
}

/// The languages that this host or a worker of its cluster can run.
async fn languages(app: &App) -> Result<Vec<LanguageInfo>, ApiError> {
    let mut languages = own_languages(app).await?;
    let elsewhere = app.service.languages_of_workers().await?;
    for language in languages.iter_mut().filter(|language| elsewhere.contains(&language.name)) {
        language.available = true;
    }
    Ok(languages)
}

/// The languages that this host can run, detected once.
async fn own_languages(app: &App) -> Result<Vec<LanguageInfo>, ApiError> {
    if let Some(languages) = app.site.languages.get() {
        return Ok(languages.clone());
    }
    let found = super::aside(|| {
        let language = |language: &toolchain::Language| LanguageInfo {
            name: language.name.to_owned(),
            extensions: language.extensions.iter().map(|&ending| ending.to_owned()).collect(),
            available: language.missing().is_none(),
        };
        toolchain::LANGUAGES.iter().map(language).collect::<Vec<_>>()
    });
    let found = found.await?;
    Ok(app.site.languages.get_or_init(|| found).clone())
}

/// The language of a submission, if it can be run.
pub(crate) async fn language(app: &App, asked: &str) -> Result<String, ApiError> {
    let languages = languages(app).await?;
    let known =
        languages.iter().find(|language| language.name.eq_ignore_ascii_case(asked) && language.available);
    known.map(|language| language.name.clone()).ok_or_else(|| {
        let names: Vec<&str> = languages
            .iter()
            .filter(|language| language.available)
            .map(|language| language.name.as_str())
            .collect();
        ApiError::new(
            axum::http::StatusCode::BAD_REQUEST,
            "no_language",
            format!("bots in {} cannot be run here", game::quote(asked.as_bytes())),
            format!("choose one of: {}", names.join(", ")),
        )
    })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatementAsk {
    /// Tier, 0 is the lowest; default: 0.
    #[serde(alias = "league")]
    tier: Option<i64>,
    /// Language of the text: `en` or `fr`; default: `en`.
    lang: Option<String>,
    /// Key of the contest; default: the permanent contest `arena`.
    contest: Option<String>,
    /// Number of players; default: the first number the league offers.
    players: Option<u8>,
}

/// The statement of a tier: its rules and the protocol, as Markdown.
#[utoipa::path(get, path = "/games/{game}/statement", tag = "games", params(("game" = String, Path), StatementAsk), responses(
    (status = 200, description = "The statement", body = String, content_type = "text/markdown"),
))]
pub(crate) async fn statement(
    State(app): State<App>,
    Path(game): Path<String>,
    Query(ask): Query<StatementAsk>,
) -> Result<Response, ApiError> {
    let contests = app.contests().await?;
    let league = contests.by_key(ask.contest.as_deref())?.league(&game, Tier(ask.tier.unwrap_or(0)))?;
    let found = catalog::find(&game)
        .map_err(|why| ApiError::bad(why.to_string(), "GET /api/v1/site lists the games"))?;
    let players = ask.players.or_else(|| league.players.first().copied()).unwrap_or(2);
    let selected = league
        .selected(found, players)
        .map_err(|why| ApiError::bad(why.to_string(), "leave `players` out for the usual number"))?;
    let french = ask.lang.as_deref() == Some("fr");
    let key = (game, selected.league, selected.edition.to_owned(), selected.players, french);
    let lang = if french { Lang::Fr } else { Lang::En };
    let text = app.site.statements.try_get_with(key, || found.statement(selected, lang).map(Arc::from));
    let text = text.map_err(ApiError::internal)?;
    let headers = [
        (header::CONTENT_TYPE, "text/markdown; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=300"),
    ];
    Ok((headers, text.to_string()).into_response())
}

/// The starter bots of a game, one for each programming language.
#[utoipa::path(get, path = "/games/{game}/kits", tag = "games", params(("game" = String, Path)), responses(
    (status = 200, body = Vec<Kit>),
))]
pub(crate) async fn kits(Path(game): Path<String>) -> Result<Response, ApiError> {
    catalog::find(&game).map_err(|_| ApiError::not_found("game"))?;
    let kit = |kit: toolchain::Kit| Kit {
        language: kit.language.name.to_owned(),
        file: kit.file.to_owned(),
        source: kit.source.to_owned(),
    };
    let kits: Vec<Kit> = toolchain::kits(&game).into_iter().map(kit).collect();
    Ok(([(header::CACHE_CONTROL, "public, max-age=300")], axum::Json(kits)).into_response())
}
