//! Cells, sets of cells, and the coins of a seed.

use game::JavaRandom;

use crate::rules::{MAX_SIZE, Rules};

/// A cell: its column and its row, both counted from 0. `[0, 0]` is the top left corner.
pub type Cell = [u8; 2];

/// A set of cells, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Cells(u64);

impl Cells {
    const fn bit([x, y]: Cell) -> u64 {
        1 << (y * MAX_SIZE + x)
    }

    /// Whether `cell` is in the set.
    pub const fn contains(self, cell: Cell) -> bool {
        self.0 & Cells::bit(cell) != 0
    }

    /// Adds a cell.
    pub const fn add(&mut self, cell: Cell) {
        self.0 |= Cells::bit(cell);
    }

    /// Takes a cell out.
    pub const fn discard(&mut self, cell: Cell) {
        self.0 &= !Cells::bit(cell);
    }

    /// The number of cells.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cells, row by row.
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        let size = MAX_SIZE;
        (0..size).flat_map(move |y| (0..size).map(move |x| [x, y])).filter(move |&cell| self.contains(cell))
    }
}

/// What a seed decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Map {
    /// The coins at the start.
    pub coins: Cells,
}

impl Map {
    /// The map of a seed. A coin on `[x, y]` has a twin on the opposite cell, so both players have the same chances.
    pub fn generate(rules: &Rules, seed: i64) -> Map {
        let mut random = JavaRandom::new(seed);
        let last = rules.size - 1;
        // One half of the grid, row by row, without the start of the first player. The centre of an odd grid has no twin.
        let half = usize::from(rules.size) * usize::from(rules.size) / 2;
        let mut free: Vec<Cell> =
            (0..rules.size).flat_map(|y| (0..rules.size).map(move |x| [x, y])).take(half).skip(1).collect();
        let mut coins = Cells::default();
        for _ in 0..rules.coin_pairs {
            let [x, y] = free.swap_remove(random.below(free.len() as u32) as usize);
            coins.add([x, y]);
            coins.add([last - x, last - y]);
        }
        Map { coins }
    }
}
