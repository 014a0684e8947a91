//! The boss of the third league gathers like the boss before it, but it sees explosions coming: it wastes no bomb on boxes that
//! another bomb will hit, and it moves only to cells from which a way leads out of all explosions. It lays its own bombs without
//! such a check: in its league a player's own bombs do not hurt it.

use super::Player;
use super::position::{Action, Position};
use super::targets::{Caution, choose_among};
use super::walk::lives;
use bots::Budget;

/// Avoids blasts when it moves, but not when it lays a bomb.
#[derive(Debug)]
pub(super) struct Watchful;

impl Player for Watchful {
    fn choose(&mut self, position: &Position, _: &mut Budget) -> Action {
        let may = |action: Action| lives(position, Action { bomb: false, ..action });
        choose_among(position, &Caution { thrifty: true, may: &may, may_bomb_at: &|_| true, item: 3 })
    }
}
