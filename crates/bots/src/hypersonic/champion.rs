//! The champion. It searches eighteen rounds ahead, which is two fuses: long enough to see what an item or a way is good for,
//! so that little is left to the taste of the evaluation. In the first twelve of these rounds the others do what a search of their
//! own finds best, which looks as far ahead as ours: they too plan for two fuses, and a short search does not see what they are
//! after. It takes few states to read them; further ahead nobody can be read.
//!
//! Before it searches it works out traps: it takes no action that an opponent could punish, whatever he does in the next two
//! rounds, and where a kill is certain it kills. While it searches it looks for the dead ends that the others are about to walk
//! into: a bomb that closes one behind them wins more games than boxes do. When nobody can catch up any more it only lives;
//! when boxes cannot help it any more it hunts.

use game::Seat;

use super::beam::{Beam, Memory};
use super::forecast::Forecast;
use super::reading::Reading;
use super::sight::{Action, Position};
use super::taste::{self, Taste};
use super::{Player, safety};
use crate::budget::Budget;

/// The bot.
#[derive(Debug)]
pub(super) struct Champion {
    taste: Taste,
    reading: Reading,
    memory: Memory,
}

/// The rounds it searches ahead, and how many it goes where there is little to search; the most states of a round.
const DEPTH: usize = 18;
const REACH: usize = 30;
const WIDTH: usize = 4000;

/// The rounds a hunt is planned for: a fuse.
const HUNT: usize = 8;

/// How many rounds of traps are worked out against us.
const DEFENCE: u32 = 2;

impl Champion {
    pub(super) fn new(seed: u64) -> Champion {
        Champion {
            taste: Taste { seed, trap: 60.0, ..taste::COMMON },
            reading: Reading { share: 0.06, depth: 18, known: 12, width: 400 },
            memory: Memory::default(),
        }
    }
}

impl Player for Champion {
    fn choose(&mut self, position: &Position, budget: &mut Budget) -> Action {
        let mood = Mood::of(position);
        let allowed = safety::untrapped(position, safety::safest(position), DEFENCE, budget, 0.1);
        // The rounds of traps that are worked out for us, and what that may cost.
        let (attack, until) = if mood == Mood::Hunt { (3, 0.5) } else { (2, 0.2) };
        if let Some(action) = safety::kill(position, &allowed, attack, budget, until) {
            return action;
        }
        let Champion { taste, reading, memory } = self;
        let others = position.opponents().len();
        // The more there are to read the more it is worth.
        let share = reading.share * [0.0, 1.0, 1.75, 2.25][others.min(3) as usize];
        let reading = Reading { share, ..*reading };
        let scripts = reading.scripts(position, &taste::COMMON, memory, budget);
        let own = mood.taste(taste, others);
        let (depth, reach, prey) = match mood {
            Mood::Hunt => (HUNT, HUNT, safety::nearest(position)),
            Mood::Race | Mood::Rest => (DEPTH, REACH, None),
        };
        let beam = Beam {
            game: &position.game,
            me: position.me,
            taste: &own,
            scripts: &scripts,
            depth,
            reach,
            width: WIDTH,
            prey,
        };
        let best = beam.run(&position.state, &allowed, memory, budget, 1.0);
        best.first().copied().unwrap_or(allowed[0])
    }
}

/// What the score asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mood {
    /// Boxes.
    Race,
    /// Nothing but to live: nobody can catch up any more.
    Rest,
    /// A kill: we are not ahead, and the boxes that are left do not change it.
    Hunt,
}

impl Mood {
    fn of(position: &Position) -> Mood {
        let Position { game, state, me } = position;
        let forecast = Forecast::of(game, state, *me);
        let total = |seat: Seat| {
            let burning = forecast.boxes.iter().map(|by| i32::from(by[seat.index()])).sum::<i32>();
            i32::from(state.player(seat).boxes) + burning
        };
        let best = position.opponents().map(total).max().unwrap_or(0);
        let lead = total(*me) - best;
        let left = forecast.boxes_left.len() as i32;
        if lead > left {
            Mood::Rest
        } else if left == 0 || lead + left < 0 {
            Mood::Hunt
        } else {
            Mood::Race
        }
    }

    fn taste(self, taste: &Taste, others: u32) -> Taste {
        match self {
            // Of several opponents a kill beats only one.
            Mood::Race => Taste { trap: taste.trap / others.max(1) as f32, ..taste.clone() },
            Mood::Rest => Taste { a_box: 1.0, hurry: 0.0, narrow: 5.0, trap: 0.0, ..taste.clone() },
            Mood::Hunt => taste.clone(),
        }
    }
}
