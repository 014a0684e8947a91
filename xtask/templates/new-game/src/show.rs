//! What the viewer draws, and what a person who plays may choose from.

use game::{Mark, Seat, Show};
use serde::Serialize;

use crate::__Name__;
use crate::event::Event;
use crate::map::Cell;
use crate::protocol::Direction;
use crate::rules::PLAYERS;
use crate::state::State;

/// The grid.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Board {
    /// Cells in a row.
    pub width: u8,
    /// Cells in a column.
    pub height: u8,
}

/// A state, as it is drawn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Frame {
    /// The cells of the players, by seat.
    pub players: Vec<Cell>,
    /// The cells of the coins that are left.
    pub coins: Vec<Cell>,
    /// Coins collected, by seat.
    pub collected: Vec<u8>,
}

/// What a player may do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Choices {
    /// The directions that stay on the board, and `STAY`.
    pub directions: Vec<String>,
}

impl Show for __Name__ {
    type Board = Board;
    type Frame = Frame;
    type Choices = Choices;
    type Notes = ();

    fn board(&self) -> Board {
        Board { width: self.rules.size, height: self.rules.size }
    }

    fn notes(&self) {}

    fn frame(&self, state: &State, (): &(), _: Option<Seat>) -> Frame {
        Frame {
            players: state.players.to_vec(),
            coins: state.coins.iter().collect(),
            collected: state.collected[..PLAYERS].to_vec(),
        }
    }

    fn choices(&self, state: &State, seat: Seat) -> Choices {
        Choices { directions: self.directions(state, seat).into_iter().map(Direction::word).map(str::to_owned).collect() }
    }

    /// No event is important enough for the time line. Faults are marked without this.
    fn mark(_: &Event) -> Option<Mark> {
        None
    }
}
