//! The API against a real server on a free port.

mod contests;
mod described;
mod human_games;
mod mcp;
mod reads;
