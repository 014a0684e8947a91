//! Following live matches and events.

use std::io::{BufRead as _, BufReader};

use serde_json::{Value, json};

use crate::common::raw::Raw;
use crate::common::{Visitor, site_with};

/// Reads events until one is `wanted`; returns all events up to it.
fn listen(visitor: &Visitor, topics: &str, wanted: fn(&Value) -> bool) -> Vec<Value> {
    let url = format!("{}/api/v1/events?topics={topics}", visitor.base);
    let mut request =
        visitor.agent.get(url).config().timeout_global(Some(std::time::Duration::from_mins(5))).build();
    if let Some(cookie) = &visitor.cookie {
        request = request.header("cookie", cookie);
    }
    let mut response = request.call().unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut came = Vec::new();
    for line in BufReader::new(response.body_mut().as_reader()).lines() {
        let line = line.unwrap();
        if let Some(data) = line.strip_prefix("data: ") {
            let event: Value = serde_json::from_str(data).unwrap();
            let is_last = wanted(&event);
            came.push(event);
            if is_last {
                break;
            }
        }
    }
    came
}

pub(crate) fn listeners_receive_only_their_topics() {
    let site = site_with(&[("workers", "1"), ("idle_every", "0")]);
    let ana = site.player("ana");
    let bob = site.player("bob");
    let hears = |who: &Visitor, topics: &'static str, wanted: fn(&Value) -> bool| {
        let who = who.clone();
        std::thread::spawn(move || listen(&who, topics, wanted))
    };
    let own = hears(&ana, "me", |event| event["type"] == "my_match");
    let all = hears(&bob, "matches,me,board:hypersonic", |event| {
        event["type"] == "match_done" && event["match"]["seats"].to_string().contains("\"ana\"")
    });
    // Both must be connected before the first event.
    testing::until("two listeners", || (site.server.app().hub.listeners() == 2).then_some(()));
    let kit = ana.get("/games/hypersonic/kits").ok();
    let source = kit[0]["source"].clone();
    let body = json!({"game": "hypersonic", "language": "Python", "source": source, "activate": true});
    let version = ana.post("/submissions", &body).ok()["id"].clone();
    let own = own.join().unwrap();
    let kinds: Vec<&str> = own.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"version_built"), "{kinds:?}");
    let built = own.iter().find(|event| event["type"] == "version_built").unwrap();
    assert_eq!((&built["version"], &built["ready"]), (&version, &json!(true)));
    assert!(!kinds.contains(&"match_done"), "{kinds:?}");
    let all = all.join().unwrap();
    assert!(all.iter().any(|event| event["type"] == "match_started"), "{all:?}");
    assert!(
        all.iter().all(|event| event["type"] != "version_built" && event["type"] != "my_match"),
        "{all:?}"
    );
}

/// A bot that thinks for a while, so that there is something to follow.
const SLOW: &str = "import sys, time\nwhile True:\n    line = sys.stdin.readline()\n    if not line:\n        break\n    if len(line.split()) == 1 and line.strip().isdigit():\n        n = int(line)\n        for _ in range(n):\n            sys.stdin.readline()\n        time.sleep(0.02)\n        print('BOMB 6 5 hello', flush=True)\n";

pub(crate) fn a_running_match_can_be_followed() {
    let site = site_with(&[("workers", "1"), ("idle_every", "0")]);
    let ana = site.player("ana");
    let body = json!({"game": "hypersonic", "language": "Python", "source": SLOW, "activate": true});
    ana.post("/submissions", &body).ok();
    let visitor = site.visitor();
    let live = visitor.until("/matches/live", |live| {
        live.as_array().is_some_and(|all| all.iter().any(|one| one["watch"] == "live"))
    });
    let id = live.as_array().unwrap().iter().find(|one| one["watch"] == "live").unwrap()["info"]["id"]
        .as_i64()
        .unwrap();
    let replay = visitor.get(&format!("/matches/{id}/replay"));
    // The match may have ended since: then the replay is complete, and there is nothing more to follow.
    let mut steps = replay.ok()["steps"].as_array().unwrap().len();
    let mut attempt = 0;
    loop {
        let more = visitor.get(&format!("/matches/{id}/delta?from={steps}&attempt={attempt}")).ok();
        steps += more["steps"].as_array().unwrap().len();
        attempt = more["attempt"].as_u64().unwrap();
        if more["done"] == true {
            break;
        }
    }
    visitor.until(&format!("/matches/{id}"), |page| page["info"]["state"] == "done");
    let whole = visitor.get(&format!("/matches/{id}/replay")).ok();
    assert_eq!(whole["steps"].as_array().unwrap().len(), steps);
}

