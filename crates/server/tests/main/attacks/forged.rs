//! Forged changes: requests that another site makes a browser send, and requests without the necessary rights. The
//! tables are made from the `OpenAPI` document, so that they always contain every route.

use serde_json::{Value, json};

use super::entry::admin;
use crate::common::raw::once;
use crate::common::{Answer, Site, Visitor, site, site_with};

/// Routes that open a session; they need no account.
const OPENING: [&str; 4] = ["/login", "/signup", "/reset", "/reset/request"];

/// Whether a route needs no account: games against a boss, analyses and continuations of matches.
fn is_for_visitors(path: &str) -> bool {
    let of_match = path.starts_with("/matches/");
    path.starts_with("/human-games")
        || (of_match && (path.ends_with("/analysis") || path.ends_with("/continue")))
}

/// Every route that changes something: method and path below the API.
fn changes() -> Vec<(String, String)> {
    let document = serde_json::to_value(server::described()).unwrap();
    let mut all = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let path = path
            .replace("{other}", "2")
            .replace("{round}", "1")
            .replace("{digest}", "0")
            .replace("{id}", "1")
            .replace("{contest}", "arena")
            .replace("{key}", "arena")
            .replace("{name}", "ada")
            .replace("{game}", "hypersonic");
        assert!(!path.contains('{'), "{path}: another kind of place in a path");
        for method in methods.as_object().unwrap().keys().filter(|method| *method != "get") {
            all.push((method.to_uppercase(), path.strip_prefix("/api/v1").unwrap_or(&path).to_owned()));
        }
    }
    assert!(all.len() > 25, "{all:?}");
    all
}

fn reads_of_the_organiser() -> Vec<String> {
    let document = serde_json::to_value(server::described()).unwrap();
    let paths = document["paths"].as_object().unwrap().iter();
    let admin =
        paths.filter(|(path, methods)| path.starts_with("/api/v1/admin") && methods.get("get").is_some());
    let all: Vec<String> = admin.map(|(path, _)| path.strip_prefix("/api/v1").unwrap().to_owned()).collect();
    assert!(all.len() > 5, "{all:?}");
    all
}

/// A change with exactly these headers.
fn send(site: &Site, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let host = site.base.strip_prefix("http://").unwrap();
    let mut request = format!("{method} /api/v1{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
    for (key, value) in headers {
        request.extend([*key, ": ", *value, "\r\n"]);
    }
    request.extend(["content-length: ", &body.len().to_string(), "\r\n\r\n", body]);
    let came = once(site.server.address(), request).expect("an answer");
    let text = came.text();
    let json = serde_json::from_str(&text).unwrap_or(Value::Null);
    Answer { status: came.status, json, text, cookie: None, headers: came.headers }
}

const JSON: (&str, &str) = ("content-type", "application/json");

#[test]
fn changes_require_an_account() {
    let site = site();
    for (method, path) in changes() {
        let is_open = OPENING.contains(&path.as_str()) || is_for_visitors(&path);
        for headers in
            [&[JSON][..], &[JSON, ("origin", &site.base)], &[JSON, ("cookie", "agon_session=0123")]]
        {
            let answer = send(&site, &method, &path, headers, "{}");
            if is_open {
                assert!(
                    (400..500).contains(&answer.status),
                    "{method} {path}: {} {}",
                    answer.status,
                    answer.text
                );
            } else {
                assert_eq!(
                    (answer.status, answer.code()),
                    (401, "sign_in"),
                    "{method} {path}: {}",
                    answer.text
                );
            }
        }
    }
}

/// A name, the headers, and the code of the refusal.
type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str);

