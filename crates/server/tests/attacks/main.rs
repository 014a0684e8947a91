//! The site under attack: what strangers on the network, players and their programs try, and must not get. Each test starts a
//! whole site on a free port and speaks to it over the network.

#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "these are tests"
)]

#[path = "../common/mod.rs"]
mod common;

mod entry;
mod forged;
mod large;
mod leaks;
mod listening;
mod logs;
mod mails;
mod organiser;
mod paths;
mod protocol;
mod raw;
mod texts;
