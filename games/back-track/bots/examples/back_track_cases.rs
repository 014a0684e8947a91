//! Writes cases to train the champion's value with: for each turn of a game, what the simulation of the two answers shows to each player, and how
//! the game ended.
//!
//! ```text
//! cargo run --release -p back-track-bots --example back_track_cases -- cases.f32 2026 60001 100 1200
//! ```
//!
//! The arguments are a file, the edition, the first seed and the number of seeds, and nodes per answer. The file has rows of floats
//! (see `back_track_bots::cases`).

// This program prints what went wrong.
#![allow(clippy::print_stdout)]

use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::ExitCode;

use back_track::BackTrack;
use back_track_bots::cases;
use game::{Game, Selection};

/// By how many points the players of a game err.
const NOISE: [f32; 3] = [0.5, 1.0, 2.0];

fn main() -> ExitCode {
    match write(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn write(args: &[String]) -> Result<(), String> {
    let [path, edition, first, seeds, nodes] = args else {
        return Err("expected: FILE EDITION SEED SEEDS NODES".to_owned());
    };
    let number = |word: &String| word.parse::<i64>().map_err(|_| format!("`{word}` is no number"));
    let (first, seeds, nodes) = (number(first)?, number(seeds)?, number(nodes)? as u64);
    let asked = Selection { league: None, edition: Some(edition.clone()), players: None };
    let selected = BackTrack::info().select(&asked).map_err(|error| error.to_string())?;
    let failed = |error: std::io::Error| format!("{path}: {error}");
    let mut file = BufWriter::new(File::create(path).map_err(failed)?);
    let mut rows = Vec::new();
    for seed in first..first + seeds {
        let noise = NOISE[seed.rem_euclid(NOISE.len() as i64) as usize];
        rows.clear();
        cases(selected, seed, nodes, noise, &mut rows);
        let bytes: Vec<u8> = rows.iter().flat_map(|number| number.to_le_bytes()).collect();
        file.write_all(&bytes).map_err(failed)?;
    }
    file.flush().map_err(failed)
}
