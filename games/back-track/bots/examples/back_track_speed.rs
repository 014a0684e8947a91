//! Measures how fast the champion of Back Track thinks.
//!
//! ```text
//! cargo run --release -p back-track-bots --example back_track_speed
//! ```
//!
//! A node is a turn of a simulation, in which both players look for what to build and hit. A plan is evaluated by playing it on
//! for some of them. The champion plays itself with a budget that runs out in nearly every turn, so the nodes of
//! an answer are known and its processor time is measured, all else that an answer takes included; and with one that never
//! does, which tells what an answer takes when everything is tried.

// This program prints its figures.
#![allow(clippy::print_stdout)]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use bots::{Budget, Lines, Lost, Mind, Seating, Thinking};
use catalog::built_in::play;
use game::Selection;

/// Nodes of an answer: few enough to run out in nearly every turn.
const NODES: u64 = 400;
/// Turns of a simulation of the champion in each edition.
const HORIZONS: [(&str, f64); 2] = [("statement", 6.0), ("2026", 12.0)];

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
    for (edition, horizon) in HORIZONS {
        let before = busy();
        let short = answers(edition, NODES)?;
        let time = match (before, busy()) {
            (Some(before), Some(after)) => after.saturating_sub(before),
            _ => short.iter().sum(),
        };
        let mean = time.as_secs_f64() / short.len().max(1) as f64;
        let nodes = NODES as f64 / mean;
        println!(
            "{edition}: {nodes:.0} simulated turns a second, {:.0} plans played on for {horizon} turns",
            nodes / horizon
        );
        let mut long = answers(edition, u64::MAX)?;
        long.sort_unstable();
        let at = |share: f64| 1e3 * long[((long.len() - 1) as f64 * share) as usize].as_secs_f64();
        println!(
            "{edition}: all is tried in {:.1} ms (half of the turns), {:.1} ms (19 of 20), {:.1} ms (all)",
            at(0.5),
            at(0.95),
            at(1.0)
        );
    }
    Ok(())
}

/// The processor time of this thread so far, where the system reports it: other work on the machine does not count.
fn busy() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// The time of each answer of some games.
fn answers(edition: &str, nodes: u64) -> Result<Vec<Duration>, String> {
    let game = catalog::find("back-track").map_err(|error| error.to_string())?;
    let asked = Selection { league: None, edition: Some(edition.to_owned()), players: None };
    let selected = game.select(&asked).map_err(|error| error.to_string())?;
    let champion = game.bot("champion").ok_or("there is no champion")?;
    let times = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    for seed in 1..=8 {
        let mut minds: Vec<Box<dyn Mind>> = (0..2)
            .map(|at| -> Box<dyn Mind> {
                let mind = (champion.sit)(&Seating { selected, seed: at });
                Box::new(Timed { mind, times: times.clone() })
            })
            .collect();
        play(game, selected, seed, &mut minds, &[Thinking::Nodes(nodes); 2])
            .map_err(|lost| lost.to_string())?;
    }
    let times = times.lock().map_err(|_| "a game failed")?.clone();
    Ok(times)
}

/// A bot whose answers are timed.
struct Timed {
    mind: Box<dyn Mind>,
    times: std::sync::Arc<std::sync::Mutex<Vec<Duration>>>,
}

impl Mind for Timed {
    fn answer(&mut self, lines: &mut Lines<'_>, budget: Budget) -> Result<Vec<u8>, Lost> {
        let began = Instant::now();
        let answer = self.mind.answer(lines, budget)?;
        if let Ok(mut times) = self.times.lock() {
            times.push(began.elapsed());
        }
        Ok(answer)
    }
}
