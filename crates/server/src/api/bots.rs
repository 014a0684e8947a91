//! Bots and their authors.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use model::{BotId, LadderKind, UserId};
use store::{Bot, MapResult, MatchFilter, Outcome};

use super::convert;
use super::response_cache::Ready;
use crate::contests::{Contests, LeagueLookup as _};
use crate::extract::{AuthUser, Json, MaybeMe, Me, Path};
use crate::wire::{
    Badge, BotCard, BotPage, FightPage, HeadToHead, History, HistoryPoint, MapFeature, MapGroup,
    OpponentInfo, OwnBot, Profile, PromotionInfo, SeatResults, Text, Trial,
};
use crate::{ApiError, App};

/// Most errors in the page of a bot.
const ERRORS: i64 = 10;

fn is_owner(bot: &Bot, me: Option<&AuthUser>) -> bool {
    me.is_some_and(|me| me.owns(bot.user_id))
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
    for ladder in app.store.rated_ladders_of(id).await? {
        let points = app.store.bot_history(id, ladder.id).await?;
        let point = |point: &store::HistoryPoint| HistoryPoint {
            id: point.match_id.into(),
            at: point.at,
            version: point.version,
            rating: point.rating,
            uncertainty: point.uncertainty,
        };
        history.push(History {
            tier: ladder.tier.into(),
            players: ladder.players as u8,
            finale: ladder.kind == LadderKind::Final,
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
    let fights = app.store.fights(id, None).await?;
    let worst = app.store.worst_losses(id).await?;
    let members = match page.bot.user_id {
        Some(user) => members(&app, user).await?,
        None => Vec::new(),
    };
    let own =
        if is_owner(&page.bot, me.as_ref()) { Some(own(&app, &contests, &page.bot).await?) } else { None };
    Ok(Json(BotPage {
        card: card(&app, &contests, &page, me.as_ref()).await?,
        history,
        opponents: opponents.iter().map(opponent).collect(),
        promotions: promotions.iter().map(promotion).collect(),
        fights: fights.iter().map(convert::fight).collect(),
        worst: worst.iter().map(|row| convert::match_info(row, &contests)).collect(),
        says: says(&page.bot),
        members,
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

/// The names of the members of a team; empty for a user.
async fn members(app: &App, team: UserId) -> Result<Vec<String>, ApiError> {
    let members = app.store.members_of_team(team).await?;
    Ok(members.iter().map(|member| convert::name(&member.name)).collect())
}

/// What a built-in bot says about itself.
fn says(bot: &Bot) -> Option<Text> {
    let motto = bot.built_in.as_deref().and_then(|name| model::motto_of(&bot.game, name));
    motto.as_ref().map(convert::text)
}

/// The last best of five of the active version.
async fn trial(app: &App, contests: &Contests, bot: &Bot) -> Result<Option<Trial>, ApiError> {
    let fights = app.store.fights(bot.id, None).await?;
    let of_version =
        |fight: &&store::FightRow| Some(fight.version_id) == bot.active_version && fight.tier == bot.tier;
    Ok(fights.iter().find(of_version).map(|fight| {
        let info = convert::fight(fight);
        Trial {
            wins: info.wins,
            draws: info.draws,
            losses: info.losses,
            round: info.round,
            over: info.over,
            won: info.won,
            matches: fight.matches.iter().map(|row| convert::match_info(row, contests)).collect(),
        }
    }))
}

/// A boss fight: a best of five of a bot against the boss of its league.
#[utoipa::path(get, path = "/bots/{id}/fights/{round}", tag = "bots",
    params(("id" = i64, Path), ("round" = i64, Path)), responses((status = 200, body = FightPage)))]
pub(crate) async fn fight(
    State(app): State<App>,
    MaybeMe(me): MaybeMe,
    Path((id, round)): Path<(BotId, i64)>,
) -> Result<Json<FightPage>, ApiError> {
    let nothing = || ApiError::not_found("boss fight");
    let contests = app.contests().await?;
    let bot = app.store.bot(id).await?.ok_or_else(nothing)?;
    let fight = app.store.fights(id, Some(round)).await?.into_iter().next().ok_or_else(nothing)?;
    let seats = || fight.matches.iter().flat_map(|row| &row.seats);
    let boss = seats().find(|seat| seat.bot_id != id).ok_or_else(nothing)?;
    let boss = app.store.bot(boss.bot_id).await?.ok_or_else(nothing)?;
    let version = seats().find(|seat| seat.bot_id == id).map_or(0, |seat| seat.number);
    let begun = fight.matches.iter().filter(|row| row.state != store::MatchState::Queued);
    Ok(Json(FightPage {
        fight: convert::fight(&fight),
        contest: contests.key_of(bot.contest_id),
        game: bot.game.clone(),
        bot: convert::of_bot(&bot),
        version,
        says: says(&boss),
        boss: convert::of_bot(&boss),
        matches: begun.map(|row| convert::match_info(row, &contests)).collect(),
        own: is_owner(&bot, me.as_ref()),
    }))
}

/// The results of a bot by the numbers of the maps, in its last matches in its current league.
#[utoipa::path(get, path = "/bots/{id}/maps", tag = "bots", params(("id" = i64, Path)), responses(
    (status = 200, body = Vec<MapFeature>),
))]
pub(crate) async fn maps(
    State(app): State<App>,
    Path(id): Path<BotId>,
    asked: HeaderMap,
) -> Result<Response, ApiError> {
    let answer = app.responses.get(format!("maps {id}"), async {
        let bot = app.store.bot(id).await?.ok_or_else(|| ApiError::not_found("bot"))?;
        let contests = app.contests().await?;
        let known = contests.by_id(bot.contest_id).ok_or_else(|| ApiError::not_found("contest"))?;
        let league = known.league(&bot.game, bot.tier)?.clone();
        let results = app.store.map_results(id, bot.tier).await?;
        let game = catalog::find(&bot.game).map_err(ApiError::internal)?;
        let features = super::aside(move || map_features(game, &league, &results)).await?;
        Ready::new(&features.map_err(ApiError::internal)?)
    });
    Ok(answer.await?.answer(&asked))
}

/// Groups results by each number of the maps. A number that is the same on all maps is left out.
fn map_features(
    game: &dyn catalog::AnyGame,
    league: &model::League,
    results: &[MapResult],
) -> Result<Vec<MapFeature>, model::LeaguesError> {
    let mut maps: Vec<Vec<game::Feature>> = Vec::with_capacity(results.len());
    for result in results {
        let selected = league.selected(game, result.players as u8)?;
        maps.push(game.start(selected, result.seed).features());
    }
    let Some(first) = maps.first() else { return Ok(Vec::new()) };
    let feature = |(at, one): (usize, &game::Feature)| {
        let values: Vec<f64> = maps.iter().map(|map| map[at].value).collect();
        let group = |(low, high): (f64, f64)| {
            let mut group = MapGroup { low, high, wins: 0, draws: 0, losses: 0 };
            let inside = |(value, _): &(&f64, &MapResult)| low <= **value && **value <= high;
            for (_, result) in values.iter().zip(results).filter(inside) {
                match result.outcome {
                    Outcome::Won => group.wins += 1,
                    Outcome::Drawn => group.draws += 1,
                    Outcome::Lost => group.losses += 1,
                }
            }
            group
        };
        let groups = rating::buckets(&values).into_iter().map(group).collect();
        MapFeature { name: one.name.to_owned(), unit: one.unit.to_owned(), groups }
    };
    Ok(first.iter().enumerate().map(feature).filter(|feature| feature.groups.len() > 1).collect())
}

/// The number of matches on the page of two bots.
const MATCHES: i64 = 25;

/// The results of two bots against each other.
#[utoipa::path(get, path = "/bots/{id}/against/{other}", tag = "bots",
    params(("id" = i64, Path), ("other" = i64, Path)), responses((status = 200, body = HeadToHead)))]
