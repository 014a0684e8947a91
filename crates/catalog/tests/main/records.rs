//! Records: what is written is read and verified; what is changed is noticed.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

use catalog::record::Played;
use catalog::simulate::Plan;
use catalog::verify;
use game::Selected;
use serde_json::{Value, json};

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
    for game in catalog::games() {
        let mut played = recorded(game.info().name, full_game(game.info().name));
        let [player, next] = [2, 3].map(|turn| played.turns[turn].player);
        played.turns[2].input = Some(vec!["something else".into()]);
        played.turns[3].input_sha256 = Some("00".into());
        let checked = verify::line(&serde_json::to_vec(&played).unwrap()).unwrap();
        let places: Vec<_> =
            checked.mismatches.iter().map(|mismatch| (mismatch.turn, mismatch.what.clone())).collect();
        assert_eq!(
            places,
            [
                (Some(2), format!("input line 1 of player {player}")),
                (Some(3), format!("SHA-256 of the input of player {next}"))
            ]
        );
    }
}

fn refused(record: &Value, why: &str) {
    let error = verify::line(record.to_string().as_bytes()).unwrap_err().to_string();
    assert!(error.contains(why), "{error}");
}

#[test]
fn rules_that_cannot_be_played_are_refused() {
    for game in catalog::games() {
        let info = game.info();
        let record = serde_json::to_value(recorded(info.name, full_game(info.name))).unwrap();
        let mut changed = record.clone();
        changed["rules"]["no such rule"] = 1.into();
        refused(&changed, &format!("these are not rules of {}", info.title));
        // Every rule that is a number has a range.
        let mut ranges = 0;
        for (rule, value) in record["rules"].as_object().unwrap() {
            if !value.is_number() {
                continue;
            }
            let mut changed = record.clone();
            changed["rules"][rule] = u32::MAX.into();
            if let Err(error) = verify::line(changed.to_string().as_bytes()) {
                ranges += usize::from(error.to_string().contains(&format!("allow {rule} from")));
            }
        }
        assert!(ranges > 0, "{} checks no range", info.name);
    }
}

#[test]
fn headers_that_name_nothing_are_refused() {
    let names: Vec<&str> = catalog::games().map(|game| game.info().name).collect();
    for game in catalog::games() {
        let info = game.info();
        let record = serde_json::to_value(recorded(info.name, full_game(info.name))).unwrap();
        let mut changed = record.clone();
        changed["game"] = "chess".into();
        refused(&changed, &format!("choose one of: {}", names.join(", ")));
        let mut changed = record.clone();
        changed["seed"] = "x".into();
        refused(&changed, "a whole number of 64 bits");
        let editions: Vec<&str> = info.editions.iter().map(|edition| edition.name).collect();
        let trace = json!({"game": info.name, "rules": "1999", "seed": "1", "turns": [], "end": {}});
        refused(&trace, &format!("choose one of: {}", editions.join(", ")));
    }
}

/// A file for one test, gone when the test is over.
fn file(content: &[u8]) -> tempfile::TempPath {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(content).unwrap();
    file.into_temp_path()
}

/// A record of some game.
fn any_record() -> Played {
    let name = catalog::games().next().unwrap().info().name;
    recorded(name, full_game(name))
}

#[test]
fn files_are_read_whatever_their_form() {
    let played = any_record();
    let line = serde_json::to_string(&played).unwrap();
    let spread = serde_json::to_string_pretty(&played).unwrap();
    for (name, content, games) in [
        ("lines", format!("{line}\n\n{line}"), 2),
        ("spread", spread, 1),
        ("crlf", format!("{line}\r\n{line}\r\n"), 2),
    ] {
        let file = file(content.as_bytes());
        let report = verify::files(&[file.to_path_buf()], 2, &AtomicU64::new(0));
        assert_eq!((report.games, report.mismatches, report.unreadable_count), (games, 0, 0), "{name}");
    }
}

#[test]
fn records_that_are_in_no_file_are_verified() {
    let line = serde_json::to_vec(&any_record()).unwrap();
    let read = |number: usize| match number {
        3 => Err(std::io::Error::other("it is gone")),
        5 => Ok(b"no record".to_vec()),
        _ => Ok(line.clone()),
    };
    let done = AtomicU64::new(0);
    let report = verify::records(7, read, 2, &done);
    assert_eq!((report.games, report.mismatches, done.into_inner()), (5, 0, 7));
    let places: Vec<usize> = report.unreadable.iter().map(|(place, _)| place.file).collect();
    assert_eq!(places, [3, 5], "{:?}", report.unreadable);
}

#[test]
fn unreadable_places_are_named_and_the_rest_is_verified() {
    let line = serde_json::to_string(&any_record()).unwrap();
    let good_and_bad = file(format!("{line}\n{{\"cut\n{line}\n").as_bytes());
    let empty = file(b"");
    let not_gzip = file(b"\x1f\x8bnothing of the kind");
    let missing = PathBuf::from("no such file");
    let paths = [good_and_bad.to_path_buf(), empty.to_path_buf(), not_gzip.to_path_buf(), missing];
    let report = verify::files(&paths, 2, &AtomicU64::new(0));
    assert_eq!((report.games, report.mismatches), (2, 0));
    let places: Vec<(usize, u64)> =
        report.unreadable.iter().map(|(place, _)| (place.file, place.line)).collect();
    assert_eq!(places, [(0, 2), (1, 0), (2, 0), (3, 0)], "{:?}", report.unreadable);
}
