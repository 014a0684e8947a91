//! Every game behind one object-safe interface, and what is done with any game alike: reading, writing and verifying match
//! records and traces, and random play in memory.
//!
//! - [`games`] and [`find`] give the games; [`AnyGame`] is the interface, [`AnyMatch`] a match of any game.
//! - [`record`] is the form of a match or a map as a line of JSON, [`mod@file`] writes files of them, [`verify`] replays and compares.
//! - [`replay`] makes records of replays of the contest site, and checks them.
//! - [`simulate`] plays random legal games as fast as the engine allows, [`built_in`] plays built-in bots in memory,
//!   [`Steps`] plays a match with known orders again.

mod any;
pub mod batch;
pub mod built_in;
mod entry;

pub mod file;
pub mod record;
mod registry;
pub mod replay;
mod show;
pub mod simulate;
mod steps;
mod unknown_bot;
pub mod verify;

pub use any::{AnyGame, AnyMatch, SetUpError};
pub use registry::{UnknownGame, find, games};
pub use show::{AnyShow, Happened};
pub use steps::Steps;
pub use unknown_bot::UnknownBot;
