//! The API against a real server on a free port.

mod described;
mod human_games;
mod reads;
