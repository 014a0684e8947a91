//! `agon map`

use std::io::IsTerminal as _;

use game::Seat;
use serde_json::{Map, Value};

use crate::Failure;
use crate::args::MapArgs;
use crate::output::{print, print_json};

pub(crate) fn run(args: &MapArgs) -> Result<(), Failure> {
    let (game, selected) = args.game.resolve()?;
    if args.player >= selected.players {
        let seats: Vec<String> = (0..selected.players).map(|seat| seat.to_string()).collect();
        return Err(Failure::Unusable(format!(
            "there is no player {}; choose one of: {} (or more `--players`)",
            args.player,
            seats.join(", ")
        )));
    }
    let play = game.start(selected, args.seed);
    if args.pretty {
        return print(&play.picture(colours_wanted()));
    }
    if args.json {
        let mut line = Map::new();
        line.insert("game".into(), game.info().name.into());
        line.insert("seed".into(), args.seed.to_string().into());
        line.insert("agon".into(), catalog::record::VERSION.into());
        line.insert("rules".into(), play.rules());
        line.extend(play.map_record());
        return print_json(&Value::Object(line));
    }
    print(&play.map_lines(Seat(args.player)))
}

/// Whether to print colours: on a terminal, or as the variables `CLICOLOR_FORCE` and `NO_COLOR` demand.
pub(crate) fn colours_wanted() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
    if set("NO_COLOR") {
        return false;
    }
    set("CLICOLOR_FORCE") || std::io::stdout().is_terminal()
}
