//! Converts rows of the store to the types of the API. Every name that a user chose is made safe to display here.

use contest::{GameLeagues, League};
use game::ScorePart;
use model::{BotId, LadderKind, Tier, VersionId};
use store::{BoardRow as StoredRow, Bot, MatchRow, Placed, SeatRow, Version};

use crate::contests::{ContestEntry, Contests};
use crate::extract::AuthUser;
use crate::wire::{
    BoardRow, BotRef, Contest, ContestState, FightInfo, GameInfo, LeagueInfo, LimitsInfo, MatchInfo,
    MatchKind, MatchState, SeatInfo, StandingInfo, Tally, Text, VersionInfo, VersionState, Way,
};

/// A name that a user chose, safe to display.
pub(crate) fn name(text: &str) -> String {
    game::text::safe_line(text, 60)
}

/// A bot of a user has the name of its author.
pub(crate) fn bot_ref(id: BotId, shown: &str, built_in: bool) -> BotRef {
    let shown = name(shown);
    BotRef { id: id.into(), user: (!built_in).then(|| shown.clone()), name: shown, built_in }
}

pub(crate) fn of_bot(bot: &Bot) -> BotRef {
    bot_ref(bot.id, &bot.name, bot.user_id.is_none())
}

pub(crate) fn text(text: &contest::Text) -> Text {
    Text { en: text.en.clone(), fr: text.fr.clone() }
}

/// The public data of a match.
pub(crate) fn match_info(row: &MatchRow, contests: &Contests) -> MatchInfo {
    let state = match row.state {
        store::MatchState::Queued => MatchState::Queued,
        store::MatchState::Leased => MatchState::Running,
        store::MatchState::Done => MatchState::Done,
        store::MatchState::Void => MatchState::Void,
    };
    MatchInfo {
        id: row.id.into(),
        contest: contests.key_of(row.contest_id),
        game: row.game.clone(),
        tier: row.tier.into(),
        kind: kind(row.kind),
        // The map of a match is a secret until the match begins.
        seed: if state == MatchState::Queued { String::new() } else { row.seed.to_string() },
        state,
        created: row.created,
        started: row.started,
        finished: row.finished,
        seats: seats(row),
        reason: row.ending.get("reason").and_then(|reason| reason.as_str()).map(name),
    }
}

fn kind(kind: LadderKind) -> MatchKind {
    match kind {
        LadderKind::Ladder => MatchKind::Ladder,
        LadderKind::Trial => MatchKind::Trial,
        LadderKind::Test => MatchKind::Test,
        LadderKind::Final => MatchKind::Final,
    }
}

fn seats(row: &MatchRow) -> Vec<SeatInfo> {
    let scores: Option<Vec<i64>> = row.seats.iter().map(|seat| seat.score).collect();
    let game = catalog::find(&row.game).ok();
    let parts = game.zip(scores).map_or_else(Vec::new, |(game, scores)| game.score_parts(&scores));
    let part = |at: usize| parts.get(at).copied().unwrap_or_default();
    row.seats.iter().enumerate().map(|(at, row)| seat(row, part(at))).collect()
}

fn seat(row: &SeatRow, part: ScorePart) -> SeatInfo {
    SeatInfo {
        seat: row.seat as u8,
        bot: bot_ref(row.bot_id, &row.name, row.user_id.is_none()),
        version: row.number.max(0),
        score: row.score,
        points: part.points,
        out: part.out,
        rank: row.rank.map(|rank| rank as u8),
        cause: row.cause.as_deref().map(name),
        side_quest: row.side_quest,
        rating: row.rating,
    }
}

/// The seats of the bots of an account.
pub(crate) fn seats_of(row: &MatchRow, me: Option<&AuthUser>) -> Vec<u8> {
    let Some(me) = me else { return Vec::new() };
    row.seats.iter().filter(|seat| me.owns(seat.user_id)).map(|seat| seat.seat as u8).collect()
}

/// Whether the client may see a match: test matches of a version are visible to its author only (not to the authors of its
/// opponents), other matches that
/// wait to admins only, so that no author can avoid an opponent or prepare for a map.
pub(crate) fn may_see(row: &MatchRow, me: Option<&AuthUser>) -> bool {
    if row.kind == LadderKind::Test {
        let is_author =
            |seat: &SeatRow| seat.part != store::Part::Opponent && seat.user_id == me.map(|me| me.id);
        return me.is_some() && row.seats.iter().any(is_author);
    }
    row.state != store::MatchState::Queued || me.is_some_and(|me| me.role == crate::wire::Role::Admin)
}

pub(crate) fn version_info(version: &Version, active: Option<VersionId>) -> VersionInfo {
    VersionInfo {
        id: version.id.into(),
        bot: version.bot_id.into(),
        number: version.number.max(0),
        language: version.language.clone(),
        state: match version.state {
            store::VersionState::Waiting => VersionState::Waiting,
            store::VersionState::Building => VersionState::Building,
            store::VersionState::Failed => VersionState::Failed,
            store::VersionState::Ready => VersionState::Ready,
        },
        tier: version.tier.into(),
        created: version.created,
        active: active == Some(version.id),
    }
}

fn tally(kept: &store::Tally) -> Tally {
    Tally {
        rating: kept.rating,
        uncertainty: kept.uncertainty,
        proven: kept.proven,
        games: kept.games,
        wins: kept.wins,
        draws: kept.draws,
        losses: kept.losses,
        failures: kept.failures,
    }
}

pub(crate) fn board_row(row: &StoredRow, leagues: &GameLeagues) -> BoardRow {
    let boss = leagues.league(row.tier).map(|league| league.boss.as_str());
    BoardRow {
        place: row.place,
        bot: bot_ref(row.bot_id, &row.name, row.user_id.is_none()),
        tier: row.tier.into(),
        tally: tally(&row.tally),
        boss: row.built_in.is_some() && row.built_in.as_deref() == boss,
    }
}

