//! The boss of the second league weighs its targets: how many boxes a bomb would hit, and the items that lie about, against the
//! way there. It lays its bomb there and nowhere else, and knows no danger.

use hypersonic::{Cell, CellSet};

use super::Player;
use super::forecast::Forecast;
use super::sight::{Action, Position};
use super::simulate::may_bomb;
use super::walk;
use bots::Budget;

/// The bot.
#[derive(Debug)]
pub(super) struct Gatherer;

impl Player for Gatherer {
    fn choose(&mut self, position: &Position, _: &mut Budget) -> Action {
        choose_among(
            position,
            &Compliance { thrifty: false, may: &|_| true, may_bomb_at: &|_| true, item: 2 },
        )
    }
}

/// What a bot refuses to do.
pub(super) struct Compliance<'a> {
    /// Whether it wastes no bomb on boxes that another one will hit.
    pub(super) thrifty: bool,
    /// Whether it takes an action.
    pub(super) may: &'a dyn Fn(Action) -> bool,
    /// Whether it goes to a cell to lay a bomb there.
    pub(super) may_bomb_at: &'a dyn Fn(Cell) -> bool,
    /// How many boxes an item is worth.
    pub(super) item: u32,
}

/// The best action that manners allow.
pub(super) fn choose_among(position: &Position, manners: &Compliance<'_>) -> Action {
    let Position { game, state, me } = position;
    let cell = state.player(*me).cell;
    let open = game.open_cells(state);
    let boxes = if manners.thrifty { Forecast::of(game, state, *me).boxes_left } else { state.boxes };
    let here = walk::hits(position, &boxes, cell);
    let target = best_target(position, &open, &boxes, manners);
    // Whoever does not know which boxes burn already bombs only where it wanted to go.
    let wants_bomb = may_bomb(state, *me)
        && (manners.thrifty || target == cell)
        && here > 0
        && here >= walk::hits(position, &boxes, target)
        && (manners.may_bomb_at)(cell);
    // With the bomb laid here other boxes are worth walking to.
    let after = if wants_bomb { boxes - hit_from(position, &boxes, cell) } else { boxes };
    let target = if wants_bomb { best_target(position, &open, &after, manners) } else { target };
    let to = walk::step(&open, cell, target);
    let ways = [to, cell].into_iter().chain(open.iter().map(Cell::of_index).filter(|way| way.touches(cell)));
    let mut wishes: Vec<Action> =
        ways.flat_map(|to| [wants_bomb, false].map(|bomb| Action { bomb, to })).collect();
    // A bomb is worth more than the way.
    wishes.sort_by_key(|action| !action.bomb && wants_bomb);
    wishes.into_iter().find(|&action| (manners.may)(action)).unwrap_or(Action { bomb: false, to })
}

fn hit_from(position: &Position, boxes: &CellSet, cell: Cell) -> CellSet {
    let Position { game, state, me } = position;
    let stops = game.map.walls | state.boxes | state.floor_items() | state.bomb_cells;
    super::forecast::blast(&stops, cell, state.player(*me).range) & *boxes
}

/// The cell with the most to gain for the way.
fn best_target(position: &Position, open: &CellSet, boxes: &CellSet, manners: &Compliance<'_>) -> Cell {
    let state = &position.state;
    let cell = state.player(position.me).cell;
    let items = state.floor_items();
    let mut best = (0.0, cell);
    for (steps, layer) in walk::layers(open, cell).iter().enumerate() {
        for target in layer.iter().map(Cell::of_index) {
            let item = if items.contains(target.index()) { manners.item } else { 0 };
            let worth = |gain: u32| f64::from(gain) / (steps as f64 + 3.0);
            let hits = walk::hits(position, boxes, target);
            let hits = if worth(hits + item) > best.0 && (manners.may_bomb_at)(target) { hits } else { 0 };
            let worth = worth(hits + item);
            if worth > best.0 {
                best = (worth, target);
            }
        }
    }
    best.1
}
