//! The way ahead after a course: the cheapest path through mines and narrowing water, in lives.

use ocean_of_code::{Cell, Direction, Sea};

use super::chart::{Chart, Grid, shift};

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
    /// step is a node: `spend` counts it and is false when no more may be made.
    pub(super) fn cost(
        &self,
        cell: Cell,
        visited: &Sea,
        seen: &Sea,
        depth: u8,
        spend: &mut impl FnMut() -> bool,
    ) -> f32 {
        let free = self.chart.water - *visited;
        self.onward(cell, &Chart::flood(cell, &free), seen, depth, spend)
    }

    /// `room` is all free water that can be reached.
    fn onward(&self, cell: Cell, room: &Sea, seen: &Sea, depth: u8, spend: &mut impl FnMut() -> bool) -> f32 {
        if depth == 0 || !spend() {
            let all = self.chart.water.len().max(1) as f32;
            let found = (all / seen.len().max(1) as f32).log2();
            return self.stuck * PATIENCE.powi(steps_within(cell, room)) + self.secrecy * found;
        }
        let mut best = self.stuck + self.secrecy * 4.0;
        let whole = is_whole(cell, room);
        for direction in Direction::ALL {
            if let Some(next) = self.chart.map().neighbour(cell, direction)
                && room.contains(next.index())
            {
                let hazard = self.hazard[next.index()];
                if hazard * PATIENCE < best {
                    // Most cells can be left without cutting the water in two: all of it can still be reached then.
                    let mut rest = if whole { *room } else { Chart::flood(next, room) };
                    rest.discard(next.index());
                    let seen = shift(seen, direction) & self.chart.water;
                    best = best.min(PATIENCE * (hazard + self.onward(next, &rest, &seen, depth - 1, spend)));
                }
            }
        }
        best
    }
}

/// Whether the free neighbours of a cell are joined to each other by the free cells around it. If so, `room` is of one piece; if not, it
/// may be.
fn is_whole(cell: Cell, room: &Sea) -> bool {
    // The cell and its neighbours as bits: three of each of three rows.
    let (word, bit) = (cell.index() / 64, cell.index() % 64);
    let own = room.0[word];
    let before = if word > 0 { room.0[word - 1] } else { 0 };
    let after = room.0.get(word + 1).copied().unwrap_or(0);
    let all = u128::from(before) | u128::from(own) << 64;
    let above = all >> (bit + 64 - 17);
    let below = (u128::from(own) | u128::from(after) << 64) >> bit;
    let is = |bits: u128, at: u32| (bits >> at & 1) as u32;
    let [nw, n, ne, w] = [0, 1, 2, 16].map(|at| is(above, at));
    let [e, sw, s, se] = [1, 15, 16, 17].map(|at| is(below, at));
    let sides = n + e + s + w;
    let joints = (n & ne & e) + (e & se & s) + (s & sw & w) + (w & nw & n);
    sides <= joints + 1
}

/// The most steps that can be made in free water: as on a chessboard, each step leads to the other colour.
fn steps_within(cell: Cell, room: &Sea) -> i32 {
    let dark = (*room & DARK).len() as i32;
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

#[cfg(test)]
mod tests {
    use ocean_of_code::{Map, Rules};

    use super::*;
    use crate::chart::cell_at;

    /// Wherever the shortcut says that water is of one piece, a flood from each neighbour finds all of it.
    #[test]
    fn whole_water_is_of_one_piece() {
        let mut whole = 0;
        for seed in 0..40 {
            let water = *Map::generate(&Rules::FULL, seed).water();
            let free: Sea =
                water.iter().filter(|cell| !(cell * 5 + seed as usize).is_multiple_of(4)).collect();
            for cell in water.iter().map(cell_at) {
                let room = Chart::flood(cell, &free);
                if !is_whole(cell, &room) {
                    continue;
                }
                for direction in Direction::ALL {
                    let next = shift(&Sea::only(cell.index()), direction) & room;
                    if let Some(next) = next.first() {
                        let mut found = Chart::flood(cell_at(next), &room);
                        found.add(next);
                        assert_eq!(found, room, "seed {seed} {cell:?}");
                        whole += 1;
                    }
                }
            }
        }
        assert!(whole > 1000, "{whole}");
    }
}
