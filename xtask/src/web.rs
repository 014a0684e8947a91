//! The viewer's page and the site: made from `web/` with Node, tested in a real browser, measured, photographed.
//!
//! Both are part of the repository (`web/dist`, `web/dist-site`), so that building Agon takes no Node. `cargo xtask test` makes
//! them anew and compares.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::shell;

/// What is made, and kept.
const MADE: [&str; 2] = ["web/dist", "web/dist-site"];

/// A command of npm in `web/`.
fn npm(arguments: &[&str]) -> Command {
    let mut npm = shell::command("npm", arguments);
    npm.current_dir(shell::root().join("web"));
    npm
}

/// Whether the page can be made here; what is missing, if not.
fn able() -> Result<(), String> {
    let version = shell::read("node", &["--version"]).unwrap_or_default();
    let mut numbers = version.trim().trim_start_matches('v').split('.').map(|part| part.parse().unwrap_or(0));
    let version: (u32, u32) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    if version < (20, 19) {
        return Err("Node 20.19 or newer, with npm".to_owned());
    }
    Ok(())
}

/// Installs what the page is made with, as the lock file names it.
fn install() -> Result<(), String> {
    able().map_err(|missing| format!("this takes {missing}"))?;
    shell::finish(npm(&["ci", "--no-audit", "--no-fund", "--loglevel=error"]))
}

/// `cargo xtask web`: makes the pages anew.
pub(crate) fn build() -> Result<(), String> {
    install()?;
    shell::finish(npm(&["run", "build"]))
}

/// Checks the page: its types, that what is kept is what is made, its parts alone, and all of it in a browser.
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

/// Makes the pages and compares them with those that are kept.
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

/// All files that are made, by their names.
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
        // Built as for the tests, so that what they built serves.
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

/// `cargo xtask screenshots`: pictures of each scene and of each page of the site, on a desk and on a phone, in light and dark.
pub(crate) fn screenshots() -> Result<(), String> {
    install()?;
    let folder = shell::target().join("screenshots").display().to_string();
    in_browser("dev", "screenshots", &[("SCREENSHOTS", &folder)])?;
    println!("the pictures are in {folder}");
    Ok(())
}

/// `cargo xtask picture arena`: the first page of an arena in which something happens, for the README.
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
