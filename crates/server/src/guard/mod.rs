//! What stands before every request: limits, where changes may come from, headers of every answer.

use std::net::IpAddr;

use axum::Router;
use axum::http::request::Parts;

use crate::{App, extract};

/// Puts the guard before all routes.
pub fn layer(router: Router, _app: &App) -> Router {
    router
}

/// The address somebody asks from.
pub fn address(_app: &App, parts: &Parts) -> IpAddr {
    extract::peer(parts)
}
