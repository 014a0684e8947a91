//! `legend`: plays on for each of its best plans and takes the plan that ends best (see [`super::playout`]).
//!
//! It assumes one kind of opponent, joins blocks of rails, and closes connections that one turn can close. It does not prepare for
//! regions that will be inked.

use back_track::Order;

use super::planner::{Beliefs, Planner};
use super::playout::{self, Lookahead};
use super::position::{Position, Strategy};
use bots::Budget;

const LOOKAHEAD: Lookahead = Lookahead {
    horizon: 8,
    tail: 2,
    trust: 0.85,
    plans: 8,
    strokes: 6,
    detours: 0,
    shortcuts: 0,
    hits: 8,
    blends: 0,
    crosses: 0,
    models: 1,
    finalists: 1,
    learned: false,
};

/// Plays on with one opponent.
pub(super) struct Legend {
    planner: Planner,
}

impl Legend {
    pub(super) fn new() -> Legend {
        Legend { planner: Planner::new(Beliefs { detours: false, ..Beliefs::USUAL }) }
    }
}

impl Strategy for Legend {
    fn order(&mut self, position: &Position, budget: Budget) -> Order {
        playout::best(&mut self.planner, LOOKAHEAD, position, budget).order()
    }
}
