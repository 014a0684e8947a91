//! Programs in real sandboxes, at every level. A level that this host does not reach is skipped, or fails the test in strict
//! mode.

// Tests may unwrap, and print measurements.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod frames;
mod hidden;
mod languages;
mod life;
mod limits;
mod support;
mod walls;
