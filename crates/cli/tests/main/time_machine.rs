//! From a recorded match to the reason and the fix: `agon debug`, `agon fork`, `agon check --cases`.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::{Scratch, agon, bot, json, printed, refused};

/// A match between two bots that always play the same: Python in seat 0, C++ in seat 1.
fn recorded(scratch: &Scratch, game: &str) -> String {
    let file = scratch.file(&format!("{game}.json"));
    let bots = [bot(&format!("{game}.py")), bot(&format!("{game}.cpp"))];
    printed(&[
        "play", game, "--bot", &bots[0], "--bot", &bots[1], "--seed", "7", "--clock", "off", "--quiet",
        "--record", &file,
    ]);
    file
}

fn read(file: &str) -> Value {
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

/// The answers of a record, each with its player.
fn answers(record: &Value) -> Vec<(u64, Value)> {
    let turns = record["turns"].as_array().unwrap();
    let mut answers: Vec<(u64, Value)> =
        turns.iter().map(|turn| (turn["player"].as_u64().unwrap(), turn["output"].clone())).collect();
    // Players that answer together may come in any order.
    answers.sort_by_key(|(player, _)| *player);
    answers
}

/// Runs a command with this text as its standard input.
fn with_input(arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Put before a Python bot: it answers otherwise from its fifth answer on, and ends at its eighth.
const OTHERWISE: &str = "\
import builtins, sys
count = 0
def print(*words, **more):
    global count
    count += 1
    if count == 8:
        sys.exit('bye')
    builtins.print(*words, *(['x'] if count >= 5 else []), **more)
";

#[test]
fn a_bot_is_compared_with_its_record() {
    for game in ["hypersonic", "ocean-of-code"] {
        let scratch = Scratch::new();
        let record = recorded(&scratch, game);
        let python = bot(&format!("{game}.py"));
        for (seat, asked) in
            [("0", python.clone()), ("1", bot(&format!("{game}.cpp"))), ("0", format!("python3 {python}"))]
        {
            let compared = json(&["debug", &record, "--seat", seat, "--bot", &asked, "--json"]);
            let own = read(&record)["turns"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|turn| turn["player"] == seat.parse::<u64>().unwrap())
                .count();
            assert_eq!(compared["turns"], own, "{compared}");
            assert_eq!((&compared["different"], &compared["first"]), (&0.into(), &Value::Null), "{compared}");
        }
        // The bot of the record itself, in the sandbox.
        assert!(printed(&["debug", &record, "--seat", "1"]).contains("all answers are the recorded ones"));
        // One that answers otherwise from its fifth answer on, and ends at its eighth.
        let source = std::fs::read_to_string(&python).unwrap();
        let other = scratch.write("other.py", format!("{OTHERWISE}\n{source}"));
        let output = agon(&["debug", &record, "--seat", "0", "--bot", &other, "--json"]);
        assert_eq!(output.status.code(), Some(1));
        let compared: Value = serde_json::from_slice(&output.stdout).unwrap();
        let first = &compared["first"];
        let own: Vec<Value> = read(&record)["turns"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|turn| turn["player"] == 0)
            .map(|turn| turn["output"][0].clone())
            .collect();
        assert_eq!(first["recorded"], own[4]);
        assert_eq!(first["answered"], format!("{} x", own[4].as_str().unwrap()));
        let turn = if game == "hypersonic" { 5 } else { 9 };
        assert_eq!(first["turn"], turn);
        assert_eq!(compared["different"], own.len() - 4);
        assert!(compared["ended"]["stderr"].as_str().unwrap().contains("bye"), "{compared}");
    }
}

#[test]
fn a_bot_is_asked_for_one_turn() {
    let scratch = Scratch::new();
    let record = recorded(&scratch, "hypersonic");
    let source = std::fs::read_to_string(bot("hypersonic.py")).unwrap();
    let talking = source
        .replace("        print(verb", "        print('at', here, file=sys.stderr)\n        print(verb");
    let talking = scratch.write("talking.py", talking);
    let answered = json(&["debug", &record, "--seat", "0", "--turn", "12", "--bot", &talking, "--json"]);
    let own: Vec<Value> = read(&record)["turns"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|turn| turn["player"] == 0)
        .map(|turn| turn["output"][0].clone())
        .collect();
    assert_eq!((&answered["recorded"], &answered["answered"]), (&own[11], &own[11]), "{answered}");
    // Only the output of this turn.
    assert_eq!(answered["stderr"].as_str().unwrap().lines().count(), 1, "{answered}");
    assert!(answered["time_ms"].as_f64().unwrap() > 0.0);
    let text = printed(&["debug", &record, "--seat", "0", "--turn", "12", "--bot", &talking]);
    assert!(text.contains("recorded: ") && text.contains("answered: ") && text.contains("| at "), "{text}");

    // The input and the answers in files run anywhere.
    let (input, expect) = (scratch.file("input"), scratch.file("expect"));
    printed(&["debug", &record, "--seat", "0", "--turn", "12", "--input", &input, "--expect", &expect]);
    let ran =
        Command::new("python3").arg(&talking).stdin(std::fs::File::open(&input).unwrap()).output().unwrap();
    assert_eq!(String::from_utf8(ran.stdout).unwrap(), std::fs::read_to_string(&expect).unwrap());
    assert_eq!(std::fs::read_to_string(&expect).unwrap().lines().count(), 12);
}

#[test]
fn debuggers_have_the_terminal_and_the_input() {
    let scratch = Scratch::new();
    let record = recorded(&scratch, "hypersonic");
    let python = bot("hypersonic.py");
    let asked = ["debug", &record, "--seat", "0", "--turn", "3", "--bot", &python];
    let with = |more: &[&'static str]| [&asked[..], more].concat();
    let wrapped = with_input(&with(&["--wrap", "echo begin; {}; echo end"]), "");
    assert_eq!(wrapped.lines().next(), Some("begin"), "{wrapped}");
    assert_eq!(wrapped.lines().count(), 5, "{wrapped}");
    let wrapped = with_input(&with(&["--wrap", "cat; wc -l < {input}; echo {}"]), "from the terminal\n");
    assert!(wrapped.starts_with("from the terminal\n") && wrapped.contains("python"), "{wrapped}");
    let stopped = with_input(&with(&["--pdb"]), "b main\nc\np 6*7\nb 53\nc\np bombs + 100\nq\n");
    assert!(stopped.contains("42") && stopped.contains("101"), "{stopped}");
    if testing::require("gdb", Command::new("gdb").arg("--version").output().is_ok()) {
        let cpp = bot("hypersonic.cpp");
        let gdb = ["debug", &record, "--seat", "1", "--turn", "3", "--bot", &cpp, "--gdb"];
        let stopped =
            with_input(&gdb, "set pagination off\nbreak main\nrun\nlist\nbt\ndelete\ncontinue\nquit\n");
        // The source is found, and the bot answers three questions after the stop.
        assert!(stopped.contains("bot.cpp:") && stopped.contains("int main"), "{stopped}");
        assert!(stopped.contains("MOVE ") || stopped.contains("BOMB "), "{stopped}");
    }
    refused(&["debug", &record, "--seat", "1", "--bot", &bot("hypersonic.cpp"), "--pdb"], 2, &["Python"]);
}

#[test]
fn a_fork_with_the_same_bots_is_the_match() {
    for game in ["hypersonic", "ocean-of-code"] {
        let scratch = Scratch::new();
        let record = recorded(&scratch, game);
        let bots = [bot(&format!("{game}.py")), bot(&format!("{game}.cpp"))];
        let file = scratch.file("fork.json");
        let common =
            ["fork", &record, "--turn", "10", "--bot", &bots[0], "--bot", &bots[1], "--clock", "off"];
        let result = json(&[&common[..], &["--record", &file, "--json"]].concat());
        let (parent, fork) = (read(&record), read(&file));
        assert_eq!(answers(&fork), answers(&parent));
        assert_eq!(fork["end"], parent["end"]);
        assert_eq!(fork["parent"], result["parent"]);
        assert_eq!(fork["parent"]["turn"], 10);
        let ignored = if game == "hypersonic" { [9, 9] } else { [5, 4] };
        for seat in 0..2 {
            assert_eq!(fork["parent"]["seats"][seat]["ignored"], ignored[seat]);
            assert_eq!(fork["parent"]["seats"][seat]["differed"], 0);
        }
        assert!(printed(&["verify", &file]).ends_with(", 0 mismatches\n"));
        // A fork is a record like any other: it can be debugged and forked.
        assert_eq!(json(&["debug", &file, "--seat", "1", "--bot", &bots[1], "--json"])["different"], 0);
        // Another answer at the turn leads elsewhere.
        let seat = usize::from(game != "hypersonic");
        let line = if game == "hypersonic" { "BOMB 0 0 what if" } else { "SURFACE|MOVE S TORPEDO" };
        let given = format!("{seat}:{line}");
        json(&[&common[..], &["--answer", &given, "--record", &file, "--json"]].concat());
        let fork = read(&file);
        assert_eq!(fork["parent"]["seats"][seat]["given"], line);
        assert_ne!(answers(&fork), answers(&parent));
        assert!(printed(&["verify", &file]).ends_with(", 0 mismatches\n"));
        let mut damaged = fork;
        damaged["parent"]["seats"][seat]["given"] = "MOVE E".into();
        let damaged = scratch.write("damaged.json", damaged.to_string());
        assert_eq!(agon(&["verify", &damaged]).status.code(), Some(1));
    }
}

#[test]
fn many_continuations_give_a_score_with_an_interval() {
    let scratch = Scratch::new();
    let record = recorded(&scratch, "hypersonic");
    let file = scratch.file("forks.jsonl.gz");
    let common = ["fork", &record, "--turn", "30", "--bot", "@random", "--bot", "@wait", "-n", "12"];
    let result = json(&[&common[..], &["--record", &file, "--json"]].concat());
    assert_eq!(result["continuations"], 12);
    for seat in result["seats"].as_array().unwrap() {
        let counts = ["wins", "draws", "losses"].map(|name| seat[name].as_u64().unwrap());
        assert_eq!(counts.iter().sum::<u64>(), 12);
        let (low, high) = (seat["interval"][0].as_f64().unwrap(), seat["interval"][1].as_f64().unwrap());
        assert!((low..=high).contains(&seat["score"].as_f64().unwrap()), "{seat}");
    }
    let verified = json(&["verify", &file, "--json"]);
    assert_eq!((&verified["games"], &verified["mismatches"]), (&12.into(), &0.into()));
    let text = printed(&common);
    assert!(text.contains("12 continuations") && text.contains("interval"), "{text}");
}

#[test]
fn matches_of_a_run_are_opened_by_their_index() {
    let scratch = Scratch::new();
    let (run, folder) = (scratch.file("duel.run"), scratch.file("records"));
    let python = bot("hypersonic.py");
    let duel = [
        "duel",
        "hypersonic",
        "--bot",
        &python,
        "--bot",
        "@wait",
        "-n",
        "2",
        "--clock",
        "off",
        "--run",
        &run,
    ];
    printed(&[&duel[..], &["--records", &folder]].concat());
    let lost = json(&[
        "duel",
        "hypersonic",
        "--bot",
        "@random",
        "--bot",
        &python,
        "-n",
        "6",
        "--clock",
        "off",
        "--json",
        "--run",
        &scratch.file("lost.run"),
        "--records",
        &scratch.file("lost"),
    ]);
    let telling = lost["telling_losses"].as_array().unwrap();
    assert!(!telling.is_empty() && telling.len() <= 3, "{lost}");
    for loss in telling {
        let fork = shell_words::split(loss["fork"].as_str().unwrap()).unwrap();
        let mut words: Vec<&str> = fork[1..].iter().map(String::as_str).collect();
        words.extend(["--clock", "off", "--json"]);
        assert_eq!(json(&words)["parent"]["turn"], loss["turn"]);
        assert!(loss["debug"].as_str().unwrap().starts_with("agon debug "));
    }
    let one = format!("{run}:1");
    assert_eq!(json(&["debug", &one, "--seat", "1", "--bot", &python, "--json"])["different"], 0);
    refused(&["debug", &run, "--seat", "1", "--bot", &python], 2, &["INDEX"]);
    refused(&["debug", &format!("{run}:9"), "--seat", "1", "--bot", &python], 2, &["not finished"]);
    std::fs::remove_dir_all(&folder).unwrap();
    refused(
        &["debug", &one, "--seat", "1", "--bot", &python],
        2,
        &["keeps no records", "agon play hypersonic"],
    );
}

#[test]
fn an_analysis_is_kept_beside_the_record() {
    let scratch = Scratch::new();
    let record = recorded(&scratch, "ocean-of-code");
    let analysis = json(&["analyse", &record, "--json"]);
    let turns = read(&record)["turns"].as_array().unwrap().len();
    assert_eq!(analysis["positions"].as_array().unwrap().len(), turns + 1);
    assert_eq!(read(&scratch.file("ocean-of-code.analysis.json")), analysis);
    assert!(printed(&["analyse", &record]).contains("probability to win"));
    refused(&["analyse", "nothing.json"], 2, &["nothing.json"]);
}

#[test]
fn a_bot_that_hangs_is_not_waited_for() {
    let scratch = Scratch::new();
    let record = recorded(&scratch, "hypersonic");
    // It hangs at its third answer.
    let hangs = "import time\nfor _ in range(2):\n    print('MOVE 0 0', flush=True)\ntime.sleep(600)\n";
    let hangs = scratch.write("hangs.py", hangs);
    let debug = |more: &[&str]| {
        let words = ["debug", &record, "--seat", "0", "--bot", &hangs, "--limit", "1"];
        agon(&[&words, more].concat())
    };
    let all = debug(&[]);
    assert_eq!(all.status.code(), Some(1));
    let text = String::from_utf8_lossy(&all.stdout).into_owned();
    assert!(text.contains("turn 3: no answer within 1000 ms") && text.contains("--limit 0"), "{text}");
    let one = debug(&["--turn", "3"]);
    let text = String::from_utf8_lossy(&one.stdout).into_owned();
    assert!(one.status.code() == Some(1) && text.contains("no answer within 1000 ms"), "{text}");
    let before = debug(&["--turn", "5"]);
    let text = String::from_utf8_lossy(&before.stderr).into_owned();
    assert!(before.status.code() == Some(2), "{text}");
    assert!(text.contains("failed at turn 3") && text.contains("--limit SECONDS"), "{text}");
    let told = debug(&["--json"]);
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    assert_eq!((&told["ended"]["turn"], &told["ended"]["late"]), (&3.into(), &true.into()));
}

/// Wrong input is refused with exit code 2, and no file is written.
#[test]
fn wrong_inputs_write_nothing() {
    let scratch = Scratch::new();
    let record = recorded(&scratch, "ocean-of-code");
    let python = bot("ocean-of-code.py");
    let crash = scratch.write("crash.py", "import sys\nprint('7 7', flush=True)\nsys.exit('out of ideas')\n");
    let last = read(&record)["turns"].as_array().unwrap().len();
    let beyond = (last + 1).to_string();
    let out = scratch.file("out.json");
    let unknown = {
        let mut record = read(&record);
        record["rules"] = "of-tomorrow".into();
        scratch.write("unknown.json", record.to_string())
    };
    let strange = {
        let mut record = read(&record);
        record["rules"]["turn_ms"] = 51.into();
        scratch.write("strange.json", record.to_string())
    };
    let bots = ["--bot", python.as_str(), "--bot", "@wait"];
    let fork = |record: &str, turn: &str, more: &[&str], words: &[&str]| {
        let arguments = [&["fork", record, "--turn", turn, "--record", &out], more].concat();
        refused(&arguments, 2, words);
    };
    fork(&record, &beyond, &bots, &["no turn", &last.to_string()]);
    fork(&record, "0", &bots, &["no turn"]);
    fork(&record, "5", &["--bot", "@wait"], &["2 players"]);
    fork(
        &record,
        "5",
        &[&bots[..], &["--answer", "1:SURFACE"]].concat(),
        &["player 1 is not asked at turn 5"],
    );
    fork(&record, "5", &[&bots[..], &["--answer", "SURFACE"]].concat(), &["SEAT:LINE"]);
    fork(&unknown, "5", &bots, &["of-tomorrow", "choose one of"]);
    fork(&strange, "5", &bots, &["no edition"]);
    fork(&record, "9", &["--bot", &crash, "--bot", "@wait"], &["turn 3", "past", "out of ideas"]);
    fork("nothing.json", "5", &bots, &["nothing.json"]);
    let debug = |more: &[&str], words: &[&str]| refused(&[&["debug", &record], more].concat(), 2, words);
    debug(&["--seat", "0", "--turn", &beyond, "--input", &out], &["no turn"]);
    debug(&["--seat", "2", "--input", &out], &["no seat 2"]);
    debug(&["--seat", "1", "--turn", "5", "--save", &out], &["not asked at turn 5", "6"]);
    debug(&["--seat", "0", "--turn", "9", "--bot", &crash, "--save", &out], &["turn 3", "out of ideas"]);
    debug(&["--seat", "0", "--bot", "@random"], &["reads no input"]);
    refused(&["debug", &unknown, "--seat", "0", "--input", &out], 2, &["of-tomorrow"]);
    assert!(!std::path::Path::new(&out).exists(), "a refused command wrote a file");
    assert!(std::fs::read_dir(scratch.path()).unwrap().all(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        !name.contains(".part")
    }));
}

#[test]
fn a_lost_turn_becomes_a_test_case() {
    let scratch = Scratch::new();
    let record = recorded(&scratch, "hypersonic");
    let cases = scratch.file("cases");
    std::fs::create_dir(&cases).unwrap();
    let own =
        read(&record)["turns"].as_array().unwrap().iter().filter(|turn| turn["player"] == 0).nth(3).unwrap()
            ["output"][0]
            .clone();
    let own = own.as_str().unwrap();
    let python = bot("hypersonic.py");
    let case = |name: &str, more: &[&str]| {
        let file = format!("{cases}/{name}.json");
        printed(&[&["debug", &record, "--seat", "0", "--turn", "4", "--save", &file], more].concat());
    };
    case("a", &[]);
    case("b", &["--one-of", own, "--one-of", "MOVE 1 1"]);
    let good = json(&["check", "--cases", &cases, "--bot", &python, "--clock", "off", "--json"]);
    assert_eq!(
        (&good["clean"], &good["cases"], &good["failed"]),
        (&true.into(), &2.into(), &0.into()),
        "{good}"
    );
    case("c", &["--not", own]);
    let output = agon(&["check", "hypersonic", "--cases", &cases, "--bot", &python, "--clock", "off"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("2 of 3 cases pass") && text.contains("FAILED") && text.contains("c.json"),
        "{text}"
    );
    refused(&["check", "ocean-of-code", "--cases", &cases, "--bot", &python], 2, &["no case of this game"]);
    refused(&["check", "--bot", &python], 2, &["GAME"]);
}
