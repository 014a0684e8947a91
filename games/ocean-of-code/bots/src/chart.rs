//! Tables that are computed once for a map: the reach of torpedoes, and the cells that an explosion hurts.

use game::Game;
use ocean_of_code::{Cell, Direction, Map, OceanOfCode, Rules, SECTORS, Sea};

/// Indices of a [`Sea`]: cells of the map and the border that belongs to none.
pub(super) const INDICES: usize = 256;
/// The difference of the indices of two cells of neighbour rows.
const ROW: u32 = 16;

/// A number for each cell.
pub(super) type Grid = [f32; INDICES];

/// The map and the rules of a match, with tables.
pub(super) struct Chart {
    /// The game: its rules, and its engine for the own line.
    pub(super) game: OceanOfCode,
    pub(super) water: Sea,
    /// Cells that a torpedo from a cell can reach. The relation is symmetric: they are also the cells from which a torpedo can come.
    pub(super) reach: Box<[Sea; INDICES]>,
    /// Cells a torpedo can reach after one step.
    pub(super) strike: Box<[Sea; INDICES]>,
    /// Cells a torpedo can reach after a silence and a step.
    pub(super) leap: Box<[Sea; INDICES]>,
    /// Water on which an explosion in a cell hurts, the cell included.
    pub(super) blast: Box<[Sea; INDICES]>,
    /// Water in each sector, by its number.
    sectors: [Sea; SECTORS as usize + 1],
}

impl Chart {
    pub(super) fn new(rules: Rules, map: Map) -> Chart {
        let water = *map.water();
        let game = OceanOfCode::with_map(rules, map);
        let range = game.rules().torpedo_range;
        let table = |of: &dyn Fn(Cell) -> Sea| {
            let mut table = Box::new([Sea::EMPTY; INDICES]);
            for cell in Cell::all() {
                table[cell.index()] = of(cell);
            }
            table
        };
        let reach = table(&|cell| if map.is_water(cell) { map.reach(cell, range) } else { Sea::EMPTY });
        let strike = table(&|cell| {
            let steps = map.reach(cell, 1);
            steps.iter().fold(Sea::EMPTY, |sum, step| sum | reach[step]) & water
        });
        let leap = table(&|cell| {
            let mut all = strike[cell.index()];
            for direction in Direction::ALL {
                let mut at = cell;
                for _ in 0..game.rules().silence_steps {
                    let Some(next) = map.neighbour(at, direction) else { break };
                    all |= strike[next.index()];
                    at = next;
                }
            }
            all
        });
        let blast = table(&|cell| {
            Cell::all().filter(|other| other.rings_to(cell) <= 1).map(Cell::index).collect::<Sea>() & water
        });
        let mut sectors = [Sea::EMPTY; SECTORS as usize + 1];
        for cell in Cell::all().filter(|&cell| map.is_water(cell)) {
            sectors[cell.sector() as usize].add(cell.index());
        }
        Chart { game, water, reach, strike, leap, blast, sectors }
    }

    pub(super) fn rules(&self) -> &Rules {
        self.game.rules()
    }

    pub(super) fn map(&self) -> &Map {
        self.game.map()
    }

    /// Water in a sector; none where there is no such sector.
    pub(super) fn sector(&self, sector: u8) -> Sea {
        self.sectors.get(sector as usize).copied().unwrap_or(Sea::EMPTY)
    }

    /// The neighbour in a direction if it is water that `visited` leaves free.
    pub(super) fn step(&self, cell: Cell, direction: Direction, visited: &Sea) -> Option<Cell> {
        self.map().neighbour(cell, direction).filter(|next| !visited.contains(next.index()))
    }

    /// Lives an explosion at `at` costs a submarine in `cell`.
    pub(super) fn damage(&self, at: usize, cell: usize) -> u8 {
        if at == cell {
            self.rules().blast_damage
        } else if self.blast[at].contains(cell) {
            self.rules().splash_damage
        } else {
            0
        }
    }

    /// Expected lives an explosion at each cell costs a submarine whose chances are `chances`.
    pub(super) fn expected_damage(&self, chances: &Grid) -> Grid {
        let (full, part) = (f32::from(self.rules().blast_damage), f32::from(self.rules().splash_damage));
        let mut damage = [0.0; INDICES];
        for cell in &self.water {
            if chances[cell] > 0.0 {
                for at in &self.blast[cell] {
                    damage[at] += part * chances[cell];
                }
                damage[cell] += (full - part) * chances[cell];
            }
        }
        damage
    }

