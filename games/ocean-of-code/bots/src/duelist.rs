//! Counts the answer: every course of the turn, with a torpedo before, between and behind its legs, is weighed by the damage it
//! deals and by what the opponent, seeing only what it is shown, can do to us next. It holds its torpedo and its silence dear.
//! It looks no further than that, only just keeps off mines, and sets its own off for a sure catch alone.

use super::admiral::Weights;

/// A shot for a shot, and nothing beyond.
pub(super) const DUELIST: Weights =
    Weights { mines: 0.1, on_mines: 1.0, trigger: 1.2, depth: 0, ..Weights::PLAIN };
