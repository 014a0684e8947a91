//! `agon referee`, played against test doubles of the testers it is made for.

use serde_json::Value;

use super::support::{agon, ends_with, json, printed};
use super::testers::{NewStyle, OldStyle, new_style, old_style, places};
use crate::{Scratch, bot};

/// Ends instead of answering.
const CRASH: &str = "sh -c 'echo it hurts >&2; exit 3'";

#[test]
fn the_new_style_gives_scores_then_the_seed() {
    for game in catalog::games().map(|game| game.info().name) {
        let result = new_style(&format!("agon referee {game}"), &["@random", "@wait"], Some((77, 0)), None);
        assert_eq!((result.data.as_str(), result.errors.as_str()), ("seed=77\n", ""), "{game}");
        let played = json(&["play", game, "@random", "@wait", "--seed", "77", "--json"]);
        assert_eq!(Value::from(result.scores), played["scores"], "{game}");
    }
}

#[test]
fn swapped_players_get_their_own_scores() {
    let players = ["@random", "@wait", CRASH];
    for rotate in 0..3 {
        let NewStyle { scores, errors, .. } =
            new_style("agon referee hypersonic", &players, Some((5, rotate)), None);
        assert!(scores[0] >= 0 && scores[1] >= 0, "{scores:?}");
        assert_eq!((scores[2], errors.as_str()), (-1, ""), "only the one that failed is negative");
    }
}

#[test]
fn options_come_with_one_hyphen_or_two() {
    let same = [
        &["-d", "seed=-12"][..],
        &["-seed", "-12"],
        &["--seed", "-12"],
        &["-seed=-12", "-league", "19"],
        &["-d", "seed=3", "-s", "-d", "seed=-12\n"],
        &["-d", "seed=-12 league=4 rules=standard", "--seed", "-12"],
    ];
    let mut results = same.map(|options| {
        let mut line = vec!["referee", "hypersonic", "-p1", "@random", "--p2", "@random"];
        line.extend(options);
        let text = printed(&line);
        // -s shows the boards first.
        text.lines().rev().take(3).map(str::to_owned).collect::<Vec<_>>()
    });
    assert_eq!(results[0][0], "seed=-12");
    results.iter_mut().reduce(|first, other| {
        assert_eq!(first, other);
        first
    });
    let still = "sh -c 'while read l; do echo MOVE 0 0; done'";
    let shown = printed(&["referee", "hypersonic", "-p1", still, "-p2", "@wait", "-clock", "off", "-s"]);
    assert!(shown.matches("player 0 ").count() >= 2, "{shown}");
}

#[test]
fn a_league_is_played_as_asked() {
    // In the first league of Back Track the second player scores nothing although it did not fail; it must not look
    // like a failure.
    let result = new_style("agon referee back-track -league 1", &["@wait", "@wait"], Some((1, 0)), None);
    assert_eq!(result.scores, [0, 1]);
}

#[test]
fn invalid_options_are_refused() {
    let players = ["-p1", "@wait", "-p2", "@wait"];
    let with = |more: &[&'static str]| -> Vec<&str> {
        ["referee", "hypersonic"].into_iter().chain(players).chain(more.iter().copied()).collect()
    };
    ends_with(&with(&["-d", "sead=4"]), 2, &["sead=4", "seed=N"]);
    ends_with(&with(&["-d", "seed=x"]), 2, &["whole number"]);
    ends_with(&with(&["-d", "seed=1", "-seed", "2"]), 2, &["give the seed once"]);
    ends_with(&with(&["-league", "0"]), 2, &["no league `0`"]);
    ends_with(&with(&["-p4", "@wait"]), 2, &["-p3 is missing"]);
    ends_with(&with(&["-l", "/no/such/folder/x.json"]), 2, &["cannot be written"]);
    ends_with(
        &["referee", "back-track", "-p1", "@wait", "-p2", "@wait", "-p3", "@wait"],
        2,
        &["number of players"],
    );
    ends_with(&["referee", "chess", "-p1", "@wait", "-p2", "@wait"], 2, &["no game `chess`", "hypersonic"]);
    ends_with(&["referee", "hypersonic", "-p1", "@wait", "-p2", "no-such-program"], 2, &["no-such-program"]);
    ends_with(&["referee", "hypersonic", "-l", "x.json"], 2, &["-p1"]);
    // Without players it expects commands on its input, and here the input is empty.
    ends_with(&["referee", "hypersonic"], 2, &["###Start", "-p1"]);
}

