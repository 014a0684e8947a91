//! How mountains and regions grow: a draw among the free neighbours, in the order of the reference's hash set
//! (rules, section 3).

use game::Sha1Prng;

use crate::grid::{Cells, SPAN, STRIDE, beside, xy};

/// The hash of a cell.
const fn hash(cell: usize) -> usize {
    let (x, y) = xy(cell);
    961 + 31 * x + y
}

/// The iteration order of a hash set into which these cells were inserted: the rule to the letter.
pub(crate) fn hash_order(cells: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut buckets: Vec<Vec<usize>> = vec![Vec::new(); 16];
    let mut seen = Cells::EMPTY;
    let mut count = 0;
    for cell in cells {
        if !seen.insert(cell) {
            continue;
        }
        let buckets_now = buckets.len();
        let bucket = &mut buckets[hash(cell) % buckets_now];
        let crowded = bucket.len() >= 8;
        bucket.push(cell);
        count += 1;
        if crowded && buckets_now < 64 {
            double(&mut buckets);
        }
        if count > buckets.len() * 3 / 4 {
            double(&mut buckets);
        }
    }
    buckets.concat()
}

fn double(buckets: &mut Vec<Vec<usize>>) {
    let twice = buckets.len() * 2;
    let mut wider = vec![Vec::new(); twice];
    for &cell in buckets.iter().flatten() {
        wider[hash(cell) % twice].push(cell);
    }
    *buckets = wider;
}

/// The free neighbours of several growing areas, each area's list in the iteration order of its hash set.
///
/// The reference builds the set anew for each draw: the free neighbours of the area's cells, oldest cell first. Two facts
/// make a list that is kept enough. A neighbour's place among the insertions is set by the oldest cell it touches, so
/// growing the area appends its new neighbours, and cells taken by anybody leave without disturbing the others. And
/// doubling keeps the order within a bucket, so the iteration order is by bucket, then by insertion, in the table of the
/// final size. A list is kept in the order for 16 buckets; the order for 32 puts the cells with bit 4 of the hash clear
/// first, and so on. Tables that grow because a bucket is crowded depend on more than that: [`Frontiers::take`] sees
/// such a list and asks [`hash_order`].
#[derive(Clone, Debug)]
pub(crate) struct Frontiers {
    /// Items from one list to the next.
    stride: usize,
    lens: Vec<u16>,
    items: Vec<u16>,
}

/// No item: greater than any, so that it sorts behind them.
const NONE: u16 = u16::MAX;
/// Items that the fast path looks at together.
const BLOCK: usize = 16;
/// Bits of an item that are the cell; above them two bits of the hash, then its low four: the bucket.
const CELL: u16 = 0x3FF;

const ITEMS: [u16; SPAN] = {
    let mut items = [NONE; SPAN];
    let mut cell = STRIDE;
    while cell < SPAN {
        let hash = hash(cell);
        items[cell] = ((hash & 15) << 12 | (hash >> 4 & 3) << 10 | cell) as u16;
        cell += 1;
    }
    items
};

impl Frontiers {
    pub(crate) fn new(lists: usize) -> Self {
        let stride = 2 * BLOCK + 2;
        Frontiers { stride, lens: vec![0; lists], items: vec![NONE; lists * stride] }
    }

    /// Empties a list.
    pub(crate) fn clear(&mut self, list: usize) {
        let at = list * self.stride;
        let len = usize::from(self.lens[list]);
        self.items[at..at + len].fill(NONE);
        self.lens[list] = 0;
    }

    /// A cell was added to the area: appends its neighbours that are not taken. The cell itself must be taken.
    #[inline]
    pub(crate) fn grow(&mut self, list: usize, cell: usize, taken: &Cells) {
        for direction in 0..4 {
            let neighbour = beside(cell, direction);
            if !taken.contains(neighbour) {
                self.insert(list, ITEMS[neighbour]);
            }
        }
    }

    #[inline]
    fn insert(&mut self, list: usize, item: u16) {
        let len = usize::from(self.lens[list]);
        if len >= BLOCK {
            return self.insert_in_long(list, item);
        }
        // The list is within one block, the rest of which holds `NONE`: no loop depends on its length.
        let at = list * self.stride;
        let block: &mut [u16] = &mut self.items[at..at + 2 * BLOCK];
        let after = item | 0x0FFF;
        let (mut known, mut place) = (false, 0);
        for &other in &block[..BLOCK] {
            known |= other == item;
            place += u16::from(other <= after);
        }
        if known {
            return;
        }
        // `NONE` looks like an item of the last bucket: an item of that bucket goes to the end of the list.
        let place = usize::from(place).min(len);
        let mut tail = [NONE; BLOCK];
        tail.copy_from_slice(&block[place..place + BLOCK]);
        block[place + 1..=place + BLOCK].copy_from_slice(&tail);
        block[place] = item;
        self.lens[list] += 1;
    }

    #[cold]
    fn insert_in_long(&mut self, list: usize, item: u16) {
        let len = usize::from(self.lens[list]);
        if len + BLOCK + 2 > self.stride {
            self.widen();
        }
        let at = list * self.stride;
        let items = &mut self.items[at..=at + len];
        if items[..len].contains(&item) {
            return;
        }
        let place = items[..len].partition_point(|other| other >> 12 <= item >> 12);
        items.copy_within(place..len, place + 1);
        items[place] = item;
        self.lens[list] += 1;
    }

