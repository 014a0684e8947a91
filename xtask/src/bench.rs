//! `cargo xtask bench`: speed, instructions and start-up, measured on the release binary.
//!
//! Machines are shared and noisy: every rate is the median of several runs with the best one beside it, and
//! instructions are counted by callgrind, which gives the same number whatever else the machine does.

use std::process::Command;
use std::time::Instant;

use crate::shell;

/// Runs of each measurement.
const RUNS: usize = 5;

/// Measures all games, or those named.
pub(crate) fn bench(games: &[&str]) -> Result<(), String> {
    let games = shell::games_asked(games)?;
    let agon = shell::build_agon()?;
    shell::run(
        "cargo",
        &["build", "--release", "--locked", "--package", "catalog", "--example", "steps_bench"],
    )?;
    let example = shell::target().join("release/examples/steps_bench").display().to_string();
    println!(
        "\n| game | turns/s, one thread: median (best) | games/s | maps/s | instructions/turn | steps/s in play of the legend bot | instructions/step |"
    );
    println!("|---|---|---|---|---|---|---|");
    for game in &games {
        let count = about_a_second(&agon, game, &[])?;
        let rates = repeat(|| simulate(&agon, game, &["-n", &count]))?;
        let turns: Vec<f64> = rates.iter().map(|rate| rate.turns_per_second).collect();
        let played: Vec<f64> = rates.iter().map(|rate| rate.games_per_second).collect();
        let count = about_a_second(&agon, game, &["--maps"])?;
        let maps = repeat(|| simulate(&agon, game, &["-n", &count, "--maps"]))?;
        let maps: Vec<f64> = maps.iter().map(|rate| rate.games_per_second).collect();
        let per_turn = counted(|games| random_play(&agon, game, games));
        let count = about_a_second_of_steps(&example, game)?;
        let steps = repeat(|| rate_of(&shell::read(&example, &[game, &count])?))?;
        let steps: Vec<f64> = steps.iter().map(|rate| rate.turns_per_second).collect();
        let per_step = counted(|repeats| known_steps(&example, game, repeats));
        println!(
            "| {game} | {} | {} | {} | {per_turn} | {} | {per_step} |",
            shown(&turns),
            shown(&played),
            shown(&maps),
            shown(&steps)
        );
    }
    let start = repeat(|| {
        let started = Instant::now();
        shell::read(&agon, &["games"])?;
        Ok(started.elapsed().as_secs_f64() * 1000.0)
    })?;
    println!("\n`agon games`: {:.1} ms (median of {RUNS} runs)", median(&start));
    Ok(())
}

/// A number of games or maps that takes about a second, found by a short run.
fn about_a_second(agon: &str, game: &str, more: &[&str]) -> Result<String, String> {
    let short = simulate(agon, game, &[&["-n", "500"], more].concat())?;
    Ok(format!("{:.0}", short.games_per_second.clamp(100.0, 1e6)))
}

struct Rate {
    turns: f64,
    turns_per_second: f64,
    games_per_second: f64,
}

fn simulate(agon: &str, game: &str, more: &[&str]) -> Result<Rate, String> {
    let printed = shell::read(agon, &[&["simulate", game, "-j", "1", "--json"], more].concat())?;
    rate_of(&printed)
}

fn rate_of(printed: &str) -> Result<Rate, String> {
    let number = |key: &str| {
        let pattern = format!("\"{key}\":");
        let rest = printed.split_once(&pattern).map(|(_, rest)| rest);
        rest.and_then(|rest| rest.split([',', '}']).next()?.parse().ok())
            .ok_or_else(|| format!("no number `{key}` in {printed}"))
    };
    Ok(Rate {
        turns: number("turns")?,
        turns_per_second: number("turns_per_second")?,
        games_per_second: number("games_per_second")?,
    })
}

/// A number of repeats that takes about a second, found by a short run.
fn about_a_second_of_steps(example: &str, game: &str) -> Result<String, String> {
    let short = rate_of(&shell::read(example, &[game, "20"])?)?;
    let repeats = 20.0 * short.turns_per_second / short.turns;
    Ok(format!("{:.0}", repeats.max(20.0)))
}

/// The instructions of a turn: the difference between a longer and a shorter run, which excludes the start of the program
/// and, for known steps, the bots that found them.
fn counted(run: impl Fn(&str) -> Command) -> String {
    let per_turn = || {
        if !shell::works("valgrind", &["--version"]) {
            return Err("valgrind is not installed".to_owned());
        }
        let (less, fewer) = instructions(run("20"))?;
        let (more, turns) = instructions(run("220"))?;
        Ok((more - less) / (turns - fewer))
    };
    per_turn().map_or_else(|why| format!("not counted: {why}"), |count| format!("{count:.0}"))
}

/// Some games of random play under callgrind.
fn random_play(agon: &str, game: &str, games: &str) -> Command {
    let mut run = callgrind(agon);
    run.args(["simulate", game, "-j", "1", "--json", "-n", games]);
    run
}

/// The steps of the legend bot's games under callgrind.
fn known_steps(example: &str, game: &str, repeats: &str) -> Command {
    let mut run = callgrind(example);
    run.args([game, repeats]);
    run
}

fn callgrind(program: &str) -> Command {
    shell::command("valgrind", &["--tool=callgrind", "--callgrind-out-file=/dev/null", program])
}

/// The instructions and the turns of a run under callgrind.
fn instructions(mut run: Command) -> Result<(f64, f64), String> {
    let output = run.output().map_err(|error| error.to_string())?;
    let rate = rate_of(&String::from_utf8_lossy(&output.stdout))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let collected = errors.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    Ok((collected.ok_or("callgrind did not count")?, rate.turns))
}

fn repeat<T>(mut measure: impl FnMut() -> Result<T, String>) -> Result<Vec<T>, String> {
    (0..RUNS).map(|_| measure()).collect()
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn shown(values: &[f64]) -> String {
    let best = values.iter().copied().fold(0.0, f64::max);
    format!("{} ({})", grouped(median(values)), grouped(best))
}

fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap_or_default())
        .collect();
    groups.join(",")
}
