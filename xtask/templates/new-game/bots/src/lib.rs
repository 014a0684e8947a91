//! The built-in bots of __title__: the table of bots, weakest first. Each bot has a file of its own; `question` reads the lines
//! for all of them.

mod boss_1;
mod boss_2;
mod question;

use bots::BuiltIn;

/// Weakest first.
pub const LADDER: &[BuiltIn] = &[
    BuiltIn {
        name: "boss-1",
        title: "Penny",
        motto: ["A coin is a coin.", "Une pièce est une pièce."],
        about: "Walks to the nearest coin.",
        league: Some(1),
        sit: |_| Box::new(question::Seated::new(boss_1::choose)),
    },
    BuiltIn {
        name: "boss-2",
        title: "Midas",
        motto: ["That one is mine already.", "Celle-là est déjà à moi."],
        about: "Walks to the nearest coin that it reaches before its opponent.",
        league: Some(2),
        sit: |_| Box::new(question::Seated::new(boss_2::choose)),
    },
];
