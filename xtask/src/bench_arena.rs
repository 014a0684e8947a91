//! `cargo xtask bench arena`: the response times for visitors while matches use all cores, and the speed of boards
//! with a million matches.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::postgres::Postgres;
use crate::{prepare, shell};

/// The arena plays this long before the simulated visitors come: the first bots are built, and there are matches to
/// look at.
const WARM_UP: Duration = Duration::from_secs(10);

/// Measures everything; the simulated visitors stay for `seconds` seconds.
pub(crate) fn bench(seconds: &str) -> Result<(), String> {
    if seconds.parse::<u64>().is_err() {
        return Err(format!("`{seconds}` is not a number of seconds"));
    }
    prepare::for_postgres()?;
    let agon = shell::build_agon()?;
    let build = ["build", "--release", "--locked", "--package"];
    shell::run("cargo", &[&build[..], &["server", "--example", "visitors"]].concat())?;
    shell::run("cargo", &[&build[..], &["store", "--example", "boards_bench"]].concat())?;
    shell::outlive_signals();
    let postgres = Postgres::start()?;

    let folder = shell::target().join("bench-arena");
    for kind in ["sqlite", "postgres"] {
        println!("\n== a crowd, {kind}");
        let database = if kind == "postgres" { postgres.database("crowd")? } else { String::new() };
        visit(&agon, &folder, &database, &["--seconds", seconds])?;
    }
    for kind in ["sqlite", "postgres"] {
        println!("\n== a million matches kept, {kind}");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let database = match kind {
            "postgres" => postgres.database("boards")?,
            _ => format!("sqlite:{}", folder.join("boards.db").display()),
        };
        let bench = shell::command(&example("boards_bench"), &[&database, "10000", "1000000"]);
        shell::finish_before_us(bench).map_err(|why| why.replace(&database, "..."))?;
    }
    let _ = std::fs::remove_dir_all(&folder);
    Ok(())
}

/// Memory and open descriptors may not grow by more than this percentage.
const MOST_GROWTH: &str = "10";

/// Measures memory and open descriptors of an arena with a few visitors for `minutes` minutes. Fails if they grow. The
/// figures are also in `soak.csv` in the target folder.
pub(crate) fn soak(minutes: &str) -> Result<(), String> {
    let minutes: u64 = minutes.parse().map_err(|_| format!("`{minutes}` is not a number of minutes"))?;
    let agon = shell::build_agon()?;
    shell::run("cargo", &["build", "--release", "--locked", "--package", "server", "--example", "visitors"])?;
    shell::outlive_signals();
    let folder = shell::target().join("soak");
    let seconds = (minutes * 60).to_string();
    let figures = shell::target().join("soak.csv").display().to_string();
    let mut flags = vec!["--seconds", &seconds, "--visitors", "20", "--viewers", "5"];
    flags.extend(["--figures", &figures, "--most-growth", MOST_GROWTH]);
    let done = visit(&agon, &folder, "", &flags);
    let _ = std::fs::remove_dir_all(&folder);
    done?;
    println!("figures: {figures}");
    Ok(())
}

/// An example program that was built.
fn example(name: &str) -> String {
    shell::target().join("release/examples").join(name).display().to_string()
}

/// Starts an arena in an empty folder and lets visitors come, with these flags of the example `visitors`.
fn visit(agon: &str, folder: &Path, database: &str, flags: &[&str]) -> Result<(), String> {
    // It need not exist.
    let _ = std::fs::remove_dir_all(folder);
    // One match for every core, which is more than an arena plays by default, and no pause between two matches.
    let cores = std::thread::available_parallelism().map_or(2, usize::from).to_string();
    let serve = ["--workers", &cores, "--idle-every", "1"];
    let arena = Arena::start(agon, &folder.display().to_string(), database, &serve)?;
    std::thread::sleep(WARM_UP);
    let pid = arena.id().to_string();
    let words = [&[arena.address.as_str(), "--pid", &pid][..], flags].concat();
    shell::finish_before_us(shell::command(&example("visitors"), &words))
}

/// A running arena; it stops when this is dropped.
pub(crate) struct Arena {
    server: Child,
    pub(crate) address: String,
}

impl Arena {
    /// Starts `agon serve` with these flags.
    pub(crate) fn start(agon: &str, data: &str, database: &str, flags: &[&str]) -> Result<Arena, String> {
        let mut serve = shell::command(agon, &["serve", "--json", "--listen", "127.0.0.1:0", "--data", data]);
        serve.arg("--allow-weak-sandbox").args(flags).stdout(Stdio::piped());
        // All users of the machine can read flags, but not the environment.
        serve.env("AGON_DATABASE", database);
        let mut server = serve.spawn().map_err(|error| format!("{agon}: {error}"))?;
        let mut line = String::new();
        let read = server.stdout.take().map(|stdout| BufReader::new(stdout).read_line(&mut line));
        let mut arena = Arena { server, address: String::new() };
        let address = line.split("\"address\":\"").nth(1).and_then(|rest| rest.split('"').next());
        match (read, address) {
            (Some(Ok(_)), Some(address)) => address.clone_into(&mut arena.address),
            _ => return Err(format!("agon serve did not say its address: {line}")),
        }
        Ok(arena)
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.server.id()
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        shell::signal("TERM", self.server.id());
        let since = Instant::now();
        while since.elapsed() < Duration::from_mins(1) && matches!(self.server.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(20));
        }
        // The server had enough time to stop by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
