//! The bots of Back Track.

mod accountant;
mod bosses;
mod champion;
mod ground;
mod ideas;
mod planner;
mod playout;
mod prophet;
mod pupil;
mod quest;
mod saboteur;
mod shortcut;
mod surveyor;
mod table;
mod values;

use game::Dice;

use bots::BuiltIn;

/// Weakest first.
pub const LADDER: &[BuiltIn] = &[
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
        about: "Builds the cheapest desired connection and hits where the opponent has most tracks.",
        league: None,
        sit: |seating| table::seat(seating, pupil::Pupil(saboteur::Saboteur)),
    },
    BuiltIn {
        name: "silver",
        about: "Plans whole routes by points per paint and hits what pays the opponent most.",
        league: None,
        sit: |seating| table::seat(seating, pupil::Pupil(surveyor::Surveyor::new())),
    },
    BuiltIn {
        name: "gold",
        about: "Tries every small set of tracks with every good hit and takes the best balance of points.",
        league: None,
        sit: |seating| table::seat(seating, pupil::Pupil(accountant::Accountant::new())),
    },
    BuiltIn {
        name: "legend",
        about: "Plays the coming turns on for each of its plans and takes the one that ends best.",
        league: None,
        sit: |seating| table::seat(seating, pupil::Pupil(prophet::Prophet::new())),
    },
    BuiltIn {
        name: "champion",
        about: "Plays on for plans, detours, shortcuts, mixtures and hits, against several opponents.",
        league: None,
        sit: |seating| table::seat(seating, pupil::Pupil(champion::Champion::new())),
    },
];
