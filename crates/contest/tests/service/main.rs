//! A complete service on its own store, with real bots in real sandboxes.

// Tests may unwrap, and print their progress.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr)]

mod cluster;
mod failures;
mod fairness;
mod ladders;
mod restarts;
mod storage;
mod support;
mod trials;

use std::process::ExitCode;

use support::TestArena;

/// A test and its name, which tells on which database it runs.
type Test = (&'static str, fn(&mut TestArena));

const TESTS: &[Test] = &[
    ("a_submission_that_beats_the_boss_is_promoted", trials::a_submission_that_beats_the_boss_is_promoted),
    ("a_test_match_is_not_rated", trials::a_test_match_is_not_rated),
    ("a_lost_trial_ends_and_may_be_repeated", trials::a_lost_trial_ends_and_may_be_repeated),
    ("authors_see_the_failures_of_their_bots", failures::authors_see_the_failures_of_their_bots),
    ("bots_that_keep_failing_are_paused", failures::bots_that_keep_failing_are_paused),
    ("bots_above_the_boss_are_promoted", ladders::bots_above_the_boss_are_promoted),
    ("built_in_bots_fill_matches_of_four", ladders::built_in_bots_fill_matches_of_four),
    ("a_contest_starts_ends_and_plays_its_final", ladders::a_contest_starts_ends_and_plays_its_final),
    ("a_restart_loses_nothing", restarts::a_restart_loses_nothing),
    ("a_paused_service_plays_nothing", restarts::a_paused_service_plays_nothing),
    (
        "an_aborted_build_leaves_the_stopped_runtime_alone",
        restarts::an_aborted_build_leaves_the_stopped_runtime_alone,
    ),
    ("one_worker_builds_and_plays_in_turns", fairness::one_worker_builds_and_plays_in_turns),
    ("switching_versions_begins_no_new_series", fairness::switching_versions_begins_no_new_series),
    (
        "a_build_for_a_blocked_account_is_not_activated",
        fairness::a_build_for_a_blocked_account_is_not_activated,
    ),
    ("a_build_that_fails_by_our_fault_is_repeated", fairness::a_build_that_fails_by_our_fault_is_repeated),
    ("a_second_service_is_refused", storage::a_second_service_is_refused),
    ("a_second_service_is_refused_on_postgres", storage::a_second_service_is_refused),
    ("a_full_disk_of_records_loses_nothing", storage::a_full_disk_of_records_loses_nothing),
    ("a_database_that_is_away_loses_nothing_on_postgres", storage::a_database_that_is_away_loses_nothing),
    (
        "a_full_disk_of_the_database_loses_nothing_on_postgres",
        storage::a_full_disk_of_the_database_loses_nothing,
    ),
    ("a_lost_trial_ends_on_postgres", trials::a_lost_trial_ends_and_may_be_repeated),
    ("a_submission_is_promoted_on_postgres", trials::a_submission_that_beats_the_boss_is_promoted),
    ("a_restart_loses_nothing_on_postgres", restarts::a_restart_loses_nothing),
    ("workers_of_a_cluster_play_on_postgres", cluster::workers_of_a_cluster_play),
    ("another_service_takes_the_lead_on_postgres", cluster::another_service_takes_the_lead),
    ("false_results_are_refused_on_postgres", cluster::false_results_are_refused),
    (
        "matches_of_deterministic_bots_are_played_again_on_postgres",
        cluster::matches_of_deterministic_bots_are_played_again,
    ),
];

fn main() -> ExitCode {
    testing::program::main(TESTS, |name, test| {
        let Some(mut arena) = TestArena::new(name) else { return };
        test(&mut arena);
        arena.close();
    })
}
