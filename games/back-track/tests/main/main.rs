//! Tests of the game as others see it.

mod cases;
