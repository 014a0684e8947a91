//! `cargo xtask bench series`: the overhead of a run over the same matches played one by one, and its memory.
//!
//! Three rates are measured alternately, so that their ratios are meaningful on a noisy machine: the floor (programs
//! started, lines exchanged, no rules) on every core at once; the matches one by one on each core, without a run
//! file; the matches as a run, each forced to disk before it is reported.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::bench_match::{number_after, number_before};
use crate::shell;

/// Number of seeds that the floor plays.
const SEEDS: u32 = 4;
/// The greatest share of speed that a run may lose compared with its matches one by one.
const MOST_LOST: f64 = 0.10;

/// The test bot in C that plays a game, which is the fastest one. A game without such a bot is not measured.
fn test_bot(game: &str) -> Option<String> {
    let sources = ["fast.c", "bots/bot.c"].map(|file| format!("games/{game}/tests/{file}"));
    sources.into_iter().find(|source| shell::root().join(source).is_file())
}

/// Measures everything, `rounds` times alternately. `matches` is the number of matches of the run whose memory is
/// measured.
pub(crate) fn bench(rounds: &str, matches: &str) -> Result<(), String> {
    let rounds: usize = rounds
        .parse()
        .ok()
        .filter(|&rounds| rounds > 0)
        .ok_or_else(|| format!("`{rounds}` is not a number of rounds"))?;
    if matches.parse::<u64>().is_err() {
        return Err(format!("`{matches}` is not a number of matches"));
    }
    let bench = built()?;
    let folder = shell::target().join("bench-series");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let made = |name: &str| folder.join(name).display().to_string();
    let compile = |source: &str, out: &str, flag: &str| {
        shell::run("gcc", &["-O2", "-w", flag, "-o", &made(out), source])
    };
    compile("crates/play/floor/floor.c", "floor", "-DNDEBUG")?;

    println!(
        "\n| game | box | matches at once | floor, matches/s | one by one, matches/s | run, matches/s | run to one by one: median (worst, best) |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut slow = Vec::new();
    let games = shell::games()?;
    let measured: Vec<(&str, String)> =
        games.iter().filter_map(|game| Some((game.as_str(), test_bot(game)?))).collect();
    for (game, source) in &measured {
        compile(source, game, "-DNDEBUG")?;
        let bot = made(game);
        let mut exchanges = Vec::new();
        for seed in 1..=SEEDS {
            let file = made(&format!("{game}-{seed}.txt"));
            shell::read(&bench, &["exchange", game, &bot, &seed.to_string(), &file])?;
            exchanges.push(file);
        }
        for level in ["none", "auto"] {
            // A number of matches that takes about a second, found by a short run.
            let short = shell::read(&bench, &["alone", game, &bot, "20", level])?;
            let count = format!("{:.0}", number_after(&short, "matches_per_second ")?.clamp(20.0, 1000.0));
            let (mut floor, mut alone, mut run, mut workers) = (Vec::new(), Vec::new(), Vec::new(), 0.0);
            let mut name = String::new();
            for _ in 0..rounds {
                floor.push(floor_rate(&made("floor"), &exchanges, &bot)?);
                let one = shell::read(&bench, &["alone", game, &bot, &count, level])?;
                let all = shell::read(&bench, &["run", game, &bot, &count, level, &made("bench.run")])?;
                alone.push(number_after(&one, "matches_per_second ")?);
                run.push(number_after(&all, "matches_per_second ")?);
                workers = number_after(&all, "workers ")?;
                all.split(' ').nth(1).unwrap_or_default().clone_into(&mut name);
            }
            let ratios: Vec<f64> = run.iter().zip(&alone).map(|(run, alone)| run / alone).collect();
            let (worst, ratio, best) = spread(&ratios);
            println!(
                "| {game} | {name} | {workers} | {:.0} | {:.0} | {:.0} | {:.0} % ({:.0}, {:.0}) |",
                spread(&floor).1,
                spread(&alone).1,
                spread(&run).1,
                100.0 * ratio,
                100.0 * worst,
                100.0 * best
            );
            if ratio < 1.0 - MOST_LOST {
                slow.push(format!("{game}, box {name}: {:.0} %", 100.0 * ratio));
            }
        }
    }
    // The bot that is made for speed writes metrics as well.
    let talks = measured.iter().find(|(_, source)| source.ends_with("fast.c"));
    let (game, source) = talks.ok_or("no game has a test bot `fast.c`")?;
    compile(source, "talks", "-DMETRICS")?;
    let memory = shell::read(&bench, &["memory", game, &made("talks"), matches, &made("bench.run")])?;
    println!(
        "\nmemory of a run of {matches} matches of {game} with metrics, after a tenth of them and at the end:\n{memory}"
    );
    if slow.is_empty() { Ok(()) } else { Err(format!("a run loses more than a tenth: {}", slow.join("; "))) }
}

/// Matches per second on all cores together. Each core plays the floor of every seed.
fn floor_rate(floor: &str, exchanges: &[String], bot: &str) -> Result<f64, String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut rates = Vec::new();
    for exchange in exchanges {
        let start = |core: usize| {
            Command::new(floor)
                .args(["-n", "40", "-c", &core.to_string(), "-k", exchange, bot, bot])
                .current_dir(shell::root())
                .stdout(Stdio::piped())
                .spawn()
                .map_err(|error| format!("{}: {error}", Path::new(floor).display()))
        };
        let started: Vec<_> = (0..cores).map(start).collect::<Result<_, _>>()?;
        let mut rate = 0.0;
        for child in started {
            let output = child.wait_with_output().map_err(|error| error.to_string())?;
            rate += number_before(&String::from_utf8_lossy(&output.stdout), " matches/s")?;
        }
        rates.push(rate);
    }
    // Every seed is played equally often, so the times are added, not the rates.
    Ok(rates.len() as f64 / rates.iter().map(|rate| 1.0 / rate).sum::<f64>())
}

