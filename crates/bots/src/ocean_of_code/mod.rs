//! The bots of Ocean of Code.

mod admiral;
mod captain;
mod chart;
mod course;
mod duel;
mod helm;
mod report;
mod stalker;
mod tracker;
mod voyage;
mod watch;

use admiral::{Admiral, Weights};
use captain::Captain;

use crate::ladder::BuiltIn;

/// Weakest first.
pub(crate) const LADDER: &[BuiltIn] = &[
    BuiltIn {
        name: "boss-4",
        about: "Tracks every path its opponent can have and shoots as soon as a hit is likely.",
        league: Some(4),
        sit: |seating| Captain::seated(seating, stalker::Stalker::default()),
    },
    BuiltIn {
        name: "champion",
        about: "Weighs every line of a turn with the opponent's answer.",
        league: None,
        sit: |seating| Captain::seated(seating, Admiral::new(Weights::PLAIN)),
    },
];
