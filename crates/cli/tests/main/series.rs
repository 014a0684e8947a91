//! Many matches: duels, tournaments, tunings, and their behaviour when they are stopped.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::{Scratch, agon, bot, json, printed, refused};

#[test]
fn a_duel_ends_with_the_block_testers_paste() {
    let scratch = Scratch::new();
    let text = printed(&[
        "duel",
        "ocean-of-code",
        "--bot",
        "@random",
        "--bot",
        "@wait",
        "-n",
        "20",
        "--run",
        &scratch.file("a.run"),
    ]);
    for words in [
        "Results of @random vs @wait",
        "Elo: ",
        "nElo: ",
        "LOS: ",
        "Games: 20, Wins: 20",
        "Ptnml(0-2): [0, 0, 0, 0, 10]",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let report = json(&[
        "duel",
        "hypersonic",
        "--bot",
        "@random",
        "--bot",
        "@wait",
        "--players",
        "3",
        "-n",
        "31",
        "--run",
        &scratch.file("b.run"),
        "--json",
    ]);
    assert_eq!(
        (&report["complete"], &report["report"]["games"]),
        (&true.into(), &33.into()),
        "whole seeds are played"
    );
    let sprt = json(&[
        "duel",
        "ocean-of-code",
        "--bot",
        "@random",
        "--bot",
        "@wait",
        "--sprt",
        "0",
        "50",
        "--run",
        &scratch.file("c.run"),
        "--json",
    ]);
    assert_eq!(sprt["report"]["sprt"]["decision"], "accept_h1");
    assert!(sprt["report"]["games"].as_u64().unwrap() < 200);
    let test = &sprt["report"]["sprt"]["test"];
    assert_eq!((&test["model"], &test["alpha"]), (&"normalized".into(), &0.05.into()));
}

#[test]
fn a_duel_lists_failures_with_the_command_that_replays_them() {
    let scratch = Scratch::new();
    let crash = "/bin/sh -c 'exit 3'";
    let arguments = ["duel", "hypersonic", "--bot", crash, "--bot", "@random", "-n", "2", "--run"];
    let output = agon(&[&arguments[..], &[&scratch.file("a.run"), "--strict"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("2 failures of bots") && text.contains("crash: exit code 3"), "{text}");
    assert!(text.contains("agon play hypersonic --league 4 --edition standard --seed 1"), "{text}");
}

#[test]
fn invalid_duels_are_refused_before_a_file_is_created() {
    let scratch = Scratch::new();
    let file = scratch.file("a.run");
    refused(&["duel", "hypersonic", "--bot", "@random", "--run", &file], 2, &["two bots"]);
    refused(
        &["duel", "hypersonic", "--bot", "@random", "--bot", "@wait", "--sprt", "5", "0", "--run", &file],
        2,
        &["elo0 must be below elo1"],
    );
    assert!(!PathBuf::from(&file).exists());
    printed(&["duel", "hypersonic", "--bot", "@random", "--bot", "@wait", "-n", "2", "--run", &file]);
    refused(
        &["duel", "hypersonic", "--bot", "@random", "--bot", "@wait", "-n", "2", "--run", &file],
        2,
        &["agon resume"],
    );
    refused(&["resume", &scratch.file("missing.run")], 2, &["missing.run"]);
    std::fs::write(&file, "noise").unwrap();
    refused(&["resume", &file], 2, &["is not a run"]);
}

/// Three parts, merged, say the same as one run.
#[test]
fn parts_of_a_duel_are_merged_to_the_same_summary() {
    let scratch = Scratch::new();
    let duel =
        ["duel", "hypersonic", "--bot", "@random", "--bot", "@wait", "-n", "12", "--sprt", "0", "9", "--run"];
    let whole = scratch.file("whole.run");
    printed(&[&duel[..], &[&whole]].concat());
    let parts = ["2/3", "1/3", "3/3"].map(|shard| {
        let file = scratch.file(&format!("{}.run", &shard[..1]));
        let told = json(&[&duel[..], &[&file, "--shard", shard, "--json"]].concat());
        assert_eq!((&told["complete"], &told["report"]["games"]), (&Value::Bool(true), &Value::from(4)));
        file
    });
    let out = scratch.file("out.run");
    let merged = json(&["merge", &out, &parts[0], &parts[1], &parts[2], "--json"]);
    assert_eq!((&merged["finished"], &merged["planned"]), (&Value::from(12), &Value::from(12)));
    let report = |file: &str| json(&["report", file, "--html", &scratch.file("page.html"), "--json"]);
    assert_eq!(report(&out)["report"]["verdict"], report(&whole)["report"]["verdict"]);
    refused(&["merge", &out, &parts[0]], 2, &["exists"]);
    let other = scratch.file("other.run");
    refused(&["merge", &other, &parts[0], &parts[0]], 2, &["so is"]);
    refused(&["merge", &other, &whole], 2, &["not a part"]);
    refused(
        &["duel", "hypersonic", "--bot", "@random", "--bot", "@wait", "--shard", "4/3"],
        2,
        &["PART/PARTS"],
    );
    // Without one part the others still count.
    let text = printed(&["merge", &other, &parts[2], &parts[1]]);
    assert!(text.contains("8 of 12 matches") && text.contains("agon resume"), "{text}");
}

/// Starts a command whose output is not read.
fn started(words: &[String]) -> Child {
    let mut agon = Command::new(env!("CARGO_BIN_EXE_agon"));
    agon.args(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

fn json_of(words: &[String]) -> Value {
    json(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Finished matches in a run file.
fn finished(file: &str) -> usize {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.matches('\n').count().saturating_sub(1)
}

/// The results of a tournament, without the values that depend on time.
fn table(told: &Value) -> [Value; 4] {
    ["complete", "table", "head_to_head", "failures"].map(|key| told[key].clone())
}

/// Killed twenty times, a tournament of five hundred matches ends with every match once and the table of an
/// undisturbed run.
#[test]
fn a_killed_tournament_loses_no_result() {
    const MATCHES: usize = 500;
    const KILLS: usize = 20;
    let scratch = Scratch::new();
    let arguments = |file: &str| {
        let program = bot("ocean-of-code.c");
        words(&format!(
            "tournament ocean-of-code --bot {program} --bot @random --bot @wait --bot b=@boss --bot again=@random -n 25 --clock off \
             --json --run {file}"
        ))
    };
    let undisturbed = json_of(&arguments(&scratch.file("whole.run")));
    assert_eq!((&undisturbed["games"], &undisturbed["complete"]), (&MATCHES.into(), &true.into()));

    let file = scratch.file("killed.run");
    let mut words = arguments(&file);
    let mut dice = game::Dice::new(u64::from(std::process::id()));
    for kill in 1..=KILLS {
        let mut child = started(&words);
        // At a random place in a slice of the run, so that all twenty kills hit it, and then at any moment of a
        // match.
        let slice = MATCHES / (KILLS + 1);
        let enough = slice * (kill - 1) + 1 + dice.below(slice as u32) as usize;
        testing::until("enough matches are finished", || {
            assert!(child.try_wait().unwrap().is_none(), "it ended before it could be killed");
            (finished(&file) >= enough).then_some(())
        });
        std::thread::sleep(Duration::from_micros(u64::from(dice.below(4000))));
        child.kill().unwrap();
        child.wait().unwrap();
        words = ["resume", &file, "--json"].map(str::to_owned).to_vec();
    }
    let resumed = json_of(&words);
    assert_eq!(table(&resumed), table(&undisturbed));
    let text = std::fs::read_to_string(&file).unwrap();
    let indices: Vec<u64> = text
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["index"].as_u64().unwrap())
        .collect();
    assert_eq!(indices.len(), MATCHES, "none is there twice");
    assert_eq!(indices.into_iter().collect::<BTreeSet<_>>(), (0..MATCHES as u64).collect());
}

/// A duel that was killed goes on as well; while one process plays it, no other may.
#[test]
fn a_killed_duel_loses_no_result() {
    let scratch = Scratch::new();
    let arguments = |file: &str| {
        let program = bot("ocean-of-code.c");
        words(&format!(
            "duel ocean-of-code --bot {program} --bot @random -n 80 --clock off --json --run {file}"
        ))
    };
    let undisturbed = json_of(&arguments(&scratch.file("whole.run")));
    let file = scratch.file("killed.run");
    let mut child = started(&arguments(&file));
    testing::until("ten matches are finished", || (finished(&file) >= 10).then_some(()));
    // A process that is suspended still holds the lock of the file.
    signal(&child, "-STOP");
    refused(&["resume", &file], 2, &["is being played by another agon"]);
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = json(&["resume", &file, "--json"]);
    assert_eq!((&resumed["report"], &resumed["complete"]), (&undisturbed["report"], &true.into()));
    assert_eq!(finished(&file), 80);
}

fn signal(child: &Child, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn an_interrupted_swiss_tournament_prints_the_command_to_continue() {
    let scratch = Scratch::new();
    let arguments = |file: &str| {
        let program = bot("ocean-of-code.c");
        words(&format!(
            "tournament ocean-of-code --format swiss --bot {program} --bot @random --bot @wait --bot x=@random --bot y=@wait -n 30 \
             --clock off --json --run {file}"
        ))
    };
    let undisturbed = json_of(&arguments(&scratch.file("whole.run")));
    assert_eq!(undisturbed["games"], 120);
    let file = scratch.file("interrupted.run");
    let mut agon = Command::new(env!("CARGO_BIN_EXE_agon"));
    let child = agon.args(arguments(&file)).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    testing::until("thirty matches are finished", || (finished(&file) >= 30).then_some(()));
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(&format!("stopped; agon resume {file} goes on")), "{said}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["complete"], false);
    let resumed = json(&["resume", &file, "--json", "-j", "1"]);
    assert_eq!(table(&resumed), table(&undisturbed));
}

#[test]
fn a_tournament_ends_with_a_table() {
    let scratch = Scratch::new();
    let (csv, records) = (scratch.file("table.csv"), scratch.file("records"));
    let text = printed(&[
        "tournament",
        "ocean-of-code",
        "--bot",
        "first=@random",
        "--bot",
        "@wait",
        "--bot",
        "@wait",
        "-n",
        "3",
        "--run",
        &scratch.file("a.run"),
        "--csv",
        &csv,
        "--records",
        &records,
    ]);
    for words in ["first", "@wait (2)", "points against", "12.0     12   12", "18 games in"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let csv = std::fs::read_to_string(csv).unwrap();
    assert!(csv.starts_with("rank,name,elo,") && csv.lines().count() == 4, "{csv}");
    assert!(csv.lines().nth(1).unwrap().starts_with("1,\"first\","), "{csv}");
    let all: Vec<String> = (0..18).map(|index| format!("{records}/{index}.json.gz")).collect();
    let verified = printed(&[&["verify"], &all.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat());
    assert!(verified.starts_with("18 games") && verified.contains(" 0 mismatches"), "{verified}");
    let printed_csv = printed(&[
        "tournament",
        "hypersonic",
        "--bot",
        "@random",
        "--bot",
        "@wait",
        "--bot",
        "@boss",
        "--players",
        "3",
        "-n",
        "2",
        "--format",
        "gauntlet",
        "--run",
        &scratch.file("b.run"),
        "--csv",
        "-",
    ]);
    assert!(printed_csv.starts_with("rank,") && printed_csv.lines().count() == 4, "{printed_csv}");
    let four = json(&[
        "tournament",
        "hypersonic",
        "--bot",
        "@random",
        "--bot",
        "@wait",
        "--bot",
        "@boss",
        "--bot",
        "@random",
        "--bot",
        "@wait",
        "--players",
        "4",
        "-n",
        "2",
        "--run",
        &scratch.file("c.run"),
        "--json",
    ]);
    assert_eq!(
        (&four["games"], &four["table"][0]["games"]),
        (&40.into(), &32.into()),
        "five tables of four, two seeds"
    );
    let points: f64 =
        four["table"].as_array().unwrap().iter().map(|row| row["points"].as_f64().unwrap()).sum();
    assert!((points - 40.0 * 6.0).abs() < 1e-9, "a match of four has six comparisons");
}

#[test]
fn invalid_tournaments_are_refused_before_a_file_is_created() {
    let scratch = Scratch::new();
    let file = scratch.file("a.run");
    let with = |more: &[&str]| {
        let words: Vec<&str> = [&["tournament", "hypersonic", "--run", &file], more].concat();
        words.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    for (more, word) in [
        (&["--bot", "@random"][..], "there are 1 --bot"),
        (&["--bot", "@random", "--bot", "@wait", "--players", "3"], "there are 2 --bot"),
        (&["--bot", "@random", "--bot", "x=@champ"], "@champ"),
        (&["--bot", "@random", "--bot", "@wait", "--format", "ladder"], "round-robin"),
        (&["--bot", "@random", "--bot", "@wait", "-n", "0"], "0"),
    ] {
        let words = with(more);
        refused(&words.iter().map(String::as_str).collect::<Vec<_>>(), 2, &[word]);
    }
    assert!(!PathBuf::from(&file).exists());
}

/// A parameter of a real bot with a bad start value: it moves to better values, and the result beats the start.
#[test]
fn tuning_improves_a_badly_tuned_bot() {
    let scratch = Scratch::new();
    let file = scratch.file("a.run");
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bots/mistuned.c");
    let told = json_of(&words(&format!(
        "tune hypersonic --bot {program} --param rest=8:32:26:3:int -n 8 --pairs 1 --confirm 10 --clock off --json --run {file}"
    )));
    assert!(told["parameters"][0]["value"].as_f64().unwrap() < 22.0, "it waits less: {told}");
    assert_eq!((&told["complete"], &told["report"]["games"]), (&true.into(), &10.into()));
    assert!(told["report"]["elo"]["value"].as_f64().unwrap() > 100.0, "{told}");
    assert!(told["report"]["los"].as_f64().unwrap() > 0.95, "{told}");
    // A tuning that is stopped at any place finds the same values.
    let text = std::fs::read_to_string(&file).unwrap();
    let cut: Vec<&str> = text.lines().take(14).collect();
    std::fs::write(&file, cut.join("\n") + "\n").unwrap();
    let resumed = json(&["resume", &file, "--json", "-j", "2"]);
    assert_eq!(resumed["parameters"], told["parameters"]);
    assert_eq!(resumed["report"], told["report"]);
}

/// Both sides of a step and all starts play the same seeds against the other bot.
#[test]
fn a_bot_is_tuned_against_another_from_several_starts() {
    let scratch = Scratch::new();
    let file = scratch.file("a.run");
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bots/mistuned.c");
    let told = json_of(&words(&format!(
        "tune hypersonic -l 4 --bot {program} --param rest=8:32:26:3:int -n 3 --pairs 1 --confirm 4 --starts 2 --against @silver \
         --clock off --json --run {file}"
    )));
    assert_eq!((&told["complete"], &told["against"]), (&true.into(), &"@silver".into()));
    let starts = told["starts"].as_array().unwrap();
    let best: Vec<&Value> = starts.iter().filter(|start| start["best"] == true).collect();
    assert_eq!((starts.len(), best.len()), (2, 1), "{told}");
    // Values that did not move are not played again.
    assert_eq!(best[0]["elo"].is_null(), told["report"].is_null(), "{told}");
    assert_eq!(told["start_report"]["games"], 4);
    let text = std::fs::read_to_string(&file).unwrap();
    let mut seeds: Vec<Value> = text
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["seed"].clone())
        .collect();
    seeds.sort_by_key(|seed| seed.as_str().unwrap().parse::<i64>().unwrap());
    // Six steps with a seed for both sides, then two seeds for the starts that moved and the given values; two seats each.
    let duels = (seeds.len() - 24) / 4;
    assert!((2..=3).contains(&duels), "{seeds:?}");
    let expected =
        (1..=6).flat_map(|seed| [seed; 4]).chain([vec![7; 2 * duels], vec![8; 2 * duels]].concat());
    assert_eq!(seeds, expected.map(|seed| Value::from(seed.to_string())).collect::<Vec<_>>());

    let cut: Vec<&str> = text.lines().take(20).collect();
    std::fs::write(&file, cut.join("\n") + "\n").unwrap();
    let resumed = json(&["resume", &file, "--json", "-j", "2"]);
    for field in ["parameters", "starts", "report", "start_report"] {
        assert_eq!(resumed[field], told[field], "{field}");
    }

    // The command of the report plays a match again with its own values.
    let page = scratch.file("page.html");
    let report = json(&["report", &file, "--json", "--html", &page]);
    let lost = &report["report"]["worst_losses"][0];
    let mut again = shell_words::split(lost["replay"].as_str().unwrap()).unwrap();
    again.push("--json".into());
    let again: Vec<&str> = again.iter().skip(1).map(String::as_str).collect();
    assert_eq!(json(&again)["scores"], lost["scores"], "{again:?}");
}

/// Values reach a bot in the sandbox, by its arguments and by its environment.
#[test]
fn a_bot_in_a_sandbox_gets_its_parameters() {
    let scratch = Scratch::new();
    let file = scratch.file("a.run");
    let bot = "/bin/sh -c 'echo \"[PDATA] w = $w\" >&2; echo \"[PDATA] env = $AGON_PARAM_W\" >&2; \
        echo \"[PDATA] argument = $0\" >&2; read l; echo nonsense; read l' {w}";
    let told = json(&[
        "tune",
        "hypersonic",
        "--bot",
        bot,
        "--param",
        "w=0:1:0.5:0.25",
        "-n",
        "1",
        "--pairs",
        "1",
        "--confirm",
        "0",
        "--clock",
        "off",
        "--run",
        &file,
        "--json",
    ]);
    assert_eq!(told["parameters"][0]["name"], "w");
    let text = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<Value> = text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    for line in &lines {
        let mut values: Vec<f64> = Vec::new();
        for metrics in line["metrics"].as_array().unwrap() {
            let value = metrics["w"].as_f64().unwrap();
            assert_eq!((metrics["env"].as_f64(), metrics["argument"].as_f64()), (Some(value), Some(value)));
            values.push(value);
        }
        values.sort_by(f64::total_cmp);
        assert_eq!(values, [0.25, 0.75]);
    }
}

#[test]
fn invalid_tunings_are_refused_before_a_file_is_created() {
    let scratch = Scratch::new();
    let file = scratch.file("a.run");
    let bot = bot("hypersonic.c");
    let refuse = |bot: &str, parameters: &[&str], word: &str| {
        let mut words = vec!["tune", "hypersonic", "--run", &file, "--bot", bot];
        words.extend(parameters.iter().flat_map(|parameter| ["--param", parameter]));
        refused(&words, 2, &[word]);
    };
    refuse("@random", &["a=0:1:0"], "tune a bot of your own");
    refuse(&bot, &["a=0:1"], "name=low:high:start");
    refuse(&bot, &["a=0:1:2"], "the start 2");
    refuse(&bot, &["PATH=0:1:0"], "another name");
    refuse(&bot, &["a=0:1:0", "A=0:1:0"], "two parameters of the name a");
    refuse(&bot, &[], "--param");
    assert!(!PathBuf::from(&file).exists());
}

/// A run file of an earlier version, whose header has the field `rules` instead of `edition`. Its last match is
/// missing.
#[test]
fn an_old_run_file_is_reported_and_resumed() {
    let scratch = Scratch::new();
    let old = std::fs::read_to_string(testing::repository("crates/runs/tests/main/old/run.jsonl")).unwrap();
    assert!(old.lines().next().unwrap().contains("\"rules\":\"standard\""), "{old}");
    let lines: Vec<&str> = old.lines().collect();
    assert_eq!(lines.len(), 5, "a header and four matches");
    let file = scratch.write("old.run", lines[..4].join("\n") + "\n");
    let report = json(&["report", &file, "--json"]);
    assert_eq!(
        (&report["report"]["edition"], &report["report"]["finished"]),
        (&"standard".into(), &3.into())
    );
    assert_eq!(report["report"]["complete"], false);
    let resumed = json(&["resume", &file, "--json"]);
    assert_eq!((&resumed["complete"], &resumed["played_now"]), (&true.into(), &1.into()), "{resumed}");
    // The missing match is played as it was then.
    let results = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        ["index", "seed", "seats", "scores", "ranks", "reason", "causes", "turns"]
            .map(|key| line[key].clone())
    };
    let played = std::fs::read_to_string(&file).unwrap();
    assert_eq!(
        played.lines().skip(1).map(results).collect::<Vec<_>>(),
        lines[1..].iter().map(|line| results(line)).collect::<Vec<_>>()
    );
}
