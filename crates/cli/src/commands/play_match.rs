//! The result of a match in the format of psyleague and cgarena: `agon play --play-match-json`.
//!
//! Both read one JSON object. `ranks` (0 is best, equal places are a draw) and `errors` (1 for a player that failed)
//! are for both. psyleague demands `test_data` and `player_data`, flat objects, and ignores the rest; cgarena takes
//! `scores` (32 bits) and `attributes`, whose values are strings, and ignores the rest.
//!
//! The output of a bot on its standard error is read by the conventions of these two tools: `[TDATA] k = v` is about
//! the match, `[PDATA] k = v` about the player, the values of `[PDATA+] k = v` are added, and a number in brackets,
//! `[PDATA][12] k = v`, is a turn, which only cgarena knows.

use std::collections::BTreeMap;

use play::{MatchPlan, PlayedMatch};
use referee::{Cause, Ending};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// A longer text is not a name.
const LONGEST_NAME: usize = 64;
/// A longer value is cut.
const LONGEST_VALUE: usize = 256;

#[derive(Serialize, Debug)]
pub(crate) struct PlayMatch {
    ranks: Vec<u8>,
    errors: Vec<u8>,
    scores: Vec<i32>,
    test_data: Map<String, Value>,
    player_data: Vec<Map<String, Value>>,
    attributes: Vec<Attribute>,
}

#[derive(Serialize, PartialEq, Debug)]
struct Attribute {
    name: String,
    player: Option<usize>,
    turn: Option<u16>,
    value: String,
}

/// The result of a match; an error when it is void.
pub(crate) fn of(plan: &MatchPlan<'_>, played: &PlayedMatch) -> Result<PlayMatch, String> {
    let (outcome, causes) = match &played.ending {
        Ending::Over { outcome, causes } => (outcome, causes),
        Ending::Void { why, .. } => {
            return Err(format!("the match is void, not by the bots' fault: {why}; play it again"));
        }
    };
    let mut notes = Notes::new(plan.bots.len());
    for entry in &played.log {
        notes.read(entry.seat.index(), &String::from_utf8_lossy(&entry.stderr));
    }
    let turns = played.play.turn().to_string();
    let mut test_data = Map::new();
    test_data.insert("seed".into(), json!(plan.seed.to_string()));
    test_data.insert("turns".into(), json!(turns));
    test_data.insert("reason".into(), json!(outcome.reason));
    test_data.extend(std::mem::take(&mut notes.of_match));
    notes.attribute("turns", None, None, turns);
    notes.attribute("reason", None, None, outcome.reason.clone());
    for (seat, cause) in causes.iter().enumerate() {
        if let Some(cause) = cause {
            notes.attribute("cause", Some(seat), None, cause.name().to_owned());
        }
    }
    Ok(PlayMatch {
        ranks: outcome.ranks.iter().map(|rank| rank.saturating_sub(1)).collect(),
        errors: causes.iter().map(|cause: &Option<Cause>| u8::from(cause.is_some())).collect(),
        scores: outcome.scores.iter().map(|&score| clamp(score)).collect(),
        test_data,
        player_data: notes.of_player,
        attributes: notes.attributes,
    })
}

