//! The bots of Hypersonic.

use crate::ladder::BuiltIn;

/// Weakest first.
pub(crate) const LADDER: &[BuiltIn] = &[];
