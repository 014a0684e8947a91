//! Texts of bots are sent back unchanged. The browser tests of the site show the same texts on its pages.

use serde_json::{Value, json};

use crate::common::inert::{assert_inert, corpus};
use crate::common::site_with;

/// A bot that writes hostile texts: all of them to its error output at its first turn, and some with every move.
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

/// A Python string literal: only printable ASCII characters are written as they are.
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

pub fn output_of_bots_is_shown_as_text() {
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
    let replay = ada.get(&format!("/matches/{id}/replay"));
    assert_inert(&replay, "replay");
    let mut heard = Vec::new();
    collect(&replay.json, &mut heard);
    let heard = heard.join("\n");
    // Unchanged, except for characters that would change the direction of the text around them.
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
