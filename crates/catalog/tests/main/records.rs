//! Records: what is written is read and verified; what is changed is noticed.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

use catalog::record::Played;
use catalog::simulate::Plan;
use catalog::verify;
use game::Selected;

/// One random game of a rule set, as a record.
fn recorded(name: &str, selected: Selected) -> Played {
    let taken = Mutex::new(Vec::new());
    let take = |played| taken.lock().unwrap().push(played);
    let done = AtomicU64::new(0);
    let plan = Plan {
        selected,
        first_seed: -7,
        games: 1,
        workers: 1,
        maps_only: false,
        done: &done,
        record: Some(&take),
    };
    catalog::find(name).unwrap().simulate(&plan);
    taken.into_inner().unwrap().pop().unwrap()
}

fn full_game(name: &str) -> Selected {
    catalog::find(name).unwrap().select(&game::Selection::default()).unwrap()
}

#[test]
fn every_rule_set_round_trips() {
    for game in catalog::games() {
        for selected in game.info().all() {
            let played = recorded(game.info().name, selected);
            let text = serde_json::to_vec(&played).unwrap();
            let checked = verify::line(&text).unwrap();
            assert_eq!(checked.mismatches, [], "{selected:?}");
            assert!(checked.turns > 0);
        }
    }
}

#[test]
fn a_changed_answer_is_noticed() {
    for game in catalog::games() {
        let mut played = recorded(game.info().name, full_game(game.info().name));
        let last = played.turns.len() - 1;
        played.turns[last].output = None;
        let checked = verify::line(&serde_json::to_vec(&played).unwrap()).unwrap();
        assert!(!checked.mismatches.is_empty(), "{}", game.info().name);
    }
}

#[test]
fn a_changed_end_is_noticed() {
    for game in catalog::games() {
        let played = recorded(game.info().name, full_game(game.info().name));
        for key in played.end.keys() {
            let mut changed = played.clone();
            changed.end.insert(key.clone(), "something else".into());
            let checked = verify::line(&serde_json::to_vec(&changed).unwrap()).unwrap();
            let what: Vec<&str> = checked.mismatches.iter().map(|mismatch| mismatch.what.as_str()).collect();
            assert_eq!(what, [format!("end.{key}")]);
            changed.end.remove(key);
            assert_eq!(verify::line(&serde_json::to_vec(&changed).unwrap()).unwrap().mismatches.len(), 1);
        }
    }
}

#[test]
fn a_game_cut_short_or_gone_on_is_noticed() {
    for game in catalog::games() {
        let played = recorded(game.info().name, full_game(game.info().name));
        let mut short = played.clone();
        short.turns.pop();
        let mut long = played.clone();
        long.turns.push(played.turns[0].clone());
        for changed in [short, long] {
            let checked = verify::line(&serde_json::to_vec(&changed).unwrap()).unwrap();
            assert_eq!(checked.mismatches.len(), 1, "{:?}", checked.mismatches);
        }
    }
}

#[test]
fn a_changed_input_is_noticed_where_it_differs() {
    let mut played = recorded("ocean-of-code", full_game("ocean-of-code"));
    played.turns[2].input = Some(vec!["1 2 3".into(), "NA".into(), "NA".into()]);
    played.turns[3].input_sha256 = Some("00".into());
    let checked = verify::line(&serde_json::to_vec(&played).unwrap()).unwrap();
    let places: Vec<_> =
        checked.mismatches.iter().map(|mismatch| (mismatch.turn, mismatch.what.as_str())).collect();
    assert_eq!(
        places,
        [(Some(2), "input line 1 of player 0"), (Some(3), "SHA-256 of the input of player 1")]
    );
}

#[test]
fn rules_that_cannot_be_played_are_refused() {
    let played = recorded("hypersonic", full_game("hypersonic"));
    let text = serde_json::to_string(&played).unwrap();
    let refused = |from: &str, to: &str, why: &str| {
        assert!(text.contains(from), "{from} is not in the record");
        let error = verify::line(text.replace(from, to).as_bytes()).unwrap_err();
        assert!(error.contains(why), "{error}");
    };
    refused("\"fuse\":8", "\"fuse\":99", "allow fuse from 1 to 8, not 99");
    refused("\"fuse\":8", "\"fuze\":8", "these are not rules of Hypersonic");
    refused(
        "\"game\":\"hypersonic\"",
        "\"game\":\"chess\"",
        "choose one of: back-track, hypersonic, ocean-of-code",
    );
    refused("\"seed\":\"-7\"", "\"seed\":\"x\"", "a whole number of 64 bits");
    let trace = r#"{"game":"back-track","rules":"1999","league":3,"seed":"1","turns":[],"end":{}}"#;
    assert!(verify::line(trace.as_bytes()).unwrap_err().contains("choose one of: statement, 2026, 2026-poi"));
}

/// A file for one test, gone when the test is over.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, content: &[u8]) -> Scratch {
        let path = std::env::temp_dir().join(format!("agon-{}-{name}", std::process::id()));
        std::fs::File::create(&path).unwrap().write_all(content).unwrap();
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn files_are_read_whatever_their_form() {
    let played = recorded("hypersonic", full_game("hypersonic"));
    let line = serde_json::to_string(&played).unwrap();
    let spread = serde_json::to_string_pretty(&played).unwrap();
    for (name, content, games) in [
        ("lines", format!("{line}\n\n{line}"), 2),
        ("spread", spread, 1),
        ("crlf", format!("{line}\r\n{line}\r\n"), 2),
    ] {
        let file = Scratch::new(name, content.as_bytes());
        let report = verify::files(std::slice::from_ref(&file.0), 2, &AtomicU64::new(0));
        assert_eq!((report.games, report.mismatches, report.unreadable_count), (games, 0, 0), "{name}");
    }
}

#[test]
fn unreadable_places_are_named_and_the_rest_is_verified() {
    let line = serde_json::to_string(&recorded("hypersonic", full_game("hypersonic"))).unwrap();
    let good_and_bad = Scratch::new("mixed", format!("{line}\n{{\"cut\n{line}\n").as_bytes());
    let empty = Scratch::new("empty", b"");
    let not_gzip = Scratch::new("broken", b"\x1f\x8bnothing of the kind");
    let missing = PathBuf::from("no such file");
    let paths = [good_and_bad.0.clone(), empty.0.clone(), not_gzip.0.clone(), missing];
    let report = verify::files(&paths, 2, &AtomicU64::new(0));
    assert_eq!((report.games, report.mismatches), (2, 0));
    let places: Vec<(usize, u64)> =
        report.unreadable.iter().map(|(place, _)| (place.file, place.line)).collect();
    assert_eq!(places, [(0, 2), (1, 0), (2, 0), (3, 0)], "{:?}", report.unreadable);
}
