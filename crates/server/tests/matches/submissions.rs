//! From a submission to a place on the board, and the visibility of each step.

use serde_json::{Value, json};

use crate::common::{Site, Visitor, sites_with};
use crate::played_match;

/// Writes a secret to its standard error output with each answer.
const CHATTY: &str = r#"
import sys
while True:
    line = sys.stdin.readline()
    if not line:
        break
    print("SECRET-PLAN [TDATA] depth = 7", file=sys.stderr)
    print("[TDATA] secret_depth = 7", file=sys.stderr, flush=True)
    print("MOVE 0 0", flush=True)
"#;

fn hand_in(player: &Visitor, game: &str, source: &str, activate: bool) -> Value {
    let body = json!({"game": game, "language": "python", "source": source, "activate": activate});
    let version = player.post("/submissions", &body).ok();
    assert_eq!(version["state"], "waiting");
    let id = version["id"].as_i64().unwrap();
    player.until(&format!("/versions/{id}"), |page| {
        matches!(page["version"]["state"].as_str(), Some("ready" | "failed"))
    })
}

pub(crate) fn a_submission_is_built_tested_activated_and_plays_the_boss() {
    for site in sites_with(&[("workers", "1"), ("idle_every", "0")]) {
        flow(&site);
    }
}

fn flow(site: &Site) {
    let ana = site.player("ana");
    let bob = site.player("bob");
    let visitor = site.visitor();

    // Built and tested once against the boss, before it counts.
    let kit = visitor.get("/games/hypersonic/kits").ok();
    let kit = kit.as_array().unwrap().iter().find(|kit| kit["file"] == "bot.py").unwrap();
    let page = hand_in(&ana, "hypersonic", kit["source"].as_str().unwrap(), false);
    assert_eq!(page["version"]["state"], "ready", "{page}");
    let version = page["version"]["id"].as_i64().unwrap();
    let page = ana.until(&format!("/versions/{version}"), |page| page["tests"][0]["state"] == "done");
    assert_eq!(page["tests"].as_array().unwrap().len(), 1);
    assert_eq!(page["source"], kit["source"]);
    let test = page["tests"][0]["id"].as_i64().unwrap();
    // Test matches are visible to the author only.
    for other in [&bob, &visitor] {
        assert_eq!(other.get(&format!("/matches/{test}")).status, 404);
        assert_eq!(other.get(&format!("/matches/{test}/replay")).status, 404);
        assert_eq!(other.get(&format!("/matches/{test}/record")).status, 404);
    }
    assert_eq!(ana.get(&format!("/matches/{test}")).ok()["mine"].as_array().unwrap().len(), 1);

    // After activation, the best of five begins.
    let active = ana.post(&format!("/versions/{version}/activate"), &json!({})).ok();
    assert_eq!(active["active"], true);
    let bot = active["bot"].as_i64().unwrap();
    let page = until_it_rises(&ana, bot);
    assert_eq!(page["promotions"][0]["to"], 1);
    let notices = ana.get("/me/notices").ok();
    assert!(notices.to_string().contains("promotion"), "{notices}");
    let id = played_match(&visitor, bot);
    let replay = visitor.get(&format!("/matches/{id}/replay")).ok();
    assert_eq!(replay["done"], true);
    assert!(replay["steps"].as_array().unwrap().len() > 10);
    assert!(replay["header"]["players"].as_array().unwrap().iter().any(|who| who["name"] == "ana"));
    let record = visitor.get(&format!("/matches/{id}/record"));
    assert!(catalog::verify::line(record.text.as_bytes()).unwrap().mismatches.is_empty());
    assert_eq!(visitor.get("/users/ana").ok()["bots"][0]["bot"]["id"], bot);
    assert_eq!(ana.get("/me/bots").ok()[0]["tier"], 1);

    privacy(site, &ana, &bob);
    failures(&bob);
}

/// Waits for the promotion of a bot. The starter bot wins nine of ten matches: it asks for another best of five when it
/// loses one.
fn until_it_rises(player: &Visitor, bot: i64) -> Value {
    for _ in 0..4 {
        let page = player.until(&format!("/bots/{bot}"), |page| {
            let trial = &page["own"]["trial"];
            page["card"]["tier"] == 1 || (trial["over"] == true && trial["won"] == false)
        });
        if page["card"]["tier"] == 1 {
            return page;
        }
        player.post(&format!("/bots/{bot}/trial"), &json!({})).ok();
    }
    panic!("the bot lost four fights against the boss");
}

/// A player's source, output and failures are not visible to other players.
fn privacy(site: &Site, ana: &Visitor, bob: &Visitor) {
    let page = hand_in(bob, "hypersonic", CHATTY, true);
    let version = page["version"]["id"].as_i64().unwrap();
    let bot = page["version"]["bot"].as_i64().unwrap();
    let id = played_match(bob, bot);
    let paths = [
        format!("/matches/{id}"),
        format!("/matches/{id}/replay"),
        format!("/matches/{id}/delta?from=0&attempt=0"),
        format!("/matches/{id}/record"),
        format!("/bots/{bot}"),
        "/users/bob".to_owned(),
        "/matches".to_owned(),
        format!("/versions/{version}"),
    ];
    let own: Vec<String> = paths.iter().map(|path| bob.get(path).text).collect();
    assert!(
        own[1].contains("SECRET-PLAN") && own[1].contains("secret_depth"),
        "the owner reads its own output"
    );
    assert!(own[3].contains("SECRET-PLAN"));
    assert!(own[7].contains("SECRET-PLAN"), "the owner reads its own source");
    for other in [ana, &site.visitor()] {
        for path in &paths {
            let told = other.get(path).text;
            assert!(!told.contains("SECRET-PLAN") && !told.contains("secret_depth"), "{path}: {told}");
        }
        assert_eq!(other.get(&format!("/bots/{bot}")).ok()["own"], Value::Null);
        assert!(matches!(other.get(&format!("/versions/{version}")).status, 401 | 404));
    }
    // Players cannot change the data of others either.
    for path in [
        format!("/versions/{version}/activate"),
        format!("/versions/{version}/test"),
        format!("/bots/{bot}/trial"),
    ] {
        assert_eq!(ana.post(&path, &json!({})).status, 404, "{path}");
    }
}

/// The author of a faulty bot gets an exact description of the failure.
fn failures(player: &Visitor) {
    let body = json!({"game": "ocean-of-code", "language": "C", "source": "int main( {", "activate": true});
    let answer = player.post("/submissions", &body);
    if answer.status == 201 {
        let id = answer.json["id"].as_i64().unwrap();
        let page = player.until(&format!("/versions/{id}"), |page| page["version"]["state"] == "failed");
        assert!(page["log"].as_str().unwrap().contains("error"), "{page}");
        assert_eq!(player.post(&format!("/versions/{id}/activate"), &json!({})).code(), "build_failed");
    }
    let crash = "import sys\nsys.stderr.write('LAST-WORDS')\nsys.stderr.flush()\nraise SystemExit(3)\n";
    let page = hand_in(player, "back-track", crash, false);
    let version = page["version"]["id"].as_i64().unwrap();
    let page = player.until(&format!("/versions/{version}"), |page| page["tests"][0]["state"] == "done");
    let id = page["tests"][0]["id"].as_i64().unwrap();
    let told = player.get(&format!("/matches/{id}")).ok();
    let mine = told["mine"][0].as_u64().unwrap() as usize;
    assert_eq!(told["info"]["seats"][mine]["cause"], "crash", "{told}");
    assert!(told["details"][0].to_string().contains("LAST-WORDS"), "{told}");
}
