//! The boss of the third league builds the cheapest connection that is still desired, then the next one, and so on. It disrupts
//! nothing (rules, section 11.5).

use back_track::Order;

use super::position::{Position, Strategy};
use super::routes::{autoplace, cheapest_wish};
use bots::Budget;

/// Builds the cheapest desired connection.
pub(super) struct Builder;

impl Strategy for Builder {
    fn order(&mut self, position: &Position, _: Budget) -> Order {
        let mut order = Order::default();
        if let Some((from, to)) = cheapest_wish(position) {
            order.commands.push(autoplace(position.game.map(), from, to));
        }
        order
    }
}
