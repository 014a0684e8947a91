//! Hostile texts: what bots and people write comes out as the text it is, in an answer no browser takes for a page. The browser
//! tests of the site show the same texts on its pages.

use serde_json::{Value, json};

use crate::common::{Answer, site, site_with};
use crate::entry::admin;

/// Fifty texts; the browser tests read the same file.
fn corpus() -> Vec<String> {
    let texts: Vec<String> =
        serde_json::from_str(include_str!("../../../../web/tests/site/xss-corpus.json")).unwrap();
    assert_eq!(texts.len(), 50);
    texts
}

/// An answer that no browser takes for a page, or runs anything of.
fn assert_inert(answer: &Answer, what: &str) {
    assert_eq!(answer.header("content-type"), Some("application/json"), "{what}");
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{what}");
    assert_policy(answer, what);
}

fn assert_policy(answer: &Answer, what: &str) {
    let policy = answer.header("content-security-policy").unwrap_or_else(|| panic!("{what}: no policy"));
    assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{what}: {policy}");
    assert!(
        !policy.contains("unsafe")
            && policy.contains("frame-ancestors 'none'")
            && policy.contains("base-uri 'none'")
    );
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"), "{what}");
}

#[test]
fn no_text_becomes_a_name_and_none_becomes_markup() {
    let site = site();
    let ada = site.player("ada");
    let boss = admin(&site);
    for text in corpus() {
        let refused =
            site.visitor().post("/signup", &json!({"name": text, "password": "correct horse battery"}));
        assert!(refused.status >= 400, "{text}");
        assert_inert(&refused, &text);
        // Texts that come back come back as they are, or are refused; as JSON in any case.
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
        // One of the texts holds a NUL, which no text may.
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
fn pages_and_files_carry_the_policy_too() {
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
    // The page itself has no script in its text: the policy would refuse it.
    let page = site.visitor().get("!/").text;
    for script in page.split("<script").skip(1) {
        let tag = script.split('>').next().unwrap();
        assert!(tag.contains("src="), "an inline script: <script{tag}>");
    }
    assert!(!page.contains("<style") && !page.contains(" style=") && !page.contains("javascript:"), "{page}");
    assert!(!page.contains(" onload=") && !page.contains(" onerror="), "{page}");
}

/// A bot that says hostile things on its error output, all of them at its first turn, and with every move.
fn hostile_bot() -> String {
    let texts = serde_json::to_string(&corpus()).unwrap();
    let program = "
import json, sys
texts = json.loads(TEXTS)
turn = 0
for text in texts:
    print(text, file=sys.stderr)
sys.stderr.flush()
input()
while True:
    for row in range(11):
        input()
    for i in range(int(input())):
        input()
    text = texts[turn % len(texts)]
    turn += 1
    print('MOVE 0 0 ' + text, flush=True)
";
    program.replace("TEXTS", &python(&texts))
}

/// A Python text: JSON's is one, but for what lies beyond ASCII and for slashes that Python would read once more.
fn python(text: &str) -> String {
    let mut quoted = String::from("'");
    for c in text.chars() {
        match c {
            '\'' | '\\' => quoted.extend(['\\', c]),
            c if c.is_ascii_graphic() || c == ' ' => quoted.push(c),
            c => quoted += &format!("\\U{:08x}", u32::from(c)),
        }
    }
    quoted + "'"
}

#[test]
fn what_a_bot_says_stays_text() {
    let site = site_with(&[("workers", "1"), ("idle_every", "0")]);
    let ada = site.player("ada");
    let body =
        json!({"game": "hypersonic", "language": "Python", "source": hostile_bot(), "activate": false});
    let version = ada.post("/submissions", &body).ok()["id"].as_i64().unwrap();
    let page = ada.until(&format!("/versions/{version}"), |page| {
        assert_ne!(page["version"]["state"], "failed", "{page}");
        page["tests"].as_array().is_some_and(|tests| tests.iter().any(|test| test["state"] == "done"))
    });
    let id = page["tests"][0]["id"].as_i64().unwrap();
    let story = ada.get(&format!("/matches/{id}/story"));
    assert_inert(&story, "story");
    let mut heard = Vec::new();
    collect(&story.json, &mut heard);
    let heard = heard.join("\n");
    // As they were said, but for characters that would turn the text around them.
    for text in corpus().iter().filter(|text| text.chars().all(|c| c.is_ascii_graphic() || c == ' ')) {
        assert!(heard.contains(text), "{text} is missing in {heard}");
    }
    assert!(heard.contains("MOVE 0 0 <script>window.__xss=1</script>"), "{heard}");
    assert!(!heard.contains(['\u{202e}', '\u{2066}', '\0']), "{heard}");
    for path in [format!("/matches/{id}"), format!("/matches/{id}/record"), format!("/versions/{version}")] {
        assert_inert(&ada.get(&path), &path);
    }
}

/// All texts of an answer.
fn collect(value: &Value, heard: &mut Vec<String>) {
    match value {
        Value::String(text) => heard.push(text.clone()),
        Value::Array(all) => all.iter().for_each(|value| collect(value, heard)),
        Value::Object(all) => all.values().for_each(|value| collect(value, heard)),
        _ => {}
    }
}
