//! Simple moves: towards free water, along the coast.

use game::Dice;
use ocean_of_code::{Cell, Direction, Power, Sea, Submarine};

use super::chart::{Chart, cell_at, spread};

/// The free neighbour with the most room behind it; among equals the one with the fewest free neighbours of its own, so that
/// no corner is left behind.
pub(super) fn roomiest(
    chart: &Chart,
    cell: Cell,
    visited: &Sea,
    dice: &mut Dice,
) -> Option<(Direction, Cell)> {
    let free = chart.water - *visited;
    let ways = Direction::ALL.into_iter().filter_map(|direction| {
        let next = chart.step(cell, direction, visited)?;
        let room = Chart::flood(next, &free).len();
        let sides = (spread(&Sea::only(next.index())) & free).len();
        Some(((room, std::cmp::Reverse(sides), dice.bits()), direction, next))
    });
    ways.max_by_key(|&(key, ..)| key).map(|(_, direction, next)| (direction, next))
}

/// The first of these powers that the league has and that is not full.
pub(super) fn charge_first(chart: &Chart, own: &Submarine, order: &[Power]) -> Option<Power> {
    order.iter().copied().find(|&power| own.missing(chart.rules(), power).is_some_and(|missing| missing > 0))
}

/// The cells of the largest sea.
pub(super) fn largest_sea(chart: &Chart) -> Sea {
    let mut rest = chart.water;
    let mut largest = Sea::EMPTY;
    while let Some(index) = rest.first() {
        let mut sea = Chart::flood(cell_at(index), &chart.water);
        sea.add(index);
        rest -= sea;
        if sea.len() > largest.len() {
            largest = sea;
        }
    }
    largest
}

/// The cells of the largest sea with the most water around.
pub(super) fn open_water(chart: &Chart) -> Sea {
    let mut open: Vec<usize> = largest_sea(chart).iter().collect();
    open.sort_by_key(|&cell| std::cmp::Reverse(chart.map().reach(cell_at(cell), 6).len()));
    open.truncate(open.len() / 4 + 1);
    open.into_iter().collect()
}
