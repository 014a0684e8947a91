//! Two accounts: the private data of one is not visible to the other or to visitors, at any address.

use std::collections::BTreeSet;

use serde_json::json;

use crate::common::raw::Raw;
use crate::common::{Site, Visitor, site_with};

/// Words that only Ada may read.
const SOURCE: &str = "ada-source-5a1e";
const STDERR: &str = "ada-stderr-77c0";
const BROKEN: &str = "ada-broken-source-19d2";
const EMAIL: &str = "ada-private@players.example";
const TOKEN: &str = "ada-token-name-3b3b";

/// Every address that can be read, with every number up to `most` in every place for a number.
fn addresses(most: i64) -> BTreeSet<String> {
    let document = serde_json::to_value(server::described()).unwrap();
    let mut all = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        if methods.get("get").is_none() || path.ends_with("/events") {
            continue;
        }
        let path = path
            .replace("{game}", "hypersonic")
            .replace("{contest}", "arena")
            .replace("{key}", "arena")
            .replace("{name}", "ada");
        if path.contains("{id}") {
            all.extend((1..=most).map(|id| path.replace("{id}", &id.to_string())));
        } else {
            all.insert(path);
        }
    }
    let more = [
        "/api/v1/matches?contest=arena&game=hypersonic",
        "/api/v1/matches?bot=1&filter=errors",
        "/api/v1/boards/arena/hypersonic?tier=0",
    ];
    all.extend(more.map(str::to_owned));
    all
}

fn bot(extra: &str) -> String {
    format!(
        "# {SOURCE}\nimport sys\nprint('{STDERR}', file=sys.stderr, flush=True)\n{extra}\ninput()\nwhile True:\n    for row in range(11):\n        input()\n    for i in range(int(input())):\n        input()\n    print('{STDERR}', file=sys.stderr, flush=True)\n    print('MOVE 0 0', flush=True)\n"
    )
}

fn submit(who: &Visitor, source: &str, language: &str, activate: bool) -> i64 {
    let body = json!({"game": "hypersonic", "language": language, "source": source, "activate": activate});
    who.post("/submissions", &body).ok()["id"].as_i64().unwrap()
}

/// Ada's bots: one that cannot be built, one that crashes, one that plays; and their numbers.
fn let_ada_play(site: &Site) -> (Visitor, [i64; 3]) {
    let mut ada = site.visitor();
    let body = json!({"name": "ada", "password": "correct horse battery", "email": EMAIL});
    let answer = ada.post("/signup", &body);
    ada.cookie.clone_from(&answer.cookie);
    ada.csrf = answer.ok()["csrf"].as_str().map(str::to_owned);
    ada.post("/me/tokens", &json!({"name": TOKEN, "scopes": ["read"]})).ok();
    let broken = submit(&ada, &format!("#error {BROKEN}\nint main() {{ return {BROKEN}; }}\n"), "C++", false);
    ada.until(&format!("/versions/{broken}"), |page| page["version"]["state"] == "failed");
    let crashing = submit(&ada, &bot(&format!("raise SystemError('{STDERR}')")), "Python", false);
    ada.until(&format!("/versions/{crashing}"), |page| {
        page["tests"].as_array().is_some_and(|tests| tests.iter().any(|test| test["state"] == "done"))
    });
    let playing = submit(&ada, &bot(""), "Python", true);
    ada.until(&format!("/versions/{playing}"), |page| page["version"]["state"] == "ready");
    // The best of five ends, won or lost.
    let bot = ada.get("/me/bots").ok()[0]["bot"]["id"].as_i64().unwrap();
    ada.until(&format!("/matches?bot={bot}"), |page| {
        let done = page["matches"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|one| one["state"] == "done" && one["kind"] == "trial");
        done.count() >= 3
    });
    (ada, [broken, crashing, playing])
}

