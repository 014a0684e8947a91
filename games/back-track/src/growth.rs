//! The growth of mountains and regions: a draw among the free neighbours, in the order of the reference's hash set
//! (rules, section 3).

use game::Sha1Prng;

use crate::grid::{Cells, SPAN, beside, cell, xy};

/// The hash of a cell.
const fn hash(cell: usize) -> usize {
    let (x, y) = xy(cell);
    961 + 31 * x + y
}

/// The iteration order of a hash set into which these cells were inserted, exactly as the rules describe it.
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

/// Areas that grow concurrently, at most [`Growth::AREAS`], and the free neighbours of each.
///
/// The reference rebuilds the set of an area's free neighbours for each draw, from the area's oldest cell to its
/// youngest. Because of two facts, a list that is kept between draws is enough:
/// - The insertion position of a neighbour is determined by the oldest cell of the area that it touches. So a cell that
///   joins the area appends its new neighbours, and cells that are taken by any area are removed without changing the
///   order of the others.
/// - Doubling keeps the order within a bucket. So the iteration order is by bucket of the final table, then by
///   insertion. The table has 16 buckets up to 12 cells, unless a bucket has too many cells.
#[derive(Clone, Debug)]
pub(crate) struct Growth {
    /// By cell: the areas in whose list it was ever put, a bit each; `TAKEN` if it is not free.
    listed: [u64; SPAN],
    /// The number of items from the start of a list to the start of the next.
    stride: usize,
    lens: [u16; Growth::AREAS],
    /// The lists, each in the order of insertion; some cells may be taken.
    items: Vec<u16>,
}

const TAKEN: u64 = u64::MAX;

/// A one in each of the sixteen 4-bit parts of a word.
const EACH: u64 = 0x1111_1111_1111_1111;

impl Growth {
    /// The maximum number of areas: with one more, their bits could equal `TAKEN`.
    pub(crate) const AREAS: usize = 63;

    /// No areas yet; all cells of a grid are free.
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let mut listed = [TAKEN; SPAN];
        for y in 0..height {
            listed[cell(0, y)..][..width].fill(0);
        }
        let stride = 40;
        Growth { listed, stride, lens: [0; Self::AREAS], items: vec![0; Self::AREAS * stride] }
    }

    /// Marks a cell as taken.
    #[inline]
    pub(crate) fn take(&mut self, cell: usize) {
        self.listed[cell] = TAKEN;
    }

    /// Appends the free neighbours of a cell that joined an area. The cell itself must be taken already.
    #[inline]
    pub(crate) fn join(&mut self, area: usize, cell: usize) {
        let mut len = usize::from(self.lens[area]);
        if len + 4 > self.stride {
            self.widen();
        }
        let at = area * self.stride;
        let list = &mut self.items[at..at + self.stride];
        for direction in 0..4 {
            let neighbour = beside(cell, direction);
            let listed = &mut self.listed[neighbour];
            list[len.min(self.stride - 1)] = neighbour as u16;
            len += (!*listed >> area & 1) as usize;
            *listed |= 1 << area;
        }
        self.lens[area] = len as u16;
    }

    /// Makes space for longer lists.
    #[cold]
    fn widen(&mut self) {
        let stride = self.stride * 2;
        let mut items = vec![0; Self::AREAS * stride];
        for (new, old) in items.chunks_exact_mut(stride).zip(self.items.chunks_exact(self.stride)) {
            new[..self.stride].copy_from_slice(old);
        }
        (self.stride, self.items) = (stride, items);
    }

    /// Draws a free neighbour of an area; `None`, without a draw, if there is none.
    #[inline]
    pub(crate) fn draw(&mut self, area: usize, prng: &mut Sha1Prng) -> Option<usize> {
        let at = area * self.stride;
        let list = &mut self.items[at..at + usize::from(self.lens[area])];
        let mut len = 0;
        // The number of cells of each bucket, 4 bits each: correct while there are fewer than 16 cells.
        let mut counts = 0u64;
        for i in 0..list.len() {
            let cell = list[i];
            let free = self.listed[usize::from(cell)] != TAKEN;
            list[len] = cell;
            len += usize::from(free);
            counts = counts.wrapping_add(u64::from(free) << (4 * bucket(cell)));
        }
        self.lens[area] = len as u16;
        let list = &list[..len];
        if len == 0 {
            return None;
        }
        let rank = prng.below(len as u32);
        if len > 12 || counts & (8 * EACH) != 0 {
            return Some(hash_order(list.iter().map(|&cell| usize::from(cell)))[rank as usize]);
        }
        Some(nth(list, counts, rank))
    }
}