pub(crate) async fn head_to_head(
    State(app): State<App>,
    Path((id, other)): Path<(BotId, BotId)>,
) -> Result<Json<HeadToHead>, ApiError> {
    let contests = app.contests().await?;
    let bot = app.store.bot(id).await?.ok_or_else(|| ApiError::not_found("bot"))?;
    let other = app.store.bot(other).await?.ok_or_else(|| ApiError::not_found("bot"))?;
    let results = app.store.head_to_head(bot.id, other.id).await?;
    let matches = app.store.matches_between(bot.id, other.id, MATCHES).await?;
    let result = |one: &store::HeadToHead| SeatResults {
        tier: one.tier.into(),
        seat: one.seat as u8,
        wins: one.wins,
        draws: one.draws,
        losses: one.losses,
    };
    Ok(Json(HeadToHead {
        contest: contests.key_of(bot.contest_id),
        game: bot.game.clone(),
        bot: convert::of_bot(&bot),
        other: convert::of_bot(&other),
        results: results.iter().map(result).collect(),
        matches: matches.iter().map(|row| convert::match_info(row, &contests)).collect(),
    }))
}

/// The bots of the signed-in user, and of the user's teams.
#[utoipa::path(get, path = "/me/bots", tag = "bots", responses((status = 200, body = Vec<BotCard>)))]
pub(crate) async fn mine(State(app): State<App>, Me(me): Me) -> Result<Json<Vec<BotCard>>, ApiError> {
    let mut all = cards(&app, me.id, Some(&me)).await?;
    for &team in &me.teams {
        all.extend(cards(&app, team, Some(&me)).await?);
    }
    Ok(Json(all))
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
    Ok(Json(Profile {
        name: convert::name(&user.name),
        created: user.created,
        badges: badges(&app, &bots).await?,
        bots,
        about: user.about.as_deref().map(|about| game::text::safe_text(about, 300)),
        members: members(&app, user.id).await?,
    }))
}

