//! The champion plays as the first champion does, but knows better where its opponent is: it asks of every place the opponent can be in
//! how likely a player would have played so from there (`inference`). It also foresees the opponent's next turn (`replies`) and does
//! not waste charges.

use game::Dice;
use ocean_of_code::{Cell, Chain};

use super::champion_1;
use super::chart::Chart;
use super::evaluation::{Decision, Weights};
use super::inference::Inference;
use super::knowledge::Knowledge;
use super::likelihood;
use super::policy::Habits;
use super::replies::Replies;
use super::steering::open_water;
use super::tactics::{Scene, Tactics, any_of};
use bots::{Budget, Handicap};

/// The weights of its own turns.
const WEIGHTS: Weights = Weights { thrifty: true, ..champion_1::WEIGHTS };

/// The weights by which it judges the opponent's turns. The opponent's mines are not known well enough to count.
pub(super) const ITS_WEIGHTS: Weights = Weights { on_mines: 1.0, ..champion_1::WEIGHTS };

/// How the opponent is expected to choose by them.
pub(super) const ITS_HABITS: Habits = Habits { whim: 0.1, depth: 5, logit: likelihood::logit };

/// The same with a handicap of few nodes: looking far ahead would leave none for other places.
const ITS_HABITS_IN_HASTE: Habits = Habits { depth: 3, ..ITS_HABITS };

/// The share of the budget for inference; the rest is for the own turn.
const INFERENCE: f64 = 0.6;

/// Infers and evaluates.
pub(super) struct Champion {
    minds: Option<(Knowledge, Inference)>,
    habits: Habits,
    handicap: Handicap,
}

impl Champion {
    pub(super) fn new(handicap: Handicap) -> Champion {
        let habits = if handicap == Handicap::NONE { ITS_HABITS } else { ITS_HABITS_IN_HASTE };
        Champion { minds: None, habits, handicap }
    }

    /// The champion at full strength against an opponent with other habits.
    pub(super) fn against(habits: Habits) -> Champion {
        Champion { minds: None, habits, handicap: Handicap::NONE }
    }
}

fn minds(chart: &Chart) -> (Knowledge, Inference) {
    (Knowledge::new(chart), Inference::new(chart))
}

impl Tactics for Champion {
    fn start(&mut self, chart: &Chart, dice: &mut Dice) -> Cell {
        self.minds = Some(minds(chart));
        any_of(chart, &open_water(chart), dice)
    }

    fn line(&mut self, scene: &Scene<'_>, dice: &mut Dice, budget: &mut Budget) -> Chain {
        let budget = &mut self.handicap.limit(budget.clone());
        let (knowledge, inference) = self.minds.get_or_insert_with(|| minds(scene.chart));
        let mut share = budget.share(INFERENCE);
        let habits = (&ITS_WEIGHTS, &self.habits);
        let nodes = inference.update(scene, knowledge, habits, &mut share, &mut |_, _| {});
        budget.spend(nodes);
        let enemy = inference.chances(scene.chart, knowledge);
        let mines = knowledge.enemy.mines(scene.chart);
        let decision = Decision::new(scene, knowledge, &WEIGHTS, enemy, mines);
        let lives = [scene.report.opponent_lives, scene.report.lives];
        let mirror = inference.mirror(scene, knowledge, lives);
        Replies::new(scene, mirror, &ITS_WEIGHTS, inference.places())
            .line(&decision, budget, &mut || self.handicap.error(dice))
    }
}
