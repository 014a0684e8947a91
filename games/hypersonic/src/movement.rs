//! One step towards a target (rules, section 6.2).
//!
//! The rules describe a breadth-first search from the player. Its result can be computed without its queue:
//! - Within a layer of the search, the cells found through the first neighbour come before the cells found through the
//!   second, and so on, because the queue keeps the order of the previous layer. So among several nearest cells the one
//!   found first has the fewest steps, then the first neighbour in the order of directions from which a shortest path
//!   leads to one of them.
//! - This is the neighbour that a search *from* all nearest cells at once meets first, lowest direction first. Such a
//!   search needs no order and works on whole sets of cells.

use crate::grid::{Cell, CellSet, Direction, beside};

/// The position of a player on `from` after its step towards `(x, y)`: a neighbour, or still `from`. `open` are the
/// cells that can be entered.
#[inline]
pub fn step_towards(open: &CellSet, from: Cell, x: i32, y: i32) -> Cell {
    let target = Cell::on_grid(x, y);
    if let Some(target) = target {
        // Standing still and a step to a neighbour share one branch, because a processor cannot predict which it is.
        let is_step = target.touches(from) & open.contains(target.index());
        if (target == from) | is_step {
            return target;
        }
    }
    search(open, from, target, x, y)
}

/// The general case.
#[inline(never)]
fn search(open: &CellSet, from: Cell, target: Option<Cell>, x: i32, y: i32) -> Cell {
    let exits = beside(&CellSet::only(from.index())) & *open;
    if exits.is_empty() {
        return from;
    }
    let reach = reach(open, from, exits, target);
    // A reachable target is the only nearest cell.
    let goals = match target {
        Some(target) if reach.contains(target.index()) => CellSet::only(target.index()),
        _ => nearest(&reach, x, y),
    };
    // If no cell is strictly nearer than the player's own cell, the player stays.
    if goals.contains(from.index()) {
        return from;
    }
    first_met(open, from, exits, goals).unwrap_or(from)
}

/// Searches from `goals` over open cells until it meets cells of `exits`, the open neighbours of `from`; returns the
/// first of them in the order of directions.
fn first_met(open: &CellSet, from: Cell, exits: CellSet, goals: CellSet) -> Option<Cell> {
    let mut found = goals;
    let mut layer = goals;
    while !layer.is_empty() {
        let met = layer & exits;
        if !met.is_empty() {
            let mut steps = Direction::ALL.into_iter().filter_map(|direction| from.next(direction));
            return steps.find(|step| met.contains(step.index()));
        }
        layer = (beside(&layer) & *open) - found;
        found |= layer;
    }
    None
}

/// `from` and all cells that can be reached from it through `exits`, its open neighbours. The search ends when it finds the
/// target.
fn reach(open: &CellSet, from: Cell, exits: CellSet, target: Option<Cell>) -> CellSet {
    let mut found = exits;
    found.add(from.index());
    let mut layer = exits;
    while !layer.is_empty() && !target.is_some_and(|target| layer.contains(target.index())) {
        layer = (beside(&layer) & *open) - found;
        found |= layer;
    }
    found
}

/// The cells of a set with the least distance to `(x, y)`.
fn nearest(cells: &CellSet, x: i32, y: i32) -> CellSet {
    let mut nearest = CellSet::EMPTY;
    let mut least = i32::MAX;
    for cell in cells {
        let distance = distance(Cell::of_index(cell), x, y);
        if distance < least {
            nearest = CellSet::EMPTY;
            least = distance;
        }
        if distance == least {
            nearest.add(cell);
        }
    }
    nearest
}

