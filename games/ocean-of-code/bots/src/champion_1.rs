//! The first champion plays as legend does, with weights found in 200 rounds of play against itself. A charged torpedo and above all a
//! charged silence are worth more to it, the opponent's answer counts less, mines count more; and it also plans to be hard to find at
//! the end of the way ahead.

use super::evaluation::Weights;

/// Found by simultaneous perturbation from the base weights, with 64 games a step.
pub(super) const WEIGHTS: Weights = Weights {
    charge: [0.731, 0.056, 1.14, 0.248],
    answer: 0.437,
    mines: 1.014,
    secrecy: 0.032,
    secrecy_ahead: 0.056,
    stuck: 1.313,
    surface: 1.29,
    pursuit: 0.237,
    approach: 0.038,
    kill: 3.784,
    on_mines: 0.339,
    trigger: 0.618,
    restraint: 0.917,
    thrifty: false,
    depth: 5,
};
