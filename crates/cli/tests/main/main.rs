//! The command as people and programs use it: arguments in, text and exit code out.

// Tests may unwrap.
#![allow(clippy::unwrap_used)]

mod again;
mod damaged;
mod dropin;
mod export;
mod kits;
mod remote;
mod report;
mod safe_text;
mod series;
mod time_machine;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn agon(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(arguments)
        .env_remove("AGON_LANG")
        .env_remove("CLICOLOR_FORCE")
        .output()
        .unwrap()
}

/// The output of a command that must succeed.
fn printed(arguments: &[&str]) -> String {
    let output = agon(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).unwrap()
}

/// Asserts that a command fails with this exit code and prints these words.
fn refused(arguments: &[&str], code: i32, words: &[&str]) {
    let output = agon(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    for word in words {
        assert!(said.contains(word), "{arguments:?} does not say `{word}`: {said}");
    }
    assert!(!said.contains("panicked"), "{said}");
}

/// Golden traces and maps of a game.
fn traces(game: &str, file: &str) -> String {
    testing::game_file(game, "traces").join(file).display().to_string()
}

/// An honest bot by its game and the extension of its language, such as `hypersonic.py`.
fn bot(name: &str) -> String {
    let (game, extension) = name.rsplit_once('.').unwrap();
    let file = testing::game_file(game, &format!("tests/bots/bot.{extension}"));
    // Parent folders of the path need not exist in a sandbox.
    file.canonicalize().unwrap().display().to_string()
}

/// A folder for one test, removed when the test is over.
struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Scratch {
        Scratch(testing::scratch())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn file(&self, name: &str) -> String {
        self.path().join(name).display().to_string()
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path().join(name), text).unwrap();
        self.file(name)
    }
}

#[test]
fn help_explains_every_command() {
    let help = printed(&["--help"]);
    for command in [
        "games",
        "statement",
        "map",
        "play",
        "check",
        "debug",
        "fork",
        "analyse",
        "duel",
        "tournament",
        "tune",
        "resume",
        "report",
        "referee",
        "import",
        "doctor",
        "verify",
        "simulate",
        "serve",
        "admin",
        "login",
        "submit",
        "status",
        "logs",
    ] {
        assert!(help.contains(command), "{help}");
        assert!(printed(&[command, "--help"]).contains("Usage: agon"));
    }
    assert!(help.contains("Exit codes"));
}

#[test]
fn games_are_listed() {
    let text = printed(&["games"]);
    for word in ["ocean-of-code", "hypersonic", "back-track", "Bronze", "2026-poi", "100 ms", "2 to 4"] {
        assert!(text.contains(word), "{word} is missing in {text}");
    }
    let games = json(&["games", "--json"]);
    let leagues = |name: &str| {
        let game = games.as_array().unwrap().iter().find(|game| game["name"] == name).unwrap();
        game["leagues"].as_array().unwrap().len()
    };
    assert_eq!([leagues("ocean-of-code"), leagues("hypersonic"), leagues("back-track")], [4, 4, 3]);
    assert_eq!(games[0]["editions"][0]["name"], "statement");
    assert_eq!(games[1]["limits"]["turn_ms"], 100);
}

#[test]
fn statements_come_in_two_languages() {
    let english = printed(&["statement", "ocean-of-code", "--league", "1"]);
    let french = printed(&["statement", "ocean-of-code", "--league", "1", "--lang", "fr"]);
    assert_ne!(english, french);
    refused(&["statement", "ocean-of-code", "--lang", "de"], 2, &["en", "fr"]);
}

#[test]
fn maps_are_the_official_ones() {
    let lines = printed(&["map", "ocean-of-code", "--seed", "0", "--player", "1"]);
    assert_eq!(lines.lines().next(), Some("15 15 1"));
    assert_eq!(lines.lines().nth(2), Some("..xx..........."));
    assert_eq!(lines.lines().count(), 16);
    let lines = printed(&["map", "back-track", "--seed=-1"]);
    assert_eq!(lines.lines().take(3).collect::<Vec<_>>(), ["0", "30", "20"]);
    let lines =
        printed(&["map", "hypersonic", "--seed", "9223372036854775807", "--players", "3", "--player", "2"]);
    assert_eq!(lines.lines().take(2).collect::<Vec<_>>(), ["13 11 2", "..01.1.1.10.."]);
    let map = json(&["map", "back-track", "--seed", "1", "--json"]);
    assert_eq!((&map["width"], &map["height"]), (&24.into(), &16.into()));
}

