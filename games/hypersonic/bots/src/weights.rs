//! The evaluation of a state: weights by which the searching bots differ.

use hypersonic::{Cell, CellSet, GRID, beside};

/// Weights, in tenths of a box.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    /// A box scored now.
    pub(super) a_box: f32,
    /// The loss of value of a box for every round that it is scored later.
    pub(super) hurry: f32,
    /// The cost of a box of an opponent, as a share of an own box.
    pub(super) deny: f32,
    /// The value of bombs: for each of the first two, for each of the first four, for each.
    pub(super) bombs: [f32; 3],
    /// The value of range: for each cell up to five, for each cell.
    pub(super) range: [f32; 2],
    /// The cost of a bomb in play, for each round until it goes off.
    pub(super) bomb_out: f32,
    /// The value of each box within 2, 4, 7 and 11 steps on an empty grid.
    pub(super) near: [f32; 4],
    /// The cost of having a single way out.
    pub(super) narrow: f32,
    /// The value of a trapped opponent.
    pub(super) trap: f32,
    /// The share of that value that is left for every round before the trap, in which the opponent may act in another way: before it
    /// has seen a bomb of ours, and after it.
    pub(super) trust: [f32; 2],
    /// The cost of each cell to which a hunted opponent can flee.
    pub(super) squeeze: f32,
    /// The cost of each step between us and a hunted opponent.
    pub(super) chase: f32,
    /// The cost of each step by which an opponent is nearer than [`FAR`], for every round.
    pub(super) flee: f32,
    /// The value of each cell to which the player can flee, up to [`ROOMY`].
    pub(super) room: f32,
    /// Whether bombs are tried that are set off by burning ones and score boxes together with them.
    pub(super) shares_boxes: bool,
    /// The number of states of a round divided by this is the most that may stand on the same cell.
    pub(super) cell_share: usize,
    /// The number of states that may stand on the same cell in any case.
    pub(super) cell_least: usize,
    /// The most that chance adds to the value of a state, so that no two games are alike.
    pub(super) noise: f32,
    /// The seed of chance.
    pub(super) seed: u64,
}

/// An opponent at this distance needs not be fled from.
pub(super) const FAR: usize = 8;
/// More cells than these are not worth more.
pub(super) const ROOMY: u32 = 20;

/// The distances of [`Weights::near`].
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

impl Weights {
    /// The value of a box that is scored `time` rounds from now.
    #[inline]
    pub(super) fn box_worth(&self, time: usize) -> f32 {
        (self.a_box - self.hurry * time as f32).max(0.5)
    }

    /// The value of a number of bombs.
    pub(super) fn bombs(&self, count: usize) -> f32 {
        let [two, four, each] = self.bombs;
        two * count.min(2) as f32 + four * count.min(4) as f32 + each * count.min(12) as f32
    }

    /// The value of a range.
    pub(super) fn range(&self, range: u16) -> f32 {
        let [five, each] = self.range;
        five * f32::from(range.min(5)) + each * f32::from(range.min(13))
    }

    /// What chance adds to the value of a state.
    #[inline]
    pub(super) fn luck(&self, fingerprint: u64) -> f32 {
        let mixed =
            (fingerprint ^ self.seed.wrapping_mul(0xD6E8_FEB8_6659_FD93)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.noise * (mixed >> 40) as f32 / (1u32 << 24) as f32
    }

    /// The value of standing near boxes.
    #[inline]
    pub(super) fn near(&self, cell: Cell, boxes: &CellSet) -> f32 {
        let within = &WITHIN[cell.index()];
        self.near.iter().zip(within).map(|(weight, cells)| weight * (*cells & *boxes).len() as f32).sum()
    }
}

/// The weights that the strongest bots share.
pub(super) const COMMON: Weights = Weights {
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
    flee: 0.0,
    room: 0.0,
    shares_boxes: false,
    cell_share: 8,
    cell_least: 6,
    noise: 0.05,
    seed: 0,
};
