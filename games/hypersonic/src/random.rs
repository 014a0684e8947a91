//! Random legal play.

use game::{Dice, Seat};

use crate::Hypersonic;
use crate::grid::{AREA, Cell, CellSet, Direction, HEIGHT, WIDTH};
use crate::protocol::{Command, Verb};
use crate::state::State;

/// On average, one order in this number has a target far away, so that random play covers the path search.
const FAR_ONE_IN: u64 = 16;
/// Where a bomb is allowed, one order in this number lays it, on average.
const BOMB_ONE_IN: u64 = 8;

impl Hypersonic {
    /// The policy: stand still or go to an open neighbour, all with the same probability; one time in 16 choose any
    /// cell of the grid or next to it as the target: floor, box, wall or outside. One time in 8 also lay a bomb, if the
    /// rules allow it.
    #[inline]
    pub(crate) fn random_command(&self, state: &State, seat: Seat, dice: &mut Dice) -> Command {
        let bits = dice.bits();
        let player = state.player(seat);
        let wants_bomb = (bits / FAR_ONE_IN).is_multiple_of(BOMB_ONE_IN);
        let may_bomb = player.available > 0 && !state.bomb_cells.contains(player.cell.index());
        let verb = if wants_bomb && may_bomb { Verb::Bomb } else { Verb::Move };
        let (x, y) = if bits.is_multiple_of(FAR_ONE_IN) {
            (dice.below(WIDTH as u32 + 2) as i32 - 1, dice.below(HEIGHT as u32 + 2) as i32 - 1)
        } else {
            let cell = random_step(&self.open_cells(state), player.cell, (bits >> 32) as u32);
            (cell.x() as i32, cell.y() as i32)
        };
        Command { verb, x, y, message: None }
    }
}

/// The cell itself or an open neighbour, chosen by 32 random bits. A branch on a random choice would be mispredicted,
/// so it uses tables.
#[inline]
fn random_step(open: &CellSet, cell: Cell, bits: u32) -> Cell {
    let ways = &WAYS[cell.index()];
    let is_open = |way: usize| usize::from(open.contains(ways[way] as usize)) << way;
    let (count, choices) = CHOICES[is_open(0) | is_open(1) | is_open(2) | is_open(3)];
    let choice = (u64::from(bits) * u64::from(count)) >> 32;
    Cell::of_index(ways[choices[choice as usize] as usize] as usize)
}

/// The index of standing still among the ways.
const STAY: u8 = 4;

/// For each cell the cells to its left, to its right, above and below, and itself.
static WAYS: [[u8; 5]; 256] = {
    // An index without a cell.
    let mut ways = [[Cell::at(WIDTH - 1, HEIGHT - 1).index() as u8 + 1; 5]; 256];
    let mut i = 0;
    while i < AREA {
        let cell = Cell::at(i % WIDTH, i / WIDTH);
        let mut way = 0;
        while way < Direction::ALL.len() {
            if let Some(next) = cell.next(Direction::ALL[way]) {
                ways[cell.index()][way] = next.index() as u8;
            }
            way += 1;
        }
        ways[cell.index()][STAY as usize] = cell.index() as u8;
        i += 1;
    }
    ways
};

/// For each set of open ways, the number of choices and the choices.
static CHOICES: [(u8, [u8; 5]); 16] = {
    let mut choices = [(1, [STAY; 5]); 16];
    let mut open = 0;
    while open < choices.len() {
        let mut way = 0;
        while way < Direction::ALL.len() {
            if open >> way & 1 != 0 {
                let count = choices[open].0;
                choices[open].1[count as usize] = way as u8;
                choices[open].0 = count + 1;
            }
            way += 1;
        }
        open += 1;
    }
    choices
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::GRID;

    #[test]
    fn every_open_way_is_chosen_and_no_other() {
        let mut dice = Dice::new(4);
        for _ in 0..500 {
            let open: CellSet = GRID.iter().filter(|_| dice.one_in(2)).collect();
            for cell in GRID.iter().map(Cell::of_index) {
                let neighbours = Direction::ALL.into_iter().filter_map(|direction| cell.next(direction));
                let mut expected: CellSet =
                    neighbours.map(Cell::index).filter(|&i| open.contains(i)).collect();
                expected.add(cell.index());
                let chosen: CellSet = (0..64).map(|i| random_step(&open, cell, i << 26).index()).collect();
                assert_eq!(chosen, expected, "{cell:?}");
            }
        }
    }
}
