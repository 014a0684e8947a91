//! `champion`: foresees the opponent's answer and chooses its own with regard to it.
//!
//! It tries what [`super::champion_1`] tries, from the opponent's seat and from its own, and compares the best answers of both (see
//! [`super::mutual`]). In a turn in which no track is worth placing it works on the side quest (see [`super::side_quest`]).

use back_track::Order;
use game::Dice;

use super::mutual::{self, Comparison};
use super::planner::{Beliefs, Planner};
use super::playout::{Candidate, Lookahead};
use super::position::{Position, Strategy};
use super::side_quest;
use bots::{Budget, Handicap};

pub(super) const COMPARISON: Comparison =
    Comparison { lookahead: Lookahead { trust: 0.6, ..Lookahead::WIDE }, mine: 24, theirs: 16, doubt: 3.0 };

/// Regards the opponent's choice.
pub(super) struct Champion {
    pub(super) planner: Planner,
    handicap: Handicap,
    dice: Dice,
}

impl Champion {
    /// The seed is that of its errors.
    pub(super) fn new(handicap: Handicap, seed: u64) -> Champion {
        Champion { planner: Planner::new(Beliefs::USUAL), handicap, dice: Dice::new(seed) }
    }

    /// The best candidate of a turn.
    pub(super) fn best(&mut self, position: &Position, budget: Budget) -> Candidate {
        let Champion { planner, handicap, dice } = self;
        let mut error = || handicap.error(dice);
        mutual::best(planner, COMPARISON, position, handicap.limit(budget), &mut error)
    }
}

impl Strategy for Champion {
    fn order(&mut self, position: &Position, budget: Budget) -> Order {
        let best = self.best(position, budget);
        let mut order = best.order();
        if best.now.is_empty() {
            side_quest::go_on(position, &mut order);
        }
        order
    }
}
