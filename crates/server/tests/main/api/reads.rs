//! The public data, and the form of errors.

use serde_json::{Value, json};

use crate::common::site;

#[test]
fn the_site_lists_its_games_and_contests() {
    let site = site();
    let visitor = site.visitor();
    let told = visitor.get("/site").ok();
    let games: Vec<&str> =
        told["games"].as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap()).collect();
    for game in catalog::games() {
        assert!(games.contains(&game.info().name), "{games:?}");
    }
    for game in told["games"].as_array().unwrap() {
        let leagues = game["leagues"].as_array().unwrap();
        assert!(leagues.len() >= 2, "{game}");
        assert!(
            leagues.iter().all(|league| league["name"]["fr"].as_str().is_some_and(|name| !name.is_empty()))
        );
        assert!(!game["about"]["fr"].as_str().unwrap().is_empty());
        assert!(game["limits"]["turn_ms"].as_u64().unwrap() > 0);
    }
    assert_eq!(told["contests"][0]["key"], "arena");
    assert!(told["languages"].as_array().unwrap().iter().any(|one| one["name"] == "Python"));
    assert_eq!(visitor.get("!/healthz").text, "ready\n");
    assert!(visitor.get("!/llms.txt").text.contains(&format!("{}/api/v1/openapi.json", site.base)));
}

#[test]
fn statements_depend_on_league_and_language() {
    let site = site();
    let visitor = site.visitor();
    let read = |ask: &str| visitor.get(&format!("/games/ocean-of-code/statement?{ask}"));
    let first = read("tier=0&lang=en");
    assert_eq!(first.status, 200);
    assert!(first.header("content-type").unwrap().starts_with("text/markdown"));
    let bronze = read("tier=2&lang=en").text;
    assert!(!first.text.contains("TRIGGER") && bronze.contains("TRIGGER"));
    assert_ne!(read("tier=0&lang=fr").text, first.text);
    assert_eq!(read("tier=99").code(), "no_league");
    // The former name of the parameter.
    assert_eq!(read("league=2&lang=en").text, bronze);
    assert_eq!(visitor.get("/games/chess/statement").code(), "no_game");
    let kits = visitor.get("/games/hypersonic/kits").ok();
    assert!(
        kits.as_array().unwrap().iter().any(|kit| kit["file"] == "bot.py" && kit["language"] == "Python")
    );
}

#[test]
fn boards_list_built_in_bots_and_mark_the_boss() {
    let site = site();
    let visitor = site.visitor();
    let board = visitor.get("/boards/arena/ocean-of-code?tier=2").ok();
    let rows = board["rows"].as_array().unwrap();
    assert_eq!(rows.iter().filter(|row| row["boss"] == true).count(), 1, "{board}");
    assert!(rows.iter().all(|row| row["bot"]["built_in"] == true && row["bot"]["user"] == Value::Null));
    let four = visitor.get("/boards/arena/hypersonic?tier=4&players=4").ok();
    assert_eq!(four["players"], 4);
    let all = visitor.get("/boards/arena/back-track").ok();
    let tiers: Vec<i64> =
        all["rows"].as_array().unwrap().iter().map(|row| row["tier"].as_i64().unwrap()).collect();
    assert!(tiers.is_sorted_by(|one, next| one >= next), "{tiers:?}");
    assert_eq!(visitor.get("/boards/arena/back-track/side-quest").ok()["rows"], json!([]));
    let name = rows[0]["bot"]["name"].as_str().unwrap();
    let found = visitor.get(&format!("/boards/arena/ocean-of-code?tier=2&search={name}")).ok();
    assert!(!found["rows"].as_array().unwrap().is_empty());
    assert!(found["rows"].as_array().unwrap().iter().all(|row| row["bot"]["name"] == name));
}

