//! `cargo xtask bench cluster`: two workers of one core each against two threads on the same two cores.
//!
//! Both rates are measured in turn, so that their ratio is meaningful on a noisy machine.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::nats::{self, Running};
use crate::prepare::Install;
use crate::shell;

/// The fast player of a game: a source whose thinking time can be set.
const SOURCE: &str = "tests/fast.c";
/// Kinds of bots: the name, microseconds of each answer, matches of a run, and the least share of the rate of threads.
const KINDS: [(&str, u32, &str, f64); 2] =
    [("trivial", 0, "400", 0.80), ("10 ms a turn", 10_000, "80", 0.95)];

/// Measures both kinds of bots, `rounds` times alternately.
pub(crate) fn bench(rounds: &str) -> Result<(), String> {
    let rounds: usize = rounds
        .parse()
        .ok()
        .filter(|&rounds| rounds > 0)
        .ok_or_else(|| format!("`{rounds}` is not a number of rounds"))?;
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        return Err("this measurement needs two cores".to_owned());
    }
    nats::prepare(Install::AsRoot)?;
    let agon = shell::build_agon()?;
    let games = shell::games()?;
    let has_source = |game: &&String| shell::root().join("games").join(game).join(SOURCE).is_file();
    let game = games.iter().find(has_source).ok_or_else(|| format!("no game has {SOURCE}"))?;
    let folder = shell::target().join("bench-cluster");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let server = nats::Server::start(&folder)?;
    let worker = |core: &str| {
        let name = format!("core-{core}");
        let words = ["worker", "--cluster", &server.url, "--timed", "always", "--name", &name];
        let mut command = Command::new("taskset");
        command.args(["--cpu-list", core, &agon]).args(words).stdin(Stdio::null()).stderr(Stdio::null());
        Running::start(&mut command)
    };
    let _workers = [worker("0")?, worker("1")?];

    println!(
        "\n| bots | two threads, matches/s | two workers, matches/s | workers to threads: median (worst, best) |"
    );
    println!("|---|---|---|---|");
    let mut slow = Vec::new();
    for (name, microseconds, matches, least) in KINDS {
        let bot = folder.join("bot").display().to_string();
        let spin = format!("-DSPIN_US={microseconds}");
        let source = format!("games/{game}/{SOURCE}");
        shell::run("gcc", &["-O2", "-w", &spin, "-o", &bot, &source])?;
        let mut rates = Vec::new();
        for round in 0..=rounds {
            // The first round builds and starts everything; it is not counted.
            let matches = if round == 0 { "4" } else { matches };
            let run = |how: &[&str]| rate(&agon, &folder, (game, &bot), matches, how);
            let threads = run(&["--jobs", "2"])?;
            let workers = run(&["--cluster", &server.url])?;
            if round > 0 {
                rates.push((threads, workers));
            }
        }
        let mut shares: Vec<f64> = rates.iter().map(|(threads, workers)| workers / threads).collect();
        shares.sort_by(f64::total_cmp);
        let median = shares[shares.len() / 2];
        let mean = |rates: Vec<f64>| rates.iter().sum::<f64>() / rates.len() as f64;
        println!(
            "| {name} | {:.2} | {:.2} | {:.1} % ({:.1} %, {:.1} %) |",
            mean(rates.iter().map(|(threads, _)| *threads).collect()),
            mean(rates.iter().map(|(_, workers)| *workers).collect()),
            100.0 * median,
            100.0 * shares[0],
            100.0 * shares[shares.len() - 1],
        );
        if median < least {
            slow.push(format!("{name}: {:.1} %, less than {:.0} %", 100.0 * median, 100.0 * least));
        }
    }
    if slow.is_empty() {
        Ok(())
    } else {
        Err(format!("workers are slower than they may be: {}", slow.join("; ")))
    }
}

/// The matches per second of a run, as its report says them.
fn rate(
    agon: &str,
    folder: &Path,
    (game, bot): (&str, &str),
    matches: &str,
    how: &[&str],
) -> Result<f64, String> {
    let file = folder.join("bench.run");
    let _ = fs::remove_file(&file);
    let file = file.display().to_string();
    let mut words = vec!["duel", game, "--bot", bot, "--bot", bot, "-n", matches, "--clock", "off", "--json"];
    words.extend(["--run", &file]);
    words.extend(how);
    let output = Command::new(agon).args(&words).current_dir(folder).output();
    let output = output.map_err(|error| format!("{agon}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{words:?}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let report: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    report["games_per_second"].as_f64().ok_or_else(|| "the duel has no rate".to_owned())
}
