//! Writes cases to train the network of the champion with: for each turn of a player, the lines that it could have played from its true
//! place as its opponent sees them, and the one it played.
//!
//! ```text
//! cargo run --release -p ocean-of-code-bots --example ocean_of_code_cases -- cases.f32 1 100 4000 champion legend gold
//! ```
//!
//! The arguments are a file, the first seed and the number of seeds, nodes per answer, and the names of bots, which play all against all, a
//! seed for each pair in turn. The file has rows of floats: the seed, the number of the player among the names, and the row of `Witness`.
//! `-` writes no file. Prints the bits by which the true cells of each bot are unexpected.

// This program prints its table.
#![allow(clippy::print_stdout)]

use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::ExitCode;

use bots::{BuiltIn, Lines, Seating, Thinking};
use game::{Game, Match, Seat, Selection};
use ocean_of_code::{OceanOfCode, Phase};
use ocean_of_code_bots::Witness;

fn main() -> ExitCode {
    match write(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// The turns of a player, and the bits by which its cell was unexpected.
#[derive(Clone, Copy, Default)]
struct Tally {
    turns: u32,
    cases: u32,
    bits: [f64; 2],
}

fn write(args: &[String]) -> Result<(), String> {
    let [path, first, seeds, nodes, names @ ..] = args else {
        return Err("expected: FILE SEED SEEDS NODES NAME...".to_owned());
    };
    let number = |word: &String| word.parse::<i64>().map_err(|_| format!("`{word}` is no number"));
    let (first, seeds, nodes) = (number(first)?, number(seeds)?, number(nodes)? as u64);
    let ocean = catalog::find("ocean-of-code").map_err(|error| error.to_string())?;
    let bot = |name: &String| ocean.bot(name).ok_or_else(|| format!("there is no bot `{name}`"));
    let bots = names.iter().map(bot).collect::<Result<Vec<&BuiltIn>, _>>()?;
    if bots.is_empty() {
        return Err("name at least one bot".to_owned());
    }
    let mut pairs = Vec::new();
    for a in 0..bots.len() {
        pairs.extend((0..bots.len()).map(|b| [a, b]));
    }
    let mut file = match path.as_str() {
        "-" => None,
        _ => Some(BufWriter::new(File::create(path).map_err(|error| format!("{path}: {error}"))?)),
    };
    let mut tallies = vec![Tally::default(); bots.len()];
    for seed in first..first + seeds {
        let players = pairs[(seed - first) as usize % pairs.len()];
        let rows = play(&bots, players, seed, nodes, &mut tallies)?;
        if let Some(file) = &mut file {
            let bytes: Vec<u8> = rows.iter().flat_map(|number| number.to_le_bytes()).collect();
            file.write_all(&bytes).map_err(|error| format!("{path}: {error}"))?;
        }
    }
    if let Some(file) = &mut file {
        file.flush().map_err(|error| format!("{path}: {error}"))?;
    }
    for (bot, tally) in bots.iter().zip(&tallies) {
        let turns = f64::from(tally.turns.max(1));
        let [proof, inferred] = tally.bits.map(|bits| bits / turns);
        println!(
            "{}: {} turns, {} cases, {proof:.3} bits by proof, {inferred:.3} by inference",
            bot.name, tally.turns, tally.cases
        );
    }
    Ok(())
}

fn play(
    bots: &[&BuiltIn],
    players: [usize; 2],
    seed: i64,
    nodes: u64,
    tallies: &mut [Tally],
) -> Result<Vec<f32>, String> {
    let selected = OceanOfCode::info().select(&Selection::default()).map_err(|error| error.to_string())?;
    let mut play = Match::<OceanOfCode>::new(OceanOfCode::rule_set(selected), seed);
    let seats = [Seat(0), Seat(1)];
    let mut witnesses = seats.map(|seat| Witness::new(play.game(), seat));
    let mut minds = seats.map(|seat| {
        (bots[players[seat.index()]].sit)(&Seating { selected, seed: seed as u64 * 2 + u64::from(seat.0) })
    });
    let mut first = [true; 2];
    let (mut all, mut rows) = (Vec::new(), Vec::new());
    while let Some(seat) = play.awaited().into_iter().next() {
        let i = seat.index();
        let turn = play.state().phase == Phase::Turn;
        if turn {
            let bits = witnesses[i].asked(play.state(), &mut rows).map_err(|lost| lost.to_string())?;
            let tally = &mut tallies[players[1 - i]];
            tally.turns += 1;
            tally.cases += u32::from(!rows.is_empty());
            tally.bits = [0, 1].map(|j| tally.bits[j] + f64::from(bits[j]));
            for row in rows.chunks_exact(Witness::ROW) {
                all.extend([seed as f32, players[1 - i] as f32]);
                all.extend(row);
            }
            rows.clear();
        }
        let mut question = String::new();
        play.question(seat, &mut question);
        let budget = Thinking::Nodes(nodes).begin(std::mem::take(&mut first[i]));
        let answer = minds[i]
            .answer(&mut Lines::new(&mut question.as_bytes()), budget)
            .map_err(|lost| lost.to_string())?;
        play.answer(seat, Some(&answer)).map_err(|error| error.to_string())?;
        if turn {
            witnesses[i].played(play.state());
        }
    }
    Ok(all)
}
