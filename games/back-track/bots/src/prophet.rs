//! `legend`: plays its best plans on and takes the one that ends best (see [`super::playout`]).
//!
//! It believes in one opponent, joins blocks of rails, and closes what a turn can close. It does not prepare for what will fall.

use back_track::Order;

use super::planner::{Beliefs, Planner};
use super::playout::{self, Sight};
use super::table::{Style, Table};
use bots::Budget;

const SIGHT: Sight = Sight {
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
};

pub(super) struct Prophet {
    planner: Planner,
}

impl Prophet {
    pub(super) fn new() -> Prophet {
        Prophet { planner: Planner::new(Beliefs { detours: false, ..Beliefs::USUAL }) }
    }
}

impl Style for Prophet {
    fn order(&mut self, table: &Table, budget: Budget) -> Order {
        playout::best(&mut self.planner, SIGHT, table, budget).order()
    }
}
