//! The navigator, taught by play: it also plans where it will be hard to find at the end of the way ahead, concludes from
//! shots that were not fired, keeps its distance, and parts with a torpedo only for a good shot.

use super::admiral::Weights;

/// Found by play: together they beat the navigator.
pub(super) const CHAMPION: Weights = Weights {
    charge: [1.0, 0.08, 0.75, 0.2],
    secrecy: 0.05,
    secrecy_ahead: 0.15,
    restraint: 0.4,
    approach: -0.3,
    ..Weights::PLAIN
};
