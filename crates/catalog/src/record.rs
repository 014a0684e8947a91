//! A match or a map as a line of JSON.
//!
//! Three kinds of lines share one form, so that one reader serves all:
//! - a *record*, which Agon writes: `{"agon":1,"game","seed","rules":{...},"turns":[{"player","output"}],"end":{...}}`. The
//!   rules are written out in full, so that an old record still verifies after rules were added or changed;
//! - a *trace* of an official referee: rules by name (`league`, `rules`, `options`), and with each turn what was sent, as
//!   `input` lines or as `input_sha256`;
//! - a *map*: a header and the map, without turns.
//!
//! Unknown keys are ignored: a newer version may write more.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

/// The version of the records this program writes, and the newest it reads.
pub const VERSION: u32 = 1;

/// The game, the seed and the rules of a line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Header {
    /// Version of the record; traces have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agon: Option<u32>,
    /// Name of the game.
    pub game: String,
    /// The seed: a decimal in a string, since not every reader of JSON keeps 64 bits.
    #[serde(with = "seed_text")]
    pub seed: i64,
    /// Level of the league, in traces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub league: Option<u64>,
    /// The rules: all numbers in a record, the name of the edition in a trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<RulesField>,
    /// How many players take part, in traces of games where that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub players: Option<u8>,
    /// Options of a trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Map<String, Value>>,
}

/// The rules of a line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RulesField {
    /// Name of an edition.
    Edition(String),
    /// Every number.
    Full(Map<String, Value>),
}

/// A match: a header, the turns, the end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Played {
    /// The game, the seed and the rules.
    #[serde(flatten)]
    pub header: Header,
    /// The answers in the order they were asked for.
    pub turns: Vec<Turn>,
    /// How it ended, in the words of the game.
    pub end: Map<String, Value>,
    /// The players, by seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bots: Option<Vec<Player>>,
    /// Scores, places and causes of failure; or that the match is void, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Value>,
    /// Numbers that bots wrote about themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metrics: Option<Value>,
    /// What the match allowed: clock and limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings: Option<Value>,
    /// The machine it was played on, and its noise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<Value>,
    /// The match that this one continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Parent>,
}

/// The match that another one continues: both have the same answers up to a turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Parent {
    /// The digest of the parent: see [`Played::digest`].
    pub digest: String,
    /// The first turn that was played anew. All answers before it are those of the parent.
    pub turn: u32,
    /// How each seat came to this turn.
    pub seats: Vec<ParentSeat>,
}

/// How a bot came to the first turn that was played anew.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct ParentSeat {
    /// The name of the player that had this seat in the parent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The number of recorded questions that the bot was sent; its answers to them were ignored.
    pub ignored: u32,
    /// The number of those answers that differ from the recorded ones.
    pub differed: u32,
    /// The line that was played at the turn instead of an answer of the bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given: Option<Line>,
}

impl Played {
    /// A match with its answers and end alone.
    pub fn new(header: Header, turns: Vec<Turn>, end: Map<String, Value>) -> Played {
        let (bots, outcome, metrics, settings, host, parent) = (None, None, None, None, None, None);
        Played { header, turns, end, bots, outcome, metrics, settings, host, parent }
    }

    /// SHA-256, in lower-case hexadecimal digits, of the values that determine the match: game, seed, rules and answers.
    /// `rules` are all numbers of the rules ([`crate::AnyMatch::rules`]). The digest does not depend on the form of the file
    /// and on the parts of a record that others may not see.
    ///
    /// # Panics
    ///
    /// Never: a record is plain data.
    pub fn digest(&self, rules: &Value) -> String {
        let answers: Vec<_> = self.turns.iter().map(|turn| (turn.player, &turn.output)).collect();
        let match_values = (&self.header.game, self.header.seed.to_string(), rules, answers);
        let text = serde_json::to_vec(&match_values).expect("a record is plain data");
        hex(&Sha256::digest(text))
    }
}

/// A player of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Player {
    /// Its name in results.
    pub name: String,
    /// The word for it on the command line.
    pub command: String,
    /// SHA-256 of its source or program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The most memory it used, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

/// One answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Turn {
    /// The player that was asked.
    pub player: u8,
    /// The lines that were sent since the last answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Vec<String>>,
    /// Instead of `input`: SHA-256 of the lines, each with its line feed, in lower-case hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_sha256: Option<String>,
    /// With `input_sha256`: the initialization lines, where they were part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub init: Option<Vec<String>>,
    /// With `input_sha256`: the two scores as sent, own first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<i64>>,
    /// The answer, one line; `None` when none came in time.
    pub output: Option<Vec<Line>>,
    /// Time from the question to the answer, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_us: Option<u64>,
    /// CPU time of the program meanwhile, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_us: Option<u64>,
    /// What the program wrote to its standard error output since its last answer, cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<Line>,
}

impl Turn {
    /// The answer as the match takes it: the first line; `None` when none came in time.
    pub fn answer(&self) -> Option<&[u8]> {
        self.output.as_ref().map(|lines| lines.first().map_or(&b""[..], |line| &line.0))
    }

    /// An answer without further values.
    pub fn new(player: u8, output: Option<Vec<u8>>) -> Turn {
        Turn {
            player,
            input: None,
            input_sha256: None,
            init: None,
            scores: None,
            output: output.map(|line| vec![Line(line)]),
            wall_us: None,
            cpu_us: None,
            stderr: None,
        }
    }
}

/// A line a bot wrote: any bytes. Text stays text; other bytes, and texts that are shorter that way (JSON writes a
/// control character as six bytes), become `{"hex":"ff00"}`. So a line is at most about twice as long as its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line(pub Vec<u8>);

