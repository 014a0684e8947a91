//! Kits as `agon new` writes them: each plays every game by every rule set without a fault, and clearly better than at random.

// Tests may assume, and say what they pass over.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const GAMES: [&str; 3] = ["back-track", "hypersonic", "ocean-of-code"];
const LANGUAGES: [&str; 7] = ["python", "cpp", "rust", "javascript", "java", "csharp", "go"];
/// Whether a program is quick enough on a busy machine is not what is tested here.
const CLOCK: &str = "--clock=bank=60000";

fn agon(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("AGON_LANG")
        .output()
        .unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = agon(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}{}", String::from_utf8_lossy(&output.stdout));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A folder for one test, gone when the test is over.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("agon-kits-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    /// Writes a kit and gives its folder and source file; nothing if the language is not installed.
    fn kit(&self, game: &str, language: &str) -> Option<(PathBuf, String)> {
        let made = json(&self.0, &["new", game, "--lang", language, "--json"]);
        if let Some(program) = made["missing"]["program"].as_str() {
            eprintln!("passed over: {language} needs `{program}`");
            return None;
        }
        let folder = self.0.join(made["folder"].as_str().unwrap());
        Some((folder, made["files"][0].as_str().unwrap().to_owned()))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Every rule set, as arguments of `agon check`. `all` combines leagues and numbers of players; else each is there at least once.
fn rule_sets(game: &str, all: bool) -> Vec<Vec<&'static str>> {
    let leagues = ["-l1", "-l2", "-l3", "-l4"];
    match game {
        "hypersonic" if all => vec![[&leagues[..], &["-p2", "-p3", "-p4"]].concat()],
        "hypersonic" => vec![[&leagues[..], &["-p2"]].concat(), vec!["-p3", "-p4"]],
        "back-track" => ["--edition=statement", "--edition=2026", "--edition=2026-poi"]
            .map(|rules| [&leagues[..3], &[rules]].concat())
            .to_vec(),
        _ => vec![leagues.to_vec()],
    }
}

/// `all`: see [`rule_sets`]; for programs that start and run fast.
fn check(language: &str, all: bool) {
    for game in GAMES {
        let scratch = Scratch::new(&format!("{game}-{language}"));
        let Some((folder, file)) = scratch.kit(game, language) else { return };
        for rules in rule_sets(game, all) {
            let asked = ["check", game, "--bot", &file, "--maps=1", CLOCK, "--json"];
            let found = json(&folder, &[&asked[..], &rules].concat());
            assert_eq!(found["clean"], true, "{language}, {rules:?}: {found}");
            assert_eq!(found["skipped_orders"], Value::Array(Vec::new()), "{language}, {rules:?}");
            assert!(found["matches"].as_u64().unwrap() >= 6, "{found}");
        }
        let duel =
            ["duel", game, "--bot", &file, "--bot", "@random", "-n6", "--run=run.jsonl", CLOCK, "--json"];
        let report = &json(&folder, &duel)["report"];
        assert_eq!(report["games"], 6, "{report}");
        assert!(report["points"].as_f64().unwrap() >= 5.0, "{game} in {language}: {report}");
    }
}

#[test]
fn python() {
    check("python", false);
}

#[test]
fn cpp() {
    check("cpp", true);
}

#[test]
fn rust() {
    check("rust", true);
}

#[test]
fn javascript() {
    check("javascript", false);
}

#[test]
fn java() {
    check("java", false);
}

#[test]
fn csharp() {
    check("csharp", false);
}

#[test]
fn go() {
    check("go", true);
}

/// Whoever knows one kit knows them all: the same map and the same opponent, the same answers.
#[test]
fn kits_are_the_same_bot_in_every_language() {
    for (game, league) in [("back-track", "-l3"), ("hypersonic", "-l2"), ("ocean-of-code", "-l4")] {
        let scratch = Scratch::new(&format!("same-{game}"));
        let mut first: Option<(&str, Vec<Value>)> = None;
        for language in LANGUAGES {
            let Some((folder, file)) = scratch.kit(game, language) else { continue };
            let record = folder.join("match.json");
            let asked =
                ["play", game, league, "--seed=5", "--bot", &file, "--bot=@random", "--strict", CLOCK];
            json(&folder, &[&asked[..], &["--json", "--record", "match.json"]].concat());
            let record: Value = serde_json::from_slice(&fs::read(record).unwrap()).unwrap();
            let turns = record["turns"].as_array().unwrap();
            let answers: Vec<Value> = turns.iter().map(|turn| turn["output"].clone()).collect();
            assert!(answers.len() > 100 && answers.iter().all(Value::is_array), "{game} in {language}");
            let (reference, expected) = first.get_or_insert_with(|| (language, answers.clone()));
            let differing = expected.iter().zip(&answers).position(|(expected, answer)| expected != answer);
            assert_eq!(differing, None, "{game}: {language} answers otherwise than {reference}");
            assert_eq!(expected.len(), answers.len(), "{game} in {language}");
        }
    }
}

#[test]
fn a_kit_is_a_folder_with_all_it_takes() {
    let scratch = Scratch::new("folder");
    let text = String::from_utf8(agon(&scratch.0, &["new", "hypersonic", "--lang", "Rust"]).stdout).unwrap();
    assert!(
        text.contains("cd hypersonic-rust") && text.contains("agon check hypersonic --bot bot.rs"),
        "{text}"
    );
    let folder = scratch.0.join("hypersonic-rust");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert!(read("bot.rs").contains("fn decide"));
    assert_eq!(
        read("statement.md"),
        String::from_utf8(agon(&folder, &["statement", "hypersonic"]).stdout).unwrap()
    );
    assert!(read("README.md").contains("agon duel hypersonic --bot bot.rs --bot old.rs"));

    // The rules that are asked for are the rules it is written for, in the language that is asked for.
    let asked = ["new", "back-track", "--lang=c#", "--league=1", "--edition=2026", "--statement=fr", "here"];
    assert!(agon(&scratch.0, &asked).status.success());
    let readme = fs::read_to_string(scratch.0.join("here/README.md")).unwrap();
    assert!(
        readme.contains("agon play back-track --league 1 --edition 2026 --bot bot.cs --bot @random"),
        "{readme}"
    );
    let statement = ["statement", "back-track", "--league=1", "--edition=2026", "--lang=fr"];
    let expected = agon(&scratch.0, &statement).stdout;
    assert_eq!(fs::read(scratch.0.join("here/statement.md")).unwrap(), expected);
}

/// What a README says must work, word for word.
#[test]
fn the_commands_of_a_readme_work() {
    let scratch = Scratch::new("readme");
    let (folder, _) = scratch.kit("ocean-of-code", "rust").unwrap();
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    let commands: Vec<&str> = readme.lines().filter(|line| line.starts_with("agon ")).collect();
    assert_eq!(commands.len(), 5, "{readme}");
    fs::copy(folder.join("bot.rs"), folder.join("old.rs")).unwrap();
    for command in commands {
        let short = command.replace("-n 100", "-n 2").replace("-n 200", "-n 2");
        let words: Vec<&str> = short.split(' ').skip(1).chain([CLOCK]).collect();
        let output = agon(&folder, &words);
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(!words.contains(&"--stderr") || String::from_utf8_lossy(&output.stdout).contains("suspects"));
    }
}

fn refused(folder: &Path, arguments: &[&str], words: &[&str]) {
    let output = agon(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
    assert!(words.iter().all(|word| said.contains(word)), "{arguments:?}: {said}");
}

#[test]
fn nothing_is_overwritten_and_mistakes_are_explained() {
    let scratch = Scratch::new("refused");
    fs::create_dir(scratch.0.join("mine")).unwrap();
    fs::write(scratch.0.join("mine/notes"), "important").unwrap();
    fs::write(scratch.0.join("file"), "important").unwrap();
    refused(
        &scratch.0,
        &["new", "hypersonic", "--lang", "go", "mine"],
        &["mine", "not empty", "another folder"],
    );
    refused(&scratch.0, &["new", "hypersonic", "--lang", "go", "file"], &["file"]);
    refused(&scratch.0, &["new", "hypersonic", "--lang", "jva"], &["`jva`", "did you mean java?"]);
    let languages = LANGUAGES.join(", ");
    refused(&scratch.0, &["new", "hypersonic", "--lang", "cobol"], &[&languages]);
    refused(&scratch.0, &["new", "hypersonic"], &["--lang"]);
    refused(&scratch.0, &["new", "chess", "--lang", "go"], &["chess", "hypersonic"]);
    refused(&scratch.0, &["new", "hypersonic", "--lang", "go", "--league", "9"], &["league", "1, 2, 3, 4"]);
    let mut left: Vec<_> =
        fs::read_dir(&scratch.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["file", "mine"], "a kit was begun that was refused");
    assert_eq!(fs::read_dir(scratch.0.join("mine")).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(scratch.0.join("mine/notes")).unwrap(), "important");
}

#[test]
fn a_missing_language_is_named_with_its_package() {
    let scratch = Scratch::new("missing");
    let output = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["new", "hypersonic", "--lang", "java"])
        .current_dir(&scratch.0)
        .env("PATH", &scratch.0)
        .output()
        .unwrap();
    // The kit is written all the same: it may be played elsewhere.
    assert!(output.status.success() && scratch.0.join("hypersonic-java/Bot.java").exists());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("`javac`") && said.contains("apt-get install default-jdk-headless"), "{said}");
}
