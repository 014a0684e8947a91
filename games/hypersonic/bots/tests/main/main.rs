//! The bots of Hypersonic make no fault under any rules, read every question, and make the same moves for the same nodes.

use bots::{BuiltIn, Lines, Lost, Mind, Seating, Thinking};
use catalog::built_in::play;
use catalog::{AnyGame, AnyMatch};
use game::{Dice, Seat, Selected, Selection};

const GAME: &str = "hypersonic";

fn game() -> &'static dyn AnyGame {
    catalog::find(GAME).expect("the game exists")
}

fn rules(league: u8, players: u8) -> Selected {
    let asked = Selection { league: Some(league), players: Some(players), edition: None };
    game().select(&asked).expect("the rules exist")
}

fn sit(bot: &BuiltIn, selected: Selected, seed: u64) -> Box<dyn Mind> {
    (bot.sit)(&Seating { selected, seed })
}

#[test]
fn no_bot_makes_a_fault_under_any_rules() {
    let ladder = game().ladder();
    let mut seed = 0;
    for selected in game().info().all() {
        for first in 0..ladder.len() {
            let players = usize::from(selected.players);
            // Neighbours of the ladder meet, and bots far apart.
            let mut minds: Vec<_> = (0..players)
                .map(|seat| sit(&ladder[(first + seat * 3) % ladder.len()], selected, seed))
                .collect();
            seed += 1;
            let thinking = [1, 7, 60, 400].map(Thinking::Nodes);
            let played = play(game(), selected, seed as i64, &mut minds, &thinking[..players]).unwrap();
            assert_eq!(played.faults, 0, "{} under {selected:?}, seed {seed}", ladder[first].name);
        }
    }
}

#[test]
fn the_response_to_the_champion_makes_no_fault() {
    let response = &hypersonic_bots::RESPONSE;
    for players in 2..=4 {
        let selected = rules(4, players);
        let champion = game().bot("champion").expect("the ladder has a champion");
        let mut minds: Vec<_> =
            (0..players).map(|seat| sit(if seat == 0 { response } else { champion }, selected, 3)).collect();
        let mut thinking = vec![Thinking::Nodes(100); usize::from(players)];
        thinking[0] = Thinking::Nodes(100 * hypersonic_bots::THOUGHTS);
        let played = play(game(), selected, 11, &mut minds, &thinking).unwrap();
        assert_eq!(played.faults, 0, "{players} players");
    }
}

/// Plays a bot in the first seat against random legal play.
fn against_random_play(bot: &BuiltIn, selected: Selected, seed: i64, nodes: u64) -> Box<dyn AnyMatch> {
    let mut play = game().start(selected, seed);
    let mut mind = sit(bot, selected, 1);
    let mut dice = Dice::new(seed as u64);
    let mut question = String::new();
    while !play.awaited().is_empty() {
        for seat in play.awaited() {
            let answer = if seat == Seat(0) {
                question.clear();
                play.question(seat, &mut question);
                let mut text = question.as_bytes();
                mind.answer(&mut Lines::new(&mut text), Thinking::Nodes(nodes).begin(false))
                    .expect("an answer")
            } else {
                play.random_answer(seat, &mut dice)
            };
            play.answer(seat, Some(&answer)).expect("the seat was asked");
        }
    }
    play
}

#[test]
fn no_bot_makes_a_fault_against_random_play() {
    for selected in game().info().all() {
        for (bot, seed) in game().ladder().iter().zip(1..) {
            let play = against_random_play(bot, selected, seed, 40);
            assert_eq!(play.faults().len(), 0, "{} under {selected:?}", bot.name);
        }
    }
}

#[test]
fn every_bot_beats_random_play() {
    for bot in game().ladder() {
        let selected = rules(bot.league.unwrap_or(4), 2);
        let won = (0..5)
            .filter(|&seed| {
                let ranks = against_random_play(bot, selected, seed, 200).outcome().ranks;
                ranks[0] < ranks[1]
            })
            .count();
        assert!(won >= 4, "{} won {won} of 5", bot.name);
    }
}

#[test]
fn the_same_nodes_make_the_same_game() {
    let selected = rules(4, 2);
    for bot in game().ladder().iter().filter(|bot| bot.league.is_none()) {
        let once = || {
            let mut minds = [sit(bot, selected, 5), sit(bot, selected, 6)];
            let played = play(game(), selected, 3, &mut minds, &[Thinking::Nodes(500); 2]).unwrap();
            (played.outcome, played.turns)
        };
        assert_eq!(once(), once(), "{}", bot.name);
    }
}

#[test]
fn damaged_questions_are_refused_or_answered() {
    let selected = rules(4, 2);
    let mut whole = String::new();
    game().start(selected, 1).question(Seat(0), &mut whole);
    let mut dice = Dice::new(9);
    let scraps = [
        "",
        "-1",
        "4",
        "0 0 0 0 0 0",
        "1 0 3 3 9 3",
        "99999999999 1",
        "X",
        "2 0 0 1 1 1",
        "0 7 0 0 1 3",
        "1 0 3 3 8 3",
    ];
    let mut misread = 0;
    for bot in game().ladder() {
        for _ in 0..60 {
            let mut lines: Vec<&str> = whole.lines().collect();
            for _ in 0..=dice.below(3) {
                let at = dice.below(lines.len() as u32) as usize;
                lines[at] = scraps[dice.below(scraps.len() as u32) as usize];
            }
            let text = lines.join("\n") + "\n";
            let mut bytes = text.as_bytes();
            let answer =
                sit(bot, selected, 1).answer(&mut Lines::new(&mut bytes), Thinking::Nodes(20).begin(true));
            misread += usize::from(matches!(&answer, Err(Lost::Misread { .. })));
            assert!(!matches!(&answer, Err(Lost::Input(_))), "{}: {answer:?} to {text}", bot.name);
        }
    }
    assert!(misread > 100, "{misread}");
}
