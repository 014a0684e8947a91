//! `silver`: joins blocks of rails by the plan that promises most per paint, and hits what costs the opponent most per hit.
//!
//! All of it is in [`super::planner`]; this bot does what the planner says, and makes a new plan each turn.

use back_track::Order;
use game::Game;

use super::planner::{Beliefs, Plan, Planner};
use super::table::{Style, Table};
use bots::Budget;

pub(super) struct Surveyor {
    planner: Planner,
}

impl Surveyor {
    pub(super) fn new() -> Surveyor {
        Surveyor { planner: Planner::new(Beliefs { thrift: false, detours: false, ..Beliefs::USUAL }) }
    }
}

impl Style for Surveyor {
    fn order(&mut self, table: &Table, _: Budget) -> Order {
        let (rules, map, state) = (table.game.rules(), table.game.map(), &table.state);
        let mut plans = [Plan::NONE; 2];
        self.planner.renew(rules, map, state, &mut plans);
        let [first, second] = self.planner.orders(rules, map, state, &plans);
        if table.me == 0 { first } else { second }
    }
}
