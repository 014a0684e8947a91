//! The navigator, taught by play: it also plans where it will be hard to find, five steps ahead and more while its time lasts,
//! concludes from shots that were not fired, and keeps its distance unless it has a shot.

use super::admiral::Weights;

/// Found by play: together they beat the navigator.
pub(super) const CHAMPION: Weights = Weights {
    secrecy: 0.05,
    secrecy_ahead: 0.15,
    restraint: 0.4,
    approach: -0.3,
    deepest: 7,
    ..Weights::PLAIN
};
