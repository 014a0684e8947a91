//! `cargo xtask test`: every check a change must pass.

use std::time::Instant;

use crate::postgres::Postgres;
use crate::{prepare, shell, tidy, web};

/// Prepares what is missing, then runs each check and says how long it took.
pub(crate) fn test() -> Result<(), String> {
    prepare::for_tests()?;
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
        // All that fails is told at once.
        let tests =
            shell::command("cargo", &["test", "--workspace", "--all-features", "--locked", "--no-fail-fast"]);
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
