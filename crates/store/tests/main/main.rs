//! The same tests for both databases.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests")]

mod boards;
mod builds;
mod drafts;
mod find;
mod home;
mod keep;
mod leagues;
mod matches;
mod old;
mod people;
mod setup;
mod teams;
mod turns;
