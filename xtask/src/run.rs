//! `cargo xtask run`: the best of what there is.

use crate::shell;

/// Builds the command and shows the games: what they are, a map of each, how fast they play, a
/// match between programs, and that all of it is exact.
pub(crate) fn run() -> Result<(), String> {
    let agon = shell::build_agon()?;
    let show = |arguments: &[&str]| {
        println!("\n$ agon {}", arguments.join(" "));
        shell::run(&agon, arguments)
    };
    show(&["games"])?;
    let games = shell::games()?;
    for game in &games {
        show(&["map", game, "--seed", "42", "--pretty"])?;
        show(&["simulate", game])?;
    }
    show(&["doctor"])?;
    for game in &games {
        show(&["bot", game])?;
        show(&["play", game, "--bot", "@champion", "--bot", "@bronze", "--seed", "42"])?;
    }
    let fixtures: Vec<String> = games
        .iter()
        .flat_map(|game| ["dev", "maps"].map(|kind| format!("fixtures/{game}/{kind}.jsonl.gz")))
        .collect();
    let mut verify = vec!["verify"];
    verify.extend(fixtures.iter().map(String::as_str));
    show(&verify)?;
    println!("\nThe command is {agon}; `agon --help` says what it can do.");
    Ok(())
}
