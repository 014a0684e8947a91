//! `cargo xtask test`: every check a change must pass.

use std::time::Instant;

use crate::postgres::{self, Postgres};
use crate::{shell, tidy, web};

/// Prepares what is missing, then runs each check and says how long it took.
pub(crate) fn test() -> Result<(), String> {
    prepare()?;
    step("format", || shell::run("cargo", &["fmt", "--all", "--check"]))?;
    step("tidy", tidy::tidy)?;
    step("clippy", || {
        let mut clippy = shell::command(
            "cargo",
            &["clippy", "--workspace", "--all-targets", "--all-features", "--locked"],
        );
        clippy.args(["--quiet", "--", "--deny", "warnings"]);
        shell::finish(clippy)
    })?;
    step("tests", || {
        let tests = shell::command("cargo", &["test", "--workspace", "--all-features", "--locked"]);
        if !Postgres::is_installed() {
            println!("without PostgreSQL, what is kept is tested on SQLite alone");
            return shell::finish(tests);
        }
        Postgres::start()?.run(tests)
    })?;
    step("page", web::test)?;
    step("docs", || {
        let mut doc = shell::command(
            "cargo",
            &["doc", "--workspace", "--no-deps", "--all-features", "--locked", "--quiet"],
        );
        doc.env("RUSTDOCFLAGS", "--deny warnings");
        shell::finish(doc)
    })?;
    println!("\nEvery check passed.");
    Ok(())
}

fn step(name: &str, check: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    println!("\n== {name}");
    let started = Instant::now();
    check()?;
    println!("== {name}: passed in {:.1} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Programs the tests play with, and the Debian packages that bring them.
const PROGRAMS: &[(&str, &str)] = &[
    ("bwrap", "bubblewrap"),
    ("chromium", "chromium"),
    ("gcc", "gcc"),
    ("g++", "g++"),
    ("go", "golang-go"),
    ("javac", "default-jdk-headless"),
    ("mcs", "mono-mcs"),
    ("perl", "perl"),
    ("postgres", "postgresql"),
    ("python3", "python3"),
];

/// Installs what the tests need, where this may be done; says what is missing, where not.
fn prepare() -> Result<(), String> {
    // Small installations of Rust come without these.
    for (component, probe) in [("rustfmt", ["fmt", "--version"]), ("clippy", ["clippy", "--version"])] {
        if !shell::works("cargo", &probe) {
            shell::run("rustup", &["component", "add", component])?;
        }
    }
    let missing: Vec<&str> =
        PROGRAMS.iter().filter(|(program, _)| !is_there(program)).map(|(_, package)| *package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let install = format!("apt-get install --yes --no-install-recommends {}", missing.join(" "));
    if !postgres::is_root() || !shell::works("sh", &["-c", "command -v apt-get"]) {
        println!("some tests will be passed over; to run them: {install}");
        return Ok(());
    }
    let mut apt = shell::command("sh", &["-c", &format!("apt-get update && {install}")]);
    apt.env("DEBIAN_FRONTEND", "noninteractive");
    shell::finish(apt)
}

fn is_there(program: &str) -> bool {
    // Debian keeps it off the path.
    if program == "postgres" {
        return Postgres::is_installed();
    }
    shell::works("sh", &["-c", &format!("command -v {program}")])
}
