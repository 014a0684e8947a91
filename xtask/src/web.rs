//! The viewer's page and the site: built from `web/` with Node, tested in a real browser, benchmarked, photographed.
//!
//! Both are part of the repository (`web/dist`, `web/dist-site`), so that building Agon needs no Node. `cargo xtask
//! test` builds them again and compares.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::shell;

/// The folders with the build results, which are committed.
const MADE: [&str; 2] = ["web/dist", "web/dist-site"];

/// A command of npm in `web/`.
fn npm(arguments: &[&str]) -> Command {
    let mut npm = shell::command("npm", arguments);
    npm.current_dir(shell::root().join("web"));
    npm
}

/// Checks whether the page can be built here; the error names the missing program.
fn able() -> Result<(), String> {
    let version = shell::read("node", &["--version"]).unwrap_or_default();
    let mut numbers = version.trim().trim_start_matches('v').split('.').map(|part| part.parse().unwrap_or(0));
    let version: (u32, u32) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if version < (20, 19) {
        return Err("Node 20.19 or newer, with npm".to_owned());
    }
    Ok(())
}

/// Installs the dependencies of the page, as in the lock file.
fn install() -> Result<(), String> {
    able().map_err(|missing| format!("this takes {missing}"))?;
    shell::finish(npm(&["ci", "--no-audit", "--no-fund", "--loglevel=error"]))
}

/// `cargo xtask web`: builds the pages again.
pub(crate) fn build() -> Result<(), String> {
    install()?;
    shell::finish(npm(&["run", "build"]))
}

/// Checks the page: its types, that the committed files are up to date, its unit tests, and the whole page in a
/// browser.
pub(crate) fn test() -> Result<(), String> {
    install()?;
    shell::finish(npm(&["run", "check"]))?;
    up_to_date()?;
    shell::finish(npm(&["run", "unit"]))?;
    if browser().is_none() {
        return Err("the pages are tested in a browser: apt-get install chromium".to_owned());
    }
    in_browser("dev", "browser", &[])
}

/// Builds the pages and compares them with the committed files.
fn up_to_date() -> Result<(), String> {
    let kept = made()?;
    shell::finish(npm(&["run", "build"]))?;
    let anew = made()?;
    let differs = |name: &&String| kept.get(*name) != anew.get(*name);
    match kept.keys().chain(anew.keys()).find(differs) {
        Some(name) => Err(format!("{name} was out of date and is made anew: commit {}", MADE.join(" and "))),
        None => Ok(()),
    }
}

/// All files of the build results, by their names.
fn made() -> Result<BTreeMap<String, Vec<u8>>, String> {
    let mut found = BTreeMap::new();
    for folder in MADE {
        read_all(&shell::root(), folder, &mut found)?;
    }
    Ok(found)
}

fn read_all(root: &Path, folder: &str, found: &mut BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{folder}: {error}");
    for entry in fs::read_dir(root.join(folder)).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().map_err(failed)?.is_dir() {
            read_all(root, &name, found)?;
        } else {
            found.insert(name, fs::read(entry.path()).map_err(failed)?);
        }
    }
    Ok(())
}

fn browser() -> Option<&'static str> {
    let known = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    known.into_iter().find(|path| std::path::Path::new(path).exists())
}

/// Runs a script of the page in a browser, against a program of this profile, with these variables set.
fn in_browser(profile: &str, script: &str, variables: &[(&str, &str)]) -> Result<(), String> {
    let folder = if profile == "dev" {
        // Built with the same flags as the tests, so that their build is reused.
        shell::run("cargo", &["test", "--locked", "--workspace", "--all-features", "--no-run", "--quiet"])?;
        "debug"
    } else {
        shell::run("cargo", &["build", "--locked", "--package", "cli", "--profile", profile])?;
        profile
    };
    let mut tests = npm(&["run", script]);
    tests.env("AGON", shell::target().join(folder).join("agon"));
    if let Some(browser) = browser() {
        tests.env("CHROMIUM", browser);
    }
    tests.envs(variables.iter().copied());
    shell::finish(tests)
}

/// `cargo xtask screenshots`: pictures of each scene and of each page of the site, for desktop and phone, in light
/// and dark.
pub(crate) fn screenshots() -> Result<(), String> {
    install()?;
    let folder = shell::target().join("screenshots").display().to_string();
    in_browser("dev", "screenshots", &[("SCREENSHOTS", &folder)])?;
    println!("the pictures are in {folder}");
    Ok(())
}

/// `cargo xtask picture arena`: the first page of an arena with running matches, for the README.
pub(crate) fn picture() -> Result<(), String> {
    install()?;
    let file = shell::root().join("docs/arena.png").display().to_string();
    in_browser("dev", "picture", &[("PICTURE", &file)])?;
    println!("the picture is {file}");
    Ok(())
}

/// `cargo xtask bench web`: size, time to the first picture, smoothness, memory.
pub(crate) fn bench() -> Result<(), String> {
    install()?;
    in_browser("release", "bench", &[("BENCH", "1")])
}
