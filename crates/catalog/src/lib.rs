//! Every game behind one object-safe face, and what is done with any game alike: reading, writing and verifying match
//! records and traces, and random play in memory.
//!
//! - [`games`] and [`find`] give the games; [`AnyGame`] is the face, [`AnyMatch`] a match of whatever game.
//! - [`record`] is the form of a match or a map as a line of JSON, [`mod@file`] writes files of them, [`verify`] replays and compares.
//! - [`replay`] makes records of replays of the contest site, and checks them.
//! - [`simulate`] plays random legal games as fast as the engine allows.

mod entry;
mod face;
pub mod file;
pub mod record;
pub mod replay;
mod show;
pub mod simulate;
pub mod verify;

pub use face::{AnyGame, AnyMatch, SetUpError};
pub use show::{AnyShow, Happened};

use entry::Entry;

/// Every game, in the order of the alphabet.
pub fn games() -> [&'static dyn AnyGame; 3] {
    const {
        [
            &Entry::<back_track::BackTrack>::NEW,
            &Entry::<hypersonic::Hypersonic>::NEW,
            &Entry::<ocean_of_code::OceanOfCode>::NEW,
        ]
    }
}

/// The game of this name.
///
/// # Errors
///
/// When there is no such game; the message lists those there are.
pub fn find(name: &str) -> Result<&'static dyn AnyGame, String> {
    games().into_iter().find(|game| game.info().name == name).ok_or_else(|| {
        let names = games().map(|game| game.info().name).join(", ");
        format!("there is no game {}; choose one of: {names}", game::quote(name.as_bytes()))
    })
}
