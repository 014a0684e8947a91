//! Which bots there are.

use game::Selected;

use crate::mind::Mind;
use crate::{back_track, hypersonic, ocean_of_code};

/// A bot that comes with Agon.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// Its name: `boss-1` and so on for the bosses of the leagues, `bronze`, `silver`, `gold`, `legend`, `champion`.
    pub name: &'static str,
    /// How it plays, in one sentence.
    pub about: &'static str,
    /// The league whose boss it is; `None` for those above the leagues, which play by the full rules.
    pub league: Option<u8>,
    /// Seats it at a table.
    pub sit: fn(&Seating) -> Box<dyn Mind>,
}

/// What a bot knows before it reads a line.
#[derive(Clone, Copy, Debug)]
pub struct Seating {
    /// The rules.
    pub selected: Selected,
    /// For bots that leave something to chance.
    pub seed: u64,
}

/// The ladder of a game, weakest first; empty for a game that does not exist.
pub fn all(game: &str) -> &'static [BuiltIn] {
    match game {
        "back-track" => back_track::LADDER,
        "hypersonic" => hypersonic::LADDER,
        "ocean-of-code" => ocean_of_code::LADDER,
        _ => &[],
    }
}

/// The bot of this name.
pub fn find(game: &str, name: &str) -> Option<&'static BuiltIn> {
    all(game).iter().find(|bot| bot.name == name)
}

/// The boss of a league.
pub fn boss(game: &str, league: u8) -> Option<&'static BuiltIn> {
    all(game).iter().find(|bot| bot.league == Some(league))
}
