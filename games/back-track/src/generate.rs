//! Generates a map from a seed, draw by draw (rules, sections 4 and 5).

use game::Sha1Prng;

use crate::grid::{Cells, SPAN, beside, cell, distance, xy};
use crate::growth::Growth;
use crate::map::{MAX_REGIONS, MAX_TOWNS, MAX_WISHES, Map, Town, Wish};
use crate::rivers;
use crate::rules::Rules;

/// No region.
const NOWHERE: u8 = u8::MAX;
/// No next cell.
const LAST: u16 = u16::MAX;

/// A map under construction. The steps must be taken in the order of [`Maker::make`].
pub(crate) struct Maker<'a> {
    rules: &'a Rules,
    pub(crate) prng: Sha1Prng,
    width: usize,
    height: usize,
    board: Cells,
    /// Cells of the outer frame, including the corners.
    frame: Cells,
    /// The shuffled lists of section 5.2. Cells that have become mountains must be skipped.
    borders: Vec<u16>,
    free: Vec<u16>,
    /// A temporary list that is shuffled and read immediately.
    drawn: Vec<u16>,
    mountains: Cells,
    rivers: Cells,
    places: Cells,
    region_count: usize,
    /// Region by cell.
    regions: [u8; SPAN],
    /// The cells of a region in the order in which they were added: the first cell, and from each cell the next.
    first_cell: [u16; MAX_REGIONS],
    next_cell: [u16; SPAN],
    towns: Vec<Town>,
}

impl<'a> Maker<'a> {
    pub(crate) fn new(rules: &'a Rules, seed: i64) -> Self {
        Maker {
            rules,
            prng: Sha1Prng::new(seed),
            width: 0,
            height: 0,
            board: Cells::EMPTY,
            frame: Cells::EMPTY,
            borders: Vec::new(),
            free: Vec::new(),
            drawn: Vec::with_capacity(SPAN),
            mountains: Cells::EMPTY,
            rivers: Cells::EMPTY,
            places: Cells::EMPTY,
            region_count: 0,
            regions: [NOWHERE; SPAN],
            first_cell: [LAST; MAX_REGIONS],
            next_cell: [LAST; SPAN],
            towns: Vec::with_capacity(MAX_TOWNS),
        }
    }

    pub(crate) fn make(mut self) -> Map {
        self.draw_size();
        self.shuffle_cells();
        self.raise_mountains();
        self.draw_rivers();
        self.grow_regions();
        self.found_towns();
        self.draw_wishes();
        self.place_interest();
        self.finish()
    }

    fn area(&self) -> usize {
        self.width * self.height
    }

    /// Section 5.1.
    pub(crate) fn draw_size(&mut self) {
        let map = &self.rules.map;
        self.height = self.prng.range(u32::from(map.height_min), u32::from(map.height_max) + 1) as usize;
        self.width = Map::width_for(map, self.height);
        let row = (1u64 << self.width) - 1;
        let ends = 1 | 1 << (self.width - 1);
        for y in 0..self.height {
            let edge = y == 0 || y == self.height - 1;
            put_row(&mut self.board, y, row);
            put_row(&mut self.frame, y, if edge { row } else { ends });
        }
    }

    /// Section 5.2.
    pub(crate) fn shuffle_cells(&mut self) {
        let (right, bottom) = (self.width - 1, self.height - 1);
        self.borders.reserve(2 * (right + bottom));
        self.free.reserve(self.area());
        for y in 0..=bottom {
            self.free.extend((0..=right).map(|x| cell(x, y) as u16));
            if y == 0 || y == bottom {
                self.borders.extend((1..right).map(|x| cell(x, y) as u16));
            } else {
                self.borders.extend([cell(0, y) as u16, cell(right, y) as u16]);
            }
        }
        self.prng.shuffle(&mut self.borders);
        self.prng.shuffle(&mut self.free);
    }

