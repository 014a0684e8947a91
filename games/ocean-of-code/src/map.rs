//! The map and its generation from a seed (rules, sections 2 and 3).

use game::{Cells, JavaRandom};

use crate::Rules;
use crate::grid::{Cell, Direction, SIZE, Sea, spread};

/// The sea of a match: its water cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Map {
    water: Sea,
}

impl Map {
    /// The map generated from a seed.
    pub fn generate(rules: &Rules, seed: i64) -> Map {
        let mut land = draw_islands(rules, &mut JavaRandom::new(seed));
        land.grow();
        land.repair();
        land.into_map()
    }

    /// A map from its 15 rows of 15 characters, `x` for an island and `.` for water; `None` if the rows are invalid.
    pub fn from_rows<Row: AsRef<[u8]>>(rows: &[Row]) -> Option<Map> {
        let mut water = Sea::EMPTY;
        if rows.len() != SIZE as usize || rows.iter().any(|row| row.as_ref().len() != SIZE as usize) {
            return None;
        }
        for cell in Cell::all() {
            match rows[cell.y() as usize].as_ref()[cell.x() as usize] {
                b'.' => water.add(cell.index()),
                b'x' => {}
                _ => return None,
            }
        }
        Some(Map { water })
    }

    /// The rows as in the protocol: `x` for an island, `.` for water.
    pub fn rows(&self) -> impl Iterator<Item = String> + '_ {
        (0..SIZE).map(|y| (0..SIZE).filter_map(|x| Cell::new(x, y)).map(|cell| self.letter(cell)).collect())
    }

    const fn letter(&self, cell: Cell) -> char {
        if self.is_water(cell) { '.' } else { 'x' }
    }

    /// Every water cell.
    #[inline]
    pub const fn water(&self) -> &Sea {
        &self.water
    }

    /// Whether the cell is water.
    #[inline]
    pub const fn is_water(&self, cell: Cell) -> bool {
        self.water.contains(cell.index())
    }

    /// The neighbour in a direction; `None` for an island or off the map.
    #[inline]
    pub const fn neighbour(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        let index = cell.toward(direction) as usize;
        if self.water.contains(index) { Some(Cell::from_index(index)) } else { None }
    }

    /// The cells that are at most `steps` steps through water away, including the start.
    #[inline]
    pub fn reach(&self, from: Cell, steps: u8) -> Sea {
        self.reach_of_all(Sea::only(from.index()), steps)
    }

    /// The water cells that are at most `steps` steps through water away from one of these water cells.
    #[inline]
    pub(crate) fn reach_of_all(&self, from: Sea, steps: u8) -> Sea {
        let mut reached = from;
        for _ in 0..steps {
            reached = spread(reached) & self.water;
        }
        reached
    }

    /// Whether `target` is a water cell that is at most `steps` steps through water away.
    #[inline]
    pub fn reaches(&self, from: Cell, target: Cell, steps: u8) -> bool {
        from.steps_to(target) <= steps && self.reach(from, steps).contains(target.index())
    }
}

/// The islands during the generation: a row of bits per row of the map, with a border of islands, because cells off the
/// map count as islands in section 3, step 3. Row `y` is at `y + 1`, column `x` is bit `x + 1`.
struct Land {
    rows: [u32; SIZE as usize + 2],
}

/// The bits of the columns of the map.
const COLUMNS: u32 = ((1 << SIZE) - 1) << 1;

/// Rules, section 3, step 1: the seeds of the islands. The limit is drawn again before every round.
fn draw_islands(rules: &Rules, random: &mut JavaRandom) -> Land {
    let mut rows = [0; SIZE as usize + 2];
    let mut round = 0;
    while round < random.below(rules.island_rounds_span.into()) + u32::from(rules.island_rounds_min) {
        let x = random.below(SIZE.into());
        let y = random.below(SIZE.into());
        rows[y as usize + 1] |= 2 << x;
        round += 1;
    }
    Land { rows }
}

