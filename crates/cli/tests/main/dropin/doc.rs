//! Every configuration in docs/drop-in.md is run as it is written there.

use std::path::Path;
use std::process::{Command, Output};

use super::leagues::{read_by_cgarena, read_by_psyleague};
use super::support::AGON;
use super::testers::{OldStyle, new_style, old_style};
use crate::{Scratch, bot};

fn page() -> String {
    std::fs::read_to_string(testing::repository("docs/drop-in.md")).unwrap()
}

/// The blocks of code in this language.
fn blocks(language: &str) -> Vec<String> {
    let page = page();
    let fence = format!("```{language}\n");
    page.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
}

/// The value of `key = "..."` in the blocks of settings.
fn setting(key: &str) -> String {
    let blocks = blocks("toml").concat();
    let line = blocks.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \"")).unwrap();
    line.strip_suffix('"').unwrap().to_owned()
}

/// Runs a command with `agon` on the path, in this folder.
fn run(program: &str, arguments: &[&str], folder: &Path) -> Output {
    let path = std::env::join_paths(
        std::iter::once(Path::new(AGON).parent().unwrap().to_owned())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    )
    .unwrap();
    Command::new(program).args(arguments).env("PATH", path).current_dir(folder).output().unwrap()
}

fn text(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The words after an option in a command line of the page.
fn option(line: &str, name: &str) -> String {
    let words = shell_words::split(line).unwrap();
    let at = words.iter().position(|word| word == name).unwrap();
    words[at + 1].clone()
}

#[test]
fn brutaltester_in_both_styles() {
    let lines: Vec<String> =
        blocks("sh").into_iter().filter(|block| block.starts_with("java -jar cg-brutaltester.jar")).collect();
    assert_eq!(lines.len(), 2);
    let scratch = Scratch::new();
    let player = format!("python3 {}", bot("hypersonic.py"));
    for line in &lines {
        let referee = option(line, "-r");
        if line.contains(" -o ") {
            assert!(matches!(old_style(&referee, &[&player, &player], Some(4), 1), OldStyle::End(_)));
        } else {
            let log = scratch.file("game1.json");
            let result = new_style(&referee, &["@random", "@wait"], Some((4, 1)), Some(&log));
            assert_eq!((result.data.as_str(), result.errors.as_str()), ("seed=4\n", ""));
            assert!(Path::new(&log).is_file());
        }
    }
    // The options that the page puts into -r.
    let page = page();
    let start = page.find("`-r \"agon referee ocean-of-code").unwrap() + "`-r \"".len();
    let referee = page[start..].split('"').next().unwrap();
    assert_eq!(new_style(referee, &["@random", "@wait"], None, None).errors, "");
}

#[test]
fn the_command_by_itself() {
    let line = blocks("sh").into_iter().find(|block| block.starts_with("agon referee")).unwrap();
    let line = line.trim().replace("./new", "@random").replace("./old", "sh -c 'exit 1'");
    let scratch = Scratch::new();
    let words = shell_words::split(&line).unwrap();
    let arguments: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    let printed = text(run(AGON, &arguments, scratch.path()));
    let shape = blocks("text").remove(0);
    assert_eq!(printed.lines().count(), shape.lines().count());
    assert_eq!(printed.lines().last(), shape.lines().last());
    assert_eq!(printed.lines().nth(1), shape.lines().nth(1));
    assert!(scratch.path().join("game.json").is_file());
}

#[test]
fn psyleague_plays_with_the_line_of_the_page() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.path().join("bots")).unwrap();
    // The action of `psyleague bot add` with the other line of the page.
    std::fs::copy(testing::game_file("hypersonic", "kits/bot.cpp"), scratch.path().join("mine.cpp")).unwrap();
    for name in ["a", "b"] {
        let setup = setting("cmd_bot_setup")
            .replace("%DIR%", "bots")
            .replace("%NAME%", name)
            .replace("%SRC%", "mine");
        text(run("sh", &["-c", &setup], scratch.path()));
    }
    // Words with %ALL_PLAYERS% are repeated for each player, then names are filled in, then a shell runs the line.
    let line = setting("cmd_play_game");
    let words: Vec<String> = line
        .split_whitespace()
        .map(|word| {
            if word.contains("%ALL_PLAYERS%") {
                ["%P1%", "%P2%"].map(|player| word.replace("%ALL_PLAYERS%", player)).join(" ")
            } else {
                word.to_owned()
            }
        })
        .collect();
    let line = words.join(" ").replace("%DIR%", "bots").replace("%P1%", "a").replace("%P2%", "b");
    let printed = text(run("sh", &["-c", &line], scratch.path()));
    read_by_psyleague(&printed, 2);
}

#[test]
fn cgarena_plays_and_shows_with_the_lines_of_the_page() {
    let scratch = Scratch::new();
    std::fs::copy(bot("hypersonic.py"), scratch.path().join("bot.py")).unwrap();
    std::fs::create_dir(scratch.path().join("page")).unwrap();
    let bots = ["python3 bot.py", "@wait", "@random"];
    // The line is split, then each word that is a placeholder is filled in; {PLAYERS} becomes several words.
    let fill = |line: &str, players: usize| -> Vec<String> {
        let mut filled = Vec::new();
        for word in shell_words::split(line).unwrap() {
            match word.as_str() {
                "{PLAYERS}" => filled.extend(bots[..players].iter().map(|&bot| bot.to_owned())),
                "{P1}" => filled.push(bots[0].into()),
                "{P2}" => filled.push(bots[1].into()),
                "{SEED}" => filled.push("-17".into()),
                "{REPLAY_PATH}" => filled.push("replay.json".into()),
                "{REPLAY_DIR}" => filled.push("page".into()),
                "{PORT}" => filled.push("8888".into()),
                "{PLAYER_COUNT}" => filled.push(players.to_string()),
                _ => filled.push(word),
            }
        }
        filled
    };
    let start = |line: &str, players: usize| {
        let words = fill(line, players);
        let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        text(run(&words[0].replace("agon", AGON), &arguments, scratch.path()))
    };
    for players in [2, 3] {
        read_by_cgarena(&start(&setting("play_match"), players), players);
    }
    read_by_cgarena(&start(&setting("cmd_play_match"), 2), 2);
    let script = blocks("sh").into_iter().find(|block| block.starts_with("#!/bin/sh")).unwrap();
    scratch.write("watch_replay.sh", script);
    start(&setting("watch_replay"), 3);
    let page = std::fs::read_to_string(scratch.path().join("page/test.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("hypersonic"), "{}", &page[..200]);
}

#[test]
fn the_json_on_the_page_is_read_by_both_tools() {
    let json = blocks("json").remove(0);
    read_by_psyleague(&json, 2);
    read_by_cgarena(&json, 2);
    // And it has the keys that a match has.
    let real: serde_json::Value = serde_json::from_str(&super::support::printed(&[
        "play",
        "hypersonic",
        "--play-match-json",
        "@wait",
        "@wait",
    ]))
    .unwrap();
    let shown: serde_json::Value = serde_json::from_str(&json).unwrap();
    let keys =
        |value: &serde_json::Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    assert_eq!(keys(&shown), keys(&real));
}
