//! `cargo xtask torture`: kills the server, or the machines of a run and of an arena, again and again while they play; no data may be lost.
//!
//! The test suite does the same with smaller numbers; the code is in `crates/cli/tests/torture/main.rs`.

use crate::postgres::Postgres;
use crate::prepare::{self, Install};
use crate::{nats, shell};

const USAGE: &str = "cargo xtask torture [sqlite|postgres|--machines] [--matches 1000] [--kills 50]";

/// Runs with both databases, unless one is named.
pub(crate) fn torture(words: &[&str]) -> Result<(), String> {
    let (mut database, mut matches, mut kills, mut is_of_machines) = (None, None, None, false);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let mut number =
            || rest.next().and_then(|number| number.parse::<u32>().ok()).filter(|number| *number > 0);
        match *word {
            "sqlite" | "postgres" => database = Some(*word),
            "--machines" => is_of_machines = true,
            "--matches" => matches = Some(number().ok_or(USAGE)?),
            "--kills" => kills = Some(number().ok_or(USAGE)?),
            _ => return Err(format!("`{word}`? {USAGE}")),
        }
    }
    if is_of_machines {
        return machines(matches.unwrap_or(10_000), kills.unwrap_or(200));
    }
    let (matches, kills) = (matches.unwrap_or(1000), kills.unwrap_or(50));
    prepare::for_postgres()?;
    for kind in ["sqlite", "postgres"] {
        if database.is_some_and(|only| only != kind) {
            continue;
        }
        println!("\n== {kind}: {matches} matches, {kills} kills");
        // Built with the same flags as the tests, so that their build is reused.
        let mut test = shell::command("cargo", &["test", "--locked", "--workspace", "--all-features"]);
        test.args(["--test", "torture", "--", "--nocapture", "--exact", kind]);
        test.env("AGON_TORTURE_MATCHES", matches.to_string()).env("AGON_TORTURE_KILLS", kills.to_string());
        test.env("AGON_TORTURE_READY_MS", "2000");
        if kind == "postgres" {
            Postgres::start()?.run(test)?;
        } else {
            shell::finish_before_us(test)?;
        }
    }
    Ok(())
}

/// Kills, stops and disconnects the machines of a run, then those of an arena; the code is in `crates/cli/tests/cluster`.
fn machines(matches: u32, kills: u32) -> Result<(), String> {
    prepare::for_arena(Install::AsRoot)?;
    prepare::for_postgres()?;
    nats::prepare(Install::AsRoot)?;
    for name in [
        "machines::a_run_survives_faults_of_all_machines",
        "arena_machines::an_arena_survives_faults_of_all_machines",
    ] {
        let mut test = shell::command("cargo", &["test", "--locked", "--workspace", "--all-features"]);
        test.args(["--test", "cluster", "--", "--nocapture", "--exact", name]);
        test.env("AGON_TORTURE_MATCHES", matches.to_string()).env("AGON_TORTURE_KILLS", kills.to_string());
        nats::give_to(&mut test);
        test.env("AGON_TEST_STRICT", "1");
        shell::finish_before_us(test)?;
    }
    Ok(())
}
