//! The site under attack: requests of strangers, players and their programs that must not succeed. Each test starts a
//! whole site on a free port and talks to it over the network.

pub mod entry;
mod forged;
mod large;
mod listening;
mod logs;
mod mails;
mod organiser;
mod paths;
mod protocol;
mod texts;
