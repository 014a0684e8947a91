//! The champion. It searches eighteen rounds ahead, which is two fuses: long enough to see what an item or a way is good for,
//! so that little is left to the taste of the evaluation. In the first twelve of these rounds the others do what a search of their
//! own finds best, which looks as far ahead as ours: they too plan for two fuses, and a short search does not see what they are
//! after. It takes few states to read them; further ahead nobody can be read.
//!
//! Before it searches it works out traps: it takes no action that an opponent could punish, whatever he does in the next two
//! rounds, and where a kill is certain it kills. Against a single opponent it also looks, while it searches, for the dead ends that
//! he is about to walk into: a bomb that closes one behind him wins the game, and is worth as many boxes as the score makes it. When
//! nobody can catch up any more it only lives; when boxes cannot help it any more it hunts.

use std::f32::consts::PI;

use game::Seat;

use super::beam::{Beam, Memory};
use super::forecast::Forecast;
use super::reading::Reading;
use super::sight::{Action, Position};
use super::taste::{self, Taste};
use super::{Player, safety};
use bots::Budget;

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
        let race = Race::of(position);
        let mood = race.mood();
        let allowed = safety::untrapped(position, safety::safest(position), DEFENCE, budget, 0.1);
        // The rounds of traps that are worked out for us, and what that may cost.
        let (attack, until) = if mood == Mood::Hunt { (3, 0.5) } else { (2, 0.2) };
        if let Some(action) = safety::kill(position, &allowed, attack, budget, until) {
            return action;
        }
        let Champion { taste, reading, memory } = self;
        // The more there are to read the more it is worth.
        let share = reading.share * [0.0, 1.0, 1.75, 2.25][race.others.min(3) as usize];
        let reading = Reading { share, ..*reading };
        let scripts = reading.scripts(position, &taste::COMMON, memory, budget);
        let own = race.taste(taste);
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

/// How much the race for the boxes wanders: it ends about this times the root of the boxes left away from the lead of now.
const WANDER: f32 = 0.5;

/// A kill that we expect is worth twenty boxes at the most: the opponent may do what we do not expect.
const KILL_MOST: f32 = 200.0;

/// Where the race for the boxes stands.
#[derive(Clone, Copy, Debug)]
struct Race {
    /// By how many boxes we are ahead of the best of the others, what burns included.
    lead: i32,
    /// Boxes that nothing burns.
    left: i32,
    others: u32,
}

impl Race {
    fn of(position: &Position) -> Race {
        let Position { game, state, me } = position;
        let forecast = Forecast::of(game, state, *me);
        let total = |seat: Seat| {
            let burning = forecast.boxes.iter().map(|by| i32::from(by[seat.index()])).sum::<i32>();
            i32::from(state.player(seat).boxes) + burning
        };
        let best = position.opponents().map(total).max().unwrap_or(0);
        let left = forecast.boxes_left.len() as i32;
        Race { lead: total(*me) - best, left, others: position.opponents().len() }
    }

    fn mood(self) -> Mood {
        if self.lead > self.left {
            Mood::Rest
        } else if self.left == 0 || self.lead + self.left < 0 {
            Mood::Hunt
        } else {
            Mood::Race
        }
    }

    fn taste(self, taste: &Taste) -> Taste {
        match self.mood() {
            // Of several opponents a kill beats only one, and costs as many boxes.
            Mood::Race => Taste { trap: if self.others == 1 { self.kill() } else { 0.0 }, ..taste.clone() },
            Mood::Rest => Taste { a_box: 1.0, hurry: 0.0, narrow: 5.0, trap: 0.0, ..taste.clone() },
            Mood::Hunt => taste.clone(),
        }
    }

    /// What a kill is worth, in tenths of a box. It wins, so it adds what is missing to a certain win; a box adds what the chance of
    /// winning grows by. If the race ends normally distributed around the lead, the one is so many of the other (Mills' ratio).
    fn kill(self) -> f32 {
        let wanders = WANDER * (self.left.max(1) as f32).sqrt();
        let ahead = self.lead as f32 / wanders;
        let ratio = |ahead: f32| 2.0 / (ahead + (ahead * ahead + 8.0 / PI).sqrt());
        let boxes = if ahead >= 0.0 {
            ratio(ahead)
        } else {
            (2.0 * PI).sqrt() * (ahead * ahead / 2.0).exp() - ratio(-ahead)
        };
        (10.0 * wanders * boxes).min(KILL_MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kill_is_worth_more_the_more_we_need_it() {
        let kill = |lead, left| Race { lead, left, others: 1 }.kill();
        for left in [1, 9, 36] {
            let worth: Vec<f32> = (-left..=left).map(|lead| kill(lead, left)).collect();
            assert!(worth.is_sorted_by(|before, after| before >= after), "{worth:?}");
            assert!(worth.iter().all(|worth| (0.0..=KILL_MOST).contains(worth)), "{worth:?}");
        }
        assert!(kill(0, 36) > 30.0, "some boxes, while there are many");
        assert!(kill(0, 1) < 10.0, "less than a box, where one decides");
        assert!(kill(-9, 9) > 150.0, "many, where nothing else helps");
    }

    #[test]
    fn among_several_nobody_is_trapped() {
        let trap = |others| Race { lead: 0, left: 20, others }.taste(&Champion::new(0).taste).trap;
        assert!(trap(1) > 0.0 && trap(3) <= 0.0);
    }
}
