//! Knows what its opponent knows: it follows itself with the same tracker, and of all lines it takes the one that deals the
//! most damage and leaves the most places to look for it. It only just keeps off mines, sets its own off for a sure catch
//! alone, and does not ask what the answer will be.

use super::admiral::Weights;

/// Damage and secrecy, nothing else.
pub(super) const GHOST: Weights = Weights {
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
    depth: 0,
};
