//! The board for planning: blocks of joined rails, the cells between them, and the paint that it takes to build there.

use back_track::grid::{Cells, SPAN, beside, directions, sides};
use back_track::{MAX_TOWNS, Map, Rules, State};

/// Greater costs are not planned for.
pub(super) const FAR: usize = 40;

/// The words of a set of cells.
const WORDS: usize = SPAN / 64;
/// No block.
const NONE: u8 = u8::MAX;

/// All neighbours of a set. Some lie outside the grid: the caller intersects the result with cells of the grid.
#[inline]
pub(super) fn grown(cells: &Cells) -> Cells {
    let words = &cells.0;
    let mut grown = Cells::EMPTY;
    for i in 0..WORDS {
        let above = if i > 0 { words[i - 1] } else { 0 };
        let below = if i + 1 < WORDS { words[i + 1] } else { 0 };
        grown.0[i] = around(above, words[i], below);
    }
    grown
}

/// The neighbours, in the given word, of the cells of this word and of the words above and below.
#[inline]
fn around(above: u64, word: u64, below: u64) -> u64 {
    // A word holds two rows of the grid. The columns at their ends belong to no set.
    word << 1 | word >> 1 | word << 32 | word >> 32 | above >> 32 | below << 32
}

/// Rails that are joined.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// All its cells, towns included.
    pub(super) cells: Cells,
    /// Its towns, a bit each.
    pub(super) towns: u16,
    /// How many tracks of it each player has.
    pub(super) owned: [u32; 2],
    /// The first and the last word with a cell.
    words: [usize; 2],
}

/// A board prepared for planning.
#[derive(Debug)]
pub(super) struct Ground {
    /// The blocks: first those with towns.
    pub(super) blocks: Vec<Block>,
    /// How many blocks have a town.
    pub(super) with_towns: usize,
    /// The block of each town.
    pub(super) block_of_town: [u8; MAX_TOWNS],
    /// Cells on which a track can be placed.
    pub(super) free: Cells,
    rails: Cells,
    /// The block of each rail; only that of rails is kept up to date.
    block_of: Box<[u8; SPAN]>,
    /// The free cells by their cost in a plan: paint, and a toll for regions that may be inked.
    by_cost: Vec<(usize, Cells)>,
    /// The greatest of these costs.
    most: usize,
    /// Rails whose neighbours have not been visited yet.
    stack: Vec<u16>,
}

impl Ground {
    /// Empty.
    pub(super) fn new() -> Ground {
        Ground {
            blocks: Vec::with_capacity(64),
            with_towns: 0,
            block_of_town: [NONE; MAX_TOWNS],
            free: Cells::EMPTY,
            rails: Cells::EMPTY,
            block_of: Box::new([NONE; SPAN]),
            by_cost: Vec::with_capacity(16),
            most: 0,
            stack: Vec::with_capacity(64),
        }
    }

    /// Prepares a board as if the regions `doomed`, a bit each, were inked already. `toll` is the cost of a cell besides its paint,
    /// by the number of hits that its region still survives.
    pub(super) fn survey(
        &mut self,
        rules: &Rules,
        map: &Map,
        state: &State,
        doomed: u64,
        toll: impl Fn(u8) -> usize,
    ) {
        let doomed = Map::ids(doomed).fold(Cells::EMPTY, |all, region| all | map.region_cells[region]);
        self.rails = (state.rails(map) - doomed) | map.town_cells;
        self.free = state.free(map) - doomed;
        self.blocks.clear();
        let mut left = self.rails;
        for (id, town) in map.towns().iter().enumerate() {
            let here = usize::from(town.cell);
            if left.contains(here) {
                self.add_block(state, &mut left, here);
            }
            let block = self.block_of[here];
            self.block_of_town[id] = block;
            if let Some(block) = self.blocks.get_mut(usize::from(block)) {
                block.towns |= 1 << id;
            }
        }
        self.with_towns = self.blocks.len();
        while let Some(here) = left.first() {
            self.add_block(state, &mut left, here);
        }
        self.price(rules, map, state, toll);
    }

