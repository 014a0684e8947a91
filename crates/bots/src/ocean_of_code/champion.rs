//! The navigator, taught by play: it also plans where it will be hard to find, five steps ahead and more while its time lasts,
//! concludes from shots that were not fired, and keeps its distance unless it has a shot.

use super::admiral::Weights;

/// Each of these was kept because it won over the navigator or over the champion before it.
pub(super) const CHAMPION: Weights =
    Weights { secrecy: 0.05, secrecy_ahead: 0.15, restraint: 0.4, approach: -0.3, ..Weights::PLAIN };
