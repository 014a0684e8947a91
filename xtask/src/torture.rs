//! `cargo xtask torture`: kills the server again and again while it plays a ladder; no data may be lost.
//!
//! The test suite does the same with smaller numbers; the code is in `crates/cli/tests/torture/main.rs`.

use crate::postgres::Postgres;
use crate::{prepare, shell};

const USAGE: &str = "cargo xtask torture [sqlite|postgres] [--matches 1000] [--kills 50]";

/// Runs with both databases, unless one is named.
pub(crate) fn torture(words: &[&str]) -> Result<(), String> {
    let (mut database, mut matches, mut kills) = (None, 1000_u32, 50_u32);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let mut number =
            || rest.next().and_then(|number| number.parse::<u32>().ok()).filter(|number| *number > 0);
        match *word {
            "sqlite" | "postgres" => database = Some(*word),
            "--matches" => matches = number().ok_or(USAGE)?,
            "--kills" => kills = number().ok_or(USAGE)?,
            _ => return Err(format!("`{word}`? {USAGE}")),
        }
    }
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
