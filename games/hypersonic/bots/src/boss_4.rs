//! The boss of the fourth league gathers like the bosses before it, but takes only actions after which a way leads out of all
//! explosions, its own bombs included, and goes only to targets where a bomb leaves it a way out.

use super::Player;
use super::position::{Action, Position};
use super::simulate::actions;
use super::targets::{Caution, choose_among};
use super::walk::{can_bomb_at, lives};
use bots::Budget;

/// Avoids blasts when it moves and when it lays a bomb.
#[derive(Debug)]
pub(super) struct Careful;

impl Player for Careful {
    fn choose(&mut self, position: &Position, _: &mut Budget) -> Action {
        let may = |action: Action| lives(position, action);
        let wish = choose_among(
            position,
            &Caution { thrifty: false, may: &may, may_bomb_at: &|cell| can_bomb_at(position, cell), item: 2 },
        );
        if may(wish) {
            return wish;
        }
        let all = actions(&position.game, &position.state, position.me);
        all.iter().copied().find(|&action| may(action)).unwrap_or(wish)
    }
}
