//! Runs on many machines: the workers of a cluster, and parts of a run under GNU parallel and Slurm. Programs and the NATS
//! server are killed while they work; the results are always those of one undisturbed machine.

// Tests may unwrap, and one prints its numbers.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod arena;
mod arena_machines;
mod batch;
mod bucket;
mod builds;
mod faults;
#[path = "../common/arena.rs"]
mod home;
mod hosts;
mod keys;
mod machines;
mod proxy;

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;
use testing::{Nats, scratch, until};

/// The game of the tests: players take turns, so that a match needs one core.
const GAME: &str = "ocean-of-code";

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    command.args(arguments);
    for variable in ["AGON_LANG", "AGON_CLUSTER", "AGON_CLUSTER_KEY", "AGON_CLUSTER_CA"] {
        command.env_remove(variable);
    }
    command
}

/// The standard output of a command that must succeed.
fn printed(arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = command(arguments).output().unwrap();
    assert!(status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

/// A program that is killed when it is dropped.
struct Process(Child);

impl Process {
    fn start(mut command: Command) -> Process {
        Process(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    fn signal(&self, name: &str) {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A worker with one core.
fn worker(url: &str, folder: &Path, name: &str) -> Process {
    worker_with(url, folder, name, &[])
}

fn worker_with(url: &str, folder: &Path, name: &str, more: &[&str]) -> Process {
    let files = folder.join(name).display().to_string();
    let mut arguments = vec!["worker", "--cluster", url, "--name", name, "--jobs", "1", "--files", &files];
    arguments.extend(more);
    Process::start(command(&arguments))
}

/// The results in a run file by index, without times: those differ on every machine. Each match is there once.
fn results(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines: Vec<Value> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    lines.sort_by_key(|line| line["index"].as_u64());
    for line in &mut lines {
        let line = line.as_object_mut().unwrap();
        for time in ["slowest_us", "times_us", "disturbed"] {
            line.remove(time);
        }
    }
    lines
}

/// The number of results in a run file.
fn finished(path: &Path) -> usize {
    std::fs::read_to_string(path).map_or(0, |text| text.lines().count().saturating_sub(1))
}

/// The source of a bot that always does the same: a program, so that a match takes some milliseconds.
fn source() -> &'static str {
    static PATH: OnceLock<String> = OnceLock::new();
    let path = || testing::game_file(GAME, "tests/fast.c").canonicalize().unwrap().display().to_string();
    PATH.get_or_init(path)
}

/// The arguments of a duel between bots that always do the same.
fn duel<'a>(matches: &'a str, path: &'a str) -> Vec<&'a str> {
    vec!["duel", GAME, "--bot", source(), "--bot", "@wait", "-n", matches, "--clock", "off", "--run", path]
}

/// The results of a run on this machine alone.
fn alone(arguments: &[&str], folder: &Path) -> Vec<Value> {
    let path = folder.join("alone.run");
    let mut arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
    let run = arguments.iter().position(|word| word == "--run").unwrap();
    arguments[run + 1] = path.display().to_string();
    printed(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    results(&path)
}

#[test]
fn workers_play_a_run_as_one_machine_does() {
    let Some(nats) = Nats::start() else { return };
    let scratch = scratch();
    let (url, path) = (nats.url(), scratch.path().join("a.run"));
    let _workers = ["one", "two"].map(|name| worker(&url, scratch.path(), name));
    let file = path.display().to_string();
    let script = testing::game_file(GAME, "tests/bots/bot.py").canonicalize().unwrap().display().to_string();
    let command = format!("python3 {script}");
    let folder = scratch.path().join("records").display().to_string();
    let mut arguments = vec!["tournament", GAME, "-n", "2", "--clock", "off", "--run", &file];
    arguments.extend(["--bot", "@random", "--bot", source(), "--bot", &command]);
    let expected = alone(&arguments, scratch.path());
    arguments.extend(["--cluster", &url, "--records", &folder]);
    let table = printed(&arguments);
    assert!(table.contains("@random") && table.contains("bot.py"), "{table}");
    assert_eq!(results(&path), expected);
    assert_eq!(expected.len(), 12);
    let records: Vec<String> = (0..12).map(|index| format!("{folder}/{index}.json.gz")).collect();
    let mut verify = vec!["verify"];
    verify.extend(records.iter().map(String::as_str));
    printed(&verify);
}

#[test]
fn an_early_stop_is_the_same_decision_and_stops_the_workers() {
    let Some(nats) = Nats::start() else { return };
    let scratch = scratch();
    let (url, path) = (nats.url(), scratch.path().join("a.run"));
    let _worker = worker(&url, scratch.path(), "one");
    let file = path.display().to_string();
    let mut arguments = duel("20000", &file);
    arguments.extend(["--sprt", "0", "50", "--json"]);
    let of = |text: &str| {
        let report: Value = serde_json::from_str(text).unwrap();
        (report["report"]["games"].clone(), report["report"]["sprt"]["decision"].clone())
    };
    let here = scratch.path().join("here.run").display().to_string();
    let mut local = arguments.clone();
    let run = local.iter().position(|word| *word == "--run").unwrap();
    local[run + 1] = &here;
    let expected = of(&printed(&local));
    arguments.extend(["--cluster", &url]);
    assert_eq!(of(&printed(&arguments)), expected);
    assert_eq!(expected.1, "accept_h1");
    // The worker is free for another run at once.
    let next = scratch.path().join("b.run").display().to_string();
    let mut arguments = duel("4", &next);
    arguments.extend(["--cluster", &url]);
    printed(&arguments);
    assert_eq!(finished(Path::new(&next)), 4);
}

#[test]
fn a_tuning_can_be_played_by_workers() {
    let Some(nats) = Nats::start() else { return };
    let scratch = scratch();
    let (url, path) = (nats.url(), scratch.path().join("a.run"));
    let _worker = worker(&url, scratch.path(), "one");
    let file = path.display().to_string();
    let script = scratch.path().join("bot.sh");
    let bot = testing::game_file(GAME, "tests/bots/bot.sh");
    std::fs::copy(bot, &script).unwrap();
    let bot = format!("bash {} {{depth}}", script.display());
    let mut arguments = vec!["tune", GAME, "--bot", &bot, "--param", "depth=1:9:3:int", "--clock", "off"];
    arguments.extend(["--iterations", "2", "--pairs", "1", "--confirm", "2", "--run", &file, "--json"]);
    arguments.extend(["--cluster", &url]);
    let report: Value = serde_json::from_str(&printed(&arguments)).unwrap();
    assert_eq!(report["iterations_done"], 2, "{report}");
    let failed = results(&path).into_iter().find(|line| line["causes"] != serde_json::json!([null, null]));
    assert_eq!(failed, None);
}

#[test]
fn an_address_without_a_server_is_refused() {
    let scratch = scratch();
    let file = scratch.path().join("a.run").display().to_string();
    let mut arguments = duel("4", &file);
    arguments.extend(["--cluster", "nats://127.0.0.1:1"]);
    let output = command(&arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("nats://127.0.0.1:1"), "{said}");
}

/// Waits until a run has this number of results.
fn wait_for(path: &Path, count: usize) {
    until("more results", || (finished(path) >= count).then_some(()));
}
