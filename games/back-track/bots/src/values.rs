//! The value of a single track: how well it serves the wishes that are still open. It ranks the tracks that a bot tries, and decides
//! between sets of tracks that give the same points now.

use back_track::autoplace::route;
use back_track::grid::{Cells, SPAN};
use back_track::{Map, Rules, State};

use super::shortcut::shortcut;

/// The worth of each cell for the builder of it.
#[derive(Clone, Debug)]
pub(super) struct Values {
    by_cell: Box<[f32; SPAN]>,
}

/// The weight of a shorter way for a wish that is fulfilled already.
const SHORTCUT: f32 = 0.55;
/// The factor for cells of regions with a town, where these cannot be disrupted.
const SAFE: f32 = 1.3;

impl Values {
    /// The values of a board. A cheaper route gives its cells a greater value; a cell has the greatest value of its wishes. Cells count
    /// less the nearer their region is to being inked.
    pub(super) fn of(rules: &Rules, map: &Map, state: &State) -> Values {
        let mut values = Values { by_cell: Box::new([0.0; SPAN]) };
        let rails = state.rails(map);
        let open = (map.board - state.inked_cells) | map.town_cells;
        let reach = f32::from(map.width) + f32::from(map.height);
        for (wish, ends) in map.wishes().iter().enumerate() {
            let [from, to] = [ends.from, ends.to].map(|town| usize::from(map.towns[usize::from(town)].cell));
            if state.links.active >> wish & 1 == 0 {
                let route = route(map, &rails, &state.inked_cells, from, to);
                let paint: u32 = route.cells().map(|cell| u32::from(map.costs[cell])).sum();
                values.raise(route.cells(), reach - paint as f32);
            } else {
                let Some((way, _)) = shortcut(map, &open, &rails, from, to) else { continue };
                let worth = SHORTCUT * (reach - way.len() as f32);
                values.raise(way.iter().map(|&cell| usize::from(cell)), worth);
            }
        }
        let safe = if rules.town_regions_disruptable { 0 } else { map.town_regions };
        for cell in map.cells() {
            let region = usize::from(map.regions[cell]);
            let left = rules.ink_threshold.saturating_sub(state.instability[region]);
            let stands = f32::from(left + 1) / f32::from(rules.ink_threshold + 1);
            values.by_cell[cell] *= if safe >> region & 1 != 0 { SAFE } else { stands };
        }
        values
    }

    fn raise(&mut self, cells: impl Iterator<Item = usize>, worth: f32) {
        for cell in cells {
            self.by_cell[cell] = self.by_cell[cell].max(worth);
        }
    }

    /// The worth of a track on a cell.
    pub(super) fn at(&self, cell: usize) -> f32 {
        self.by_cell[cell]
    }

    /// The best free cells, best first.
    pub(super) fn best(&self, free: &Cells, most: usize) -> Vec<usize> {
        let mut cells: Vec<usize> = free.iter().filter(|&cell| self.by_cell[cell] > 0.0).collect();
        cells.sort_by(|&a, &b| self.by_cell[b].total_cmp(&self.by_cell[a]));
        cells.truncate(most);
        cells
    }
}

/// Every set of the given cells, which are in order of rank, that the paint allows.
pub(super) fn sets(map: &Map, cells: &[usize], paint: u8) -> Vec<Cells> {
    let mut sets = vec![Cells::EMPTY];
    // By set: its paint, and the place of its last cell, after which it goes on.
    let mut rest = vec![(paint, 0)];
    let mut at = 0;
    while at < sets.len() {
        let (set, (paint, first)) = (sets[at], rest[at]);
        at += 1;
        for (place, &cell) in cells.iter().enumerate().skip(first) {
            if let Some(left) = paint.checked_sub(map.costs[cell]) {
                let mut set = set;
                set.add(cell);
                sets.push(set);
                rest.push((left, place + 1));
            }
        }
    }
    sets
}
