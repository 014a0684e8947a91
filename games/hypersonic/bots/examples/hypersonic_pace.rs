//! Measures how fast a bot of Hypersonic clears boxes with nobody in its way: the rounds it needs for half of them. The player that has
//! half of the boxes first wins most matches, and this measure needs a tenth of the games of a duel.
//!
//! ```text
//! cargo run --release -p hypersonic-bots --example hypersonic_pace -- gold champion --nodes 4000 --seeds 20
//! ```

// This program prints its table.
#![allow(clippy::print_stdout)]

use std::process::ExitCode;

use bots::{BuiltIn, Lines, Seating, Thinking};
use catalog::AnyGame;
use clap::Parser;
use game::{Seat, Selection};

/// Rounds a bot needs for half of the boxes, alone.
#[derive(Parser)]
struct Args {
    /// The bots.
    #[arg(required = true)]
    bots: Vec<String>,
    /// Nodes of search for each answer.
    #[arg(long, default_value_t = 4000)]
    nodes: u64,
    /// How many maps.
    #[arg(long, default_value_t = 20)]
    seeds: i64,
}

fn main() -> ExitCode {
    match measure(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn measure(args: &Args) -> Result<(), String> {
    let game = catalog::find("hypersonic").map_err(|error| error.to_string())?;
    for name in &args.bots {
        let bot = game.bot(name).ok_or_else(|| format!("there is no bot `{}`", name.escape_debug()))?;
        let rounds: Vec<f64> =
            (1..=args.seeds).map(|seed| half(game, bot, seed, args.nodes)).collect::<Result<_, _>>()?;
        let count = rounds.len().max(1) as f64;
        let mean = rounds.iter().sum::<f64>() / count;
        let spread = rounds.iter().map(|round| (round - mean).powi(2)).sum::<f64>() / count;
        println!("{name:<12} {mean:.2} rounds, standard error over maps {:.2}", (spread / count).sqrt());
    }
    Ok(())
}

/// The round in which a bot has half of the boxes of a map; the other player never moves.
fn half(game: &dyn AnyGame, bot: &BuiltIn, seed: i64, nodes: u64) -> Result<f64, String> {
    let selected = game.select(&Selection::default()).map_err(|error| error.to_string())?;
    let mut play = game.start(selected, seed);
    let mut mind = (bot.sit)(&Seating { selected, seed: seed as u64 });
    let mut question = String::new();
    let mut goal = 0;
    let mut before = 0;
    while !play.awaited().is_empty() {
        for seat in play.awaited() {
            question.clear();
            play.question(seat, &mut question);
            if goal == 0 {
                let rows = question.lines().filter(|line| !line.contains(' '));
                let boxes = rows.flat_map(str::bytes).filter(|byte| matches!(byte, b'0'..=b'2')).count();
                goal = boxes as i64 / 2;
            }
            let answer = if seat == Seat(0) {
                let mut text = question.as_bytes();
                mind.answer(&mut Lines::new(&mut text), Thinking::Nodes(nodes).begin(false))
                    .map_err(|lost| lost.to_string())?
            } else {
                b"MOVE 12 10".to_vec()
            };
            play.answer(seat, Some(&answer)).map_err(|error| error.to_string())?;
        }
        let scores = play.outcome().scores;
        let boxes = scores[0] % 100;
        if boxes >= goal {
            // Between two rounds as far as the boxes of the last one went beyond the goal.
            let part = (goal - before) as f64 / (boxes - before).max(1) as f64;
            return Ok(f64::from(play.turns_played()) - 1.0 + part);
        }
        before = boxes;
    }
    Ok(f64::from(play.turns_played()))
}
