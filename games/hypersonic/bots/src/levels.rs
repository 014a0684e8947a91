//! The levels of the champion.

use bots::{BuiltIn, Handicap};

use super::Seated;
use super::champion::Champion;

/// Weakest first; the errors are the most that chance adds to the value of a state, in tenths of a box.
const HANDICAPS: [Handicap; 10] = [
    errs(290.0),
    errs(215.0),
    errs(155.0),
    errs(110.0),
    errs(77.0),
    errs(52.0),
    errs(34.0),
    errs(20.0),
    errs(8.0),
    Handicap::NONE,
];

/// With fewer nodes the predictions leave too little for its own search: nodes are no part of this scale.
const fn errs(noise: f32) -> Handicap {
    Handicap { nodes: 4000, noise }
}

/// The champion from `champion:1` to `champion:10`, which is the champion itself.
pub const LEVELS: &[BuiltIn] = &bots::levels!(
    "Phoenix",
    ["I know that you know. So I wait for you.", "Je sais que vous savez. Je vous attends."],
    HANDICAPS,
    |seating: &bots::Seating, handicap| Seated::at(seating, Champion::new(seating.seed, handicap))
);
