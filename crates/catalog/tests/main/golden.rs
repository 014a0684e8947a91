//! The traces of the official referees: every line sent, every map and every end must be the same.

use std::path::PathBuf;
use std::sync::atomic::AtomicU64;

use catalog::verify::{self, Report};

fn verify_fixture(file: &str) -> Report {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(file);
    verify::files(&[path], 2, &AtomicU64::new(0))
}

/// `games` and `turns` are those the file is known to have, so that nothing is passed over.
fn check(file: &str, games: u64, turns: u64) {
    let report = verify_fixture(file);
    assert!(report.unreadable.is_empty(), "{:?}", report.unreadable);
    let shown: Vec<String> =
        report.first.iter().map(|(place, mismatch)| format!("{}: {mismatch}", place.line)).collect();
    assert_eq!(report.mismatches, 0, "{}", shown.join("\n"));
    assert_eq!((report.games, report.turns), (games, turns));
}

#[test]
fn ocean_of_code_games() {
    check("ocean-of-code/dev.jsonl.gz", 548, 41_006);
}

#[test]
fn ocean_of_code_maps() {
    check("ocean-of-code/maps.jsonl.gz", 1000, 0);
}

#[test]
fn hypersonic_games() {
    check("hypersonic/dev.jsonl.gz", 603, 37_533);
}

#[test]
fn hypersonic_maps() {
    check("hypersonic/maps.jsonl.gz", 1000, 0);
}

#[test]
fn back_track_games() {
    check("back-track/dev.jsonl.gz", 345, 16_602);
}

#[test]
fn back_track_maps() {
    check("back-track/maps.jsonl.gz", 1600, 0);
}