#[test]
fn changes_require_origin_and_csrf_token() {
    let site = site();
    let ada = site.player("ada");
    let bob = site.player("bob");
    let (cookie, csrf) = (ada.cookie.as_deref().unwrap(), ada.csrf.as_deref().unwrap());
    let (cookie, ours) = (("cookie", cookie), ("origin", site.base.as_str()));
    let token = ("x-agon-csrf", csrf);
    let evil = ("origin", "https://evil.example");
    let form = ("content-type", "application/x-www-form-urlencoded");
    let cases: [Case<'_>; 10] = [
        ("a forged form", &[cookie, form, evil], "origin"),
        ("a form without an origin", &[cookie, form], "origin"),
        ("a script of another page", &[cookie, JSON, evil, token], "origin"),
        ("a page in a sandbox", &[cookie, JSON, ("origin", "null"), token], "origin"),
        ("no origin", &[cookie, JSON, token], "origin"),
        ("two origins", &[cookie, JSON, ours, evil, token], "origin"),
        ("a browser that says so", &[cookie, JSON, ours, token, ("sec-fetch-site", "cross-site")], "origin"),
        ("no token", &[cookie, JSON, ours], "csrf"),
        ("an empty token", &[cookie, JSON, ours, ("x-agon-csrf", "")], "csrf"),
        (
            "the token of another session",
            &[cookie, JSON, ours, ("x-agon-csrf", bob.csrf.as_deref().unwrap())],
            "csrf",
        ),
    ];
    for (method, path) in changes() {
        if OPENING.contains(&path.as_str()) {
            continue;
        }
        for (what, headers, code) in cases {
            let answer = send(&site, &method, &path, headers, "{}");
            assert_eq!(
                (answer.status, answer.code()),
                (403, code),
                "{what}: {method} {path}: {}",
                answer.text
            );
        }
    }
    assert_eq!(ada.get("/me").ok()["user"]["lang"], "en");
    let all = [cookie, JSON, ours, token];
    assert_eq!(send(&site, "PATCH", "/me", &all, r#"{"lang":"fr"}"#).status, 200);
    assert_eq!(ada.get("/me").ok()["user"]["lang"], "fr");
}

#[test]
fn other_sites_cannot_log_a_visitor_in() {
    let site = site();
    site.player("mallory");
    let body = json!({"name": "mallory", "password": "correct horse battery"}).to_string();
    let form = ("content-type", "application/x-www-form-urlencoded");
    let plain = ("content-type", "text/plain");
    for headers in [
        &[JSON, ("origin", "https://evil.example")][..],
        &[JSON, ("origin", "null")],
        &[JSON, ("sec-fetch-site", "cross-site")],
        &[form],
        &[plain],
        &[plain, ("origin", "https://evil.example")],
    ] {
        let answer = send(&site, "POST", "/login", headers, &body);
        assert_eq!((answer.status, answer.code()), (403, "origin"), "{headers:?}: {}", answer.text);
        assert_eq!(answer.header("set-cookie"), None);
    }
}

#[test]
fn with_a_public_url_only_its_origin_is_accepted() {
    let site = site_with(&[("workers", "0"), ("public_url", "https://arena.example.org")]);
    let body = json!({"name": "ada", "password": "correct horse battery"}).to_string();
    // The attacker's host and origin match each other, but not the site's.
    let host = site.base.clone();
    let answer = send(&site, "POST", "/signup", &[JSON, ("origin", &host)], &body);
    assert_eq!(answer.code(), "origin");
    let answer = send(&site, "POST", "/signup", &[JSON, ("origin", "http://arena.example.org")], &body);
    assert_eq!(answer.code(), "origin");
    let answer = send(&site, "POST", "/signup", &[JSON, ("origin", "https://arena.example.org")], &body);
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert!(answer.header("set-cookie").unwrap().contains("; Secure"));
    assert!(answer.header("strict-transport-security").is_some());
}

#[test]
fn admin_routes_are_closed_to_players() {
    let site = site();
    let ada = site.player("ada");
    let boss = admin(&site);
    let token = |scopes: Value| {
        let mut program = site.visitor();
        let made = boss.post("/me/tokens", &json!({"name": "t", "scopes": scopes})).ok();
        program.token = Some(made["token"].as_str().unwrap().to_owned());
        program
    };
    // An organiser's token without the scope `admin` has no rights of an organiser.
    let (weak, strong) = (token(json!(["read", "submit"])), token(json!(["read", "admin"])));
    let visitor = site.visitor();
    for path in reads_of_the_organiser() {
        assert_eq!(visitor.get(&path).status, 401, "{path}");
        assert_eq!(ada.get(&path).status, 403, "{path}");
        assert_eq!(weak.get(&path).status, 403, "{path}");
        assert_eq!(boss.get(&path).status, 200, "{path}");
        assert_eq!(strong.get(&path).status, 200, "{path}");
    }
    let ask = |who: &Visitor, method: &str, path: &str| match method {
        "POST" => who.post(path, &json!({})),
        "PATCH" => who.patch(path, &json!({})),
        "DELETE" => who.delete(path),
        other => panic!("{other}"),
    };
    let mut seen = 0;
    for (method, path) in changes().iter().filter(|(_, path)| path.starts_with("/admin")) {
        seen += 1;
        assert_eq!(ask(&ada, method, path).status, 403, "{method} {path}");
        assert_eq!(ask(&weak, method, path).status, 403, "{method} {path}");
    }
    assert!(seen > 10, "{seen}");
    // When the organiser becomes a player again, the token has the rights of a player.
    let id = boss.get("/me").ok()["user"]["id"].as_i64().unwrap();
    site.server
        .runtime()
        .block_on(site.server.app().store.set_role(model::UserId(id), store::Role::Player))
        .unwrap();
    assert_eq!(strong.get("/admin/users").status, 403);
    assert_eq!(boss.get("/admin/users").status, 403);
}

#[test]
fn a_read_token_cannot_change_anything() {
    let site = site();
    let ada = site.player("ada");
    let made = ada.post("/me/tokens", &json!({"name": "t", "scopes": ["read"]})).ok();
    let bearer = format!("Bearer {}", made["token"].as_str().unwrap());
    for (method, path) in changes() {
        if OPENING.contains(&path.as_str()) || is_for_visitors(&path) || path == "/logout" {
            continue;
        }
        let answer = send(&site, &method, &path, &[JSON, ("authorization", &bearer)], "{}");
        assert_eq!(answer.status, 403, "{method} {path}: {}", answer.text);
    }
}

#[test]
fn a_one_time_password_allows_only_a_password_change() {
    let site = site();
    let boss = admin(&site);
    let id = boss.get("/me").ok()["user"]["id"].as_i64().unwrap();
    let store = &site.server.app().store;
    let kept = site.server.runtime().block_on(store.user(model::UserId(id))).unwrap().unwrap().password;
    site.server.runtime().block_on(store.set_password(model::UserId(id), &kept, true)).unwrap();
    assert_eq!(boss.get("/me").ok()["user"]["must_change"], true);
    for path in reads_of_the_organiser() {
        assert_eq!(boss.get(&path).code(), "must_change", "{path}");
    }
    for (path, body) in
        [("/admin/pause", json!({})), ("/me/tokens", json!({"name": "t", "scopes": ["admin"]}))]
    {
        assert_eq!(boss.post(path, &body).code(), "must_change", "{path}");
    }
    let new = json!({"old_password": "correct horse battery", "password": "another long password"});
    assert_eq!(boss.patch("/me", &new).status, 200);
    assert_eq!(boss.get("/admin/users").status, 200);
}

/// The site opens no connection to an address that a visitor chose: no setting and no body holds an address to fetch,
/// and no dependency could fetch one.
#[test]
fn the_site_fetches_no_address_of_a_visitor() {
    let document = serde_json::to_value(server::described()).unwrap();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let fields = schema["properties"].as_object().into_iter().flatten();
        for (field, _) in
            fields.filter(|_| name.ends_with("Ask") || name.ends_with("Patch") || name == "Submission")
        {
            let field = field.to_lowercase();
            assert!(
                !["url", "uri", "link", "hook", "callback", "avatar"].iter().any(|word| field.contains(word)),
                "{name}.{field}"
            );
        }
    }
    let settings: Vec<&str> =
        server::config::KEYS.iter().map(|key| key.name).filter(|name| name.contains("url")).collect();
    assert_eq!(settings, ["public_url"]);
    let needs = include_str!("../../../Cargo.toml");
    let own = needs.split("[dev-dependencies]").next().unwrap();
    for client in ["ureq", "reqwest", "curl", "isahc", "hyper-tls", "surf"] {
        assert!(!own.contains(client), "{client}");
    }
}

/// A page of another site reaches this machine under a name of its own (DNS rebinding).
#[test]
fn other_names_of_the_site_are_refused() {
    let status = |site: &Site, host: &str| {
        let came = once(site.server.address(), format!("GET /api/v1/site HTTP/1.1\r\nhost: {host}\r\n\r\n"));
        let came = came.unwrap();
        if came.status == 421 {
            let text = came.text();
            assert!(
                text.contains("\"host\"") && text.contains("public_url") && text.contains("`hosts`"),
                "{text}"
            );
        }
        came.status
    };
    let plain = site_with(&[("workers", "0"), ("hosts", "arena.lan, arena")]);
    for good in ["localhost:8080", "127.0.0.1", "[::1]:8080", "192.168.7.7:8080", "ARENA.lan:8080", "arena"] {
        assert_eq!(status(&plain, good), 200, "{good}");
    }
    for bad in ["evil.example", "evil.example:8080", "arena.evil.example", "localhost.evil.example", ""] {
        assert_eq!(status(&plain, bad), 421, "{bad}");
    }
    // Behind a proxy the host may be a name that only the proxy uses.
    let public = site_with(&[("workers", "0"), ("public_url", "https://arena.example.org")]);
    assert_eq!(status(&public, "backend:8080"), 200);
}
