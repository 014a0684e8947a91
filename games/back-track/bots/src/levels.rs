//! The levels of the champion.

use bots::{BuiltIn, Handicap, Mind, Seating};

use super::champion::Champion;
use super::position;
use super::second_league::WithSecondLeague;

/// Weakest first; the sizes of errors in points.
const HANDICAPS: [Handicap; 10] = [
    errs(20.0),
    errs(12.0),
    errs(8.0),
    errs(5.5),
    errs(3.8),
    errs(2.6),
    errs(1.7),
    errs(1.1),
    errs(0.6),
    Handicap::NONE,
];

/// Fewer nodes would not make the weak levels weaker: fewer bad answers would be tried.
const fn errs(noise: f32) -> Handicap {
    Handicap { nodes: 1000, noise }
}

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
