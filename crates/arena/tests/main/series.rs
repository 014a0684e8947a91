//! Many matches: nothing is lost, nothing counts twice, and the number of workers does not show.

use std::fs;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use arena::{Bot, Builtin, MatchLine, Run, RunError, RunHeader};
use referee::Clock;

use crate::{builtin, sandbox};

/// A file for one test, gone when the test is over.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path =
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}.run", std::process::id()));
        let _ = fs::remove_file(&path);
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn bots() -> Vec<Bot> {
    vec![builtin(Builtin::Random), builtin(Builtin::Wait)]
}

fn header(units: u64) -> RunHeader {
    RunHeader {
        agon_run: RunHeader::VERSION,
        game: "hypersonic".into(),
        league: 4,
        rules: "standard".into(),
        bots: vec!["@random".into(), "@wait".into()],
        digests: vec![None, None],
        first_seed: 100,
        units,
        clock: Clock::Off,
        sandbox: sandbox().level(),
        ponder: true,
        sprt: None,
    }
}

/// Plays until `matches` are finished.
fn play(run: &mut Run, workers: usize, matches: usize) {
    let stop = AtomicBool::new(false);
    let enough = |run: &Run| {
        if run.finished() >= matches { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    assert_eq!(run.play(&bots(), sandbox(), workers, &stop, enough).unwrap(), 0);
}

/// Times differ from run to run; everything else must not.
fn timeless(run: &Run) -> Vec<MatchLine> {
    run.results().map(|line| MatchLine { slowest_us: Vec::new(), ..line.clone() }).collect()
}

#[test]
fn every_seed_is_played_from_every_seat() {
    let header = header(3);
    let seatings: Vec<(i64, Vec<usize>)> =
        (0..header.matches()).map(|index| header.match_at(index)).collect();
    let expected: Vec<(i64, Vec<usize>)> =
        [100, 101, 102].into_iter().flat_map(|seed| [(seed, vec![0, 1]), (seed, vec![1, 0])]).collect();
    assert_eq!(seatings, expected);
}

#[test]
fn the_number_of_workers_does_not_show() {
    let (one, four) = (Scratch::new("one"), Scratch::new("four"));
    let mut alone = Run::create(&one.0, header(25)).unwrap();
    let mut together = Run::create(&four.0, header(25)).unwrap();
    play(&mut alone, 1, 50);
    play(&mut together, 4, 50);
    assert_eq!(timeless(&alone).len(), 50);
    assert_eq!(timeless(&alone), timeless(&together));
    assert!((0..25).all(|unit| together.unit(unit).is_some_and(|unit| unit.len() == 2)));
    assert_eq!(together.unit(25), None);
}

#[test]
fn a_run_goes_on_where_it_was_cut() {
    let (whole, cut) = (Scratch::new("whole"), Scratch::new("cut"));
    let mut undisturbed = Run::create(&whole.0, header(20)).unwrap();
    play(&mut undisturbed, 2, 40);
    let mut disturbed = Run::create(&cut.0, header(20)).unwrap();
    for matches in [3, 10, 11, 25] {
        play(&mut disturbed, 2, matches);
        drop(disturbed);
        // A crash in the middle of a line.
        fs::OpenOptions::new().append(true).open(&cut.0).unwrap().write_all(b"{\"index\":39,\"se").unwrap();
        disturbed = Run::open(&cut.0).unwrap();
        assert!(disturbed.finished() >= matches);
    }
    play(&mut disturbed, 2, 40);
    assert_eq!(timeless(&disturbed), timeless(&undisturbed));
    let reopened = Run::open(&cut.0).unwrap();
    assert_eq!(timeless(&reopened), timeless(&undisturbed));
    let lines = fs::read_to_string(&cut.0).unwrap().lines().count();
    assert_eq!(lines, 41, "a header and each match once");
}

#[test]
fn what_is_not_a_run_is_refused() {
    let file = Scratch::new("refused");
    let run = Run::create(&file.0, header(1)).unwrap();
    drop(run);
    assert!(matches!(Run::create(&file.0, header(1)), Err(RunError::Exists(_))));
    fs::write(&file.0, "hello\n").unwrap();
    assert!(matches!(Run::open(&file.0), Err(RunError::NotARun(..))));
    assert!(matches!(Run::open("/no/such/file".as_ref()), Err(RunError::File(..))));
    let newer = RunHeader { agon_run: 99, ..header(1) };
    fs::write(&file.0, serde_json::to_string(&newer).unwrap() + "\n").unwrap();
    assert!(Run::open(&file.0).unwrap_err().to_string().contains("version 99"));
}

#[test]
fn a_bot_that_changed_is_another_bot() {
    let file = Scratch::new("changed");
    let mut run =
        Run::create(&file.0, RunHeader { digests: vec![Some("old".into()), None], ..header(1) }).unwrap();
    let error =
        run.play(&bots(), sandbox(), 1, &AtomicBool::new(false), |_| ControlFlow::Continue(())).unwrap_err();
    assert!(error.to_string().contains("begin a new run"), "{error}");
}
