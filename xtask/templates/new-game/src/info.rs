//! The facts about the game that are known before it is played.

use game::{Edition, Info, League};

/// The facts about the game.
pub(crate) static INFO: Info = Info {
    name: "__name__",
    title: "__title__",
    about: "Collect more coins than your opponent.",
    about_fr: "Ramassez plus de pièces que votre adversaire.",
    side_quest: false,
    simultaneous: true,
    hidden: false,
    min_players: 2,
    max_players: 2,
    leagues: &[
        League { name: "Wood", about: "Few coins." },
        League { name: "Legend", about: "The full game: many coins." },
    ],
    editions: &[Edition { name: "standard", about: "The rules of the statement." }],
};
