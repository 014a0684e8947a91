//! Programs that attack the referee, the sandbox or the host: the header of each names the verdict that it must get.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use play::Runner;
use referee::{Cause, Clock};
use sandbox::{Level, Sandbox};
use toolchain::Language;

use crate::{bot, causes, honest, launcher, plan, play, sandbox};

/// What the header of a hostile program says.
struct Expected {
    game: String,
    verdicts: BTreeSet<String>,
    /// The weakest box in which it must end so.
    level: Level,
    /// Whether it takes its time: on a busy machine its verdict would else be about time.
    untimed: bool,
}

fn header(file: &Path) -> Expected {
    let text = String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
    let optional = |key: &str| {
        let line = text.lines().take(12).find_map(|line| line.split_once(&format!("{key}:")));
        line.map(|(_, value)| value.trim().to_owned())
    };
    let field =
        |key: &str| optional(key).unwrap_or_else(|| panic!("{}: no `{key}:` in the header", file.display()));
    assert!(text.lines().take(3).any(|line| line.contains("agon-hostile")), "{}", file.display());
    assert!(!field("about").is_empty());
    Expected {
        game: field("game"),
        verdicts: field("verdict").split(',').map(|verdict| verdict.trim().to_owned()).collect(),
        level: match field("level").as_str() {
            "A" => Level::A,
            "B" => Level::B,
            "any" => Level::None,
            other => panic!("{}: level {other}", file.display()),
        },
        untimed: optional("clock").as_deref() == Some("off"),
    }
}

/// Plays a hostile program against an honest one and returns what was wrong, if anything.
fn complaint(file: &Path) -> Option<String> {
    let expected = header(file);
    // `A` is the strongest and the least.
    let strong_enough = sandbox().level() <= expected.level;
    if !testing::require(&format!("a box of level {}", expected.level), strong_enough) {
        return None;
    }
    if let Some(program) = Language::of(file).and_then(Language::missing)
        && !testing::require(program, false)
    {
        return None;
    }
    let honest = bot(&honest(&expected.game, "c").display().to_string());
    let bots = [bot(&file.display().to_string()), honest];
    let mut plan = plan(&expected.game, 7, &bots);
    if expected.untimed {
        plan.clock = Clock::Off;
    }
    let played = play(&plan);
    let causes = causes(&played);
    let verdict = causes[0].as_ref().map_or("fine", Cause::name);
    let said: String = played.log.iter().map(|turn| String::from_utf8_lossy(&turn.stderr)).collect();
    let breach = said.lines().find(|line| line.contains("BREACH"));
    if let Some(breach) = breach {
        return Some(format!("it broke out: {breach}"));
    }
    if !expected.verdicts.contains(verdict) {
        let why = causes[0].as_ref().map(ToString::to_string).unwrap_or_default();
        return Some(format!("expected {:?}, got {verdict} {why}", expected.verdicts));
    }
    if let Some(cause) = &causes[1] {
        return Some(format!("the honest opponent failed: {cause}"));
    }
    None
}

/// Processes that run a program of our build cache.
fn left_over() -> Vec<String> {
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bots");
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let of_ours = processes.filter_map(|entry| {
        let id = entry.file_name().to_str()?.parse::<u32>().ok()?;
        let command = fs::read(entry.path().join("cmdline")).ok()?;
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        command.contains(cache.to_str()?).then(|| format!("{id} {command}"))
    });
    of_ours.collect()
}

#[test]
fn every_hostile_program_gets_its_verdict() {
    let mut files: Vec<PathBuf> = fs::read_dir(testing::repository("crates/play/tests/hostile"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 40, "the suite has {} programs", files.len());
    let mut complaints = Vec::new();
    for file in &files {
        if let Some(complaint) = complaint(file) {
            complaints.push(format!("{}: {complaint}", file.file_name().unwrap().to_string_lossy()));
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    assert_eq!(left_over(), Vec::<String>::new(), "processes are left over");
}

/// Fifty matches of the program that tries to leave something for its next match, in the same boxes.
#[test]
fn nothing_is_carried_over_to_the_next_match() {
    let file = testing::repository("crates/play/tests/hostile/100-carries-over.c");
    let strong_enough = sandbox().level() <= Level::B;
    if !testing::require("a box of level b", strong_enough) {
        return;
    }
    let sandbox = Sandbox::new(Some(sandbox().level())).unwrap();
    // From both seats, so that the boxes are those of one bot in both.
    let hostile = bot(&file.display().to_string());
    let bots = [hostile.clone(), hostile];
    let runner = Runner::new(&sandbox, launcher(), None);
    let before = sandbox.frames_made();
    for number in 0..50 {
        let mut plan = plan("ocean-of-code", number, &bots);
        plan.clock = Clock::Off;
        let played = runner.play(&plan);
        assert_eq!(causes(&played), [None, None], "match {number}");
        let said: String = played.log.iter().map(|turn| String::from_utf8_lossy(&turn.stderr)).collect();
        assert!(!said.contains("BREACH"), "match {number}: {said}");
    }
    let boxes = sandbox.frames_made() - before;
    println!("{boxes} boxes for 50 matches of two programs");
    if sandbox.level() == Level::A && cfg!(target_arch = "x86_64") {
        assert!(testing::require("boxes that are used again", boxes > 0) && boxes < 25, "{boxes} boxes");
    }
}
