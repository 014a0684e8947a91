//! The effect of a hostile neighbour on the times of an honest bot; `cargo xtask bench neighbour` calls it.
//!
//! `neighbour_bench ROUNDS`: plays a match of an honest bot against a quiet bot and one against a hostile bot, by turns.
//! The honest bot does the same work in each turn. The hostile bot computes all the time, with three more processes. First
//! each bot has a core of its own, then both share a core. Prints the times that the honest bot measured for its turns.

// A bench prints its results and stops at a mistake.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[allow(dead_code, reason = "this bench writes no questions")]
mod shared;

use game::Selection;
use play::{MatchPlan, Placement, Runner};
use referee::{Cause, Clock, Ending};
use sandbox::{Limits, Sandbox};
use toolchain::{Bot, BotSpec, BuildCache, How};

use shared::launcher;

const SOURCE: &str = "crates/play/tests/clocks/bot.c";
const HONEST: &str = "work 4";
const QUIET: &str = "sleep 30";
const HOSTILE: &str = "until 30 after 1 hogs 3";

fn main() {
    let rounds: i64 = std::env::args().nth(1).map_or(50, |rounds| rounds.parse().unwrap());
    let sandbox = Sandbox::new(None).unwrap();
    println!("sandbox: level {}", sandbox.level());
    println!(
        "| cores | turns each | quiet: p50, p99 ms | hostile: p50, p99 ms | p99, hostile against quiet | failures of the honest bot |"
    );
    println!("|---|---|---|---|---|---|");
    let cores = play::cores();
    let (own, one) = (&cores[cores.len().saturating_sub(2)..], &cores[cores.len() - 1..]);
    for (name, cores) in [("one for each bot", own), ("one for both bots", one)] {
        if name == "one for each bot" && cores.len() < 2 {
            println!("| {name} | there is one core only |");
            continue;
        }
        let tables = [QUIET, HOSTILE].map(|words| [timed(HONEST, &sandbox), timed(words, &sandbox)]);
        let (mut times, mut failures) = ([Vec::new(), Vec::new()], Vec::new());
        for seed in 0..rounds {
            for (bots, times) in tables.iter().zip(&mut times) {
                failures.extend(play_one(&sandbox, bots, cores, seed, times));
            }
        }
        let [quiet, hostile] = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            let part = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
            (times.len(), part(0.5), part(0.99))
        });
        println!(
            "| {name} | {}, {} | {:.2}, {:.2} | {:.2}, {:.2} | {:.3} | {failures:?} |",
            quiet.0,
            hostile.0,
            quiet.1,
            quiet.2,
            hostile.1,
            hostile.2,
            hostile.2 / quiet.2
        );
    }
}

/// The bot of the tests of clocks, which spends its time as these words say.
fn timed(words: &str, sandbox: &Sandbox) -> Bot {
    let mut bot = BuildCache::usual().prepare("bot", &SOURCE.parse::<BotSpec>().unwrap(), sandbox).unwrap();
    let How::Program(program) = &mut bot.how else { panic!("not a program") };
    program.argv.extend(words.split_whitespace().map(Into::into));
    bot
}

/// Plays a match and adds the times of the first bot. Returns its failure.
fn play_one(
    sandbox: &Sandbox,
    bots: &[Bot],
    cores: &[usize],
    seed: i64,
    times: &mut Vec<f64>,
) -> Option<Cause> {
    let game = catalog::find("hypersonic").unwrap();
    let plan = MatchPlan {
        game,
        selected: game.select(&Selection { players: Some(2), ..Selection::default() }).unwrap(),
        seed,
        bots: bots.iter().collect(),
        clock: Clock::Strict,
        ponder: false,
        limits: Limits::BOT,
        placement: Placement::of(true, 2, cores),
        inspect: false,
    };
    let played = Runner::new(sandbox, launcher(), None).play(&plan);
    let own = played.log.iter().filter(|turn| turn.seat.0 == 0).skip(1);
    times.extend(own.filter_map(|turn| {
        let text = String::from_utf8_lossy(&turn.stderr);
        Some(text.split_whitespace().next()?.parse::<f64>().ok()? / 1000.0)
    }));
    match played.ending {
        Ending::Over { causes, .. } => causes[0].clone(),
        Ending::Void { why, .. } => panic!("void: {why}"),
    }
}
