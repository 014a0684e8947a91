//! `cargo xtask fuzz`: runs cargo-fuzz on each parser.

use std::fs;

use crate::shell;

/// Damaged files of each kind.
const DAMAGED: &str = "100000";

/// Runs each target (or the named one) for some seconds, starting from the stored corpus. New inputs are kept in
/// `fuzz/target`, a crash in `fuzz/artifacts`.
pub(crate) fn fuzz(arguments: &[&str]) -> Result<(), String> {
    let (seconds, asked) = match arguments.split_last() {
        Some((last, asked)) if last.parse::<u32>().is_ok() => (*last, asked),
        _ => ("60", arguments),
    };
    let games = shell::games_asked(asked)?;
    if !shell::works("cargo", &["fuzz", "--version"]) {
        shell::run("cargo", &["install", "--locked", "cargo-fuzz"])?;
    }
    for game in &games {
        let found = format!("fuzz/target/corpus/{game}");
        fs::create_dir_all(shell::root().join(&found)).map_err(|error| format!("{found}: {error}"))?;
        let corpus = format!("games/{game}/traces/fuzz-corpus");
        let time = format!("-max_total_time={seconds}");
        let mut run =
            shell::command("cargo", &["fuzz", "run", "--sanitizer", "none", "answers", &found, &corpus]);
        run.args(["--", &time, "-max_len=512"]);
        // The instrumentation needs unstable flags of the compiler; this variable makes the stable compiler accept
        // them.
        run.env("RUSTC_BOOTSTRAP", "1").env("AGON_FUZZ_GAME", game);
        shell::finish(run)?;
    }
    // Files, settings and answers with random damage: the tests of the suite, with more inputs.
    let mut damaged = shell::command("cargo", &["test", "--locked", "--workspace", "--all-features"]);
    damaged.args(["--test", "main", "damaged::", "--", "--nocapture"]).env("AGON_TEST_DAMAGED", DAMAGED);
    shell::finish(damaged)
}
