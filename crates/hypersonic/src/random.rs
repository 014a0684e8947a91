//! Random legal play.

use game::{Dice, Seat};

use crate::Hypersonic;
use crate::grid::{Cell, Direction, HEIGHT, WIDTH};
use crate::protocol::{Command, Order, Verb};
use crate::state::State;

/// One order in so many heads for a cell far away, so that the search for a way is a part of random play.
const FAR_ONE_IN: u64 = 16;
/// Where a bomb is allowed, one order in so many lays it.
const BOMB_ONE_IN: u64 = 8;

impl Hypersonic {
    /// The policy: stand still or go to an open neighbour, each as likely as the others; one time in 16 head for any
    /// cell of the grid or next to it, be it floor, box, wall or outside. One time in 8 lay a bomb as well, if the rules
    /// allow it.
    #[inline]
    pub(crate) fn random_command(&self, state: &State, seat: Seat, dice: &mut Dice) -> Order {
        let bits = dice.bits();
        let player = state.player(seat);
        let wants_bomb = bits / FAR_ONE_IN % BOMB_ONE_IN == 0;
        let may_bomb = player.available > 0 && !state.bomb_cells.contains(player.cell.index());
        let verb = if wants_bomb && may_bomb { Verb::Bomb } else { Verb::Move };
        let (x, y) = if bits % FAR_ONE_IN == 0 {
            (dice.below(WIDTH as u32 + 2) as i32 - 1, dice.below(HEIGHT as u32 + 2) as i32 - 1)
        } else {
            let cell = self.random_step(state, player.cell, (bits >> 32) as u32);
            (cell.x() as i32, cell.y() as i32)
        };
        Ok(Command { verb, x, y, message: None })
    }

    /// The cell itself or an open neighbour, chosen by 32 random bits.
    #[inline]
    fn random_step(&self, state: &State, cell: Cell, bits: u32) -> Cell {
        let open = self.open_cells(state);
        let mut choices = [cell; 5];
        let mut count = 1;
        for direction in Direction::ALL {
            if let Some(next) = cell.next(direction)
                && open.contains(next.index())
            {
                choices[count] = next;
                count += 1;
            }
        }
        choices[((u64::from(bits) * count as u64) >> 32) as usize]
    }
}
