//! The built-in bots of Ocean of Code.
//!
//! Each bot has a file named after its rung of the ladder. The bosses keep one set of cells (`hearing`) or track every path of their
//! opponent (`tracker`); silver, gold, legend and the champions share one evaluation of a turn (`evaluation`) with weights of their own.
//! `question` reads the lines, `tactics` plays the turn that a bot chooses, `chart` holds tables of the map, `steering` simple moves,
//! `course` the ways to move in one turn, `knowledge` what each side knows, `foresight` the opponent's answer and `voyage` the way
//! ahead. The champion also asks where its opponent probably is (`inference`): it keeps weighed places (`particles`) and compares each
//! turn with what players do in such places (`policy`, with the trained network of `likelihood`) and know (`mirror`); and it foresees its
//! next turn (`replies`). `cases` writes what the network is trained with. `levels` holds its handicaps, and
//! `response` measures how much the champion can be exploited.

mod boss_1;
mod boss_2;
mod boss_3;
mod boss_4;
mod bronze;
mod cases;
mod champion;
mod champion_1;
mod chart;
mod course;
mod evaluation;
mod foresight;
mod gold;
mod hearing;
mod inference;
mod knowledge;
mod legend;
mod levels;
mod likelihood;
mod mirror;
mod particles;
mod policy;
mod question;
mod replies;
mod response;
mod silver;
mod steering;
mod tactics;
mod tracker;
mod voyage;

pub use cases::Witness;
pub use levels::LEVELS;

use evaluation::Evaluator;
use tactics::Player;

use bots::{BuiltIn, Handicap};

/// Weakest first.
pub const LADDER: &[BuiltIn] = &[
    BuiltIn {
        name: "boss-1",
        title: "Bubbles",
        motto: ["Boom? No? Boom?", "Boum ? Non ? Boum ?"],
        about: "Goes where there is room and shoots into the blue.",
        league: Some(1),
        sit: |seating| Player::seated(seating, boss_1::Drifter),
    },
    BuiltIn {
        name: "boss-2",
        title: "Sonia",
        motto: ["Keep talking. I am listening.", "Continuez de parler. J’écoute."],
        about: "Listens to the orders and shoots when one explosion covers every place left.",
        league: Some(2),
        sit: |seating| Player::seated(seating, boss_2::Listener::new()),
    },
    BuiltIn {
        name: "boss-3",
        title: "Barnacle",
        motto: ["Mind where you swim.", "Regardez où vous nagez."],
        about: "Lays mines wherever it goes and learns from hits and misses.",
        league: Some(3),
        sit: |seating| Player::seated(seating, boss_3::Sapper::new()),
    },
    BuiltIn {
        name: "boss-4",
        title: "Marlow",
        motto: [
            "I know every way you can have come.",
            "Je connais tous les chemins que vous avez pu prendre.",
        ],
        about: "Tracks every path its opponent can have and shoots as soon as a hit is likely.",
        league: Some(4),
        sit: |seating| Player::seated(seating, boss_4::Stalker::default()),
    },
    BuiltIn {
        name: "bronze",
        title: "Nerissa",
        motto: ["Armed, I come closer. Hurt, I am gone.", "Armée, j’approche. Touchée, je disparais."],
        about: "Steers by what it tracks: closes in when armed, keeps off mines, flees when hit.",
        league: None,
        sit: |seating| Player::seated(seating, bronze::Hunter::default()),
    },
    BuiltIn {
        name: "silver",
        title: "Umbra",
        motto: [
            "I hunt myself first, to see how you would.",
            "Je me traque d’abord, pour voir comment vous feriez.",
        ],
        about: "Follows itself as its opponent does and stays hard to find.",
        league: None,
        sit: |seating| Player::seated(seating, Evaluator::new(silver::WEIGHTS)),
    },
    BuiltIn {
        name: "gold",
        title: "Voss",
        motto: ["Every line is weighed, yours too.", "Chaque ordre est pesé, les vôtres aussi."],
        about: "Weighs every line of a turn, torpedo included, with the opponent's answer.",
        league: None,
        sit: |seating| Player::seated(seating, Evaluator::new(gold::WEIGHTS)),
    },
    BuiltIn {
        name: "legend",
        title: "Abyssa",
        motto: ["The water gets narrow. I made it so.", "L’eau se resserre. C’est moi qui l’ai voulu."],
        about: "Looks ahead as well: through mines and narrowing water, all in lives.",
        league: None,
        sit: |seating| Player::seated(seating, Evaluator::new(legend::WEIGHTS)),
    },
    BuiltIn {
        name: "champion-1",
        title: "Cetus",
        motto: ["I have sunk myself a million times.", "Je me suis coulé moi-même un million de fois."],
        about: "Looks ahead with weights that play against itself has found.",
        league: None,
        sit: |seating| Player::seated(seating, Evaluator::new(champion_1::WEIGHTS)),
    },
    BuiltIn {
        name: "champion",
        title: "Leviathan",
        motto: ["You would have gone north. So you did.", "Vous seriez allé au nord. Vous y êtes."],
        about: "Asks of every place its opponent can be in whether it would have played so from there.",
        league: None,
        sit: |seating| Player::seated(seating, champion::Champion::new(Handicap::NONE)),
    },
];

/// A player that was trained to find the champion, by which the champion is measured.
pub const RESPONSE: BuiltIn = BuiltIn {
    name: "response",
    title: "Ahab",
    motto: ["I know your habits.", "Je connais vos habitudes."],
    about: "Plays as the champion does, with a network that was trained on games of the champion alone.",
    league: None,
    sit: |seating| Player::seated(seating, response::response()),
};
