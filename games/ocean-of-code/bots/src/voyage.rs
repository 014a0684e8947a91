//! The way ahead after a course: the cheapest path through mines and narrowing water, in lives.

use ocean_of_code::{Cell, Direction, Sea};

use super::chart::{Chart, Grid, shift};
use bots::Budget;

/// The factor by which a life counts less for each turn that it is lost later.
const PATIENCE: f32 = 0.95;

/// The costs of a path.
pub(super) struct Voyage<'a> {
    pub(super) chart: &'a Chart,
    /// Lives that being in each cell costs by mines.
    pub(super) hazard: &'a Grid,
    /// The cost of having no free cell left, in lives.
    pub(super) stuck: f32,
    /// The cost of halving the number of cells in which the opponent believes us to be, in lives.
    pub(super) secrecy: f32,
}

impl Voyage<'_> {
    /// The cost of the best path of `depth` steps from a cell, while the opponent believes us to be in one of the cells of `seen`. Each
    /// step is a node.
    pub(super) fn cost(&self, cell: Cell, visited: &Sea, seen: &Sea, depth: u8, budget: &mut Budget) -> f32 {
        let free = self.chart.water - *visited;
        self.onward(cell, free, *seen, depth, budget)
    }

    fn onward(&self, cell: Cell, free: Sea, seen: Sea, depth: u8, budget: &mut Budget) -> f32 {
        if depth == 0 || !budget.spend(1) {
            let all = self.chart.water.len().max(1) as f32;
            let found = (all / seen.len().max(1) as f32).log2();
            return self.stuck * PATIENCE.powi(room(cell, &free)) + self.secrecy * found;
        }
        let mut best = self.stuck + self.secrecy * 4.0;
        for direction in Direction::ALL {
            if let Some(next) = self.chart.map().neighbour(cell, direction)
                && free.contains(next.index())
            {
                let mut rest = free;
                rest.discard(next.index());
                let hazard = self.hazard[next.index()];
                if hazard * PATIENCE < best {
                    let seen = shift(&seen, direction) & self.chart.water;
                    best = best.min(PATIENCE * (hazard + self.onward(next, rest, seen, depth - 1, budget)));
                }
            }
        }
        best
    }
}

/// The most steps that can be made: as on a chessboard, each step leads to the other colour.
fn room(cell: Cell, free: &Sea) -> i32 {
    let room = Chart::flood(cell, free);
    let dark = (room & DARK).len() as i32;
    let light = room.len() as i32 - dark;
    let (own, other) = if DARK.contains(cell.index()) { (dark, light) } else { (light, dark) };
    // The first step leads to the other colour.
    if other > own { 2 * own + 1 } else { 2 * other }
}

/// The cells of one colour of the chessboard.
const DARK: Sea = {
    let (even, odd) = (0x5555u64, 0xAAAAu64);
    let rows = even | odd << 16 | even << 32 | odd << 48;
    game::Cells([rows; 4])
};