    /// Finds the block of a rail, cell by cell: rails are thin, so growing a set step by step would take more passes.
    fn add_block(&mut self, state: &State, left: &mut Cells, start: usize) {
        // If there are more blocks than numbers, the rest share the last number.
        let id = self.blocks.len().min(usize::from(NONE - 1)) as u8;
        let before = *left;
        left.discard(start);
        self.block_of[start] = id;
        self.stack.clear();
        self.stack.push(start as u16);
        while let Some(here) = self.stack.pop() {
            let here = usize::from(here);
            for direction in directions(sides(left, here)) {
                let next = beside(here, direction);
                left.discard(next);
                self.block_of[next] = id;
                self.stack.push(next as u16);
            }
        }
        let cells = before - *left;
        let mut words = [start / 64; 2];
        let mut owned = [0; 2];
        for (i, &word) in cells.0.iter().enumerate() {
            if word != 0 {
                words = [words[0].min(i), words[1].max(i)];
                owned[0] += (word & state.tracks[0].0[i]).count_ones();
                owned[1] += (word & state.tracks[1].0[i]).count_ones();
            }
        }
        if usize::from(id) == self.blocks.len() {
            self.blocks.push(Block { cells, towns: 0, owned, words });
        }
    }

    fn price(&mut self, rules: &Rules, map: &Map, state: &State, toll: impl Fn(u8) -> usize) {
        self.by_cost.clear();
        self.most = 0;
        let immune = if rules.town_regions_disruptable { 0 } else { map.town_regions };
        // The free cells by the toll of their region: few regions have one.
        let mut by_toll: [(usize, Cells); 8] = [(0, Cells::EMPTY); 8];
        by_toll[0].1 = self.free;
        let mut tolls = 1;
        for region in 0..usize::from(map.region_count) {
            if (state.inked | immune) >> region & 1 != 0 {
                continue;
            }
            let toll = toll(rules.ink_threshold.saturating_sub(state.instability[region]));
            if toll == 0 {
                continue;
            }
            let at = match by_toll[..tolls].iter().position(|&(known, _)| known == toll) {
                Some(at) => at,
                None if tolls < by_toll.len() => {
                    by_toll[tolls] = (toll, Cells::EMPTY);
                    tolls += 1;
                    tolls - 1
                }
                None => tolls - 1,
            };
            let cells = map.region_cells[region] & self.free;
            by_toll[at].1 |= cells;
            by_toll[0].1 -= cells;
        }
        let costs = [rules.plains_cost, rules.river_cost, rules.mountain_cost, rules.place_of_interest_cost];
        for &(toll, cells) in &by_toll[..tolls] {
            for (terrain, cost) in map.terrains.iter().zip(costs) {
                let cells = *terrain & cells;
                if cells.is_empty() {
                    continue;
                }
                let cost = usize::from(cost) + toll;
                if cost >= FAR {
                    continue;
                }
                self.most = self.most.max(cost);
                match self.by_cost.iter_mut().find(|(known, _)| *known == cost) {
                    Some((_, all)) => *all |= cells,
                    None => self.by_cost.push((cost, cells)),
                }
            }
        }
    }

    /// How many more tracks than its opponent each player has on a way through some blocks.
    pub(super) fn inherited(&self, blocks: [usize; 2]) -> [f32; 2] {
        [0, 1].map(|player: usize| {
            let lead = |block: usize| {
                let block = &self.blocks[block];
                let lead = block.owned[player] as f32 - block.owned[1 - player] as f32;
                // A path crosses all of a small block, but only a part of a large one.
                if block.towns.count_ones() > 1 { lead * 0.4 } else { lead }
            };
            blocks.into_iter().map(lead).sum()
        })
    }

    /// The costs from a block to every cell and to the other blocks, up to the last block of `wanted`, a bit each.
    pub(super) fn walk(&self, from: usize, mut wanted: u64, field: &mut Field) {
        self.set_out(from, field);
        while wanted != 0 && field.goes_on() {
            wanted &= !self.go(field);
        }
    }

