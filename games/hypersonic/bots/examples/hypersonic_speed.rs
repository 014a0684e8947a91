//! Measures how fast the champion of Hypersonic searches: simulated rounds per second on one core.
//!
//! ```text
//! cargo run --release -p hypersonic-bots --example hypersonic_speed
//! ```
//!
//! A node of its search is one round of the game's own engine, the forecast of all bombs after it, and the worth of the
//! state. The champion plays itself with a fixed number of nodes for each answer, small enough that it uses nearly all of them.

// This program prints its figures.
#![allow(clippy::print_stdout)]

use std::process::ExitCode;
use std::time::Instant;

use bots::{Seating, Thinking};
use catalog::built_in::play;
use game::Selection;

/// Nodes for each answer. With many more a search of few states ends before they are used, and the figure flatters.
const NODES: u64 = 4_000;
const GAMES: i64 = 10;

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
    let game = catalog::find("hypersonic").map_err(|error| error.to_string())?;
    let champion = game.bot("champion").ok_or("there is no champion")?;
    for players in 2..=4 {
        let selected = game
            .select(&Selection { players: Some(players), ..Selection::default() })
            .map_err(|error| error.to_string())?;
        let began = Instant::now();
        let mut answers = 0;
        for seed in 1..=GAMES {
            let mut minds: Vec<_> = (0..players)
                .map(|seat| (champion.sit)(&Seating { selected, seed: u64::from(seat) }))
                .collect();
            let thinking = vec![Thinking::Nodes(NODES); usize::from(players)];
            let played =
                play(game, selected, seed, &mut minds, &thinking).map_err(|lost| lost.to_string())?;
            answers += u64::from(played.turns) * u64::from(players);
        }
        let seconds = began.elapsed().as_secs_f64();
        let rate = (answers * NODES) as f64 / seconds;
        println!(
            "{players} players: {rate:.0} rounds/s, {:.1} ms for {NODES}",
            1e3 * seconds / answers as f64
        );
    }
    Ok(())
}
