//! The champion: a deep beam over everything it can do, while the others do what a short beam of their own would do.

use super::beam::{Beam, Memory, Script};
use super::reading::Reading;
use super::sight::{Action, Position};
use super::taste::{self, Taste};
use super::{Player, safety};
use crate::budget::Budget;

/// The bot.
#[derive(Debug)]
pub(super) struct Champion {
    taste: Taste,
    depth: usize,
    width: usize,
    reading: Reading,
    /// Whether the others are expected to know our plan.
    open_plan: bool,
    /// How many rounds of traps are worked out, against us and for us.
    traps: (u32, u32),
    plan: Script,
    memory: Memory,
}

impl Champion {
    pub(super) fn new(seed: u64) -> Champion {
        Champion {
            taste: Taste { seed, ..taste::COMMON },
            depth: 18,
            width: 4000,
            reading: Reading { share: 0.2, depth: 9, width: 400 },
            open_plan: false,
            traps: (2, 2),
            plan: Script::new(),
            memory: Memory::default(),
        }
    }
}

impl Player for Champion {
    fn choose(&mut self, position: &Position, budget: &mut Budget) -> Action {
        let (defence, attack) = self.traps;
        let allowed = safety::untrapped(position, safety::safest(position), defence, budget, 0.1);
        if let Some(action) = safety::kill(position, &allowed, attack, budget, 0.2) {
            self.plan.clear();
            return action;
        }
        let Champion { taste, reading, plan, memory, .. } = self;
        let known: &[Action] = if self.open_plan { plan } else { &[] };
        let scripts = reading.scripts(position, taste, known, memory, budget);
        let beam = Beam {
            game: &position.game,
            me: position.me,
            taste,
            growth: taste.growth(&position.state),
            scripts: &scripts,
            depth: self.depth,
            width: self.width,
        };
        let best = beam.run(&position.state, &allowed, memory, budget, 1.0);
        let action = best.first().copied().unwrap_or(allowed[0]);
        self.plan = best.into_iter().skip(1).collect();
        action
    }
}
