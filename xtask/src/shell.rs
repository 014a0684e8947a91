//! Running other programs from the root of the repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_path_buf()
}

/// The games by name, in the order of the alphabet: the crates that have statements.
pub(crate) fn games() -> Result<Vec<String>, String> {
    let crates = root().join("crates");
    let entries = fs::read_dir(&crates).map_err(|error| format!("{}: {error}", crates.display()))?;
    let folders = entries.flatten().filter(|entry| entry.path().join("statements").is_dir());
    let mut games: Vec<String> =
        folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    games.sort();
    Ok(games)
}

/// The games among `asked`, or all of them.
pub(crate) fn games_asked(asked: &[&str]) -> Result<Vec<String>, String> {
    let games = games()?;
    if let Some(unknown) = asked.iter().find(|name| !games.iter().any(|game| game == *name)) {
        return Err(format!("there is no game `{unknown}`; choose among: {}", games.join(", ")));
    }
    Ok(if asked.is_empty() { games } else { asked.iter().map(|name| (*name).to_owned()).collect() })
}

/// A command in the root of the repository. `cargo` is the one that runs this.
pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let program = if program == "cargo" {
        std::env::var("CARGO").unwrap_or_else(|_| program.into())
    } else {
        program.into()
    };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// Runs a command to its end and shows what it prints.
pub(crate) fn run(program: &str, arguments: &[&str]) -> Result<(), String> {
    finish(command(program, arguments))
}

/// Runs a prepared command to its end.
pub(crate) fn finish(mut command: Command) -> Result<(), String> {
    let shown = format!("{command:?}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{shown} ended with {status}")),
        Err(error) => Err(format!("{shown} cannot be started: {error}")),
    }
}

/// Runs a command and returns what it printed.
pub(crate) fn read(program: &str, arguments: &[&str]) -> Result<String, String> {
    let mut command = command(program, arguments);
    let shown = format!("{command:?}");
    let output = command.output().map_err(|error| format!("{shown} cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "{shown} ended with {}:\n{}",
            output.status,
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a command can be run at all.
pub(crate) fn works(program: &str, arguments: &[&str]) -> bool {
    command(program, arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from))
}

/// Builds the release binary and returns its path.
pub(crate) fn build_agon() -> Result<String, String> {
    run("cargo", &["build", "--release", "--locked", "--package", "cli"])?;
    Ok(target().join("release/agon").display().to_string())
}
