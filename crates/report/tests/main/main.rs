//! Reports of run files that are made here: what they must say, and that nothing in them can do harm.

// Tests may assume.
#![allow(clippy::unwrap_used)]

mod contents;
mod damage;
mod html;
mod runs;
