//! Teams, descriptions, accounts from CSV, the search, and the data of an account.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::attacks::entry::admin;
use crate::common::sites_with;

fn contest() -> Value {
    let now = server::now_ms();
    json!({
        "key": "cup", "title": "Railway cup", "starts": now - 1000, "ends": now + 3_600_000, "invited_only": false,
        "games": [{"game": "back-track"}], "final_top": 4, "final_matches": 2, "team_size": 2,
        "about": {"en": "# Welcome\n\n**Trains**", "fr": "# Bienvenue"}, "prizes": {"en": "- a train", "fr": "- un train"},
    })
}

#[test]
fn a_team_enters_one_bot() {
    for site in sites_with(&[("workers", "0")]) {
        admin(&site).post("/admin/contests", &contest()).ok();
        let [ann, bob, eve] = ["ann", "bob", "eve"].map(|name| site.player(name));
        let page = ann.until("/contests/cup", |page| page["contest"]["state"] == "running");
        assert_eq!((&page["contest"]["team_size"], &page["team"]), (&json!(2), &Value::Null));
        assert!(page["about"]["en"].as_str().unwrap().contains("**Trains**"), "{page}");
        assert_eq!(page["prizes"]["fr"], "- un train");

        assert_eq!(ann.post("/contests/arena/teams", &json!({"name": "rails"})).code(), "no_teams");
        let team = ann.post("/contests/cup/teams", &json!({"name": "rails"})).ok();
        assert_eq!(bob.post("/contests/cup/teams", &json!({"name": "rails"})).code(), "team");
        assert_eq!(bob.post("/contests/cup/teams/join", &json!({"code": "nope"})).code(), "bad_team_code");
        bob.post("/contests/cup/teams/join", &json!({"code": team["code"]})).ok();
        assert_eq!(eve.post("/contests/cup/teams/join", &json!({"code": team["code"]})).code(), "team");
        let page = eve.get("/contests/cup").ok();
        assert_eq!(page["teams"], json!([{"name": "rails", "members": ["ann", "bob"]}]));
        assert_eq!(page["team"], Value::Null, "the code is for members");

        let source =
            json!({"contest": "cup", "game": "back-track", "language": "Python", "source": "print('WAIT')"});
        let first = ann.post("/submissions", &source).ok();
        let second = bob.post("/submissions", &source).ok();
        assert_eq!((&first["bot"], &second["number"]), (&second["bot"], &json!(2)));
        let alone = eve.post("/submissions", &source).ok();
        assert_ne!(alone["bot"], first["bot"]);
        // Both members see the sources; others do not.
        let path = format!("/versions/{}", first["id"]);
        assert_eq!([ann.get(&path).status, bob.get(&path).status, eve.get(&path).status], [200, 200, 404]);
        // The same holds for code that is tested and not submitted.
        let test =
            json!({"contest": "cup", "game": "back-track", "language": "Python", "source": "print('WAIT')"});
        let draft = bob.post("/tests", &test).ok();
        assert_eq!(draft["bot"], first["bot"]);
        let path = format!("/versions/{}", draft["id"]);
        assert_eq!([ann.get(&path).status, bob.get(&path).status, eve.get(&path).status], [200, 200, 404]);
        assert_eq!(eve.post("/tests", &test).ok()["bot"], alone["bot"]);
        let bot = eve.get(&format!("/bots/{}", first["bot"])).ok();
        assert_eq!((&bot["card"]["bot"]["name"], &bot["members"]), (&json!("rails"), &json!(["ann", "bob"])));
        assert_eq!(bob.get("/me/bots").ok().as_array().unwrap().len(), 1);
        // Nobody signs in as a team.
        assert!(site.visitor().post("/login", &json!({"name": "rails", "password": ""})).status >= 400);
        assert!(
            site.visitor()
                .post("/login", &json!({"name": "rails", "password": "correct horse battery"}))
                .status
                >= 400
        );
        assert_eq!(eve.get("/users/rails").ok()["members"], json!(["ann", "bob"]));
    }
}

#[test]
fn accounts_from_csv_must_change_their_passwords() {
    for site in sites_with(&[("workers", "0")]) {
        let boss = admin(&site);
        let csv = "name,email\nanna,anna@example.org\nbruno\nx\nanna\nLeviathan\n";
        let made = boss.post("/admin/users/bulk", &json!({"csv": csv})).ok();
        let good: Vec<bool> =
            made.as_array().unwrap().iter().map(|line| line["password"].is_string()).collect();
        assert_eq!(good, [true, true, false, false, false], "{made}");
        let login = json!({"name": "bruno", "password": made[1]["password"]});
        assert_eq!(site.visitor().post("/login", &login).ok()["user"]["must_change"], true);
        assert_eq!(site.player("cora").post("/admin/users/bulk", &json!({"csv": "dora"})).status, 403);
    }
}