    /// Makes room for longer lists.
    fn widen(&mut self) {
        let stride = self.stride * 2;
        let mut items = vec![NONE; self.lens.len() * stride];
        for (new, old) in items.chunks_exact_mut(stride).zip(self.items.chunks_exact(self.stride)) {
            new[..self.stride].copy_from_slice(old);
        }
        (self.stride, self.items) = (stride, items);
    }

    /// Draws one of the cells of a list that are not taken; `None` without a draw if there is none. `cells` are those of
    /// the area, oldest first.
    #[inline]
    pub(crate) fn take<I: Iterator<Item = usize>>(
        &mut self,
        list: usize,
        taken: &Cells,
        prng: &mut Sha1Prng,
        cells: impl FnOnce() -> I,
    ) -> Option<usize> {
        let at = list * self.stride;
        let old_len = usize::from(self.lens[list]);
        let items = &mut self.items[at..at + old_len];
        let mut len = 0;
        for i in 0..old_len {
            let item = items[i];
            items[len] = item;
            len += usize::from(!taken.contains(usize::from(item & CELL)));
        }
        items[len..].fill(NONE);
        self.lens[list] = len as u16;
        if len == 0 {
            return None;
        }
        let items = &items[..len];
        let rank = prng.below(len as u32) as usize;
        let crowded = len > 8 && (8..len).any(|i| items[i] >> 12 == items[i - 8] >> 12);
        if crowded || len > 48 {
            let candidates = cells()
                .flat_map(|cell| (0..4).map(move |direction| beside(cell, direction)))
                .filter(|&cell| !taken.contains(cell));
            return Some(hash_order(candidates)[rank]);
        }
        let item = match len {
            0..=12 => items[rank],
            13..=24 => nth_by_group(items, rank, 1),
            _ => nth_by_group(items, rank, 3),
        };
        Some(usize::from(item & CELL))
    }
}

/// The item with this rank when the items are grouped by some bits of the hash, lowest group first.
fn nth_by_group(items: &[u16], mut rank: usize, groups: u16) -> u16 {
    for group in 0..=groups {
        for &item in items {
            if item >> 10 & groups == group {
                if rank == 0 {
                    return item;
                }
                rank -= 1;
            }
        }
    }
    unreachable!("the rank is below the number of items")
}

#[cfg(test)]
mod tests {
    use game::Dice;

    use super::*;
    use crate::grid::cell;

    fn order(cells: &[(usize, usize)]) -> Vec<(usize, usize)> {
        hash_order(cells.iter().map(|&(x, y)| cell(x, y))).into_iter().map(xy).collect()
    }

    /// The vectors of section 3.
    #[test]
    fn hash_order_vectors() {
        let got = order(&[(5, 5), (6, 6), (4, 4), (0, 0), (1, 0), (0, 1), (10, 3), (2, 18), (17, 1)]);
        let expected = [(1, 0), (5, 5), (6, 6), (4, 4), (0, 0), (2, 18), (17, 1), (0, 1), (10, 3)];
        assert_eq!(got, expected);

        let mut cells: Vec<_> = (0..10).rev().map(|i| (i, i)).collect();
        cells.push((3, 4));
        let expected =
            [(8, 8), (6, 6), (4, 4), (2, 2), (0, 0), (9, 9), (7, 7), (5, 5), (3, 3), (1, 1), (3, 4)];
        assert_eq!(order(&cells), expected);
    }

    /// Areas grown side by side, some of them long diagonals and some large, draw as if the set were built anew.
    #[test]
    fn a_kept_list_draws_like_a_new_set() {
        let mut longest = 0;
        for seed in 1..60 {
            let mut dice = Dice::new(seed);
            let board: Cells = (0..20).flat_map(|y| (0..30).map(move |x| cell(x, y))).collect();
            let mut taken = !board;
            let mut frontiers = Frontiers::new(3);
            let mut areas: [Vec<usize>; 3] = [vec![], vec![], vec![]];
            for (list, area) in areas.iter_mut().enumerate() {
                let start = cell(4 + 9 * list, 4 + 5 * list);
                taken.add(start);
                area.push(start);
                frontiers.grow(list, start, &taken);
            }
            let mut prng = Sha1Prng::new(seed as i64);
            let mut reference = Sha1Prng::new(seed as i64);
            for round in 0..170 {
                let list = if seed.is_multiple_of(3) { 0 } else { round % 3 };
                let area = &mut areas[list];
                let candidates: Vec<usize> = hash_order(
                    area.iter()
                        .flat_map(|&c| (0..4).map(move |d| beside(c, d)))
                        .filter(|&c| !taken.contains(c)),
                );
                longest = longest.max(candidates.len());
                let got = frontiers.take(list, &taken, &mut prng, || area.iter().copied());
                let expected = (!candidates.is_empty())
                    .then(|| candidates[reference.below(candidates.len() as u32) as usize]);
                assert_eq!(got, expected, "seed {seed}, round {round}");
                // What is added need not be what was drawn: staircases fill one bucket.
                let last = *area.last().unwrap();
                let stair = beside(last, if area.len().is_multiple_of(2) { 1 } else { 2 });
                let next = match got {
                    None => continue,
                    Some(_) if seed.is_multiple_of(2) && !taken.contains(stair) => stair,
                    Some(drawn) => drawn,
                };
                taken.add(next);
                area.push(next);
                frontiers.grow(list, next, &taken);
                if dice.one_in(9) {
                    taken.add(candidates[0]);
                }
            }
        }
        assert!(longest > 48, "long lists are tested too, the longest is {longest}");
    }
}
