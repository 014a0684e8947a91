//! The effect of the bombs in play if no player acts: the deadly cells and the open cells of each update, and the boxes that each
//! player scores. Survival, the value of bombs in play, and traps follow from it.

use std::array;

use game::Seat;

use crate::Hypersonic;
use crate::grid::{Cell, CellSet, Direction, GRID, HEIGHT, WIDTH, beside, gaps};
use crate::rules::{Blast, MAX_FUSE, MAX_PLAYERS};
use crate::state::{MAX_BOMBS, State};

/// The most updates until a bomb goes off.
const HORIZON: usize = MAX_FUSE + 1;

/// The future of a state without new bombs. Updates count from 1, the next one.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// Cells on which the victim is hit if it stands there at the start of the update.
    danger: [CellSet; HORIZON + 1],
    /// Cells that can be entered in the update.
    open: [CellSet; HORIZON + 1],
    /// Boxes scored in the update, by seat.
    pub boxes: [[u8; MAX_PLAYERS]; HORIZON + 1],
    /// The last update in which a bomb goes off.
    pub last: usize,
    /// Boxes that will be left when all bombs have gone off.
    pub boxes_left: CellSet,
    /// Items that will lie on the floor.
    pub items_left: CellSet,
}

/// The cells of each column.
const COLUMNS: [CellSet; WIDTH] = {
    let mut columns = [CellSet::EMPTY; WIDTH];
    let mut x = 0;
    while x < WIDTH {
        let mut y = 0;
        while y < HEIGHT {
            columns[x].add(Cell::at(x, y).index());
            y += 1;
        }
        x += 1;
    }
    columns
};

/// The rows from the first one to another, both included.
static ROWS: [[CellSet; HEIGHT]; HEIGHT] = {
    let mut rows = [[CellSet::EMPTY; HEIGHT]; HEIGHT];
    let mut first = 0;
    while first < HEIGHT {
        let mut last = first;
        while last < HEIGHT {
            let mut y = first;
            while y <= last {
                let mut x = 0;
                while x < WIDTH {
                    rows[first][last].add(Cell::at(x, y).index());
                    x += 1;
                }
                y += 1;
            }
            last += 1;
        }
        first += 1;
    }
    rows
};

/// The cells a bomb hits, given all that stops its rays; walls among them.
#[inline]
pub fn blast(stops: &CellSet, cell: Cell, range: u16) -> CellSet {
    let Some(beyond) = range.checked_sub(1) else { return CellSet::EMPTY };
    let gaps = gaps(stops, cell);
    let reach: [usize; 4] = array::from_fn(|i| {
        let space = u16::from(cell.space(Direction::ALL[i]).min(gaps[i]));
        usize::from(space.min(beyond))
    });
    let [left, right, up, down] = reach;
    let (x, y) = (cell.x(), cell.y());
    let mut cells = COLUMNS[x] & ROWS[y - up][y + down];
    // A row is 16 bits of one word.
    let line = (1u64 << (left + right + 1)) - 1;
    let first = Cell::at(x - left, y).index();
    cells.0[first / 64] |= line << (first % 64);
    cells
}

impl Forecast {
    /// The future of a state; danger is what threatens `victim`.
    pub fn of(game: &Hypersonic, state: &State, victim: Seat) -> Forecast {
        let rules = &game.rules;
        let walls = game.map.walls;
        let mut boxes = state.boxes;
        let mut things = state.extra_ranges | state.extra_bombs;
        let mut bomb_cells = state.bomb_cells;
        let mut open = GRID - walls - boxes - bomb_cells;
        let mut forecast = Forecast {
            danger: [CellSet::EMPTY; HORIZON + 1],
            open: [open; HORIZON + 1],
            boxes: [[0; MAX_PLAYERS]; HORIZON + 1],
            last: 0,
            boxes_left: boxes,
            items_left: things - boxes,
        };
        let bombs = &state.bombs;
        // Bombs that have not gone off, one bit per place in the list.
        let mut burning = (1u64 << bombs.len()) - 1;
        let mut update = 0;
        while burning != 0 && update < HORIZON {
            update += 1;
            forecast.open[update] = open;
            let now = state.round + update as u16;
            let mut gone = 0u64;
            let mut order = [0u8; MAX_BOMBS];
            let mut count = 0;
            let mut rest = burning;
            while rest != 0 {
                let place = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                // The oldest bomb is listed first.
                if bombs[place].due > now {
                    break;
                }
                gone |= 1 << place;
                order[count] = place as u8;
                count += 1;
            }
            if gone == 0 {
                continue;
            }
            let items = things - boxes;
            let stops = walls | boxes | items | bomb_cells;
            let mut deadly = CellSet::EMPTY;
            let mut hit_items = CellSet::EMPTY;
            let mut boxes_by = [CellSet::EMPTY; MAX_PLAYERS];
            let mut next = 0;
            while next < count {
                let bomb = &bombs[order[next] as usize];
                next += 1;
                let cells = blast(&stops, bomb.cell, bomb.range) - walls;
                let owner = bomb.owner as usize % MAX_PLAYERS;
                boxes_by[owner] |= cells & boxes;
                hit_items |= cells & items;
                match rules.blast {
                    Blast::Everybody => deadly |= cells,
                    Blast::Others if owner != victim.index() => deadly |= cells,
                    _ => {}
                }
                let mut lit = cells & bomb_cells;
                lit.discard(bomb.cell.index());
                if !lit.is_empty() {
                    let mut rest = burning & !gone;
                    while rest != 0 {
                        let place = rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        if lit.contains(bombs[place].cell.index()) {
                            gone |= 1 << place;
                            order[count] = place as u8;
                            count += 1;
                        }
                    }
                }
            }
            forecast.danger[update] = deadly;
            forecast.last = update;
            for place in &order[..count] {
                bomb_cells.discard(bombs[*place as usize].cell.index());
            }
            burning &= !gone;
            for (owner, hit) in boxes_by.iter().enumerate() {
                forecast.boxes[update][owner] = hit.len() as u8;
                boxes -= *hit;
            }
            things -= hit_items;
            open = GRID - walls - boxes - bomb_cells;
        }
        forecast.boxes_left = boxes;
        forecast.items_left = things - boxes;
        for later in &mut forecast.open[update + 1..] {
            *later = open;
        }
        forecast
    }

