//! A test program that also plays built-in bots, as `agon` does otherwise. It needs its own main function: `harness = false`.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Instant;

use bots::{Seating, Thinking};
use game::Selection;

/// Plays the built-in bot this program was started as, or else runs the tests that were asked for by parts of their names.
pub fn main<T: Copy>(tests: &[(&'static str, T)], run: impl Fn(&'static str, T)) -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|first| first == "bot") {
        play_built_in(&args[1..]);
        return ExitCode::SUCCESS;
    }
    let wanted: Vec<&String> = args.iter().filter(|arg| !arg.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str()));
    let tests = tests.iter().filter(|(name, _)| is_wanted(name));
    if args.iter().any(|arg| arg == "--list") {
        tests.for_each(|(name, _)| println!("{name}: test"));
        return ExitCode::SUCCESS;
    }
    let mut failed = Vec::new();
    let mut passed = 0;
    for &(name, test) in tests {
        let begun = Instant::now();
        let done = catch_unwind(AssertUnwindSafe(|| run(name, test)));
        let said = if done.is_ok() { "ok" } else { "FAILED" };
        println!("test {name} ... {said} ({:.1} s)", begun.elapsed().as_secs_f32());
        if done.is_ok() {
            passed += 1;
        } else {
            failed.push(name);
        }
    }
    if !failed.is_empty() {
        println!("\nfailed: {}", failed.join(", "));
    }
    let verdict = if failed.is_empty() { "ok" } else { "FAILED" };
    println!("\ntest result: {verdict}. {passed} passed; {} failed; 0 ignored\n", failed.len());
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// `bot GAME NAME --edition EDITION --league LEVEL --players COUNT`, as `agon` does it.
fn play_built_in(args: &[String]) {
    let value = |flag: &str| args.iter().position(|arg| arg == flag).map(|at| args[at + 1].clone()).unwrap();
    let game = catalog::find(&args[0]).unwrap();
    let asked = Selection {
        league: value("--league").parse().ok(),
        edition: Some(value("--edition")),
        players: value("--players").parse().ok(),
    };
    let selected = game.select(&asked).unwrap();
    let mut mind = (game.bot(&args[1]).unwrap().sit)(&Seating { selected, seed: 0 });
    let thinking = Thinking::within(game.limits(selected));
    // An error means that the referee has closed the pipes: the bot ends.
    let _ = bots::serve(&mut *mind, thinking, &mut io::stdin().lock(), &mut io::stdout().lock());
}
