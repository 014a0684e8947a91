//! `silver`: joins blocks of rails by the plan that promises most per paint, and hits the region that costs the opponent most.
//!
//! It makes a new plan each turn with [`super::planner`] and follows it.

use back_track::Order;
use game::Game;

use super::planner::{Beliefs, Plan, Planner};
use super::position::{Position, Strategy};
use bots::Budget;

/// Follows the planner.
pub(super) struct Silver {
    planner: Planner,
}

impl Silver {
    pub(super) fn new() -> Silver {
        Silver { planner: Planner::new(Beliefs { thrift: false, detours: false, ..Beliefs::USUAL }) }
    }
}

impl Strategy for Silver {
    fn order(&mut self, position: &Position, _: Budget) -> Order {
        let (rules, map, state) = (position.game.rules(), position.game.map(), &position.state);
        let mut plans = [Plan::NONE; 2];
        self.planner.renew(rules, map, state, &mut plans);
        let [first, second] = self.planner.orders(rules, map, state, &plans);
        if position.me == 0 { first } else { second }
    }
}