    /// Where a player that stands on one of the cells `from` can be when all bombs have gone off, if it is never hit: empty when
    /// nothing can save it. Also the fewest cells it could be on at any time: 1 means that only one way leads out.
    pub fn refuges(&self, from: CellSet) -> (CellSet, u32) {
        let mut here = from;
        let mut narrowest = u32::MAX;
        for update in 1..=self.last {
            here -= self.danger[update];
            if here.is_empty() {
                return (here, 0);
            }
            if !self.danger[update].is_empty() {
                narrowest = narrowest.min(here.len());
            }
            here |= beside(&here) & self.open[update];
        }
        (here, narrowest)
    }

    /// Whether a player on `from` can live through all of it.
    #[inline]
    pub fn survives(&self, from: Cell) -> bool {
        let mut here = CellSet::only(from.index());
        for update in 1..=self.last {
            here -= self.danger[update];
            if here.is_empty() {
                return false;
            }
            here |= beside(&here) & self.open[update];
        }
        true
    }

    /// The cells on which the victim is hit in an update.
    pub fn danger(&self, update: usize) -> CellSet {
        self.danger.get(update).copied().unwrap_or(CellSet::EMPTY)
    }

    /// The cells that can be entered in an update.
    pub fn open(&self, update: usize) -> CellSet {
        self.open[update.min(HORIZON)]
    }
}

#[cfg(test)]
mod tests {
    use game::{Dice, Game, Seats, Silent};

    use super::*;
    use crate::protocol::{Command, Order, Verb};
    use crate::rules::Rules;
    use crate::state::Bomb;

    /// A wall: no player stands there and no explosion reaches it.
    const ASIDE: Cell = Cell::at(1, 1);

    /// The orders with which all players stay.
    fn idle(state: &State) -> [Option<Order>; 3] {
        array::from_fn(|seat| {
            let cell = state.players[seat].cell;
            Some(Ok(Command { verb: Verb::Move, x: cell.x() as i32, y: cell.y() as i32, message: None }))
        })
    }

    /// States of random play, in which nobody dies of it.
    fn states(version: u8, mut check: impl FnMut(&Hypersonic, &State)) {
        let mut dice = Dice::new(u64::from(version));
        for seed in 0..40 {
            let game = Hypersonic::new(Rules { bombs: 3, range: 4, ..Rules::of_version(version, 3) }, seed);
            let mut state = game.start();
            while !game.to_act(&state).is_empty() {
                check(&game, &state);
                let orders: Vec<_> =
                    Seats::first(3).map(|seat| Some(game.random_order(&state, seat, &mut dice))).collect();
                game.step(&mut state, &orders, &mut Silent);
            }
        }
    }

    /// A forecast is what the engine does when everybody stands aside; and a cell is deadly if somebody dies there.
    #[test]
    fn forecasts_come_true() {
        let mut blasts = 0;
        for version in 1..=4 {
            states(version, |game, state| {
                let victim = Seat(0);
                if !state.living.contains(victim) || state.round % 3 != 0 {
                    return;
                }
                let forecast = Forecast::of(game, state, victim);
                let mut now = *state;
                for seat in now.living {
                    if game.rules.walls {
                        now.players[seat.index()].cell = ASIDE;
                    }
                }
                for update in 1..=forecast.last {
                    assert_eq!(forecast.open(update), game.open_cells(&now), "update {update} of {state:?}");
                    for cell in &GRID {
                        let mut there = now;
                        there.players[victim.index()].cell = Cell::of_index(cell);
                        let orders = idle(&there);
                        game.step(&mut there, &orders, &mut Silent);
                        let is_hit = !there.living.contains(victim);
                        if !game.map.walls.contains(cell) {
                            assert_eq!(
                                forecast.danger(update).contains(cell),
                                is_hit,
                                "{cell} in {update} of {state:?}"
                            );
                        }
                        blasts += u32::from(is_hit);
                    }
                    let before = now;
                    let orders = idle(&now);
                    game.step(&mut now, &orders, &mut Silent);
                    for seat in Seats::first(3) {
                        let scored = now.player(seat).boxes - before.player(seat).boxes;
                        assert_eq!(u16::from(forecast.boxes[update][seat.index()]), scored);
                    }
                    if now.is_over() {
                        return;
                    }
                }
                assert_eq!(forecast.boxes_left, now.boxes);
                assert_eq!(forecast.items_left, now.floor_items());
            });
        }
        assert!(blasts > 10_000, "{blasts}");
    }

    #[test]
    fn who_has_no_refuge_dies() {
        let game = Hypersonic::new(Rules { boxes: Some(0), ..Rules::FULL }, 1);
        let mut state = game.start();
        let cell = Cell::at(0, 0);
        state.bombs.push(Bomb { cell, owner: 0, range: 3, due: 2 });
        state.bomb_cells.add(cell.index());
        // Two updates are left and three steps are needed.
        assert!(!Forecast::of(&game, &state, Seat(0)).survives(cell));
        state.bombs[0].due = 4;
        let forecast = Forecast::of(&game, &state, Seat(0));
        assert!(forecast.survives(cell));
        assert!(!forecast.refuges(CellSet::only(cell.index())).0.is_empty());
    }
}
