//! Ways on the board, for bots that do not search.

use hypersonic::{Cell, CellSet, Forecast, beside, blast, step_towards};

use super::position::{Action, Position};
use super::simulate::{advance, idle, order};

/// The cells that can be reached, by the number of steps: `layers[0]` is the start.
pub(super) fn layers(open: &CellSet, from: Cell) -> Vec<CellSet> {
    let mut layer = CellSet::only(from.index());
    let mut found = layer;
    let mut layers = Vec::new();
    while !layer.is_empty() {
        layers.push(layer);
        layer = (beside(&layer) & *open) - found;
        found |= layer;
    }
    layers
}

/// The first step on a shortest way to a cell.
pub(super) fn step(open: &CellSet, from: Cell, to: Cell) -> Cell {
    step_towards(open, from, to.x() as i32, to.y() as i32)
}

/// How many of these boxes our bomb would hit if it lay on a cell.
pub(super) fn hits(position: &Position, boxes: &CellSet, cell: Cell) -> u32 {
    let Position { game, state, me } = position;
    let stops = game.map.walls | state.boxes | state.floor_items() | state.bomb_cells;
    (blast(&stops, cell, state.player(*me).range) & *boxes).len()
}

/// Whether a way out of all blasts is left after an action, if nobody else lays a bomb.
pub(super) fn lives(position: &Position, action: Action) -> bool {
    let Position { game, state, me } = position;
    let mut after = *state;
    let mut orders = idle(state);
    orders[me.index()] = order(action);
    advance(game, &mut after, &orders, *me)
        && Forecast::of(game, &after, *me).survives(after.player(*me).cell)
}

/// Whether a way out would be left if we stood on a cell and laid a bomb there.
pub(super) fn can_bomb_at(position: &Position, cell: Cell) -> bool {
    let mut there = position.clone();
    let player = &mut there.state.players[position.me.index()];
    player.cell = cell;
    player.available = player.available.max(1);
    lives(&there, Action { bomb: true, to: cell })
}
