//! The bots of Ocean of Code keep to the rules against every opponent, and play the same game twice.

// The helpers are for tests only.
#![allow(clippy::unwrap_used)]

use bots::{BuiltIn, Lines, Lost, Mind, Seating, Thinking};
use catalog::built_in::play;
use game::{Dice, Game, Match, Seat, Selected, Selection};
use ocean_of_code::OceanOfCode;

const GAME: &str = "ocean-of-code";

fn game() -> &'static dyn catalog::AnyGame {
    catalog::find(GAME).unwrap()
}

fn rules(league: u8) -> Selected {
    let asked = Selection { league: Some(league), ..Selection::default() };
    OceanOfCode::info().select(&asked).unwrap()
}

fn seated(bot: &BuiltIn, league: u8, seed: u64) -> Box<dyn Mind> {
    (bot.sit)(&Seating { selected: rules(league), seed })
}

/// The answers of a match between two built-in bots. None may be wrong.
fn answers(bots: [&BuiltIn; 2], league: u8, seed: i64, nodes: u64) -> Vec<Vec<u8>> {
    let mut minds = [seated(bots[0], league, 1), seated(bots[1], league, 2)];
    let mut play = game().start(rules(league), seed);
    let mut first = [true; 2];
    let mut answers = Vec::new();
    while let Some(seat) = play.awaited().into_iter().next() {
        let mut question = String::new();
        play.question(seat, &mut question);
        let budget = Thinking::Nodes(nodes).begin(std::mem::take(&mut first[seat.index()]));
        let answer = minds[seat.index()].answer(&mut Lines::new(&mut question.as_bytes()), budget).unwrap();
        play.answer(seat, Some(&answer)).unwrap();
        answers.push(answer);
    }
    assert!(play.faults().is_empty(), "{} - {} seed {seed}: {:?}", bots[0].name, bots[1].name, play.faults());
    answers
}

#[test]
fn every_league_has_a_boss_and_all_names_are_there() {
    for league in 1..=4 {
        assert_eq!(game().boss(league).map(|bot| bot.league), Some(Some(league)));
    }
    for name in ["bronze", "silver", "gold", "legend", "champion"] {
        assert!(game().bot(name).is_some_and(|bot| bot.league.is_none()), "{name}");
    }
}

#[test]
fn no_bot_makes_a_mistake_against_any_other() {
    for (i, a) in game().ladder().iter().enumerate() {
        for (j, b) in game().ladder().iter().enumerate() {
            let league = 1 + ((i + j) % 4) as u8;
            answers([a, b], league, (i * 16 + j) as i64, [1, 30, 500][(i + j) % 3]);
        }
    }
}

#[test]
fn the_response_to_the_champion_makes_no_mistake() {
    let champion = game().bot("champion").unwrap();
    for seed in 0..4 {
        answers([&ocean_of_code_bots::RESPONSE, champion], 4, seed, 500);
    }
}

#[test]
fn every_bot_plays_every_league() {
    for league in 1..=4 {
        for bot in game().ladder() {
            answers([bot, bot], league, i64::from(league) + 100, 300);
        }
    }
}

#[test]
fn the_same_nodes_give_the_same_game() {
    for bot in game().ladder() {
        let one = answers([bot, bot], 4, 7, 2000);
        let two = answers([bot, bot], 4, 7, 2000);
        assert_eq!(one, two, "{}", bot.name);
    }
}

/// Random play does what no bot would: it shoots itself, goes silent in place, lays mines in a row.
#[test]
fn no_bot_makes_a_mistake_against_random_play() {
    for bot in game().ladder() {
        for (seed, league) in (1..=4).map(|league| (i64::from(league) * 31, league)) {
            for seat in [Seat(0), Seat(1)] {
                let mut mind = seated(bot, league, 9);
                let mut dice = Dice::new(seed as u64);
                let mut play = Match::<OceanOfCode>::new(OceanOfCode::rule_set(rules(league)), seed);
                let mut first = true;
                while let Some(awaited) = play.awaited().into_iter().next() {
                    let answer = if awaited == seat {
                        let mut question = String::new();
                        play.question(awaited, &mut question);
                        let budget = Thinking::Nodes(200).begin(std::mem::take(&mut first));
                        mind.answer(&mut Lines::new(&mut question.as_bytes()), budget).unwrap()
                    } else {
                        OceanOfCode::print(&play.game().random_order(play.state(), awaited, &mut dice))
                    };
                    play.answer(awaited, Some(&answer)).unwrap();
                }
                assert!(play.faults().is_empty(), "{} seed {seed} {seat:?}: {:?}", bot.name, play.faults());
            }
        }
    }
}

/// A bot goes on playing after impossible reports in the right form, and refuses lines in the wrong form.
#[test]
fn impossible_reports_are_survived() {
    let open = format!("15 15 0\n{}", "...............\n".repeat(15));
    for bot in game().ladder() {
        let mut mind = seated(bot, 4, 3);
        let mut ask =
            |text: &str| mind.answer(&mut Lines::new(&mut text.as_bytes()), Thinking::Nodes(50).begin(false));
        ask(&open).unwrap();
        for orders in [
            "MOVE N|TORPEDO 0 0|SURFACE 9|TRIGGER 14 14|MINE|SILENCE|SONAR 4",
            "TORPEDO 0 0|TRIGGER 14 14",
            "SURFACE 1|SURFACE 9",
            "MOVE N|MOVE S|MOVE N",
        ] {
            for numbers in ["0 0 6 1 0 0 0 0", "14 14 1 6 3 4 6 3", "7 7 -1 99 0 0 0 0"] {
                let answer = ask(&format!("{numbers}\nY\n{orders}\n")).unwrap();
                assert!(!answer.is_empty(), "{}", bot.name);
            }
        }
        assert!(matches!(ask("1 2 3\n"), Err(Lost::Misread { .. })));
        assert!(matches!(ask(""), Err(Lost::Over)));
    }
}

/// The nodes are limited, so the matches are the same on every machine.
#[test]
fn the_champion_beats_a_boss() {
    let [boss, best] = [game().boss(2).unwrap(), game().bot("champion").unwrap()];
    let mut won = 0;
    for seed in 0..5 {
        for champion in 0..2 {
            let mut minds = vec![seated(boss, 4, 5), seated(boss, 4, 5)];
            minds[champion] = seated(best, 4, 5);
            let played = play(game(), rules(4), seed, &mut minds, &[Thinking::Nodes(500); 2]).unwrap();
            assert_eq!(played.faults, 0);
            won += usize::from(played.outcome.ranks[champion] < played.outcome.ranks[1 - champion]);
        }
    }
    assert!(won >= 9, "{won} of 10");
}
