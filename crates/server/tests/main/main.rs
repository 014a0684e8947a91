//! The API and the site under attack, against real servers on free ports.

// Tests may unwrap, print their progress, and format requests in the short way.
#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::format_collect,
    clippy::format_push_string
)]

mod api;
mod attacks;
mod common;
