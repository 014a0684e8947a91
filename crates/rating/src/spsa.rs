//! Tuning numbers by games: simultaneous perturbation stochastic approximation.
//!
//! The method (J. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation", 1992; the choice of gains follows "Implementation of the simultaneous perturbation algorithm for
//! stochastic optimization", 1998): all parameters are changed at once, each randomly up or down; the changed values
//! play against the values with the opposite changes; and all parameters move a little towards the winner. A step costs
//! the same for one parameter and for fifty.
//!
//! Each parameter has its own unit, the *step*: the size of a change that is worth trying. In these units iteration `k`
//! (from 0) tries a distance of `(k + 1)^-0.101` and moves by the result, from -1 to 1, times the distance times
//! `((A + 1) / (A + k + 1))^0.602 (k + 1)^0.202`, where `A` is a tenth of the iterations: a clear result moves a
//! parameter by one step at first and by less later. The last values fluctuate around the best values, so the answer is
//! the mean of the second half (B. Polyak and A. Juditsky, "Acceleration of stochastic approximation by averaging",
//! 1992).

use serde::{Deserialize, Serialize};

/// Exponents of the gain and of the distance.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// A parameter to tune.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Dial {
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// The initial value.
    pub start: f64,
    /// The size of a change that is worth trying.
    pub step: f64,
    /// Whether only whole numbers are valid.
    pub whole: bool,
}

/// Why a parameter cannot be tuned.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum DialError {
    /// A number is infinite or not a number.
    #[error("all numbers must be finite")]
    NotFinite,
    /// The bounds leave no range.
    #[error("the smallest value {low} must be below the largest {high}")]
    Bounds {
        /// The smallest value.
        low: f64,
        /// The largest value.
        high: f64,
    },
    /// The start is out of bounds.
    #[error("the start {start} must be from {low} to {high}")]
    Start {
        /// The initial value.
        start: f64,
        /// The smallest value.
        low: f64,
        /// The largest value.
        high: f64,
    },
    /// The step is not positive or wider than the bounds.
    #[error("the step {step} must be above 0 and at most {most}")]
    Step {
        /// The step.
        step: f64,
        /// The distance of the bounds.
        most: f64,
    },
    /// A whole number has a bound or start that is not whole.
    #[error("bounds and start of a whole number must be whole")]
    NotWhole,
}

impl Dial {
    /// Checks that the parameter can be tuned.
    ///
    /// # Errors
    ///
    /// When its numbers are inconsistent.
    pub fn check(&self) -> Result<(), DialError> {
        let Dial { low, high, start, step, whole } = *self;
        if ![low, high, start, step].iter().all(|number| number.is_finite()) {
            return Err(DialError::NotFinite);
        }
        if low >= high {
            return Err(DialError::Bounds { low, high });
        }
        if !(low..=high).contains(&start) {
            return Err(DialError::Start { start, low, high });
        }
        if step <= 0.0 || step > high - low {
            return Err(DialError::Step { step, most: high - low });
        }
        if whole && [low, high, start].iter().any(|number| number.fract() != 0.0) {
            return Err(DialError::NotWhole);
        }
        Ok(())
    }

    /// The same parameter with another start: this share of the way from the smallest value to the largest.
    #[must_use]
    pub fn starting_at(self, share: f64) -> Dial {
        Dial { start: self.fit(self.low + share * (self.high - self.low)), ..self }
    }

    /// The value within the bounds, and rounded where it must be whole.
    fn fit(&self, value: f64) -> f64 {
        let value = value.clamp(self.low, self.high);
        // Halves are rounded up, so that two values that differ by one stay different.
        if self.whole { (value + 0.5).floor().clamp(self.low, self.high) } else { value }
    }

    /// The distance of the two sides from the current value.
    fn distance(&self, iteration: u64) -> f64 {
        let distance = self.step / (iteration as f64 + 1.0).powf(GAMMA);
        // Two sides that are rounded to the same number would give no information.
        if self.whole { distance.max(0.5) } else { distance }
    }
}

/// What the results of a tuning say about a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DialState {
    /// The best value is near the value that was found.
    Settled,
    /// Values further on are still better, but the range ends here.
    AtEdge,
    /// Values further on are still better: more steps are needed.
    StillMoving,
    /// Nothing shows that the parameter matters.
    NoEffect,
}

