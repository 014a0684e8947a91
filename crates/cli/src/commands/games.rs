//! `agon games`

use std::fmt::Write as _;

use game::{Limits, Selection};
use serde_json::{Value, json};

use crate::Failure;
use crate::args::GamesArgs;
use crate::output::{print, print_json};

pub(crate) fn run(args: &GamesArgs) -> Result<(), Failure> {
    if args.json {
        return print_json(&catalog::games().map(as_json).collect::<Vec<_>>());
    }
    let mut text = String::new();
    for game in catalog::games() {
        write_text(game, &mut text)?;
    }
    text.push_str("Next: `agon statement GAME` tells the rules, `agon map GAME --pretty` draws a map.\n");
    print(&text)
}

/// The time limits of the full game. They are the same in every league.
fn limits(game: &dyn catalog::AnyGame) -> Option<Limits> {
    Some(game.limits(game.select(&Selection::default()).ok()?))
}

fn as_json(game: &dyn catalog::AnyGame) -> Value {
    let info = game.info();
    let leagues: Vec<Value> = info
        .leagues
        .iter()
        .zip(1..)
        .map(|(league, level)| json!({"level": level, "name": league.name, "about": league.about}))
        .collect();
    let editions: Vec<Value> = info
        .editions
        .iter()
        .enumerate()
        .map(|(i, edition)| json!({"name": edition.name, "about": edition.about, "default": i == 0}))
        .collect();
    json!({
        "name": info.name,
        "title": info.title,
        "about": info.about,
        "min_players": info.min_players,
        "max_players": info.max_players,
        "simultaneous": info.simultaneous,
        "hidden": info.hidden,
        "default_league": info.leagues.len(),
        "leagues": leagues,
        "editions": editions,
        "limits": limits(game),
    })
}

fn write_text(game: &dyn catalog::AnyGame, text: &mut String) -> std::fmt::Result {
    let info = game.info();
    writeln!(text, "{} ({})", info.name, info.title)?;
    writeln!(text, "  {}", info.about)?;
    let players = match (info.min_players, info.max_players) {
        (min, max) if min == max => format!("{min}"),
        (min, max) => format!("{min} to {max}"),
    };
    let order = if info.simultaneous { "answering together" } else { "taking turns" };
    let sight = if info.hidden { "hidden information" } else { "everything in sight" };
    writeln!(text, "  players   {players}, {order}, {sight}")?;
    if let Some(limits) = limits(game) {
        writeln!(
            text,
            "  time      {} ms for the first answer, {} ms for each other",
            limits.first_turn_ms, limits.turn_ms
        )?;
    }
    for (i, league) in info.leagues.iter().enumerate() {
        let head = if i == 0 { "leagues" } else { "" };
        let default = if i + 1 == info.leagues.len() { " (default)" } else { "" };
        writeln!(text, "  {head:8}  {} {}: {}{default}", i + 1, league.name, league.about)?;
    }
    for (i, edition) in info.editions.iter().enumerate() {
        let head = if i == 0 { "editions" } else { "" };
        let default = if i == 0 { " (default)" } else { "" };
        writeln!(text, "  {head:8}  {}: {}{default}", edition.name, edition.about)?;
    }
    text.push('\n');
    Ok(())
}
