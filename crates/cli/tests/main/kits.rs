//! Kits as `agon new` writes them: each plays every game by every rule set without a fault, and clearly better than a
//! random player.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use toolchain::Kit;

use crate::Scratch;

/// These tests are not about speed, and the machine may be busy.
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

fn games() -> impl Iterator<Item = &'static str> {
    catalog::games().map(|game| game.info().name)
}

/// Writes a kit and returns its folder and source file; `None` if the language is not installed.
fn kit(scratch: &Scratch, game: &str, language: &str) -> Option<(PathBuf, String)> {
    let made = json(scratch.path(), &["new", game, "--lang", language, "--json"]);
    if let Some(program) = made["missing"]["program"].as_str()
        && !testing::require(program, false)
    {
        return None;
    }
    let folder = scratch.path().join(made["folder"].as_str().unwrap());
    Some((folder, made["files"][0].as_str().unwrap().to_owned()))
}

/// Every edition, league and number of players of a game, as arguments of `agon check`. `all` combines leagues and
/// numbers of players; otherwise each of them occurs at least once.
fn rule_sets(game: &str, all: bool) -> Vec<Vec<String>> {
    let info = catalog::find(game).unwrap().info();
    let leagues: Vec<String> = (1..=info.leagues.len()).map(|league| format!("-l{league}")).collect();
    let players: Vec<String> =
        (info.min_players..=info.max_players).map(|count| format!("-p{count}")).collect();
    let mut sets = Vec::new();
    for edition in info.editions {
        let edition = vec![format!("--edition={}", edition.name)];
        if all {
            sets.push([edition, leagues.clone(), players.clone()].concat());
        } else {
            sets.push([&edition[..], &leagues, &players[..1]].concat());
            if players.len() > 1 {
                sets.push([&edition[..], &players[1..]].concat());
            }
        }
    }
    sets
}

/// Plays a kit by every rule set, then against a random player.
fn check(game: &str, kit_of: &Kit) {
    let language = kit_of.words[0];
    // Programs that start fast play every combination of rules.
    let all = kit_of.language.run[0].starts_with("{out}");
    let scratch = Scratch::new();
    let Some((folder, file)) = kit(&scratch, game, language) else { return };
    for rules in rule_sets(game, all) {
        let asked = ["check", game, "--bot", &file, "--maps=1", CLOCK, "--json"];
        let rules: Vec<&str> = rules.iter().map(String::as_str).collect();
        let found = json(&folder, &[&asked[..], &rules].concat());
        assert_eq!(found["clean"], true, "{language}, {rules:?}: {found}");
        assert_eq!(found["skipped_orders"], Value::Array(Vec::new()), "{language}, {rules:?}");
        assert!(found["matches"].as_u64().unwrap() >= 2, "{found}");
    }
    let duel = ["duel", game, "--bot", &file, "--bot", "@random", "-n6", "--run=run.jsonl", CLOCK, "--json"];
    let report = &json(&folder, &duel)["report"];
    assert_eq!(report["games"], 6, "{report}");
    assert!(report["points"].as_f64().unwrap() >= 5.0, "{game} in {language}: {report}");
}

/// One thread for each kit of a game: most of the time is spent in compilers and interpreters.
#[test]
fn every_kit_plays_its_game() {
    for game in games() {
        let kits = toolchain::kits(game);
        std::thread::scope(|scope| {
            for kit in &kits {
                scope.spawn(move || check(game, kit));
            }
        });
    }
}

/// A kit that the user compiles and starts by a command, in every box: runtimes must not find a reason to write
/// anything but answers.
#[test]
fn kits_play_as_commands() {
    let game = "ocean-of-code";
    let scratch = Scratch::new();
    for kit_of in toolchain::kits(game) {
        let Some((folder, file)) = kit(&scratch, game, kit_of.words[0]) else { continue };
        let fill =
            |word: &str| word.replace("{source}", &file).replace("{out}", ".").replace("{class}", "Bot");
        // The words that a user would type: without options and variables.
        let command: Vec<String> = kit_of
            .language
            .run
            .iter()
            .map(|word| fill(word))
            .filter(|word| word != "env" && !word.contains('=') && (!word.starts_with('-') || word == "-cp"))
            .collect();
        let compile: Vec<String> = kit_of.language.compile.iter().map(|word| fill(word)).collect();
        if let [compiler, arguments @ ..] = &compile[..] {
            let done = Command::new(compiler).args(arguments).current_dir(&folder).output().unwrap();
            assert!(done.status.success(), "{compile:?}: {}", String::from_utf8_lossy(&done.stderr));
        }
        for level in ["a", "b", "c"] {
            let bot = command.join(" ");
            let asked = ["play", game, "--bot", &bot, "--bot=@random", "--strict", "--json", CLOCK];
            json(&folder, &[&asked[..], &["--sandbox", level]].concat());
        }
    }
}