impl DialState {
    /// The state in words; empty for a parameter that is settled.
    pub const fn words(self) -> &'static str {
        match self {
            DialState::Settled => "",
            DialState::AtEdge => "at the edge of its range: a wider range may be better",
            DialState::StillMoving => "still moving: more steps are needed",
            DialState::NoEffect => "no effect seen",
        }
    }
}

/// A parameter after some steps.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct DialFindings {
    /// The least value that may be the best.
    pub low: f64,
    /// The greatest value that may be the best.
    pub high: f64,
    /// What the results say.
    pub state: DialState,
}

/// The slope of the strength over a parameter, as a straight line over its value, by least squares. Near the best value the
/// strength is a parabola, and its slope is such a line, which crosses zero at the best value.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct SlopeLine {
    count: f64,
    value: f64,
    slope: f64,
    value_value: f64,
    value_slope: f64,
    slope_slope: f64,
}

/// A slope is seen if it is this number of standard errors away from zero. Values follow earlier slopes, as in a random
/// walk, so the usual two would be too few (D. Dickey and W. Fuller, 1979).
const SEEN: f64 = 3.0;

impl SlopeLine {
    fn add(&mut self, value: f64, slope: f64) {
        self.count += 1.0;
        self.value += value;
        self.slope += slope;
        self.value_value += value * value;
        self.value_slope += value * slope;
        self.slope_slope += slope * slope;
    }

    /// The slope at a value in standard errors. Zero with too few steps.
    fn at(&self, value: f64) -> f64 {
        let SlopeLine { count, .. } = *self;
        if count < 10.0 {
            return 0.0;
        }
        let (mean, level) = (self.value / count, self.slope / count);
        let spread = (self.value_value - count * mean * mean).max(0.0);
        let tilt = if spread > 1e-9 { (self.value_slope - count * mean * level) / spread } else { 0.0 };
        let rest = self.slope_slope - count * level * level - tilt * tilt * spread;
        let noise = (rest / (count - 2.0)).max(1e-12);
        let away = if spread > 1e-9 { (value - mean).powi(2) / spread } else { 0.0 };
        (level + tilt * (value - mean)) / (noise * (1.0 / count + away)).sqrt()
    }
}

/// Tuning in progress: a function of the dials, the number of iterations, the seed and the results so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Spsa {
    dials: Vec<Dial>,
    iterations: u64,
    seed: u64,
    done: u64,
    values: Vec<f64>,
    /// The sum of the values after each iteration of the second half, and the number of these iterations.
    sum: Vec<f64>,
    summed: u64,
    slopes: Vec<SlopeLine>,
}

impl Spsa {
    /// The start of a tuning. Dials that [`Dial::check`] rejects give meaningless values.
    pub fn new(dials: &[Dial], iterations: u64, seed: u64) -> Spsa {
        Spsa {
            dials: dials.to_vec(),
            iterations,
            seed,
            done: 0,
            values: dials.iter().map(|dial| dial.start).collect(),
            sum: vec![0.0; dials.len()],
            summed: 0,
            slopes: vec![SlopeLine::default(); dials.len()],
        }
    }

    /// The number of finished iterations.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// The two sides of the next iteration.
    pub fn sides(&self) -> [Vec<f64>; 2] {
        [1.0, -1.0].map(|side| {
            let moved = self.dials.iter().zip(&self.values).enumerate();
            moved
                .map(|(at, (dial, value))| dial.fit(value + side * self.coin(at) * dial.distance(self.done)))
                .collect()
        })
    }

    /// Reports the score of the first side against the second, from 0 to 1.
    pub fn tell(&mut self, score: f64) {
        let result = if score.is_finite() { (2.0 * score - 1.0).clamp(-1.0, 1.0) } else { 0.0 };
        let k = self.done as f64;
        let settle = self.iterations as f64 / 10.0;
        let gain = ((settle + 1.0) / (settle + k + 1.0)).powf(ALPHA) * (k + 1.0).powf(2.0 * GAMMA);
        let coins: Vec<f64> = (0..self.dials.len()).map(|at| self.coin(at)).collect();
        let dials = self.dials.iter().zip(&mut self.slopes);
        for (((dial, line), value), coin) in dials.zip(&mut self.values).zip(coins) {
            // In units of the step, so that numbers of every size are computed with the same precision.
            line.add((*value - dial.start) / dial.step, result * coin * dial.step / dial.distance(self.done));
            *value = (*value + gain * dial.distance(self.done) * result * coin).clamp(dial.low, dial.high);
        }
        self.done += 1;
        if 2 * self.done > self.iterations {
            for (sum, value) in self.sum.iter_mut().zip(&self.values) {
                *sum += value;
            }
            self.summed += 1;
        }
    }

