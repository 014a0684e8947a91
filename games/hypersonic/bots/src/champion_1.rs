//! `champion-1`: the first champion, by which the present one is measured.
//!
//! It searches eighteen rounds ahead, which is two fuses: long enough to see what an item or a way is good for, so that
//! the evaluation decides little. In the first twelve of these rounds the other players follow a predicted plan: the result of a
//! search of their own, as deep as ours but with few states. Later actions cannot be predicted.
//!
//! Before it searches it works out traps: it takes no action that an opponent can punish within two rounds, and where a kill is
//! certain it kills. Against a single opponent the search also looks for dead ends that the opponent is about to enter: a bomb that
//! closes one behind it wins the game. The score decides how many boxes this kill is worth. When nobody can catch up any more the
//! champion only survives; when boxes cannot help it any more it hunts.

use super::beam::{Beam, Memory};
use super::position::{Action, Position};
use super::prediction::Prediction;
use super::race::{Mood, Race};
use super::weights::{self, Weights};
use super::{Player, safety};
use bots::Budget;

/// A deep beam search with predictions, traps and the score in mind.
#[derive(Debug)]
pub(super) struct FirstChampion {
    weights: Weights,
    prediction: Prediction,
    memory: Memory,
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

impl FirstChampion {
    pub(super) fn new(seed: u64) -> FirstChampion {
        FirstChampion {
            weights: Weights { seed, ..weights::COMMON },
            prediction: Prediction { share: 0.06, depth: 18, known: 12, width: 400 },
            memory: Memory::default(),
        }
    }
}

impl Player for FirstChampion {
    fn choose(&mut self, position: &Position, budget: &mut Budget) -> Action {
        let race = Race::of(position);
        let mood = race.mood();
        let allowed = safety::untrapped(position, safety::safest(position), DEFENCE, budget, 0.1);
        // The rounds for which our own traps are worked out, and the share of the budget for that.
        let (attack, until) = if mood == Mood::Hunt { (3, 0.5) } else { (2, 0.2) };
        if let Some(action) = safety::kill(position, &allowed, attack, budget, until) {
            return action;
        }
        let FirstChampion { weights, prediction, memory } = self;
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
            costs: &[],
            learned: None,
        };
        let best = beam.run(&position.state, &allowed, memory, budget, 1.0);
        best.first().copied().unwrap_or(allowed[0])
    }
}
