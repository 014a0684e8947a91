//! Where a railway can still be built, and what it costs: the board as blocks of joined rails, with the paint between them.

use back_track::grid::{Cells, beside, directions, sides};
use back_track::{Map, Rules, State};

/// Costs beyond this are too far to plan for.
pub(super) const FAR: usize = 40;

/// All neighbours of a set, some of them outside the grid: meant to be cut with a set of cells inside.
#[inline]
pub(super) fn grown(cells: &Cells) -> Cells {
    // Two rows of the grid to a word, the columns at their ends are in no set.
    let words = &cells.0;
    let last = words.len() - 1;
    let mut grown = Cells::EMPTY;
    for i in 0..=last {
        let word = words[i];
        let above = if i > 0 { words[i - 1] >> 32 } else { 0 };
        let below = if i < last { words[i + 1] << 32 } else { 0 };
        grown.0[i] = word << 1 | word >> 1 | word << 32 | word >> 32 | above | below;
    }
    grown
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
}

/// A board prepared for planning.
#[derive(Debug)]
pub(super) struct Ground {
    /// The blocks: first those with towns.
    pub(super) blocks: Vec<Block>,
    /// How many blocks have a town.
    pub(super) with_towns: usize,
    /// Cells on which a track can be placed.
    pub(super) free: Cells,
    rails: Cells,
    /// The free cells by what they cost in the plan: paint, and a toll for ground that may be washed away.
    by_cost: Vec<(usize, Cells)>,
}

impl Ground {
    /// Nothing yet.
    pub(super) fn new() -> Ground {
        Ground {
            blocks: Vec::with_capacity(64),
            with_towns: 0,
            free: Cells::EMPTY,
            rails: Cells::EMPTY,
            by_cost: Vec::with_capacity(16),
        }
    }

    /// Looks at a board as if the regions `doomed`, a bit each, were inked already. `toll` is what a cell costs on top of its
    /// paint, by how many hits its region still stands.
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
            if let Some(block) = self.blocks.iter_mut().find(|block| block.cells.contains(here)) {
                block.towns |= 1 << id;
            }
        }
        self.with_towns = self.blocks.len();
        while let Some(here) = left.first() {
            self.add_block(state, &mut left, here);
        }
        self.price(rules, map, state, toll);
    }

    fn add_block(&mut self, state: &State, left: &mut Cells, start: usize) {
        let mut cells = Cells::only(start);
        let mut edge = cells;
        *left -= cells;
        loop {
            edge = grown(&edge) & *left;
            if edge.is_empty() {
                break;
            }
            cells |= edge;
            *left -= edge;
        }
        let owned = [0, 1].map(|player| (cells & state.tracks[player]).len());
        self.blocks.push(Block { cells, towns: 0, owned });
    }

    fn price(&mut self, rules: &Rules, map: &Map, state: &State, toll: impl Fn(u8) -> usize) {
        self.by_cost.clear();
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
                match self.by_cost.iter_mut().find(|(known, _)| *known == cost) {
                    Some((_, all)) => *all |= cells,
                    None => self.by_cost.push((cost, cells)),
                }
            }
        }
    }

    /// What it costs to come from a block to every cell and to the other blocks, up to the last of `wanted`, a bit each.
    pub(super) fn walk(&self, from: usize, mut wanted: u64, field: &mut Field) {
        field.levels.fill(Cells::EMPTY);
        field.reached.clear();
        field.reached.resize(self.blocks.len(), FAR);
        field.levels[0] = self.blocks[from].cells;
        field.reached[from] = 0;
        let mut open = self.free | self.rails;
        let mut last = 0;
        let mut level = 0;
        while level <= last && wanted != 0 {
            let mut here = field.levels[level] & open;
            open -= here;
            // Rails carry on for nothing: who touches a block has all of it.
            let mut edge = here;
            loop {
                let touched = grown(&edge) & self.rails & open;
                if touched.is_empty() {
                    break;
                }
                edge = Cells::EMPTY;
                for (id, block) in self.blocks.iter().enumerate() {
                    if field.reached[id] == FAR && block.cells.intersects(&touched) {
                        field.reached[id] = level;
                        wanted &= !(1 << (id & 63));
                        edge |= block.cells;
                    }
                }
                open -= edge;
                here |= edge;
            }
            field.levels[level] = here;
            if !here.is_empty() {
                let next = grown(&here) & open & self.free;
                for &(cost, cells) in &self.by_cost {
                    let at = level + cost;
                    let cells = next & cells;
                    if at < FAR && !cells.is_empty() {
                        field.levels[at] |= cells;
                        last = last.max(at);
                    }
                }
            }
            level += 1;
        }
        for unseen in &mut field.levels[level.min(FAR)..] {
            *unseen = Cells::EMPTY;
        }
        field.from = from;
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
            // The cell from which the block was touched.
            let beside_block = grown(&self.blocks[block].cells) & (field.levels[level] - self.rails);
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
                    let Some(at) = self.blocks.iter().position(|block| block.cells.contains(next)) else {
                        return false;
                    };
                    block = at;
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

/// Costs from a block.
#[derive(Debug)]
pub(super) struct Field {
    levels: Box<[Cells; FAR]>,
    /// By block: the cost at which it was touched, `FAR` if it was not.
    pub(super) reached: Vec<usize>,
    from: usize,
}

impl Field {
    /// Nothing yet.
    pub(super) fn new() -> Field {
        Field { levels: Box::new([Cells::EMPTY; FAR]), reached: Vec::with_capacity(64), from: 0 }
    }
}

#[cfg(test)]
mod tests {
    use back_track::BackTrack;
    use back_track::autoplace;
    use game::{Dice, Game, Seat, Silent};

    use super::*;

    /// A game after some turns of random play.
    fn played(seed: i64, turns: u16) -> (BackTrack, State) {
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
