//! Running other programs from the root of the repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_path_buf()
}

/// The games by name, in alphabetical order: the folders in `games`.
pub(crate) fn games() -> Result<Vec<String>, String> {
    let games = root().join("games");
    let entries = fs::read_dir(&games).map_err(|error| format!("{}: {error}", games.display()))?;
    let folders = entries.flatten().filter(|entry| entry.path().join("Cargo.toml").is_file());
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

/// A command in the root of the repository. `cargo` is the one that runs this program.
pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let is_cargo = program == "cargo";
    let cargo = std::env::var("CARGO").ok().filter(|_| is_cargo);
    let mut command = Command::new(cargo.unwrap_or_else(|| program.into()));
    command.args(arguments).current_dir(root());
    // Cargo describes this package in the environment. Build scripts of dependencies look at these names, so with them everything
    // would be built again after each `cargo` that was not started here.
    let is_of_package = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for (name, _) in std::env::vars_os().filter(|_| is_cargo) {
        if name.to_str().is_some_and(is_of_package) {
            command.env_remove(name);
        }
    }
    command
}

/// Runs a command to its end and shows its output.
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

/// Whether a signal asked this program to stop.
static STOPPED: AtomicBool = AtomicBool::new(false);
/// How long a command may take to end by itself after Ctrl-C.
const GRACE: Duration = Duration::from_secs(10);

/// From now on Ctrl-C does not end this program, because it must clean up after the commands it runs.
pub(crate) fn outlive_signals() {
    // A second handler would be refused; the first one does the same.
    let _ = ctrlc::set_handler(|| STOPPED.store(true, Ordering::Relaxed));
}

/// Whether Ctrl-C was pressed since [`outlive_signals`].
pub(crate) fn is_stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

/// Runs a prepared command to its end; this program does not end before it.
pub(crate) fn finish_before_us(mut command: Command) -> Result<(), String> {
    outlive_signals();
    let shown = format!("{command:?}");
    let child = command.spawn().map_err(|error| format!("{shown} cannot be started: {error}"))?;
    wait(child, &shown)
}

/// Waits for a command. Ctrl-C ends the command, not this program.
pub(crate) fn wait(mut child: Child, shown: &str) -> Result<(), String> {
    let mut told_to_stop: Option<Instant> = None;
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("{shown} ended with {status}")),
            Ok(None) => std::thread::sleep(Duration::from_millis(20)),
            Err(error) => return Err(format!("{shown}: {error}")),
        }
        if STOPPED.load(Ordering::Relaxed) {
            // A terminal sends Ctrl-C to the whole process group; a signal to this process alone is meant for the
            // command too.
            if told_to_stop.get_or_insert_with(Instant::now).elapsed() > GRACE {
                signal("TERM", child.id());
                told_to_stop = Some(Instant::now());
            }
        }
    }
}

/// Sends a signal to a process, which may have ended by itself.
pub(crate) fn signal(name: &str, process: u32) {
    works("kill", &[&format!("-{name}"), &process.to_string()]);
}

pub(crate) fn is_root() -> bool {
    read("id", &["-u"]).is_ok_and(|id| id.trim() == "0")
}

/// Runs a command and returns its output.
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

/// The target folder of cargo.
pub(crate) fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from))
}

/// Builds the release binary and returns its path.
pub(crate) fn build_agon() -> Result<String, String> {
    run("cargo", &["build", "--release", "--locked", "--package", "cli"])?;
    Ok(target().join("release/agon").display().to_string())
}
