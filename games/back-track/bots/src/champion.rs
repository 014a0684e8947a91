//! `champion`: foresees the opponent's answer and chooses its own with regard to it.
//!
//! It tries what [`super::champion_1`] tries, from the opponent's seat and from its own, and compares the best answers of both (see
//! [`super::mutual`]). In a turn in which no track is worth placing it works on the side quest (see [`super::side_quest`]).

use back_track::Order;

use super::mutual::{self, Comparison};
use super::planner::{Beliefs, Planner};
use super::playout::Lookahead;
use super::position::{Position, Strategy};
use super::side_quest;
use bots::Budget;

const COMPARISON: Comparison =
    Comparison { lookahead: Lookahead { trust: 0.6, ..Lookahead::WIDE }, mine: 24, theirs: 16, doubt: 3.0 };

/// Regards the opponent's choice.
pub(super) struct Champion {
    planner: Planner,
}

impl Champion {
    pub(super) fn new() -> Champion {
        Champion { planner: Planner::new(Beliefs::USUAL) }
    }
}

impl Strategy for Champion {
    fn order(&mut self, position: &Position, budget: Budget) -> Order {
        let best = mutual::best(&mut self.planner, COMPARISON, position, budget);
        let mut order = best.order();
        if best.now.is_empty() {
            side_quest::go_on(position, &mut order);
        }
        order
    }
}
