//! A whole site that plays: real bots in real boxes, over HTTP.

// Tests may assume, and say how they go.
#![allow(unreachable_pub, clippy::unwrap_used, clippy::print_stdout, clippy::format_push_string)]

#[path = "../common/mod.rs"]
mod common;

mod leaks;
mod live;
mod said;
mod submissions;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Instant;

use bots::{Seating, Thinking};
use game::Selection;

/// A test by its name.
type Test = (&'static str, fn());

const TESTS: &[Test] = &[
    (
        "a_bot_is_built_tried_activated_and_meets_the_boss",
        submissions::a_bot_is_built_tried_activated_and_meets_the_boss,
    ),
    ("listeners_hear_what_they_asked_for_and_no_more", live::listeners_hear_what_they_asked_for_and_no_more),
    ("a_match_is_followed_while_it_is_played", live::a_match_is_followed_while_it_is_played),
    (
        "a_game_with_hidden_information_is_told_when_it_is_over",
        live::a_game_with_hidden_information_is_told_when_it_is_over,
    ),
    ("nothing_of_one_player_is_seen_by_another", leaks::nothing_of_one_player_is_seen_by_another),
    ("tries_are_private", leaks::tries_are_private),
    ("what_a_bot_says_stays_text", said::what_a_bot_says_stays_text),
    ("a_stopped_site_goes_on_where_it_was", live::a_stopped_site_goes_on_where_it_was),
];

/// This is also the program that plays the bots of the house, as `agon` is elsewhere: so it has a main function of its own.
fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|first| first == "bot") {
        play_built_in(&args[1..]);
        return ExitCode::SUCCESS;
    }
    let wanted: Vec<&String> = args.iter().filter(|arg| !arg.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|word| name.contains(word.as_str()));
    let tests = TESTS.iter().filter(|(name, _)| is_wanted(name));
    if args.iter().any(|arg| arg == "--list") {
        tests.for_each(|(name, _)| println!("{name}: test"));
        return ExitCode::SUCCESS;
    }
    let mut failed = Vec::new();
    for (name, test) in tests {
        let begun = Instant::now();
        let done = catch_unwind(AssertUnwindSafe(test));
        let said = if done.is_ok() { "ok" } else { "FAILED" };
        println!("test {name} ... {said} ({:.1} s)", begun.elapsed().as_secs_f32());
        if done.is_err() {
            failed.push(*name);
        }
    }
    if failed.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!("\nfailed: {}", failed.join(", "));
    ExitCode::FAILURE
}

fn play_built_in(args: &[String]) {
    let value = |flag: &str| args.iter().position(|arg| arg == flag).map(|at| args[at + 1].clone()).unwrap();
    let game = catalog::find(&args[0]).unwrap();
    let asked = Selection {
        league: value("--league").parse().ok(),
        edition: Some(value("--rules")),
        players: value("--players").parse().ok(),
    };
    let selected = game.select(&asked).unwrap();
    let mut mind = (bots::find(&args[0], &args[1]).unwrap().sit)(&Seating { selected, seed: 0 });
    let thinking = Thinking::within(game.limits(selected));
    // Whoever asked is gone: then there is nothing left to do.
    let _ = bots::serve(&mut *mind, thinking, &mut io::stdin().lock(), &mut io::stdout().lock());
}
