//! The events and the end of a game, for spectators.

use game::Seat;
use serde::Serialize;

use crate::grid::{Cell, Direction};
use crate::order::Power;

/// An event, with the details that a viewer needs. Cells are `[x, y]`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SeaEvent"))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// A player chose its start cell.
    Placed {
        /// Who.
        seat: Seat,
        /// Where.
        cell: Cell,
    },
    /// A player was asked for its turn.
    Turn {
        /// Number of the turn.
        turn: u16,
        /// Who.
        seat: Seat,
    },
    /// A player wrote a message to the spectators; it stays until it is replaced.
    Message {
        /// Who.
        seat: Seat,
        /// What.
        text: String,
    },
    /// A submarine moved by one cell.
    Moved {
        /// Whose.
        seat: Seat,
        /// From where.
        from: Cell,
        /// To where.
        to: Cell,
        /// In which direction.
        direction: Direction,
        /// The power it charged, if any.
        charge: Option<Power>,
    },
    /// A submarine surfaced: its trail is deleted.
    Surfaced {
        /// Whose.
        seat: Seat,
        /// Where.
        cell: Cell,
        /// The sector the opponent is shown.
        sector: u8,
        /// Lives it cost.
        damage: u8,
        /// Whether it was for want of an action that could be executed.
        forced: bool,
    },
    /// A torpedo was shot; its explosion follows.
    Torpedo {
        /// Whose.
        seat: Seat,
        /// From where.
        from: Cell,
        /// To where.
        to: Cell,
    },
    /// A player used its sonar on a sector.
    Sonar {
        /// Whose.
        seat: Seat,
        /// Which.
        sector: u8,
        /// Whether the opponent was there.
        found: bool,
    },
    /// A submarine moved in silence.
    Silence {
        /// Whose.
        seat: Seat,
        /// From where.
        from: Cell,
        /// To where.
        to: Cell,
        /// In which direction.
        direction: Direction,
        /// How far.
        steps: u8,
    },
    /// A mine was laid.
    Mine {
        /// Whose.
        seat: Seat,
        /// Where.
        cell: Cell,
    },
    /// A mine was triggered; its explosion follows.
    Trigger {
        /// Whose.
        seat: Seat,
        /// Where.
        cell: Cell,
    },
    /// A torpedo or a mine exploded.
    Explosion {
        /// Who did it.
        seat: Seat,
        /// Where.
        cell: Cell,
        /// Lives it cost, by seat.
        damage: [u8; 2],
        /// Lives left, by seat.
        lives: [i8; 2],
    },
    /// A player was disqualified because of its answer.
    Disqualified {
        /// Who.
        seat: Seat,
    },
    /// The game is over.
    Over {
        /// Why, as a short name.
        reason: &'static str,
        /// Final scores by seat.
        scores: [i8; 2],
    },
}

/// The end of a match in the form of the traces (rules, section 13).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct End {
    /// The scores that rank the players.
    pub scores: [i8; 2],
    /// The player with the higher score; `None` in a draw.
    pub winner: Option<u8>,
    /// Lives, -1 for a disqualified player.
    pub lives: [i8; 2],
    /// The reason text of the disqualification, else the label of the ending.
    pub reason: String,
    /// The number of turns in which a player was asked, without the placement.
    pub turn_count: u16,
    /// The players that were disqualified.
    pub disqualified: [bool; 2],
    /// Frames used.
    pub frames: u16,
}
