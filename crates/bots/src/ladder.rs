//! A built-in bot as the ladder of its game lists it.

use game::Selected;

use crate::mind::Mind;

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
