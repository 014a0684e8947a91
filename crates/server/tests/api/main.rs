//! The API against a real server on a free port.

#[path = "../common/mod.rs"]
mod common;

mod described;
mod human_games;
mod reads;