pub fn private_data_is_not_visible_to_other_players() {
    let site = site_with(&[("workers", "1"), ("idle_every", "0")]);
    let bob = site.player("bob");
    let mut listener = Raw::to(site.server.address());
    let host = site.base.strip_prefix("http://").unwrap();
    listener.send(
        format!(
            "GET /api/v1/events?topics=matches,me,board:hypersonic HTTP/1.1\r\nhost: {host}\r\ncookie: {}\r\n\r\n",
            bob.cookie.as_deref().unwrap()
        )
        .as_bytes(),
    );
    let (ada, versions) = let_ada_play(&site);
    let made = bob.post("/me/tokens", &json!({"name": "bob", "scopes": ["read", "submit"]})).ok();
    let mut program = site.visitor();
    program.token = made["token"].as_str().map(str::to_owned);
    let secrets = [
        SOURCE,
        STDERR,
        BROKEN,
        EMAIL,
        TOKEN,
        ada.cookie.as_deref().unwrap().split_once('=').unwrap().1,
        ada.csrf.as_deref().unwrap(),
        "$argon2id",
    ];
    let visitor = site.visitor();
    let bot = ada.get("/me/bots").ok()[0]["bot"]["id"].as_i64().unwrap();
    let played = ada.get(&format!("/matches?bot={bot}")).ok()["matches"][0]["id"].as_i64().unwrap();
    let highest = versions.into_iter().chain([bot, played]).max().unwrap();
    let everything = addresses(highest);
    assert!(everything.len() > 300, "{}", everything.len());
    for (who, name) in [(&visitor, "a visitor"), (&bob, "bob"), (&program, "bob's program")] {
        for address in &everything {
            let answer = who.get(&format!("!{address}"));
            assert!(answer.status < 500, "{address}: {}", answer.text);
            for secret in secrets {
                assert!(!answer.text.contains(secret), "{name} reads {secret} at {address}");
            }
        }
    }
    // The organiser reads no source and no output of a bot either, not even in an export.
    let organiser = site.player("the.organiser");
    let id = organiser.get("/me").ok()["user"]["id"].as_i64().unwrap();
    let store = &site.server.app().store;
    site.server.runtime().block_on(store.set_role(model::UserId(id), store::Role::Admin)).unwrap();
    let export = organiser.get("/contests/arena/export/records");
    assert!(export.text.lines().count() >= 3 && export.text.contains("\"ada\""), "{}", export.text);
    for address in &everything {
        let answer = organiser.get(&format!("!{address}"));
        for secret in [SOURCE, STDERR, BROKEN] {
            assert!(!answer.text.contains(secret), "the organiser reads {secret} at {address}");
        }
    }
    // Ada sees all of her data.
    let mut own = String::new();
    for address in &everything {
        own += &ada.get(&format!("!{address}")).text;
    }
    for secret in [SOURCE, STDERR, BROKEN, EMAIL, TOKEN] {
        assert!(own.contains(secret), "Ada does not find her own {secret}");
    }
    // Her traceback is complete, except for the folder on the server.
    assert!(own.contains("Traceback") && !own.contains(site.folder().to_str().unwrap()));
    // Bob cannot change Ada's data either.
    for version in versions {
        for deed in ["activate", "test"] {
            let answer = bob.post(&format!("/versions/{version}/{deed}"), &json!({}));
            assert_eq!(answer.status, 404, "{deed} {version}: {}", answer.text);
        }
    }
    assert_eq!(bob.post(&format!("/bots/{bot}/trial"), &json!({})).status, 404);
    assert_eq!(bob.get("/me/notices").ok(), json!([]));
    // Bob receives events about matches, but none about Ada's private data.
    site.server.stop(false);
    let heard = listener.rest();
    assert!(heard.contains("match_done"), "{heard}");
    assert!(
        !heard.contains("version_built") && !heard.contains("my_match") && !heard.contains("\"test\""),
        "{heard}"
    );
    for secret in secrets {
        assert!(!heard.contains(secret), "bob hears {secret}: {heard}");
    }
}

/// Test matches of a version are private: other clients do not even learn that they exist.
pub fn test_matches_are_private() {
    let site = site_with(&[("workers", "1"), ("idle_every", "0")]);
    let ada = site.player("ada");
    let bob = site.player("bob");
    let version = submit(&ada, &bot(""), "Python", false);
    let page = ada.until(&format!("/versions/{version}"), |page| {
        page["tests"].as_array().is_some_and(|tests| tests.iter().any(|test| test["state"] == "done"))
    });
    let id = page["tests"][0]["id"].as_i64().unwrap();
    for part in ["", "/replay", "/record", "/delta?from=0&attempt=0"] {
        assert_eq!(bob.get(&format!("/matches/{id}{part}")).status, 404, "{part}");
        assert_eq!(site.visitor().get(&format!("/matches/{id}{part}")).status, 404, "{part}");
        assert_eq!(ada.get(&format!("/matches/{id}{part}")).status, 200, "{part}");
    }
    let bot = ada.get("/me/bots").ok()[0]["bot"]["id"].as_i64().unwrap();
    for path in [format!("/matches?bot={bot}"), "/matches?game=hypersonic".to_owned(), "/matches".to_owned()]
    {
        let listed = bob.get(&path).ok();
        let seen = listed["matches"].as_array().unwrap().iter().any(|one| one["id"] == id);
        assert!(!seen, "{path}: {listed}");
    }
}
