//! Scores as they are shown to people.

use serde::Serialize;

/// The parts of a score that are shown to people. The score itself is one number that decides the places and may encode
/// several values.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ScorePart {
    /// Points as the game counts them; `None` where the score only says who won.
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub points: Option<i64>,
    /// The round in which the player was eliminated, where the score holds it.
    #[cfg_attr(feature = "ts", ts(type = "number | null"))]
    pub out: Option<i64>,
}

impl ScorePart {
    /// Scores that are points. Negative scores mean a disqualification; where no score is positive and one is negative, the
    /// scores only say who won.
    #[must_use]
    pub fn plain(scores: &[i64]) -> Vec<ScorePart> {
        let decided = ScorePart::only_decide(scores);
        let points = |score: i64| (score >= 0 && !decided).then_some(score);
        scores.iter().map(|&score| ScorePart { points: points(score), out: None }).collect()
    }

    /// Whether the scores only say who won: one is negative and none is positive.
    #[must_use]
    pub fn only_decide(scores: &[i64]) -> bool {
        scores.iter().any(|&score| score < 0) && scores.iter().all(|&score| score <= 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_that_only_decides_has_no_points() {
        let points = |scores: &[i64]| -> Vec<Option<i64>> {
            ScorePart::plain(scores).iter().map(|part| part.points).collect()
        };
        assert_eq!(points(&[3, 5]), [Some(3), Some(5)]);
        assert_eq!(points(&[-1, 5]), [None, Some(5)]);
        assert_eq!(points(&[-1, 0]), [None, None]);
        assert_eq!(points(&[0, 0]), [Some(0), Some(0)]);
    }
}
