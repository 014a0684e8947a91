//! The security headers of every answer: nothing is loaded from other sites, no inline scripts, no guessing of types,
//! no frames.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// The content security policy: a page may load only files of this site. Inline scripts and `eval` are forbidden, so
/// injected markup cannot run. The pages themselves draw `data:` pictures.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
    connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

/// Marks an answer that other sites may show: the page of an embedded match, which alone may be framed, and pictures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shared;

/// Sets the headers of an answer; `shared` if it has the mark [`Shared`]. Caching is forbidden unless the handler allows it: most answers depend on the
/// client.
pub(crate) fn put(headers: &mut HeaderMap, secure: bool, shared: bool) {
    let fixed: [(HeaderName, &'static str); 6] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if shared {
        let policy = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *");
        if let Ok(policy) = HeaderValue::from_str(&policy) {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        headers.remove(header::X_FRAME_OPTIONS);
        headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
    }
    headers
        .insert("permissions-policy", HeaderValue::from_static("camera=(), geolocation=(), microphone=()"));
    if secure {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_policy_allows_no_inline_code() {
        assert!(!POLICY.contains("unsafe") && !POLICY.contains('*') && !POLICY.contains("http"));
        let script = POLICY.split(';').find(|part| part.trim().starts_with("script-src")).unwrap();
        assert_eq!(script.trim(), "script-src 'self'");
    }

    #[test]
    fn a_handler_may_allow_caching() {
        let mut headers = HeaderMap::new();
        headers
            .insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
        put(&mut headers, true, false);
        assert_eq!(headers[header::CACHE_CONTROL], "public, max-age=31536000, immutable");
        assert!(headers.contains_key(header::STRICT_TRANSPORT_SECURITY));
        let mut plain = HeaderMap::new();
        put(&mut plain, false, false);
        assert_eq!(plain[header::CACHE_CONTROL], "no-store");
        assert!(!plain.contains_key(header::STRICT_TRANSPORT_SECURITY));
    }

    #[test]
    fn only_shared_answers_may_be_framed() {
        let (mut usual, mut shared) = (HeaderMap::new(), HeaderMap::new());
        put(&mut usual, false, false);
        put(&mut shared, false, true);
        let policy =
            |headers: &HeaderMap| headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
        assert!(
            policy(&usual).contains("frame-ancestors 'none'") && usual.contains_key(header::X_FRAME_OPTIONS)
        );
        assert!(
            policy(&shared).contains("frame-ancestors *") && !shared.contains_key(header::X_FRAME_OPTIONS)
        );
        assert_eq!(policy(&usual).replace("'none'; object", "*; object"), policy(&shared));
    }
}
