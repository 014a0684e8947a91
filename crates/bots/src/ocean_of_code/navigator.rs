//! A duelist that also looks ahead: five steps through the opponent's minefield and its own narrowing water, and it knows what
//! a full torpedo tube, a full silence and being hard to find are worth.

use super::admiral::Weights;

/// Everything in lives, valued by good sense.
pub(super) const NAVIGATOR: Weights = Weights::PLAIN;