/// A score, limited to the 32 bits that the other tools read.
pub(crate) fn clamp(score: i64) -> i32 {
    score.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// The data that bots wrote about the match and themselves.
struct Notes {
    of_match: Map<String, Value>,
    of_player: Vec<Map<String, Value>>,
    attributes: Vec<Attribute>,
    /// The position of each attribute.
    known: BTreeMap<(String, Option<usize>, Option<u16>), usize>,
}

impl Notes {
    fn new(players: usize) -> Notes {
        Notes {
            of_match: Map::new(),
            of_player: vec![Map::new(); players],
            attributes: Vec::new(),
            known: BTreeMap::new(),
        }
    }

    /// Reads the output of a bot during one of its turns. Other lines are skipped.
    fn read(&mut self, seat: usize, stderr: &str) {
        for note in stderr.lines().filter_map(Note::read) {
            let Note { about_match, sum, turn, name, value } = note;
            let player = (!about_match).then_some(seat);
            let mut value = value.to_owned();
            if turn.is_none() {
                let data = if about_match { &mut self.of_match } else { &mut self.of_player[seat] };
                if sum {
                    let before = data.get(name).and_then(Value::as_str).and_then(number).unwrap_or(0.0);
                    value = (before + number(&value).unwrap_or(0.0)).to_string();
                }
                // A string even if it is a number: psyleague rounds numbers to integers.
                data.insert(name.to_owned(), json!(value));
            }
            self.attribute(name, player, turn, value);
        }
    }

    /// The last value counts: cgarena keeps one value for a name, a player and a turn.
    fn attribute(&mut self, name: &str, player: Option<usize>, turn: Option<u16>, value: String) {
        let at = *self.known.entry((name.to_owned(), player, turn)).or_insert(self.attributes.len());
        match self.attributes.get_mut(at) {
            Some(known) => known.value = value,
            None => self.attributes.push(Attribute { name: name.to_owned(), player, turn, value }),
        }
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// `[PDATA+][12] name = value`
struct Note<'a> {
    about_match: bool,
    sum: bool,
    turn: Option<u16>,
    name: &'a str,
    value: &'a str,
}

impl Note<'_> {
    fn read(line: &str) -> Option<Note<'_>> {
        let (mark, rest) = line.trim().strip_prefix('[')?.split_once(']')?;
        let (about_match, sum) = match mark.to_ascii_uppercase().as_str() {
            "TDATA" => (true, false),
            "PDATA" => (false, false),
            "PDATA+" => (false, true),
            _ => return None,
        };
        let (turn, rest) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((turn, rest)) => (Some(turn.trim().parse().ok()?), rest),
            None => (None, rest),
        };
        let (name, value) = rest.split_once('=')?;
        let (name, value) = (name.trim(), value.trim());
        let is_name = |c: char| c.is_alphanumeric() || "_-.".contains(c);
        if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(is_name) {
            return None;
        }
        if value.is_empty() || value.chars().any(char::is_control) {
            return None;
        }
        let end = value.char_indices().nth(LONGEST_VALUE).map_or(value.len(), |(at, _)| at);
        Some(Note { about_match, sum, turn, name, value: &value[..end] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(stderr: &[(usize, &str)]) -> Notes {
        let mut notes = Notes::new(2);
        for (seat, text) in stderr {
            notes.read(*seat, text);
        }
        notes
    }

    #[test]
    fn notes_are_read_as_both_tools_read_them() {
        let notes = notes(&[
            (0, "hello\n[TDATA] map = open\n[PDATA] depth = 7\n[PDATA+] nodes = 100\n"),
            (1, "[PDATA][12] eval = -3\r\n  [pdata] style = very calm  \n"),
            (0, "[PDATA] depth = 9\n[PDATA+] nodes = 50.5\n"),
        ]);
        assert_eq!(Value::from(notes.of_match), json!({"map": "open"}));
        assert_eq!(json!(notes.of_player), json!([{"depth": "9", "nodes": "150.5"}, {"style": "very calm"}]));
        let attribute = |name: &str, player, turn, value: &str| Attribute {
            name: name.into(),
            player,
            turn,
            value: value.into(),
        };
        assert_eq!(
            notes.attributes,
            [
                attribute("map", None, None, "open"),
                attribute("depth", Some(0), None, "9"),
                attribute("nodes", Some(0), None, "150.5"),
                attribute("eval", Some(1), Some(12), "-3"),
                attribute("style", Some(1), None, "very calm"),
            ]
        );
    }

    #[test]
    fn lines_that_are_not_notes_are_ignored() {
        let long = format!("[PDATA] {} = 1", "n".repeat(65));
        for line in [
            "[PDATA] = 1",
            "[PDATA] x =",
            "[PDATA] two words = 1",
            "[PDATA][x] a = 1",
            "[PDATA][99999] a = 1",
            "[QDATA] a = 1",
            "PDATA a = 1",
            "[PDATA] a = \u{1b}[31m",
            &long,
        ] {
            let notes = notes(&[(0, line)]);
            assert!(notes.attributes.is_empty() && notes.of_player[0].is_empty(), "{line}");
        }
        let cut = notes(&[(0, &format!("[PDATA] a = {}", "é".repeat(300)))]);
        assert_eq!(cut.attributes[0].value.chars().count(), LONGEST_VALUE);
        assert_eq!(notes(&[(0, "[PDATA+] a = NaN\n[PDATA+] a = 2")]).of_player[0]["a"], "2");
    }
}
