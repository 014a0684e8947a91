//! Bots and their authors.

use axum::extract::State;
use model::{BotId, LadderKind, UserId};
use store::{Bot, MatchFilter};

use super::convert;
use crate::contests::Contests;
use crate::extract::{AuthUser, Json, MaybeMe, Me, Path};
use crate::wire::{
    BotCard, BotPage, History, HistoryPoint, MatchInfo, OpponentInfo, OwnBot, Profile, PromotionInfo, Trial,
};
use crate::{ApiError, App};

/// Most errors in the page of a bot.
const ERRORS: i64 = 10;

fn is_owner(bot: &Bot, me: Option<&AuthUser>) -> bool {
    bot.user_id.is_some() && bot.user_id == me.map(|me| me.id)
}

async fn card(
    app: &App,
    contests: &Contests,
    page: &store::BotPage,
    me: Option<&AuthUser>,
) -> Result<BotCard, ApiError> {
    let bot = &page.bot;
    let active = match bot.active_version {
        Some(version) => app.store.version(version).await?,
        None => None,
    };
    let leagues = contests.by_id(bot.contest_id).and_then(|known| known.settings.games.of(&bot.game));
    let standings = page.standings.iter().filter(|placed| placed.ladder.kind != LadderKind::Test);
    Ok(BotCard {
        bot: convert::of_bot(bot),
        contest: contests.key_of(bot.contest_id),
        game: bot.game.clone(),
        tier: bot.tier.into(),
        active: active.map(|version| convert::version_info(&version, bot.active_version)),
        paused: bot
            .paused
            .as_deref()
            .filter(|_| is_owner(bot, me))
            .map(|why| game::text::safe_text(why, 2000)),
        standings: standings.map(|placed| convert::standing(placed, leagues)).collect(),
    })
}

/// A bot in detail. Its versions, pauses and errors are for its owner only.
#[utoipa::path(get, path = "/bots/{id}", tag = "bots", params(("id" = i64, Path)), responses(
    (status = 200, body = BotPage),
))]
pub(crate) async fn bot(
    State(app): State<App>,
    MaybeMe(me): MaybeMe,
    Path(id): Path<BotId>,
) -> Result<Json<BotPage>, ApiError> {
    let contests = app.contests().await?;
    let page = app.store.bot_page(id).await?.ok_or_else(|| ApiError::not_found("bot"))?;
    let mut history = Vec::new();
    for placed in page.standings.iter().filter(|placed| placed.ladder.kind.rates()) {
        let points = app.store.bot_history(placed.standing.version_id, placed.ladder.id).await?;
        let point = |point: &store::HistoryPoint| HistoryPoint {
            id: point.match_id.into(),
            at: point.at,
            rating: point.rating,
            uncertainty: point.uncertainty,
        };
        history.push(History {
            tier: placed.ladder.tier.into(),
            players: placed.ladder.players as u8,
            points: points.iter().map(point).collect(),
        });
    }
    let opponents = app.store.opponents(id).await?;
    let opponent = |other: &store::Opponent| OpponentInfo {
        bot: convert::bot_ref(other.bot_id, &other.name, other.built_in.is_some()),
        wins: other.wins,
        draws: other.draws,
        losses: other.losses,
    };
    let promotions = app.store.promotions_of(id).await?;
    let promotion = |step: &store::Promotion| PromotionInfo {
        from: step.from_tier.into(),
        to: step.to_tier.into(),
        at: step.at,
    };
    let own =
        if is_owner(&page.bot, me.as_ref()) { Some(own(&app, &contests, &page.bot).await?) } else { None };
    Ok(Json(BotPage {
        card: card(&app, &contests, &page, me.as_ref()).await?,
        history,
        opponents: opponents.iter().map(opponent).collect(),
        promotions: promotions.iter().map(promotion).collect(),
        own,
    }))
}

async fn own(app: &App, contests: &Contests, bot: &Bot) -> Result<OwnBot, ApiError> {
    let versions = app.store.versions(bot.id, None).await?;
    let errors = app.store.matches_of(bot.id, MatchFilter::Errors, None, ERRORS).await?;
    Ok(OwnBot {
        versions: versions.iter().map(|version| convert::version_info(version, bot.active_version)).collect(),
        errors: errors.iter().map(|row| convert::match_info(row, contests)).collect(),
        trial: trial(app, contests, bot).await?,
    })
}

/// The last best of five of the active version.
async fn trial(app: &App, contests: &Contests, bot: &Bot) -> Result<Option<Trial>, ApiError> {
    let Some(version) = bot.active_version else { return Ok(None) };
    let mut rows = app.store.matches_of_version(version, LadderKind::Trial, 40).await?;
    rows.retain(|row| row.tier == bot.tier);
    let Some(round) = rows.iter().map(|row| row.round).max() else { return Ok(None) };
    rows.retain(|row| row.round == round);
    rows.reverse();
    let (mut trial, mut all_played) = (model::Trial::default(), true);
    for row in &rows {
        let own = row.seats.iter().find(|seat| seat.version_id == version);
        match own.and_then(|seat| seat.outcome) {
            Some(store::Outcome::Won) => trial.wins += 1,
            Some(store::Outcome::Drawn) => trial.draws += 1,
            Some(store::Outcome::Lost) => trial.losses += 1,
            None => all_played &= row.state == store::MatchState::Void,
        }
    }
    Ok(Some(Trial {
        wins: trial.wins,
        draws: trial.draws,
        losses: trial.losses,
        over: all_played && trial.verdict().is_some(),
        matches: rows.iter().map(|row| convert::match_info(row, contests)).collect::<Vec<MatchInfo>>(),
    }))
}

/// The bots of the signed-in user.
#[utoipa::path(get, path = "/me/bots", tag = "bots", responses((status = 200, body = Vec<BotCard>)))]
pub(crate) async fn mine(State(app): State<App>, Me(me): Me) -> Result<Json<Vec<BotCard>>, ApiError> {
    cards(&app, me.id, Some(&me)).await.map(Json)
}

async fn cards(app: &App, user: UserId, me: Option<&AuthUser>) -> Result<Vec<BotCard>, ApiError> {
    let contests = app.contests().await?;
    let mut cards = Vec::new();
    for page in app.store.profile(user).await?.into_iter().flat_map(|profile| profile.bots) {
        cards.push(card(app, &contests, &page, me).await?);
    }
    Ok(cards)
}

/// A user and the user's bots.
#[utoipa::path(get, path = "/users/{name}", tag = "bots", params(("name" = String, Path)), responses(
    (status = 200, body = Profile),
))]
pub(crate) async fn user(
    State(app): State<App>,
    MaybeMe(me): MaybeMe,
    Path(name): Path<String>,
) -> Result<Json<Profile>, ApiError> {
    let user = app.store.user_by_name(&name).await?.ok_or_else(|| ApiError::not_found("player"))?;
    let bots = cards(&app, user.id, me.as_ref()).await?;
    Ok(Json(Profile { name: convert::name(&user.name), created: user.created, bots }))
}
