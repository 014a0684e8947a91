//! The site: HTTP API, live events, accounts, pages.
//!
//! [`Server::start`] opens the store, starts the service that plays the matches, and serves. `api` holds the routes
//! for everybody, `accounts` those of accounts, `admin` those of the organiser; `guard` checks every request before
//! them. The bodies are in [`wire`]; errors are an [`ApiError`].

pub mod accounts;
pub mod admin;
pub mod api;
mod app;
pub mod config;
pub mod contests;
mod error;
pub mod extract;
pub mod guard;
mod server;
pub mod wire;

pub use ::contest::now_ms;
pub use api::described;
pub use app::{App, Inner};
pub use config::Config;
pub use error::ApiError;
pub use server::{Server, StartError, own_data_folder};