    /// Section 5.3. A cell leaves the two lists only when it becomes a mountain: the lists stay unchanged, and
    /// mountains are skipped when the lists are read.
    pub(crate) fn raise_mountains(&mut self) {
        let map = &self.rules.map;
        let bound = self.area() as f32 * map.mountain_share;
        let count = usize::from(map.mountains_min).max(rounded(self.prng.float_below(bound)));
        let mut growth = Growth::new(self.width, self.height);
        let mut next = 0;
        for mountain in 0..count {
            let area = mountain % Growth::AREAS;
            if mountain > 0 && area == 0 {
                growth = Growth::new(self.width, self.height);
                for cell in &self.mountains {
                    growth.take(cell);
                }
            }
            let size =
                self.prng.range(u32::from(map.mountain_growth_min), u32::from(map.mountain_growth_max) + 1);
            while next < self.free.len() && self.mountains.contains(usize::from(self.free[next])) {
                next += 1;
            }
            let Some(&base) = self.free.get(next) else { break };
            let mut raised = usize::from(base);
            for _ in 0..size {
                self.mountains.add(raised);
                growth.take(raised);
                growth.join(area, raised);
                match growth.draw(area, &mut self.prng) {
                    Some(drawn) => raised = drawn,
                    None => break,
                }
            }
            self.mountains.add(raised);
            growth.take(raised);
        }
    }

    /// Section 5.4.
    pub(crate) fn draw_rivers(&mut self) {
        let land = rivers::Land {
            width: self.width,
            height: self.height,
            board: self.board,
            frame: self.frame,
            mountains: self.mountains,
        };
        let rivers = rivers::draw(&self.rules.map, &land, &self.borders, &mut self.prng);
        // A source may lie on a mountain: it becomes a river, and plains if it dries out.
        self.mountains -= rivers.washed;
        self.rivers = rivers.water;
    }

    /// Section 5.5.
    pub(crate) fn grow_regions(&mut self) {
        let per = self.cells_per_region();
        let count = self.area() / per;
        let columns = (count as f64).sqrt().ceil() as usize;
        let rows = count.div_ceil(columns);
        self.region_count = count;
        let mut growth = Growth::new(self.width, self.height);
        let mut last_cell = [LAST; MAX_REGIONS];
        for region in 0..count {
            let (row, column) = (region / columns, region % columns);
            let short = if row == rows - 1 { count % columns } else { 0 };
            let in_row = if short == 0 { columns } else { short };
            let x = (column as f64 + 0.5) * (self.width as f64 / in_row as f64);
            let y = (row as f64 + 0.5) * (self.height as f64 / rows as f64);
            let start = cell(x as usize, y as usize);
            growth.take(start);
            self.regions[start] = region as u8;
            self.first_cell[region] = start as u16;
            last_cell[region] = start as u16;
        }
        for region in 0..count {
            growth.join(region, usize::from(self.first_cell[region]));
        }
        let mut open: u64 = (1 << count) - 1;
        while open != 0 {
            for region in Map::ids(open) {
                let Some(drawn) = growth.draw(region, &mut self.prng) else {
                    open &= !(1 << region);
                    continue;
                };
                growth.take(drawn);
                self.regions[drawn] = region as u8;
                self.next_cell[usize::from(last_cell[region])] = drawn as u16;
                last_cell[region] = drawn as u16;
                growth.join(region, drawn);
            }
        }
    }

    fn cells_per_region(&self) -> usize {
        self.height / 2
    }

