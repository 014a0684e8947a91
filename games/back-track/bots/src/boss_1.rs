//! The boss of the first league waits (rules, section 11.5).

use back_track::{Command, Order};

use super::position::{Position, Strategy};
use bots::Budget;

/// Waits.
pub(super) struct Waiter;

impl Strategy for Waiter {
    fn order(&mut self, _: &Position, _: Budget) -> Order {
        Order { commands: [Command::Wait].into_iter().collect(), unreadable: None }
    }
}
