//! Scores as players say them.

use game::ScorePart;

/// A score as players say it: its points, and the round of the elimination.
pub fn said_score(part: ScorePart) -> String {
    match part {
        ScorePart { points: None, .. } => "no points".to_owned(),
        ScorePart { points: Some(points), out: None } => points.to_string(),
        ScorePart { points: Some(points), out: Some(round) } => format!("{points} (out in round {round})"),
    }
}

/// The scores of a match as players say them.
pub fn said_scores(game: &dyn catalog::AnyGame, scores: &[i64]) -> String {
    let each: Vec<String> = game.score_parts(scores).into_iter().map(said_score).collect();
    each.join(" : ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_hypersonic_are_boxes_and_survival() {
        let game = catalog::find("hypersonic").unwrap();
        assert_eq!(said_scores(game, &[1_000_020, 3_407]), "20 : 7 (out in round 34)");
        assert_eq!(said_scores(game, &[-1, 1_000_003]), "no points : 3");
    }
}
