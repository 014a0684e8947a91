//! The site: HTTP API, live events, accounts, pages.
//!
//! [`Server::start`] opens the store, starts the hall that plays the matches, and serves. `api` answers what everybody asks,
//! `accounts` knows who asks, `admin` is for the organiser, `guard` stands before all of them. What goes over the wire is in
//! [`wire`], what can go wrong is a [`Problem`].

pub mod accounts;
pub mod admin;
pub mod api;
mod app;
pub mod book;
mod clock;
pub mod config;
pub mod extract;
pub mod guard;
mod problem;
mod server;
pub mod wire;

pub use api::described;
pub use app::{App, Inner};
pub use clock::now_ms;
pub use config::Config;
pub use problem::Problem;
pub use server::Server;
