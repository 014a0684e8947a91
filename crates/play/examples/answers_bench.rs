//! Measures what answers of built-in bots take in real matches; `cargo xtask bench bots` calls it.
//!
//! `answers_bench AGON GAME PLAYERS PAIRS BOT BOT`: the program `agon`, a game, how many play, over how many maps each bot
//! takes every seat, and two bots by name; where more than two play, the second takes all other seats. The matches are played
//! one after the other, boxed, by the site's clock and at the official limits. Prints one line for each bot: how many answers, their times in the middle and at
//! the far end, the slowest first answer, the most memory, and how often it failed.

// A bench prints its results and stops at a mistake.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::time::Duration;

use game::{Selected, Selection};
use play::{Heartbeat, MatchPlan, Placement, PlayedMatch, Runner};
use referee::{Clock, Ending};
use sandbox::{Limits, Sandbox};
use toolchain::{Bot, BotSpec, BuildCache, Launcher};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        [agon, game, players, pairs, first, second] => {
            measure(agon, game, players.parse().unwrap(), pairs.parse().unwrap(), [first, second]);
        }
        _ => println!("see the head of the source for how to call it"),
    }
}

/// What one bot did in all matches.
#[derive(Default)]
struct Answers {
    first: Vec<Duration>,
    later: Vec<Duration>,
    memory: u64,
    failures: BTreeMap<&'static str, u32>,
}

fn measure(agon: &str, game: &str, players: u8, pairs: i64, names: [&str; 2]) {
    let sandbox = Sandbox::new(None).unwrap();
    let game = catalog::find(game).unwrap();
    let selected = game.select(&Selection { players: Some(players), ..Selection::default() }).unwrap();
    let bots = names.map(|name| prepare(agon, game.info().name, selected, name, &sandbox));
    let heartbeat = Heartbeat::start();
    let launcher = Launcher::new(agon);
    let runner = Runner::new(&sandbox, &launcher, Some(&heartbeat));
    let mut answers = [Answers::default(), Answers::default()];
    let (mut matches, mut void) = (0, 0);
    for seed in 1..=pairs {
        for turn in 0..usize::from(players) {
            let who: Vec<usize> = (0..usize::from(players)).map(|seat| usize::from(seat != turn)).collect();
            let seated: Vec<Bot> = who.iter().map(|&bot| bots[bot].clone()).collect();
            let simultaneous = game.info().simultaneous;
            let plan = MatchPlan {
                game,
                selected,
                seed,
                bots: seated.iter().collect(),
                clock: Clock::SITE,
                ponder: simultaneous,
                limits: Limits::BOT,
                placement: Placement::of(simultaneous, players, &play::cores()),
                inspect: false,
            };
            let played = runner.play(&plan);
            matches += 1;
            void += u32::from(matches!(played.ending, Ending::Void { .. }));
            add(&mut answers, &who, &played);
        }
    }
    println!("box {} matches {matches} void {void}", sandbox.level());
    for (name, answers) in names.iter().zip(&mut answers) {
        print(name, answers);
    }
}

fn prepare(agon: &str, game: &str, selected: Selected, name: &str, sandbox: &Sandbox) -> Bot {
    let Selected { league, edition, players } = selected;
    let command =
        format!("{agon} bot {game} {name} --league {league} --edition {edition} --players {players}");
    BuildCache::usual().prepare(name, &command.parse::<BotSpec>().unwrap(), sandbox).unwrap()
}

fn add(answers: &mut [Answers; 2], who: &[usize], played: &PlayedMatch) {
    let mut began = vec![false; who.len()];
    for turn in &played.log {
        let answers = &mut answers[who[turn.seat.index()]];
        let began = std::mem::replace(&mut began[turn.seat.index()], true);
        if began { &mut answers.later } else { &mut answers.first }.push(turn.wall);
    }
    for (&bot, memory) in who.iter().zip(&played.memory) {
        answers[bot].memory = answers[bot].memory.max(memory.unwrap_or(0));
    }
    if let Ending::Over { causes, .. } = &played.ending {
        for (&bot, cause) in who.iter().zip(causes) {
            if let Some(cause) = cause {
                *answers[bot].failures.entry(cause.name()).or_default() += 1;
            }
        }
    }
}

fn print(name: &str, answers: &mut Answers) {
    let ms = |times: &mut Vec<Duration>, share: f64| {
        times.sort_unstable();
        // The smallest time that at least this share of the answers does not exceed.
        let at = ((times.len() as f64 * share).ceil() as usize).clamp(1, times.len().max(1)) - 1;
        times.get(at).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    println!(
        "{name} answers {} p50_ms {:.1} p99_ms {:.1} p99.9_ms {:.1} max_ms {:.1} first_ms {:.1} memory_mib {:.1} failures {:?}",
        answers.later.len(),
        ms(&mut answers.later, 0.5),
        ms(&mut answers.later, 0.99),
        ms(&mut answers.later, 0.999),
        ms(&mut answers.later, 1.0),
        ms(&mut answers.first, 1.0),
        answers.memory as f64 / f64::from(1u32 << 20),
        answers.failures,
    );
}
