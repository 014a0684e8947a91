//! Gold searches as many rounds ahead as a bomb burns, and takes no action that a bomb laid now could punish.

use hypersonic::MAX_PLAYERS;

use super::beam::{Beam, Memory, Script};
use super::position::{Action, Position};
use super::{Player, safety, weights};
use bots::Budget;

/// A beam as deep as a fuse, over actions that are safe against bombs laid now.
#[derive(Debug, Default)]
pub(super) struct SafeBeam {
    memory: Memory,
}

impl Player for SafeBeam {
    fn choose(&mut self, position: &Position, budget: &mut Budget) -> Action {
        let first = safety::safest(position);
        let beam = Beam {
            game: &position.game,
            me: position.me,
            weights: &weights::COMMON,
            scripts: &<[Script; MAX_PLAYERS]>::default(),
            depth: 8,
            reach: 8,
            width: 60,
            prey: None,
            costs: &[],
            learned: None,
        };
        let plan = beam.run(&position.state, &first, &mut self.memory, budget, 1.0);
        plan.first().copied().unwrap_or(first[0])
    }
}