/// Clients that wait for the next step of a match, more than the connections that are kept open, do not keep other
/// clients out.
pub(crate) fn waiting_clients_do_not_keep_visitors_out() {
    const WAITING: usize = 64;
    let settings =
        [("workers", "1"), ("idle_every", "0"), ("connections", "32"), ("trusted_proxy", "127.0.0.1")];
    let site = site_with(&settings);
    let ana = site.player("ana");
    let body = json!({"game": "hypersonic", "language": "Python", "source": SLOW, "activate": true});
    ana.post("/submissions", &body).ok();
    let mut visitor = site.visitor();
    let waiting = || site.server.app().guard.connections.open().1;
    let host = site.base.strip_prefix("http://").unwrap();
    let begun = std::time::Instant::now();
    loop {
        // A match may be over before all clients wait: then the next one is tried.
        assert!(begun.elapsed().as_secs() < 300, "no match was played for long enough");
        let live = visitor.until("/matches/live", |live| {
            live.as_array().is_some_and(|all| all.iter().any(|one| one["watch"] == "live"))
        });
        let live =
            live.as_array().unwrap().iter().find(|one| one["watch"] == "live").unwrap()["info"]["id"].clone();
        let attempt = visitor.get(&format!("/matches/{live}/replay")).json["attempt"].as_u64().unwrap_or(0);
        let ask = format!(
            "GET /api/v1/matches/{live}/delta?from=100000&attempt={attempt} HTTP/1.1\r\nhost: {host}\r\nx-forwarded-for: 192.0.2.1\r\n\r\n"
        );
        let mut clients: Vec<Raw> = (0..WAITING).map(|_| Raw::to(site.server.address())).collect();
        for client in &mut clients {
            client.send(ask.as_bytes());
        }
        let all_wait = (0..100).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            waiting() == WAITING
        });
        for number in 0..100 {
            visitor.forwarded = Some(if number % 2 == 0 { "192.0.2.1" } else { "198.51.100.1" }.to_owned());
            // Each request on a connection of its own.
            let answer = Visitor { agent: site.visitor().agent, ..visitor.clone() }.get("/contests");
            assert_eq!(answer.status, 200, "{}", answer.text);
        }
        if all_wait && waiting() > 0 {
            break;
        }
    }
}

pub(crate) fn a_match_with_hidden_information_is_shown_only_after_its_end() {
    let site = site_with(&[("workers", "1"), ("idle_every", "0")]);
    let ana = site.player("ana");
    let kits = ana.get("/games/ocean-of-code/kits").ok();
    // The bot is slow, so that the match can be seen on a fast machine too.
    let slow =
        kits[0]["source"].as_str().unwrap().replace("print(", "__import__('time').sleep(0.01); print(");
    let body = json!({"game": "ocean-of-code", "language": "Python", "source": slow, "activate": true});
    ana.post("/submissions", &body).ok();
    let visitor = site.visitor();
    let mut refused = 0;
    let begun = std::time::Instant::now();
    loop {
        let live = visitor.get("/matches/live").ok();
        // Built-in bots may play a match of another game at the start.
        for one in live.as_array().unwrap().iter().filter(|one| one["info"]["game"] == "ocean-of-code") {
            assert_ne!(one["watch"], "live", "{one}");
            let id = one["info"]["id"].as_i64().unwrap();
            for who in [&visitor, &ana] {
                let replay = who.get(&format!("/matches/{id}/replay"));
                let more = who.get(&format!("/matches/{id}/delta?from=0&attempt=0"));
                if replay.status == 409 && replay.code() == "hidden" {
                    refused += 1;
                    assert!(more.code() == "hidden" || more.json["done"] == true, "{}", more.text);
                }
            }
        }
        if refused > 0 {
            break;
        }
        assert!(begun.elapsed().as_secs() < 300, "no match was seen while it was played");
    }
}

pub(crate) fn a_restarted_site_continues_its_matches() {
    let site = site_with(&[("workers", "1"), ("idle_every", "0")]);
    let ana = site.player("ana");
    let kits = ana.get("/games/hypersonic/kits").ok();
    let body =
        json!({"game": "hypersonic", "language": "Python", "source": kits[0]["source"], "activate": true});
    let version = ana.post("/submissions", &body).ok();
    let bot = version["bot"].as_i64().unwrap();
    ana.until(&format!("/matches?bot={bot}"), |list| {
        list["matches"].as_array().is_some_and(|all| !all.is_empty())
    });
    // Restart in the middle of the best of five.
    let site = site.restart();
    let ana = site.again(&ana);
    assert_eq!(ana.get("/me").ok()["user"]["name"], "ana", "the session goes on");
    assert!(site.server.first_admin().is_none(), "the admin is made once");
    ana.until(&format!("/bots/{bot}"), |page| page["card"]["tier"] == 1);
    let played = ana.get(&format!("/matches?bot={bot}&limit=100")).ok();
    let trials = played["matches"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["kind"] == "trial" && one["state"] == "done");
    assert!((3..=5).contains(&trials.count()), "{played}");
}
