//! Ways and targets, for bots that look at the board rather than ahead.

use hypersonic::{Cell, CellSet, beside, step_towards};

use super::forecast::blast;
use super::sight::Position;

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
