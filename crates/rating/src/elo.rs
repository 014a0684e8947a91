//! Conversion between scores and Elo differences.

/// The limit of all Elo differences. It is a score of one in a million, more than any duel measures; an interval bound
/// at this value means "no bound".
pub const ELO_CAP: f64 = 2400.0;

/// Normalised Elo of a bot whose mean score lies one standard deviation of a single game above one half. With this
/// scale and no draws, a small normalised Elo equals the Elo (M. Van den Bergh, "Comments on normalized Elo").
pub const NELO_PER_SIGMA: f64 = 800.0 / std::f64::consts::LN_10;

/// Elo per unit of the natural logarithm of the odds.
pub(crate) const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// The Elo difference at which a mean score is expected: the logistic curve of A. Elo ("The Rating of Chessplayers",
/// 1978), `400 log10(s / (1 - s))`. Limited to [`ELO_CAP`], so that it is finite for scores of zero and one too.
pub fn elo_of_score(score: f64) -> f64 {
    let score = if score.is_nan() { 0.5 } else { score.clamp(0.0, 1.0) };
    (400.0 * (score / (1.0 - score)).log10()).clamp(-ELO_CAP, ELO_CAP)
}

/// The mean score expected at an Elo difference; the inverse of [`elo_of_score`].
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}
