//! `cargo xtask test`: all checks that a change must pass.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::postgres::Postgres;
use crate::{deny, nats, prepare, python, shell, tidy, web};

/// Installs missing requirements, then runs each check and prints its duration.
pub(crate) fn test(words: &[&str]) -> Result<(), String> {
    let install = prepare::Install::of_flags(words)?;
    prepare::for_tests(install)?;
    step("format", || shell::run("cargo", &["fmt", "--all", "--check"]))?;
    step("tidy", tidy::tidy)?;
    step("licences", deny::check)?;
    step("clippy", || {
        let mut clippy = shell::command(
            "cargo",
            &["clippy", "--workspace", "--all-targets", "--all-features", "--locked"],
        );
        clippy.args(["--quiet", "--", "--deny", "warnings"]);
        shell::finish(clippy)
    })?;
    let mut count = Count::default();
    step("tests", || {
        // Every failing test is reported, not only the first.
        let mut tests =
            shell::command("cargo", &["test", "--workspace", "--all-features", "--locked", "--no-fail-fast"]);
        // A test that lacks a required program fails.
        tests.env("AGON_TEST_STRICT", "1");
        let postgres = Postgres::start()?;
        postgres.give_to(&mut tests);
        nats::give_to(&mut tests);
        counted(tests, &mut count)
    })?;
    step("page", web::test)?;
    step("python", python::test)?;
    step("docs", || {
        let mut doc = shell::command(
            "cargo",
            &["doc", "--workspace", "--no-deps", "--all-features", "--locked", "--quiet"],
        );
        doc.env("RUSTDOCFLAGS", "--deny warnings");
        shell::finish(doc)
    })?;
    let Count { passed, failed, ignored } = count;
    println!("\nEvery check passed. Tests in Rust:\n{passed} passed, {failed} failed, {ignored} skipped");
    Ok(())
}

fn step(name: &str, check: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    println!("\n== {name}");
    let started = Instant::now();
    check()?;
    println!("== {name}: passed in {:.1} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Numbers of tests by result.
#[derive(Default)]
struct Count {
    passed: u32,
    failed: u32,
    ignored: u32,
}

impl Count {
    /// Adds a line such as `test result: ok. 12 passed; 0 failed; 1 ignored; ...`.
    fn add(&mut self, line: &str) {
        let Some(result) = line.strip_prefix("test result: ") else { return };
        for part in result.split(['.', ';']) {
            let mut words = part.split_whitespace();
            if let (Some(Ok(number)), Some(word)) = (words.next().map(str::parse::<u32>), words.next()) {
                match word {
                    "passed" => self.passed += number,
                    "failed" => self.failed += number,
                    "ignored" => self.ignored += number,
                    _ => {}
                }
            }
        }
    }
}

/// Runs tests to their end, shows their output and counts them.
fn counted(mut tests: Command, count: &mut Count) -> Result<(), String> {
    shell::outlive_signals();
    let shown = format!("{tests:?}");
    tests.stdout(Stdio::piped());
    let mut child = tests.spawn().map_err(|error| format!("{shown} cannot be started: {error}"))?;
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).split(b'\n') {
            let line = line.map_err(|error| format!("{shown}: {error}"))?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            count.add(&line);
        }
    }
    shell::wait(child, "cargo test")
}

#[cfg(test)]
mod tests {
    use super::Count;

    #[test]
    fn results_are_counted() {
        let mut count = Count::default();
        count.add(
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.10s",
        );
        count.add("test result: FAILED. 3 passed; 2 failed; 0 ignored");
        count.add("test a_result ... ok");
        assert_eq!((count.passed, count.failed, count.ignored), (15, 2, 1));
    }
}
