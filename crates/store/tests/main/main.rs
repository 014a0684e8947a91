//! One battery of tests for both databases.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests")]

mod home;
mod leagues;
mod matches;
mod people;
mod setup;