/// Manhattan distance in wrapping 32-bit arithmetic, as the official referee computes it: it can be negative.
pub fn distance(cell: Cell, x: i32, y: i32) -> i32 {
    let dx = x.wrapping_sub(cell.x() as i32).wrapping_abs();
    let dy = y.wrapping_sub(cell.y() as i32).wrapping_abs();
    dx.wrapping_add(dy)
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use game::Dice;

    use super::*;
    use crate::grid::{AREA, GRID, WIDTH};

    /// Section 6.2, exactly as written.
    fn by_the_letter(open: &CellSet, from: Cell, x: i32, y: i32) -> Cell {
        let target = Cell::on_grid(x, y);
        if target == Some(from) {
            return from;
        }
        let mut before = [None; 256];
        before[from.index()] = Some(from);
        let mut queue = VecDeque::from([from]);
        let mut best = from;
        let mut at_target = false;
        while let Some(cell) = queue.pop_front() {
            for next in Direction::ALL.into_iter().filter_map(|direction| cell.next(direction)) {
                if !open.contains(next.index()) || before[next.index()].is_some() {
                    continue;
                }
                before[next.index()] = Some(cell);
                queue.push_back(next);
                if distance(next, x, y) < distance(best, x, y) {
                    best = next;
                }
                at_target |= target == Some(next);
            }
            if at_target {
                break;
            }
        }
        while best != from && before[best.index()] != Some(from) {
            best = before[best.index()].unwrap();
        }
        best
    }

    /// Coordinates of every size: on the grid, around it, and at each limit of the arithmetic.
    fn coordinate(dice: &mut Dice) -> i32 {
        let near = dice.below(40) as i32 - 14;
        match dice.below(8) {
            0..=3 => dice.below(14) as i32,
            4 => near,
            5 => [i32::MIN, i32::MAX, 1 << 29, -(1 << 29), 1 << 30, -(1 << 30)][dice.below(6) as usize]
                .wrapping_add(near),
            6 => [1, -1][dice.below(2) as usize] * (i32::MAX / 2 + near),
            _ => dice.bits() as i32,
        }
    }

    #[test]
    fn steps_equal_the_search_of_the_rules() {
        let mut dice = Dice::new(3);
        let mut moves = 0;
        for round in 0..60_000 {
            // From a few obstacles to a maze of narrow paths.
            let closed = 1 + round % 8;
            let open: CellSet = GRID.iter().filter(|_| dice.below(12) >= closed).collect();
            let cell = dice.below(AREA as u32) as usize;
            let from = Cell::at(cell % WIDTH, cell / WIDTH);
            for _ in 0..4 {
                let (x, y) = (coordinate(&mut dice), coordinate(&mut dice));
                let step = step_towards(&open, from, x, y);
                assert_eq!(step, by_the_letter(&open, from, x, y), "{from:?} to {x} {y}, open {open:?}");
                moves += u32::from(step != from);
            }
        }
        assert!(moves > 100_000, "{moves} moves");
    }

    #[test]
    fn near_the_limits_of_32_bits_far_is_near() {
        let open = GRID;
        assert_eq!(distance(Cell::at(0, 0), -i32::MAX, 0), i32::MAX);
        assert_eq!(distance(Cell::at(1, 0), -i32::MAX, 0), i32::MIN);
        assert_eq!(step_towards(&open, Cell::at(0, 0), -i32::MAX, 0), Cell::at(1, 0));
        assert_eq!(step_towards(&open, Cell::at(1, 0), -i32::MAX, 0), Cell::at(1, 0));
        assert_eq!(step_towards(&open, Cell::at(1, 0), i32::MIN, 0), Cell::at(0, 0));
    }

    #[test]
    fn ties_go_to_the_cell_found_first() {
        let closed: CellSet = [Cell::at(6, 5).index()].into_iter().collect();
        let open = GRID - closed;
        // The cells left and right of the target are equally near and equally far to walk; left is tried first.
        assert_eq!(step_towards(&open, Cell::at(6, 7), 6, 5), Cell::at(6, 6));
        assert_eq!(step_towards(&open, Cell::at(6, 6), 6, 5), Cell::at(6, 6), "as near as its neighbours");
        // Both paths around the target have two steps; left comes before right.
        assert_eq!(step_towards(&open, Cell::at(6, 6), 6, 4), Cell::at(5, 6));
    }
}
