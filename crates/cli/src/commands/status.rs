//! `agon status`

use std::fmt::Write as _;

use clap::Args;
use serde_json::Value;
use server::wire::{BotCard, GameInfo, Site};

use crate::Failure;
use crate::commands::play::clean;
use crate::output::{print, print_json};
use crate::remote::{Remote, RemoteArgs};

#[derive(Args, Debug)]
pub(crate) struct StatusArgs {
    /// Only this game
    game: Option<String>,
    #[command(flatten)]
    remote: RemoteArgs,
}

pub(crate) fn run(args: &StatusArgs) -> Result<(), Failure> {
    let remote = Remote::open(&args.remote)?;
    let mut answer = remote.get("/me/bots")?;
    if let (Some(game), Value::Array(bots)) = (&args.game, &mut answer) {
        bots.retain(|bot| bot["game"] == game.as_str());
    }
    if args.remote.json {
        return print_json(&answer);
    }
    let bots: Vec<BotCard> = remote.known(&answer, "your bots")?;
    if bots.is_empty() {
        return print("you have no bot there yet: agon submit GAME FILE\n");
    }
    let site = remote.get("/site")?;
    let site: Site = remote.known(&site, "the games")?;
    let mut text = String::new();
    for bot in &bots {
        write_bot(&mut text, bot, &site)?;
    }
    print(&text)
}

/// The name of the league of a bot.
pub(crate) fn league_name(games: &[GameInfo], bot: &BotCard) -> String {
    league_of_tier(games, &bot.game, bot.tier)
}

fn league_of_tier(games: &[GameInfo], game: &str, tier: i64) -> String {
    let game = games.iter().find(|info| info.name == game);
    let league = game.and_then(|info| info.leagues.iter().find(|league| league.tier == tier));
    league.map_or_else(|| format!("tier {tier}"), |league| clean(&league.name.en))
}

/// The kind of a ladder in words.
pub(crate) fn kind_of(kind: &str) -> &str {
    match kind {
        "trial" => "boss fights",
        "ladder" => "ladder",
        "final" => "final",
        other => other,
    }
}

fn write_bot(text: &mut String, bot: &BotCard, site: &Site) -> Result<(), Failure> {
    let league = league_name(&site.games, bot);
    let place = if bot.contest == "arena" { String::new() } else { format!(" ({})", clean(&bot.contest)) };
    write!(text, "{}{place}: {league}, ", clean(&bot.game))?;
    match &bot.active {
        Some(version) => writeln!(text, "version {} plays", version.number)?,
        None => writeln!(text, "no version plays: submit one for this league")?,
    }
    if let Some(why) = &bot.paused {
        writeln!(text, "  paused: {}", clean(why))?;
    }
    for standing in &bot.standings {
        let league = league_of_tier(&site.games, &bot.game, standing.tier);
        write!(text, "  {league}, {}, {} players: ", clean(kind_of(&standing.kind)), standing.players)?;
        // The best of five is not rated.
        if standing.kind != "trial" {
            if let Some(place) = standing.place {
                write!(text, "place {place}, ")?;
            }
            write!(text, "rating {:.1} ± {:.1}; ", standing.tally.rating, 2.0 * standing.tally.uncertainty)?;
        }
        let [games, wins, draws, losses, failures] = [
            standing.tally.games,
            standing.tally.wins,
            standing.tally.draws,
            standing.tally.losses,
            standing.tally.failures,
        ];
        writeln!(text, "{games} games: {wins} won, {draws} drawn, {losses} lost ({failures} by a failure)")?;
    }
    Ok(())
}
