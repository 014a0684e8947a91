//! Checks the origin of changes. A browser sends the cookie with the requests of any page, so a cookie alone proves
//! nothing: the request must also come from a page of this site (`Origin`) and carry a token that only these pages
//! can read.

use axum::http::{HeaderMap, Method, StatusCode, header};
use subtle::ConstantTimeEq as _;

use crate::ApiError;
use crate::accounts::secret;
use crate::config::PublicUrl;

/// The header that carries the token.
pub const HEADER: &str = "x-agon-csrf";

/// Whether requests of this method may change something.
pub fn is_change(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// The token that belongs to a session. It is computed from the secret of the cookie, so it ends with the session and
/// is not stored. The secret cannot be computed from it.
pub fn token(session: &str) -> String {
    secret::digest(&format!("agon csrf {session}"))
}

/// Checks a change of a client that is signed in by a cookie.
pub(crate) fn check_session(
    headers: &HeaderMap,
    session: &str,
    public: Option<&PublicUrl>,
) -> Result<(), ApiError> {
    if origin(headers, public) != Origin::Ours {
        return Err(foreign());
    }
    let given = headers.get(HEADER).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !bool::from(given.as_bytes().ct_eq(token(session).as_bytes())) {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "csrf",
            format!("the header `{HEADER}` is missing or old"),
            "send what GET /api/v1/me gives as `csrf`; in a browser, load the page again",
        ));
    }
    Ok(())
}

/// Checks a change of a client that is not signed in (logging in, signing up). Pages of other sites must not make a
/// browser send it; programs, which send no origin, may.
pub(crate) fn check_anonymous(headers: &HeaderMap, public: Option<&PublicUrl>) -> Result<(), ApiError> {
    match origin(headers, public) {
        Origin::Ours => Ok(()),
        // Forms cannot send JSON, and a script of another site sends its origin.
        Origin::Missing if is_json(headers) => Ok(()),
        Origin::Foreign | Origin::Missing => Err(foreign()),
    }
}

/// Checks a listener: scripts of other sites may not listen.
pub(crate) fn check_listener(headers: &HeaderMap, public: Option<&PublicUrl>) -> Result<(), ApiError> {
    if origin(headers, public) == Origin::Foreign { Err(foreign()) } else { Ok(()) }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

fn foreign() -> ApiError {
    ApiError::new(
        StatusCode::FORBIDDEN,
        "origin",
        "this is for pages of this site only",
        "programs use a token: `Authorization: Bearer agon_...`; behind a proxy, public_url must be the address people type",
    )
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    Ours,
    Foreign,
    Missing,
}

/// The origin of the page that sends the request. If the public address of the site is not set, a page belongs to the
/// site if it has the host and port that the request was sent to.
pub(crate) fn origin(headers: &HeaderMap, public: Option<&PublicUrl>) -> Origin {
    let mut given = headers.get_all(header::ORIGIN).iter();
    let (first, second) = (given.next(), given.next());
    let site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
    if second.is_some() || site.is_some_and(|site| site == "cross-site") {
        return Origin::Foreign;
    }
    let Some(first) = first else { return Origin::Missing };
    let Ok(origin) = first.to_str() else { return Origin::Foreign };
    let ours = match public {
        Some(public) => origin == public.origin,
        None => {
            let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
            origin.split_once("://").is_some_and(|(scheme, rest)| {
                matches!(scheme, "http" | "https") && !rest.is_empty() && rest.eq_ignore_ascii_case(host)
            })
        }
    };
    if ours { Origin::Ours } else { Origin::Foreign }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn only_our_own_origin_is_accepted() {
        let public = PublicUrl { origin: "https://arena.example.org".to_owned(), secure: true };
        let named = |origin: &str| {
            super::origin(&headers(&[("origin", origin), ("host", "evil.example")]), Some(&public))
        };
        assert_eq!(named("https://arena.example.org"), Origin::Ours);
        for foreign in [
            "http://arena.example.org",
            "https://arena.example.org.evil.example",
            "https://evil.example",
            "null",
            "",
        ] {
            assert_eq!(named(foreign), Origin::Foreign, "{foreign}");
        }
        let local = |pairs: &[(&'static str, &str)]| super::origin(&headers(pairs), None);
        assert_eq!(local(&[("origin", "http://127.0.0.1:8080"), ("host", "127.0.0.1:8080")]), Origin::Ours);
        assert_eq!(
            local(&[("origin", "http://127.0.0.1:8081"), ("host", "127.0.0.1:8080")]),
            Origin::Foreign
        );
        assert_eq!(local(&[("origin", "http://"), ("host", "")]), Origin::Foreign);
        assert_eq!(local(&[("host", "127.0.0.1:8080")]), Origin::Missing);
        assert_eq!(local(&[("host", "a"), ("sec-fetch-site", "cross-site")]), Origin::Foreign);
        assert_eq!(local(&[("host", "a"), ("origin", "http://a"), ("origin", "http://b")]), Origin::Foreign);
    }

    #[test]
    fn a_session_needs_origin_and_token() {
        let good = token("secret");
        let check = |pairs: &[(&'static str, &str)]| {
            check_session(&headers(pairs), "secret", None).map_err(|problem| problem.code)
        };
        let (host, ours) = (("host", "a"), ("origin", "http://a"));
        assert_eq!(check(&[host, ours, (HEADER, &good)]), Ok(()));
        assert_eq!(check(&[host, ours]), Err("csrf"));
        assert_eq!(check(&[host, ours, (HEADER, &token("other"))]), Err("csrf"));
        assert_eq!(check(&[host, ours, (HEADER, "")]), Err("csrf"));
        assert_eq!(check(&[host, (HEADER, &good)]), Err("origin"));
        assert_eq!(check(&[host, ("origin", "http://b"), (HEADER, &good)]), Err("origin"));
    }

    #[test]
    fn programs_may_log_in_but_forms_of_other_sites_may_not() {
        let check = |pairs: &[(&'static str, &str)]| check_anonymous(&headers(pairs), None).is_ok();
        let host = ("host", "a");
        assert!(check(&[host, ("content-type", "application/json; charset=utf-8")]));
        assert!(check(&[host, ("origin", "http://a"), ("content-type", "application/json")]));
        assert!(!check(&[host, ("content-type", "application/x-www-form-urlencoded")]));
        assert!(!check(&[host, ("content-type", "text/plain")]));
        assert!(!check(&[host]));
        assert!(!check(&[host, ("origin", "http://b"), ("content-type", "application/json")]));
        assert!(!check(&[host, ("origin", "null"), ("content-type", "application/json")]));
    }
}