/// The least, the median and the most.
fn spread(values: &[f64]) -> (f64, f64, f64) {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    (sorted[0], sorted[sorted.len() / 2], sorted[sorted.len() - 1])
}

/// Measures runs of one match at a time with the kit of each language, in which the programs of the next match are
/// started on an idle core, against the same matches one by one. `matches` is the number of matches of each.
pub(crate) fn kits(matches: &str) -> Result<(), String> {
    if matches.parse::<u64>().is_err() {
        return Err(format!("`{matches}` is not a number of matches"));
    }
    let bench = built()?;
    let folder = shell::target().join("bench-series");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let file = folder.join("kits.run").display().to_string();
    // The players of the first game with a test bot made for speed take turns: its matches need one core.
    let games = shell::games()?;
    let game = games.iter().find(|game| shell::root().join(format!("games/{game}/tests/fast.c")).is_file());
    let game = game.ok_or("no game has a test bot `fast.c`")?;
    let kits = shell::root().join(format!("games/{game}/kits"));
    let mut kits: Vec<_> = fs::read_dir(&kits)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<Result<_, _>>())
        .map_err(|error| format!("{}: {error}", kits.display()))?;
    kits.sort();
    println!("\n| kit | one by one, matches/s | run, matches/s | ratio |");
    println!("|---|---|---|---|");
    for kit in kits {
        let name = kit.file_name().unwrap_or_default().display().to_string();
        let text = shell::read(&bench, &["ahead", game, &kit.display().to_string(), matches, &file])?;
        let (alone, run) = text.split_once('\n').ok_or_else(|| format!("one line only: {text}"))?;
        let (alone, run) =
            (number_after(alone, "matches_per_second ")?, number_after(run, "matches_per_second ")?);
        println!("| {name} | {alone:.1} | {run:.1} | {:.2} |", run / alone);
    }
    Ok(())
}

/// Builds the program that measures, and returns its path.
fn built() -> Result<String, String> {
    shell::run(
        "cargo",
        &["build", "--release", "--locked", "--package", "runs", "--example", "series_bench"],
    )?;
    Ok(shell::target().join("release/examples/series_bench").display().to_string())
}
