//! The boss of the second league builds a part of a route between two random towns each turn (rules, section 11.5).

use back_track::Order;
use game::Dice;

use super::position::{Position, Strategy};
use super::routes::autoplace;
use bots::Budget;

/// Builds between random towns.
pub(super) struct Wanderer {
    pub(super) dice: Dice,
}

impl Strategy for Wanderer {
    fn order(&mut self, position: &Position, _: Budget) -> Order {
        let towns = u32::from(position.game.map().town_count);
        let mut order = Order::default();
        if towns >= 2 {
            let from = self.dice.below(towns);
            let to = (from + 1 + self.dice.below(towns - 1)) % towns;
            order.commands.push(autoplace(position.game.map(), from as usize, to as usize));
        }
        order
    }
}
