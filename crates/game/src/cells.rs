//! Sets of cells as bits.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub, SubAssign};

/// A set of up to `64 * WORDS` cells, each known by its index. The game decides which cell has which index.
///
/// Sets are plain values that are copied; the states of the games consist of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cells<const WORDS: usize>(pub [u64; WORDS]);

impl<const WORDS: usize> Cells<WORDS> {
    /// No cell.
    pub const EMPTY: Self = Cells([0; WORDS]);

    /// Just one cell.
    #[inline]
    #[must_use]
    pub const fn only(cell: usize) -> Self {
        let mut cells = Self::EMPTY;
        cells.add(cell);
        cells
    }

    /// Whether `cell` belongs to the set.
    #[inline]
    #[must_use]
    pub const fn contains(&self, cell: usize) -> bool {
        self.0[cell >> 6] >> (cell & 63) & 1 != 0
    }

    /// Adds a cell.
    #[inline]
    pub const fn add(&mut self, cell: usize) {
        self.0[cell >> 6] |= 1 << (cell & 63);
    }

    /// Removes a cell.
    #[inline]
    pub const fn discard(&mut self, cell: usize) {
        self.0[cell >> 6] &= !(1 << (cell & 63));
    }

    /// Adds a cell and returns whether it was new.
    #[inline]
    #[must_use = "use add() if you do not need to know whether it was new"]
    pub const fn insert(&mut self, cell: usize) -> bool {
        let new = !self.contains(cell);
        self.add(cell);
        new
    }

    /// Whether no cell is in the set.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) == 0
    }

    /// Whether the two sets share a cell.
    #[inline]
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        !(*self & *other).is_empty()
    }

    /// How many cells are in the set.
    #[inline]
    #[must_use]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The cell with the lowest index.
    #[inline]
    #[must_use]
    pub fn first(&self) -> Option<usize> {
        self.iter().next()
    }

    /// The cell with `rank` lower ones in the set, for drawing one at random; `None` past the end.
    #[inline]
    #[must_use]
    pub fn nth(&self, mut rank: u32) -> Option<usize> {
        for (i, &word) in self.0.iter().enumerate() {
            let here = word.count_ones();
            if rank < here {
                let mut word = word;
                for _ in 0..rank {
                    word &= word - 1;
                }
                return Some(i * 64 + word.trailing_zeros() as usize);
            }
            rank -= here;
        }
        None
    }

    /// Every cell moved to an index higher by `by` (below 64); those past the end are lost.
    #[inline]
    #[must_use]
    pub fn up(&self, by: u32) -> Self {
        debug_assert!(0 < by && by < 64);
        let mut moved = [0; WORDS];
        moved[0] = self.0[0] << by;
        for i in 1..WORDS {
            moved[i] = self.0[i] << by | self.0[i - 1] >> (64 - by);
        }
        Cells(moved)
    }

    /// Every cell moved to an index lower by `by` (below 64); those below 0 are lost.
    #[inline]
    #[must_use]
    pub fn down(&self, by: u32) -> Self {
        debug_assert!(0 < by && by < 64);
        let mut moved = [0; WORDS];
        for i in 0..WORDS - 1 {
            moved[i] = self.0[i] >> by | self.0[i + 1] << (64 - by);
        }
        moved[WORDS - 1] = self.0[WORDS - 1] >> by;
        Cells(moved)
    }

    /// The cells in ascending order.
    #[inline]
    pub fn iter(&self) -> Iter<WORDS> {
        Iter { rest: *self, word: 0 }
    }
}

/// The cells of a set in ascending order.
#[derive(Clone, Debug)]
pub struct Iter<const WORDS: usize> {
    rest: Cells<WORDS>,
    word: usize,
}

impl<const WORDS: usize> Iterator for Iter<WORDS> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.word < WORDS {
            let word = &mut self.rest.0[self.word];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(self.word * 64 + bit);
            }
            self.word += 1;
        }
        None
    }
}

impl<const WORDS: usize> IntoIterator for &Cells<WORDS> {
    type Item = usize;
    type IntoIter = Iter<WORDS>;

    #[inline]
    fn into_iter(self) -> Iter<WORDS> {
        self.iter()
    }
}

impl<const WORDS: usize> FromIterator<usize> for Cells<WORDS> {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Self {
        let mut set = Self::EMPTY;
        for cell in cells {
            set.add(cell);
        }
        set
    }
}

impl<const WORDS: usize> Default for Cells<WORDS> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const WORDS: usize> fmt::Debug for Cells<WORDS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

macro_rules! by_word {
    ($trait:ident, $method:ident, $assign:ident, $assign_method:ident, $op:expr) => {
        impl<const WORDS: usize> $trait for Cells<WORDS> {
            type Output = Self;
            #[inline]
            fn $method(mut self, other: Self) -> Self {
                for (mine, theirs) in self.0.iter_mut().zip(other.0) {
                    *mine = $op(*mine, theirs);
                }
                self
            }
        }
        impl<const WORDS: usize> $assign for Cells<WORDS> {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = $trait::$method(*self, other);
            }
        }
    };
}

by_word!(BitAnd, bitand, BitAndAssign, bitand_assign, |a: u64, b: u64| a & b);
by_word!(BitOr, bitor, BitOrAssign, bitor_assign, |a: u64, b: u64| a | b);
by_word!(Sub, sub, SubAssign, sub_assign, |a: u64, b: u64| a & !b);

impl<const WORDS: usize> BitXor for Cells<WORDS> {
    type Output = Self;
    #[inline]
    fn bitxor(mut self, other: Self) -> Self {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine ^= theirs;
        }
        self
    }
}

impl<const WORDS: usize> Not for Cells<WORDS> {
    type Output = Self;
    #[inline]
    fn not(mut self) -> Self {
        for word in &mut self.0 {
            *word = !*word;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_equal_a_naive_loop() {
        let cells: Cells<4> = [0, 1, 14, 15, 63, 64, 100, 127, 128, 200, 254, 255].into_iter().collect();
        for by in 1..64 {
            let up: Cells<4> = cells.iter().map(|c| c + by).filter(|&c| c < 256).collect();
            let down: Cells<4> = cells.iter().filter(|&c| c >= by).map(|c| c - by).collect();
            assert_eq!(cells.up(by as u32), up, "up by {by}");
            assert_eq!(cells.down(by as u32), down, "down by {by}");
        }
    }

    #[test]
    fn nth_is_the_iterators() {
        let cells: Cells<3> = [5, 63, 64, 65, 130, 191].into_iter().collect();
        for rank in 0..7 {
            assert_eq!(cells.nth(rank), cells.iter().nth(rank as usize));
        }
        assert_eq!(cells.len(), 6);
        assert_eq!(cells.first(), Some(5));
        assert_eq!(Cells::<3>::EMPTY.first(), None);
    }

    #[test]
    fn set_operations() {
        let a: Cells<2> = [1, 2, 70].into_iter().collect();
        let b: Cells<2> = [2, 70, 90].into_iter().collect();
        assert_eq!((a & b).iter().collect::<Vec<_>>(), [2, 70]);
        assert_eq!((a | b).len(), 4);
        assert_eq!((a - b).iter().collect::<Vec<_>>(), [1]);
        assert_eq!((a ^ b).iter().collect::<Vec<_>>(), [1, 90]);
        assert!(a.intersects(&b));
        assert!((!a).contains(0) && !(!a).contains(1));
        let mut c = a;
        assert!(c.insert(5) && !c.insert(5));
        c.discard(5);
        assert_eq!(c, a);
    }
}
