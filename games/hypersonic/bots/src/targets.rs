//! The choice of a target, for the bosses that look at the board and not ahead: the boxes that a bomb on a cell would hit and the
//! items that lie there, divided by the length of the way.

use hypersonic::{Cell, CellSet, Forecast, blast};

use super::position::{Action, Position};
use super::simulate::may_bomb;
use super::walk;

/// What a bot takes into account when it chooses a target.
pub(super) struct Caution<'a> {
    /// Whether it wastes no bomb on boxes that another one will hit.
    pub(super) thrifty: bool,
    /// Whether it takes an action.
    pub(super) may: &'a dyn Fn(Action) -> bool,
    /// Whether it goes to a cell to lay a bomb there.
    pub(super) may_bomb_at: &'a dyn Fn(Cell) -> bool,
    /// How many boxes an item is worth.
    pub(super) item: u32,
}

/// The best action that the bot's caution allows.
pub(super) fn choose_among(position: &Position, caution: &Caution<'_>) -> Action {
    let Position { game, state, me } = position;
    let cell = state.player(*me).cell;
    let open = game.open_cells(state);
    let boxes = if caution.thrifty { Forecast::of(game, state, *me).boxes_left } else { state.boxes };
    let here = walk::hits(position, &boxes, cell);
    let target = best_target(position, &open, &boxes, caution);
    // A bot that does not know which boxes burn already lays a bomb only on its target.
    let wants_bomb = may_bomb(state, *me)
        && (caution.thrifty || target == cell)
        && here > 0
        && here >= walk::hits(position, &boxes, target)
        && (caution.may_bomb_at)(cell);
    // A bomb laid here takes its boxes, so the next target is another one.
    let after = if wants_bomb { boxes - hit_from(position, &boxes, cell) } else { boxes };
    let target = if wants_bomb { best_target(position, &open, &after, caution) } else { target };
    let to = walk::step(&open, cell, target);
    let ways = [to, cell].into_iter().chain(open.iter().map(Cell::of_index).filter(|way| way.touches(cell)));
    let mut wishes: Vec<Action> =
        ways.flat_map(|to| [wants_bomb, false].map(|bomb| Action { bomb, to })).collect();
    // Actions with a bomb come first: the bomb is worth more than the step.
    wishes.sort_by_key(|action| !action.bomb && wants_bomb);
    wishes.into_iter().find(|&action| (caution.may)(action)).unwrap_or(Action { bomb: false, to })
}

fn hit_from(position: &Position, boxes: &CellSet, cell: Cell) -> CellSet {
    let Position { game, state, me } = position;
    let stops = game.map.walls | state.boxes | state.floor_items() | state.bomb_cells;
    blast(&stops, cell, state.player(*me).range) & *boxes
}

/// The cell with the most to gain for the way.
fn best_target(position: &Position, open: &CellSet, boxes: &CellSet, caution: &Caution<'_>) -> Cell {
    let state = &position.state;
    let cell = state.player(position.me).cell;
    let items = state.floor_items();
    let mut best = (0.0, cell);
    for (steps, layer) in walk::layers(open, cell).iter().enumerate() {
        for target in layer.iter().map(Cell::of_index) {
            let item = if items.contains(target.index()) { caution.item } else { 0 };
            let worth = |gain: u32| f64::from(gain) / (steps as f64 + 3.0);
            let hits = walk::hits(position, boxes, target);
            let hits = if worth(hits + item) > best.0 && (caution.may_bomb_at)(target) { hits } else { 0 };
            let worth = worth(hits + item);
            if worth > best.0 {
                best = (worth, target);
            }
        }
    }
    best.1
}
