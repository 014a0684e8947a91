//! `agon play --play-match-json`, parsed like psyleague and cgarena do.

use serde::Deserialize;
use serde_json::Value;

use super::support::{agon, ends_with, printed};
use crate::Scratch;

/// Parses like psyleague: four keys are required, and the values of the data are numbers, can be converted to
/// numbers, or stay text; anything else stops the league.
pub(crate) fn read_by_psyleague(text: &str, players: usize) -> Value {
    let data: Value = serde_json::from_str(text.trim()).unwrap();
    let flat =
        |data: &Value| data.as_object().unwrap().values().all(|value| value.is_string() || value.is_number());
    for key in ["ranks", "errors", "player_data"] {
        assert_eq!(data[key].as_array().unwrap().len(), players, "{key}");
    }
    assert!(flat(&data["test_data"]) && data["player_data"].as_array().unwrap().iter().all(flat));
    data
}

/// The format of cgarena: with these number types; a list whose length is not the number of bots is refused.
#[derive(Deserialize)]
pub(crate) struct CgArena {
    pub(crate) ranks: Vec<u8>,
    pub(crate) errors: Vec<u8>,
    #[serde(default)]
    pub(crate) scores: Vec<i32>,
    #[serde(default)]
    pub(crate) attributes: Vec<CgArenaAttribute>,
}

#[derive(Deserialize)]
pub(crate) struct CgArenaAttribute {
    pub(crate) name: String,
    pub(crate) player: Option<usize>,
    pub(crate) turn: Option<u16>,
    pub(crate) value: String,
}

pub(crate) fn read_by_cgarena(text: &str, players: usize) -> CgArena {
    let result: CgArena = serde_json::from_str(text).unwrap();
    assert_eq!([result.ranks.len(), result.errors.len(), result.scores.len()], [players; 3]);
    assert!(result.attributes.iter().filter_map(|attribute| attribute.player).all(|player| player < players));
    result
}

#[test]
fn both_leagues_read_a_match() {
    let talker = "sh -c 'while read l; do echo \"[PDATA] depth = 7\" >&2; echo \"[PDATA][2] eval = -3\" >&2; \
        echo \"[TDATA] map = open\" >&2; echo \"[PDATA+] nodes = 1.5\" >&2; echo MOVE 0 0; done'";
    let crash = "sh -c 'exit 3'";
    let line = [
        "play",
        "hypersonic",
        "--play-match-json",
        "--seed=-4",
        "--clock",
        "off",
        "--bot",
        talker,
        crash,
        "@wait",
    ];
    let text = printed(&line);
    let data = read_by_psyleague(&text, 3);
    assert_eq!(data["errors"], serde_json::json!([0, 1, 0]));
    assert_eq!(data["ranks"][1], 2, "the one that failed at once is last: {data}");
    assert_eq!((&data["test_data"]["seed"], &data["test_data"]["map"]), (&"-4".into(), &"open".into()));
    assert_eq!(data["player_data"][0]["depth"], "7");
    assert!(data["player_data"][0]["nodes"].as_str().unwrap().parse::<f64>().unwrap() >= 1.5);
    let result = read_by_cgarena(&text, 3);
    let find = |name: &str, player| {
        let attribute = result.attributes.iter().find(|it| it.name == name && it.player == player);
        attribute.map(|attribute| (attribute.turn, attribute.value.as_str()))
    };
    assert_eq!(find("eval", Some(0)), Some((Some(2), "-3")));
    assert_eq!(find("map", None), Some((None, "open")));
    assert_eq!(find("cause", Some(1)), Some((None, "crash")));
    assert_eq!(find("cause", Some(0)), None);
}

#[test]
fn a_draw_has_equal_places() {
    let text = printed(&["play", "hypersonic", "--play-match-json", "@wait", "@wait", "--seed", "1"]);
    assert_eq!(read_by_cgarena(&text, 2).ranks, [0, 0]);
    let text = printed(&["play", "ocean-of-code", "--play-match-json", "@wait", "@random", "--seed", "3"]);
    assert_eq!(read_by_cgarena(&text, 2).ranks, [1, 0]);
}

#[test]
fn the_option_works_with_a_record_but_not_with_other_output() {
    let scratch = Scratch::new();
    let record = scratch.file("match.json.gz");
    printed(&["play", "hypersonic", "@wait", "@random", "--play-match-json", "--record", &record]);
    printed(&["verify", &record]);
    for other in ["--json", "--show", "--stderr"] {
        ends_with(
            &["play", "hypersonic", "@wait", "@wait", "--play-match-json", other],
            2,
            &["cannot be used with"],
        );
    }
    ends_with(&["play", "hypersonic", "--play-match-json"], 2, &["BOT"]);
}

#[test]
fn output_of_bots_cannot_break_the_json() {
    let nasty = "sh -c 'while read l; do printf \"[PDATA] a = \\\"},{\\\\\\\\ \\377\\n[PDATA] b = \\033[31m\\n\" >&2; echo MOVE 0 0; done'";
    let output =
        agon(&["play", "hypersonic", nasty, "@wait", "--play-match-json", "--clock", "off", "--seed", "1"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains('\u{1b}'));
    let data = read_by_psyleague(&text, 2);
    assert!(data["player_data"][0]["a"].as_str().unwrap().starts_with("\"},{"));
    read_by_cgarena(&text, 2);
}
