//! Tests of the game from the outside.

mod battery;
mod letter;
mod round;
mod table;
