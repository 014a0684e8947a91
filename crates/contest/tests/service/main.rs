//! A complete service on its own store, with real bots in real sandboxes.

// Tests may unwrap, and print their progress.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

mod failures;
mod ladders;
mod restarts;
mod support;
mod trials;

use std::process::ExitCode;

use support::TestArena;

/// A test and its name, which tells on which database it runs.
type Test = (&'static str, fn(&mut TestArena));

const TESTS: &[Test] = &[
    ("a_submission_beats_the_boss_and_rises", trials::a_submission_beats_the_boss_and_rises),
    ("a_version_is_tested_before_it_counts", trials::a_version_is_tested_before_it_counts),
    ("a_lost_trial_ends_and_may_be_repeated", trials::a_lost_trial_ends_and_may_be_repeated),
    ("authors_are_told_what_happened", failures::authors_are_told_what_happened),
    ("who_keeps_failing_is_paused", failures::who_keeps_failing_is_paused),
    ("a_ladder_leads_up", ladders::a_ladder_leads_up),
    ("built_in_bots_fill_tables_of_four", ladders::built_in_bots_fill_tables_of_four),
    ("a_contest_lives_and_ends", ladders::a_contest_lives_and_ends),
    ("a_restart_loses_nothing", restarts::a_restart_loses_nothing),
    ("a_paused_service_plays_nothing", restarts::a_paused_service_plays_nothing),
    (
        "an_aborted_build_leaves_the_stopped_runtime_alone",
        restarts::an_aborted_build_leaves_the_stopped_runtime_alone,
    ),
    ("a_lost_trial_ends_on_postgres", trials::a_lost_trial_ends_and_may_be_repeated),
    ("a_submission_rises_on_postgres", trials::a_submission_beats_the_boss_and_rises),
    ("a_restart_loses_nothing_on_postgres", restarts::a_restart_loses_nothing),
];

fn main() -> ExitCode {
    testing::program::main(TESTS, |name, test| {
        let Some(mut arena) = TestArena::new(name) else { return };
        test(&mut arena);
        arena.close();
    })
}
