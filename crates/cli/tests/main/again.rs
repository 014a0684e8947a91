//! The printed command that plays a match again: it repeats the match with all its settings, wherever it is printed.

use serde_json::Value;

use crate::{Scratch, bot, json, printed};

/// The arguments of a printed command, without `agon`.
fn arguments(command: &str) -> Vec<String> {
    let words = shell_words::split(command).unwrap();
    assert_eq!(words[..2], ["agon", "play"], "{command}");
    words[1..].to_vec()
}

/// Plays a match by a printed command: its result and its record.
fn play(command: &str, scratch: &Scratch) -> (Value, Value) {
    let file = scratch.file("again.json");
    let mut arguments = arguments(command);
    arguments.extend(["--json".to_owned(), "--record".into(), file.clone()]);
    let result = json(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let record: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    (result, record)
}

/// The common part of two plays of one match: everything but times.
fn lasting(result: &Value, record: &Value) -> Value {
    let mut result = result.clone();
    result.as_object_mut().unwrap().remove("times_ms");
    let outputs: Vec<&Value> =
        record["turns"].as_array().unwrap().iter().map(|turn| &turn["output"]).collect();
    serde_json::json!({"result": result, "settings": record["settings"], "rules": record["rules"], "outputs": outputs})
}

/// Settings that are not the defaults, of games in which players answer together and in turn.
fn matches() -> Vec<(&'static str, Vec<&'static str>)> {
    vec![
        (
            "hypersonic",
            vec!["--league", "2", "--clock", "bank=54321", "--no-ponder", "--sandbox", "none", "--seed=-8"],
        ),
        (
            "back-track",
            vec!["--edition", "2026-poi", "--league", "2", "--clock", "cpu", "--no-ponder", "--seed", "5"],
        ),
        ("ocean-of-code", vec!["--clock", "off", "--ponder", "--sandbox", "none", "--seed", "77"]),
        ("ocean-of-code", vec!["--seed", "9", "--clock", "bank=20000"]),
    ]
}

#[test]
fn the_command_repeats_the_match_with_all_its_settings() {
    for (game, settings) in matches() {
        let scratch = Scratch::new();
        // A file name that a shell must not split.
        let program = scratch.file("my bot's.py");
        std::fs::copy(bot(&format!("{game}.py")), &program).unwrap();
        let file = scratch.file("first.json");
        let mut asked =
            vec!["play", game, "--bot", &program, "--bot", "@random", "--json", "--record", &file];
        asked.extend(&settings);
        if game == "hypersonic" {
            asked.extend(["--bot", "@wait", "--players", "3"]);
        }
        let first = json(&asked);
        let first_record: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        assert_eq!(first["causes"][0], Value::Null, "{first}");
        let command = first["again"].as_str().unwrap();
        let (second, second_record) = play(command, &scratch);
        assert_eq!(lasting(&second, &second_record), lasting(&first, &first_record), "{command}");
        let said_to_people =
            printed(&asked.iter().copied().filter(|word| *word != "--json").collect::<Vec<_>>());
        assert!(said_to_people.contains(&format!("again: {command}\n")), "{said_to_people}");

        // The viewer prints the command of a record. It never disables the sandbox: a record may come from a
        // stranger.
        let record: catalog::record::Played = serde_json::from_value(first_record.clone()).unwrap();
        let shown = replay::replay_of(&record).unwrap().header.again.unwrap();
        assert!(!shown.contains("--sandbox none"), "{shown}");
        let (third, mut third_record) = play(&shown, &scratch);
        if settings.contains(&"none") {
            third_record["settings"]["box"] = first_record["settings"]["box"].clone();
        }
        let mut third = third;
        for key in ["again", "sandbox"] {
            third[key] = first[key].clone();
        }
        assert_eq!(lasting(&third, &third_record), lasting(&first, &first_record), "{shown}");
    }
}

#[test]
fn a_run_repeats_its_matches_with_all_their_settings() {
    let scratch = Scratch::new();
    let run = scratch.file("a.run");
    let crash = "/bin/sh -c 'read line; echo \"MOVE 0 0\"; exit 3'";
    let settings =
        ["--clock", "bank=54321", "--no-ponder", "--sandbox", "none", "--league", "3", "--players", "3"];
    let duel = ["duel", "hypersonic", "--bot", crash, "--bot", "@random", "-n", "3", "--json", "--run", &run];
    let told = json(&[&duel[..], &settings].concat());
    let failures = told["failures"].as_array().unwrap();
    assert_eq!(failures.len(), 3, "{told}");
    let reported = json(&["report", &run, "--json"]);
    for (at, failure) in failures.iter().enumerate() {
        let command = failure["replay"].as_str().unwrap();
        for words in ["--league 3", "--clock", "--no-ponder", "--sandbox none"] {
            assert!(command.contains(words), "{words}: {command}");
        }
        let (result, record) = play(command, &scratch);
        let seat = failure["seat"].as_u64().unwrap() as usize;
        assert_eq!(result["causes"][seat], failure["cause"], "{command}");
        assert_eq!((&result["players"], &result["seed"]), (&3.into(), &failure["seed"]), "{command}");
        assert_eq!(record["settings"]["ponder"], false);
        assert_eq!(record["settings"]["clock"]["bank_ms"], 54321);
        assert_eq!(record["settings"]["box"]["level"], "none");
        // A report has the same command.
        assert_eq!(reported["report"]["failures"]["listed"][at]["replay"], command);
    }
}