pub(crate) fn standing(placed: &Placed, leagues: Option<&GameLeagues>) -> StandingInfo {
    let row = &placed.standing;
    let league = leagues.and_then(|leagues| leagues.league(placed.ladder.tier));
    StandingInfo {
        tier: placed.ladder.tier.into(),
        players: placed.ladder.players as u8,
        kind: placed.ladder.kind.word().to_owned(),
        place: placed.place,
        of: placed.of,
        tally: tally(&row.tally),
        placement: league.map_or(0, |league| league.placement),
    }
}

pub(crate) fn contest(known: &ContestEntry) -> Contest {
    let stored = &known.contest;
    Contest {
        key: stored.key.clone(),
        title: name(&stored.title),
        starts: stored.starts,
        ends: stored.ends,
        invited_only: stored.invited_only,
        state: contest_state(stored.state),
        games: known.settings.games.0.iter().map(|of| of.game.clone()).collect(),
        team_size: known.settings.team_size.max(1),
    }
}

/// A boss fight.
pub(crate) fn fight(fight: &store::FightRow) -> FightInfo {
    let trial = &fight.trial;
    FightInfo {
        round: fight.round,
        tier: fight.tier.into(),
        wins: trial.wins,
        draws: trial.draws,
        losses: trial.losses,
        over: fight.over,
        won: trial.verdict() == Some(model::promotion::TrialVerdict::Rises),
        at: fight.began,
    }
}

pub(crate) fn contest_state(state: model::ContestState) -> ContestState {
    match state {
        model::ContestState::Planned => ContestState::Planned,
        model::ContestState::Running => ContestState::Running,
        model::ContestState::Final => ContestState::Final,
        model::ContestState::Closed => ContestState::Closed,
    }
}

/// The games of a contest with their leagues.
pub(crate) fn games(known: &ContestEntry) -> Vec<GameInfo> {
    known.settings.games.0.iter().filter_map(game_info).collect()
}

fn game_info(leagues: &GameLeagues) -> Option<GameInfo> {
    let game = catalog::find(&leagues.game).ok()?;
    let info = game.info();
    let last = leagues.leagues.last()?;
    let limits = game.limits(last.selected(game, *last.players.first()?).ok()?);
    Some(GameInfo {
        name: info.name.to_owned(),
        title: info.title.to_owned(),
        about: Text { en: info.about.to_owned(), fr: info.about_fr.to_owned() },
        built_in: toolchain::Builtin::names(game).into_iter().map(str::to_owned).collect(),
        leagues: leagues.tiers().map(|(tier, league)| league_info(&leagues.game, tier, league)).collect(),
        players: [info.min_players, info.max_players],
        hidden: info.hidden,
        side_quest: info.side_quest,
        limits: LimitsInfo { first_turn_ms: limits.first_turn_ms, turn_ms: limits.turn_ms },
    })
}

fn league_info(game: &str, tier: Tier, league: &League) -> LeagueInfo {
    LeagueInfo {
        tier: tier.into(),
        key: league.key.clone(),
        name: text(&league.name),
        about: text(&league.about),
        rules: league.rules,
        edition: league.edition.clone(),
        boss: league.boss.clone(),
        boss_name: model::title_of(game, &league.boss).to_owned(),
        boss_says: model::motto_of(game, &league.boss).as_ref().map(text),
        players: league.players.clone(),
        way: match league.way {
            contest::Way::BestOfFive => Way::BestOfFive,
            contest::Way::Ladder => Way::Ladder,
            contest::Way::Top => Way::Top,
        },
        placement: league.placement,
    }
}

#[cfg(test)]
mod tests {
    use model::UserId;
    use serde_json::json;

    use super::*;
    use crate::extract::By;
    use crate::wire::Role;

    fn row(kind: &str, state: &str) -> MatchRow {
        let seat = json!({"seat": 0, "version_id": 1, "number": 1, "bot_id": 1, "name": "Ada", "user_id": 7});
        serde_json::from_value(json!({
            "id": 1, "ladder_id": 1, "contest_id": 1, "game": "hypersonic", "tier": 0, "players": 2, "kind": kind,
            "seed": 42, "round": 0, "state": state, "attempts": 0, "lost": 0, "created": 1, "ending": null, "seats": [seat],
        }))
        .unwrap()
    }

    fn user(id: i64, role: Role) -> AuthUser {
        AuthUser {
            id: UserId(id),
            name: "x".to_owned(),
            role,
            lang: "en".to_owned(),
            must_change: false,
            by: By::Session(1),
            teams: Vec::new(),
        }
    }

    #[test]
    fn queued_matches_are_for_admins_only() {
        let (own, other, admin) = (user(7, Role::Player), user(8, Role::Player), user(9, Role::Admin));
        let seen = |row: &MatchRow| {
            [None, Some(&own), Some(&other), Some(&admin)].map(|client| may_see(row, client))
        };
        for kind in ["ladder", "trial", "final"] {
            assert_eq!(seen(&row(kind, "queued")), [false, false, false, true], "{kind}");
            assert_eq!(seen(&row(kind, "leased")), [true; 4], "{kind}");
        }
        assert_eq!(seen(&row("test", "queued")), [false, true, false, false]);
        let mut against = row("test", "done");
        against.seats[0].part = store::Part::Opponent;
        assert_eq!(seen(&against), [false; 4]);
        // The map stays a secret of the server, also for the author of a test.
        let contests = Contests::default();
        assert_eq!(match_info(&row("test", "queued"), &contests).seed, "");
        assert_eq!(match_info(&row("test", "leased"), &contests).seed, "42");
    }
}
