//! The probability of each player to win at each turn, and the turns that decided a match: the result of an analysis.

use catalog::record::Line;
use serde::{Deserialize, Serialize};

/// A match and its probabilities.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Analysis {
    /// Version of the form.
    pub agon_analysis: u32,
    /// The digest of the match.
    pub digest: String,
    /// The depth.
    pub depth: u32,
    /// The positions from the start to the end. Position `k` is the one after turn `k`.
    pub positions: Vec<Position>,
    /// The moments that decided the match, the dearest first.
    pub moments: Vec<Moment>,
}

/// The probabilities of a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Position {
    /// The number of turns before it.
    pub turn: u32,
    /// The probability of each player to win, for an onlooker.
    pub win: Vec<f64>,
    /// The probability of each player to win as far as this player can know, in games with hidden information.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub known: Option<Vec<f64>>,
}

/// A turn whose answer cost a player much.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Moment {
    /// The turn.
    pub turn: u32,
    /// The player.
    pub seat: u8,
    /// The recorded answer.
    #[cfg_attr(test, ts(type = "RecordedLine | null"))]
    pub recorded: Option<Line>,
    /// The loss of probability at this turn.
    pub loss: f64,
    /// A better answer, if one was found.
    pub better: Option<Better>,
    /// Whether the answer was a blunder: the interval of the gain of the better one is clear of zero.
    pub blunder: bool,
}

/// An answer that is better than the recorded one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Better {
    /// The answer.
    #[cfg_attr(test, ts(type = "RecordedLine"))]
    pub answer: Line,
    /// Its gain of points in continuations by built-in bots.
    pub gain: f64,
    /// The interval that contains the true gain with 95 %.
    pub interval: [f64; 2],
    /// The number of pairs of continuations.
    pub pairs: u32,
}
