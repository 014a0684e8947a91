//! Tests of the game as others see it.

mod cases;
#[cfg(feature = "ts")]
mod types;
