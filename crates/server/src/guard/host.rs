//! Checks the name under which a client reaches the site. A page of another site can make a browser send requests to
//! this machine under a name of its own (DNS rebinding), and the browser then takes both for one site. Names of this
//! machine, addresses in digits and the names in the settings cannot be given away like that.

use std::net::IpAddr;

use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderValue, StatusCode, header};

use crate::{ApiError, Config};

/// Checks the host that a request names. With `public_url` nothing is checked here: changes need that origin, and
/// cookies belong to it. A request without a host does not come from a browser.
pub(crate) fn check(parts: &Parts, config: &Config) -> Result<(), ApiError> {
    if config.public_url.is_some() {
        return Ok(());
    }
    let named = parts.headers.get_all(header::HOST).iter().map(HeaderValue::as_bytes);
    for host in named.chain(parts.uri.authority().map(|host| host.as_str().as_bytes())) {
        if !is_known(host, &config.hosts) {
            return Err(ApiError::new(
                StatusCode::MISDIRECTED_REQUEST,
                "host",
                "this site is not known under the name in the header `Host`",
                "the organiser sets `public_url` to the address that visitors type, or adds the name to `hosts`",
            ));
        }
    }
    Ok(())
}

fn is_known(host: &[u8], hosts: &[String]) -> bool {
    // A host has no name of a user.
    let Some(host) = Authority::try_from(host).ok().filter(|host| !host.as_str().contains('@')) else {
        return false;
    };
    let host = host.host().to_ascii_lowercase();
    let digits = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(&host);
    let name = host.strip_suffix('.').unwrap_or(&host);
    digits.parse::<IpAddr>().is_ok()
        || name == "localhost"
        || name.ends_with(".localhost")
        || hosts.iter().any(|known| known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_cannot_be_rebound_are_accepted() {
        let known = |host: &str| is_known(host.as_bytes(), &["arena.lan".to_owned()]);
        for good in [
            "localhost",
            "LocalHost:8080",
            "a.localhost",
            "127.0.0.1:8080",
            "[::1]:8080",
            "192.168.1.5",
            "Arena.lan:80",
        ] {
            assert!(known(good), "{good}");
        }
        for bad in [
            "evil.example",
            "evil.example:8080",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "evilarena.lan",
            "arena.lan.evil.example",
            "evil.example@localhost:x",
            "",
            "a b",
        ] {
            assert!(!known(bad), "{bad}");
        }
    }
}