#[test]
fn boards_have_colours_only_on_request() {
    for game in catalog::games().map(|game| game.info().name) {
        let plain = printed(&["map", game, "--pretty"]);
        assert!(plain.lines().count() > 4 && !plain.contains('\x1b'), "{plain}");
        let coloured = Command::new(env!("CARGO_BIN_EXE_agon"))
            .args(["map", game, "--pretty"])
            .env("CLICOLOR_FORCE", "1")
            .env_remove("NO_COLOR")
            .output()
            .unwrap();
        assert!(coloured.stdout.contains(&0x1b));
    }
}

#[test]
fn a_map_verifies_as_it_is_printed() {
    let scratch = Scratch::new();
    let (mut lines, mut games) = (String::new(), 0);
    for game in catalog::games().map(|game| game.info().name) {
        for seed in ["5", "-77"] {
            games += 1;
            lines += &printed(&["map", game, "--json", "--seed", seed]);
        }
    }
    std::fs::write(scratch.file("maps.jsonl"), lines).unwrap();
    let text = printed(&["verify", &scratch.file("maps.jsonl")]);
    assert_eq!(text.lines().last(), Some(&*format!("{games} games, 0 turns, 0 mismatches")));
}

#[test]
fn levels_are_one_line_of_the_list_of_bots() {
    for game in catalog::games() {
        let name = game.info().name;
        let text = printed(&["bot", name]);
        assert_eq!(text.lines().count(), game.ladder().len() + 1, "{text}");
        assert!(text.lines().last().unwrap().starts_with("@champion:1 to @champion:10: "), "{text}");
        let listed: serde_json::Value = serde_json::from_str(&printed(&["bot", name, "--json"])).unwrap();
        assert_eq!(listed[game.ladder().len() - 1]["levels"][9], "champion:10");
    }
}

#[test]
fn unknown_names_are_refused_with_the_choices() {
    refused(&["map", "chess"], 2, &["chess", "back-track, hypersonic, ocean-of-code"]);
    refused(&["map", "hypersonic", "--league", "9"], 2, &["league", "9", "1, 2, 3, 4"]);
    refused(&["statement", "back-track", "--rules", "1999"], 2, &["1999", "statement, 2026, 2026-poi"]);
    refused(&["simulate", "hypersonic", "--players", "5"], 2, &["5", "2, 3, 4"]);
    refused(&["simulate", "back-track", "--players", "3"], 2, &["3", "choose one of: 2"]);
    let levels = "choose one of @champion:1 to @champion:10";
    refused(&["play", "back-track", "@random", "@champion:11"], 2, &["`@champion:11`", levels]);
    refused(&["play", "back-track", "@random", "@gold:3"], 2, &["gold has no levels"]);
    refused(&["bot", "back-track", "champion:0"], 2, &["choose one of champion:1 to champion:10"]);
    refused(&["map", "hypersonic", "--player", "2"], 2, &["no player 2", "0, 1"]);
    refused(
        &["map", "hypersonic", "--seed", "9223372036854775808"],
        2,
        &["whole number", "9223372036854775807"],
    );
    refused(&["simulate", "hypersonic", "-j", "0"], 2, &["1 to 1024"]);
    refused(&["verify"], 2, &["FILE"]);
    refused(&["simulat"], 2, &["simulate"]);
}

#[test]
fn verify_accepts_the_golden_traces() {
    let text = printed(&[
        "verify",
        &traces("ocean-of-code", "dev.jsonl.gz"),
        &traces("ocean-of-code", "maps.jsonl.gz"),
    ]);
    assert_eq!(text.lines().last(), Some("1548 games, 41006 turns, 0 mismatches"));
}