/// The promotions of bots, and their places among the best three of a final.
async fn badges(app: &App, bots: &[BotCard]) -> Result<Vec<Badge>, ApiError> {
    let mut badges = Vec::new();
    for card in bots {
        let badge = |tier: i64, place: Option<i64>, at: Option<i64>| Badge {
            contest: card.contest.clone(),
            game: card.game.clone(),
            bot: card.bot.id,
            tier,
            place,
            at,
        };
        for standing in card.standings.iter().filter(|standing| standing.kind == LadderKind::Final.word()) {
            let podium = standing.place.filter(|place| *place <= 3);
            badges.extend(podium.map(|place| badge(standing.tier, Some(place), None)));
        }
        let promotions = app.store.promotions_of(BotId(card.bot.id)).await?;
        badges.extend(promotions.iter().map(|step| badge(step.to_tier.into(), None, Some(step.at))));
    }
    badges.sort_by_key(|badge| (badge.place.is_none(), badge.at.map(std::cmp::Reverse)));
    Ok(badges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_match_is_in_one_group_of_each_feature() {
        let game = catalog::find("hypersonic").unwrap();
        let leagues = model::Leagues::usual();
        let league = leagues.of("hypersonic").unwrap().leagues.last().unwrap().clone();
        let outcomes = [Outcome::Won, Outcome::Drawn, Outcome::Lost];
        let result = |seed: i64| MapResult { seed, players: 2, outcome: outcomes[seed as usize % 3] };
        let results: Vec<MapResult> = (0..60).map(result).collect();
        let features = map_features(game, &league, &results).unwrap();
        assert!(features.iter().any(|feature| feature.name == "boxes"), "{features:?}");
        for feature in &features {
            let sum = |count: fn(&MapGroup) -> i64| feature.groups.iter().map(count).sum::<i64>();
            let counts = [sum(|group| group.wins), sum(|group| group.draws), sum(|group| group.losses)];
            assert_eq!(counts, [20, 20, 20], "{feature:?}");
            assert!(feature.groups.windows(2).all(|pair| pair[0].high < pair[1].low), "{feature:?}");
        }
        assert!(map_features(game, &league, &[]).unwrap().is_empty());
    }
}
