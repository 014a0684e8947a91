//! Hostile texts: texts of bots and people are sent back unchanged, in an answer that no browser takes for a page.
//! The browser tests of the site show the same texts on its pages.

use serde_json::json;

use super::entry::admin;
use crate::common::inert::{assert_inert, assert_policy, corpus};
use crate::common::site;

#[test]
fn hostile_texts_are_refused_as_names_and_never_become_markup() {
    let site = site();
    let ada = site.player("ada");
    let boss = admin(&site);
    for text in corpus() {
        let refused =
            site.visitor().post("/signup", &json!({"name": text, "password": "correct horse battery"}));
        assert!(refused.status >= 400, "{text}");
        assert_inert(&refused, &text);
        // Texts are sent back unchanged, or are refused; as JSON in any case.
        let name: String = text.chars().take(60).collect();
        let made = ada.post("/me/tokens", &json!({"name": name, "scopes": ["read"]}));
        assert_inert(&made, &text);
        if made.status == 200 {
            let id = made.json["info"]["id"].as_i64().unwrap();
            let listed = ada.get("/me/tokens");
            assert_inert(&listed, &text);
            assert!(
                listed.json.as_array().unwrap().iter().any(|token| token["name"] == name.trim()),
                "{text}"
            );
            ada.delete(&format!("/me/tokens/{id}")).ok();
        }
        let said = boss.post("/admin/announcements", &json!({"en": text, "fr": text}));
        assert_inert(&said, &text);
        let told = site.visitor().get("/site");
        assert_inert(&told, &text);
        // One of the texts contains a NUL, which is refused in any text.
        assert_eq!(said.status, if text.contains('\0') { 400 } else { 200 }, "{text}");
        if said.status == 200 {
            boss.delete(&format!("/admin/announcements/{}", said.json["id"])).ok();
        }
        for path in [
            "/users/",
            "/contests/",
            "/games/",
            "/matches?game=",
            "/boards/arena/hypersonic?search=",
            "/boards/arena/",
        ] {
            let escaped: String = text.bytes().map(|byte| format!("%{byte:02x}")).collect();
            let answer = site.visitor().get(&format!("{path}{escaped}"));
            assert!(answer.status < 500, "{path}{text}");
            assert_inert(&answer, &text);
        }
    }
}

#[test]
fn pages_and_files_have_the_security_headers() {
    let site = site();
    for path in [
        "!/",
        "!/login",
        "!/games/x",
        "!/llms.txt",
        "!/healthz",
        "!/assets/none.js",
        "/openapi.json",
        "/nothing",
        "/games/hypersonic/statement",
    ] {
        let answer = site.visitor().get(path);
        assert_policy(&answer, path);
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(answer.header("x-frame-options"), Some("DENY"), "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), None, "{path}");
    }
    // The page itself contains no inline script: the policy would refuse it.
    let page = site.visitor().get("!/").text;
    for script in page.split("<script").skip(1) {
        let tag = script.split('>').next().unwrap();
        assert!(tag.contains("src="), "an inline script: <script{tag}>");
    }
    assert!(!page.contains("<style") && !page.contains(" style=") && !page.contains("javascript:"), "{page}");
    assert!(!page.contains(" onload=") && !page.contains(" onerror="), "{page}");
}
