//! The built-in bots of Back Track.
//!
//! Each bot has a file named after its rung of the ladder. `position` reads the question, `routes` and `shortcut` find ways between
//! towns, `values` rates single tracks, `ground` and `planner` plan which blocks of rails to join and where to hit, `candidates` lists
//! what can be done in a turn, `playout` tries it by playing on, `value` judges that by what was learned from games and `mutual`
//! compares the answers of both players. `cases` writes what the value is learned from. `second_league` adds the task of the second
//! league, `side_quest` the side quest. `levels` holds the handicaps of the champion, and `response` measures how much the champion
//! can be exploited.

mod boss_1;
mod boss_2;
mod boss_3;
mod bronze;
mod candidates;
mod cases;
mod champion;
mod champion_1;
mod gold;
mod ground;
mod legend;
mod levels;
mod mutual;
mod planner;
mod playout;
mod position;
mod response;
mod routes;
mod second_league;
mod shortcut;
mod side_quest;
mod silver;
mod value;
mod values;

pub use cases::cases;
pub use levels::LEVELS;
pub use response::THOUGHTS;

use bots::{BuiltIn, Handicap};
use game::Dice;

/// Weakest first.
pub const LADDER: &[BuiltIn] = &[
    BuiltIn {
        name: "boss-1",
        title: "Gaston",
        motto: ["I will build tomorrow.", "Je construirai demain."],
        about: "Waits.",
        league: Some(1),
        sit: |seating| position::seat(seating, boss_1::Waiter),
    },
    BuiltIn {
        name: "boss-2",
        title: "Zigzag",
        motto: ["Any two towns will do.", "Deux villes, n’importe lesquelles."],
        about: "Builds between random towns.",
        league: Some(2),
        sit: |seating| position::seat(seating, boss_2::Wanderer { dice: Dice::new(seating.seed) }),
    },
    BuiltIn {
        name: "boss-3",
        title: "Colette",
        motto: ["The cheapest line first. Always.", "La ligne la moins chère d’abord. Toujours."],
        about: "Builds the cheapest desired connection, then the next; disrupts nothing.",
        league: Some(3),
        sit: |seating| position::seat(seating, boss_3::Builder),
    },
    BuiltIn {
        name: "bronze",
        title: "Ferrand",
        motto: ["One line for me, one hole for you.", "Une ligne pour moi, un trou pour vous."],
        about: "Builds the cheapest desired connection and hits where the opponent has most tracks.",
        league: None,
        sit: |seating| position::seat(seating, second_league::WithSecondLeague(bronze::Bronze)),
    },
    BuiltIn {
        name: "silver",
        title: "Isadora",
        motto: ["I never draw half a route.", "Je ne trace jamais une moitié de ligne."],
        about: "Plans whole routes by points per paint and hits what pays the opponent most.",
        league: None,
        sit: |seating| position::seat(seating, second_league::WithSecondLeague(silver::Silver::new())),
    },
    BuiltIn {
        name: "gold",
        title: "Archibald",
        motto: [
            "I tried every track while you read this.",
            "J’ai essayé tous les rails pendant que vous lisiez.",
        ],
        about: "Tries every small set of tracks with every good hit and takes the best balance of points.",
        league: None,
        sit: |seating| position::seat(seating, second_league::WithSecondLeague(gold::Gold::new())),
    },
    BuiltIn {
        name: "legend",
        title: "Octavia",
        motto: ["I have already ridden your next turn.", "J’ai déjà parcouru votre prochain tour."],
        about: "Plays the coming turns on for each of its plans and takes the one that ends best.",
        league: None,
        sit: |seating| position::seat(seating, second_league::WithSecondLeague(legend::Legend::new())),
    },
    BuiltIn {
        name: "champion-1",
        title: "Ludovic",
        motto: ["My rails were here first.", "Mes rails étaient là les premiers."],
        about: "The first champion: plays on for plans, detours, shortcuts, mixtures and hits, against several opponents.",
        league: None,
        sit: |seating| {
            position::seat(seating, second_league::WithSecondLeague(champion_1::FirstChampion::new()))
        },
    },
    BuiltIn {
        name: "champion",
        title: "Leonor",
        motto: ["There is always a shorter way.", "Il y a toujours un chemin plus court."],
        about: "Searches the opponent's answers too, tries the best of both sides against each other and takes what does best.",
        league: None,
        sit: |seating| levels::seat(seating, Handicap::NONE),
    },
];

/// A player with a copy of the champion, by which the champion is measured.
pub const RESPONSE: BuiltIn = BuiltIn {
    name: "response",
    title: "Mirabel",
    motto: ["I know where you will build.", "Je sais où vous construirez."],
    about: "Takes the answer that does best against that of a copy of the champion.",
    league: None,
    sit: |seating| position::seat(seating, second_league::WithSecondLeague(response::Response::new())),
};
