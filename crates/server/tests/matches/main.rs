//! A whole site that plays: real bots in real sandboxes, over HTTP.

// Tests may unwrap and print their progress.
#![allow(unreachable_pub, clippy::unwrap_used, clippy::print_stdout, clippy::format_push_string)]

#[path = "../main/common/mod.rs"]
mod common;

mod bot_texts;
mod drafts;
mod large_records;
mod leaks;
mod live;

mod submissions;

use std::process::ExitCode;

use serde_json::Value;

use common::Visitor;

/// A test with its name.
type Test = (&'static str, fn());

const TESTS: &[Test] = &[
    (
        "a_submission_is_built_tested_activated_and_plays_the_boss",
        submissions::a_submission_is_built_tested_activated_and_plays_the_boss,
    ),
    ("drafts_are_tested_and_shared_with_nobody", drafts::drafts_are_tested_and_shared_with_nobody),
    ("matches_are_shared_by_pictures_and_previews", drafts::matches_are_shared_by_pictures_and_previews),
    ("listeners_receive_only_their_topics", live::listeners_receive_only_their_topics),
    ("a_running_match_can_be_followed", live::a_running_match_can_be_followed),
    ("waiting_clients_do_not_keep_visitors_out", live::waiting_clients_do_not_keep_visitors_out),
    (
        "a_match_with_hidden_information_is_shown_only_after_its_end",
        live::a_match_with_hidden_information_is_shown_only_after_its_end,
    ),
    ("private_data_is_not_visible_to_other_players", leaks::private_data_is_not_visible_to_other_players),
    ("test_matches_are_private", leaks::test_matches_are_private),
    (
        "clients_that_do_not_read_cost_little_memory",
        large_records::clients_that_do_not_read_cost_little_memory,
    ),
    ("output_of_bots_is_shown_as_text", bot_texts::output_of_bots_is_shown_as_text),
    ("a_restarted_site_continues_its_matches", live::a_restarted_site_continues_its_matches),
];

/// Waits until a match of a bot is over, and returns its number. Newer matches may wait or be played.
fn played_match(visitor: &Visitor, bot: i64) -> i64 {
    let over = |list: &Value| {
        let done = list["matches"].as_array()?.iter().find(|one| one["state"] == "done");
        done?["id"].as_i64()
    };
    let list = visitor.until(&format!("/matches?bot={bot}"), |list| over(list).is_some());
    over(&list).unwrap()
}

fn main() -> ExitCode {
    testing::program::main(TESTS, |_, test| test())
}
