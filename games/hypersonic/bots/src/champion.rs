//! The champion searches eighteen rounds ahead, which is two fuses: long enough to see what an item or a way is good for, so that
//! the evaluation decides little. In the first twelve of these rounds the other players follow a predicted plan: the result of a
//! search of their own, as deep as ours but with few states. Later actions cannot be predicted.
//!
//! Before it searches it works out traps: it takes no action that an opponent can punish within two rounds, and where a kill is
//! certain it kills. Against a single opponent the search also looks for dead ends that the opponent is about to enter: a bomb that
//! closes one behind it wins the game. The score decides how many boxes this kill is worth. When nobody can catch up any more the
//! champion only survives; when boxes cannot help it any more it hunts.

use std::f32::consts::PI;

use game::Seat;

use hypersonic::Forecast;

use super::beam::{Beam, Memory};
use super::position::{Action, Position};
use super::prediction::Prediction;
use super::weights::{self, Weights};
use super::{Player, safety};
use bots::{Budget, Handicap};

/// A deep beam search with predictions, traps and the score in mind.
#[derive(Debug)]
pub(super) struct Champion {
    weights: Weights,
    prediction: Prediction,
    memory: Memory,
    handicap: Handicap,
}

/// Rounds that the budget is spread over.
const DEPTH: usize = 18;
/// The most rounds, where there are few states and budget is left.
const REACH: usize = 30;
/// The most states of a round.
const WIDTH: usize = 4000;

/// Rounds that a hunt is planned for: a fuse.
const HUNT: usize = 8;

/// Rounds for which the traps of the opponents are worked out.
const DEFENCE: u32 = 2;

impl Champion {
    pub(super) fn new(seed: u64, handicap: Handicap) -> Champion {
        let noise = weights::COMMON.noise + handicap.noise;
        Champion {
            weights: Weights { seed, noise, trap: 60.0, ..weights::COMMON },
            prediction: Prediction { share: 0.06, depth: 18, known: 12, width: 400 },
            memory: Memory::default(),
            handicap,
        }
    }
}

impl Player for Champion {
    fn choose(&mut self, position: &Position, budget: &mut Budget) -> Action {
        let budget = &mut self.handicap.limit(budget.clone());
        let race = Race::of(position);
        let mood = race.mood();
        let allowed = safety::untrapped(position, safety::safest(position), DEFENCE, budget, 0.1);
        // The rounds for which our own traps are worked out, and the share of the budget for that.
        let (attack, until) = if mood == Mood::Hunt { (3, 0.5) } else { (2, 0.2) };
        if let Some(action) = safety::kill(position, &allowed, attack, budget, until) {
            return action;
        }
        let Champion { weights, prediction, memory, .. } = self;
        // The prediction of more opponents gets a greater share.
        let share = prediction.share * [0.0, 1.0, 1.75, 2.25][race.others.min(3) as usize];
        let prediction = Prediction { share, ..*prediction };
        let scripts = prediction.scripts(position, &weights::COMMON, memory, budget);
        let own = race.weights(weights);
        let (depth, reach, prey) = match mood {
            Mood::Hunt => (HUNT, HUNT, safety::nearest(position)),
            Mood::Race | Mood::Rest => (DEPTH, REACH, None),
        };
        let beam = Beam {
            game: &position.game,
            me: position.me,
            weights: &own,
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

/// The goal that the score suggests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mood {
    /// Boxes.
    Race,
    /// Nothing but to live: nobody can catch up any more.
    Rest,
    /// A kill: we are not ahead, and the boxes that are left do not change it.
    Hunt,
}

/// The spread of the final lead: the standard deviation is this number times the square root of the boxes that are left.
const WANDER: f32 = 0.5;

/// An expected kill is worth twenty boxes at the most: the opponent may act in another way.
const KILL_MOST: f32 = 200.0;

/// Where the race for the boxes stands.
#[derive(Clone, Copy, Debug)]
struct Race {
    /// Our boxes minus those of the best opponent, with the boxes that burning bombs will score.
    lead: i32,
    /// Boxes that no burning bomb will hit.
    left: i32,
    /// Opponents that are still in the game.
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

    fn weights(self, weights: &Weights) -> Weights {
        match self.mood() {
            // Among several opponents a kill beats only one of them, but costs as many boxes.
            Mood::Race => {
                Weights { trap: if self.others == 1 { self.kill() } else { 0.0 }, ..weights.clone() }
            }
            Mood::Rest => Weights { a_box: 1.0, hurry: 0.0, narrow: 5.0, trap: 0.0, ..weights.clone() },
            Mood::Hunt => weights.clone(),
        }
    }

    /// The value of a kill, in tenths of a box. A kill raises the chance of winning to 1; a box raises it a little. If the final lead
    /// is normally distributed around the present lead, the ratio of the two gains is Mills' ratio.
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
        let trap = |others| {
            Race { lead: 0, left: 20, others }.weights(&Champion::new(0, Handicap::NONE).weights).trap
        };
        assert!(trap(1) > 0.0 && trap(3) <= 0.0);
    }
}
