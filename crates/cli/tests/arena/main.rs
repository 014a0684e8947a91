//! An arena from the command line: serve, log in, submit bots, maintain the data, back up and restore.

// Tests may unwrap, and print a note when they skip something.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "../common/arena.rs"]
mod arena;
mod mcp;

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Output, Stdio};

use arena::{Home, Server};
use serde_json::Value;

/// Runs `agon` with a text on its standard input.
fn typed(home: &Home, words: &[&str], text: &str) -> Output {
    let mut command = home.agon(words);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The command may end without reading its input.
    let _ = child.stdin.take().unwrap().write_all(text.as_bytes());
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[track_caller]
fn code(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{}", said(output));
    said(output)
}

#[track_caller]
fn json(output: &Output, expected: i32) -> Value {
    code(output, expected);
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A match is downloaded from the site, and its input sent to the source again.
fn a_downloaded_match_is_debugged(home: &Home, server: &Server, source: &str) {
    let download = |path: &str| {
        let address = format!("{}/api/v1{path}", server.url().trim_end_matches('/'));
        ureq::get(address).call().unwrap().body_mut().read_to_string().unwrap()
    };
    let listed: Value = serde_json::from_str(&download("/matches?limit=100")).unwrap();
    let seat_of = |info: &Value| {
        let mut seats = info["seats"].as_array()?.iter();
        seats.position(|seat| seat["bot"]["name"] == "admin").filter(|_| info["state"] == "done")
    };
    let matches = listed["matches"].as_array().unwrap();
    let (id, seat) =
        matches.iter().find_map(|info| Some((info["id"].to_string(), seat_of(info)?.to_string()))).unwrap();
    let file = home.folder.join("downloaded.json");
    std::fs::write(&file, download(&format!("/matches/{id}/record"))).unwrap();
    let file = file.to_str().unwrap();
    assert!(code(&typed(home, &["verify", file], ""), 0).contains("0 mismatches"));
    let debugged = json(&typed(home, &["debug", file, "--seat", &seat, "--bot", source, "--json"], ""), 0);
    assert!(debugged["turns"].as_u64().unwrap() > 3, "{debugged}");
    assert_eq!((&debugged["different"], &debugged["first"]), (&0.into(), &Value::Null), "{debugged}");
    // The record of the site does not name a command, so the bot must be named.
    let unnamed = typed(home, &["debug", file, "--seat", &seat], "");
    assert!(code(&unnamed, 2).contains("--bot"));
}

#[test]
fn a_submission_is_built_and_its_result_printed() {
    let home = Home::sqlite();
    let server = Server::start(&home, &["--idle-every", "3600"]);
    assert_eq!(server.said["admin"]["name"], "admin");
    let password = server.said["admin"]["password"].as_str().unwrap();
    assert!(server.get("/").contains("<html"), "the site is there");

    // No other process may use the folder.
    let second = home.agon(&["serve", "--listen", "127.0.0.1:0", "--allow-weak-sandbox"]).output().unwrap();
    assert!(code(&second, 2).contains("another agon serve"));

    // The one-time password is replaced by a permanent one.
    let url = server.url();
    let login = typed(&home, &["login", url], &format!("admin\n{password}\nmuch better password\n"));
    assert!(code(&login, 0).contains("logged in"));
    assert!(code(&typed(&home, &["login", url], &format!("admin\n{password}\n")), 2).contains("password"));
    assert!(code(&typed(&home, &["login", url], "agon_nonsense\n"), 2).contains("token"));
    assert!(code(&typed(&home, &["status"], ""), 0).contains("no bot"));

    // A bot that cannot be built.
    let source = home.folder.join("bot.c");
    std::fs::write(&source, "int main(void) { return oops; }").unwrap();
    let source = source.to_str().unwrap();
    let broken = typed(&home, &["submit", "ocean-of-code", source, "--wait"], "");
    assert!(code(&broken, 1).contains("oops"), "the author sees what the compiler said");

    // A bot that writes something and crashes: its author is told its output and its end.
    std::fs::write(
        source,
        r#"#include <stdio.h>
#include <stdlib.h>
int main(void) { fprintf(stderr, "my last words\n"); abort(); }"#,
    )
    .unwrap();
    let crash =
        json(&typed(&home, &["submit", "ocean-of-code", source, "--test", "--wait", "--json"], ""), 1);
    assert_eq!(crash["built"], true, "{crash}");
    let seats = crash["test"]["seats"].as_array().unwrap();
    assert!(seats.iter().any(|seat| seat["cause"] == "crash"), "{crash}");
    let logs = code(&typed(&home, &["logs", &crash["test"]["id"].to_string()], ""), 0);
    // Players of this game take turns: the first answer of the second seat is turn 2.
    let seat = seats.iter().position(|seat| seat["cause"] == "crash").unwrap();
    let failed = format!("it failed at turn {}: crash", seat + 1);
    assert!(logs.contains("my last words") && logs.contains(&failed), "{logs}");
    assert!(logs.contains(&format!("turn {}, seat {seat}", seat + 1)), "{logs}");
    let log = code(&typed(&home, &["logs", &format!("v{}", crash["version"]["id"])], ""), 0);
    assert!(log.contains("version 2") && log.contains("ready"), "{log}");

    // A bot that plays: the best of five is played to its end, and the exit code tells the result.
    std::fs::write(source, include_str!("../../../../games/ocean-of-code/tests/fast.c")).unwrap();
    let played = typed(&home, &["submit", "ocean-of-code", source, "--wait", "--json"], "");
    let told: Value = serde_json::from_slice(&played.stdout).unwrap_or_else(|_| panic!("{}", said(&played)));
    assert_eq!(told["promoted"].as_bool().unwrap(), played.status.success(), "{told}");
    assert!(told["trial"]["over"].as_bool().unwrap_or(true), "{told}");
    assert!(code(&typed(&home, &["status"], ""), 0).contains("ocean-of-code"));
    let bots = json(&typed(&home, &["status", "hypersonic", "--json"], ""), 0);
    assert_eq!(bots.as_array().unwrap().len(), 0);

    a_downloaded_match_is_debugged(&home, &server, source);

    // Maintenance while the arena runs.
    let checked = json(&home.admin(&["check", "--replay", "--json"]), 0);
    assert_eq!(checked["ratings"]["different"], 0, "{checked}");
    assert!(checked["replayed"]["games"].as_u64().unwrap() >= 3, "{checked}");
    let added = json(&home.admin(&["user", "add", "ada", "--json"]), 0);
    let login = typed(
        &home,
        &["login", url],
        &format!("ada\n{}\nada's own password\n", added["one_time_password"].as_str().unwrap()),
    );
    code(&login, 0);
    // The data of other accounts stays private.
    code(&typed(&home, &["logs", &crash["test"]["id"].to_string()], ""), 2);
    code(&typed(&home, &["logs", &format!("v{}", crash["version"]["id"])], ""), 2);
    // A new password ends the access of the old one: the token of the login is revoked.
    assert!(code(&typed(&home, &["status"], ""), 0).contains("no bot"));
    let reset = json(&home.admin(&["user", "reset", "ada", "--json"]), 0);
    assert!(code(&typed(&home, &["status"], ""), 2).contains("agon login"));
    let login = typed(
        &home,
        &["login", url],
        &format!("ada\n{}\nada's next password\n", reset["one_time_password"].as_str().unwrap()),
    );
    code(&login, 0);
    code(&home.admin(&["user", "block", "ada"]), 0);
    assert!(code(&typed(&home, &["status"], ""), 2).contains("agon login"));
    assert!(code(&home.admin(&["user", "list"]), 0).contains("ada"));
    assert!(code(&home.admin(&["user", "reset", "nobody"]), 2).contains("there is no account"));

    // A backup while the arena runs, restored elsewhere, is equal.
    let copy = home.folder.join("backup");
    let saved = json(&home.admin(&["backup", copy.to_str().unwrap(), "--json"]), 0);
    assert!(saved["records"].as_u64().unwrap() >= 3, "{saved}");
    assert!(code(&home.admin(&["backup", copy.to_str().unwrap()]), 2).contains("already"));
    server.stop();
    let other = Home::sqlite();
    let restored = json(&other.admin(&["restore", copy.to_str().unwrap(), "--json"]), 0);
    assert_eq!(restored["rows"], saved["rows"]);
    let checked = json(&other.admin(&["check", "--json"]), 0);
    assert_eq!((&checked["ratings"]["different"], &checked["records_bad"]), (&0.into(), &0.into()));
    code(&other.admin(&["restore", copy.to_str().unwrap()]), 2);

    // A damaged record is found.
    let export = other.folder.join("export");
    let exported = json(&other.admin(&["export", "arena", "--to", export.to_str().unwrap(), "--json"]), 0);
    // The backup may hold more: records of matches that ended after its snapshot of the tables.
    assert_eq!(exported["records"], checked["records"]);
    assert!(saved["records"].as_u64() >= checked["records"].as_u64(), "{saved} {checked}");
    let boards = std::fs::read_to_string(export.join("boards.csv")).unwrap();
    assert!(boards.starts_with("game,tier,players,kind,place,bot"), "{boards}");
    let record = walk(&other.folder.join("records"));
    std::fs::write(&record, "nothing").unwrap();
    assert_eq!(json(&other.admin(&["check", "--json"]), 1)["records_bad"], 1);
}

/// Any file below a folder.
fn walk(folder: &std::path::Path) -> std::path::PathBuf {
    let inside = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    if inside.is_dir() { walk(&inside) } else { inside }
}

#[test]
fn invalid_settings_are_reported_at_the_start() {
    let home = Home::sqlite();
    let wrong = home
        .agon(&["serve", "--listen", "nowhere", "--signup", "maybe"])
        .env("AGON_WORKERS", "many")
        .output()
        .unwrap();
    let words = code(&wrong, 2);
    for word in ["--listen", "--signup", "AGON_WORKERS", "open or invited"] {
        assert!(words.contains(word), "{word}: {words}");
    }
    let other = Home::sqlite();
    assert!(code(&other.admin(&["check"]), 2).contains("there is no arena"));
}

#[test]
fn the_log_of_the_server_can_be_json() {
    let home = Home::sqlite();
    let words = ["serve", "--listen", "127.0.0.1:0", "--allow-weak-sandbox", "--log-format", "json"];
    let mut child = home.agon(&words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let event: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line}"));
    assert_eq!((&event["level"], &event["target"]), (&"INFO".into(), &"agon::serve".into()), "{event}");
}

#[test]
fn the_handbook_lists_every_setting() {
    let handbook = include_str!("../../../../docs/arena.md");
    let example = include_str!("../../../../docs/arena/agon.toml");
    for key in server::config::KEYS {
        let default = if key.default.is_empty() { String::new() } else { format!("`{}`", key.default) };
        let line = format!("| `{}` | {default} | {} |", key.name, key.about);
        assert!(handbook.contains(&line), "docs/arena.md lacks: {line}");
    }
    // The settings of the example are valid, those in comments too.
    let all = example.replace("\n# ", "\n");
    let lines: Vec<&str> = all.lines().filter(|line| line.contains(" = ")).collect();
    assert!(lines.len() >= 8, "{lines:?}");
    let checked = server::config::Settings::new().text(&lines.join("\n"), "the example").check();
    assert!(checked.is_ok(), "{checked:?}");
}