/// All kits of a game are the same bot: on the same map against the same opponent they give the same answers.
#[test]
fn kits_are_the_same_bot_in_every_language() {
    for game in games() {
        let scratch = Scratch::new();
        let mut first: Option<(&str, Vec<Value>)> = None;
        for kit_of in toolchain::kits(game) {
            let language = kit_of.words[0];
            let Some((folder, file)) = kit(&scratch, game, language) else { continue };
            let record = folder.join("match.json");
            let asked = ["play", game, "--seed=5", "--bot", &file, "--bot=@random", "--strict", CLOCK];
            json(&folder, &[&asked[..], &["--json", "--record", "match.json"]].concat());
            let record: Value = serde_json::from_slice(&fs::read(record).unwrap()).unwrap();
            let turns = record["turns"].as_array().unwrap();
            let answers: Vec<Value> = turns.iter().map(|turn| turn["output"].clone()).collect();
            assert!(answers.len() >= 10 && answers.iter().all(Value::is_array), "{game} in {language}");
            let (reference, expected) = first.get_or_insert_with(|| (language, answers.clone()));
            let differing = expected.iter().zip(&answers).position(|(expected, answer)| expected != answer);
            assert_eq!(differing, None, "{game}: {language} answers otherwise than {reference}");
            assert_eq!(expected.len(), answers.len(), "{game} in {language}");
        }
        assert!(first.is_some(), "{game} has no kit that can be played");
    }
}

#[test]
fn a_kit_is_a_complete_folder() {
    let scratch = Scratch::new();
    let text =
        String::from_utf8(agon(scratch.path(), &["new", "hypersonic", "--lang", "Rust"]).stdout).unwrap();
    assert!(
        text.contains("cd hypersonic-rust") && text.contains("agon check hypersonic --bot bot.rs"),
        "{text}"
    );
    let folder = scratch.path().join("hypersonic-rust");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert!(read("bot.rs").contains("fn decide"));
    assert_eq!(
        read("statement.md"),
        String::from_utf8(agon(&folder, &["statement", "hypersonic"]).stdout).unwrap()
    );
    assert!(read("README.md").contains("agon duel hypersonic --bot bot.rs --bot old.rs"));

    // The kit is written for the rules and in the language that the arguments name.
    let asked = ["new", "back-track", "--lang=c#", "--league=1", "--edition=2026", "--statement=fr", "here"];
    assert!(agon(scratch.path(), &asked).status.success());
    let readme = fs::read_to_string(scratch.path().join("here/README.md")).unwrap();
    assert!(
        readme.contains("agon play back-track --league 1 --edition 2026 --bot bot.cs --bot @random"),
        "{readme}"
    );
    let statement = ["statement", "back-track", "--league=1", "--edition=2026", "--lang=fr"];
    let expected = agon(scratch.path(), &statement).stdout;
    assert_eq!(fs::read(scratch.path().join("here/statement.md")).unwrap(), expected);
}

/// The commands of a README must work word for word.
#[test]
fn the_commands_of_a_readme_work() {
    let scratch = Scratch::new();
    let Some((folder, _)) = kit(&scratch, "ocean-of-code", "rust") else { return };
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
    let scratch = Scratch::new();
    fs::create_dir(scratch.path().join("mine")).unwrap();
    fs::write(scratch.path().join("mine/notes"), "important").unwrap();
    fs::write(scratch.path().join("file"), "important").unwrap();
    refused(
        scratch.path(),
        &["new", "hypersonic", "--lang", "go", "mine"],
        &["mine", "not empty", "another folder"],
    );
    refused(scratch.path(), &["new", "hypersonic", "--lang", "go", "file"], &["file"]);
    refused(scratch.path(), &["new", "hypersonic", "--lang", "jva"], &["`jva`", "did you mean java?"]);
    let languages: Vec<&str> = toolchain::kits("hypersonic").iter().map(|kit| kit.words[0]).collect();
    let languages = languages.join(", ");
    refused(scratch.path(), &["new", "hypersonic", "--lang", "cobol"], &[&languages]);
    assert!(String::from_utf8(agon(scratch.path(), &["new", "--help"]).stdout).unwrap().contains(&languages));
    refused(scratch.path(), &["new", "hypersonic"], &["--lang"]);
    refused(scratch.path(), &["new", "chess", "--lang", "go"], &["chess", "hypersonic"]);
    refused(
        scratch.path(),
        &["new", "hypersonic", "--lang", "go", "--league", "9"],
        &["league", "1, 2, 3, 4"],
    );
    let mut left: Vec<_> =
        fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["file", "mine"], "a kit was begun that was refused");
    assert_eq!(fs::read_dir(scratch.path().join("mine")).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(scratch.path().join("mine/notes")).unwrap(), "important");
}

#[test]
fn a_missing_language_is_named_with_its_package() {
    let scratch = Scratch::new();
    let output = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["new", "hypersonic", "--lang", "java"])
        .current_dir(scratch.path())
        .env("PATH", scratch.path())
        .output()
        .unwrap();
    // The kit is written anyway: it may be played on another host.
    assert!(output.status.success() && scratch.path().join("hypersonic-java/Bot.java").exists());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("`javac`") && said.contains("apt-get install default-jdk-headless"), "{said}");
}