impl Land {
    /// Rules, section 3, step 2: each seed takes the cells north, east and north-east of it. Growth depends only on
    /// seeds, so each row is computed from itself and from the row to the south, which has not grown yet.
    fn grow(&mut self) {
        let wide = |row: u32| row | row << 1;
        for y in 1..=SIZE as usize {
            self.rows[y] = wide(self.rows[y]) | wide(self.rows[y + 1]) | !COLUMNS;
        }
        self.rows[0] = !0;
        self.rows[SIZE as usize + 1] = !0;
    }

    /// Rules, section 3, step 3. A repair changes rows `y - 1` to `y + 1` and so the neighbours of cells from row
    /// `y - 2` on; the rows before were found valid and stay valid, so the result is the same as with a scan from the
    /// start.
    fn repair(&mut self) {
        let mut y = 1;
        while y <= SIZE as usize {
            let bad = self.bad(y);
            if bad == 0 {
                y += 1;
                continue;
            }
            let first = bad & bad.wrapping_neg();
            for row in &mut self.rows[y - 1..=y + 1] {
                *row |= first << 1 | first | first >> 1;
            }
            y = y.saturating_sub(2).max(1);
        }
    }

    /// The islands of a row that match none of the patterns.
    #[inline]
    fn bad(&self, y: usize) -> u32 {
        let [north, here, south] = [self.rows[y - 1], self.rows[y], self.rows[y + 1]];
        let west = |row: u32| row << 1;
        let east = |row: u32| row >> 1;
        let around =
            [west(north), north, east(north), east(here), east(south), south, west(south), west(here)];
        here & COLUMNS & !fits(around)
    }

    fn into_map(self) -> Map {
        let mut water = [0; 4];
        for y in 0..SIZE as usize {
            let row = !self.rows[y + 1] & COLUMNS;
            water[y / 4] |= u64::from(row >> 1) << (y % 4 * 16);
        }
        Map { water: Cells(water) }
    }
}