#[test]
fn verify_shows_what_differs_and_fails() {
    let scratch = Scratch::new();
    let record = scratch.file("games.jsonl");
    printed(&["simulate", "hypersonic", "-n", "3", "--record", &record]);
    let text = std::fs::read_to_string(&record).unwrap();
    let changed = text.replacen("\"seed\":\"1\"", "\"seed\":\"77\"", 1);
    assert_ne!(text, changed);
    std::fs::write(&record, changed).unwrap();
    let output = agon(&["verify", &record]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("games.jsonl:1: hypersonic, seed 77"), "{said}");
    assert!(said.lines().last().unwrap().starts_with("3 games, "), "{said}");
    assert!(!said.ends_with(" 0 mismatches\n"), "{said}");
    let output = agon(&["verify", "--json", &record]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["mismatches"].as_u64().unwrap() > 0);
    assert_eq!(report["first"][0]["seed"], "77");
}

#[test]
fn verify_names_unreadable_lines() {
    let scratch = Scratch::new();
    refused(&["verify", &scratch.file("missing.jsonl")], 2, &["missing.jsonl", "could not be read"]);
    for (name, content) in
        [("empty", &b""[..]), ("noise", b"\x00\xff\n"), ("cut.gz", b"\x1f\x8b\x08\x00"), ("array", b"[1]\n")]
    {
        std::fs::write(scratch.file(name), content).unwrap();
        refused(&["verify", &scratch.file(name)], 2, &[name]);
    }
}

#[test]
fn simulate_measures_and_repeats() {
    for game in catalog::games().map(|game| game.info().name) {
        let run = |threads| json(&["simulate", game, "-n", "50", "-j", threads, "--json", "--seed=-9"]);
        let (one, two) = (run("1"), run("2"));
        assert_eq!(one["games"], 50);
        for key in ["games", "turns", "wins", "draws", "reasons", "scores"] {
            assert_eq!(one[key], two[key], "{game}: {key} depends on the number of threads");
        }
        for key in ["turns", "games_per_second", "turns_per_second"] {
            assert!(one[key].as_f64().unwrap() > 0.0, "{game}: {key}");
        }
        assert!(printed(&["simulate", game, "-n", "10"]).contains("turns/s"));
        assert!(printed(&["simulate", game, "-n", "10", "--maps"]).contains("maps/s"));
    }
}

#[test]
fn simulated_games_verify() {
    let scratch = Scratch::new();
    for (game, more) in [
        ("ocean-of-code", &["--league", "2"][..]),
        ("hypersonic", &["--players", "4"]),
        ("back-track", &["--rules", "2026"]),
    ] {
        for file in [scratch.file("games.jsonl"), scratch.file("games.jsonl.gz")] {
            printed(&[&["simulate", game, "-n", "70", "--record", &file], more].concat());
            let text = printed(&["verify", &file]);
            let last = text.lines().last().unwrap();
            assert!(last.starts_with("70 games, ") && last.ends_with(", 0 mismatches"), "{game}: {text}");
        }
    }
    refused(
        &["simulate", "hypersonic", "-n", "1", "--record", "/no/such/folder/x.jsonl"],
        2,
        &["cannot be written"],
    );
}

