//! Tests of code that is not submitted; pictures and previews of matches.

use serde_json::{Value, json};

use crate::common::{Visitor, site_with};
use crate::played_match;

fn kit(visitor: &Visitor) -> String {
    let kits = visitor.get("/games/hypersonic/kits").ok();
    let kit = kits.as_array().unwrap().iter().find(|kit| kit["file"] == "bot.py").unwrap();
    kit["source"].as_str().unwrap().to_owned()
}

fn played(player: &Visitor, ask: &Value, matches: usize) -> Value {
    let draft = player.post("/tests", ask).ok();
    assert_eq!(draft["number"], 0, "a draft has no number");
    let id = draft["id"].as_i64().unwrap();
    player.until(&format!("/versions/{id}"), |page| {
        let tests = page["tests"].as_array().unwrap();
        tests.len() == matches && tests.iter().all(|one| one["state"] == "done")
    })
}

pub(crate) fn drafts_are_tested_and_shared_with_nobody() {
    let site = site_with(&[("workers", "1"), ("idle_every", "0")]);
    let (ana, bob) = (site.player("ana"), site.player("bob"));
    let source = kit(&ana);
    let ask = json!({
        "game": "hypersonic", "language": "Python", "source": source, "opponents": ["boss", "@random"], "seed": "41", "matches": 2,
    });
    let page = played(&ana, &ask, 2);
    let mut seeds: Vec<&str> =
        page["tests"].as_array().unwrap().iter().map(|one| one["seed"].as_str().unwrap()).collect();
    seeds.sort_unstable();
    assert_eq!(seeds, ["41", "42"]);
    // The seats alternate.
    let own = |info: &Value| {
        let seats = info["seats"].as_array().unwrap();
        seats.iter().position(|seat| seat["bot"]["user"] == "ana").unwrap()
    };
    assert_ne!(own(&page["tests"][0]), own(&page["tests"][1]));
    let test = page["tests"][0]["id"].as_i64().unwrap();
    let bot = page["version"]["bot"].as_i64().unwrap();
    let id = page["version"]["id"].as_i64().unwrap();
    for other in [&bob, &site.visitor()] {
        for path in ["", "/replay", "/record", "/picture.png"] {
            assert_eq!(other.get(&format!("/matches/{test}{path}")).status, 404, "{path}");
        }
    }
    // It is no version of the bot, and its matches are in no list.
    let page = ana.get(&format!("/bots/{bot}")).ok();
    assert_eq!(page["own"]["versions"], json!([]));
    assert_eq!(ana.get(&format!("/matches?bot={bot}")).ok()["matches"], json!([]));
    assert_eq!(ana.post(&format!("/versions/{id}/activate"), &json!({})).code(), "draft");
    // The author runs other code on a turn of the test.
    let ask =
        json!({"game": "hypersonic", "language": "Python", "source": format!("{source}# new"), "matches": 0});
    let draft = ana.post("/tests", &ask).ok()["id"].as_i64().unwrap();
    ana.until(&format!("/versions/{draft}"), |page| page["version"]["state"] == "ready");
    let facts = ana.get(&format!("/matches/{test}")).ok();
    let trial = json!({"seat": facts["mine"][0], "turn": 1, "bot": format!("version:{draft}")});
    let tried = ana.post(&format!("/matches/{test}/run"), &trial).ok();
    assert!(tried["answered"].is_string(), "{tried}");
    // Opponents that do not exist are refused.
    for opponent in ["@nobody", "bot:999", &format!("version:{draft}"), "anybody"] {
        let ask =
            json!({"game": "hypersonic", "language": "Python", "source": source, "opponents": [opponent]});
        assert!(matches!(ana.post("/tests", &ask).status, 400 | 409), "{opponent}");
    }
    // The active bot of another player is an opponent; its author does not see the match.
    let submission = json!({"game": "hypersonic", "language": "Python", "source": source, "activate": true});
    let version = bob.post("/submissions", &submission).ok();
    let rival = version["bot"].as_i64().unwrap();
    let ready = |page: &Value| page["version"]["active"] == true || page["tier_now"] == 1;
    bob.until(&format!("/versions/{}", version["id"]), ready);
    let ask = json!({"game": "hypersonic", "language": "Python", "source": source, "opponents": [format!("bot:{rival}")]});
    if ana.post("/tests", &ask).status == 201 {
        let page = played(&ana, &ask, 1);
        let test = page["tests"][0]["id"].as_i64().unwrap();
        assert_eq!(bob.get(&format!("/matches/{test}")).status, 404);
        assert!(!bob.get(&format!("/matches?bot={rival}")).text.contains(&format!("\"id\":{test},")));
    }
}

pub(crate) fn matches_are_shared_by_pictures_and_previews() {
    let site = site_with(&[("workers", "1"), ("idle_every", "0")]);
    let (ana, visitor) = (site.player("ana"), site.visitor());
    let submission =
        json!({"game": "hypersonic", "language": "Python", "source": kit(&ana), "activate": true});
    let bot = ana.post("/submissions", &submission).ok()["bot"].as_i64().unwrap();
    let id = played_match(&ana, bot);
    let picture = visitor.get(&format!("/matches/{id}/picture.png?turn=3"));
    assert_eq!((picture.status, picture.header("content-type")), (200, Some("image/png")));
    assert!(picture.header("cache-control").unwrap().starts_with("public"));
    assert_eq!(picture.header("cross-origin-resource-policy"), Some("cross-origin"));
    let clip = visitor.get(&format!("/matches/{id}/clip.gif?from=0&to=4"));
    assert_eq!((clip.status, clip.header("content-type")), (200, Some("image/gif")));
    assert_eq!(visitor.get(&format!("/matches/{id}/clip.gif?from=0&to=400")).status, 400);
    for page in
        [format!("matches/{id}"), format!("bots/{bot}"), "users/ana".into(), "games/hypersonic".into()]
    {
        let answer = visitor.get(&format!("!/{page}"));
        assert_eq!(answer.status, 200, "{page}");
        assert!(answer.text.contains("/picture.png\""), "{page}: {}", answer.text);
        assert!(answer.text.contains("og:title"));
        assert_eq!(answer.header("x-frame-options"), Some("DENY"), "{page}");
    }
    assert!(visitor.get(&format!("!/matches/{id}")).text.contains("<title>"));
    // Only the page of an embedded match may be framed.
    let embedded = visitor.get(&format!("!/embed/matches/{id}"));
    assert_eq!((embedded.status, embedded.header("x-frame-options")), (200, None));
    assert!(embedded.header("content-security-policy").unwrap().contains("frame-ancestors *"));
    for missing in [
        "nowhere",
        "matches/999999",
        "bots/x",
        "users/nobody",
        "games/chess",
        "contests/none",
        "wp-login.php",
    ] {
        assert_eq!(visitor.get(&format!("!/{missing}")).status, 404, "{missing}");
    }
    assert!(visitor.get("!/robots.txt").text.starts_with("User-agent"));
    assert_eq!(visitor.get("!/favicon.ico").header("content-type"), Some("image/svg+xml"));
}
