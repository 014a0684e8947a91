//! The consequences of a result: the pure function that [`store::Store::record`] calls inside its transaction.

use model::promotion::{Place, TrialVerdict, is_above_boss, is_broken};
use model::{BotId, GameLeagues, LadderKind, League, VersionId, Way};
use store::{Outcome, ResultContext, Verdict};

/// The promotions and pauses that follow from a result. `leagues` are the leagues of the contest and game of the match.
pub(crate) fn verdicts(leagues: &GameLeagues, context: &ResultContext) -> Vec<Verdict> {
    let Some(league) = leagues.league(context.ladder.tier) else { return Vec::new() };
    let mut verdicts = Vec::new();
    for seat in &context.seats {
        let is_players = seat.user_id.is_some() && seat.active;
        if !is_players || verdicts.iter().any(|verdict| bot_of(verdict) == seat.bot_id) {
            continue;
        }
        let bot_id = seat.bot_id;
        if !seat.paused && is_broken(&seat.recent, seat.played as u64) {
            let matches = seat.recent.len();
            let cause = seat.cause.as_deref().unwrap_or("failure");
            let why = format!("it failed in each of its last {matches} matches, the last time by {cause}");
            verdicts.push(Verdict::Pause { bot_id, why });
            continue;
        }
        let at_home = seat.tier == context.ladder.tier && leagues.league(seat.tier.next()).is_some();
        // Only a won match promotes: draws may raise a rating above the rating of the boss.
        if at_home && seat.outcome == Outcome::Won && rises(league, context, seat.version_id) {
            verdicts.push(Verdict::Promote { bot_id });
        }
    }
    verdicts
}

fn bot_of(verdict: &Verdict) -> BotId {
    match verdict {
        Verdict::Promote { bot_id } | Verdict::Pause { bot_id, .. } => *bot_id,
    }
}

