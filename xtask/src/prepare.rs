//! What has to be installed: done where this may be done, told where not.

use crate::postgres::Postgres;
use crate::shell;

/// Programs the arena boxes and builds bots with, and the Debian packages that bring them.
const FOR_BOTS: &[(&str, &str)] = &[
    ("bwrap", "bubblewrap"),
    ("gcc", "gcc"),
    ("g++", "g++"),
    ("javac", "default-jdk-headless"),
    ("node", "nodejs"),
    ("python3", "python3"),
];

/// What the tests use beyond that.
const FOR_TESTS: &[(&str, &str)] = &[
    ("chromium", "chromium"),
    ("go", "golang-go"),
    ("mcs", "mono-mcs"),
    ("perl", "perl"),
    ("postgres", "postgresql"),
];

/// What `cargo xtask test` needs.
pub(crate) fn for_tests() -> Result<(), String> {
    // Small installations of Rust come without these.
    for (component, probe) in [("rustfmt", ["fmt", "--version"]), ("clippy", ["clippy", "--version"])] {
        if !shell::works("cargo", &probe) {
            shell::run("rustup", &["component", "add", component])?;
        }
    }
    install(FOR_BOTS.iter().chain(FOR_TESTS), "some tests will be passed over; to run them")
}

/// What an arena needs.
pub(crate) fn for_arena() -> Result<(), String> {
    install(FOR_BOTS.iter(), "some languages are missing, or the box; to have them")
}

/// What measurements on both databases need.
pub(crate) fn for_postgres() -> Result<(), String> {
    install(
        FOR_BOTS.iter().chain(FOR_TESTS.iter().filter(|(program, _)| *program == "postgres")),
        "PostgreSQL is missing",
    )
}

fn install<'a>(
    programs: impl Iterator<Item = &'a (&'a str, &'a str)>,
    otherwise: &str,
) -> Result<(), String> {
    let missing: Vec<&str> =
        programs.filter(|(program, _)| !is_there(program)).map(|(_, package)| *package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let install = format!("apt-get install --yes --no-install-recommends {}", missing.join(" "));
    if !shell::is_root() || !is_there("apt-get") {
        println!("{otherwise}: {install}");
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
