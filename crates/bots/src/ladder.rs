//! An entry of the ladder of a game.

use game::Selected;

use crate::mind::Mind;

/// A bot that comes with Agon.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// Its name: `boss-1` and so on for the bosses of the leagues, `bronze`, `silver`, `gold`, `legend`, `champion`.
    pub name: &'static str,
    /// The name that people see, the same in all languages.
    pub title: &'static str,
    /// What its character says about itself, in English and in French.
    pub motto: [&'static str; 2],
    /// How it plays, in one sentence.
    pub about: &'static str,
    /// The league whose boss it is; `None` for bots above the leagues, which play by the full rules.
    pub league: Option<u8>,
    /// Makes the bot for one match.
    pub sit: fn(&Seating) -> Box<dyn Mind>,
}

/// What a bot knows before it reads the first line.
#[derive(Clone, Copy, Debug)]
pub struct Seating {
    /// The rules.
    pub selected: Selected,
    /// The seed of bots that use random numbers.
    pub seed: u64,
}
