//! A whole site that plays: real bots in real sandboxes, over HTTP.

// Tests may unwrap and print their progress.
#![allow(unreachable_pub, clippy::unwrap_used, clippy::print_stdout, clippy::format_push_string)]

#[path = "../main/common/mod.rs"]
mod common;

mod leaks;
mod live;
mod said;
mod submissions;

use std::process::ExitCode;

/// A test with its name.
type Test = (&'static str, fn());

const TESTS: &[Test] = &[
    (
        "a_bot_is_built_tried_activated_and_meets_the_boss",
        submissions::a_bot_is_built_tried_activated_and_meets_the_boss,
    ),
    ("listeners_hear_what_they_asked_for_and_no_more", live::listeners_hear_what_they_asked_for_and_no_more),
    ("a_match_is_followed_while_it_is_played", live::a_match_is_followed_while_it_is_played),
    (
        "a_game_with_hidden_information_is_shown_when_it_is_over",
        live::a_game_with_hidden_information_is_shown_when_it_is_over,
    ),
    ("nothing_of_one_player_is_seen_by_another", leaks::nothing_of_one_player_is_seen_by_another),
    ("tries_are_private", leaks::tries_are_private),
    ("what_a_bot_says_stays_text", said::what_a_bot_says_stays_text),
    ("a_stopped_site_goes_on_where_it_was", live::a_stopped_site_goes_on_where_it_was),
];

fn main() -> ExitCode {
    testing::program::main(TESTS, |_, test| test())
}