    /// The best values so far.
    pub fn best(&self) -> Vec<f64> {
        let values = self.dials.iter().zip(self.sum.iter().zip(&self.values));
        values
            .map(|(dial, (sum, value))| {
                dial.fit(if self.summed > 0 { sum / self.summed as f64 } else { *value })
            })
            .collect()
    }

    /// What the results say about each parameter.
    pub fn findings(&self) -> Vec<DialFindings> {
        const PLACES: u32 = 400;
        let each = self.dials.iter().zip(&self.slopes).zip(self.best());
        each.map(|((dial, line), found)| {
            let slope = |value: f64| line.at((value - dial.start) / dial.step);
            let may_be_best = |value: &f64| slope(*value).abs() <= SEEN;
            let at = |place: u32| dial.low + (dial.high - dial.low) * f64::from(place) / f64::from(PLACES);
            let plausible: Vec<f64> =
                (0..=PLACES).map(at).chain([found]).filter(|value| may_be_best(value)).collect();
            let low = plausible.iter().copied().fold(f64::INFINITY, f64::min);
            let high = plausible.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let seen = slope(found);
            let state = if seen > SEEN && found >= dial.high || seen < -SEEN && found <= dial.low {
                DialState::AtEdge
            } else if seen.abs() > SEEN {
                DialState::StillMoving
            } else if plausible.len() as u32 > PLACES + 1 {
                DialState::NoEffect
            } else {
                DialState::Settled
            };
            // Where no value is plausible, the best one lies beyond the range.
            let edge = if seen > 0.0 { dial.high } else { dial.low };
            let (low, high) = if low <= high { (low, high) } else { (edge, edge) };
            DialFindings { low, high, state }
        })
        .collect()
    }

    /// The random direction of a dial in the next iteration. It depends only on seed, iteration and dial.
    fn coin(&self, dial: usize) -> f64 {
        let mut bits = self.seed ^ mixed(self.done.wrapping_mul(0x1_0000).wrapping_add(dial as u64));
        bits = mixed(bits);
        if bits & 1 == 0 { 1.0 } else { -1.0 }
    }
}

