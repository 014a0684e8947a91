//! Measures many matches; `cargo xtask bench series` calls it and makes a bench.
//!
//! `series_bench exchange GAME BOT SEED FILE`: plays one match of two BOTs and writes its questions for the floor.
//! `series_bench alone GAME BOT N LEVEL`: plays N matches one by one, at once on each core that a run would use, and keeps nothing.
//! `series_bench run GAME BOT N LEVEL FILE`: the same matches as a run.
//! `series_bench ahead GAME BOT N FILE`: N matches one by one, then as a run that plays one match at a time, so that the programs of
//! the next match are started on an idle core.
//! `series_bench memory GAME BOT N FILE`: a run of N matches between programs that write metrics; prints the memory of this process
//! after a tenth of them and at the end.

// A bench prints its results and stops at a mistake.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "../../play/examples/shared/mod.rs"]
mod shared;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use catalog::AnyGame;
use game::{Selected, Selection};
use play::{Heartbeat, MatchPlan, Placement, Runner};
use referee::{Clock, Ending};
use runs::{Plan, Run, RunContext, RunHeader};
use sandbox::{Level, Limits, Sandbox};
use toolchain::{Bot, BotSpec, BuildCache};

use shared::launcher;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["exchange", game, bot, seed, file] => exchange(&Bench::new(game, bot, "none"), seed, file),
        ["alone", game, bot, count, level] => alone(&Bench::new(game, bot, level), count.parse().unwrap()),
        ["run", game, bot, count, level, file] => {
            run(&Bench::new(game, bot, level), count.parse().unwrap(), file.as_ref());
        }
        ["ahead", game, bot, count, file] => {
            let (bench, count) =
                (Bench { workers: 1, ..Bench::new(game, bot, "auto") }, count.parse().unwrap());
            alone(&bench, count);
            run(&bench, count, file.as_ref());
        }
        ["memory", game, bot, count, file] => {
            memory(&Bench::new(game, bot, "none"), count.parse().unwrap(), file.as_ref());
        }
        _ => println!("see the head of the source for the five ways to call it"),
    }
}

/// The game, the bots and the sandbox of the bench.
struct Bench {
    game: &'static dyn AnyGame,
    selected: Selected,
    sandbox: Sandbox,
    bots: [Bot; 2],
    workers: usize,
}

impl Bench {
    fn new(game: &str, asked: &str, level: &str) -> Bench {
        let game = catalog::find(game).unwrap();
        let sandbox = Sandbox::new((level != "auto").then(|| level.parse::<Level>().unwrap())).unwrap();
        let bot = BuildCache::usual().prepare(asked, &asked.parse::<BotSpec>().unwrap(), &sandbox).unwrap();
        Bench {
            game,
            selected: game.select(&Selection::default()).unwrap(),
            sandbox,
            bots: [bot.clone(), bot],
            workers: runs::workers_for(game.info().simultaneous, 2),
        }
    }

    fn plan(&self, seed: i64, cores: &[usize]) -> MatchPlan<'_> {
        let simultaneous = self.game.info().simultaneous;
        MatchPlan {
            game: self.game,
            selected: self.selected,
            seed,
            bots: self.bots.iter().collect(),
            clock: Clock::SITE,
            ponder: simultaneous,
            limits: Limits::BOT,
            placement: Placement::of(simultaneous, 2, cores),
            inspect: false,
        }
    }

    fn header(&self, units: u64) -> RunHeader {
        RunHeader {
            agon_run: RunHeader::VERSION,
            game: self.game.info().name.into(),
            league: self.selected.league,
            edition: self.selected.edition.into(),
            bots: self.bots.iter().map(|bot| bot.asked.clone()).collect(),
            names: self.bots.iter().map(|bot| bot.name.clone()).collect(),
            digests: self.bots.iter().map(|bot| bot.digest.clone()).collect(),
            players: 2,
            first_seed: 1,
            units,
            clock: Clock::SITE,
            sandbox: self.sandbox.level(),
            ponder: self.game.info().simultaneous,
            sprt: None,
            plan: Plan::Duel,
            records: None,
            shard: None,
        }
    }

    fn told(&self, count: u64, failed: u64, started: Instant) {
        let rate = count as f64 / started.elapsed().as_secs_f64();
        let (level, workers) = (self.sandbox.level(), self.workers);
        println!("level {level} workers {workers} matches_per_second {rate:.1} failed {failed}");
    }
}

fn exchange(bench: &Bench, seed: &str, file: &str) {
    let seed = seed.parse().unwrap();
    let plan = bench.plan(seed, &play::cores());
    let played = Runner::new(&bench.sandbox, launcher(), None).play(&plan);
    shared::write_questions(&plan, &played, file);
}

fn alone(bench: &Bench, count: u64) {
    let heartbeat = Heartbeat::start();
    let (next, failed) = (AtomicU64::new(0), AtomicU64::new(0));
    let cores = play::cores();
    let each = if bench.game.info().simultaneous { cores.len() / bench.workers } else { 1 };
    let started = Instant::now();
    std::thread::scope(|scope| {
        for own in cores.chunks(each.max(1)).take(bench.workers) {
            let (heartbeat, next, failed) = (&heartbeat, &next, &failed);
            scope.spawn(move || {
                let runner = Runner::new(&bench.sandbox, launcher(), Some(heartbeat));
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        break;
                    }
                    let played = runner.play(&bench.plan(1 + (index / 2) as i64, own));
                    let clean = matches!(&played.ending, Ending::Over { causes, .. } if causes.iter().all(Option::is_none));
                    failed.fetch_add(u64::from(!clean), Ordering::Relaxed);
                }
            });
        }
    });
    bench.told(count, failed.into_inner(), started);
}

fn run(bench: &Bench, count: u64, file: &Path) {
    // One of an earlier measurement.
    let _ = std::fs::remove_file(file);
    let mut run = Run::create(file, bench.header(count / 2)).unwrap();
    let context = RunContext {
        bots: &bench.bots,
        sandbox: &bench.sandbox,
        launcher: launcher(),
        workers: bench.workers,
    };
    let started = Instant::now();
    let stop = AtomicBool::new(false);
    run.play(&context, 0..u64::MAX, &stop, |_| ControlFlow::Continue(())).unwrap();
    let failed = run.results().filter(|line| line.causes.iter().any(Option::is_some)).count();
    bench.told(run.finished() as u64, failed as u64, started);
    std::fs::remove_file(file).unwrap();
}

fn memory(bench: &Bench, count: u64, file: &Path) {
    let _ = std::fs::remove_file(file);
    let mut run = Run::create(file, bench.header(count / 2)).unwrap();
    let context = RunContext {
        bots: &bench.bots,
        sandbox: &bench.sandbox,
        launcher: launcher(),
        workers: bench.workers,
    };
    let mut early = None;
    let tenth = (count / 10) as usize;
    run.play(&context, 0..u64::MAX, &AtomicBool::new(false), |run| {
        if early.is_none() && run.finished() >= tenth {
            early = Some(resident());
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    let size = std::fs::metadata(file).unwrap().len() as f64 / 1e6;
    println!(
        "matches {} rss_mib {:.1} then {:.1} file_mb {size:.1}",
        run.finished(),
        early.unwrap_or_default(),
        resident()
    );
    std::fs::remove_file(file).unwrap();
}

/// Memory of this process, in MiB.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
}
