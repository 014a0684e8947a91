//! Programs in real boxes, at every level this host reaches. What it does not reach is skipped, and said.

// Tests may assume, and say what they skip.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod hidden;
mod languages;
mod life;
mod limits;
mod support;
mod walls;
