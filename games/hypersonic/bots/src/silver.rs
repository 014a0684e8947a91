//! Silver searches a few rounds ahead with a narrow beam, as if it were alone on the board.

use hypersonic::MAX_PLAYERS;

use super::Player;
use super::beam::{Beam, Memory, Script};
use super::position::{Action, Position};
use super::simulate::actions;
use super::weights::{self, Weights};
use bots::Budget;

/// A narrow beam over a few rounds.
#[derive(Debug, Default)]
pub(super) struct NarrowBeam {
    memory: Memory,
}

impl Player for NarrowBeam {
    fn choose(&mut self, position: &Position, budget: &mut Budget) -> Action {
        let weights = Weights { hurry: 0.1, deny: 0.0, near: [0.0; 4], ..weights::COMMON };
        let beam = Beam {
            game: &position.game,
            me: position.me,
            weights: &weights,
            scripts: &<[Script; MAX_PLAYERS]>::default(),
            depth: 6,
            reach: 6,
            width: 24,
            prey: None,
            costs: &[],
            learned: None,
        };
        let first = actions(&position.game, &position.state, position.me);
        let plan = beam.run(&position.state, &first, &mut self.memory, budget, 1.0);
        plan.first().copied().unwrap_or(first[0])
    }
}