#[test]
fn things_are_found() {
    for site in sites_with(&[("workers", "0")]) {
        let ann = site.player("ann-marie");
        let found = ann.get("/search?q=ANN").ok();
        assert_eq!(found["users"], json!(["ann-marie"]));
        assert_eq!(ann.get("/search?q=arena").ok()["contests"][0]["key"], "arena");
        let bots = ann.get("/search?q=gaston").ok();
        assert_eq!(bots["bots"][0]["bot"]["name"], "Gaston", "{bots}");
        assert_eq!(ann.get("/search?q=12").ok()["match"], Value::Null);
        assert!(ann.get("/search?q=%25").ok()["users"].as_array().unwrap().is_empty());
        for query in [
            "player=ann-marie",
            "result=won",
            "cause=any",
            "seed=5",
            "min_turns=3&max_turns=9",
            "from=1&to=2",
        ] {
            let page = ann.get(&format!("/matches?{query}"));
            assert_eq!((page.status, &page.json["matches"]), (200, &json!([])), "{query}");
        }
        assert_eq!(ann.get("/matches?result=perhaps").status, 400);
        assert_eq!(ann.get("/matches?seed=abc").status, 400);
        assert_eq!(ann.get("/bots/1/fights/1").status, 404);
        let two = ann.get("/bots/1/against/2").ok();
        assert_eq!(two["results"], json!([]));
    }
}

#[test]
fn an_account_is_exported_and_deleted() {
    for site in sites_with(&[("workers", "0")]) {
        let ann = site.player("ann");
        ann.patch("/me", &json!({"about": "I like <b>trains</b>"})).ok();
        assert_eq!(ann.patch("/me", &json!({"about": "x".repeat(301)})).code(), "about");
        assert_eq!(site.visitor().get("/users/ann").ok()["about"], "I like <b>trains</b>");
        let source = json!({"game": "back-track", "language": "Python", "source": "print('secret plan')"});
        ann.post("/submissions", &source).ok();
        let data = ann.get("/me/export");
        assert!(data.text.contains("secret plan") && !data.text.contains("argon2"), "{}", data.text);
        assert_eq!(ann.post("/me/delete", &json!({"password": "wrong"})).code(), "old_password");
        ann.post("/me/delete", &json!({"password": "correct horse battery"})).ok();
        assert_eq!(ann.get("/me").ok()["user"], Value::Null);
        assert_eq!(site.visitor().get("/users/ann").status, 404);
        let login = json!({"name": "ann", "password": "correct horse battery"});
        assert!(site.visitor().post("/login", &login).status >= 400);
        let boss = admin(&site);
        assert_eq!(
            boss.post("/me/delete", &json!({"password": "correct horse battery"})).code(),
            "organiser"
        );
    }
}

#[test]
fn pictures_of_descriptions_are_pictures() {
    // One pixel.
    const GIF: &str = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
    for site in sites_with(&[("workers", "0")]) {
        let boss = admin(&site);
        let kept = boss.post("/admin/pictures", &json!({"base64": GIF})).ok();
        assert_eq!(boss.post("/admin/pictures", &json!({"base64": GIF})).ok(), kept, "it is stored once");
        let address = kept["address"].as_str().unwrap();
        let shown = site.visitor().get(&format!("!{address}"));
        assert_eq!((shown.status, shown.header("content-type")), (200, Some("image/gif")));
        assert_eq!(shown.header("x-content-type-options"), Some("nosniff"));
        // Neither pages nor vector graphics with scripts.
        for text in ["<svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>", "<html>", ""] {
            let encoded = STANDARD.encode(text);
            assert_eq!(boss.post("/admin/pictures", &json!({"base64": encoded})).code(), "picture", "{text}");
        }
        assert_eq!(boss.post("/admin/pictures", &json!({"base64": "?"})).code(), "picture");
        let large = json!({"base64": format!("R0lGODlh{}", "A".repeat(500_000))});
        assert_eq!(boss.post("/admin/pictures", &large).code(), "picture");
        assert_eq!(site.player("ann").post("/admin/pictures", &json!({"base64": GIF})).status, 403);
        assert_eq!(site.visitor().get("/pictures/0000").status, 404);
    }
}
