//! The bosses of the third and the fourth league gather like the one before them, but see blasts coming. The first of them
//! spends no bomb on boxes that burn already and only goes where a way out of all blasts is left, but lays its bombs without a
//! thought: it comes from a league in which one's own bombs do no harm. The other one thinks of them too, and walks only to
//! places where a bomb leaves it a way out.

use super::Player;
use super::gatherer::{Compliance, choose_among};
use super::sight::{Action, Position};
use super::simulate::actions;
use super::walk::{can_bomb_at, lives};
use bots::Budget;

/// Thinks of blasts when it moves.
#[derive(Debug)]
pub(super) struct Watchful;

impl Player for Watchful {
    fn choose(&mut self, position: &Position, _: &mut Budget) -> Action {
        let may = |action: Action| lives(position, Action { bomb: false, ..action });
        choose_among(position, &Compliance { thrifty: true, may: &may, may_bomb_at: &|_| true, item: 3 })
    }
}

/// Thinks of blasts when it moves and when it lays bombs.
#[derive(Debug)]
pub(super) struct Careful;

impl Player for Careful {
    fn choose(&mut self, position: &Position, _: &mut Budget) -> Action {
        let may = |action: Action| lives(position, action);
        let wish = choose_among(
            position,
            &Compliance {
                thrifty: false,
                may: &may,
                may_bomb_at: &|cell| can_bomb_at(position, cell),
                item: 2,
            },
        );
        if may(wish) {
            return wish;
        }
        let all = actions(&position.game, &position.state, position.me);
        all.iter().copied().find(|&action| may(action)).unwrap_or(wish)
    }
}
