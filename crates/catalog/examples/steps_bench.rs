//! Measures the steps of a game in play of its legend bot, as a search plays them: the orders are given; there is no random
//! play, no map to make and no text.
//!
//! ```text
//! cargo run --release -p catalog --example steps_bench -- hypersonic 100
//! ```
//!
//! The legend bot plays itself on a few maps by a fixed number of nodes, so the orders are always the same. Then all these matches
//! are played again as often as the second argument says. Prints JSON.

// This program prints its figures.
#![allow(clippy::print_stdout)]

use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use bots::{Budget, Lines, Lost, Mind, Seating, Thinking};
use catalog::built_in::play;
use catalog::{AnyGame, Steps};
use game::{Seat, Selection};

/// The matches that are played: seeds from 1.
const MATCHES: i64 = 4;
/// Nodes of an answer: enough that the bot plays like itself, few enough that callgrind gets through them.
const NODES: u64 = 200;

fn main() -> ExitCode {
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn measure() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, repeats] = &arguments[..] else { return Err("usage: steps_bench GAME REPEATS".to_owned()) };
    let repeats: u64 = repeats.parse().map_err(|_| format!("{repeats:?} is not a number"))?;
    let game = catalog::find(name).map_err(|error| error.to_string())?;
    let matches: Vec<Box<dyn Steps>> =
        (1..=MATCHES).map(|seed| of_legend(game, seed)).collect::<Result<_, _>>()?;
    let began = Instant::now();
    for _ in 0..repeats {
        for steps in &matches {
            steps.play();
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    let games = repeats * matches.len() as u64;
    let steps = repeats * matches.iter().map(|steps| steps.count()).sum::<u64>();
    println!(
        "{{\"games\":{games},\"turns\":{steps},\"turns_per_second\":{:.1},\"games_per_second\":{:.1}}}",
        steps as f64 / seconds,
        games as f64 / seconds
    );
    Ok(())
}

/// A match of the legend bot against itself.
fn of_legend(game: &dyn AnyGame, seed: i64) -> Result<Box<dyn Steps>, String> {
    let selected = game.select(&Selection::default()).map_err(|error| error.to_string())?;
    let legend = game.bot("legend").ok_or("there is no legend bot")?;
    let answers = Answers::default();
    let mut minds: Vec<Box<dyn Mind>> = (0..selected.players)
        .map(|at| -> Box<dyn Mind> {
            let mind = (legend.sit)(&Seating { selected, seed: (seed as u64) << 2 | u64::from(at) });
            Box::new(Recorded { mind, seat: Seat(at), answers: answers.clone() })
        })
        .collect();
    let thinking = vec![Thinking::Nodes(NODES); minds.len()];
    play(game, selected, seed, &mut minds, &thinking).map_err(|lost| lost.to_string())?;
    let answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(game.steps(selected, seed, &answers))
}

/// The answers of a match in the order in which they were given.
type Answers = Arc<Mutex<Vec<(Seat, Vec<u8>)>>>;

/// A bot whose answers are kept.
struct Recorded {
    mind: Box<dyn Mind>,
    seat: Seat,
    answers: Answers,
}

impl Mind for Recorded {
    fn answer(&mut self, lines: &mut Lines<'_>, budget: Budget) -> Result<Vec<u8>, Lost> {
        let answer = self.mind.answer(lines, budget)?;
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).push((self.seat, answer.clone()));
        Ok(answer)
    }
}
