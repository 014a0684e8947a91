//! `champion`: tries by playing on whatever may be good, not only what looks best.
//!
//! To the plans that join blocks of rails it adds three kinds: ways round regions that are about to fall, so that a connection
//! outlives them; ways of fewer cells, which move a running connection from the opponent's rails to its own; and mixtures of the
//! best plans. It tries far more regions to hit, and the best answers against several opponents (see [`super::playout`]). A turn
//! in which no track is worth placing goes into the side quest, which costs nothing then (see [`super::quest`]).

use back_track::Order;

use super::planner::{Beliefs, Planner};
use super::playout::{self, Sight};
use super::quest;
use super::table::{Style, Table};
use bots::Budget;

impl Sight {
    /// How the champion looks ahead.
    pub(super) const WIDE: Sight = Sight {
        horizon: 12,
        tail: 2,
        trust: 0.7,
        plans: 24,
        strokes: 8,
        detours: 4,
        shortcuts: 6,
        hits: 20,
        blends: 5,
        crosses: 3,
        models: 4,
        finalists: 8,
    };
}

pub(super) struct Champion {
    sight: Sight,
    planner: Planner,
}

impl Champion {
    pub(super) fn new() -> Champion {
        Champion::with(Sight::WIDE, Beliefs::USUAL)
    }

    pub(super) fn with(sight: Sight, beliefs: Beliefs) -> Champion {
        Champion { sight, planner: Planner::new(beliefs) }
    }
}

impl Style for Champion {
    fn order(&mut self, table: &Table, budget: Budget) -> Order {
        let best = playout::best(&mut self.planner, self.sight, table, budget);
        let mut order = best.order();
        if best.now.is_empty() {
            quest::go_on(table, &mut order);
        }
        order
    }
}
