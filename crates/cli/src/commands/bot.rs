//! `agon bot`

use std::fmt::Write as _;
use std::io;

use bots::{BuiltIn, Seating, Thinking};
use catalog::{AnyGame, UnknownBot};
use clap::Args;
use serde_json::json;

use crate::Failure;
use crate::args::GameArgs;
use crate::output::{print, print_json};

#[derive(Args, Debug)]
pub(crate) struct BotArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Which one [default: list those there are]
    name: Option<String>,
    /// For bots that leave something to chance
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Search this number of nodes for each answer instead of thinking as long as the rules allow: the same moves on
    /// every machine
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Print JSON
    #[arg(long, conflicts_with = "name")]
    json: bool,
}

pub(crate) fn run(args: &BotArgs) -> Result<(), Failure> {
    let (game, selected) = args.game.resolve()?;
    let Some(name) = &args.name else {
        return if args.json { print_json(&as_json(game)) } else { print(&as_text(game)?) };
    };
    let bot =
        game.bot(name).ok_or_else(|| Failure::Unusable(UnknownBot::new(name, [game], []).to_string()))?;
    let mut mind = (bot.sit)(&Seating { selected, seed: args.seed });
    let thinking = args.nodes.map_or_else(|| Thinking::within(game.limits(selected)), Thinking::Nodes);
    bots::serve(&mut *mind, thinking, &mut io::stdin().lock(), &mut io::stdout().lock())?;
    Ok(())
}

fn as_text(game: &dyn AnyGame) -> Result<String, Failure> {
    let mut text = String::new();
    for bot in game.ladder() {
        writeln!(text, "@{:<10} {}", bot.name, bot.about)?;
    }
    if let [first, .., last] = game.levels() {
        writeln!(text, "@{} to @{}: the champion with a handicap, weakest first", first.name, last.name)?;
    }
    Ok(text)
}

fn as_json(game: &dyn AnyGame) -> serde_json::Value {
    let rung = |bot: &BuiltIn| {
        let is_level = |level: &&BuiltIn| level.name.split(':').next() == Some(bot.name);
        let levels: Vec<&str> = game.levels().iter().filter(is_level).map(|level| level.name).collect();
        json!({"name": bot.name, "about": bot.about, "league": bot.league, "levels": levels})
    };
    game.ladder().iter().map(rung).collect()
}
