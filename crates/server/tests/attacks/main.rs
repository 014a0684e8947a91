//! The site under attack: what strangers on the network, players and their programs try, and must not get. Each test starts a
//! whole site on a free port and speaks to it over the network.

// Tests may assume, say what they do, and write requests the short way.
#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::format_collect,
    clippy::format_push_string
)]

#[path = "../common/mod.rs"]
mod common;

mod entry;
mod forged;
mod large;
mod listening;
mod logs;
mod mails;
mod organiser;
mod paths;
mod protocol;
mod texts;
