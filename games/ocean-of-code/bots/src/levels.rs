//! The levels of the champion.

use bots::{BuiltIn, Handicap};

use super::champion::Champion;
use super::tactics::Player;

/// Weakest first; errors in lives.
const HANDICAPS: [Handicap; 10] = [
    Handicap { nodes: 300, noise: 1.4 },
    Handicap { nodes: 300, noise: 1.15 },
    Handicap { nodes: 300, noise: 0.95 },
    Handicap { nodes: 400, noise: 0.78 },
    Handicap { nodes: 400, noise: 0.63 },
    Handicap { nodes: 400, noise: 0.5 },
    Handicap { nodes: 400, noise: 0.38 },
    Handicap { nodes: 400, noise: 0.26 },
    Handicap { nodes: 500, noise: 0.14 },
    Handicap::NONE,
];

/// The champion from `champion:1` to `champion:10`, which is the champion itself.
pub const LEVELS: &[BuiltIn] = &bots::levels!(
    "Leviathan",
    ["I let you find me.", "Je vous laisse me trouver."],
    HANDICAPS,
    |seating, handicap| Player::seated(seating, Champion::new(handicap))
);
