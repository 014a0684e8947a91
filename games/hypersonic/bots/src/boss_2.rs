//! The boss of the second league weighs its targets: the boxes that a bomb would hit and the items on the floor against the length
//! of the way. It lays its bombs only on its targets and does not see danger.

use super::Player;
use super::position::{Action, Position};
use super::targets::{Caution, choose_among};
use bots::Budget;

/// Goes to the best target.
#[derive(Debug)]
pub(super) struct Gatherer;

impl Player for Gatherer {
    fn choose(&mut self, position: &Position, _: &mut Budget) -> Action {
        choose_among(position, &Caution { thrifty: false, may: &|_| true, may_bomb_at: &|_| true, item: 2 })
    }
}
