//! Why a worker of a cluster is suspected or disabled: numbers, so that each reader can read it in their own language.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{BotId, MatchId};

/// Why a worker of a cluster is suspected or disabled.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Suspicion {
    /// More timeouts and crashes than elsewhere.
    Failures {
        /// The number of seats.
        played: i64,
        /// The failures in them.
        seen: i64,
        /// The failures that the same bots would have elsewhere.
        expected: f64,
    },
    /// A bot wins more or less often than elsewhere.
    Wins {
        /// The bot.
        bot: BotId,
        /// The number of its matches.
        played: i64,
        /// Its wins in them.
        seen: i64,
        /// The wins that it would have elsewhere.
        expected: f64,
    },
    /// Deterministic bots played a match differently than on another worker.
    Differs {
        /// The match.
        match_id: MatchId,
        /// The other worker.
        other: String,
    },
    /// Its result is not the one that the rules give.
    FalseResult {
        /// The match.
        match_id: MatchId,
        /// What is wrong with it, in English.
        details: String,
    },
    /// A text of an older version.
    Text {
        /// The text, in English.
        text: String,
    },
}

impl fmt::Display for Suspicion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Suspicion::Failures { played, seen, expected } => write!(
                f,
                "{seen} of {played} seats failed by timeouts and crashes, elsewhere the same bots fail in {expected:.0}"
            ),
            Suspicion::Wins { bot, played, seen, expected } => write!(
                f,
                "bot {bot} won {seen} of {played} matches, elsewhere it wins {expected:.0} against opponents of the same strength"
            ),
            Suspicion::Differs { match_id, other } => {
                write!(f, "deterministic bots played match {match_id} differently than on worker {other}")
            }
            Suspicion::FalseResult { match_id, details } => write!(f, "match {match_id}: {details}"),
            Suspicion::Text { text } => f.write_str(text),
        }
    }
}

impl Suspicion {
    /// The stored form.
    pub fn stored(&self) -> String {
        // It consists of plain data.
        serde_json::to_string(self).unwrap_or_else(|_| self.to_string())
    }

    /// From the stored form. Older versions stored a text.
    pub fn read(stored: &str) -> Suspicion {
        serde_json::from_str(stored).unwrap_or_else(|_| Suspicion::Text { text: stored.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suspicions_are_stored() {
        let differs = Suspicion::Differs { match_id: MatchId(7), other: "one".into() };
        assert_eq!(Suspicion::read(&differs.stored()), differs);
        let old = "match 7: the result is wrong";
        assert_eq!(Suspicion::read(old).to_string(), old);
    }
}
