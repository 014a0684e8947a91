//! The levels of the champion.

use bots::{BuiltIn, Handicap};

use super::Seated;
use super::champion::Champion;

/// Weakest first; the errors are the most that chance adds to the value of a state, in tenths of a box.
const HANDICAPS: [Handicap; 10] = [
    Handicap { nodes: 1200, noise: 205.0 },
    Handicap { nodes: 1400, noise: 175.0 },
    Handicap { nodes: 1500, noise: 147.0 },
    Handicap { nodes: 1700, noise: 112.0 },
    Handicap { nodes: 2000, noise: 80.0 },
    Handicap { nodes: 2000, noise: 42.0 },
    Handicap { nodes: 3000, noise: 24.0 },
    Handicap { nodes: 3000, noise: 10.0 },
    Handicap { nodes: 4000, noise: 2.0 },
    Handicap::NONE,
];

/// The champion from `champion:1` to `champion:10`, which is the champion itself.
pub const LEVELS: &[BuiltIn] = &bots::levels!(
    "Phoenix",
    ["I know that you know. So I wait for you.", "Je sais que vous savez. Je vous attends."],
    HANDICAPS,
    |seating: &bots::Seating, handicap| Seated::at(seating, Champion::new(seating.seed, handicap))
);