#[test]
fn a_closed_output_pipe_is_not_an_error() {
    use std::io::Read as _;
    use std::process::Stdio;
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["statement", "back-track"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(child.wait().unwrap().success(), "{said}");
    assert_eq!(said, "");
}

#[test]
fn play_prints_the_winner_and_the_command_to_repeat_the_match() {
    let text = printed(&["play", "ocean-of-code", "--bot", "@random", "--bot", "@wait", "--seed", "3"]);
    assert!(text.contains("player 0 (@random) wins"), "{text}");
    let again = text.lines().find_map(|line| line.strip_prefix("again: agon ")).unwrap();
    let words: Vec<&str> = again.split(' ').collect();
    assert_eq!(printed(&words), text, "the command that is printed plays the same match");
    let result = json(&[
        "play",
        "hypersonic",
        "--bot",
        "@random",
        "--bot",
        "@wait",
        "--bot",
        "@wait",
        "--seed=-5",
        "--json",
    ]);
    assert_eq!((&result["game"], &result["seed"]), (&"hypersonic".into(), &"-5".into()));
    for key in ["scores", "ranks", "causes"] {
        assert_eq!(result[key].as_array().unwrap().len(), 3, "{key}");
    }
}

#[test]
fn play_runs_programs_and_keeps_a_record() {
    let scratch = Scratch::new();
    for file in [scratch.file("match.json"), scratch.file("match.json.gz")] {
        let (c, python) = (bot("hypersonic.c"), bot("hypersonic.py"));
        let result = json(&[
            "play",
            "hypersonic",
            "--bot",
            &c,
            "--bot",
            &python,
            "--seed",
            "2",
            "--clock",
            "cpu",
            "--record",
            &file,
            "--json",
        ]);
        assert_eq!(result["causes"], serde_json::json!([null, null]));
        let text = printed(&["verify", &file]);
        assert!(text.starts_with("1 games, ") && text.ends_with(", 0 mismatches\n"), "{text}");
    }
    assert_eq!(
        std::fs::read_dir(scratch.path()).unwrap().count(),
        2,
        "nothing else is left beside the records"
    );
}

#[test]
fn play_shows_boards_and_standard_error_output() {
    let noisy = "/bin/sh -c 'n=0; while [ $n -lt 16 ]; do read l; n=$((n+1)); done; echo 7 7; \
        while read a && read b && read c; do printf \"hello \\033[31m\\n\" >&2; echo SURFACE; done'";
    let text = printed(&[
        "play",
        "ocean-of-code",
        "--bot",
        noisy,
        "--bot",
        "@wait",
        "--seed",
        "1",
        "--show",
        "--stderr",
    ]);
    assert!(text.contains("player 0, turn 3: hello") && text.contains("player 0, turn 7: hello"), "{text}");
    assert!(!text.contains('\x1b'), "control characters of a bot reach the terminal");
    assert!(text.matches("player 1: 6 lives").count() >= 1, "{text}");
}

#[test]
fn skipped_orders_are_explained() {
    let hasty = "/bin/sh -c 'n=0; while [ $n -lt 16 ]; do read l; n=$((n+1)); done; echo 7 7; \
        while read a && read b && read c; do echo \"TORPEDO 7 6|SURFACE\"; done'";
    let words = ["play", "ocean-of-code", "--bot", hasty, "--bot", "@wait", "--seed", "1"];
    let text = printed(&words);
    let expected =
        "turn 3, player 0: `TORPEDO 7 6` skipped: expected 3 charges for TORPEDO, it has 0 [uncharged]";
    assert!(text.contains(expected), "{text}");
    let result = json(&[&words[..], &["--json"]].concat());
    let first = &result["skipped_orders"][0];
    assert_eq!((&first["turn"], &first["seat"]), (&3.into(), &0.into()), "{first}");
    assert_eq!(first["expected_fr"], "3 charges pour TORPEDO, il en a 0");
}

#[test]
fn the_command_alone_prints_the_first_steps() {
    let text = printed(&[]);
    assert!(text.contains("agon new ") && text.lines().count() < 20, "{text}");
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    for (shell, word) in [("bash", "complete "), ("zsh", "#compdef agon"), ("fish", "complete -c agon")] {
        let script = printed(&["completions", shell]);
        assert!(script.contains(word) && script.contains("tournament"), "{shell}");
    }
    let folder = tempfile::tempdir().unwrap();
    printed(&["man", &folder.path().display().to_string()]);
    let page = std::fs::read_to_string(folder.path().join("agon-duel.1")).unwrap();
    assert!(page.contains("sprt") && folder.path().join("agon.1").is_file());
}

#[test]
fn a_failing_bot_is_explained() {
    let crash = "/bin/sh -c 'echo it hurts >&2; exit 4'";
    let text = printed(&["play", "back-track", "--bot", crash, "--bot", "@wait", "--seed", "1"]);
    for words in [
        "failed: turn 1: crash: exit code 4",
        "| it hurts",
        "again: agon play back-track --league 3 --edition statement --seed 1",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let result = json(&["play", "back-track", "--bot", crash, "--bot", "@wait", "--seed", "1", "--json"]);
    assert_eq!(result["causes"], serde_json::json!(["crash", null]));
    let output = agon(&["play", "back-track", "--bot", crash, "--bot", "@wait", "--strict"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn play_refuses_invalid_arguments() {
    refused(&["play", "hypersonic", "--bot", "@random"], 2, &["needs 2 bots", "@random"]);
    refused(
        &["play", "back-track", "--bot", "@random", "--bot", "@random", "--bot", "@wait"],
        2,
        &["number of players", "3"],
    );
    refused(
        &["play", "hypersonic", "--bot", "@random", "--bot", "@champ"],
        2,
        &["@champ", "@boss, @random, @wait"],
    );
    refused(&["play", "hypersonic", "--bot", "@random", "--bot", "no-such-program"], 2, &["no-such-program"]);
    refused(
        &["play", "hypersonic", "--bot", "@random", "--bot", "@wait", "--clock", "sundial"],
        2,
        &["sundial", "strict"],
    );
    refused(
        &["play", "hypersonic", "--bot", "@random", "--bot", "@wait", "--sandbox", "z"],
        2,
        &["auto, a, b, c, none"],
    );
    refused(
        &["play", "hypersonic", "--bot", "@random", "--bot", "@wait", "--record", "/no/such/folder/x.json"],
        2,
        &["cannot be written"],
    );
    let scratch = Scratch::new();
    std::fs::write(scratch.file("mine.c"), "int main( {").unwrap();
    refused(
        &["play", "hypersonic", "--bot", "@random", "--bot", &scratch.file("mine.c")],
        2,
        &["does not compile", "mine.c:1", "error:"],
    );
}

#[test]
fn check_finds_the_faults_of_a_bot() {
    let clean = bot("hypersonic.c");
    let report =
        json(&["check", "hypersonic", "--bot", &clean, "--maps", "1", "--clock", "bank=20000", "--json"]);
    assert_eq!((&report["clean"], &report["matches"]), (&true.into(), &6.into()), "{report}");
    let output = agon(&["check", "hypersonic", "--bot", "/bin/sh -c 'exit 1'", "--maps", "1"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("FAILED") && text.contains("crash") && text.ends_with("not clean\n"), "{text}");
}

#[test]
fn doctor_reports_the_abilities_of_the_host() {
    let text = printed(&["doctor"]);
    assert!(text.contains("level") && text.contains("languages of source files"), "{text}");
    let report = json(&["doctor", "--json"]);
    assert!(report["host"]["level"].is_string(), "{report}");
    assert_eq!(report["languages"].as_array().unwrap().len(), toolchain::LANGUAGES.len());
}

/// The number of processes whose command line contains this mark, other than `agon` itself.
fn processes_with(mark: &str) -> usize {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let commands = processes.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let marked = commands.filter(|command| {
        let command = String::from_utf8_lossy(command);
        command.contains(mark) && !command.contains("--bot")
    });
    marked.count()
}

#[test]
fn no_bot_outlives_agon() {
    let mark = format!("{}4242", std::process::id());
    let bot = format!("/bin/sh -c 'sleep {mark}; true'");
    for level in ["auto", "none"] {
        let mut agon = Command::new(env!("CARGO_BIN_EXE_agon"))
            .args([
                "play",
                "ocean-of-code",
                "--clock",
                "off",
                "--sandbox",
                level,
                "--bot",
                &bot,
                "--bot",
                "@random",
            ])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        testing::until("the bot starts", || (processes_with(&mark) > 0).then_some(()));
        agon.kill().unwrap();
        agon.wait().unwrap();
        testing::until("the bot is gone", || (processes_with(&mark) == 0).then_some(()));
    }
}
