//! `cargo xtask test`: all checks that a change must pass.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::postgres::Postgres;
use crate::{deny, nats, prepare, python, s3, shell, tidy, web};

/// The checks, in the order in which they run.
const STEPS: [&str; 8] = ["format", "tidy", "licences", "clippy", "tests", "page", "python", "docs"];

/// Installs missing requirements, then runs each check, or only the named ones, and prints its duration.
pub(crate) fn test(words: &[&str]) -> Result<(), String> {
    let (flags, named): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.starts_with('-'));
    if let Some(unknown) = named.iter().find(|name| !STEPS.contains(name)) {
        return Err(format!("there is no check `{unknown}`; choose from {}", STEPS.join(", ")));
    }
    let install = prepare::Install::of_flags(&flags)?;
    prepare::for_tests(install)?;
    let mut count = Count::default();
    for name in STEPS.into_iter().filter(|name| named.is_empty() || named.contains(name)) {
        println!("\n== {name}");
        let started = Instant::now();
        step(name, &mut count)?;
        println!("== {name}: passed in {:.1} s", started.elapsed().as_secs_f64());
    }
    if named.is_empty() {
        let Count { passed, failed, ignored } = count;
        println!("\nEvery check passed. Tests in Rust:\n{passed} passed, {failed} failed, {ignored} skipped");
    }
    Ok(())
}

fn step(name: &str, count: &mut Count) -> Result<(), String> {
    match name {
        "format" => shell::run("cargo", &["fmt", "--all", "--check"]),
        "tidy" => tidy::tidy(),
        "licences" => deny::check(),
        "clippy" => {
            let mut clippy = shell::command(
                "cargo",
                &["clippy", "--workspace", "--all-targets", "--all-features", "--locked"],
            );
            clippy.args(["--quiet", "--", "--deny", "warnings"]);
            shell::finish(clippy)
        }
        "tests" => {
            // Every failing test is reported, not only the first.
            let mut tests = shell::command(
                "cargo",
                &["test", "--workspace", "--all-features", "--locked", "--no-fail-fast"],
            );
            // A test that lacks a required program fails.
            tests.env("AGON_TEST_STRICT", "1");
            let postgres = Postgres::start()?;
            postgres.give_to(&mut tests);
            nats::give_to(&mut tests);
            s3::give_to(&mut tests);
            counted(tests, count)
        }
        "page" => web::test(),
        "python" => python::test(),
        _ => {
            let mut doc = shell::command(
                "cargo",
                &["doc", "--workspace", "--no-deps", "--all-features", "--locked", "--quiet"],
            );
            doc.env("RUSTDOCFLAGS", "--deny warnings");
            shell::finish(doc)
        }
    }
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