    /// The cells of a region in the order in which they were added.
    fn cells_of(&self, region: usize) -> impl Iterator<Item = usize> + '_ {
        chain(self.first_cell[region], &self.next_cell)
    }

    /// The regions that touch a region, a bit each; the region itself is included.
    fn adjacent(&self, region: usize) -> u64 {
        let mut touched = 0;
        for cell in self.cells_of(region) {
            for direction in 0..4 {
                let neighbour = self.regions[beside(cell, direction)];
                if neighbour != NOWHERE {
                    touched |= 1 << neighbour;
                }
            }
        }
        touched | 1 << region
    }

    /// Section 5.6.
    pub(crate) fn found_towns(&mut self) {
        let map = &self.rules.map;
        let per_town = usize::from(map.cells_per_town);
        let want = usize::from(map.towns_min).max(self.area() / per_town);
        let step = (per_town / self.cells_per_region()).max(1);
        let unfit = self.rivers | self.mountains | self.frame;
        let mut retries = map.town_retries;
        let mut blocked: u64 = 0;
        let mut i = 0;
        while i < want {
            let region = self.prng.range((i * step) as u32, ((i + 1) * step) as u32);
            let region = region as usize % self.region_count;
            let founded = blocked >> region & 1 == 0 && self.found_town(region, &unfit);
            if founded {
                blocked |= self.adjacent(region);
            }
            if founded || retries == 0 {
                i += 1;
            } else {
                retries -= 1;
            }
        }

        let all = (1u64 << self.region_count) - 1;
        let mut rest: Vec<usize> = Map::ids(all & !blocked).collect();
        self.prng.shuffle(&mut rest);
        for &region in rest.iter().take(want - self.towns.len()) {
            // Blocked since the list was made: it is used up nevertheless.
            if self.rules.fallback_respects_adjacency && blocked >> region & 1 != 0 {
                continue;
            }
            if self.found_town(region, &Cells::EMPTY) && self.rules.fallback_respects_adjacency {
                blocked |= self.adjacent(region);
            }
        }
        let towns: Cells = self.towns.iter().map(|town| usize::from(town.cell)).collect();
        self.rivers -= towns;
        self.mountains -= towns;
    }

    /// Puts the next town on the first suitable cell of the shuffled region; returns false if there is none.
    fn found_town(&mut self, region: usize, unfit: &Cells) -> bool {
        let apart = usize::from(self.rules.map.town_distance);
        self.drawn.clear();
        self.drawn.extend(chain(self.first_cell[region], &self.next_cell).map(|cell| cell as u16));
        self.prng.shuffle(&mut self.drawn);
        let fit = self.drawn.iter().copied().find(|&cell| {
            let cell = usize::from(cell);
            !unfit.contains(cell)
                && self.towns.iter().all(|town| distance(cell, usize::from(town.cell)) >= apart)
        });
        self.towns.extend(fit.map(|cell| Town { cell, ..Town::default() }));
        fit.is_some()
    }

    /// Section 5.7.
    pub(crate) fn draw_wishes(&mut self) {
        let map = &self.rules.map;
        let count = self.towns.len();
        for town in 0..count {
            let mut others = [0; MAX_TOWNS];
            let others = &mut others[..count - 1];
            for (i, other) in others.iter_mut().enumerate() {
                *other = i + usize::from(i >= town);
            }
            self.prng.shuffle(others);
            let least = usize::from(map.wishes_min).min(others.len());
            let most = least.max(others.len().saturating_sub(usize::from(map.wishes_spared)));
            let wishes = self.prng.range(least as u32, most as u32 + 1) as usize;
            self.towns[town].desires = others[..wishes].iter().fold(0, |set, other| set | 1 << other);
        }
        // In a mutual pair the lower id, which comes first here, loses its wish.
        for town in 0..count {
            for other in Map::ids(u64::from(self.towns[town].desires)) {
                if self.towns[other].desires >> town & 1 != 0 {
                    self.towns[town].desires &= !(1 << other);
                }
            }
        }
    }

    /// Section 5.8.
    pub(crate) fn place_interest(&mut self) {
        if !self.rules.places_of_interest {
            return;
        }
        let map = &self.rules.map;
        let span = u32::from(map.places_max - map.places_min);
        let count = self.prng.below(span + 1) as usize + usize::from(map.places_min);
        let margin = usize::from(map.place_margin);
        let apart = usize::from(map.town_distance);
        let mut near_towns = Cells::EMPTY;
        for town in &self.towns {
            self.put_near(&mut near_towns, usize::from(town.cell), apart);
        }
        let mut inner = Cells::EMPTY;
        if self.width > 2 * margin {
            let row = ((1 << (self.width - 2 * margin)) - 1) << margin;
            for y in margin..self.height.saturating_sub(margin) {
                put_row(&mut inner, y, row);
            }
        }
        self.drawn.clear();
        self.drawn.extend((self.board - self.rivers - near_towns - inner).iter().map(|cell| cell as u16));
        self.prng.shuffle(&mut self.drawn);
        self.places = self.drawn.iter().take(count).map(|&cell| usize::from(cell)).collect();
        self.mountains -= self.places;
    }

    /// Adds the cells that are fewer than `apart` steps away from a cell.
    fn put_near(&self, near: &mut Cells, centre: usize, apart: usize) {
        let (x, y) = xy(centre);
        for row in (y + 1).saturating_sub(apart)..self.height.min(y + apart) {
            let reach = apart - 1 - y.abs_diff(row);
            let (first, last) = (x.saturating_sub(reach), (x + reach).min(self.width - 1));
            put_row(near, row, ((1 << (last - first + 1)) - 1) << first);
        }
    }

    fn finish(self) -> Map {
        let Rules { plains_cost, river_cost, mountain_cost, place_of_interest_cost, .. } = *self.rules;
        let plains = self.board - self.rivers - self.mountains - self.places;
        let mut costs = [plains_cost; SPAN];
        for (cells, cost) in [
            (&self.rivers, river_cost),
            (&self.mountains, mountain_cost),
            (&self.places, place_of_interest_cost),
        ] {
            for cell in cells {
                costs[cell] = cost;
            }
        }
        let mut region_cells = [Cells::EMPTY; MAX_REGIONS];
        for y in 0..self.height {
            for cell in cell(0, y)..cell(self.width, y) {
                region_cells[usize::from(self.regions[cell])].add(cell);
            }
        }
        let mut towns = [Town::default(); MAX_TOWNS];
        let mut wishes = [Wish::default(); MAX_WISHES];
        let mut wish_count = 0;
        let mut town_cells = Cells::EMPTY;
        let mut town_regions = 0;
        for (from, town) in self.towns.iter().enumerate() {
            towns[from] = Town { first_wish: wish_count as u8, desired_by: towns[from].desired_by, ..*town };
            town_cells.add(usize::from(town.cell));
            town_regions |= 1 << self.regions[usize::from(town.cell)];
            for to in Map::ids(u64::from(town.desires)) {
                towns[to].desired_by |= 1 << from;
                wishes[wish_count] = Wish { from: from as u8, to: to as u8 };
                wish_count += 1;
            }
        }
        Map {
            width: self.width as u8,
            height: self.height as u8,
            board: self.board,
            terrains: [plains, self.rivers, self.mountains, self.places],
            costs,
            regions: self.regions,
            region_count: self.region_count as u8,
            region_cells,
            town_regions,
            town_cells,
            town_count: self.towns.len() as u8,
            towns,
            wish_count: wish_count as u8,
            wishes,
        }
    }
}

