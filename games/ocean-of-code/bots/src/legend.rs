//! Legend plays as gold does and also looks five steps ahead: through the opponent's mines and through water that its own trail makes
//! narrower.

use super::evaluation::Weights;

/// Means of the base weights and the weights of the first champion.
pub(super) const WEIGHTS: Weights = Weights {
    charge: [0.591, 0.068, 0.945, 0.224],
    answer: 0.619,
    mines: 0.907,
    secrecy: 0.056,
    secrecy_ahead: 0.028,
    stuck: 1.457,
    surface: 1.245,
    pursuit: 0.194,
    approach: 0.019,
    kill: 3.892,
    on_mines: 0.42,
    trigger: 0.584,
    restraint: 0.959,
    thrifty: false,
    depth: 5,
};
