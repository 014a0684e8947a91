//! Legend searches deeper than gold, while the other players do what it would do in their place.

use super::beam::{Beam, Memory};
use super::position::{Action, Position};
use super::prediction::Prediction;
use super::{Player, safety, weights};
use bots::Budget;

/// A beam in which the other players follow their predicted actions.
#[derive(Debug, Default)]
pub(super) struct PredictingBeam {
    memory: Memory,
}

impl Player for PredictingBeam {
    fn choose(&mut self, position: &Position, budget: &mut Budget) -> Action {
        let first = safety::safest(position);
        let prediction = Prediction { share: 0.2, depth: 5, known: 5, width: 50 };
        let scripts = prediction.scripts(position, &weights::COMMON, &mut self.memory, budget);
        let beam = Beam {
            game: &position.game,
            me: position.me,
            weights: &weights::COMMON,
            scripts: &scripts,
            depth: 15,
            reach: 15,
            width: 100,
            prey: None,
            costs: &[],
            learned: None,
        };
        let plan = beam.run(&position.state, &first, &mut self.memory, budget, 1.0);
        plan.first().copied().unwrap_or(first[0])
    }
}
