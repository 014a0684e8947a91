//! Explosions (rules, section 8).

use game::{Log, Seat, Seats};

use crate::event::Event;
use crate::grid::{AREA, Cell, CellSet, Direction, gaps};
use crate::list::List;
use crate::map::Map;
use crate::rules::{Blast, MAX_PLAYERS, Rules};
use crate::state::{Bomb, MAX_BOMBS, State};

/// All hits of the explosions of an update. They happen at the same moment: nothing is removed before all hits are
/// known.
#[derive(Clone, Debug)]
pub struct Explosions {
    /// The bombs that exploded, as indexes in the list of bombs, wave by wave in the order of discovery.
    pub bombs: List<u8, MAX_BOMBS>,
    /// The same, one bit per index in the list.
    gone: u64,
    /// The boxes hit, in the order of their first hits.
    pub boxes: List<Cell, AREA>,
    /// The same as a set.
    all_boxes: CellSet,
    /// The boxes hit by each player's bombs.
    pub boxes_by: [CellSet; MAX_PLAYERS],
    /// The items on the floor that were hit.
    pub items: CellSet,
    /// The players that were hit.
    pub players: Seats,
}

impl Explosions {
    /// The explosions of the update with this number; `None` when no bomb is due.
    #[inline]
    pub fn of(
        rules: &Rules,
        map: &Map,
        state: &State,
        update: u16,
        log: &mut impl Log<Event>,
    ) -> Option<Explosions> {
        // Bombs are listed in the order of placement and have the same fuse, so the first bomb is due first.
        let is_due = state.bombs.first().is_some_and(|bomb| bomb.due <= update);
        is_due.then(|| Explosions::of_due(rules, map, state, update, log))
    }

    /// The same when a bomb is due.
    #[inline(never)]
    fn of_due(rules: &Rules, map: &Map, state: &State, update: u16, log: &mut impl Log<Event>) -> Explosions {
        let is_due = |bomb: &Bomb| bomb.due <= update;
        let mut explosions = Explosions {
            bombs: List::default(),
            gone: 0,
            boxes: List::default(),
            all_boxes: CellSet::EMPTY,
            boxes_by: [CellSet::EMPTY; MAX_PLAYERS],
            items: CellSet::EMPTY,
            players: Seats::NONE,
        };
        for (place, _) in state.bombs.iter().enumerate().take_while(|(_, bomb)| is_due(bomb)) {
            explosions.set_off(place);
        }
        let scene = Scene::of(map, state);
        // Bombs that are set off are appended to the list, so the loop continues wave by wave.
        let mut wave = 1;
        let mut wave_end = explosions.bombs.len();
        let mut next = 0;
        while next < explosions.bombs.len() {
            if next == wave_end {
                wave += 1;
                wave_end = explosions.bombs.len();
            }
            let bomb = state.bombs[explosions.bombs[next] as usize];
            let reach = explosions.explode(rules, state, &scene, bomb);
            log.event(|| Event::Explosion { owner: Seat(bomb.owner), cell: bomb.cell, wave, reach });
            next += 1;
        }
        explosions
    }

    /// Whether the bomb at this index of the list exploded.
    #[inline]
    pub const fn took(&self, place: usize) -> bool {
        self.gone >> place & 1 != 0
    }

    /// The boxes hit by bombs of any player.
    #[inline]
    pub const fn all_boxes(&self) -> &CellSet {
        &self.all_boxes
    }

    #[inline]
    fn set_off(&mut self, place: usize) {
        if !self.took(place) {
            self.gone |= 1 << place;
            self.bombs.push(place as u8);
        }
    }

    /// Explodes a bomb. Returns the number of cells beyond its own that it hits in each direction.
    #[inline]
    fn explode(&mut self, rules: &Rules, state: &State, scene: &Scene, bomb: Bomb) -> [u8; 4] {
        // The bomb's own cell counts as the first of its range: without a range nothing is hit at all.
        let Some(beyond) = bomb.range.checked_sub(1) else { return [0; 4] };
        let gaps = gaps(&scene.stops, bomb.cell);
        let mut reach = bomb.cell.spaces().map(|space| u16::from(space).min(beyond) as u8);
        for (i, direction) in Direction::ALL.into_iter().enumerate() {
            if gaps[i] <= reach[i] {
                let is_hit = self.hit(state, scene, bomb, bomb.cell.moved(direction, gaps[i]));
                reach[i] = gaps[i] - u8::from(!is_hit);
            }
        }
        if rules.blast != Blast::Nobody {
            self.hit_players(rules, state, bomb, reach);
        }
        reach
    }

    /// Applies a ray of a bomb to the thing that stops it (rules 3 to 5). Returns whether the cell is affected at all,
    /// which is not the case for a wall (rule 1).
    #[inline]
    fn hit(&mut self, state: &State, scene: &Scene, bomb: Bomb, cell: Cell) -> bool {
        let index = cell.index();
        if state.boxes.contains(index) {
            if self.all_boxes.insert(index) {
                self.boxes.push(cell);
            }
            self.boxes_by[bomb.owner as usize].add(index);
        } else if scene.items.contains(index) {
            self.items.add(index);
        } else if state.bomb_cells.contains(index) {
            for (place, other) in state.bombs.iter().enumerate() {
                if other.cell == cell {
                    self.set_off(place);
                }
            }
        } else {
            return false;
        }
        true
    }

    /// Rule 2: hits the players within reach, at their positions at the start of the update.
    #[inline]
    fn hit_players(&mut self, rules: &Rules, state: &State, bomb: Bomb, reach: [u8; 4]) {
        for seat in state.living {
            let is_spared = rules.blast == Blast::Others && bomb.owner == seat.0;
            if state.player(seat).cell.is_in_cross(bomb.cell, reach) && !is_spared {
                self.players.add(seat);
            }
        }
    }
}

/// The obstacles of the rays of an update. They are the same for all rays.
struct Scene {
    items: CellSet,
    /// Everything that stops a ray.
    stops: CellSet,
}

impl Scene {
    fn of(map: &Map, state: &State) -> Scene {
        let items = state.floor_items();
        Scene { items, stops: map.walls | state.boxes | items | state.bomb_cells }
    }
}
