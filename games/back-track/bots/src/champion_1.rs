//! `champion-1`: the first champion, by which the present one is measured. It plays on for many candidates, not only for those
//! that look best.
//!
//! Besides plans that join blocks of rails it tries three other kinds: ways round regions that will soon be inked, so that a
//! connection survives; ways of fewer cells, which move a running connection from the opponent's rails to its own; and mixtures of
//! the best plans. It tries more regions to hit, and tries the best answers against several opponents (see [`super::playout`]). In a
//! turn in which no track is worth placing it works on the side quest (see [`super::side_quest`]).

use back_track::Order;

use super::planner::{Beliefs, Planner};
use super::playout::{self, Lookahead};
use super::position::{Position, Strategy};
use super::side_quest;
use bots::Budget;

impl Lookahead {
    /// The lookahead of the first champion.
    pub(super) const WIDE: Lookahead = Lookahead {
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
        learned: false,
    };
}

/// Plays on with several opponents.
pub(super) struct FirstChampion {
    planner: Planner,
}

impl FirstChampion {
    pub(super) fn new() -> FirstChampion {
        FirstChampion { planner: Planner::new(Beliefs::USUAL) }
    }
}

impl Strategy for FirstChampion {
    fn order(&mut self, position: &Position, budget: Budget) -> Order {
        let best = playout::best(&mut self.planner, Lookahead::WIDE, position, budget);
        side_quest::answer(position, &best)
    }
}