/// The cells of a region in the order in which they were added.
fn chain(first: u16, next: &[u16; SPAN]) -> impl Iterator<Item = usize> + '_ {
    let mut at = first;
    std::iter::from_fn(move || {
        let cell = usize::from(at);
        at = *next.get(cell)?;
        Some(cell)
    })
}

/// The nearest whole number, halves rounded up; 0 for negative numbers.
pub(crate) fn rounded(x: f32) -> usize {
    (f64::from(x) + 0.5).floor() as usize
}

fn put_row(cells: &mut Cells, y: usize, row: u64) {
    let at = cell(0, y);
    cells.0[at / 64] |= row << (at % 64);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check points of section 5.9.
    #[test]
    fn bytes_taken_after_each_step() {
        type Step = for<'a, 'b> fn(&'a mut Maker<'b>);
        let steps: [Step; 8] = [
            |m| m.draw_size(),
            |m| m.shuffle_cells(),
            |m| m.raise_mountains(),
            |m| m.draw_rivers(),
            |m| m.grow_regions(),
            |m| m.found_towns(),
            |m| m.draw_wishes(),
            |m| m.place_interest(),
        ];
        for (seed, size, bytes) in [
            (1, (24, 16), [4, 1820, 1983, 2160, 3504, 3804, 3972, 4468]),
            (-1, (30, 20), [4, 2764, 2839, 3155, 5315, 5827, 6355, 6963]),
            (42, (24, 16), [4, 1820, 2107, 2333, 3677, 3969, 4137, 4613]),
        ] {
            let mut maker = Maker::new(&Rules::STATEMENT, seed);
            let taken = steps.map(|step| {
                step(&mut maker);
                maker.prng.bytes_taken()
            });
            assert_eq!((maker.width, maker.height), size, "seed {seed}");
            assert_eq!(taken, bytes, "seed {seed}");
        }
    }

    #[test]
    fn fallback_with_and_without_adjacency() {
        for (rules, towns, bytes) in [(Rules::STATEMENT, 11, 6234), (Rules::OF_2026, 12, 6274)] {
            let mut maker = Maker::new(&rules, -8_107_321_549_588_985_717);
            maker.draw_size();
            maker.shuffle_cells();
            maker.raise_mountains();
            maker.draw_rivers();
            maker.grow_regions();
            maker.found_towns();
            assert_eq!((maker.towns.len(), maker.prng.bytes_taken()), (towns, bytes));
        }
    }
}
