//! The runtimes bots are written for start in every box, within the limits of a bot.

use std::process::Command;

use sandbox::{Exit, Limits, Program};

use crate::support::{ALL, Folder, LONG, at_each, text, words};

fn installed(program: &str) -> bool {
    let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
    found.is_ok_and(|found| found.status.success())
}

/// Runs a program that is to print `hello WORD` for the line `WORD`, and nothing else.
fn greets(folder: &Folder, command: &[&str]) {
    // A program in the folder of the bot needs no installation.
    let is_own = command[0].starts_with("./");
    if !is_own && !testing::require(command[0], installed(command[0])) {
        return;
    }
    at_each(&ALL, |sandbox| {
        let program = Program { argv: words(command), folder: Some(folder.0.clone()), ..Program::default() };
        let finished = sandbox.run(&program, &Limits::BOT, b"world\n", LONG, 10_000).unwrap();
        let (out, err) = (text(&finished.stdout), text(&finished.stderr));
        assert_eq!(
            (out.as_str(), err.as_str()),
            ("hello world\n", ""),
            "{command:?} at level {}",
            sandbox.level()
        );
        assert_eq!(finished.exit, Exit::Code(0));
    });
}

#[test]
fn python() {
    let folder = Folder::new();
    folder.write("bot.py", "import random, collections, heapq\nprint('hello', input())\n", 0o644);
    folder.write("bot", "#!/usr/bin/env python3\nprint('hello', input())\n", 0o755);
    greets(&folder, &["python3", "bot.py"]);
    greets(&folder, &["/usr/bin/env", "python3", "bot.py"]);
    if installed("python3") {
        greets(&folder, &["./bot"]);
    }
}

#[test]
fn javascript() {
    let folder = Folder::new();
    let script =
        "const line = require('fs').readFileSync(0, 'utf8').trim();\nconsole.log('hello ' + line);\n";
    folder.write("bot.js", script, 0o644);
    greets(&folder, &["node", "bot.js"]);
}

#[test]
fn java() {
    let folder = Folder::new();
    let source = "public class Bot {\n  public static void main(String[] args) {\n    \
                  System.out.println(\"hello \" + new java.util.Scanner(System.in).nextLine());\n  }\n}\n";
    folder.write("Bot.java", source, 0o644);
    if !testing::require("javac", installed("javac")) {
        return;
    }
    let compiled = Command::new("javac").arg("Bot.java").current_dir(&folder.0).status().unwrap();
    assert!(compiled.success());
    greets(&folder, &["java", "-Xmx256m", "Bot"]);
    greets(&folder, &["java", "Bot"]);
}

#[test]
fn scripts() {
    let folder = Folder::new();
    folder.write("bot.pl", "my $line = <STDIN>; print \"hello $line\";\n", 0o644);
    folder.write(
        "bot.sh",
        "#!/usr/bin/env bash\nread -r line\necho \"hello $(echo \"$line\" | tr a-z a-z)\"\n",
        0o755,
    );
    greets(&folder, &["perl", "bot.pl"]);
    greets(&folder, &["bash", "bot.sh"]);
    if installed("bash") {
        greets(&folder, &["./bot.sh"]);
    }
}
