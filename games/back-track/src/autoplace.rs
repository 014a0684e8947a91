//! The search behind AUTOPLACE (rules, section 10).
//!
//! The rules describe a uniform-cost search over states (cell, built) with a binary heap whose layout decides ties. Two
//! facts make it simpler:
//! - The cost to enter a cell does not depend on the previous cell, and states leave the heap in ascending cost. So the
//!   first cost of a state is its best, each state is pushed once, and a set of seen cells replaces the table of costs.
//!   (`from`, not built) is the only state that is not built: it starts the search and is never entered.
//! - The first rail cell of a block that leaves the heap reaches all cells around the block, at the least cost. Other
//!   cells of the same block change nothing.

use crate::grid::{Cells, SPAN, beside, directions, sides};
use crate::map::Map;
use crate::wave::block;

/// The cells on which an AUTOPLACE would place tracks, in order.
#[derive(Clone, Debug)]
pub struct Route {
    cells: [u16; SPAN],
    first: usize,
}

impl Route {
    /// No path, or nothing to place.
    pub const NONE: Route = Route { cells: [0; SPAN], first: SPAN };

    /// The cells in order.
    #[inline]
    pub fn cells(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        self.cells[self.first..].iter().map(|&cell| usize::from(cell))
    }
}

/// The cheapest route between two cells of the grid: `rails` are free to use, tracks can be placed only outside
/// `inked`.
#[must_use]
pub fn route(map: &Map, rails: &Cells, inked: &Cells, from: usize, to: usize) -> Route {
    // Towns can always be entered, even in an inked region; other rails are never in an inked region.
    let open = (map.board - *inked) | map.town_cells;
    if from == to || !open.contains(to) {
        return Route::NONE;
    }
    let goal = if rails.contains(to) { block(to, rails) } else { Cells::only(to) };
    let mut search = Search {
        map,
        rails,
        unseen: open,
        left: *rails,
        heap: Heap { entries: [0; SPAN], len: 0 },
        before: [0; SPAN],
        queue: [0; SPAN],
    };
    search.run(from, &goal)
}

/// The tie-break of a step that does not go to a neighbour.
const JUMP: usize = 4;

struct Search<'a> {
    map: &'a Map,
    rails: &'a Cells,
    /// Cells that can be entered and were not pushed yet.
    unseen: Cells,
    /// Rail cells of blocks that the search has not left yet.
    left: Cells,
    heap: Heap,
    /// Predecessor by cell; the cell itself where the search starts.
    before: [u16; SPAN],
    /// The cells of a block, while the search leaves it.
    queue: [u16; SPAN],
}

impl Search<'_> {
    fn run(&mut self, from: usize, goal: &Cells) -> Route {
        if self.rails.contains(from) {
            if goal.contains(from) {
                return Route::NONE;
            }
            self.unseen.discard(from);
            self.before[from] = from as u16;
            self.leave_block(from, 0);
        } else if self.unseen.contains(from) {
            // (`from`, not built) leads only to (`from`, built).
            self.push(from, from, 0, JUMP);
        }
        while let Some((here, cost)) = self.heap.pop() {
            if goal.contains(here) {
                return self.trace(here);
            }
            if !self.rails.contains(here) {
                for direction in directions(sides(&self.unseen, here)) {
                    self.push(here, beside(here, direction), cost, direction);
                }
            } else if self.left.contains(here) {
                self.leave_block(here, cost);
            }
        }
        Route::NONE
    }

    /// Enters the free cells around the block of `start`, in the order of a breadth-first search from `start`.
    fn leave_block(&mut self, start: usize, cost: u16) {
        self.queue[0] = start as u16;
        let (mut next, mut end) = (0, 1);
        self.left.discard(start);
        while next < end {
            let here = usize::from(self.queue[next]);
            next += 1;
            // Rails that were pushed before are still to be walked over.
            let rails = sides(&self.left, here);
            for direction in directions(rails | sides(&self.unseen, here) & !sides(self.rails, here)) {
                let cell = beside(here, direction);
                if rails >> direction & 1 != 0 {
                    self.left.discard(cell);
                    self.queue[end] = cell as u16;
                    end += 1;
                } else {
                    // All neighbours of `start` were found from `start` itself.
                    self.push(start, cell, cost, if here == start { direction } else { JUMP });
                }
            }
        }
    }

    #[inline]
    fn push(&mut self, here: usize, cell: usize, cost: u16, tie: usize) {
        self.unseen.discard(cell);
        self.before[cell] = here as u16;
        let step = if self.rails.contains(cell) { 0 } else { u16::from(self.map.costs[cell]) };
        self.heap.push(cell, cost + step, tie);
    }

    /// The cells of the path to `goal` that are not rails.
    fn trace(&self, goal: usize) -> Route {
        let mut route = Route::NONE;
        let mut here = goal;
        loop {
            if !self.rails.contains(here) {
                route.first -= 1;
                route.cells[route.first] = here as u16;
            }
            let before = usize::from(self.before[here]);
            if before == here {
                return route;
            }
            here = before;
        }
    }
}

/// The binary heap of the rules. An entry is cost, tie-break, cell, from the high bits down; the cell is not compared.
struct Heap {
    entries: [u32; SPAN],
    len: usize,
}

/// Bits of an entry below its key.
const KEY: u32 = 10;
/// The bits of the cell.
const CELL: u32 = (1 << KEY) - 1;

impl Heap {
    #[inline]
    fn push(&mut self, cell: usize, cost: u16, tie: usize) {
        let entry = (u32::from(cost) << 3 | tie as u32) << KEY | cell as u32;
        let mut i = self.len;
        self.len += 1;
        while i > 0 {
            let parent = (i - 1) / 2;
            if entry | CELL >= self.entries[parent] {
                break;
            }
            self.entries[i] = self.entries[parent];
            i = parent;
        }
        self.entries[i] = entry;
    }

    #[inline]
    fn pop(&mut self) -> Option<(usize, u16)> {
        let count = self.len.checked_sub(1)?;
        let top = self.entries[0];
        let last = self.entries[count];
        self.len = count;
        // The rules compare the last entry on the way down and stop where it fits. The keys on the way ascend, so it
        // is the same to go down to the end first, without a comparison, and to come back up: the last entry
        // nearly always belongs near the end, and the way down has no branch that the processor cannot predict.
        let mut i = 0;
        loop {
            let mut child = 2 * i + 1;
            if child + 1 >= count {
                break;
            }
            child += usize::from(self.entries[child] > self.entries[child + 1] | CELL);
            self.entries[i] = self.entries[child];
            i = child;
        }
        if 2 * i + 1 < count {
            self.entries[i] = self.entries[2 * i + 1];
            i = 2 * i + 1;
        }
        let key = last & !CELL;
        while i > 0 {
            let parent = (i - 1) / 2;
            if key > self.entries[parent] {
                break;
            }
            self.entries[i] = self.entries[parent];
            i = parent;
        }
        self.entries[i] = last;
        Some(((top & CELL) as usize, (top >> (KEY + 3)) as u16))
    }
}
