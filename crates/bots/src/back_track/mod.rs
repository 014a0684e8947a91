//! The bots of Back Track.

use crate::ladder::BuiltIn;

/// Weakest first.
pub(crate) const LADDER: &[BuiltIn] = &[];
