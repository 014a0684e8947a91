//! Mistakes in answers.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Seat;

/// How an answer failed. An answer that is allowed makes no fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// No answer came in time.
    Missing,
    /// The answer, or a piece of it, does not have the form the protocol asks for.
    Unreadable,
    /// The form is right, but the rules do not allow it now.
    NotAllowed,
}

/// One mistake in one answer: the turn, the player, what was expected and what came.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Fault {
    /// The turn in which it happened, as [`crate::Match::turn`] counts.
    pub turn: u32,
    /// The player who answered.
    pub seat: Seat,
    /// The kind of mistake.
    pub kind: FaultKind,
    /// Whether it cost the player the game. If not, the piece was skipped and play went on.
    pub fatal: bool,
    /// A short stable name, such as `bad-direction`.
    pub code: Cow<'static, str>,
    /// The reason in the official referee's words, where it has any.
    pub reason: String,
    /// What would have been right.
    pub expected: Cow<'static, str>,
    /// The same in French; empty in records that were written without it.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<String>"))]
    pub expected_fr: Cow<'static, str>,
    /// What came, escaped and cut by [`quote`]; `nothing` where no answer came.
    pub came: String,
}

/// A text in English and in French.
pub type Words = (Cow<'static, str>, Cow<'static, str>);

/// A pair of texts: English, French.
pub fn words(en: impl Into<Cow<'static, str>>, fr: impl Into<Cow<'static, str>>) -> Words {
    (en.into(), fr.into())
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { turn, seat, fatal, code, expected, came, .. } = self;
        write!(f, "turn {turn}, player {seat}: ")?;
        if *fatal {
            write!(f, "expected {expected}, got {came} [{code}]")
        } else {
            write!(f, "{came} skipped: expected {expected} [{code}]")
        }
    }
}

impl std::error::Error for Fault {}

/// Quotes what a bot wrote so that it can be shown anywhere: control characters and broken UTF-8 escaped, cut after
/// 40 characters with the full length named.
#[must_use]
pub fn quote(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = String::from_utf8_lossy(bytes);
    let mut quoted = String::from("`");
    for (i, c) in text.chars().enumerate() {
        if i == LONGEST {
            return quoted + &format!("…` ({} bytes)", bytes.len());
        }
        // Quotes and apostrophes are harmless between back-ticks and easier to read as they are.
        if crate::text::is_unsafe(c) {
            quoted.extend(c.escape_unicode());
        } else {
            quoted.push(c);
        }
    }
    quoted.push('`');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_safe_and_short() {
        assert_eq!(quote(b"MOVE N"), "`MOVE N`");
        assert_eq!(quote(b"a\tb\x1b"), "`a\\u{9}b\\u{1b}`");
        assert_eq!(quote("\u{202E}x".as_bytes()), "`\\u{202e}x`");
        assert_eq!(quote(&[b'x'; 1000]), format!("`{}…` (1000 bytes)", "x".repeat(40)));
        assert_eq!(quote(b"\xff"), "`\u{fffd}`");
    }

    #[test]
    fn a_fault_says_when_who_what_and_why() {
        let fault = Fault {
            turn: 12,
            seat: Seat(1),
            kind: FaultKind::Unreadable,
            fatal: true,
            code: "bad-direction".into(),
            reason: "Invalid direction: Q.".into(),
            expected: "N, E, S or W".into(),
            expected_fr: "N, E, S ou W".into(),
            came: quote(b"MOVE Q"),
        };
        assert_eq!(
            fault.to_string(),
            "turn 12, player 1: expected N, E, S or W, got `MOVE Q` [bad-direction]"
        );
        let skipped = Fault { fatal: false, ..fault };
        assert_eq!(
            skipped.to_string(),
            "turn 12, player 1: `MOVE Q` skipped: expected N, E, S or W [bad-direction]"
        );
    }

    #[test]
    fn a_fault_of_an_older_record_can_be_read() {
        let text = r#"{"turn":1,"seat":0,"kind":"missing","fatal":true,"code":"c","reason":"","expected":"x","came":"y"}"#;
        let fault: Fault = serde_json::from_str(text).unwrap();
        assert_eq!(fault.expected_fr, "");
        assert_eq!(serde_json::to_string(&fault).unwrap(), text);
    }
}
