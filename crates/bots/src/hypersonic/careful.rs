//! The bosses of the third and the fourth league gather like the one before them, and see blasts coming. The first of them
//! never stays on or enters a cell that is about to be hit, which is enough where one's own bombs do no harm. The other one
//! looks further: it takes an action only if a way out of all blasts is left after it, and so lays no bomb in a dead end.

use super::Player;
use super::forecast::Forecast;
use super::gatherer::choose_among;
use super::sight::{Action, Position};
use super::simulate::{actions, advance, idle, order};
use crate::budget::Budget;

/// Looks one round ahead.
#[derive(Debug)]
pub(super) struct Watchful;

impl Player for Watchful {
    fn choose(&mut self, position: &Position, _: &mut Budget) -> Action {
        let Position { game, state, me } = position;
        let forecast = Forecast::of(game, state, *me);
        // Whoever stands on a cell when the next round begins is hit by what goes off in it.
        let soon = forecast.danger(2);
        let open = game.open_cells(state) - soon;
        choose_among(position, &open, &|action| !soon.contains(action.to.index()))
    }
}

/// Looks as far as bombs burn.
#[derive(Debug)]
pub(super) struct Careful;

impl Player for Careful {
    fn choose(&mut self, position: &Position, _: &mut Budget) -> Action {
        let Position { game, state, me } = position;
        let open = game.open_cells(state);
        let lives = |action: Action| {
            let mut after = *state;
            let mut orders = idle(state);
            orders[me.index()] = order(action);
            advance(game, &mut after, &orders, *me)
                && Forecast::of(game, &after, *me).survives(after.player(*me).cell)
        };
        let wish = choose_among(position, &open, &lives);
        if lives(wish) {
            return wish;
        }
        let all = actions(game, state, *me);
        all.iter().copied().find(|&action| lives(action)).unwrap_or(wish)
    }
}
