//! Random legal play.
//!
//! An answer is drawn so that every kind of command occurs and none is ever refused:
//! - 1 in 32 is `WAIT`, half of these with a `MESSAGE`;
//! - 1 in 16 is an `AUTOPLACE` between two random towns, where there are two;
//! - the others place one to three tracks: half of the time the first track beside a rail, else anywhere, the next
//!   tracks beside the last, as far as the paint allows;
//! - 2 in 3 of all answers disrupt a random disruptable region, by its id or by one of its cells.
//!
//! Games with these answers last 95 turns on average in the edition `statement`; 2 in 5 end because no connection is
//! possible any more, and 3 connections are active at a time.

use std::borrow::Cow;

use game::Dice;

use crate::grid::{Cells, around, beside, xy};
use crate::map::Map;
use crate::order::{Command, Order};
use crate::rules::Rules;
use crate::state::State;

/// A random order without faults.
pub(crate) fn order(rules: &Rules, map: &Map, state: &State, dice: &mut Dice) -> Order {
    let mut order = Order::default();
    match dice.below(32) {
        0 => {
            order.commands.push(Command::Wait);
            if dice.one_in(2) {
                order.commands.push(Command::Message(Cow::Borrowed("hello")));
            }
        }
        1 | 2 if map.town_count >= 2 => order.commands.push(autoplace(map, dice)),
        _ => place(rules, map, state, dice, &mut order),
    }
    if rules.disruption > 0 && !dice.one_in(3) {
        disrupt(rules, map, state, dice, &mut order);
    }
    order
}

/// A random AUTOPLACE. It is never followed by placements, because it may have used up the paint.
fn autoplace(map: &Map, dice: &mut Dice) -> Command {
    let towns = map.towns();
    let from = dice.below(towns.len() as u32) as usize;
    let to = (from + 1 + dice.below(towns.len() as u32 - 1) as usize) % towns.len();
    let at = |town: usize| {
        let (x, y) = xy(usize::from(towns[town].cell));
        (x as u32, y as u32)
    };
    Command::Autoplace { from: at(from), to: at(to) }
}

fn place(rules: &Rules, map: &Map, state: &State, dice: &mut Dice, order: &mut Order) {
    let rails = state.rails(map);
    let mut free = map.board - rails - state.inked_cells;
    let mut paint = rules.paint;
    let near = if dice.one_in(2) { around(&rails) & free } else { free };
    let Some(mut cell) = affordable(rules, map, near, paint).and_then(|cells| any(&cells, dice)) else {
        return;
    };
    for _ in 0..=dice.below(3) {
        let (x, y) = xy(cell);
        order.commands.push(Command::Place { x: x as u32, y: y as u32 });
        paint -= map.costs[cell];
        free.discard(cell);
        let turn = dice.below(4) as usize;
        let next = (0..4)
            .map(|direction| beside(cell, (direction + turn) % 4))
            .find(|&next| free.contains(next) && map.costs[next] <= paint);
        match next {
            Some(next) => cell = next,
            None => break,
        }
    }
}

/// The cells whose track costs no more than the paint.
pub(crate) fn affordable(rules: &Rules, map: &Map, mut cells: Cells, paint: u8) -> Option<Cells> {
    let costs = [rules.plains_cost, rules.river_cost, rules.mountain_cost, rules.place_of_interest_cost];
    for (terrain, cost) in map.terrains.iter().zip(costs) {
        if cost > paint {
            cells -= *terrain;
        }
    }
    (!cells.is_empty()).then_some(cells)
}

fn disrupt(rules: &Rules, map: &Map, state: &State, dice: &mut Dice, order: &mut Order) {
    let regions = state.disruptable(rules, map);
    let Some(region) = from_here_on(regions, dice.below(u32::from(map.region_count))) else { return };
    let by_cell = dice.one_in(4).then(|| map.region_cells[region as usize].first()).flatten();
    order.commands.push(match by_cell {
        Some(cell) => {
            let (x, y) = xy(cell);
            Command::DisruptCell { x: x as u32, y: y as u32 }
        }
        None => Command::DisruptRegion(region),
    });
}

/// Some cell of a set: fast, not uniform; a cell after a gap is more likely.
fn any(cells: &Cells, dice: &mut Dice) -> Option<usize> {
    let words = cells.0.len();
    let first = dice.below(words as u32) as usize;
    let bit = dice.below(64);
    (0..words)
        .map(|i| (first + i) % words)
        .find_map(|word| Some(word * 64 + from_here_on(cells.0[word], bit)? as usize))
}

/// The first bit of a set at or after `bit`, with wrap-around.
fn from_here_on(set: u64, bit: u32) -> Option<u32> {
    (set != 0).then(|| (set.rotate_right(bit).trailing_zeros() + bit) % 64)
}