/// Rules, section 3, step 3: the cells that match at least one of the 13 patterns, for a whole row at once. `around`
/// has the neighbours in the order of the codes. The meaning of the patterns: the cell and the islands at its side
/// consist of blocks of 2 x 2 islands, and at most one block is missing in an inner cell.
#[inline]
const fn fits([nw, n, ne, e, se, s, sw, w]: [u32; 8]) -> u32 {
    // The four blocks around the cell.
    let (nw, ne, se, sw) = (nw & n & w, ne & n & e, se & s & e, sw & s & w);
    (nw & sw & !e)                  // 11.0.111
        | (ne & se & !w)            // .11111.0
        | (sw & !n & !e)            // .0.0.111
        | (nw & !e & !s)            // 11.0.0.1
        | (ne & !s & !w)            // .111.0.0
        | (se & !n & !w)            // .0.111.0
        | (nw & ne & !s)            // 1111.0.1
        | (se & sw & !n)            // .0.11111
        | (nw & ne & (se | sw))     // 11111111, 11111101, 11110111
        | (se & sw & (nw | ne)) // 11111111, 11011111, 01111111
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    const PATTERNS: [&str; 13] = [
        "11.0.111", ".11111.0", ".0.0.111", "11.0.0.1", ".111.0.0", ".0.111.0", "1111.0.1", ".0.11111",
        "11111111", "11111101", "11110111", "11011111", "01111111",
    ];

    fn fits_a_pattern(code: &str) -> bool {
        PATTERNS.iter().any(|pattern| pattern.chars().zip(code.chars()).all(|(p, c)| p == '.' || p == c))
    }

    #[test]
    fn patterns_are_those_of_the_rules() {
        for code in 0..256u32 {
            let text: String = (0..8).map(|i| if code >> i & 1 != 0 { '1' } else { '0' }).collect();
            let mut around = [0; 8];
            for (i, row) in around.iter_mut().enumerate() {
                *row = if code >> i & 1 != 0 { !0 } else { 0 };
            }
            assert_eq!(fits(around), if fits_a_pattern(&text) { !0 } else { 0 }, "{text}");
        }
    }

    /// Section 3 exactly as written, cell by cell, with a restart after every repair.
    fn naive(rules: &Rules, seed: i64) -> Vec<String> {
        let mut random = JavaRandom::new(seed);
        let mut seeds = [[false; 15]; 15];
        let mut i = 0;
        loop {
            let n = random.below(rules.island_rounds_span.into()) + u32::from(rules.island_rounds_min);
            if i >= n {
                break;
            }
            let x = random.below(15) as usize;
            let y = random.below(15) as usize;
            seeds[y][x] = true;
            i += 1;
        }
        let mut island = [[false; 15]; 15];
        for y in 0..15i32 {
            for x in 0..15i32 {
                if seeds[y as usize][x as usize] {
                    for (nx, ny) in [(x, y), (x, y - 1), (x + 1, y), (x + 1, y - 1)] {
                        if nx < 15 && ny >= 0 {
                            island[ny as usize][nx as usize] = true;
                        }
                    }
                }
            }
        }
        'scan: loop {
            for y in 0..15i32 {
                for x in 0..15i32 {
                    if !island[y as usize][x as usize] {
                        continue;
                    }
                    let around = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)]
                        .map(|(dx, dy)| (x + dx, y + dy));
                    let on_map = |&(x, y): &(i32, i32)| (0..15).contains(&x) && (0..15).contains(&y);
                    let code: String = around
                        .iter()
                        .map(|c| if !on_map(c) || island[c.1 as usize][c.0 as usize] { '1' } else { '0' })
                        .collect();
                    if !fits_a_pattern(&code) {
                        for (x, y) in around.into_iter().filter(on_map) {
                            island[y as usize][x as usize] = true;
                        }
                        continue 'scan;
                    }
                }
            }
            break;
        }
        island.iter().map(|row| row.iter().map(|&i| if i { 'x' } else { '.' }).collect()).collect()
    }

    #[test]
    fn maps_equal_a_naive_reading_of_the_rules() {
        for seed in (-500..500).chain([i64::MIN, i64::MAX]) {
            let map = Map::generate(&Rules::FULL, seed);
            let rows: Vec<String> = map.rows().collect();
            assert_eq!(rows, naive(&Rules::FULL, seed), "seed {seed}");
            assert_eq!(Map::from_rows(&rows), Some(map));
        }
        let crowded = Rules { island_rounds_min: 100, island_rounds_span: 100, ..Rules::FULL };
        for seed in 0..50 {
            let rows: Vec<String> = Map::generate(&crowded, seed).rows().collect();
            assert_eq!(rows, naive(&crowded, seed), "crowded, seed {seed}");
        }
    }

    #[test]
    fn only_48_bits_of_a_seed_matter() {
        let map = |seed| Map::generate(&Rules::FULL, seed);
        assert_eq!(map(5), map(5 + (1 << 48)));
        assert_ne!(map(5), map(6));
    }

    #[test]
    fn rows_must_be_a_map() {
        assert_eq!(Map::from_rows(&["."; 15]), None);
        assert_eq!(Map::from_rows(&["..............."; 14]), None);
        assert_eq!(Map::from_rows(&["......o........"; 15]), None);
    }

    #[test]
    fn reach_goes_around_islands() {
        for seed in 0..40 {
            let map = Map::generate(&Rules::FULL, seed);
            for from in Cell::all().filter(|&cell| map.is_water(cell)) {
                let mut distance = [None; 256];
                distance[from.index()] = Some(0u8);
                let mut queue = VecDeque::from([from]);
                while let Some(cell) = queue.pop_front() {
                    for next in Direction::ALL.into_iter().filter_map(|d| map.neighbour(cell, d)) {
                        if distance[next.index()].is_none() {
                            distance[next.index()] = distance[cell.index()].map(|d| d + 1);
                            queue.push_back(next);
                        }
                    }
                }
                for steps in [0, 1, 4, 9] {
                    for target in Cell::all() {
                        let near = distance[target.index()].is_some_and(|d| d <= steps);
                        assert_eq!(map.reaches(from, target, steps), near, "seed {seed} {from:?} {target:?}");
                    }
                }
            }
        }
    }
}
