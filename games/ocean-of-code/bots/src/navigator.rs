//! A duelist that also looks ahead: five steps through the opponent's minefield and its own narrowing water, and it knows what
//! a full torpedo tube, a full silence and being hard to find are worth.

use super::admiral::Weights;

/// Everything in lives: half good sense, half what play has taught the champion.
pub(super) const NAVIGATOR: Weights = Weights {
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
    depth: 5,
};
