//! Gold also counts the opponent's answer: every course of the turn, with a torpedo before, between and after its legs, is weighed by
//! the damage that it deals and by the damage that the opponent can deal next with what it is shown. It does not look further ahead,
//! avoids mines only a little, and triggers its own mines only for a nearly certain hit.

use super::evaluation::Weights;

/// Damage, and the damage of the opponent's answer.
pub(super) const WEIGHTS: Weights =
    Weights { mines: 0.1, on_mines: 1.0, trigger: 1.2, depth: 0, ..Weights::BASE };
