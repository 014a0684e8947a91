//! Games of a person against built-in bots.

use serde_json::{Value, json};

use crate::common::site;

#[test]
fn a_person_can_play_a_whole_game_against_the_boss() {
    let site = site();
    let visitor = site.visitor();
    let mut reply = visitor.post("/human-games", &json!({"game": "hypersonic", "tier": 0, "seed": "3"})).ok();
    let id = reply["id"].as_u64().unwrap();
    assert!(reply["asked"]["input"].as_str().unwrap().contains('\n'));
    assert_eq!(visitor.get(&format!("/human-games/{id}/record")).code(), "not_over");
    let faults = visitor.post(&format!("/human-games/{id}/check"), &json!({"line": "DANCE"})).ok();
    assert!(!faults.as_array().unwrap().is_empty());
    // Another person does not learn that the game exists.
    let other = site.player("other");
    assert_eq!(other.get(&format!("/human-games/{id}/replay")).code(), "no_table");
    let mut answers = 0;
    while reply["asked"] != Value::Null {
        reply = visitor.post(&format!("/human-games/{id}/answer"), &json!({"line": "MOVE 0 0"})).ok();
        answers += 1;
        assert!(answers < 500);
    }
    assert!(reply["end"]["outcome"]["scores"].is_array());
    let replay = visitor.get(&format!("/human-games/{id}/replay")).ok();
    assert_eq!(replay["done"], true);
    assert_eq!(replay["header"]["human"], 0);
    let record = visitor.get(&format!("/human-games/{id}/record"));
    assert_eq!(record.status, 200);
    assert!(catalog::verify::line(record.text.as_bytes()).unwrap().mismatches.is_empty());
}

#[test]
fn a_fourth_game_ends_the_oldest_one() {
    let site = site();
    let player = site.player("player");
    let begin = || {
        player.post("/human-games", &json!({"game": "back-track", "tier": 0})).ok()["id"].as_u64().unwrap()
    };
    let ids: Vec<u64> = (0..4).map(|_| begin()).collect();
    let found: Vec<u16> = ids.iter().map(|id| player.get(&format!("/human-games/{id}")).status).collect();
    assert_eq!(found, [404, 200, 200, 200]);
    let why = player.post("/human-games", &json!({"game": "back-track", "tier": 0, "seat": 7}));
    assert_eq!((why.status, why.code()), (400, "bad_request"));
    assert_eq!(player.post("/human-games", &json!({"game": "back-track", "tier": 42})).code(), "no_league");
}

#[test]
fn a_person_can_choose_the_level_of_the_opponent() {
    let site = site();
    let visitor = site.visitor();
    let told = visitor.get("/site").ok();
    for offer in told["games"].as_array().unwrap() {
        let game = catalog::find(offer["name"].as_str().unwrap()).unwrap();
        let offered = offer["built_in"].as_array().unwrap();
        for level in game.levels() {
            assert!(offered.contains(&json!(level.name)), "{}: {}", offer["name"], level.name);
        }
        let weakest = game.levels().first().expect("every game of the site has levels");
        let ask =
            |opponent: &str| json!({"game": offer["name"], "tier": 1, "seed": "3", "opponent": opponent});
        let id = visitor.post("/human-games", &ask(weakest.name)).ok()["id"].as_u64().unwrap();
        let replay = visitor.get(&format!("/human-games/{id}/replay")).ok();
        assert_eq!(replay["header"]["players"][1]["name"], weakest.title);
        let why = visitor.post("/human-games", &ask("champion:11"));
        assert_eq!((why.status, why.code()), (400, "bad_request"));
        assert!(why.text.contains("champion:1 to champion:10"), "{}", why.text);
    }
}
