//! The bots of Ocean of Code.

use crate::ladder::BuiltIn;

/// Weakest first.
pub(crate) const LADDER: &[BuiltIn] = &[];
