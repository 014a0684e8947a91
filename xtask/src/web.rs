//! The viewer's page: made from `web/` with Node, tested in a real browser, measured, photographed.
//!
//! The page is part of the repository (`web/dist`), so that building Agon takes no Node. `cargo xtask test` makes it anew and
//! compares.

use std::fs;
use std::process::Command;

use crate::shell;

const FILES: [&str; 2] = ["index.html", "scenes.js"];

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

/// `cargo xtask web`: makes the page anew.
pub(crate) fn build() -> Result<(), String> {
    install()?;
    shell::finish(npm(&["run", "build"]))
}

/// Checks the page: its types, that what is kept is what is made, its parts alone, and all of it in a browser.
pub(crate) fn test() -> Result<(), String> {
    if let Err(missing) = able() {
        println!("the page is not checked: that takes {missing}");
        return Ok(());
    }
    install()?;
    shell::finish(npm(&["run", "check"]))?;
    up_to_date()?;
    shell::finish(npm(&["run", "unit"]))?;
    if browser().is_none() {
        println!("the page is not tried in a browser: that takes the Debian package chromium");
        return Ok(());
    }
    in_browser("dev", "browser", &[])
}

/// Makes the page and compares it with the one that is kept.
fn up_to_date() -> Result<(), String> {
    let dist = shell::root().join("web/dist");
    let read = |name: &str| fs::read(dist.join(name)).map_err(|error| format!("web/dist/{name}: {error}"));
    let kept = FILES.map(read);
    shell::finish(npm(&["run", "build"]))?;
    for (name, kept) in FILES.into_iter().zip(kept) {
        if kept? != read(name)? {
            return Err(format!("web/dist/{name} was out of date and is made anew: commit it"));
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
    shell::run("cargo", &["build", "--locked", "--package", "cli", "--profile", profile])?;
    let folder = if profile == "dev" { "debug" } else { profile };
    let mut tests = npm(&["run", script]);
    tests.env("AGON", shell::target().join(folder).join("agon"));
    if let Some(browser) = browser() {
        tests.env("CHROMIUM", browser);
    }
    tests.envs(variables.iter().copied());
    shell::finish(tests)
}

/// `cargo xtask screenshots`: pictures of each scene, on a desk and on a phone, in light and dark.
pub(crate) fn screenshots() -> Result<(), String> {
    install()?;
    let folder = shell::target().join("screenshots").display().to_string();
    in_browser("dev", "screenshots", &[("SCREENSHOTS", &folder)])?;
    println!("the pictures are in {folder}");
    Ok(())
}

/// `cargo xtask bench web`: size, time to the first picture, smoothness, memory.
pub(crate) fn bench() -> Result<(), String> {
    install()?;
    in_browser("release", "bench", &[("BENCH", "1")])
}
