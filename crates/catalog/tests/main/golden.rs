//! The traces of the official referees: every line sent, every map and every end must be the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

use catalog::verify;
use serde::Deserialize;

/// The number of games and turns that a file of traces is known to have, so that no line is skipped unnoticed.
#[derive(Deserialize, PartialEq, Debug)]
struct Expected {
    games: u64,
    turns: u64,
}

fn folder(game: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(game).join("traces")
}

/// The names of the files of traces in a folder; none where the game has no traces yet.
fn trace_files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.ends_with(".jsonl.gz"));
    names.sort();
    names
}

#[test]
fn every_game_plays_like_its_official_referee() {
    for game in catalog::games() {
        let folder = folder(game.info().name);
        let files = trace_files(&folder);
        let list = folder.join("expected.json");
        if files.is_empty() && !list.exists() {
            continue;
        }
        let text = fs::read_to_string(&list).unwrap_or_else(|error| panic!("{}: {error}", list.display()));
        let expected: BTreeMap<String, Expected> = serde_json::from_str(&text).unwrap();
        assert!(expected.keys().eq(&files), "{} lists other files than {files:?}", list.display());
        for (file, expected) in expected {
            let path = folder.join(file);
            let report = verify::files(std::slice::from_ref(&path), 2, &AtomicU64::new(0));
            assert!(report.unreadable.is_empty(), "{}: {:?}", path.display(), report.unreadable);
            let shown: Vec<String> =
                report.first.iter().map(|(place, mismatch)| format!("{}: {mismatch}", place.line)).collect();
            assert_eq!(report.mismatches, 0, "{}: {}", path.display(), shown.join("\n"));
            let found = Expected { games: report.games, turns: report.turns };
            assert_eq!(found, expected, "{}", path.display());
        }
    }
}
