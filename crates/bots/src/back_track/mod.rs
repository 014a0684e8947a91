//! The bots of Back Track.

mod accountant;
mod bosses;
mod champion;
mod ground;
mod planner;
mod saboteur;
mod shortcut;
mod strategist;
mod surveyor;
mod table;
mod values;

use game::Dice;

use crate::ladder::BuiltIn;

/// Weakest first.
pub(crate) const LADDER: &[BuiltIn] = &[
    BuiltIn {
        name: "boss-1",
        about: "Waits.",
        league: Some(1),
        sit: |seating| table::seat(seating, bosses::Waiter),
    },
    BuiltIn {
        name: "boss-2",
        about: "Builds between random towns.",
        league: Some(2),
        sit: |seating| table::seat(seating, bosses::Wanderer { dice: Dice::new(seating.seed) }),
    },
    BuiltIn {
        name: "boss-3",
        about: "Builds the cheapest desired connection, then the next; disrupts nothing.",
        league: Some(3),
        sit: |seating| table::seat(seating, bosses::Builder),
    },
    BuiltIn {
        name: "bronze",
        about: "Builds the cheapest desired connection and hits regions where the opponent has more tracks.",
        league: None,
        sit: |seating| table::seat(seating, saboteur::Saboteur),
    },
    BuiltIn {
        name: "silver",
        about: "Plans whole routes by points per paint and hits what pays the opponent most.",
        league: None,
        sit: |seating| table::seat(seating, surveyor::Surveyor::new()),
    },
    BuiltIn {
        name: "gold",
        about: "Tries every small set of tracks with every good hit and takes the best balance of points.",
        league: None,
        sit: |seating| table::seat(seating, accountant::Accountant::new()),
    },
    BuiltIn {
        name: "legend",
        about: "Searches the coming turns with a beam, against an opponent that answers.",
        league: None,
        sit: |seating| table::seat(seating, strategist::Strategist::new()),
    },
    BuiltIn {
        name: "champion",
        about: "Plays the coming turns on for every plan and every hit it considers, and takes what ends best.",
        league: None,
        sit: |seating| {
            table::seat(seating, champion::Champion::new(champion::Sight::USUAL, planner::Beliefs::USUAL))
        },
    },
];
