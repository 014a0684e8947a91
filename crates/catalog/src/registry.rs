//! The registry: the one list of games.

use crate::AnyGame;
use crate::entry::Entry;

/// Every game in alphabetical order. A game is one line here and its two crates in `Cargo.toml`.
static GAMES: &[&dyn AnyGame] = &[
    &Entry::<back_track::BackTrack>::new(back_track_bots::LADDER).levels(back_track_bots::LEVELS),
    &Entry::<hypersonic::Hypersonic>::new(hypersonic_bots::LADDER).levels(hypersonic_bots::LEVELS),
    &Entry::<ocean_of_code::OceanOfCode>::new(ocean_of_code_bots::LADDER).levels(ocean_of_code_bots::LEVELS),
];

/// Every game in alphabetical order.
pub fn games() -> impl ExactSizeIterator<Item = &'static dyn AnyGame> + Clone {
    GAMES.iter().copied()
}

/// A name that no game has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no game {}; choose one of: {}", game::quote(.0.as_bytes()), names().join(", "))]
pub struct UnknownGame(pub String);

/// The game of this name.
///
/// # Errors
///
/// When there is no such game; the message lists the games.
pub fn find(name: &str) -> Result<&'static dyn AnyGame, UnknownGame> {
    games().find(|game| game.info().name == name).ok_or_else(|| UnknownGame(name.to_owned()))
}

fn names() -> Vec<&'static str> {
    games().map(|game| game.info().name).collect()
}
