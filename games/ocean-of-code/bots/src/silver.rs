//! Silver knows what its opponent knows: it follows itself with the same tracker, and takes the line that deals the most damage and
//! leaves the opponent the most possible cells. It avoids mines only a little, triggers its own mines only for a nearly certain hit,
//! and ignores the opponent's answer.

use super::evaluation::Weights;

/// Damage and secrecy.
pub(super) const WEIGHTS: Weights = Weights {
    charge: [0.3, 0.06, 0.3, 0.1],
    answer: 0.0,
    mines: 0.1,
    secrecy: 0.05,
    secrecy_ahead: 0.0,
    stuck: 1.0,
    surface: 1.0,
    pursuit: 0.1,
    approach: 0.0,
    kill: 2.0,
    on_mines: 1.0,
    trigger: 1.5,
    restraint: 1.0,
    thrifty: false,
    depth: 0,
};
