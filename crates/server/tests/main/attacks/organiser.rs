//! The actions of the organiser succeed, and are written to the audit log.

use serde_json::{Value, json};

use super::entry::{admin, log_in};
use crate::common::{Site, Visitor, site, sites_with};

fn id_of(who: &Visitor) -> i64 {
    who.get("/me").ok()["user"]["id"].as_i64().unwrap()
}

#[test]
fn the_first_admin_is_created_once_with_a_one_time_password() {
    let site = site();
    let first = site.server.first_admin().expect("the first start makes an admin").clone();
    assert_eq!(first.name, "admin");
    assert!(!format!("{first:?}").contains(&first.password));
    let (boss, answer) = log_in(&site, "admin", &first.password);
    assert_eq!(answer.json["user"]["must_change"], true);
    assert_eq!(boss.get("/admin/overview").code(), "must_change");
    let new = json!({"old_password": first.password, "password": "chosen by the organiser"});
    boss.patch("/me", &new).ok();
    let overview = boss.get("/admin/overview").ok();
    assert_eq!(overview["database"], "sqlite");
    assert!(overview["doctor"].as_array().unwrap().len() > 3, "{overview}");
    // A second start does not make a second admin.
    let again =
        site.server.runtime().block_on(server::accounts::first_admin(&site.server.app().store)).unwrap();
    assert!(again.is_none());
}

#[test]
fn accounts_roles_and_reset_links() {
    for site in sites_with(&[("workers", "0")]) {
        let boss = admin(&site);
        let ada = site.player("ada");
        let listed = boss.get("/admin/users?search=AD").ok();
        let names: Vec<&str> =
            listed["users"].as_array().unwrap().iter().filter_map(|user| user["name"].as_str()).collect();
        assert_eq!(names, ["ada", "admin"]);
        let id = id_of(&ada);
        boss.patch(&format!("/admin/users/{id}"), &json!({"role": "admin"})).ok();
        assert_eq!(ada.get("/admin/users").status, 200);
        // The last organiser cannot be locked out, not even by itself.
        let own = id_of(&boss);
        for patch in [json!({"role": "player"}), json!({"blocked": true})] {
            assert_eq!(boss.patch(&format!("/admin/users/{own}"), &patch).code(), "yourself");
        }
        assert_eq!(boss.patch("/admin/users/999999", &json!({"blocked": true})).status, 404);
        let link = boss.post(&format!("/admin/users/{id}/reset"), &json!({})).ok();
        let (url, code) = (link["url"].as_str().unwrap(), link["code"].as_str().unwrap());
        assert_eq!(url, format!("{}/reset#{code}", site.base));
        let body =
            json!({"code": code.to_uppercase().replace('-', " "), "password": "given by the organiser"});
        site.visitor().post("/reset", &body).ok();
        assert_eq!(log_in(&site, "ada", "given by the organiser").1.status, 200);
        let log = boss.get("/admin/audit").text;
        for what in
            ["ada is an organiser now", "a link for a new password of ada", "password reset with a code"]
        {
            assert!(log.contains(what), "{what} is not in {log}");
        }
        assert!(!log.contains(code));
    }
}

fn contest(key: &str, site: &Site) -> Value {
    let now = server::now_ms();
    let _ = site;
    json!({
        "key": key, "title": "Spring <b>cup</b>", "starts": now + 3_600_000, "ends": now + 7_200_000, "invited_only": true,
        "games": [{"game": "hypersonic", "leagues": ["wood-1", "bronze"]}, {"game": "back-track", "edition": "2026"}],
        "final_top": 4, "final_matches": 10,
    })
}

