//! Bronze plans where to be: for every action it computes the cells on which it can be in each of the next rounds without being hit,
//! and the value of the best of them: boxes that its next bomb would hit there, items on the way. The bomb that it lays now counts at
//! once; later bombs of its own are not part of the plan. Of the opponents it only considers that they may lay a bomb now.

use hypersonic::{Cell, CellSet, Direction, Forecast};

use super::position::{Action, Position};
use super::simulate::{advance, idle, order};
use super::walk;
use super::{Player, safety};
use bots::Budget;

/// Plans one stay at a time.
#[derive(Debug)]
pub(super) struct Planner;

impl Player for Planner {
    fn choose(&mut self, position: &Position, budget: &mut Budget) -> Action {
        let mut best = None;
        for &action in safety::safest(position).iter() {
            let worth = worth(position, action);
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, action));
            }
            if !budget.spend(1) {
                break;
            }
        }
        let stay = Action { bomb: false, to: position.state.player(position.me).cell };
        best.map_or(stay, |(_, action)| action)
    }
}

/// The value of an action; far below zero where it leads to an end.
fn worth(position: &Position, action: Action) -> f64 {
    const DEAD: f64 = -1000.0;
    const BOX: f64 = 10.0;
    let Position { game, state, me } = position;
    let mut after = *state;
    let mut orders = idle(state);
    orders[me.index()] = order(action);
    if !advance(game, &mut after, &orders, *me) {
        return 2.0 * DEAD;
    }
    let forecast = Forecast::of(game, &after, *me);
    let burning: f64 = (1..=forecast.last)
        .map(|update| f64::from(forecast.boxes[update][me.index()]) * (BOX - 0.3 * update as f64))
        .sum();
    let now = Position { game: game.clone(), state: after, me: *me };
    let player = after.player(*me);
    let out = after.bombs.iter().filter(|bomb| bomb.owner == me.0).count();
    let owned = (f64::from(player.available) + out as f64) * 4.0 + f64::from(player.range) * 1.5;
    let (refuges, _) = forecast.refuges(CellSet::only(player.cell.index()));
    if refuges.is_empty() {
        return DEAD + burning;
    }
    let hits = good_hits(&now, &forecast);
    burning + owned + best_place(&now, &forecast, &hits, player.cell) - way_to_boxes(&now, &hits)
}

/// For each cell how many boxes a bomb there would hit; none where it would leave no way out.
fn good_hits(position: &Position, forecast: &Forecast) -> Vec<u32> {
    let Position { game, state, .. } = position;
    let mut hits = vec![0; 256];
    for cell in &(game.open_cells(state) | CellSet::only(state.player(position.me).cell.index())) {
        let count = walk::hits(position, &forecast.boxes_left, Cell::of_index(cell));
        if count > 0 && walk::can_bomb_at(position, Cell::of_index(cell)) {
            hits[cell] = count;
        }
    }
    hits
}

/// The cost of the distance to the next box, so that the bot moves on where nothing is near.
fn way_to_boxes(position: &Position, hits: &[u32]) -> f64 {
    let Position { game, state, me } = position;
    let layers = walk::layers(&game.open_cells(state), state.player(*me).cell);
    let steps = layers.iter().position(|layer| layer.iter().any(|cell| hits[cell] > 0));
    0.5 * steps.unwrap_or(layers.len()) as f64
}

/// Rounds of a plan: a little less than a fuse.
const LOOK: usize = 7;

/// The value of the best cell to be on in one of the next rounds, over ways on which nothing hits the player.
fn best_place(position: &Position, forecast: &Forecast, hits: &[u32], from: Cell) -> f64 {
    // Less than the value of an item in hand: otherwise the bot would wait beside it.
    const ITEM: f64 = 1.3;
    let items = position.state.floor_items();
    let mut best = 0.0f64;
    // The most that can be picked up on a way to each cell.
    let mut picked = vec![-1.0f64; 256];
    picked[from.index()] = 0.0;
    let mut here = CellSet::only(from.index());
    for round in 1..=LOOK {
        here -= forecast.danger(round);
        for cell in here.iter().map(Cell::of_index) {
            let boxes = hits[cell.index()];
            let worth = picked[cell.index()] + f64::from(boxes) * (6.5 - 0.3 * round as f64);
            best = best.max(worth);
        }
        let open = forecast.open(round);
        let before = picked.clone();
        let mut next = here;
        for cell in here.iter().map(Cell::of_index) {
            for way in Direction::ALL.into_iter().filter_map(|direction| cell.next(direction)) {
                if open.contains(way.index()) {
                    next.add(way.index());
                    let item = if items.contains(way.index()) { ITEM - 0.1 * round as f64 } else { 0.0 };
                    let sum = before[cell.index()] + item;
                    picked[way.index()] = picked[way.index()].max(sum);
                }
            }
        }
        here = next;
    }
    best
}
