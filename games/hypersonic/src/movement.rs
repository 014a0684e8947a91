//! One step towards a target (rules, section 6.2).

use crate::grid::{AREA, Cell, CellSet, Ways};

/// The position of a player on `from` after its step towards `(x, y)`: a neighbour, or still `from`. `open` are the
/// cells that can be entered.
#[inline]
pub fn step_towards(open: &CellSet, from: Cell, x: i32, y: i32) -> Cell {
    let target = Cell::on_grid(x, y);
    if let Some(target) = target
        && target.is_step_from(from, open)
    {
        return target;
    }
    search(open, from, target, x, y)
}

/// The search of the rules: breadth first from the player, neighbours in the order of directions. The player goes towards the
/// first cell found among those with the least distance to the target; a target that is reached is that cell.
#[inline(never)]
fn search(open: &CellSet, from: Cell, target: Option<Cell>, x: i32, y: i32) -> Cell {
    let mut open = Ways::new(open);
    open.close(from);
    // The cells found, each with the first step of its path.
    let mut queue = [(from, from); AREA];
    let mut found = 1;
    let mut next = 0;
    let mut best = from;
    let mut least = distance(from, x, y);
    while next < found {
        let (cell, first) = queue[next];
        next += 1;
        for neighbour in open.from(cell) {
            open.close(neighbour);
            let first = if cell == from { neighbour } else { first };
            if target == Some(neighbour) {
                return first;
            }
            queue[found] = (neighbour, first);
            found += 1;
            let distance = distance(neighbour, x, y);
            if distance < least {
                (best, least) = (first, distance);
            }
        }
    }
    best
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
    use crate::grid::{Direction, GRID, WIDTH};

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