#[test]
fn the_result_file_has_the_form_of_the_sdk() {
    let scratch = Scratch::new();
    let log = scratch.file("game1.json");
    let talker = "sh -c 'while read l; do echo \"[PDATA] depth = 7\" >&2; echo MOVE 0 0; done'";
    let result = new_style("agon referee hypersonic --clock off", &[talker, CRASH], Some((9, 0)), Some(&log));
    let file: Value = serde_json::from_slice(&std::fs::read(&log).unwrap()).unwrap();
    // The fields that the scripts of psyleague and cgarena read.
    assert_eq!(file["scores"], serde_json::json!({"0": result.scores[0], "1": result.scores[1]}));
    assert_eq!(result.scores[1], -1);
    let said = file["errors"]["0"].as_array().unwrap();
    assert!(said.iter().any(|said| said.as_str().is_some_and(|said| said.contains("[PDATA] depth = 7"))));
    assert_eq!(file["failCause"], Value::Null);
    // The rest of the form: every list has an entry for each frame, and the first frame comes before the first
    // question.
    let frames = file["views"].as_array().unwrap().len();
    for player in ["0", "1", "referee"] {
        for list in ["errors", "outputs"] {
            assert_eq!(file[list][player].as_array().unwrap().len(), frames, "{list} of {player}");
        }
    }
    assert_eq!(file["summaries"].as_array().unwrap().len(), frames);
    assert_eq!(file["outputs"]["0"][0], Value::Null);
    assert_eq!(file["outputs"]["0"][1], "MOVE 0 0\n");
    assert_eq!(file["outputs"]["1"][2], Value::Null, "no answer");
    assert_eq!(file["errors"]["1"][2], "it hurts\n");
    assert_eq!(file["uinput"], serde_json::json!(["seed=9"]));
    assert_eq!(file["ids"], serde_json::json!({"0": 0, "1": 1}));
    assert_eq!((&file["agents"][1]["index"], &file["agents"][1]["agentId"]), (&1.into(), &1.into()));
    let tooltip = &file["tooltips"][0];
    assert_eq!((&tooltip["event"], &tooltip["turn"]), (&1.into(), &2.into()));
    assert!(tooltip["text"].as_str().unwrap().contains("crash: exit code 3"));
    let view: Value = serde_json::from_str(file["views"][0].as_str().unwrap()).unwrap();
    assert!(view["agon"]["board"].as_str().unwrap().lines().count() > 10);
    // `agon import` recognises the file, with the official scores.
    let imported = json(&["import", &log, "--json"]);
    assert_eq!((&imported[0]["same"], &imported[0]["game"]), (&true.into(), &"hypersonic".into()));
}

#[test]
fn the_old_style_plays_every_game_with_real_programs() {
    for game in ["ocean-of-code", "hypersonic", "back-track"] {
        let python = format!("python3 {}", bot(&format!("{game}.py")));
        let perl = format!("perl {}", bot(&format!("{game}.pl")));
        for rotate in 0..2 {
            let referee = format!("agon referee {game}");
            let OldStyle::End(end) = old_style(&referee, &[&python, &perl], Some(11), rotate) else {
                panic!("{game} did not end");
            };
            // The same match with `agon play`: the places are the same.
            let seats = if rotate == 0 { [&python, &perl] } else { [&perl, &python] };
            let played =
                json(&["play", game, seats[0], seats[1], "--seed", "11", "--clock", "off", "--json"]);
            let ranks = |seat: usize| played["ranks"][seat].as_u64().unwrap();
            let official = [ranks(rotate), ranks(1 - rotate)];
            let told = places(&end, 2);
            assert_eq!(told[0].cmp(&told[1]), official[0].cmp(&official[1]), "{game}: {end}");
        }
    }
}

#[test]
fn the_old_style_takes_three_players_and_answers_that_lose() {
    let good = format!("python3 {}", bot("hypersonic.py"));
    let bad = "sh -c 'while read l; do echo NONSENSE; done'";
    let OldStyle::End(end) = old_style("agon referee hypersonic", &[bad, &good, &good], None, 0) else {
        panic!("it did not end");
    };
    assert_eq!(places(&end, 3)[0], if end.split(' ').count() == 3 { 1 } else { 2 }, "{end}");
    assert!(end.ends_with(" 0"), "the one that failed in round 0 is last: {end}");
}

#[test]
fn the_referee_ends_when_a_player_ends() {
    let good = format!("python3 {}", bot("hypersonic.py"));
    assert_eq!(old_style("agon referee hypersonic", &[&good, CRASH], Some(3), 0), OldStyle::GivenUp(Some(2)));
}

#[test]
fn error_lines_are_written_only_on_request() {
    let talk = |arguments: &[&str]| -> String {
        use std::io::Write as _;
        let mut child = std::process::Command::new(super::support::AGON)
            .args(arguments)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(b"###Start 2\nNONSENSE\nMOVE 12 10\n").unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.starts_with("player 0 failed: invalid answer"), "{said}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(!talk(&["referee", "hypersonic"]).contains("###Error"));
    let text = talk(&["referee", "hypersonic", "--error-lines"]);
    assert!(text.contains("\n###Error 0 ") && text.ends_with("\n###End 1 0\n"), "{text}");
}

#[test]
fn a_tester_with_another_protocol_gets_an_error() {
    use std::io::Write as _;
    for (opening, words) in [
        (&b"hello\n"[..], "expected `###Seed N` or `###Start COUNT`, got `hello`"),
        (b"###Seed 5x\n", "whole number"),
        (b"###Start\n", "expected"),
        (b"###Start -1\n", "expected"),
        (b"###Start 9\n", "number of players"),
        (b"###Seed 4\n", "ended before `###Start COUNT`"),
        (b"\xff\xfe\x00\n", "expected"),
    ] {
        let mut child = std::process::Command::new(super::support::AGON)
            .args(["referee", "hypersonic"])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(opening).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2));
        assert!(said.contains(words), "{said}");
        assert!(output.stdout.is_empty(), "the tester hangs at anything it does not know");
    }
}

#[test]
fn help_describes_the_protocol() {
    let help = printed(&["referee", "--help"]);
    for word in ["-p1", "###Start", "negative", "cg-brutaltester", "seed=N", "--clock"] {
        assert!(help.contains(word), "{word}: {help}");
    }
    let help = String::from_utf8(agon(&["--help"]).stdout).unwrap();
    assert!(help.contains("referee") && help.contains("import"));
}