    /// Begins a walk from a block.
    pub(super) fn set_out(&self, from: usize, field: &mut Field) {
        field.levels[..=field.last].fill(Cells::EMPTY);
        field.reached.clear();
        field.reached.resize(self.blocks.len(), FAR);
        field.reached[from] = 0;
        field.from = from;
        (field.level, field.last) = (0, 0);
        field.levels[0] = self.blocks[from].cells;
        field.words = self.blocks[from].words;
        field.open = self.free | self.rails;
    }

    /// Continues a walk by one unit of cost. Returns the blocks that it reaches, a bit each; blocks with numbers from 64 on have none.
    pub(super) fn go(&self, field: &mut Field) -> u64 {
        let level = field.level;
        field.level += 1;
        let mut touched = Cells::EMPTY;
        let mut any_touched = 0;
        // Cells in reach go to the levels of their costs in one pass over the words.
        let [first, last] = field.words;
        let mut above = 0;
        let mut word = 0;
        let mut below = field.levels[level].0[first] & field.open.0[first];
        for i in first.saturating_sub(1)..=(last + 1).min(WORDS - 1) {
            if i >= first {
                above = word;
                word = below;
                below = if i < last { field.levels[level].0[i + 1] & field.open.0[i + 1] } else { 0 };
                field.levels[level].0[i] = word;
                field.open.0[i] ^= word;
            }
            let next = around(above, word, below) & field.open.0[i];
            if next != 0 {
                touched.0[i] = next & self.rails.0[i];
                any_touched |= touched.0[i];
                self.spread(field, level, i, next);
            }
        }
        if any_touched == 0 { 0 } else { self.join(field, level, touched) }
    }

    /// Adds the reachable cells of a word to the levels of their costs.
    #[inline]
    fn spread(&self, field: &mut Field, level: usize, i: usize, next: u64) {
        for &(cost, ref cells) in &self.by_cost {
            field.levels[level + cost].0[i] |= next & cells.0[i];
        }
        field.last = field.last.max(level + self.most);
        field.words = [field.words[0].min(i), field.words[1].max(i)];
    }

    /// Rails cost nothing: a walk that touches a block reaches all of it. Returns the blocks as [`Ground::go`] does.
    fn join(&self, field: &mut Field, level: usize, mut touched: Cells) -> u64 {
        let mut met = 0;
        while let Some(rail) = touched.first() {
            touched.discard(rail);
            let id = usize::from(self.block_of[rail]);
            if let Some(block) = self.blocks.get(id) {
                touched -= block.cells;
                field.open -= block.cells;
                field.levels[level] |= block.cells;
                field.reached[id] = level;
                met |= 1u64.checked_shl(id as u32).unwrap_or(0);
                let next = grown(&block.cells) & field.open;
                for (i, &next) in next.0.iter().enumerate() {
                    if next != 0 || block.cells.0[i] != 0 {
                        self.spread(field, level, i, next);
                    }
                }
            }
        }
        met
    }

    /// The cells to build from the block of a walk to the block `to`, first the one beside `to`; false if there is no way.
    /// Among equals `better` chooses: the cell for which it is lowest.
    pub(super) fn trace(
        &self,
        field: &Field,
        to: usize,
        route: &mut Vec<u16>,
        better: impl Fn(usize) -> u32,
    ) -> bool {
        route.clear();
        let mut level = field.reached[to];
        if level >= FAR {
            return false;
        }
        let mut block = to;
        'blocks: loop {
            if block == field.from {
                return true;
            }
            // The cell from which the walk touched the block.
            let Some(Block { cells, .. }) = self.blocks.get(block) else { return false };
            let beside_block = grown(cells) & (field.levels[level] - self.rails);
            let Some(mut here) = beside_block.iter().min_by_key(|&cell| better(cell)) else { return false };
            loop {
                route.push(here as u16);
                let Some(cost) = self.cost(here) else { return false };
                let Some(before) = level.checked_sub(cost) else { return false };
                level = before;
                let nearer = sides(&field.levels[level], here);
                let next = directions(nearer)
                    .map(|direction| beside(here, direction))
                    .min_by_key(|&cell| (!self.rails.contains(cell), better(cell)));
                let Some(next) = next else { return false };
                if self.rails.contains(next) {
                    block = usize::from(self.block_of[next]);
                    continue 'blocks;
                }
                here = next;
            }
        }
    }

    fn cost(&self, cell: usize) -> Option<usize> {
        self.by_cost.iter().find(|(_, cells)| cells.contains(cell)).map(|&(cost, _)| cost)
    }
}

