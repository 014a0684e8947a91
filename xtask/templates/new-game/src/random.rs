//! Random legal play.

use game::{Dice, Seat};

use crate::__Name__;
use crate::protocol::{Command, Direction};
use crate::state::State;

impl __Name__ {
    /// The directions that stay on the grid.
    pub fn directions(&self, state: &State, seat: Seat) -> Vec<Direction> {
        let cell = state.players[seat.index()];
        Direction::ALL.into_iter().filter(|&direction| self.neighbour(cell, direction).is_some()).collect()
    }

    /// One of them, each as likely as the others.
    pub(crate) fn random_command(&self, state: &State, seat: Seat, dice: &mut Dice) -> Command {
        let directions = self.directions(state, seat);
        Command::plain(directions[dice.below(directions.len() as u32) as usize])
    }
}
