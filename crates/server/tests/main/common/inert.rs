//! Hostile texts, and answers that no browser takes for a page.

use super::Answer;

/// Fifty texts; the browser tests read the same file.
pub fn corpus() -> Vec<String> {
    let texts: Vec<String> =
        serde_json::from_str(include_str!("../../../../../web/tests/site/xss-corpus.json")).unwrap();
    assert_eq!(texts.len(), 50);
    texts
}

/// Asserts that no browser takes the answer for a page or runs a part of it.
pub fn assert_inert(answer: &Answer, what: &str) {
    assert_eq!(answer.header("content-type"), Some("application/json"), "{what}");
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{what}");
    assert_policy(answer, what);
}

pub fn assert_policy(answer: &Answer, what: &str) {
    let policy = answer.header("content-security-policy").unwrap_or_else(|| panic!("{what}: no policy"));
    assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{what}: {policy}");
    assert!(
        !policy.contains("unsafe")
            && policy.contains("frame-ancestors 'none'")
            && policy.contains("base-uri 'none'")
    );
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"), "{what}");
}
