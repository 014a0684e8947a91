//! `cargo xtask run`: the best of what there is.

use std::fs;

use crate::shell;

/// Builds the command, shows the games and that they are exact, plays the champion of each against the bot below it, and opens
/// these matches in the viewer, where one can play as well.
pub(crate) fn run() -> Result<(), String> {
    let agon = shell::build_agon()?;
    let show = |arguments: &[&str]| {
        println!("\n$ agon {}", arguments.join(" "));
        shell::run(&agon, arguments)
    };
    show(&["games"])?;
    show(&["doctor"])?;
    let games = shell::games()?;
    let fixtures: Vec<String> = games
        .iter()
        .flat_map(|game| ["dev", "maps"].map(|kind| format!("fixtures/{game}/{kind}.jsonl.gz")))
        .collect();
    let mut verify = vec!["verify"];
    verify.extend(fixtures.iter().map(String::as_str));
    show(&verify)?;

    let folder = shell::target().join("matches");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut watch = vec!["watch".to_owned()];
    for game in &games {
        let record = folder.join(format!("{game}.json")).display().to_string();
        show(&["play", game, "--bot", "@champion", "--bot", "@legend", "--seed", "42", "--record", &record])?;
        watch.push(record);
    }
    println!("\nThe command is {agon}; `agon --help` says what it can do. Ctrl-C ends the viewer.");
    show(&watch.iter().map(String::as_str).collect::<Vec<_>>())
}
