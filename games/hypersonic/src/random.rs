//! Random legal play.

use game::{Dice, Seat};

use crate::Hypersonic;
use crate::grid::{Cell, CellSet, HEIGHT, WIDTH, Ways};
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
    #[inline(always)]
    pub(crate) fn random_command(&self, state: &State, seat: Seat, dice: &mut Dice) -> Command {
        let bits = dice.bits();
        let player = state.player(seat);
        let wants_bomb = (bits / FAR_ONE_IN).is_multiple_of(BOMB_ONE_IN);
        let may_bomb = (player.available > 0) & !state.bomb_cells.contains(player.cell.index());
        let verb = if wants_bomb & may_bomb { Verb::Bomb } else { Verb::Move };
        let (x, y) = if bits.is_multiple_of(FAR_ONE_IN) {
            (dice.below(WIDTH as u32 + 2) as i32 - 1, dice.below(HEIGHT as u32 + 2) as i32 - 1)
        } else {
            let cell = random_step(&self.open_cells(state), player.cell, (bits >> 32) as u32);
            (cell.x() as i32, cell.y() as i32)
        };
        Command { verb, x, y, message: None }
    }
}

/// The cell itself or an open neighbour, chosen by 32 random bits. A branch on a random choice would be mispredicted.
#[inline]
fn random_step(open: &CellSet, cell: Cell, bits: u32) -> Cell {
    let neighbours = Ways::new(open).from(cell);
    neighbours.or_stay((u64::from(bits) * (neighbours.len() + 1)) >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Direction, GRID};

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
