//! The built-in bots of Hypersonic.
//!
//! Each bot has a file named after its rung of the ladder. The bosses look at the board (`walk`, `targets`); the bots above them
//! search: `position` reads the question, `simulate` plays rounds with the game's own engine, `forecast` says what the bombs in play
//! will do, `safety` and `traps` find actions that cannot be punished, `risk` says what the others cost, `beam` is the search, `visited` its table of known states,
//! `weights` its evaluation, `value` the learned part of it, which reads the `facts` of a state (`cases` writes games to learn from), `prediction` the expected actions of the other players, `reaction` the replies to our plans, and `race` what the
//! score makes of all that. `levels` holds the handicaps of the champion, and `response` measures how much the champion can be exploited.

mod beam;
mod boss_1;
mod boss_2;
mod boss_3;
mod boss_4;
mod bronze;
mod cases;
mod champion;
mod champion_1;
mod facts;
mod gold;
mod legend;
mod levels;
mod position;
mod prediction;
mod race;
mod reaction;
mod response;
mod risk;
mod safety;
mod silver;
mod simulate;
mod targets;
mod traps;
mod value;
mod visited;
mod walk;
mod weights;

pub use cases::{CASE, cases, groups};
pub use levels::LEVELS;
pub use response::THOUGHTS;

use bots::{Budget, BuiltIn, Handicap, Lines, Lost, Mind, Seating};

use position::{Action, Position, PositionReader};

/// A bot that is given the position and returns an action.
trait Player: Send {
    /// The action of this round.
    fn choose(&mut self, position: &Position, budget: &mut Budget) -> Action;
}

/// A bot together with the reader of its questions.
struct Seated<P> {
    reader: PositionReader,
    player: P,
}

impl<P: Player + 'static> Seated<P> {
    fn at(seating: &Seating, player: P) -> Box<dyn Mind> {
        Box::new(Seated { reader: PositionReader::new(seating.selected), player })
    }
}

impl<P: Player> Mind for Seated<P> {
    fn answer(&mut self, lines: &mut Lines<'_>, mut budget: Budget) -> Result<Vec<u8>, Lost> {
        let position = self.reader.read(lines)?;
        Ok(self.player.choose(position, &mut budget).line())
    }
}

/// Weakest first.
pub const LADDER: &[BuiltIn] = &[
    BuiltIn {
        name: "boss-1",
        title: "Fizz",
        motto: ["Box! Bomb! Box! Bomb!", "Caisse ! Bombe ! Caisse ! Bombe !"],
        about: "walks to the nearest box, bombs it and waits for the explosion",
        league: Some(1),
        sit: |seating| Seated::at(seating, boss_1::Chaser),
    },
    BuiltIn {
        name: "boss-2",
        title: "Pica",
        motto: ["Shiny things first.", "D’abord ce qui brille."],
        about: "goes where most is to be had for the way, items too",
        league: Some(2),
        sit: |seating| Seated::at(seating, boss_2::Gatherer),
    },
    BuiltIn {
        name: "boss-3",
        title: "Prudence",
        motto: ["I like boxes. I like my legs more.", "J’aime les caisses. J’aime mieux mes jambes."],
        about: "gathers, and keeps out of the next blast",
        league: Some(3),
        sit: |seating| Seated::at(seating, boss_3::Watchful),
    },
    BuiltIn {
        name: "boss-4",
        title: "Felix",
        motto: ["Never go in without a way out.", "Ne jamais entrer sans savoir sortir."],
        about: "gathers, and does nothing without a way out",
        league: Some(4),
        sit: |seating| Seated::at(seating, boss_4::Careful),
    },
    BuiltIn {
        name: "bronze",
        title: "Ember",
        motto: ["I know where I will stand in eight rounds.", "Je sais où je serai dans huit tours."],
        about: "plans where to be in each of the next rounds",
        league: None,
        sit: |seating| Seated::at(seating, bronze::Planner),
    },
    BuiltIn {
        name: "silver",
        title: "Argus",
        motto: ["I look before I burn.", "Je regarde avant de brûler."],
        about: "searches a few rounds ahead with a narrow beam",
        league: None,
        sit: |seating| Seated::at(seating, silver::NarrowBeam::default()),
    },
    BuiltIn {
        name: "gold",
        title: "Vulcan",
        motto: [
            "A fuse is exactly as long as I can think.",
            "Une mèche dure juste le temps de ma réflexion.",
        ],
        about: "searches as far as a bomb burns, and allows for bombs laid against it now",
        league: None,
        sit: |seating| Seated::at(seating, gold::SafeBeam::default()),
    },
    BuiltIn {
        name: "legend",
        title: "Mirra",
        motto: ["In your place I would step left. You will.", "À votre place, j’irais à gauche. Vous irez."],
        about: "searches for itself while the others do what it would do in their place",
        league: None,
        sit: |seating| Seated::at(seating, legend::PredictingBeam::default()),
    },
    BuiltIn {
        name: "champion-1",
        title: "Nova",
        motto: ["I think of everybody. Mostly of myself.", "Je pense à tout le monde. Surtout à moi."],
        about: "the first champion: searches deep for itself and a little for everybody else",
        league: None,
        sit: |seating| Seated::at(seating, champion_1::FirstChampion::new(seating.seed)),
    },
    BuiltIn {
        name: "champion",
        title: "Phoenix",
        motto: [
            "You know what I will do. I know that you know.",
            "Vous savez ce que je ferai. Je sais que vous savez.",
        ],
        about: "searches against the others' answers to its own expected play, and weighs risks instead of avoiding them all",
        league: None,
        sit: |seating| Seated::at(seating, champion::Champion::new(seating.seed, Handicap::NONE)),
    },
];

/// A player with a copy of the champion, by which the champion is measured.
pub const RESPONSE: BuiltIn = BuiltIn {
    name: "response",
    title: "Echo",
    motto: ["I know what you will do.", "Je sais ce que vous ferez."],
    about: "searches against what a copy of the champion does",
    league: None,
    sit: |seating| Seated::at(seating, response::Response::new(seating.seed)),
};