/// The bucket of a cell in a table of 16.
#[inline]
fn bucket(cell: u16) -> u32 {
    // The hash is 1 - x + y modulo 16.
    u32::from((cell >> 5).wrapping_sub(cell) & 15)
}

/// The cell with this rank in the order by bucket, then by insertion. `counts` are the numbers of cells of the buckets,
/// at most 7 each and 12 in all.
#[inline]
fn nth(list: &[u16], counts: u64, rank: u32) -> usize {
    // The number of cells up to each bucket, then a bit for each bucket that ends at or before the rank: 4 bits hold up
    // to 12 cells, and every second part gets 8 bits for the comparison.
    let ends = counts.wrapping_mul(EACH);
    let bytes = 0x0F0F_0F0F_0F0F_0F0F;
    let passed = |ends: u64| (u64::from(rank) * 0x0101_0101_0101_0101 + 0x8080_8080_8080_8080 - ends) >> 7;
    let even = passed(ends & bytes) & 0x0101_0101_0101_0101;
    let odd = passed(ends >> 4 & bytes) & 0x0101_0101_0101_0101;
    let wanted = ((even + odd).wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32;
    let before = if wanted == 0 { 0 } else { (ends >> (4 * (wanted - 1)) & 15) as u32 };
    let mut left = rank - before;
    let mut found = 0;
    for &cell in list {
        let here = bucket(cell) == wanted;
        found = if here && left == 0 { cell } else { found };
        left = left.wrapping_sub(u32::from(here));
    }
    usize::from(found)
}

#[cfg(test)]
mod tests {
    use game::Dice;

    use super::*;

    fn order(cells: &[(usize, usize)]) -> Vec<(usize, usize)> {
        hash_order(cells.iter().map(|&(x, y)| cell(x, y))).into_iter().map(xy).collect()
    }

    /// The test vectors of section 3.
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

    /// Areas that grow concurrently, some of them long diagonals and some large, draw as if the set were rebuilt each
    /// time.
    #[test]
    fn a_kept_list_draws_like_a_new_set() {
        let mut longest = 0;
        for seed in 1..60 {
            let mut dice = Dice::new(seed);
            let board: Cells = (0..20).flat_map(|y| (0..30).map(move |x| cell(x, y))).collect();
            let mut taken = !board;
            let mut growth = Growth::new(30, 20);
            let mut areas: [Vec<usize>; 3] = [vec![], vec![], vec![]];
            for (list, area) in areas.iter_mut().enumerate() {
                let start = cell(4 + 9 * list, 4 + 5 * list);
                taken.add(start);
                area.push(start);
                growth.take(start);
                growth.join(list, start);
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
                let got = growth.draw(list, &mut prng);
                let expected = (!candidates.is_empty())
                    .then(|| candidates[reference.below(candidates.len() as u32) as usize]);
                assert_eq!(got, expected, "seed {seed}, round {round}");
                // The added cell need not be the drawn cell: staircases fill one bucket.
                let last = *area.last().unwrap();
                let stair = beside(last, if area.len().is_multiple_of(2) { 1 } else { 2 });
                let next = match got {
                    None => continue,
                    Some(_) if seed.is_multiple_of(2) && !taken.contains(stair) => stair,
                    Some(drawn) => drawn,
                };
                taken.add(next);
                area.push(next);
                growth.take(next);
                growth.join(list, next);
                if dice.one_in(9) {
                    taken.add(candidates[0]);
                    growth.take(candidates[0]);
                }
            }
        }
        assert!(longest > 48, "long lists are tested too, the longest is {longest}");
    }
}