fn rises(league: &League, context: &ResultContext, version: VersionId) -> bool {
    match (context.ladder.kind, league.way) {
        (LadderKind::Trial, Way::BestOfFive) => {
            let trial = context.trials.iter().find(|trial| trial.version_id == version);
            trial.is_some_and(|row| row.trial.verdict() == Some(TrialVerdict::Rises))
        }
        (LadderKind::Ladder, Way::Ladder) => {
            let places: Vec<Place> = league
                .players
                .iter()
                .map(|&players| {
                    let here = || context.standings.iter().filter(|one| one.players == i64::from(players));
                    let own = here().find(|one| one.standing.version_id == version);
                    let boss = here().find(|one| one.built_in.as_deref() == Some(&league.boss));
                    Place {
                        games: own.map_or(0, |own| own.standing.tally.games as u64),
                        rating: own.map_or(f64::NAN, |own| own.standing.tally.rating),
                        boss: boss
                            .filter(|boss| boss.standing.tally.games > 0)
                            .map(|boss| boss.standing.tally.rating),
                    }
                })
                .collect();
            is_above_boss(&places, league.placement)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use model::{Leagues, MatchId, Tier, Trial, UserId};
    use store::{ContextSeat, ContextStanding, Ladder, StandingRow, Tally, TrialRow};

    use super::*;

    fn seat(version: i64, user_id: Option<UserId>, tier: Tier) -> ContextSeat {
        ContextSeat {
            version_id: VersionId(version),
            bot_id: BotId(version * 10),
            user_id,
            built_in: user_id.is_none().then(|| "bronze".to_owned()),
            tier,
            active: true,
            paused: false,
            outcome: Outcome::Won,
            cause: None,
            recent: Vec::new(),
            played: 0,
        }
    }

    fn standing(players: i64, version: i64, rating: f64, games: i64) -> ContextStanding {
        let standing = StandingRow {
            ladder_id: players,
            version_id: VersionId(version),
            bot_id: BotId(version * 10),
            listed: true,
            tally: Tally {
                rating,
                uncertainty: 1.0,
                proven: rating - 3.0,
                games,
                wins: 0,
                draws: 0,
                losses: 0,
                failures: 0,
            },
            side_quest_sum: 0.0,
            side_quest_squares: 0.0,
            side_quest_games: 0,
            last_seq: 1,
        };
        ContextStanding { players, standing, built_in: (version == 1).then(|| "bronze".to_owned()) }
    }

    fn context(kind: LadderKind, tier: Tier, players: i64) -> ResultContext {
        let game = "hypersonic".to_owned();
        ResultContext {
            match_id: MatchId(7),
            ladder: Ladder { id: 1, contest_id: 1, game, tier, players, kind },
            round: 1,
            seats: vec![seat(1, None, tier), seat(2, Some(UserId(5)), tier)],
            standings: Vec::new(),
            trials: Vec::new(),
        }
    }

    fn leagues() -> &'static GameLeagues {
        Leagues::usual().of("hypersonic").unwrap()
    }

    #[test]
    fn a_won_trial_promotes() {
        let mut context = context(LadderKind::Trial, Tier(0), 2);
        let trial = TrialRow {
            round: 1,
            version_id: VersionId(2),
            bot_id: BotId(20),
            trial: Trial { wins: 2, draws: 0, losses: 1 },
            waiting: 2,
        };
        context.trials = vec![trial];
        assert!(verdicts(leagues(), &context).is_empty());
        context.trials[0].trial.wins = 3;
        let risen = [Verdict::Promote { bot_id: BotId(20) }];
        assert_eq!(verdicts(leagues(), &context), risen);
        // No promotion if the bot was promoted meanwhile, or another version plays now.
        context.seats[1].tier = Tier(1);
        assert!(verdicts(leagues(), &context).is_empty());
        context.seats[1].tier = Tier(0);
        context.seats[1].active = false;
        assert!(verdicts(leagues(), &context).is_empty());
    }

    #[test]
    fn promotion_needs_a_place_above_the_boss_on_both_ladders() {
        let mut context = context(LadderKind::Ladder, Tier(3), 2);
        context.standings =
            vec![standing(2, 1, 25.0, 50), standing(2, 2, 27.0, 20), standing(4, 1, 25.0, 50)];
        assert!(verdicts(leagues(), &context).is_empty(), "it has not played at tables of four");
        context.standings.push(standing(4, 2, 26.0, 19));
        assert!(verdicts(leagues(), &context).is_empty(), "one match is missing");
        context.standings[3].standing.tally.games = 20;
        assert_eq!(verdicts(leagues(), &context), [Verdict::Promote { bot_id: BotId(20) }]);
        context.seats[1].outcome = Outcome::Drawn;
        assert!(verdicts(leagues(), &context).is_empty(), "a draw does not promote");
        context.seats[1].outcome = Outcome::Won;
        context.standings[0].standing.tally.rating = 27.5;
        assert!(verdicts(leagues(), &context).is_empty());
        // There is no promotion from the last league.
        context.standings[0].standing.tally.rating = 25.0;
        context.ladder.tier = Tier(6);
        context.seats[1].tier = Tier(6);
        assert!(verdicts(leagues(), &context).is_empty());
        context.ladder.tier = Tier(99);
        assert!(verdicts(leagues(), &context).is_empty());
    }

    #[test]
    fn a_bot_that_fails_repeatedly_is_paused_with_a_reason() {
        let mut context = context(LadderKind::Ladder, Tier(3), 2);
        context.seats[1].cause = Some("crash".into());
        context.seats[1].recent = vec![true; 5];
        context.seats[1].played = 5;
        let Verdict::Pause { bot_id, why } = &verdicts(leagues(), &context)[0] else { panic!("not paused") };
        assert_eq!(
            (*bot_id, why.as_str()),
            (BotId(20), "it failed in each of its last 5 matches, the last time by crash")
        );
        context.seats[1].paused = true;
        assert!(verdicts(leagues(), &context).is_empty());
        // Built-in bots are never paused.
        context.seats[0].recent = vec![true; 10];
        context.seats[0].played = 10;
        assert!(verdicts(leagues(), &context).is_empty());
    }
}
