//! The bots of Ocean of Code.
//!
//! The bosses of the leagues drift, listen, lay mines and track; above them each bot adds one idea to the tracker:
//! steering by it, following oneself, counting the answer, counting the way ahead.

mod admiral;
mod captain;
mod champion;
mod chart;
mod course;
mod drifter;
mod duel;
mod duelist;
mod ghost;
mod helm;
mod hunter;
mod listener;
mod navigator;
mod report;
mod sapper;
mod stalker;
mod tracker;
mod voyage;
mod watch;

use admiral::Admiral;
use captain::Captain;
use champion::CHAMPION;
use drifter::Drifter;
use duelist::DUELIST;
use ghost::GHOST;
use hunter::Hunter;
use listener::Listener;
use navigator::NAVIGATOR;
use sapper::Sapper;
use stalker::Stalker;

use bots::BuiltIn;

/// Weakest first.
pub const LADDER: &[BuiltIn] = &[
    BuiltIn {
        name: "boss-1",
        about: "Goes where there is room and shoots into the blue.",
        league: Some(1),
        sit: |seating| Captain::seated(seating, Drifter),
    },
    BuiltIn {
        name: "boss-2",
        about: "Listens to the orders and shoots when one explosion covers every place left.",
        league: Some(2),
        sit: |seating| Captain::seated(seating, Listener::new()),
    },
    BuiltIn {
        name: "boss-3",
        about: "Lays mines wherever it goes and learns from hits and misses.",
        league: Some(3),
        sit: |seating| Captain::seated(seating, Sapper::new()),
    },
    BuiltIn {
        name: "boss-4",
        about: "Tracks every path its opponent can have and shoots as soon as a hit is likely.",
        league: Some(4),
        sit: |seating| Captain::seated(seating, Stalker::default()),
    },
    BuiltIn {
        name: "bronze",
        about: "Steers by what it tracks: closes in when armed, keeps off mines, flees when hit.",
        league: None,
        sit: |seating| Captain::seated(seating, Hunter::default()),
    },
    BuiltIn {
        name: "silver",
        about: "Follows itself as its opponent does and stays hard to find.",
        league: None,
        sit: |seating| Captain::seated(seating, Admiral::new(GHOST)),
    },
    BuiltIn {
        name: "gold",
        about: "Weighs every line of a turn, torpedo included, with the opponent's answer.",
        league: None,
        sit: |seating| Captain::seated(seating, Admiral::new(DUELIST)),
    },
    BuiltIn {
        name: "legend",
        about: "Looks ahead as well: through mines and narrowing water, all in lives.",
        league: None,
        sit: |seating| Captain::seated(seating, Admiral::new(NAVIGATOR)),
    },
    BuiltIn {
        name: "champion",
        about: "Looks ahead with weights that play against itself has found.",
        league: None,
        sit: |seating| Captain::seated(seating, Admiral::new(CHAMPION)),
    },
];
