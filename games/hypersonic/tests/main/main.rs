//! Tests of the game from the outside.

mod battery;
mod letter;
mod round;
mod test_game;
#[cfg(feature = "ts")]
mod types;
