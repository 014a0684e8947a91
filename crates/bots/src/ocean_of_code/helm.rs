//! Steering by plain sense: towards room, along the coast.

use game::Dice;
use ocean_of_code::{Cell, Direction, Power, Sea, Submarine};

use super::chart::{Chart, spread};

/// The free neighbour with the most room behind it; among equals the one with the fewest free neighbours of its own, so that
/// no corner is left behind.
pub(super) fn roomiest(chart: &Chart, cell: Cell, visited: &Sea, dice: &mut Dice) -> Option<(Direction, Cell)> {
    let free = chart.water - *visited;
    let mut best = None;
    for direction in Direction::ALL {
        if let Some(next) = chart.step(cell, direction, visited) {
            let room = chart.flood(next, &free).len();
            let sides = (spread(&Sea::only(next.index())) & free).len();
            let key = (room, std::cmp::Reverse(sides), dice.bits());
            if best.as_ref().is_none_or(|(old, ..)| key > *old) {
                best = Some((key, direction, next));
            }
        }
    }
    best.map(|(_, direction, next)| (direction, next))
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
        let mut sea = chart.flood(super::chart::cell_at(index), &chart.water);
        sea.add(index);
        rest -= sea;
        if sea.len() > largest.len() {
            largest = sea;
        }
    }
    largest
}
