//! Rivers (rules, section 5.4).

use game::Sha1Prng;

use crate::grid::{Cells, beside, cell, ring, xy};
use crate::rules::MapRules;

/// The map before the rivers are drawn.
pub(crate) struct Land {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) board: Cells,
    pub(crate) frame: Cells,
    pub(crate) mountains: Cells,
}

/// The result of drawing the rivers.
pub(crate) struct Rivers {
    /// River cells.
    pub(crate) water: Cells,
    /// Cells that were a river at some time: they are no longer mountains.
    pub(crate) washed: Cells,
}

/// A branch of a river, identified by its last cell. A branch that continues is a new entry, so the list of all entries
/// is also the queue of the rules.
#[derive(Clone, Copy)]
struct Branch {
    cell: u16,
    /// The entry of the previous cell; the entry itself at the source.
    before: u16,
    /// The number of cells from the source to here.
    length: u16,
    /// The preferred direction; `NO_DIRECTION` if there is none.
    ahead: u8,
}

const NORTH: u8 = 0;
const EAST: u8 = 1;
const SOUTH: u8 = 2;
const WEST: u8 = 3;
const NO_DIRECTION: u8 = 8;

/// Draws the rivers. `borders` are the shuffled cells of the frame; mountains among them are skipped.
pub(crate) fn draw(rules: &MapRules, land: &Land, borders: &[u16], prng: &mut Sha1Prng) -> Rivers {
    let area = (land.width * land.height) as f32;
    let mut flow = Flow {
        rules,
        land,
        water: Cells::EMPTY,
        dry: Cells::EMPTY,
        left: (f64::from(area * rules.river_share) + 0.5).floor() as i32,
        branches: Vec::with_capacity(128),
        first: true,
    };
    let centre = cell(land.width / 2, land.height / 2 + usize::from(!prng.bool()));
    let borders =
        borders.iter().map(|&cell| usize::from(cell)).filter(|&cell| !land.mountains.contains(cell));
    for source in std::iter::once(centre).chain(borders) {
        if flow.left <= 0 {
            break;
        }
        flow.run_from(source, prng);
    }
    Rivers { water: flow.water - flow.dry, washed: flow.water }
}

struct Flow<'a> {
    rules: &'a MapRules,
    land: &'a Land,
    water: Cells,
    dry: Cells,
    /// The number of river cells still to be drawn; it may become negative, because a river always runs to its end.
    left: i32,
    branches: Vec<Branch>,
    /// Whether the first step, which always splits, has not been made yet.
    first: bool,
}

impl Flow<'_> {
    fn run_from(&mut self, source: usize, prng: &mut Sha1Prng) {
        if near(&self.water, source) {
            return;
        }
        let (x, y) = xy(source);
        let ahead = if x == 0 {
            EAST
        } else if y == 0 {
            SOUTH
        } else if x == self.land.width - 1 {
            WEST
        } else if y == self.land.height - 1 {
            NORTH
        } else {
            NO_DIRECTION
        };
        self.water.add(source);
        self.left -= 1;
        self.branches.clear();
        self.branches.push(Branch { cell: source as u16, before: 0, length: 1, ahead });
        let mut at = 0;
        while at < self.branches.len() {
            if !self.run_on(at, prng) {
                self.finish(at);
            }
            at += 1;
        }
    }

    /// Extends a branch by a cell, or splits it; returns false if it ends here.
    fn run_on(&mut self, at: usize, prng: &mut Sha1Prng) -> bool {
        let branch = self.branches[at];
        let here = usize::from(branch.cell);
        if branch.length > 1 && self.land.frame.contains(here) {
            return false;
        }
        // The last two cells of the branch do not count as water near the next cell.
        let mut others = self.water;
        others.discard(here);
        others.discard(usize::from(self.branches[usize::from(branch.before)].cell));
        let mut candidates = [0; 4];
        let mut count = 0;
        for direction in 0..4 {
            let next = beside(here, direction);
            if self.land.board.contains(next)
                && !self.water.contains(next)
                && !self.land.mountains.contains(next)
                && (branch.length > 1 || !self.land.frame.contains(next))
                && !near(&others, next)
            {
                candidates[count] = direction as u8;
                count += 1;
            }
        }
        let candidates = &candidates[..count];
        if candidates.is_empty() {
            return false;
        }
        let mut split = self.left > 0 && count >= 2 && prng.float() <= self.rules.river_split;
        split |= self.first;
        self.first = false;

        let chosen = self.choose(candidates, branch.ahead, prng);
        self.append(at, candidates[chosen], split);
        if split {
            let mut rest = [0; 4];
            let mut others = 0;
            for (i, &direction) in candidates.iter().enumerate() {
                if i != chosen {
                    rest[others] = direction;
                    others += 1;
                }
            }
            let rest = &mut rest[..others];
            prng.shuffle(rest);
            if let Some(&direction) = rest.first() {
                self.append(at, direction, true);
            }
        }
        true
    }

    /// Draws a direction by weight; returns its index.
    fn choose(&self, candidates: &[u8], ahead: u8, prng: &mut Sha1Prng) -> usize {
        let weight = |direction: u8| {
            if direction == ahead {
                self.rules.river_ahead
            } else if direction ^ 2 == ahead {
                self.rules.river_back
            } else {
                1.0
            }
        };
        let total: f32 = candidates.iter().fold(0.0, |sum, &direction| sum + weight(direction));
        let x = prng.float() * total;
        let mut sum = 0.0;
        candidates
            .iter()
            .position(|&direction| {
                sum += weight(direction);
                sum > x
            })
            .unwrap_or(0)
    }

    fn append(&mut self, at: usize, direction: u8, turn: bool) {
        let branch = self.branches[at];
        let next = beside(usize::from(branch.cell), usize::from(direction));
        self.water.add(next);
        self.left -= 1;
        self.branches.push(Branch {
            cell: next as u16,
            before: at as u16,
            length: branch.length + 1,
            ahead: if turn { direction } else { branch.ahead },
        });
    }

    /// Ends a branch: if it is short, all its cells dry out, including shared cells.
    fn finish(&mut self, at: usize) {
        if self.branches[at].length >= u16::from(self.rules.river_min) {
            return;
        }
        let mut at = at;
        loop {
            let branch = self.branches[at];
            self.dry.add(usize::from(branch.cell));
            if branch.length == 1 {
                return;
            }
            at = usize::from(branch.before);
        }
    }
}

/// Whether one of the eight cells around `cell` is in the set.
#[inline]
fn near(water: &Cells, cell: usize) -> bool {
    ring(water, cell) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_looks_at_eight_cells() {
        for (x, y) in [(0usize, 0usize), (5, 7), (29, 19), (29, 0), (0, 19)] {
            for (wx, wy) in (0..20).flat_map(|wy| (0..30).map(move |wx| (wx, wy))) {
                let around = (wx, wy) != (x, y) && x.abs_diff(wx) <= 1 && y.abs_diff(wy) <= 1;
                assert_eq!(near(&Cells::only(cell(wx, wy)), cell(x, y)), around, "{wx} {wy} near {x} {y}");
            }
        }
    }
}
