//! Silver, gold and legend search with beams, each with one idea more than the one before.

use hypersonic::MAX_PLAYERS;

use super::beam::{Beam, Memory, Script};
use super::reading::Reading;
use super::sight::{Action, Position};
use super::simulate::actions;
use super::taste::{self, Taste};
use super::{Player, safety};
use bots::Budget;

/// Silver looks a few rounds ahead with a narrow beam, as if it were alone.
#[derive(Debug, Default)]
pub(super) struct Narrow {
    memory: Memory,
}

impl Player for Narrow {
    fn choose(&mut self, position: &Position, budget: &mut Budget) -> Action {
        let taste = Taste { hurry: 0.1, deny: 0.0, near: [0.0; 4], ..taste::COMMON };
        let beam = Beam {
            game: &position.game,
            me: position.me,
            taste: &taste,
            scripts: &<[Script; MAX_PLAYERS]>::default(),
            depth: 6,
            reach: 6,
            width: 24,
            prey: None,
        };
        let first = actions(&position.game, &position.state, position.me);
        let plan = beam.run(&position.state, &first, &mut self.memory, budget, 1.0);
        plan.first().copied().unwrap_or(first[0])
    }
}

/// Gold searches as far as a bomb burns, and does nothing that a bomb laid now could punish.
#[derive(Debug, Default)]
pub(super) struct Sturdy {
    memory: Memory,
}

impl Player for Sturdy {
    fn choose(&mut self, position: &Position, budget: &mut Budget) -> Action {
        let first = safety::safest(position);
        let beam = Beam {
            game: &position.game,
            me: position.me,
            taste: &taste::COMMON,
            scripts: &<[Script; MAX_PLAYERS]>::default(),
            depth: 8,
            reach: 8,
            width: 60,
            prey: None,
        };
        let plan = beam.run(&position.state, &first, &mut self.memory, budget, 1.0);
        plan.first().copied().unwrap_or(first[0])
    }
}

/// Legend searches while the others do what it expects of them.
#[derive(Debug, Default)]
pub(super) struct Reader {
    memory: Memory,
}

impl Player for Reader {
    fn choose(&mut self, position: &Position, budget: &mut Budget) -> Action {
        let first = safety::safest(position);
        let reading = Reading { share: 0.2, depth: 5, known: 5, width: 50 };
        let scripts = reading.scripts(position, &taste::COMMON, &mut self.memory, budget);
        let beam = Beam {
            game: &position.game,
            me: position.me,
            taste: &taste::COMMON,
            scripts: &scripts,
            depth: 15,
            reach: 15,
            width: 100,
            prey: None,
        };
        let plan = beam.run(&position.state, &first, &mut self.memory, budget, 1.0);
        plan.first().copied().unwrap_or(first[0])
    }
}