#[test]
fn contests_are_created_changed_and_exported() {
    for site in sites_with(&[("workers", "0")]) {
        let boss = admin(&site);
        let ada = site.player("ada");
        boss.post("/admin/contests", &contest("spring", &site)).ok();
        assert_eq!(boss.post("/admin/contests", &contest("spring", &site)).code(), "key_taken");
        for (field, bad) in [
            ("key", json!("../etc")),
            ("key", json!("ARENA")),
            ("title", json!("")),
            ("ends", json!(5)),
            ("starts", json!(-5)),
            ("games", json!([])),
            ("games", json!([{"game": "chess"}])),
            ("games", json!([{"game": "hypersonic", "leagues": ["platinum"]}])),
            ("games", json!([{"game": "hypersonic", "edition": "1999"}])),
            ("final_top", json!(-1)),
            ("final_matches", json!(1_000_000)),
        ] {
            let mut body = contest("other", &site);
            body[field] = bad.clone();
            assert_eq!(boss.post("/admin/contests", &body).code(), "contest", "{field} {bad}");
        }
        boss.patch("/admin/contests/spring", &json!({"title": "Spring cup"})).ok();
        assert_eq!(boss.patch("/admin/contests/arena", &json!({"ends": 5})).code(), "standing");
        assert_eq!(boss.post("/admin/contests/spring/finish", &json!({})).code(), "not_running");
        site.server.app().service.forget_contests();
        let page = site.visitor().get("/contests/spring").ok();
        assert_eq!(
            (&page["contest"]["title"], &page["contest"]["state"]),
            (&json!("Spring cup"), &json!("planned"))
        );
        let leagues: Vec<&str> = page["games"][0]["leagues"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|league| league["key"].as_str())
            .collect();
        assert_eq!(leagues, ["wood-1", "bronze"]);
        // By invitation: the code admits a client with an account, and one without an account.
        assert_eq!(ada.post("/contests/spring/join", &json!({})).status, 403);
        let made = boss.post("/admin/invitations", &json!({"contest": "spring", "uses": 2})).ok();
        let code = made["code"].as_str().unwrap();
        assert!(made["url"].as_str().unwrap().ends_with(&format!("/contests/spring#{code}")));
        ada.post("/contests/spring/join", &json!({"code": code})).ok();
        assert_eq!(ada.get("/contests/spring").ok()["joined"], true);
        let body = json!({"name": "bob", "password": "correct horse battery", "invitation": code});
        let bob = site.visitor().post("/signup", &body);
        let mut visitor = site.visitor();
        visitor.cookie.clone_from(&bob.cookie);
        bob.ok();
        assert_eq!(visitor.get("/contests/spring").ok()["joined"], true);
        let open = boss.get("/admin/invitations").ok();
        assert_eq!(open.as_array().unwrap().len(), 2);
        assert!(!open.to_string().contains(code));
        for invitation in open.as_array().unwrap() {
            boss.delete(&format!("/admin/invitations/{}", invitation["id"])).ok();
        }
        assert_eq!(boss.get("/admin/invitations").ok(), json!([]));
        // Exports: for the organiser at once, for everybody when the contest is closed.
        for kind in ["export.csv", "export.json", "export/records"] {
            for who in [&site.visitor(), &ada] {
                assert_eq!(who.get(&format!("/contests/spring/{kind}")).code(), "not_closed", "{kind}");
            }
            assert_eq!(boss.get(&format!("/contests/spring/{kind}")).status, 200, "{kind}");
        }
        let table = boss.get("/contests/arena/export.csv");
        assert!(table.header("content-disposition").unwrap().contains("attachment; filename=\"arena.csv\""));
        let mut lines = table.text.lines();
        assert!(lines.next().unwrap().starts_with("game,league,players,kind,place,name"), "{}", table.text);
        assert!(lines.any(|line| line.starts_with("ocean-of-code,legend,2,ladder,1,")), "{}", table.text);
        let whole = boss.get("/contests/arena/export.json").ok();
        assert_eq!(whole["contest"]["key"], "arena");
        assert!(whole["boards"].as_array().unwrap().len() > 9 && whole["matches"].is_array(), "{whole}");
        let stranger = site.visitor().get("/contests/none/export.csv");
        assert_eq!(stranger.status, 404);
    }
}

#[test]
fn pauses_announcements_and_recomputations() {
    let site = site();
    let boss = admin(&site);
    boss.post("/admin/pause", &json!({})).ok();
    assert_eq!(boss.get("/admin/overview").ok()["paused"], true);
    boss.post("/admin/resume", &json!({})).ok();
    assert_eq!(boss.get("/admin/overview").ok()["paused"], false);
    assert_eq!(boss.get("/admin/voids").ok(), json!([]));
    assert_eq!(boss.post("/admin/matches/1/requeue", &json!({})).code(), "not_void");
    for bad in [
        json!({"en": "", "fr": "x"}),
        json!({"en": "x".repeat(501), "fr": "x"}),
        json!({"en": "x", "fr": "y", "starts": 5, "ends": 4}),
    ] {
        assert_eq!(boss.post("/admin/announcements", &bad).status, 400, "{bad}");
    }
    let said = boss.post("/admin/announcements", &json!({"en": "Hello", "fr": "Bonjour"})).ok();
    assert_eq!(boss.get("/admin/announcements").ok()[0]["fr"], "Bonjour");
    boss.delete(&format!("/admin/announcements/{}", said["id"])).ok();
    assert_eq!(boss.get("/admin/announcements").ok(), json!([]));
    boss.post("/admin/recompute", &json!({"check": true})).ok();
    let state = boss.until("/admin/recompute", |state| state["running"] == false);
    assert_eq!((&state["differences"], &state["error"]), (&json!(0), &Value::Null));
}