/// The finaliser of `SplitMix64` (S. Vigna): every bit of the input affects every bit of the output.
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REAL: Dial = Dial { low: -10.0, high: 10.0, start: 8.0, step: 1.0, whole: false };

    /// Bots whose strength falls with the squared distance from the best values; returns the tuned values.
    fn tuned(dials: &[Dial], best: &[f64], iterations: u64, seed: u64) -> Vec<f64> {
        tuning(dials, best, iterations, seed).best()
    }

    /// The same; a best value that is not a number belongs to a parameter without an effect.
    fn tuning(dials: &[Dial], best: &[f64], iterations: u64, seed: u64) -> Spsa {
        let strength = |values: &[f64]| -> f64 {
            let parts = values.iter().zip(best).zip(dials);
            let parts = parts.filter(|((_, best), _)| !best.is_nan());
            -parts.map(|((value, best), dial)| ((value - best) / dial.step).powi(2)).sum::<f64>()
        };
        let mut spsa = Spsa::new(dials, iterations, seed);
        let mut noise = seed;
        for _ in 0..iterations {
            let [plus, minus] = spsa.sides();
            let chance = 1.0 / (1.0 + (-0.1 * (strength(&plus) - strength(&minus))).exp());
            let games = 8;
            let won = (0..games)
                .filter(|_| {
                    noise = mixed(noise);
                    (noise >> 11) as f64 / (1u64 << 53) as f64 <= chance
                })
                .count();
            spsa.tell(won as f64 / f64::from(games));
        }
        assert_eq!(spsa.done(), iterations);
        spsa
    }

    #[test]
    fn a_known_best_value_and_a_parameter_without_an_effect_are_told_apart() {
        let dials = [REAL, Dial { start: 0.0, ..REAL }];
        let (mut covered, mut without_effect) = (0, 0);
        for seed in 1..=20 {
            let spsa = tuning(&dials, &[-2.0, f64::NAN], 600, seed);
            let [seen, unseen] = spsa.findings()[..] else { panic!("two parameters") };
            assert_eq!(seen.state, DialState::Settled, "seed {seed}: {seen:?}");
            assert!(seen.high - seen.low < 8.0, "seed {seed}: {seen:?}");
            covered += u32::from((seen.low..=seen.high).contains(&-2.0));
            without_effect += u32::from(unseen.state == DialState::NoEffect);
        }
        assert!(covered >= 18 && without_effect >= 17, "{covered} and {without_effect} of 20");
    }

    #[test]
    fn a_tuning_that_is_too_short_is_still_moving() {
        let far = Dial { low: -1000.0, high: 1000.0, start: 900.0, step: 1.0, whole: false };
        let spsa = tuning(&[far], &[0.0], 40, 1);
        assert_eq!(spsa.findings()[0].state, DialState::StillMoving, "{:?}", spsa.findings());
        let edge = tuning(&[REAL], &[-30.0], 200, 3);
        assert_eq!(edge.findings()[0].state, DialState::AtEdge, "{:?}", edge.findings());
    }

    #[test]
    fn it_finds_the_best_values_through_noise() {
        for seed in 1..=10 {
            let dials = [
                REAL,
                Dial { start: -9.0, ..REAL },
                Dial { low: 0.0, high: 1000.0, start: 900.0, step: 100.0, whole: false },
            ];
            let found = tuned(&dials, &[-2.0, 3.0, 400.0], 500, seed);
            assert!((found[0] + 2.0).abs() < 1.5, "seed {seed}: {found:?}");
            assert!((found[1] - 3.0).abs() < 1.5, "seed {seed}: {found:?}");
            assert!((found[2] - 400.0).abs() < 150.0, "seed {seed}: {found:?}");
        }
    }

    #[test]
    fn the_best_may_lie_on_the_edge() {
        let found = tuned(&[REAL], &[-30.0], 200, 3);
        assert!(found[0] < -9.0, "{found:?}");
    }

    #[test]
    fn whole_numbers_stay_whole_and_both_sides_differ() {
        let dial = Dial { low: -3.0, high: 12.0, start: -3.0, step: 1.0, whole: true };
        let mut spsa = Spsa::new(&[dial], 300, 5);
        for _ in 0..300 {
            let [plus, minus] = spsa.sides();
            assert!(plus[0].fract() == 0.0 && minus[0].fract() == 0.0 && plus != minus, "{plus:?} {minus:?}");
            assert!((dial.low..=dial.high).contains(&plus[0]) && (dial.low..=dial.high).contains(&minus[0]));
            // The larger side always wins.
            spsa.tell(f64::from(u8::from(plus[0] > minus[0])));
        }
        assert_eq!(spsa.best(), [12.0]);
    }

    #[test]
    fn a_seed_means_the_same_tuning() {
        assert_eq!(tuned(&[REAL; 4], &[1.0; 4], 50, 7), tuned(&[REAL; 4], &[1.0; 4], 50, 7));
        assert_ne!(Spsa::new(&[REAL; 64], 50, 7).sides(), Spsa::new(&[REAL; 64], 50, 8).sides());
    }

    #[test]
    fn without_results_nothing_moves() {
        let mut spsa = Spsa::new(&[REAL], 10, 1);
        assert_eq!(spsa.best(), [8.0]);
        spsa.tell(0.5);
        spsa.tell(f64::NAN);
        assert_eq!(spsa.best(), [8.0]);
    }

    #[test]
    fn dials_that_make_no_sense_are_refused() {
        assert_eq!(REAL.check(), Ok(()));
        for (dial, word) in [
            (Dial { low: 11.0, ..REAL }, "below"),
            (Dial { start: 11.0, ..REAL }, "start"),
            (Dial { step: 0.0, ..REAL }, "step"),
            (Dial { step: 21.0, ..REAL }, "step"),
            (Dial { high: f64::INFINITY, ..REAL }, "finite"),
            (Dial { start: 0.5, whole: true, ..REAL }, "whole"),
        ] {
            assert!(dial.check().unwrap_err().to_string().contains(word), "{dial:?}");
        }
    }
}
