//! Everything that the built-in bots of all games share.
//!
//! A bot is a [`Mind`]: it reads the lines that every bot is sent and returns the line that every bot answers. So it plays in memory
//! and as a program ([`serve`]) with the same code. A mind knows the rules of the match and the lines that it has read, nothing else.
//! [`Thinking`] and [`Budget`] limit its time. The ladder of a game is a table of [`BuiltIn`]s in the game's own `bots` crate;
//! a second table holds the levels of its champion ([`Handicap`]).

mod budget;
mod facts;
mod handicap;
mod ladder;
mod mind;
mod network;

pub use budget::{Budget, Thinking};
pub use facts::FactNetwork;
pub use handicap::Handicap;
pub use ladder::{BuiltIn, Seating};
pub use mind::{Lines, Lost, Mind, serve};
pub use network::{Judgement, Layers, Network, NotANetwork};