/// Costs from a block: a walk that can be continued.
#[derive(Debug)]
pub(super) struct Field {
    /// By cost: the cells reached at this cost. Levels that were not visited yet may also hold cells that were reached at a lower cost.
    levels: Box<[Cells; 2 * FAR]>,
    /// By block: the cost at which it was touched, `FAR` if it was not.
    pub(super) reached: Vec<usize>,
    from: usize,
    /// The next level.
    level: usize,
    /// The first and the last word that may have a cell.
    words: [usize; 2],
    /// The greatest cost that may have a cell.
    last: usize,
    /// The cells that were not reached yet.
    open: Cells,
}

impl Field {
    /// Empty.
    pub(super) fn new() -> Field {
        Field {
            levels: Box::new([Cells::EMPTY; 2 * FAR]),
            reached: Vec::with_capacity(64),
            from: 0,
            level: 0,
            last: 0,
            words: [0; 2],
            open: Cells::EMPTY,
        }
    }

    /// Whether cells are left to walk to.
    pub(super) fn goes_on(&self) -> bool {
        self.level <= self.last.min(FAR - 1)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use back_track::BackTrack;
    use back_track::autoplace;
    use game::{Dice, Game, Seat, Silent};

    use super::*;

    /// A game after some turns of random play.
    pub(in super::super) fn played(seed: i64, turns: u16) -> (BackTrack, State) {
        let game = BackTrack::new(Rules::STATEMENT, seed);
        let mut state = game.start();
        let mut dice = Dice::new(seed as u64);
        while state.turns < turns && state.over.is_none() {
            let orders = [0, 1].map(|seat| Some(game.random_order(&state, Seat(seat), &mut dice)));
            game.step(&mut state, &orders, &mut Silent);
        }
        (game, state)
    }

    #[test]
    fn a_walk_costs_what_the_route_of_an_autoplace_costs() {
        let mut joined = 0;
        for seed in 1..40 {
            let (game, state) = played(seed, 2 * seed as u16);
            let map = game.map();
            let mut ground = Ground::new();
            ground.survey(game.rules(), map, &state, 0, |_| 0);
            let (mut field, mut route) = (Field::new(), Vec::new());
            for a in 0..ground.with_towns {
                ground.walk(a, u64::MAX, &mut field);
                for b in 0..ground.with_towns {
                    if a == b {
                        continue;
                    }
                    let town = |block: usize| {
                        let id = ground.blocks[block].towns.trailing_zeros() as usize;
                        usize::from(map.towns[id].cell)
                    };
                    let expected =
                        autoplace::route(map, &state.rails(map), &state.inked_cells, town(a), town(b));
                    let paint: usize = expected.cells().map(|cell| usize::from(map.costs[cell])).sum();
                    if field.reached[b] == FAR {
                        assert!(paint == 0 || paint >= FAR, "seed {seed}: {a} to {b}");
                        continue;
                    }
                    assert_eq!(field.reached[b], paint, "seed {seed}: {a} to {b}");
                    assert!(ground.trace(&field, b, &mut route, |_| 0));
                    let traced: usize =
                        route.iter().map(|&cell| usize::from(map.costs[usize::from(cell)])).sum();
                    assert_eq!(traced, paint, "seed {seed}: {a} to {b}");
                    assert!(route.iter().all(|&cell| ground.free.contains(usize::from(cell))));
                    joined += 1;
                }
            }
        }
        assert!(joined > 500, "only {joined} pairs were looked at");
    }
}
