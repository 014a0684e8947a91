//! Parts of a run: together they are the run of one machine.

use std::fs;
use std::path::{Path, PathBuf};

use runs::{Format, InvalidRun, Merged, Plan, Run, RunError, RunHeader, Shard, merge};

use crate::runs::{header, play, timeless};

fn part(shard: &str, header: &RunHeader) -> RunHeader {
    RunHeader { shard: Some(shard.parse().unwrap()), ..header.clone() }
}

/// Plays a run, or a part of one, in a new file of the folder.
fn played(folder: &Path, name: &str, header: RunHeader) -> PathBuf {
    let path = folder.join(name);
    play(&mut Run::create(&path, header).unwrap(), 2, usize::MAX);
    path
}

fn tournament() -> RunHeader {
    let bots = vec!["@random".to_owned(), "@wait".to_owned(), "@random".to_owned()];
    RunHeader {
        names: vec!["a".into(), "b".into(), "c".into()],
        digests: vec![None; 3],
        bots,
        plan: Plan::Tournament(Format::RoundRobin),
        ..header(6)
    }
}

#[test]
fn the_parts_of_a_run_are_the_run_in_any_order() {
    for whole in [header(7), tournament()] {
        let folder = testing::scratch();
        let one = Run::open(&played(folder.path(), "whole", whole.clone())).unwrap();
        let parts = ["2/3", "3/3", "1/3"]
            .map(|shard| played(folder.path(), &shard.replace('/', "-"), part(shard, &whole)));
        let out = folder.path().join("out");
        let merged = merge(&out, &parts).unwrap();
        let all = whole.matches();
        assert_eq!(
            merged,
            Merged { finished: all, planned: all, missing: Vec::new(), separate_records: false }
        );
        let joined = Run::open(&out).unwrap();
        assert_eq!(joined.header, whole);
        assert_eq!(timeless(&joined), timeless(&one));
        let sizes = parts.map(|part| Run::open(&part).unwrap().finished());
        assert!(sizes.iter().all(|&size| size > 0) && sizes.iter().sum::<usize>() as u64 == all, "{sizes:?}");
    }
}

#[test]
fn missing_matches_of_parts_are_played_after_the_merge() {
    let folder = testing::scratch();
    let whole = header(6);
    let first = played(folder.path(), "first", part("1/3", &whole));
    let third = played(folder.path(), "third", part("3/3", &whole));
    // The last match of the first part was cut off, and its first match is there twice.
    let text = fs::read_to_string(&first).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&first, format!("{}\n{}\n{}", lines[..4].join("\n"), lines[1], &lines[4][..20])).unwrap();
    let out = folder.path().join("out");
    let merged = merge(&out, &[third, first]).unwrap();
    assert_eq!(merged.missing, [Shard { part: 2, of: 3 }]);
    assert_eq!((merged.finished, merged.planned), (7, 12));
    let mut joined = Run::open(&out).unwrap();
    assert_eq!(joined.finished(), 7);
    play(&mut joined, 1, usize::MAX);
    let one = Run::open(&played(folder.path(), "whole", whole)).unwrap();
    assert_eq!(timeless(&joined), timeless(&one));
}

#[test]
fn files_that_are_not_different_parts_of_one_run_are_refused() {
    let folder = testing::scratch();
    let empty = |name: &str, header: RunHeader| {
        let path = folder.path().join(name);
        drop(Run::create(&path, header).unwrap());
        path
    };
    let first = empty("first", part("1/2", &header(4)));
    let copy = empty("copy", part("1/2", &header(4)));
    let whole = empty("whole", header(4));
    let more = empty("more", part("2/2", &header(5)));
    let seed = empty("seed", part("2/2", &RunHeader { first_seed: 7, ..header(4) }));
    let thirds = empty("thirds", part("2/3", &header(4)));
    let out = folder.path().join("out");
    let why = |path: &PathBuf| merge(&out, &[first.clone(), path.clone()]).unwrap_err().to_string();
    for (path, expected) in [
        (&copy, "so is"),
        (&whole, "not a part"),
        (&more, "the number of matches differs"),
        (&seed, "the first seed differs"),
        (&thirds, "the number of parts differs"),
    ] {
        let why = why(path);
        assert!(why.contains(expected), "{why}");
        assert!(!out.exists());
    }
    fs::write(&out, "mine").unwrap();
    assert!(matches!(merge(&out, &[first]), Err(RunError::Exists(_))));
    assert_eq!(fs::read_to_string(&out).unwrap(), "mine");
}

#[test]
fn a_part_has_only_its_own_matches() {
    let folder = testing::scratch();
    // More parts than units: some parts are empty.
    let counts: Vec<u64> = (1..=5).map(|number| part(&format!("{number}/5"), &header(3)).matches()).collect();
    assert_eq!(counts.iter().sum::<u64>(), 6);
    let path = played(folder.path(), "part", part("2/2", &header(4)));
    let mut text = fs::read_to_string(&path).unwrap();
    assert_eq!(Run::open(&path).unwrap().results().map(|line| line.index).collect::<Vec<_>>(), [4, 5, 6, 7]);
    let mut foreign: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    foreign["index"] = 0.into();
    text.push_str(&foreign.to_string());
    text.push('\n');
    fs::write(&path, text).unwrap();
    let refused = Run::open(&path);
    assert!(matches!(refused, Err(RunError::NotARun(_, InvalidRun::OutOfSchedule))), "{refused:?}");
}

#[test]
fn impossible_parts_are_refused() {
    for text in ["", "1", "0/3", "4/3", "1/0", "a/b", "1/3/5", "-1/3", "1/100001"] {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
    let swiss = RunHeader { plan: Plan::Tournament(Format::Swiss), ..tournament() };
    assert!(matches!(part("1/2", &swiss).check(), Err(InvalidRun::InOrder)));
    assert!(matches!(
        RunHeader { shard: Some(Shard { part: 3, of: 2 }), ..header(2) }.check(),
        Err(InvalidRun::Shard)
    ));
}