#[test]
fn errors_have_stable_codes_and_hints() {
    let site = site();
    let visitor = site.visitor();
    let player = site.player("errs");
    let cases = [
        (visitor.get("/nothing"), 404, "not_found"),
        (visitor.get("/matches/1234567"), 404, "not_found"),
        (visitor.get("/matches/one"), 404, "not_found"),
        (visitor.get("/matches?limit=many"), 400, "bad_request"),
        (visitor.get("/matches?colour=red"), 400, "bad_request"),
        (visitor.get("/bots/99999"), 404, "not_found"),
        (visitor.get("/users/nobody-here"), 404, "not_found"),
        (visitor.get("/contests/nope"), 404, "not_found"),
        (visitor.get("/boards/nope/hypersonic"), 404, "not_found"),
        (visitor.get("/boards/arena/chess"), 404, "no_game"),
        (visitor.get("/me/bots"), 401, "sign_in"),
        (visitor.get("/versions/1"), 401, "sign_in"),
        (visitor.get("/events?topics=me"), 401, "sign_in"),
        (visitor.get("/events?topics=weather"), 400, "bad_request"),
        (player.post("/site", &json!({})), 405, "method"),
        (player.post("/submissions", &json!({"game": "hypersonic"})), 422, "bad_request"),
        (
            player.post("/submissions", &json!({"game": "hypersonic", "language": "COBOL", "source": "x"})),
            400,
            "no_language",
        ),
        (
            player.post("/submissions", &json!({"game": "chess", "language": "Python", "source": "x"})),
            404,
            "no_game",
        ),
        (
            player.post("/submissions", &json!({"game": "hypersonic", "language": "Python", "source": " "})),
            400,
            "bad_request",
        ),
        (
            player.post(
                "/submissions",
                &json!({"game": "hypersonic", "language": "Python", "source": "#".repeat(100_001)}),
            ),
            413,
            "too_large",
        ),
        (
            player.post(
                "/submissions",
                &json!({"contest": "nope", "game": "hypersonic", "language": "Python", "source": "x"}),
            ),
            404,
            "not_found",
        ),
        (player.post("/versions/77/activate", &json!({})), 404, "not_found"),
        (player.post("/bots/1/trial", &json!({})), 404, "not_found"),
    ];
    for (number, (answer, status, code)) in cases.iter().enumerate() {
        assert_eq!((answer.status, answer.code()), (*status, *code), "case {number}: {}", answer.text);
        let error = &answer.json["error"];
        assert!(error["message"].as_str().is_some_and(|text| text.len() > 5), "{error}");
        assert!(error["hint"].as_str().is_some_and(|text| text.len() > 5), "{error}");
    }
}

#[test]
fn unknown_paths_return_the_page_of_the_site() {
    let site = site();
    let visitor = site.visitor();
    let home = visitor.get("!/");
    assert_eq!(home.status, 200);
    assert!(home.header("content-type").unwrap().starts_with("text/html"));
    assert_eq!(home.header("cache-control"), Some("no-cache"));
    // An address without a view: the page of the site, which says so.
    let unknown = visitor.get("!/g/ocean-of-code/anything");
    assert_eq!((unknown.status, unknown.text), (404, home.text.clone()));
    assert_eq!(visitor.get("!/assets/no-such-file.js").code(), "not_found");
    assert_eq!(visitor.get("!/api/v2/site").code(), "not_found");
    let tag = home.header("etag").unwrap().to_owned();
    let again = visitor.agent.get(format!("{}/", site.base)).header("if-none-match", &tag).call().unwrap();
    assert_eq!(again.status().as_u16(), 304);
}

#[test]
fn every_answer_has_a_request_id() {
    let site = site();
    let visitor = site.visitor();
    let id = |path: &str| visitor.get(path).header("x-request-id").unwrap().to_owned();
    let ids = [id("/site"), id("/site"), id("/matches/999999"), id("!/nowhere")];
    assert!(
        ids.iter().all(|id| id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit())),
        "{ids:?}"
    );
    assert_ne!(ids[0], ids[1]);
}
