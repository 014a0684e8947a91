//! The built-in bots: for each game a boss for every league, bosses for bronze to legend on the full rules, and a champion.
//!
//! A bot is a [`Mind`]: it reads the lines any bot is sent and gives the line any bot answers. So it plays in memory
//! ([`play`]) and as a program ([`serve`]) by the same code. A mind knows the rules it was seated under, what it read, and
//! nothing else. Each ladder is a table in the module of its game.

mod back_track;
mod budget;
mod hypersonic;
mod ladder;
mod mind;
mod ocean_of_code;
mod play;

pub use budget::{Budget, Thinking};
pub use ladder::{BuiltIn, Seating, all, boss, find};
pub use mind::{Lines, Lost, Mind, serve};
pub use play::{Played, play};
