//! Tests of the game from the outside.

mod battery;
mod letter;
mod round;
mod table;
#[cfg(feature = "ts")]
mod types;
