//! Many matches: nothing is lost, nothing counts twice, and the number of workers does not show.

use std::fs;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use referee::Clock;
use runs::{Format, MatchLine, Plan, Run, RunContext, RunError, RunHeader};
use toolchain::{Bot, Builtin};

use crate::{bot, builtin, launcher, sandbox};

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

pub(crate) fn header(units: u64) -> RunHeader {
    RunHeader {
        agon_run: RunHeader::VERSION,
        game: "hypersonic".into(),
        league: 4,
        edition: "standard".into(),
        bots: vec!["@random".into(), "@wait".into()],
        names: vec!["random".into(), "wait".into()],
        digests: vec![None, None],
        players: 2,
        first_seed: 100,
        units,
        clock: Clock::Off,
        sandbox: sandbox().level(),
        ponder: true,
        sprt: None,
        plan: Plan::Duel,
        records: None,
        shard: None,
    }
}

/// Plays until `matches` are finished.
pub(crate) fn play(run: &mut Run, workers: usize, matches: usize) {
    let stop = AtomicBool::new(false);
    let enough = |run: &Run| {
        if run.finished() >= matches { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let bots: Vec<Bot> = bots().into_iter().cycle().take(run.header.bots.len()).collect();
    let context = RunContext { bots: &bots, sandbox: sandbox(), launcher: launcher(), workers };
    assert_eq!(run.play(&context, 0..u64::MAX, &stop, enough).unwrap(), 0);
}

/// Times differ from run to run; everything else must not.
pub(crate) fn timeless(run: &Run) -> Vec<MatchLine> {
    run.results().map(|line| MatchLine { slowest_us: Vec::new(), disturbed: 0, ..line.clone() }).collect()
}

#[test]
fn every_seed_is_played_from_every_seat() {
    let file = Scratch::new("seats");
    let run = Run::create(&file.0, header(3)).unwrap();
    let seatings: Vec<(i64, Vec<usize>)> = (0..).map_while(|index| run.match_at(index)).collect();
    let expected: Vec<(i64, Vec<usize>)> =
        [100, 101, 102].into_iter().flat_map(|seed| [(seed, vec![0, 1]), (seed, vec![1, 0])]).collect();
    assert_eq!(seatings, expected);
}

#[test]
fn results_do_not_depend_on_the_number_of_workers() {
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

/// With an idle core, the programs of the next match start while a match is played: they wait for their first question,
/// not the question for them.
#[test]
fn programs_that_start_slowly_are_started_ahead() {
    assert!(play::cores().len() > 1, "this test needs two cores");
    let folder = testing::scratch();
    let bots = [bot("/bin/sh -c 'sleep 0.4; read line; echo nonsense; read line'"), builtin(Builtin::Wait)];
    let file = Scratch::new("ahead");
    let header = RunHeader {
        // Its players take turns: a match needs one core.
        game: "ocean-of-code".into(),
        digests: bots.iter().map(|bot| bot.digest.clone()).collect(),
        records: Some(folder.path().display().to_string()),
        ..header(4)
    };
    let mut run = Run::create(&file.0, header).unwrap();
    let context = RunContext { bots: &bots, sandbox: sandbox(), launcher: launcher(), workers: 1 };
    run.play(&context, 0..4, &AtomicBool::new(false), |_| ControlFlow::Continue(())).unwrap();
    let slowest: Vec<u64> = run
        .results()
        .map(|line| {
            let record = record(folder.path(), line.index);
            let turns = record["turns"].as_array().unwrap();
            turns.iter().filter_map(|turn| turn["wall_us"].as_u64()).max().unwrap()
        })
        .collect();
    assert_eq!(slowest.len(), 8);
    assert!(slowest[0] >= 350_000, "nothing is played before the first match: {slowest:?}");
    assert!(slowest.iter().any(|&us| us < 200_000), "no program was started ahead: {slowest:?}");
}

/// The record of a match in a folder of records.
fn record(folder: &Path, index: u64) -> serde_json::Value {
    let bytes = fs::read(runs::record_path(folder, index)).unwrap();
    serde_json::from_reader(flate2::read::GzDecoder::new(&bytes[..])).unwrap()
}

#[test]
fn an_interrupted_run_continues() {
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
fn invalid_run_files_are_refused() {
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
fn a_changed_bot_is_refused() {
    let file = Scratch::new("changed");
    let mut run =
        Run::create(&file.0, RunHeader { digests: vec![Some("old".into()), None], ..header(1) }).unwrap();
    let context = RunContext { bots: &bots(), sandbox: sandbox(), launcher: launcher(), workers: 1 };
    let error = run.play(&context, 0..1, &AtomicBool::new(false), |_| ControlFlow::Continue(())).unwrap_err();
    assert!(error.to_string().contains("begin a new run"), "{error}");
}

/// A run of version 1, as it was written before there were tournaments: three seats, two matches finished.
const VERSION_1: &str = concat!(
    r#"{"agon_run":1,"game":"hypersonic","league":4,"rules":"standard","bots":["@random","@wait","@wait"],"#,
    r#""digests":[null,null,null],"first_seed":100,"units":1,"clock":{"kind":"off"},"sandbox":"none","ponder":true,"sprt":[0.0,5.0]}"#,
    "\n",
    r#"{"index":0,"seed":"100","seats":[0,1,2],"scores":[3,0,0],"ranks":[1,2,2],"reason":"last_alive","causes":[null,null,null],"#,
    r#""details":[null,null,null],"turns":40,"slowest_us":[5,6,7]}"#,
    "\n",
    r#"{"index":2,"seed":"100","seats":[2,0,1],"scores":[1,2,3],"ranks":[3,2,1],"reason":"turns","causes":[null,"crash",null],"#,
    r#""details":[null,"crash: exit code 1",null],"turns":200,"slowest_us":[5,6,7]}"#,
    "\n",
);

#[test]
fn a_run_of_version_1_still_opens_and_goes_on() {
    let file = Scratch::new("version-1");
    fs::write(&file.0, VERSION_1).unwrap();
    let mut run = Run::open(&file.0).unwrap();
    assert_eq!(
        (run.header.plan.clone(), run.header.players, run.header.sprt),
        (Plan::Duel, 3, serde_json::from_str("[0.0, 5.0]").unwrap())
    );
    assert_eq!((run.finished(), run.header.matches(), run.header.name(1)), (2, 3, "@wait"));
    assert_eq!(run.match_at(1), Some((100, vec![1, 2, 0])));
    run.header.sandbox = sandbox().level();
    let bots = [Builtin::Random, Builtin::Wait, Builtin::Wait].map(builtin);
    let context = RunContext { bots: &bots, sandbox: sandbox(), launcher: launcher(), workers: 1 };
    run.play(&context, 0..1, &AtomicBool::new(false), |_| ControlFlow::Continue(())).unwrap();
    drop(run);
    let run = Run::open(&file.0).unwrap();
    assert_eq!(run.unit(0).unwrap().iter().map(|line| line.turns).filter(|&turns| turns == 200).count(), 1);
    assert!(fs::read_to_string(&file.0).unwrap().starts_with(VERSION_1), "what was there is not touched");
}

#[test]
fn lines_that_do_not_belong_to_the_run_are_refused() {
    let file = Scratch::new("foreign");
    for (from, to, word) in [
        (r#""index":2"#, r#""index":3"#, "schedule"),
        (r#""seats":[2,0,1]"#, r#""seats":[2,0,3]"#, "not in the run"),
        (r#""seats":[2,0,1]"#, r#""seats":[0,1]"#, "number of seats"),
        (r#""ranks":[3,2,1]"#, r#""ranks":[1]"#, "number of seats"),
        (r#""units":1"#, r#""units":18446744073709551615"#, "at the most"),
        (r#""digests":[null,null,null]"#, r#""digests":[]"#, "differ in number"),
    ] {
        assert!(VERSION_1.contains(from));
        fs::write(&file.0, VERSION_1.replace(from, to)).unwrap();
        let error = Run::open(&file.0).unwrap_err().to_string();
        assert!(error.contains(word), "{to}: {error}");
    }
}

fn tournament(format: Format, bots: usize, players: u8, rounds: u64) -> RunHeader {
    RunHeader {
        bots: ["@random", "@wait"].into_iter().cycle().take(bots).map(str::to_owned).collect(),
        names: (0..bots).map(|bot| format!("bot {bot}")).collect(),
        digests: vec![None; bots],
        players,
        units: rounds * format.units_per_round(bots, players as usize),
        plan: Plan::Tournament(format),
        ..header(0)
    }
}

#[test]
fn formats_determine_the_pairings() {
    let file = Scratch::new("formats");
    let tables = |header: RunHeader| {
        let _ = fs::remove_file(&file.0);
        let each = u64::from(header.players);
        let run = Run::create(&file.0, header).unwrap();
        (0..).map_while(|unit| Some(run.match_at(unit * each)?.1)).collect::<Vec<_>>()
    };
    assert_eq!(
        tables(tournament(Format::RoundRobin, 3, 2, 2)),
        [[0, 1], [0, 2], [1, 2], [0, 1], [0, 2], [1, 2]]
    );
    assert_eq!(tables(tournament(Format::RoundRobin, 4, 3, 1)), [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]);
    assert_eq!(tables(tournament(Format::Gauntlet, 4, 2, 1)), [[0, 1], [0, 2], [0, 3]]);
    assert_eq!(tables(tournament(Format::Gauntlet, 4, 3, 1)), [[0, 1, 2], [0, 1, 3], [0, 2, 3]]);
    assert_eq!(tables(tournament(Format::Swiss, 5, 2, 4)), [[0, 1], [2, 3]], "only the first round is known");
    let many = tables(tournament(Format::Gauntlet, 60, 4, 2));
    assert_eq!(many.len(), 40);
    assert!(many.iter().all(|table| table[0] == 0 && !table[1..].contains(&0)), "{many:?}");
    assert_eq!(tables(tournament(Format::RoundRobin, 60, 4, 1)).len(), 295);
}

/// Pairings of a round depend on complete earlier rounds alone: neither workers nor a stop in between show.
#[test]
fn a_swiss_tournament_is_deterministic() {
    let header = tournament(Format::Swiss, 7, 2, 5);
    let (one, four, cut) = (Scratch::new("swiss-one"), Scratch::new("swiss-four"), Scratch::new("swiss-cut"));
    let mut alone = Run::create(&one.0, header.clone()).unwrap();
    play(&mut alone, 1, usize::MAX);
    assert_eq!(alone.finished(), 30);
    let mut together = Run::create(&four.0, header.clone()).unwrap();
    play(&mut together, 4, usize::MAX);
    assert_eq!(timeless(&alone), timeless(&together));
    let mut disturbed = Run::create(&cut.0, header).unwrap();
    for matches in [2, 7, 13, 14, 25, usize::MAX] {
        play(&mut disturbed, 3, matches);
        drop(disturbed);
        disturbed = Run::open(&cut.0).unwrap();
    }
    assert_eq!(timeless(&alone), timeless(&disturbed));
}

#[test]
fn each_match_leaves_a_record_if_asked() {
    let file = Scratch::new("records");
    let folder = file.0.with_extension("folder");
    let records = Some(folder.display().to_string());
    let mut run = Run::create(&file.0, RunHeader { records, ..header(2) }).unwrap();
    play(&mut run, 2, usize::MAX);
    for line in run.results() {
        assert_eq!(record(&folder, line.index)["outcome"]["scores"], serde_json::json!(line.scores));
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 4, "and nothing else");
    fs::remove_dir_all(&folder).unwrap();
}

/// The file has what a report needs; the run in memory is small.
#[test]
fn times_and_metrics_are_in_the_file_only() {
    let file = Scratch::new("metrics");
    let talks = "/bin/sh -c 'echo \"[PDATA] opening = rush\" >&2; read l; \
        while read l; do echo \"[TDATA] depth = 3\" >&2; echo MOVE 0 0; n=0; while read l && [ $n -lt 10 ]; do n=$((n+1)); done; done'";
    let bot = crate::bot(talks);
    let header = RunHeader { digests: vec![bot.digest.clone(), None], ..header(1) };
    let mut run = Run::create(&file.0, header).unwrap();
    let bots = [bot, builtin(Builtin::Random)];
    let context = RunContext { bots: &bots, sandbox: sandbox(), launcher: launcher(), workers: 1 };
    run.play(&context, 0..1, &AtomicBool::new(false), |_| ControlFlow::Continue(())).unwrap();
    assert!(run.results().all(|line| line.times_us.is_empty() && line.metrics.is_empty()));
    let text = fs::read_to_string(&file.0).unwrap();
    for text in text.lines().skip(1) {
        let line = MatchLine::parse(text.as_bytes(), &run.header).unwrap();
        let seat = line.seats.iter().position(|&bot| bot == 0).unwrap();
        assert_eq!(line.metrics[seat]["opening"], runs::Metric::Word("rush".into()));
        assert!(line.metrics[1 - seat].is_empty());
        let [median, p95, longest] = line.times_us[seat];
        assert!(median <= p95 && p95 <= longest && longest == line.slowest_us[seat]);
    }
}
