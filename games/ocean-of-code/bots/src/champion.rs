//! The navigator, taught by play: it weighs as the navigator does, with weights that 200 rounds of play against itself found. A
//! charged torpedo and above all a charged silence are worth more to it, the answer of the opponent less, mines more; and it
//! also plans to be hard to find at the end of the way ahead.

use super::admiral::Weights;

/// Found by simultaneous perturbation from the plain weights, 64 games a step.
pub(super) const CHAMPION: Weights = Weights {
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
    depth: 5,
};
