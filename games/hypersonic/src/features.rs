//! Numbers of a map for reports, and the parts of a score.

use game::{Feature, ScorePart};

use crate::{Map, Rules};

impl Map {
    /// Numbers by which reports group outcomes.
    pub(crate) fn features(&self) -> Vec<Feature> {
        let with_item = (self.extra_ranges | self.extra_bombs) & self.boxes;
        vec![
            Feature::new("boxes", "boxes", f64::from(self.boxes.len())),
            Feature::new("boxes with an item", "boxes", f64::from(with_item.len())),
        ]
    }
}

/// The parts of a score: the boxes, and whether the player survived or else the round of its elimination (rules,
/// section 11).
pub(crate) fn score_parts(scores: &[i64]) -> Vec<ScorePart> {
    let (survivor, round) = (i64::from(Rules::FULL.survivor_score), i64::from(Rules::FULL.round_score));
    let part = |score: i64| match score {
        score if score < 0 => ScorePart::default(),
        score if score >= survivor => ScorePart { points: Some(score - survivor), out: None },
        score => ScorePart { points: Some(score % round), out: Some(score / round) },
    };
    scores.iter().map(|&score| part(score)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_tells_boxes_and_the_round_of_the_elimination() {
        let parts = score_parts(&[1_000_012, 3_407, 1_000_000]);
        assert_eq!(parts[0], ScorePart { points: Some(12), out: None });
        assert_eq!(parts[1], ScorePart { points: Some(7), out: Some(34) });
        assert_eq!(parts[2], ScorePart { points: Some(0), out: None });
    }
}
