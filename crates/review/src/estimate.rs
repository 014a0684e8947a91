//! The probability that a player wins, from random continuations and the present result.
//!
//! A linear model weighs features of each seat; the weights of each game were fitted to matches of built-in bots by
//! `examples/calibrate.rs`, which also measures how well the probabilities fit other matches.

use catalog::{AnyGame, AnyMatch};
use game::{Dice, Outcome, Seat};
use serde::{Deserialize, Serialize};

use crate::tally::points;

/// The number of features of a seat.
pub const FEATURES: usize = 6;

/// Random continuations of a position at depth 1.
pub const PLAYOUTS: u32 = 16;

/// The weights of the features.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Weights(pub [f64; FEATURES]);

/// The weights of a game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Model {
    /// For an onlooker, who sees everything.
    pub onlooker: Weights,
    /// For the players themselves, in games with hidden information.
    pub player: Weights,
}

impl Model {
    /// The share of wins in random continuations, for a game without fitted weights.
    pub const PLAIN: Model = {
        let weights = Weights([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        Model { onlooker: weights, player: weights }
    };

    /// The model of a game.
    pub fn of(game: &dyn AnyGame) -> Model {
        game.win_model().and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Model::PLAIN)
    }
}

/// The share of the first place that each seat has.
pub fn win_shares(outcome: &Outcome) -> Vec<f64> {
    let first = outcome.ranks.iter().filter(|&&rank| rank == 1).fold(0.0, |sum, _| sum + 1.0_f64);
    outcome.ranks.iter().map(|&rank| if rank == 1 { 1.0 / first } else { 0.0 }).collect()
}

/// The mean share of the first place in random continuations, by seat.
fn playout_shares(play: &dyn AnyMatch, only_for: Option<Seat>, count: u32, dice: &mut Dice) -> Vec<f64> {
    let mut sums = vec![0.0; usize::from(play.players())];
    for _ in 0..count {
        let shares = win_shares(&play.playout(only_for, dice));
        sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share);
    }
    sums.iter().map(|sum| sum / f64::from(count.max(1))).collect()
}

/// The features of each seat at the start of a turn.
pub fn features(
    play: &dyn AnyMatch,
    only_for: Option<Seat>,
    count: u32,
    dice: &mut Dice,
) -> Vec<[f64; FEATURES]> {
    let shares = playout_shares(play, only_for, count, dice);
    let outcome = play.outcome();
    let progress = f64::from(play.turn()) / f64::from(play.max_steps().max(1));
    let seats = shares.len() as f64;
    let logs: Vec<f64> = shares
        .iter()
        .map(|share| ((share * f64::from(PLAYOUTS) + 0.5) / (f64::from(PLAYOUTS) + 0.5 * seats)).ln())
        .collect();
    let mean = logs.iter().sum::<f64>() / seats;
    (0..shares.len())
        .map(|seat| {
            let others = outcome.scores.iter().enumerate().filter(|(other, _)| *other != seat);
            let best = others.map(|(_, score)| *score).max().unwrap_or_default();
            let lead = (outcome.scores[seat] - best) as f64;
            let a = logs[seat] - mean;
            let b = lead.signum() * lead.abs().ln_1p() / 3.0;
            let c = points(&outcome.ranks, seat) - 0.5;
            [a, b, c, a * progress, b * progress, c * progress]
        })
        .collect()
}

/// The probabilities of a set of features, by seat.
pub fn probabilities(weights: &Weights, features: &[[f64; FEATURES]]) -> Vec<f64> {
    let sums: Vec<f64> = features
        .iter()
        .map(|seat| seat.iter().zip(weights.0).map(|(value, weight)| value * weight).sum())
        .collect();
    let most = sums.iter().copied().fold(f64::MIN, f64::max);
    let powers: Vec<f64> = sums.iter().map(|sum: &f64| (sum - most).exp()).collect();
    let all: f64 = powers.iter().sum();
    powers.iter().map(|power| power / all).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_one() {
        let game = catalog::find("hypersonic").unwrap();
        for selected in game.info().all() {
            let play = game.start(selected, 3);
            let features = features(&*play, None, 4, &mut Dice::new(1));
            let found = probabilities(&Model::of(game).onlooker, &features);
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{found:?}");
        }
    }
}
