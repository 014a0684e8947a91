//! Writes cases to train the champion's value with: what is true for a player in a round of a game, and how the game ended for it.
//!
//! ```text
//! cargo run --release -p hypersonic-bots --example hypersonic_cases -- cases.u16 600001 420 6000 16
//! ```
//!
//! The arguments are a file, the first seed, the seconds to play for, nodes per answer, and the number of threads. Half of the games are those of
//! four players, a third those of two. The file has rows of 16-bit numbers (see `hypersonic_bots::CASE`); a second file, FILE.groups, says which facts
//! mean nearly the same. How far it is stands on the standard output.

// This program prints how far it is.
#![allow(clippy::print_stdout)]

use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use game::{Game, Selection};
use hypersonic::Hypersonic;
use hypersonic_bots::{CASE, cases, groups};

/// Players of the games, in turn.
const PLAYERS: [u8; 6] = [4, 2, 4, 3, 4, 2];
/// In so many of 1,000 answers chance decides.
const CHANCE: u32 = 20;

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
    let [path, first, seconds, nodes, threads] = args else {
        return Err("expected: FILE SEED SECONDS NODES THREADS".to_owned());
    };
    let number = |word: &String| word.parse::<i64>().map_err(|_| format!("`{word}` is no number"));
    let (first, seconds, nodes) = (number(first)?, number(seconds)? as u64, number(nodes)? as u64);
    let failed = |error: std::io::Error| format!("{path}: {error}");
    let file = Mutex::new((BufWriter::new(File::create(path).map_err(failed)?), 0usize));
    std::fs::write(format!("{path}.groups"), format!("{:?}\n", groups())).map_err(failed)?;
    let (begun, next) = (Instant::now(), AtomicI64::new(first));
    let play = || -> Result<(), String> {
        let mut rows = Vec::new();
        while begun.elapsed() < Duration::from_secs(seconds) {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let players = PLAYERS[seed.rem_euclid(PLAYERS.len() as i64) as usize];
            let asked = Selection { players: Some(players), ..Selection::default() };
            let selected = Hypersonic::info().select(&asked).map_err(|error| error.to_string())?;
            rows.clear();
            cases(selected, seed, nodes, CHANCE, &mut rows);
            let bytes: Vec<u8> = rows.iter().flat_map(|number| number.to_le_bytes()).collect();
            let mut file = file.lock().map_err(|error| error.to_string())?;
            file.0.write_all(&bytes).map_err(failed)?;
            file.1 += rows.len() / CASE;
            let games = seed - first + 1;
            if games % 100 == 0 {
                println!("{games} games, {} cases, {:.0} s", file.1, begun.elapsed().as_secs_f64());
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..number(threads)?).map(|_| scope.spawn(play)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().map_err(|_| "a thread ended early".to_owned())?)
    })?;
    let mut file = file.into_inner().map_err(|error| error.to_string())?;
    file.0.flush().map_err(failed)
}
