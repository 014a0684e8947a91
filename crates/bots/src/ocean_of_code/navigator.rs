//! A duelist that also looks ahead: five steps through the opponent's minefield and its own narrowing water, and it knows what
//! a full torpedo tube, a full silence and being hard to find are worth.

use super::admiral::Weights;

/// Everything in lives: good sense, and a third of the way to what play has taught the champion.
pub(super) const NAVIGATOR: Weights = Weights {
    charge: [0.534, 0.073, 0.867, 0.214],
    answer: 0.691,
    mines: 0.864,
    secrecy: 0.066,
    secrecy_ahead: 0.017,
    stuck: 1.514,
    surface: 1.227,
    pursuit: 0.176,
    approach: 0.011,
    kill: 3.935,
    on_mines: 0.452,
    trigger: 0.57,
    restraint: 0.975,
    depth: 5,
};
