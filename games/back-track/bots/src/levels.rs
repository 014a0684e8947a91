//! The levels of the champion.

use bots::{BuiltIn, Handicap, Mind, Seating};

use super::champion::Champion;
use super::position;
use super::second_league::WithSecondLeague;

/// Weakest first; errors in points. Fewer nodes would not make the weak levels weaker: fewer bad answers would be tried.
const HANDICAPS: [Handicap; 10] = [
    Handicap { nodes: 1000, noise: 27.0 },
    Handicap { nodes: 1000, noise: 16.0 },
    Handicap { nodes: 1000, noise: 9.5 },
    Handicap { nodes: 1000, noise: 6.2 },
    Handicap { nodes: 1000, noise: 4.1 },
    Handicap { nodes: 1000, noise: 2.8 },
    Handicap { nodes: 1000, noise: 1.8 },
    Handicap { nodes: 1000, noise: 1.1 },
    Handicap { nodes: 1200, noise: 0.4 },
    Handicap::NONE,
];

/// The champion with a handicap.
pub(super) fn seat(seating: &Seating, handicap: Handicap) -> Box<dyn Mind> {
    position::seat(seating, WithSecondLeague(Champion::new(handicap, seating.seed)))
}

/// The champion from `champion:1` to `champion:10`, which is the champion itself.
pub const LEVELS: &[BuiltIn] = &bots::levels!(
    "Leonor",
    ["I leave you the shorter way.", "Je vous laisse le chemin le plus court."],
    HANDICAPS,
    seat
);
