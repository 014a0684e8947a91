//! Results of matches.

use serde::{Deserialize, Serialize};

/// The result of a match, in a form that all games share.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Outcome {
    /// Final score by seat; higher is better.
    #[cfg_attr(feature = "ts", ts(type = "number[]"))]
    pub scores: Vec<i64>,
    /// Place by seat, 1 is best; equal scores share a place.
    pub ranks: Vec<u8>,
    /// Whether a player lost by an invalid or missing answer, by seat.
    pub disqualified: Vec<bool>,
    /// A short stable name of the reason for which the game ended, such as `turn-limit`.
    pub reason: String,
}

/// The places of scores: 1 + the number of strictly higher ones.
#[must_use]
pub fn ranks(scores: &[i64]) -> Vec<u8> {
    scores.iter().map(|mine| 1 + scores.iter().filter(|other| *other > mine).count() as u8).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn equal_scores_share_a_place() {
        assert_eq!(super::ranks(&[3, 7, 3, -1]), [2, 1, 2, 4]);
    }
}
