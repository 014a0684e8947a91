//! Breadth-first searches over sets of cells, all cells of a distance at a time.

use crate::grid::{Cells, SPAN, STRIDE, beside};
use crate::map::{MAX_TOWNS, Map};

/// The rows of the largest grid and the two empty rows around it.
const ROWS: usize = SPAN / STRIDE;

/// A set of cells, a word for each row.
type Rows = [u32; ROWS];

#[inline]
fn rows(cells: &Cells) -> Rows {
    let mut rows = [0; ROWS];
    for (rows, word) in rows.as_chunks_mut().0.iter_mut().zip(cells.0) {
        *rows = [word as u32, (word >> 32) as u32];
    }
    rows
}

#[inline]
fn cells(rows: &Rows) -> Cells {
    let mut cells = Cells::EMPTY;
    for (word, &[even, odd]) in cells.0.iter_mut().zip(rows.as_chunks().0) {
        *word = u64::from(even) | u64::from(odd) << 32;
    }
    cells
}

/// A breadth-first search: `here` are the cells of the current distance, `left` the cells not reached yet.
///
/// Every step looks at all rows: a loop of a fixed length without a branch is compiled to vector instructions, and is
/// cheaper than one that leaves out rows.
#[derive(Clone, Copy, Debug)]
struct Wave {
    here: Rows,
    left: Rows,
}

impl Wave {
    /// A search from some cells inside `within`.
    #[inline]
    fn new(start: &Cells, within: &Cells) -> Self {
        Wave { here: rows(start), left: rows(&(*within - *start)) }
    }

    /// Advances by one step. Returns whether there was a new cell, and whether a cell of `goal` was reached.
    #[inline]
    fn go(&mut self, goal: &Rows) -> (bool, bool) {
        let mut next = [0; ROWS];
        let (mut any, mut met) = (0, 0);
        for i in 1..ROWS - 1 {
            let (above, row, below) = (self.here[i - 1], self.here[i], self.here[i + 1]);
            // The columns beside the grid are in no set.
            next[i] = (above | row << 1 | row >> 1 | below) & self.left[i];
            self.left[i] ^= next[i];
            any |= next[i];
            met |= next[i] & goal[i];
        }
        self.here = next;
        (any != 0, met != 0)
    }

    #[inline]
    fn is_left(&self, cell: usize) -> bool {
        self.left[cell / STRIDE] >> (cell % STRIDE) & 1 != 0
    }
}

/// Whether a search inside `within` from the cells `start` reaches a cell of `goal`.
#[inline]
pub(crate) fn reaches(start: &Cells, within: &Cells, goal: &Cells) -> bool {
    if start.intersects(goal) {
        return true;
    }
    let goal = rows(goal);
    let mut wave = Wave::new(start, within);
    loop {
        match wave.go(&goal) {
            (_, true) => return true,
            (false, _) => return false,
            _ => (),
        }
    }
}

/// All cells that a search inside `within` reaches from the cell `start`, which is included.
#[inline]
pub(crate) fn block(start: usize, within: &Cells) -> Cells {
    let start = Cells::only(start);
    let mut wave = Wave::new(&start, within);
    while wave.go(&[0; ROWS]).0 {}
    start | (*within - cells(&wave.left))
}

/// The distances from a cell over a set of cells.
///
/// The neighbours of a cell are one step nearer or one step further, never at the same distance: so the distance modulo
/// 4, stored as a set each, is enough to find the way back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    by_distance: [Rows; 4],
}

impl Field {
    /// Searches over `rails` from `start` until all towns of `wanted`, a bit each, are reached, or no cells are left.
    /// Calls back with each town it reaches and its distance.
    #[inline]
    pub(crate) fn new(
        map: &Map,
        rails: &Cells,
        start: usize,
        mut wanted: u16,
        mut show: impl FnMut(usize, u16),
    ) -> Self {
        let start = Cells::only(start);
        let mut field = Field { by_distance: [rows(&start), [0; ROWS], [0; ROWS], [0; ROWS]] };
        let goal = rows(&map.town_cells);
        let mut wave = Wave::new(&start, rails);
        let mut distance = 0u16;
        while wanted != 0 {
            distance += 1;
            let (any, met) = wave.go(&goal);
            if !any {
                break;
            }
            for (reached, next) in field.by_distance[usize::from(distance % 4)].iter_mut().zip(wave.here) {
                *reached |= next;
            }
            if met {
                for town in Map::ids(u64::from(wanted)) {
                    if !wave.is_left(usize::from(map.towns[town].cell)) {
                        wanted &= !(1 << town);
                        show(town, distance);
                    }
                }
            }
        }
        field
    }

    /// The shortest way back from a reached cell: at each step the first side, in the order of [`crate::grid::STEPS`],
    /// that is nearer. Both ends are visited.
    #[inline]
    pub(crate) fn back(&self, from: usize, distance: u16, mut visit: impl FnMut(usize)) {
        let mut here = from;
        visit(here);
        for distance in (0..distance).rev() {
            let nearer = sides(&self.by_distance[usize::from(distance % 4)], here);
            here = beside(here, nearer.trailing_zeros() as usize);
            visit(here);
        }
    }
}

/// The neighbours of a cell of the grid that are in a set, as [`crate::grid::sides`] gives them.
#[inline]
fn sides(rows: &Rows, cell: usize) -> u32 {
    let (at, column) = (cell / STRIDE, cell % STRIDE);
    let row = u64::from(rows[at]) << 1 >> column;
    let vertical = |at: usize| rows[at] >> column & 1;
    vertical(at - 1) | row as u32 >> 1 & 2 | vertical(at + 1) << 2 | (row as u32 & 1) << 3
}

/// The distance of the towns `wanted` from a cell over `rails`, and those that were reached in at most `most` steps, a
/// bit each. There must be no town on the cell.
#[inline]
pub(crate) fn towns_around(
    map: &Map,
    rails: &Cells,
    start: usize,
    wanted: u16,
    most: u16,
) -> ([u16; MAX_TOWNS], u16) {
    let mut steps = [0; MAX_TOWNS];
    let wanted = wanted & ((1 << map.town_count) - 1);
    let mut missing = wanted;
    let goal = rows(&map.town_cells);
    let mut wave = Wave::new(&Cells::only(start), rails);
    let mut distance = 0;
    while missing != 0 && distance < most {
        let (any, met) = wave.go(&goal);
        if !any {
            break;
        }
        distance += 1;
        if met {
            for town in Map::ids(u64::from(missing)) {
                if !wave.is_left(usize::from(map.towns[town].cell)) {
                    missing &= !(1 << town);
                    steps[town] = distance;
                }
            }
        }
    }
    (steps, wanted & !missing)
}
