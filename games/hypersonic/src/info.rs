//! The static facts about the game.

use game::{Edition, Info, League};

/// The facts about the game.
pub(crate) static INFO: Info = Info {
    name: "hypersonic",
    title: "Hypersonic",
    about: "Blow up more boxes than the others, and do not stand in the way of a bomb.",
    about_fr: "Faites sauter plus de caisses que les autres, sans rester sur le chemin d'une bombe.",
    side_quest: false,
    simultaneous: true,
    hidden: false,
    min_players: 2,
    max_players: 4,
    leagues: &[
        League { name: "Wood 3", about: "An open grid with boxes; nobody gets hurt." },
        League { name: "Wood 2", about: "Boxes hold items: an extra range or an extra bomb." },
        League { name: "Wood 1", about: "Walls; bombs eliminate players, but not their owner." },
        League { name: "Bronze and above", about: "The full rules: bombs eliminate everybody." },
    ],
    editions: &[Edition { name: "standard", about: "The rules of the contest." }],
};
