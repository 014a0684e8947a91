//! The boss of the first league chases boxes: it walks to the nearest cell from which its bomb hits one, lays the bomb, waits
//! for the explosion and looks for the next one. It sees neither items nor danger.

use hypersonic::Cell;

use super::Player;
use super::position::{Action, Position};
use super::simulate::may_bomb;
use super::walk;
use bots::Budget;

/// Walks to the nearest box.
#[derive(Debug)]
pub(super) struct Chaser;

impl Player for Chaser {
    fn choose(&mut self, position: &Position, _: &mut Budget) -> Action {
        let Position { game, state, me } = position;
        let cell = state.player(*me).cell;
        if state.bombs.iter().any(|bomb| bomb.owner == me.0) {
            return Action { bomb: false, to: cell };
        }
        if may_bomb(state, *me) && walk::hits(position, &state.boxes, cell) > 0 {
            return Action { bomb: true, to: cell };
        }
        let open = game.open_cells(state);
        let good = |&target: &Cell| target != cell && walk::hits(position, &state.boxes, target) > 0;
        let target = walk::layers(&open, cell)
            .iter()
            .find_map(|layer| layer.iter().map(Cell::of_index).find(good))
            .unwrap_or(cell);
        Action { bomb: false, to: walk::step(&open, cell, target) }
    }
}
