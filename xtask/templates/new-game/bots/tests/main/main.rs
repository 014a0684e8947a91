//! The bots of __title__ make no mistake in any league, and beat random play.

use bots::{BuiltIn, Lines, Lost, Seating, Thinking};
use catalog::AnyGame;
use catalog::built_in::play;
use game::{Dice, Seat, Selected};

fn game() -> &'static dyn AnyGame {
    catalog::find("__name__").expect("the game is in the registry")
}

fn seating(selected: Selected) -> Seating {
    Seating { selected, seed: 1 }
}

#[test]
fn every_league_has_a_boss() {
    for league in 1..=game().info().leagues.len() as u8 {
        assert!(game().boss(league).is_some(), "league {league}");
    }
}

#[test]
fn no_bot_makes_a_mistake_against_any_other() {
    for selected in game().info().all() {
        for a in game().ladder() {
            for b in game().ladder() {
                let mut minds = [(a.sit)(&seating(selected)), (b.sit)(&seating(selected))];
                let played = play(game(), selected, 5, &mut minds, &[Thinking::Nodes(1); 2]).expect("a match");
                assert_eq!(played.faults, 0, "{} - {} {selected:?}", a.name, b.name);
            }
        }
    }
}

/// Whether a bot in the first seat beats random play.
fn wins(bot: &BuiltIn, selected: Selected, seed: i64) -> bool {
    let mut mind = (bot.sit)(&seating(selected));
    let mut dice = Dice::new(seed as u64);
    let mut play = game().start(selected, seed);
    while !play.awaited().is_empty() {
        for seat in play.awaited() {
            let answer = if seat == Seat(0) {
                let mut question = String::new();
                play.question(seat, &mut question);
                let mut text = question.as_bytes();
                mind.answer(&mut Lines::new(&mut text), Thinking::Nodes(1).begin(false)).expect("an answer")
            } else {
                play.random_answer(seat, &mut dice)
            };
            play.answer(seat, Some(&answer)).expect("the seat was asked");
        }
    }
    let ranks = play.outcome().ranks;
    ranks[0] < ranks[1]
}

#[test]
fn every_bot_beats_random_play() {
    for bot in game().ladder() {
        for selected in game().info().all() {
            let won = (0..10).filter(|&seed| wins(bot, selected, seed)).count();
            assert!(won >= 9, "{} won {won} of 10 {selected:?}", bot.name);
        }
    }
}

#[test]
fn a_damaged_question_is_refused() {
    let selected = game().info().all().next().expect("a rule set");
    for bot in game().ladder() {
        for text in ["8 8\n", "8 8 0\n0\n", "8 8 0\n0 0\n7 7\n1\n9 9\n"] {
            let mut bytes = text.as_bytes();
            let answer =
                (bot.sit)(&seating(selected)).answer(&mut Lines::new(&mut bytes), Thinking::Nodes(1).begin(true));
            assert!(matches!(answer, Err(Lost::Misread { .. })), "{}: {answer:?}", bot.name);
        }
    }
}