/// A line of a file: a match or a map.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A match, as a record or a trace.
    Played(Box<Played>),
    /// A map and the header of the game it belongs to.
    Map(Box<Header>, Map<String, Value>),
}

/// A line that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Not JSON, or not the form of a record.
    #[error("this is not a record, a trace or a map: {0}")]
    Form(serde_json::Error),
    /// A record of a version this program does not know.
    #[error("the record has version {0}, this program reads up to {VERSION}; use a newer agon")]
    TooNew(u32),
}

/// Reads a line.
///
/// # Errors
///
/// When it is not a match or a map in the form of this module.
pub fn read(text: &[u8]) -> Result<Entry, ReadError> {
    // A first look at the keys decides which form to read.
    #[derive(Deserialize)]
    struct Glance {
        agon: Option<u32>,
        turns: Option<de::IgnoredAny>,
    }
    let glance: Glance = serde_json::from_slice(text).map_err(ReadError::Form)?;
    if let Some(version) = glance.agon.filter(|&version| version > VERSION) {
        return Err(ReadError::TooNew(version));
    }
    if glance.turns.is_some() {
        let played: Played = serde_json::from_slice(text).map_err(ReadError::Form)?;
        return Ok(Entry::Played(Box::new(played)));
    }
    let header: Header = serde_json::from_slice(text).map_err(ReadError::Form)?;
    let map: Map<String, Value> = serde_json::from_slice(text).map_err(ReadError::Form)?;
    Ok(Entry::Map(Box::new(header), map))
}

impl Serialize for Line {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Bytes {
            hex: String,
        }
        // The characters that JSON writes as six bytes.
        let escaped = |byte: &&u8| **byte < b' ' && !b"\x08\t\n\x0c\r".contains(*byte);
        let escaped = self.0.iter().filter(escaped).count();
        match std::str::from_utf8(&self.0) {
            Ok(text) if escaped * 5 <= self.0.len() => serializer.serialize_str(text),
            _ => Bytes { hex: hex(&self.0) }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Line {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form<'a> {
            Text(#[serde(borrow)] Cow<'a, str>),
            Bytes { hex: String },
        }
        match Form::deserialize(deserializer)? {
            Form::Text(text) => Ok(Line(text.into_owned().into_bytes())),
            Form::Bytes { hex } => {
                unhex(&hex).map(Line).ok_or_else(|| de::Error::custom("bad hexadecimal digits"))
            }
        }
    }
}

/// Bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(DIGITS[digit as usize]))
        .collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> =
        text.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect::<Option<_>>()?;
    let (pairs, rest) = digits.as_chunks();
    rest.is_empty().then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}

/// Seeds are strings; numbers are read as well.
pub mod seed_text {
    use super::{Deserializer, Serializer, Visitor, de, fmt};

    /// Writes a seed as a string.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    // The form that serde asks for.
    #[allow(clippy::trivially_copy_pass_by_ref)]
    pub fn serialize<S: Serializer>(seed: &i64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(seed)
    }

    /// Reads a seed from a string or a number.
    ///
    /// # Errors
    ///
    /// When it is not a whole number of 64 bits with sign.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
        struct Seed;
        impl Visitor<'_> for Seed {
            type Value = i64;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a seed: a whole number of 64 bits with sign, in a string")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<i64, E> {
                text.parse().map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
            }
            fn visit_i64<E: de::Error>(self, seed: i64) -> Result<i64, E> {
                Ok(seed)
            }
            fn visit_u64<E: de::Error>(self, seed: u64) -> Result<i64, E> {
                i64::try_from(seed).map_err(|_| E::invalid_value(de::Unexpected::Unsigned(seed), &self))
            }
        }
        deserializer.deserialize_any(Seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_round_trip() {
        for bytes in [&b"MOVE N"[..], b"", b"\xff\x00|", "é\u{2028}\t".as_bytes()] {
            let line = Line(bytes.to_vec());
            let text = serde_json::to_string(&line).unwrap();
            assert_eq!(serde_json::from_str::<Line>(&text).unwrap(), line, "{text}");
        }
        // Control characters do not make a line six times as long; a text with a few of them stays readable.
        let noise = Line(vec![1; 1000]);
        let text = serde_json::to_string(&noise).unwrap();
        assert!(text.len() < 2100, "{text}");
        assert_eq!(serde_json::from_str::<Line>(&text).unwrap(), noise);
        assert_eq!(
            serde_json::to_string(&Line(b"\x1b[1m1\n2\n3\n".to_vec())).unwrap(),
            r#""\u001b[1m1\n2\n3\n""#
        );
        assert!(serde_json::from_str::<Line>(r#"{"hex":"f"}"#).is_err());
        assert!(serde_json::from_str::<Line>(r#"{"hex":"zz"}"#).is_err());
    }

    #[test]
    fn lines_that_cannot_be_read_say_why() {
        let why = |text: &str| read(text.as_bytes()).unwrap_err().to_string();
        assert!(why("{").contains("not a record"));
        assert!(why(r#"{"agon":99,"game":"x","seed":"1","turns":[],"end":{}}"#).contains("newer agon"));
        assert!(why(r#"{"game":"x","seed":"9223372036854775808"}"#).contains("64 bits"));
        assert!(
            why(r#"{"game":"x","seed":"1","turns":[{"player":0,"output":[5]}],"end":{}}"#)
                .contains("not a record")
        );
    }

    #[test]
    fn unknown_keys_are_passed_over() {
        let text = r#"{"agon":1,"game":"x","seed":5,"news":1,"turns":[{"player":0,"output":["a"],"ms":3}],"end":{}}"#;
        let Ok(Entry::Played(played)) = read(text.as_bytes()) else { panic!("not read") };
        assert_eq!(played.header.seed, 5);
        assert_eq!(played.turns[0].output, Some(vec![Line(b"a".to_vec())]));
    }
}
