//! `cargo xtask bench bots`: how long the champions think in real matches at the official limits, and how much memory
//! they use.

use crate::shell;

/// Measures the champion of each game, or of the named games, against the legend boss; games for four players also
/// with four champions. `pairs` is the number of maps.
pub(crate) fn bench(pairs: &str, games: &[&str]) -> Result<(), String> {
    if pairs.parse::<u64>().is_err() {
        return Err(format!("`{pairs}` is not a number of maps"));
    }
    let games = shell::games_asked(games)?;
    let agon = shell::build_agon()?;
    shell::run(
        "cargo",
        &["build", "--release", "--locked", "--package", "play", "--example", "answers_bench"],
    )?;
    let bench = shell::target().join("release/examples/answers_bench").display().to_string();
    for game in &games {
        for (players, second) in [("2", "legend"), ("4", "champion")] {
            // Only some games have four players.
            if players == "4" && !shell::works(&agon, &["map", game, "--players", players]) {
                continue;
            }
            println!("\n{game}, {players} players:");
            shell::run(&bench, &[&agon, game, players, pairs, "champion", second])?;
        }
    }
    Ok(())
}
