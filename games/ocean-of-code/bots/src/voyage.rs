//! Where a course leads: the cheapest way on through mines and narrowing water, in lives.

use ocean_of_code::{Cell, Direction, Sea};

use super::chart::{Chart, Grid, shift};
use bots::Budget;

/// A life lost a turn later is worth this much less.
const PATIENCE: f32 = 0.95;

/// What a way through the sea costs.
pub(super) struct Voyage<'a> {
    pub(super) chart: &'a Chart,
    /// Lives that being in each cell costs by mines.
    pub(super) hazard: &'a Grid,
    /// What it costs, in lives, to have no free cell left.
    pub(super) stuck: f32,
    /// What it costs, in lives, to be in one of half as many cells for the opponent.
    pub(super) secrecy: f32,
}

impl Voyage<'_> {
    /// The cost of the best way of `depth` steps on from a cell, where the opponent takes us to be in one of the cells of `seen`. Each step is
    /// a node.
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

/// Steps that can be made at most: as on a chessboard, each leads to the other colour.
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
