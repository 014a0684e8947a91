//! `agon import`: games of the official referees in the form of replays, and replays that were tampered with.

use std::fmt::Write as _;
use std::io::Read as _;

use serde_json::{Value, json};

use super::support::{agon, ends_with, json as answer, printed};
use crate::Scratch;

const TRACES: &str = "traces/dev.jsonl.gz";

/// Whether the game has an official referee.
pub(crate) fn has_traces(game: &str) -> bool {
    testing::game_file(game, TRACES).is_file()
}

/// The traces of a game: official answers and ends.
fn traces(game: &str) -> Vec<Value> {
    let file = std::fs::File::open(testing::game_file(game, TRACES)).unwrap();
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn players(trace: &Value) -> usize {
    trace["players"].as_u64().unwrap_or(2) as usize
}

/// The inner object of a replay as the site's services give it.
fn game_result(trace: &Value) -> Value {
    let players = players(trace);
    let mut frames =
        vec![json!({"agentId": -1, "gameInformation": "", "keyframe": true, "view": " 0\n{\"global\":{}}"})];
    for turn in trace["turns"].as_array().unwrap() {
        let mut frame = json!({"agentId": turn["player"], "gameInformation": "", "keyframe": true, "view": " 1\n{}", "summary": ""});
        if let Some(lines) = turn["output"].as_array() {
            let lines: Vec<&str> = lines.iter().map(|line| line.as_str().unwrap()).collect();
            frame["stdout"] = json!(lines.join("\n") + "\n");
        }
        frames.push(frame);
    }
    // A frame of the referee is harmless at any position.
    frames.push(json!({"agentId": -1, "keyframe": true, "view": " 2\n{}"}));
    let scores: Vec<f64> =
        trace["end"]["scores"].as_array().unwrap().iter().map(|score| score.as_f64().unwrap()).collect();
    let ranks: Vec<usize> =
        scores.iter().map(|mine| scores.iter().filter(|other| *other > mine).count()).collect();
    let mut input = format!("seed={}\n", trace["seed"].as_str().unwrap());
    for (key, value) in trace["options"].as_object().into_iter().flatten() {
        writeln!(input, "{key}={value}").unwrap();
    }
    json!({
        "gameId": 123_456_789_u64,
        "refereeInput": input,
        "scores": scores,
        "ranks": ranks,
        "agents": (0..players).map(|seat| json!({
            "index": seat, "agentId": 5_000_000 + seat, "score": 25.0, "valid": true,
            "codingamer": {"userId": seat, "pseudo": format!("person {seat}"), "avatar": 1},
        })).collect::<Vec<_>>(),
        "frames": frames,
        "tooltips": [],
        "metadata": {"colour": "red"},
    })
}

fn wrapped(trace: &Value, title: &str) -> Value {
    json!({"puzzleId": 1, "puzzleTitle": [title, title], "questionTitle": title, "viewer": "x", "gameResult": game_result(trace)})
}

/// A complete game with a winner and no failures, for tests that tamper with it.
fn clean_trace(game: &str) -> Value {
    let fair = |trace: &Value| {
        let scores = trace["end"]["scores"].as_array().unwrap();
        let full = trace["turns"].as_array().unwrap().iter().all(|turn| turn["output"].is_array());
        let last = trace["league"].as_u64().is_none_or(|league| league >= 3);
        let plain = trace["options"].as_object().is_none_or(|options| options.len() == 1);
        full && last && plain && scores[0].as_i64() > scores[1].as_i64() && scores[1].as_i64() > Some(0)
    };
    traces(game).into_iter().find(fair).unwrap()
}

/// A replay of a complete game, in the form of the site's services.
pub(crate) fn clean_replay(game: &str) -> Value {
    let title = catalog::find(game).unwrap().info().title;
    wrapped(&clean_trace(game), title)
}

#[test]
fn every_official_game_is_imported() {
    for (game, title) in
        [("ocean-of-code", "Ocean of Code"), ("hypersonic", "Hypersonic"), ("back-track", "BackTrack")]
    {
        let scratch = Scratch::new();
        let all = traces(game);
        // With the title around it, and without anything that names the game.
        let mut lines = String::new();
        for (at, trace) in all.iter().enumerate() {
            let replay = if at % 4 == 0 { game_result(trace) } else { wrapped(trace, title) };
            lines += &(replay.to_string() + "\n");
        }
        let (file, records) = (scratch.write("replays.jsonl", lines), scratch.file("records.jsonl.gz"));
        let text = printed(&["import", &file, "-o", &records]);
        assert_eq!(
            text.lines().last(),
            Some(format!("{} replays end the same, 0 do not, 0 could not be read", all.len()).as_str())
        );
        let verified = printed(&["verify", &records]);
        assert!(verified.ends_with(", 0 mismatches\n"), "{verified}");
        assert!(verified.starts_with(&format!("{} games, ", all.len())), "{verified}");
    }
}

#[test]
fn an_imported_record_has_players_and_messages() {
    let scratch = Scratch::new();
    let mut replay = wrapped(&clean_trace("hypersonic"), "Hypersonic");
    replay["gameResult"]["frames"][1]["stderr"] = json!("thinking\n");
    // Some services name agents by their numbers in frames as well.
    for frame in replay["gameResult"]["frames"].as_array_mut().unwrap() {
        if let Some(seat) = frame["agentId"].as_u64() {
            frame["agentId"] = json!(5_000_000 + seat);
        }
    }
    let file = scratch.write("replay.json", serde_json::to_string_pretty(&replay).unwrap());
    let record = scratch.file("record.json");
    let found = answer(&["import", &file, "-o", &record, "--json"]);
    assert_eq!((&found[0]["same"], &found[0]["tried"]), (&true.into(), &1.into()), "{found}");
    let record: Value = serde_json::from_slice(&std::fs::read(&record).unwrap()).unwrap();
    assert_eq!(record["bots"][1]["name"], "person 1");
    assert_eq!(record["turns"][0]["stderr"], "thinking\n");
    assert_eq!(record["settings"]["imported"]["game_id"], "123456789");
}

#[test]
fn the_seed_is_found_in_other_places_and_has_64_bits() {
    let scratch = Scratch::new();
    let trace =
        traces("hypersonic").into_iter().find(|trace| trace["seed"] == "9223372036854775807").unwrap();
    let mut replay = wrapped(&trace, "Hypersonic");
    replay["gameResult"].as_object_mut().unwrap().remove("refereeInput");
    replay["seed"] = trace["seed"].clone();
    let found = answer(&["import", &scratch.write("replay.json", replay.to_string()), "--json"]);
    assert_eq!((&found[0]["same"], &found[0]["seed"]), (&true.into(), &"9223372036854775807".into()));
}

/// Asserts that a replay differs: exit code 1 and these words.
fn differs(replay: &Value, words: &[&str]) {
    let scratch = Scratch::new();
    let file = scratch.write("replay.json", replay.to_string());
    let record = scratch.file("record.json");
    ends_with(&["import", &file, "-o", &record], 1, words);
    assert_eq!(std::fs::read(&record).unwrap(), b"", "what differs is not kept");
    let output = agon(&["import", &file, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found[0]["same"], false);
    assert!(!found[0]["differences"].as_array().unwrap().is_empty());
}

#[test]
fn each_kind_of_mismatch_is_explained() {
    for (game, title) in
        [("ocean-of-code", "Ocean of Code"), ("hypersonic", "Hypersonic"), ("back-track", "Back Track")]
    {
        let trace = clean_trace(game);
        let replay = wrapped(&trace, title);
        let scores = trace["end"]["scores"].as_array().unwrap();
        let tampered = |change: &dyn Fn(&mut Value)| {
            let mut replay = replay.clone();
            change(&mut replay["gameResult"]);
            replay
        };

        let other = tampered(&|it| it["scores"][1] = json!(scores[1].as_f64().unwrap() + 1.0));
        let expected = scores[1].as_i64().unwrap() + 1;
        differs(&other, &[&format!("at the end, player 1, score: expected {expected}, got {}", scores[1])]);

        let other = tampered(&|it| {
            it["ranks"].as_array_mut().unwrap().swap(0, 1);
        });
        differs(&other, &["player 0, place: expected behind player 1, got before player 1"]);

        let other = tampered(&|it| {
            let frames = it["frames"].as_array_mut().unwrap();
            frames.truncate(frames.len() / 2);
        });
        differs(&other, &["end: expected the game is over, there are no more answers, got the answer of"]);

        let other = tampered(&|it| {
            let frames = it["frames"].as_array_mut().unwrap();
            let last = frames[frames.len() - 2].clone();
            frames.push(last);
        });
        differs(&other, &["answer: expected player", "got the game is over"]);

        let other = tampered(&|it| it["frames"][5]["stdout"] = json!("NONSENSE \u{1b}[31m\n"));
        differs(&other, &["; here turn ", "NONSENSE \\u{1b}"]);

        let other = tampered(&|it| it["frames"][2]["agentId"] = json!(0));
        differs(&other, &["(frame 2), player 0, answer: expected player 0 is asked", "is awaited"]);

        let other = tampered(&|it| {
            it["frames"][5].as_object_mut().unwrap().remove("stdout");
        });
        differs(&other, &["got nothing"]);
    }
    // Another seed gives another map under all rules.
    let mut replay = wrapped(&clean_trace("ocean-of-code"), "Ocean of Code");
    replay["gameResult"]["refereeInput"] = json!("seed=99\n");
    differs(&replay, &["4 rule sets were tried", "--league"]);
}

#[test]
fn the_given_rules_are_used() {
    let scratch = Scratch::new();
    let trace = traces("ocean-of-code").into_iter().find(|trace| trace["league"] == 2).unwrap();
    let file = scratch.write("replay.json", game_result(&trace).to_string());
    let found = answer(&["import", &file, "--game", "ocean-of-code", "--league", "2", "--json"]);
    assert_eq!((&found[0]["league"], &found[0]["tried"]), (&2.into(), &1.into()));
    ends_with(&["import", &file, "--game", "chess"], 2, &["no game `chess`"]);
    ends_with(&["import", &file, "--game", "ocean-of-code", "--rules", "1999"], 2, &["no edition `1999`"]);
    // Unknown input is reported.
    let mut replay = game_result(&trace);
    replay["refereeInput"] = json!(format!("seed={}\nwind=5\n", trace["seed"].as_str().unwrap()));
    let file = scratch.write("wind.json", replay.to_string());
    assert!(printed(&["import", &file]).contains("`wind=5` is not known here"));
}

#[test]
fn unreadable_replays_are_named() {
    let scratch = Scratch::new();
    let replay = wrapped(&clean_trace("hypersonic"), "Hypersonic");
    let whole = replay.to_string();
    let changed = |path: &str, value: Value| {
        let mut replay = replay.clone();
        *replay.pointer_mut(path).unwrap() = value;
        replay.to_string()
    };
    let nobody = {
        let mut replay = replay.clone();
        replay["gameResult"]["frames"][3].as_object_mut().unwrap().remove("agentId");
        replay.to_string()
    };
    let cases: [(&str, Vec<u8>, &str); 17] = [
        ("empty", Vec::new(), "the file is empty"),
        ("cut", whole.as_bytes()[..whole.len() / 2].to_vec(), "cut off"),
        ("page", b"<html>not logged in</html>".to_vec(), "not a replay"),
        ("bytes", b"\xff\xfe\x00\x01".to_vec(), "not a replay"),
        ("list", b"[1,2,3]".to_vec(), "not a replay"),
        ("other", br#"{"game":"hypersonic"}"#.to_vec(), "no seed"),
        ("no-frames", br#"{"refereeInput":"seed=1","scores":[1,2]}"#.to_vec(), "neither frames"),
        (
            "no-scores",
            br#"{"refereeInput":"seed=1","agents":[{},{}],"frames":[]}"#.to_vec(),
            "nothing to compare",
        ),
        ("no-players", br#"{"refereeInput":"seed=1","frames":[]}"#.to_vec(), "who played"),
        ("nobody", nobody.into_bytes(), "frame 3 has an answer and no agentId"),
        ("stranger", changed("/gameResult/frames/3/agentId", json!(77)).into_bytes(), "agent 77"),
        ("scores", changed("/gameResult/scores", json!([1.0])).into_bytes(), "1 scores for"),
        ("text", changed("/gameResult/scores", json!("high")).into_bytes(), "not a replay"),
        ("stdout", changed("/gameResult/frames/3/stdout", json!(5)).into_bytes(), "not a replay"),
        (
            "seed",
            changed("/gameResult/refereeInput", json!("seed=9223372036854775808")).into_bytes(),
            "64 bits",
        ),
        ("crowd", changed("/gameResult/agents", json!(vec![json!({}); 5000])).into_bytes(), "5000 players"),
        ("deep", "{\"gameResult\":".repeat(100_000).into_bytes(), "not a replay"),
    ];
    for (name, text, words) in cases {
        let file = scratch.write(name, text);
        ends_with(&["import", &file], 2, &[words, name, "1 of 1 replays could not be read"]);
    }
    ends_with(&["import", &scratch.file("missing.json")], 2, &["missing.json"]);
    // A file that cannot be read does not prevent the others from being read.
    let good = scratch.write("good.json", &whole);
    ends_with(&["import", &scratch.file("cut"), &good], 2, &["1 replays end the same", "cut off"]);
}

#[test]
fn long_replays_are_imported() {
    let scratch = Scratch::new();
    let mut replay = game_result(&clean_trace("hypersonic"));
    // A million frames of the referee, and one answer of a megabyte after the end.
    let frames = replay["frames"].as_array_mut().unwrap();
    frames.extend(std::iter::repeat_n(json!({"agentId": -1}), 1_000_000));
    let file = scratch.write("long.json", replay.to_string());
    printed(&["import", &file]);
    replay["frames"].as_array_mut().unwrap().push(json!({"agentId": 0, "stdout": "x".repeat(1 << 20)}));
    let file = scratch.write("longer.json", replay.to_string());
    ends_with(&["import", &file], 1, &["(1048576 bytes)", "the game is over"]);
}
