//! The site: HTTP API, live events, accounts, pages.
//!
//! [`Server::start`] opens the store, starts the service that plays the matches, and serves. `api` answers what everybody asks,
//! `accounts` knows who asks, `admin` is for the organiser, `guard` stands before all of them. What goes over the wire is in
//! [`wire`], what can go wrong is a [`ApiError`].

pub mod accounts;
pub mod admin;
pub mod api;
mod app;
mod clock;
pub mod config;
pub mod contests;
mod error;
pub mod extract;
pub mod guard;
mod server;
pub mod wire;

pub use api::described;
pub use app::{App, Inner};
pub use clock::now_ms;
pub use config::Config;
pub use error::ApiError;
pub use server::Server;