    /// The cells of `free` that can be walked to from a cell, the cell itself not counted. Each round fills whole columns and rows.
    pub(super) fn flood(from: Cell, free: &Sea) -> Sea {
        let mut all = Sea::only(from.index());
        loop {
            let before = all;
            let mut edge = 0;
            for (cells, free) in all.0.iter_mut().zip(free.0) {
                *cells |= edge & free;
                for _ in 0..3 {
                    *cells |= (*cells << ROW) & free;
                }
                edge = *cells >> (3 * ROW);
            }
            edge = 0;
            for (cells, free) in all.0.iter_mut().zip(free.0).rev() {
                *cells |= edge & free;
                for _ in 0..3 {
                    *cells |= (*cells >> ROW) & free;
                }
                edge = *cells << (3 * ROW);
                // The border between two rows is not free, so rows do not run into each other.
                let [mut east, mut west] = [free; 2];
                for by in [1, 2, 4, 8] {
                    *cells |= ((*cells << by) & east) | ((*cells >> by) & west);
                    east &= east << by;
                    west &= west >> by;
                }
            }
            if all == before {
                all.discard(from.index());
                return all;
            }
        }
    }
}

/// The cell of an index, which must be one of the map.
pub(super) fn cell_at(index: usize) -> Cell {
    let cell = Cell::new(index as u8 % ROW as u8, index as u8 / ROW as u8);
    cell.unwrap_or_else(|| unreachable!("index {index} is no cell of the map"))
}

/// All cells moved by one step. Cells that leave the map go to the border, which is not water.
pub(super) fn shift(cells: &Sea, direction: Direction) -> Sea {
    match direction {
        Direction::N => cells.down(ROW),
        Direction::S => cells.up(ROW),
        Direction::E => cells.up(1),
        Direction::W => cells.down(1),
    }
}

/// All cells moved by a difference of indices.
pub(super) fn shift_by(cells: &Sea, by: i32) -> Sea {
    let (words, bits) = ((by.unsigned_abs() / 64) as usize, by.unsigned_abs() % 64);
    let mut moved = Sea::EMPTY;
    for i in 0..moved.0.len() {
        if by >= 0 {
            if i >= words {
                moved.0[i] = cells.0[i - words];
            }
        } else if let Some(word) = cells.0.get(i + words) {
            moved.0[i] = *word;
        }
    }
    match (bits, by >= 0) {
        (0, _) => moved,
        (_, true) => moved.up(bits),
        (_, false) => moved.down(bits),
    }
}

/// The four neighbours of each cell, on the map or not, and the cells themselves.
pub(super) fn spread(cells: &Sea) -> Sea {
    *cells | cells.up(1) | cells.down(1) | cells.up(ROW) | cells.down(ROW)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(seed: i64) -> Chart {
        Chart::new(Rules::FULL, Map::generate(&Rules::FULL, seed))
    }

    #[test]
    fn shifts_are_steps() {
        for cell in Cell::all() {
            let only = Sea::only(cell.index());
            for (direction, by) in Direction::ALL.into_iter().zip([-16, 16, 1, -1]) {
                assert_eq!(shift(&only, direction), shift_by(&only, by), "{cell:?} {direction:?}");
            }
            for other in Cell::all() {
                let by = other.index() as i32 - cell.index() as i32;
                assert_eq!(shift_by(&only, by), Sea::only(other.index()));
            }
        }
    }

    #[test]
    fn expected_damage_is_the_mean_over_the_cells() {
        let chart = chart(3);
        let mut chances = [0.0; INDICES];
        let share = 1.0 / chart.water.len() as f32;
        for cell in &chart.water {
            chances[cell] = share;
        }
        let expected = chart.expected_damage(&chances);
        for at in &chart.water {
            let sum: f32 = chart.water.iter().map(|cell| f32::from(chart.damage(at, cell))).sum();
            assert!((expected[at] - sum * share).abs() < 1e-4);
        }
    }

    #[test]
    fn a_flood_walks_everywhere_it_can() {
        for seed in 0..50 {
            let chart = chart(seed);
            let free: Sea =
                chart.water.iter().filter(|cell| !(cell * 7 + seed as usize).is_multiple_of(5)).collect();
            for from in &chart.water {
                let mut walked = Sea::only(from);
                loop {
                    let more = walked | (spread(&walked) & free);
                    if more == walked {
                        break;
                    }
                    walked = more;
                }
                walked.discard(from);
                assert_eq!(Chart::flood(cell_at(from), &free), walked, "seed {seed}");
            }
        }
    }

    #[test]
    fn a_strike_is_a_step_and_a_shot() {
        let chart = chart(5);
        for from in &chart.water {
            let cell = cell_at(from);
            let mut expected = chart.reach[from];
            for direction in Direction::ALL {
                if let Some(next) = chart.map().neighbour(cell, direction) {
                    expected |= chart.reach[next.index()];
                }
            }
            assert_eq!(chart.strike[from], expected);
        }
    }
}
