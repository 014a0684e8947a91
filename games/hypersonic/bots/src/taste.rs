//! What a state is worth: the numbers by which the searching bots differ.

use hypersonic::{Cell, CellSet, GRID, beside};

/// Weights, in tenths of a box.
#[derive(Clone, Debug)]
pub(super) struct Taste {
    /// A box scored now.
    pub(super) a_box: f32,
    /// What a box loses with every round it comes later.
    pub(super) hurry: f32,
    /// What a box of an opponent costs, as a share of our own.
    pub(super) deny: f32,
    /// Having bombs: for the first two, for the first four, for each.
    pub(super) bombs: [f32; 3],
    /// Range: up to five, and for each.
    pub(super) range: [f32; 2],
    /// What a bomb that burns is worth less than one in hand, for each round it still burns.
    pub(super) bomb_out: f32,
    /// For a box within so many steps, as the crow flies: 2, 4, 7, 11.
    pub(super) near: [f32; 4],
    /// Only one way leads out.
    pub(super) narrow: f32,
    /// An opponent who is certain to be lost.
    pub(super) trap: f32,
    /// How much of that is left for every round that goes before it, in which he may do what we do not expect: before he has
    /// seen a bomb of ours, and after it.
    pub(super) trust: [f32; 2],
    /// What each cell costs that a prey can flee to...
    pub(super) squeeze: f32,
    /// ...and each step between us and it.
    pub(super) chase: f32,
    /// Of the states searched on, at most one in so many stand on the same cell...
    pub(super) cell_share: usize,
    /// ...but so many at least.
    pub(super) cell_least: usize,
    /// Chance: the most that luck adds to a state, so that no two games are alike.
    pub(super) noise: f32,
    /// What chance depends on.
    pub(super) seed: u64,
}

/// How far near is.
const NEAR: [usize; 4] = [2, 4, 7, 11];

/// For each cell the cells within those distances.
static WITHIN: std::sync::LazyLock<Vec<[CellSet; 4]>> = std::sync::LazyLock::new(|| {
    let mut within = vec![[CellSet::EMPTY; 4]; 256];
    for cell in &GRID {
        let mut cells = CellSet::only(cell);
        let mut steps = 0;
        for (distance, set) in NEAR.into_iter().zip(&mut within[cell]) {
            while steps < distance {
                cells |= beside(&cells) & GRID;
                steps += 1;
            }
            *set = cells;
        }
    }
    within
});

impl Taste {
    /// A box scored so many rounds from now.
    #[inline]
    pub(super) fn box_worth(&self, time: usize) -> f32 {
        (self.a_box - self.hurry * time as f32).max(0.5)
    }

    /// Having so many bombs.
    pub(super) fn bombs(&self, count: usize) -> f32 {
        let [two, four, each] = self.bombs;
        two * count.min(2) as f32 + four * count.min(4) as f32 + each * count.min(12) as f32
    }

    /// Having such a range.
    pub(super) fn range(&self, range: u16) -> f32 {
        let [five, each] = self.range;
        five * f32::from(range.min(5)) + each * f32::from(range.min(13))
    }

    /// What luck adds to a state.
    #[inline]
    pub(super) fn luck(&self, fingerprint: u64) -> f32 {
        let mixed =
            (fingerprint ^ self.seed.wrapping_mul(0xD6E8_FEB8_6659_FD93)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.noise * (mixed >> 40) as f32 / (1u32 << 24) as f32
    }

    /// Standing near boxes.
    #[inline]
    pub(super) fn near(&self, cell: Cell, boxes: &CellSet) -> f32 {
        let within = &WITHIN[cell.index()];
        self.near.iter().zip(within).map(|(weight, cells)| weight * (*cells & *boxes).len() as f32).sum()
    }
}

/// What the strongest bots agree on.
pub(super) const COMMON: Taste = Taste {
    a_box: 10.0,
    hurry: 0.25,
    deny: 0.3,
    bombs: [3.0, 1.5, 0.7],
    range: [0.8, 0.4],
    bomb_out: 0.05,
    near: [0.06, 0.05, 0.04, 0.03],
    narrow: 0.3,
    trap: 0.0,
    trust: [0.9, 0.7],
    squeeze: 0.3,
    chase: 0.5,
    cell_share: 8,
    cell_least: 6,
    noise: 0.05,
    seed: 0,
};
