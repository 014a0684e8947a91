//! `cargo xtask bench match`: the overhead of a match between programs over the raw floor, and the accuracy of its
//! clock.
//!
//! The floor is a program in C that starts two programs, exchanges the same lines of the same match and reaps them,
//! without any rules. Both are measured alternately in one run, so that the ratio is meaningful on a noisy machine.

use std::fs;

use crate::shell;

/// Rounds of floor and match, one after the other.
const ROUNDS: usize = 5;

/// Measures everything. `turns` is the number of turns of bots that use half their time.
pub(crate) fn bench(turns: &str) -> Result<(), String> {
    if turns.parse::<u64>().is_err() {
        return Err(format!("`{turns}` is not a number of turns"));
    }
    shell::run(
        "cargo",
        &["build", "--release", "--locked", "--package", "play", "--example", "match_bench"],
    )?;
    let bench = shell::target().join("release/examples/match_bench").display().to_string();
    let folder = shell::target().join("bench-match");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let made = |name: &str| folder.join(name).display().to_string();
    let compile = |source: &str, out: &str, flag: &str| {
        shell::run("gcc", &["-O2", "-w", flag, "-o", &made(out), source])
    };
    compile("crates/play/floor/floor.c", "floor", "-DNDEBUG")?;
    // The bench plays the first game that has a bot made for speed.
    let games = shell::games()?;
    let fast = games.iter().map(|game| format!("games/{game}/tests/fast.c"));
    let fast = fast.into_iter().find(|source| shell::root().join(source).is_file());
    let fast = fast.ok_or("no game has a test bot `fast.c`")?;
    compile(&fast, "echo", "-DNDEBUG")?;
    compile(&fast, "rested", "-DREST_US=20000")?;
    compile(&fast, "half", "-DSPIN_US=25000")?;
    let (floor, echo, rested, half, lines) =
        (made("floor"), made("echo"), made("rested"), made("half"), made("exchange.txt"));
    shell::read(&bench, &["exchange", &echo, &lines])?;

    println!(
        "\n| | floor, matches/s | unboxed, matches/s | ratio | boxed, matches/s | us/turn: floor, unboxed, boxed | more |"
    );
    println!("|---|---|---|---|---|---|---|");
    for round in 1..=ROUNDS {
        let raw = shell::read(&floor, &["-n", "300", "-c", &last_core(), "-k", &lines, &echo, &echo])?;
        let unboxed = shell::read(&bench, &["matches", &echo, "300", "none"])?;
        let boxed = shell::read(&bench, &["matches", &echo, "60", "auto"])?;
        // These programs pause after their start, so that no turn is delayed by work that the kernel still does for
        // the start.
        let turns = shell::read(&bench, &["turns", &rested, "60"])?;
        let (floor_rate, rate) =
            (number_before(&raw, " matches/s")?, number_after(&unboxed, "matches_per_second ")?);
        println!(
            "| round {round} | {floor_rate:.0} | {rate:.0} | {:.0} % | {:.0} | {:.1}, {:.1}, {:.1} | {:+.0} % |",
            100.0 * rate / floor_rate,
            number_after(&boxed, "matches_per_second ")?,
            number_before(&raw, " us/turn")?,
            number_after(&turns, "plain_us ")?,
            number_after(&turns, "boxed_us ")?,
            number_after(&turns, "more_percent ")?,
        );
    }
    println!("\nstart and end of a program:");
    for level in ["none", "auto"] {
        print!("{}", shell::read(&bench, &["starts", &echo, "200", level])?);
    }
    println!("\ntwo programs started together in boxes that are not made yet:");
    print!("{}", shell::read(&bench, &["first", &echo, "60", "auto"])?);
    println!("\nverdict on a program that never answers, after the limit:");
    print!("{}", shell::read(&bench, &["late", "20"])?);
    println!("\nbots that use half of their time, a match on every core:");
    for clock in ["site", "cpu"] {
        print!("{}", shell::read(&bench, &["half", &half, turns, clock])?);
    }
    Ok(())
}

/// Measures the times of an honest bot beside a quiet and beside a hostile bot, over `rounds` matches of each.
pub(crate) fn neighbour(rounds: &str) -> Result<(), String> {
    if !rounds.parse::<u32>().is_ok_and(|rounds| rounds > 0) {
        return Err(format!("`{rounds}` is not a number of matches"));
    }
    let bench = ["run", "--release", "--locked", "--package", "play", "--example", "neighbour_bench"];
    shell::run("cargo", &[&bench[..], &["--", rounds]].concat())
}

fn last_core() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (cores - 1).to_string()
}

pub(crate) fn number_before(text: &str, mark: &str) -> Result<f64, String> {
    let before =
        text.split_once(mark).map(|(before, _)| before.rsplit([' ', '\n']).next().unwrap_or_default());
    before
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| format!("no number before `{mark}` in {text}"))
}

pub(crate) fn number_after(text: &str, mark: &str) -> Result<f64, String> {
    let after = text.split_once(mark).map(|(_, after)| after.split([' ', '\n']).next().unwrap_or_default());
    after.and_then(|number| number.parse().ok()).ok_or_else(|| format!("no number after `{mark}` in {text}"))
}
