//! `cargo run --release -p catalog --example batch_bench -- GAME STEPS [THREADS]`: random play in a batch of 512 games, for profilers. Prints
//! nanoseconds for an answer of an agent, without sampling: the median of all steps and the tenth of the fastest.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::time::Instant;

use catalog::batch::{Autoreset, BatchPlan, Memory, sample};
use game::{Dice, Selection};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, steps, threads @ ..] = &arguments[..] else { panic!("batch_bench GAME STEPS [THREADS]") };
    let threads = threads.first().map_or(1, |threads| threads.parse().unwrap());
    let found = catalog::find(name).unwrap();
    let selected = found.select(&Selection { players: Some(2), ..Selection::default() }).unwrap();
    let opponents = vec![None; selected.players.into()];
    let plan = BatchPlan { selected, games: 512, threads, autoreset: Autoreset::SameStep, opponents };
    let mut batch = found.batch(plan).unwrap();
    let mut memory = Memory::new(&*batch);
    batch.reset(None, memory.outputs()).unwrap();
    let (mut dice, mut times) = (Dice::new(1), Vec::new());
    for _ in 0..steps.parse::<usize>().unwrap() {
        sample(batch.layout(), &memory.masks, &mut memory.actions, &mut dice);
        let answers = memory.acting.iter().filter(|&&acting| acting != 0).count();
        let actions = std::mem::take(&mut memory.actions);
        let start = Instant::now();
        batch.step(&actions, memory.outputs()).unwrap();
        times.push(start.elapsed().as_nanos() as f64 / answers as f64);
        memory.actions = actions;
    }
    times.sort_by(f64::total_cmp);
    println!("{name}: {:.0} ns, {:.0} ns", times[times.len() / 2], times[times.len() / 10]);
}
