//! `cargo xtask scale`: an arena with many simulated workers and many bots, on this machine.
//!
//! The arena, NATS and PostgreSQL are real; the workers are tasks of one program
//! (`crates/contest/examples/scale_load.rs`) that speak the real protocol and compute matches in memory.

use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::bench_arena::Arena;
use crate::postgres::Postgres;
use crate::prepare::{self, Install};
use crate::{nats, shell};

const USAGE: &str = "cargo xtask scale [--workers 10,100,1000] [--bots 1000,10000,100000] [--match-ms 1000] [--failures 10] \
    [--voids 1] [--seconds 20] [--servers 1] [--dev]";

/// The sizes and the manner of the workers.
struct Scale {
    workers: Vec<u64>,
    bots: Vec<u64>,
    match_ms: u64,
    failures: u64,
    voids: u64,
    seconds: u64,
    servers: u64,
    is_dev: bool,
}

impl Scale {
    fn of_words(words: &[&str]) -> Result<Scale, String> {
        let mut scale = Scale {
            workers: vec![10, 100, 1000],
            bots: vec![1000, 10_000, 100_000],
            match_ms: 1000,
            failures: 10,
            voids: 1,
            seconds: 20,
            servers: 1,
            is_dev: false,
        };
        let mut rest = words.iter();
        while let Some(&word) = rest.next() {
            if word == "--dev" {
                scale.is_dev = true;
                continue;
            }
            let numbers: Option<Vec<u64>> =
                rest.next().and_then(|list| list.split(',').map(|number| number.parse().ok()).collect());
            let wrong = || format!("`{word}`? {USAGE}");
            let numbers = numbers.ok_or_else(wrong)?;
            let first = numbers.first().copied().ok_or_else(wrong)?;
            match word {
                "--workers" => scale.workers = numbers,
                "--bots" => scale.bots = numbers,
                "--match-ms" => scale.match_ms = first,
                "--failures" => scale.failures = first,
                "--voids" => scale.voids = first,
                "--seconds" => scale.seconds = first,
                "--servers" => scale.servers = first.max(1),
                _ => return Err(wrong()),
            }
        }
        Ok(scale)
    }

    /// The numbers of workers and bots to measure: all workers with the fewest bots, then the most workers with more bots.
    fn sizes(&self) -> Vec<(u64, u64)> {
        let (Some(&fewest), Some(&most)) = (self.bots.first(), self.workers.last()) else {
            return Vec::new();
        };
        let more = self.bots.iter().skip(1).map(|&bots| (most, bots));
        self.workers.iter().map(|&workers| (workers, fewest)).chain(more).collect()
    }
}

/// Measures all sizes and prints a table.
pub(crate) fn scale(words: &[&str]) -> Result<(), String> {
    if words.iter().any(|word| matches!(*word, "--help" | "-h")) {
        println!("{USAGE}");
        return Ok(());
    }
    let scale = Scale::of_words(words)?;
    prepare::for_postgres()?;
    nats::prepare(Install::AsRoot)?;
    let build = |words: &[&str]| {
        let profile: &[&str] = if scale.is_dev { &[] } else { &["--release"] };
        shell::run("cargo", &[&["build", "--locked"], profile, words].concat())
    };
    build(&["--package", "cli"])?;
    build(&["--package", "contest", "--example", "scale_load"])?;
    let programs = shell::target().join(if scale.is_dev { "debug" } else { "release" });
    let agon = programs.join("agon").display().to_string();
    let load = programs.join("examples/scale_load").display().to_string();
    shell::outlive_signals();
    let mut rows = Vec::new();
    for (workers, bots) in scale.sizes() {
        if shell::is_stopped() {
            break;
        }
        rows.push(measure(&scale, &agon, &load, workers, bots)?);
        println!("{}", rows[rows.len() - 1]);
    }
    println!(
        "\n| workers | bots | recorded/s | API p50, p99 ms | failed | database MiB | NATS MiB | CPU s: arena, PostgreSQL, NATS, workers |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for row in rows {
        println!("{row}");
    }
    Ok(())
}

/// Measures one size: a row of the table.
fn measure(scale: &Scale, agon: &str, load: &str, workers: u64, bots: u64) -> Result<String, String> {
    let folder = shell::target().join("scale");
    // It need not exist.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let broker = nats::Server::start(&folder)?;
    let postgres = Postgres::start()?;
    let database = postgres.database("scale")?;
    let records = folder.join("records").display().to_string();
    let data = folder.join("load").display().to_string();
    let with_database = |words: &[&str]| {
        let mut command = shell::command(load, words);
        // All users of the machine can read flags, but not the environment.
        command.env("AGON_DATABASE", &database);
        command
    };
    shell::finish_before_us(with_database(&["fill", &data, "--bots", &bots.to_string()]))?;
    let mut arenas = Vec::new();
    for number in 0..scale.servers {
        let home = folder.join(format!("arena-{number}")).display().to_string();
        let flags =
            ["--workers", "0", "--idle-every", "3600", "--cluster", &broker.url, "--records", &records];
        arenas.push(Arena::start(agon, &home, &database, &flags)?);
    }
    let arena = arenas.last().ok_or("there is no server")?;
    let numbers = [
        ("--workers", workers),
        ("--match-ms", scale.match_ms),
        ("--failures", scale.failures),
        ("--voids", scale.voids),
        ("--seconds", scale.seconds),
    ];
    let mut words: Vec<String> =
        ["play", &broker.url, &arena.address, &data].iter().map(|&word| word.to_owned()).collect();
    for (flag, number) in numbers {
        words.extend([flag.to_owned(), number.to_string()]);
    }
    let mut processes = vec![("postgres", postgres.id()), ("nats", broker.id())];
    processes.extend(arenas.iter().map(|arena| ("arena", arena.id())));
    for (name, process) in processes {
        words.extend(["--cpu".to_owned(), format!("{name}={process}")]);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let output = with_database(&words).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("{load}: {error}"))?;
    let told: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{load} ended with {}: {error}", output.status))?;
    println!("{told}");
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    let cpu = |name: &str| number(&told["cpu"][name]);
    let database_mib = postgres.size_mib("scale")?;
    Ok(format!(
        "| {workers} | {bots} | {:.0} | {:.0}, {:.0} | {} | {database_mib} | {} | {:.1}, {:.1}, {:.1}, {:.1} |",
        number(&told["rate"]),
        number(&told["p50_ms"]),
        number(&told["p99_ms"]),
        told["failed"],
        size_mib(&folder.join("nats")),
        cpu("arena"),
        cpu("postgres"),
        cpu("nats"),
        cpu("workers"),
    ))
}

/// The size of the files in a folder.
fn size_mib(folder: &Path) -> u64 {
    bytes_in(folder) >> 20
}

fn bytes_in(folder: &Path) -> u64 {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.metadata() {
            Ok(about) if about.is_dir() => bytes += bytes_in(&entry.path()),
            Ok(about) => bytes += about.len(),
            Err(_) => {}
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::Scale;

    #[test]
    fn sizes_grow_one_after_the_other() {
        let scale = Scale::of_words(&["--workers", "10,20", "--bots", "5,50,500", "--dev"]).unwrap();
        assert_eq!(scale.sizes(), [(10, 5), (20, 5), (20, 50), (20, 500)]);
        assert!(scale.is_dev);
        assert!(Scale::of_words(&["--workers"]).is_err());
        assert!(Scale::of_words(&["--bots", "many"]).is_err());
        assert!(Scale::of_words(&["--speed", "3"]).is_err());
    }
}
