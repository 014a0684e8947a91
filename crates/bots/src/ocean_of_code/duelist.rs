//! Counts the answer: every course of the turn, with a torpedo before, between and behind its legs, is weighed by the damage it
//! deals and by what the opponent, seeing only what it is shown, can do to us next. It looks no further than that, and
//! thinks nothing of mines.

use super::admiral::Weights;

/// A shot for a shot, and nothing beyond.
pub(super) const DUELIST: Weights = Weights {
    charge: [0.3, 0.06, 0.3, 0.1],
    answer: 1.0,
    mines: 0.0,
    secrecy: 0.02,
    stuck: 1.0,
    surface: 1.0,
    pursuit: 0.3,
    kill: 2.0,
    on_mines: 1.0,
    trigger: 0.9,
    depth: 0,
};
