//! Live events: a thousand listeners that never read, listeners without the right, listeners that must be
//! disconnected.

use serde_json::json;

use super::entry::admin;
use crate::common::raw::{Raw, once};
use crate::common::{Site, Visitor, site, site_with};

fn listen(site: &Site, topics: &str, headers: &str) -> Raw {
    let host = site.base.strip_prefix("http://").unwrap();
    let mut raw = Raw::to(site.server.address());
    raw.send(
        format!("GET /api/v1/events?topics={topics} HTTP/1.1\r\nhost: {host}\r\n{headers}\r\n").as_bytes(),
    );
    raw
}

/// Waits until this number of listeners is connected.
#[track_caller]
fn wait_for(site: &Site, listeners: usize) {
    let connected = || site.server.app().hub.listeners();
    testing::until(&format!("{listeners} listeners"), || (connected() == listeners).then_some(()));
}

#[test]
fn a_thousand_listeners_do_not_block_other_clients() {
    let settings =
        [("workers", "0"), ("connections", "32"), ("patience", "5"), ("trusted_proxy", "127.0.0.1")];
    let site = site_with(&settings);
    let from = |address: usize| format!("x-forwarded-for: 192.0.2.{address}\r\n");
    let refused = |address: usize| {
        let more = listen(&site, "matches", &from(address)).answer().unwrap();
        assert_eq!((more.status, more.header("retry-after")), (503, Some("30")));
    };
    // One address has a quarter of the slots.
    let mut listeners: Vec<Raw> = (0..250).map(|_| listen(&site, "matches", &from(0))).collect();
    wait_for(&site, 250);
    refused(0);
    listeners.extend((250..1000).map(|number| listen(&site, "matches", &from(number / 250))));
    wait_for(&site, 1000);
    assert_eq!(site.server.app().guard.connections.open().1, 1000);
    // One more listener is refused for now; other clients are served as always.
    refused(9);
    for _ in 0..30 {
        assert_eq!(site.visitor().get("/site").status, 200);
    }
    drop(listeners);
    wait_for(&site, 0);
    let _again = listen(&site, "matches", "");
    wait_for(&site, 1);
}

#[test]
fn other_sites_and_other_accounts_cannot_listen() {
    let site = site();
    let ada = site.player("ada");
    let host = site.base.strip_prefix("http://").unwrap();
    let cookie = ada.cookie.as_deref().unwrap();
    for foreign in ["origin: https://evil.example", "origin: null", "sec-fetch-site: cross-site"] {
        let ask = format!(
            "GET /api/v1/events?topics=me HTTP/1.1\r\nhost: {host}\r\ncookie: {cookie}\r\n{foreign}\r\n\r\n"
        );
        let came = once(site.server.address(), ask).unwrap();
        assert_eq!(came.status, 403, "{foreign}");
        assert_eq!(came.header("access-control-allow-origin"), None);
    }
    // Events about an account are for that account only.
    assert_eq!(site.visitor().get("/events?topics=me").status, 401);
    assert_eq!(site.visitor().get("/events?topics=user:1").status, 400);
    let _own = listen(&site, "me", &format!("cookie: {cookie}\r\norigin: {}\r\n", site.base));
    wait_for(&site, 1);
}

#[test]
fn blocked_and_logged_out_users_are_disconnected_from_events() {
    let site = site();
    let boss = admin(&site);
    let hears = |who: &Visitor| {
        listen(&site, "me,matches", &format!("cookie: {}\r\n", who.cookie.as_deref().unwrap()))
    };
    let (ada, bob) = (site.player("ada"), site.player("bob"));
    let (mut first, mut second) = (hears(&ada), hears(&bob));
    let stays = hears(&boss);
    wait_for(&site, 3);
    let id = ada.get("/me").ok()["user"]["id"].as_i64().unwrap();
    boss.patch(&format!("/admin/users/{id}"), &json!({"blocked": true})).ok();
    assert!(first.is_cut());
    bob.post("/logout", &json!({})).ok();
    assert!(second.is_cut());
    wait_for(&site, 1);
    drop(stays);
}
