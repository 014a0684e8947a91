//! Recorded matches of all games, made by built-in bots in memory, played again and continued.

// Tests may assume.
#![allow(clippy::unwrap_used)]

mod analysis;
mod cases;
mod forks;
mod inputs;
mod runner;
mod sources;

use std::sync::{Arc, Mutex};

use bots::{Budget, Lines, Lost, Mind, Seating, Thinking};
use catalog::AnyGame;
use catalog::record::{Header, Played, RulesField, Turn};
use game::{Dice, Seat, Selected};
use review::Recording;
use serde_json::Value;

/// Matches of each game.
const MATCHES: u64 = 100;

/// The built-in bots of the matches think this much: they are deterministic, and quick.
const THINKING: Thinking = Thinking::Nodes(2);

/// A match with everything that was sent.
struct Sample {
    recording: Recording,
    selected: Selected,
    number: u64,
    /// What each seat was sent, in order, with the turn.
    sent: Vec<Vec<(u32, String)>>,
}

/// The rule set of a match: all numbers of players, leagues and editions in turn.
fn rule_set(game: &dyn AnyGame, number: u64) -> Selected {
    let all: Vec<Selected> = game.info().all().collect();
    all[number as usize % all.len()]
}

/// A boss of the league or of a lower one, another one in each seat.
fn mind(game: &dyn AnyGame, selected: Selected, number: u64, seat: u8) -> Box<dyn Mind> {
    let bosses: Vec<_> = game
        .ladder()
        .iter()
        .filter(|bot| bot.league.is_some_and(|league| league <= selected.league))
        .collect();
    let bot = bosses[(number as usize + usize::from(seat)) % bosses.len()];
    (bot.sit)(&Seating { selected, seed: number ^ u64::from(seat) })
}

fn minds(game: &dyn AnyGame, selected: Selected, number: u64) -> Vec<Box<dyn Mind>> {
    (0..selected.players).map(|seat| mind(game, selected, number, seat)).collect()
}

/// Plays a match in memory and keeps all questions. Every third match has a player that fails in the middle.
fn sample(game: &'static dyn AnyGame, number: u64) -> Sample {
    sample_with(game, number, number.is_multiple_of(3))
}

fn sample_with(game: &'static dyn AnyGame, number: u64, fails: bool) -> Sample {
    let selected = rule_set(game, number);
    let seed = number as i64 * 7919 - 300;
    let mut minds = minds(game, selected, number);
    let mut play = game.start(selected, seed);
    let mut dice = Dice::new(number);
    let mut sent = vec![Vec::new(); minds.len()];
    let mut turns = Vec::new();
    let silent = fails.then(|| (Seat(dice.below(u32::from(selected.players)) as u8), 20 + dice.below(40)));
    while !play.awaited().is_empty() {
        let mut answers = Vec::new();
        for seat in play.awaited() {
            let mut question = String::new();
            play.question(seat, &mut question);
            let mut text = question.as_bytes();
            let first = sent[seat.index()].is_empty();
            let answer =
                minds[seat.index()].answer(&mut Lines::new(&mut text), THINKING.begin(first)).unwrap();
            sent[seat.index()].push((play.turn(), question));
            let fails = silent.is_some_and(|(failing, turn)| failing == seat && play.turn() >= turn);
            answers.push((seat, (!fails).then_some(answer)));
        }
        for (seat, answer) in answers {
            play.answer(seat, answer.as_deref()).unwrap();
            turns.push(Turn::new(seat.0, answer));
        }
    }
    let (Value::Object(rules), Value::Object(end)) = (play.rules(), play.end()) else { panic!("structs") };
    let header = Header {
        agon: Some(1),
        game: game.info().name.to_owned(),
        seed,
        league: None,
        rules: Some(RulesField::Full(rules)),
        players: None,
        options: None,
    };
    // The record takes the way through a file.
    let text = serde_json::to_vec(&Played::new(header, turns, end)).unwrap();
    let Ok(catalog::record::Entry::Played(played)) = catalog::record::read(&text) else {
        panic!("no record")
    };
    Sample { recording: Recording::of(*played).unwrap(), selected, number, sent }
}

/// A bot that keeps everything it is sent.
struct Spy {
    mind: Box<dyn Mind>,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Mind for Spy {
    fn answer(&mut self, lines: &mut Lines<'_>, budget: Budget) -> Result<Vec<u8>, Lost> {
        let mut text = String::new();
        while let Ok(line) = lines.next_line() {
            text += line;
            text += "\n";
        }
        self.seen.lock().unwrap().push(text.clone());
        self.mind.answer(&mut Lines::new(&mut text.as_bytes()), budget)
    }
}
