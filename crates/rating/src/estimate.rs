//! Estimates with intervals from counted units.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::elo::{ELO_CAP, NELO_PER_SIGMA, elo_of_score};
use crate::nelo;
use crate::normal::{self, Z95};

/// A number and its 95 % interval. All three are finite; a bound at [`ELO_CAP`] means "no bound".
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// A share of points and its 95 % interval (E. Wilson, 1927): valid for few games too, and never outside 0 to 1.
    /// Draws are half points, which makes the true interval narrower, never wider.
    pub fn of_share(points: f64, games: f64) -> Estimate {
        if games <= 0.0 {
            return Estimate { value: 0.5, low: 0.0, high: 1.0 };
        }
        let share = (points / games).clamp(0.0, 1.0);
        let z2 = Z95 * Z95 / games;
        let centre = (share + z2 / 2.0) / (1.0 + z2);
        let reach = Z95 / (1.0 + z2) * (share * (1.0 - share) / games + z2 / (4.0 * games)).sqrt();
        // At the ends, rounding must not move the interval beyond the value.
        Estimate {
            value: share,
            low: (centre - reach).clamp(0.0, share),
            high: (centre + reach).clamp(share, 1.0),
        }
    }

    /// Half the width of the interval: the number after `+/-`.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether a value lies in the interval.
    pub fn covers(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Whether both ends are real bounds.
    pub fn is_bounded(&self) -> bool {
        self.low > -ELO_CAP && self.high < ELO_CAP
    }

    pub(crate) fn capped(value: f64, error: f64) -> Estimate {
        let cap = |x: f64| if x.is_nan() { 0.0 } else { x.clamp(-ELO_CAP, ELO_CAP) };
        Estimate { value: cap(value), low: cap(value - error), high: cap(value + error) }
    }
}

/// `12.3 [-4.0, 28.1]`; an end without a bound is infinite. The precision and the `+` of the format hold for all three numbers.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = |end: f64| if end.abs() < ELO_CAP { end } else { f64::INFINITY.copysign(end) };
        fmt::Display::fmt(&self.value, f)?;
        f.write_str(" [")?;
        fmt::Display::fmt(&open(self.low), f)?;
        f.write_str(", ")?;
        fmt::Display::fmt(&open(self.high), f)?;
        f.write_str("]")
    }
}

/// Mean and variance of scores in [0, 1].
#[derive(Clone, Copy, Debug)]
struct Moments {
    mean: f64,
    variance: f64,
}

impl Moments {
    fn of(weights: &(impl Iterator<Item = (f64, f64)> + Clone)) -> Moments {
        let total: f64 = weights.clone().map(|(_, weight)| weight).sum();
        let mean = weights.clone().map(|(score, weight)| score * weight).sum::<f64>() / total;
        let squares = weights.clone().map(|(score, weight)| (score - mean).powi(2) * weight).sum::<f64>();
        Moments { mean, variance: squares / total }
    }
}

/// The basis of estimates: units by their score.
///
/// Two sets of moments are kept. The plain moments are those of the data, and give the estimates. Intervals come from
/// the data *and one imaginary unit*, half of it lost and half of it won completely: the idea of A. Agresti and B.
/// Coull ("Approximate is better than 'exact' for interval estimation of binomial proportions", 1998). Without it ten
/// units with the same result would have a spread of zero and an interval of no width. Its influence vanishes with more
/// units: at 300 units it changes the width by a thousandth. Where the data alone give no finite estimate (only wins,
/// no spread at all), the moments with the imaginary unit are used instead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    units: f64,
    games_per_unit: f64,
    plain: Moments,
    guarded: Moments,
}

impl Sample {
    pub(crate) fn new(counts: &[u64], games_per_unit: u32) -> Sample {
        let most = counts.len().saturating_sub(1).max(1);
        let plain = (0..).zip(counts).map(move |(at, &count)| (f64::from(at) / most as f64, count as f64));
        let guarded = plain.clone().chain([(0.0, 0.5), (1.0, 0.5)]);
        let units = counts.iter().map(|&count| count as f64).sum::<f64>();
        let guarded = Moments::of(&guarded);
        let plain = if units == 0.0 { guarded } else { Moments::of(&plain) };
        Sample { units, games_per_unit: f64::from(games_per_unit.max(1)), plain, guarded }
    }

    /// The standard error of the mean score.
    fn standard_error(&self) -> f64 {
        (self.guarded.variance / (self.units + 1.0)).sqrt()
    }

    /// The logistic Elo of the mean score. The interval is the normal interval of the mean score, with its ends
    /// converted by the same curve, as chess tools do.
    pub(crate) fn elo(&self) -> Estimate {
        let extreme = self.plain.mean <= 0.0 || self.plain.mean >= 1.0;
        let score = if extreme { self.guarded.mean } else { self.plain.mean };
        if self.units == 0.0 {
            return Estimate { value: 0.0, low: -ELO_CAP, high: ELO_CAP };
        }
        let reach = Z95 * self.standard_error();
        Estimate {
            value: elo_of_score(score),
            low: elo_of_score(self.guarded.mean - reach),
            high: elo_of_score(self.guarded.mean + reach),
        }
    }

    /// Normalised Elo (M. Van den Bergh): the distance of the mean score from one half in standard deviations *of a
    /// single game*, on the scale of [`NELO_PER_SIGMA`]. The games of a unit count as one sample of its distribution: a
    /// game's deviation is the deviation of a unit times the square root of the number of its games.
    ///
    /// [`crate::nelo`] says how the interval is found. A value that the data alone do not give is that with the
    /// imaginary unit.
    pub(crate) fn nelo(&self, counts: &[u64]) -> Estimate {
        let (low, high) = nelo::interval(counts, self.games_per_unit);
        if self.units == 0.0 {
            return Estimate { value: 0.0, low, high };
        }
        let scale = NELO_PER_SIGMA / self.games_per_unit.sqrt();
        let plain = if self.plain.variance > 1e-15 { &self.plain } else { &self.guarded };
        let value = (scale * (plain.mean - 0.5) / plain.variance.sqrt()).clamp(-ELO_CAP, ELO_CAP);
        Estimate { value, low: low.min(value), high: high.max(value) }
    }

    /// The probability that the true mean score is above one half, with a flat prior: the share of a normal
    /// distribution around the mean score with its standard error.
    pub(crate) fn los(&self) -> f64 {
        normal::cdf((self.guarded.mean - 0.5) / self.standard_error())
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;

    #[test]
    fn shares_agree_with_the_tables() {
        // R. Newcombe, "Two-sided confidence intervals for the single proportion", 1998: 81 of 263, 15 of 148, 0 of
        // 20, 1 of 29.
        let table = [
            (81.0, 263.0, 0.2553, 0.3662),
            (15.0, 148.0, 0.0624, 0.1605),
            (0.0, 20.0, 0.0, 0.1611),
            (1.0, 29.0, 0.0061, 0.1718),
        ];
        for (points, games, low, high) in table {
            let found = Estimate::of_share(points, games);
            assert!(
                (found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5,
                "{points}/{games}: {found:?}"
            );
        }
        let all = Estimate::of_share(20.0, 20.0);
        assert_eq!((all.value, all.high), (1.0, 1.0));
        assert_eq!(Estimate::of_share(0.0, 0.0), Estimate { value: 0.5, low: 0.0, high: 1.0 });
    }
}
