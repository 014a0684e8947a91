//! `cargo xtask bench climb`: how far the unmodified starter kits climb. Every kit meets the boss of every league.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::shell;

/// Plays every kit of each game, or of the named games, against the boss of every league, `matches` times each.
pub(crate) fn bench(matches: &str, games: &[&str]) -> Result<(), String> {
    if matches.parse::<u64>().is_err() {
        return Err(format!("`{matches}` is not a number of matches"));
    }
    let agon = shell::build_agon()?;
    let folder = shell::target().join("bench-climb");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for game in shell::games_asked(games)? {
        let home = shell::root().join("games").join(&game);
        let leagues = parse(&read(&home.join("leagues.json"))?)?;
        let leagues = leagues.as_array().ok_or("leagues.json is not a list")?;
        let kits = kits(&home)?;
        let names: Vec<String> =
            kits.iter().map(|kit| kit.file_name().unwrap_or_default().display().to_string()).collect();
        println!("\n{game}: matches won by the kit, of {matches}\n");
        println!("| league | boss | {} |", names.join(" | "));
        println!("|---|---|{}", "---|".repeat(names.len()));
        for league in leagues {
            let won = kits
                .iter()
                .map(|kit| wins(&agon, &game, league, kit, matches, &folder.join("climb.run")))
                .map(|won| won.map(|won| won.to_string()))
                .collect::<Result<Vec<_>, _>>()?;
            println!("| {} | {} | {} |", word(&league["name"]["en"]), word(&league["boss"]), won.join(" | "));
        }
    }
    Ok(())
}

/// How many matches the kit wins against the boss of the league, on the seat that the league gives it.
fn wins(
    agon: &str,
    game: &str,
    league: &Value,
    kit: &Path,
    matches: &str,
    run: &Path,
) -> Result<usize, String> {
    let _ = fs::remove_file(run);
    let (seat, rules) = (league["seat"].as_u64(), league["rules"].to_string());
    // A duel plays every map from both seats: where only one of them counts, twice as many are needed.
    let matches = matches.parse::<u64>().unwrap_or(0) * if seat.is_some() { 2 } else { 1 };
    let (kit, boss) = (kit.display().to_string(), format!("@{}", word(&league["boss"])));
    let (count, file) = (matches.to_string(), run.display().to_string());
    let edition = word(&league["edition"]);
    let words = ["duel", game, "-l", &rules, "--edition", edition, "-b", &kit, "-b", &boss];
    shell::read(agon, &[&words[..], &["-n", &count, "--clock", "cpu", "--json", "--run", &file]].concat())?;
    let lines = read(run)?;
    let played = lines.lines().skip(1).map(parse).collect::<Result<Vec<Value>, _>>()?;
    let won = played.iter().filter(|line| {
        let own = usize::from(line["seats"][0] != 0);
        seat.is_none_or(|seat| seat == own as u64)
            && line["ranks"][own].as_u64() < line["ranks"][1 - own].as_u64()
    });
    Ok(won.count())
}

fn kits(home: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = home.join("kits");
    let mut kits: Vec<PathBuf> = fs::read_dir(&folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .map_err(|error| format!("{}: {error}", folder.display()))?;
    kits.sort();
    Ok(kits)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
