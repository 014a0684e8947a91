//! The built-in bots of Ocean of Code.
//!
//! Each bot has a file named after its rung of the ladder. The bosses keep one set of cells (`hearing`) or track every path of their
//! opponent (`tracker`); silver, gold, legend and the champion share one evaluation of a turn (`evaluation`) with weights of their own.
//! `question` reads the lines, `tactics` plays the turn that a bot chooses, `chart` holds tables of the map, `steering` simple moves,
//! `course` the ways to move in one turn, `knowledge` what each side knows, `foresight` the opponent's answer and `voyage` the way
//! ahead.

mod boss_1;
mod boss_2;
mod boss_3;
mod boss_4;
mod bronze;
mod champion;
mod chart;
mod course;
mod evaluation;
mod foresight;
mod gold;
mod hearing;
mod knowledge;
mod legend;
mod question;
mod silver;
mod steering;
mod tactics;
mod tracker;
mod voyage;

use evaluation::Evaluator;
use tactics::Player;

use bots::BuiltIn;

/// Weakest first.
pub const LADDER: &[BuiltIn] = &[
    BuiltIn {
        name: "boss-1",
        about: "Goes where there is room and shoots into the blue.",
        league: Some(1),
        sit: |seating| Player::seated(seating, boss_1::Drifter),
    },
    BuiltIn {
        name: "boss-2",
        about: "Listens to the orders and shoots when one explosion covers every place left.",
        league: Some(2),
        sit: |seating| Player::seated(seating, boss_2::Listener::new()),
    },
    BuiltIn {
        name: "boss-3",
        about: "Lays mines wherever it goes and learns from hits and misses.",
        league: Some(3),
        sit: |seating| Player::seated(seating, boss_3::Sapper::new()),
    },
    BuiltIn {
        name: "boss-4",
        about: "Tracks every path its opponent can have and shoots as soon as a hit is likely.",
        league: Some(4),
        sit: |seating| Player::seated(seating, boss_4::Stalker::default()),
    },
    BuiltIn {
        name: "bronze",
        about: "Steers by what it tracks: closes in when armed, keeps off mines, flees when hit.",
        league: None,
        sit: |seating| Player::seated(seating, bronze::Hunter::default()),
    },
    BuiltIn {
        name: "silver",
        about: "Follows itself as its opponent does and stays hard to find.",
        league: None,
        sit: |seating| Player::seated(seating, Evaluator::new(silver::WEIGHTS)),
    },
    BuiltIn {
        name: "gold",
        about: "Weighs every line of a turn, torpedo included, with the opponent's answer.",
        league: None,
        sit: |seating| Player::seated(seating, Evaluator::new(gold::WEIGHTS)),
    },
    BuiltIn {
        name: "legend",
        about: "Looks ahead as well: through mines and narrowing water, all in lives.",
        league: None,
        sit: |seating| Player::seated(seating, Evaluator::new(legend::WEIGHTS)),
    },
    BuiltIn {
        name: "champion",
        about: "Looks ahead with weights that play against itself has found.",
        league: None,
        sit: |seating| Player::seated(seating, Evaluator::new(champion::WEIGHTS)),
    },
];
