//! Breadth-first searches over sets of cells, all cells of a distance at a time.

use crate::grid::{Cells, SPAN, beside, sides};
use crate::map::{MAX_TOWNS, Map};

const WORDS: usize = SPAN / 64;

/// A breadth-first search: `here` are the cells of the current distance, `left` the cells not reached yet.
///
/// Both have an empty word at each end, and the words of `here` outside `first..=last` are empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wave {
    here: [u64; WORDS + 2],
    left: [u64; WORDS + 2],
    first: usize,
    last: usize,
}

impl Wave {
    /// A search from some cells inside `within`.
    #[inline]
    pub(crate) fn new(start: &Cells, within: &Cells) -> Self {
        let mut wave = Wave { here: [0; WORDS + 2], left: [0; WORDS + 2], first: WORDS, last: 1 };
        for word in 0..WORDS {
            wave.here[word + 1] = start.0[word];
            wave.left[word + 1] = within.0[word] & !start.0[word];
            if start.0[word] != 0 {
                wave.first = wave.first.min(word + 1);
                wave.last = word + 1;
            }
        }
        wave
    }

    /// A search from a cell inside `within`.
    #[inline]
    pub(crate) fn from(start: usize, within: &Cells) -> Self {
        let mut wave = Wave { here: [0; WORDS + 2], left: [0; WORDS + 2], first: 0, last: 0 };
        wave.left[1..=WORDS].copy_from_slice(&within.0);
        let word = start / 64 + 1;
        wave.here[word] = 1 << (start % 64);
        wave.left[word] &= !wave.here[word];
        (wave.first, wave.last) = (word, word);
        wave
    }

    /// Advances by one step and adds the reached cells to a set. Returns whether there was a new cell, and whether a
    /// cell of `goal` was reached.
    #[inline]
    pub(crate) fn go(&mut self, goal: &Cells, reached: &mut Cells) -> (bool, bool) {
        let (mut any, mut met) = (0, 0);
        let first = self.first.max(2) - 1;
        let last = (self.last + 1).min(WORDS);
        let mut above = self.here[first - 1];
        let mut word = self.here[first];
        for i in first..=last {
            let below = self.here[i + 1];
            // A word has two rows; the columns at their ends are in no set.
            let around = word << 1 | word >> 1 | word << 32 | word >> 32 | above >> 32 | below << 32;
            let next = around & self.left[i];
            self.left[i] ^= next;
            self.here[i] = next;
            any |= next;
            reached.0[i - 1] |= next;
            met |= next & goal.0[i - 1];
            above = word;
            word = below;
        }
        self.first = first + usize::from(self.here[first] == 0);
        self.last = last - usize::from(self.here[last] == 0);
        (any != 0, met != 0)
    }

    /// The cells of the current distance that are in a set.
    #[inline]
    fn cells_in<'a>(&'a self, set: &'a Cells) -> impl Iterator<Item = usize> + 'a {
        (self.first..=self.last)
            .flat_map(move |i| Map::ids(self.here[i] & set.0[i - 1]).map(move |bit| (i - 1) * 64 + bit))
    }
}

/// Whether a search inside `within` from the cells `start` reaches a cell of `goal`.
#[inline]
pub(crate) fn reaches(start: &Cells, within: &Cells, goal: &Cells) -> bool {
    if start.intersects(goal) {
        return true;
    }
    let mut wave = Wave::new(start, within);
    let mut all = Cells::EMPTY;
    loop {
        match wave.go(goal, &mut all) {
            (_, true) => return true,
            (false, _) => return false,
            _ => (),
        }
    }
}

/// All cells that a search inside `within` reaches from the cell `start`, which is included.
#[inline]
pub(crate) fn block(start: usize, within: &Cells) -> Cells {
    let mut wave = Wave::from(start, within);
    let mut block = Cells::only(start);
    while wave.go(&Cells::EMPTY, &mut block).0 {}
    block
}

/// The distances from a cell over a set of cells.
///
/// The neighbours of a cell are one step nearer or one step further, never at the same distance: so the distance modulo
/// 4, stored as a set each, is enough to find the way back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    by_distance: [Cells; 4],
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
        let mut field = Field { by_distance: [Cells::EMPTY; 4] };
        field.by_distance[0].add(start);
        let mut wave = Wave::from(start, rails);
        let mut distance = 0u16;
        while wanted != 0 {
            distance += 1;
            let (any, met) = wave.go(&map.town_cells, &mut field.by_distance[usize::from(distance % 4)]);
            if !any {
                break;
            }
            if met {
                for cell in wave.cells_in(&map.town_cells) {
                    if let Some(town) = map.town_at(cell) {
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

/// The distance of each town from a cell over `rails`, and the reached towns, a bit each.
#[inline]
pub(crate) fn towns_around(map: &Map, rails: &Cells, start: usize) -> ([u16; MAX_TOWNS], u16) {
    let mut steps = [0; MAX_TOWNS];
    let mut towns = 0;
    let mut wave = Wave::from(start, rails);
    let mut all = Cells::EMPTY;
    let mut distance = 0;
    loop {
        let (any, met) = wave.go(&map.town_cells, &mut all);
        distance += 1;
        if met {
            for town in wave.cells_in(&map.town_cells).filter_map(|cell| map.town_at(cell)) {
                steps[town] = distance;
                towns |= 1 << town;
            }
        }
        if !any {
            return (steps, towns);
        }
    }
}
