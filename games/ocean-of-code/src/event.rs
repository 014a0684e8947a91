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
        /// Seat of the player.
        seat: Seat,
        /// The start cell.
        cell: Cell,
    },
    /// A player was asked for its turn.
    Turn {
        /// Number of the turn.
        turn: u16,
        /// Seat of the player.
        seat: Seat,
    },
    /// A player wrote a message to the spectators. It is shown until the player writes another one.
    Message {
        /// Seat of the player.
        seat: Seat,
        /// Text of the message.
        text: String,
    },
    /// A submarine moved by one cell.
    Moved {
        /// Seat of the player.
        seat: Seat,
        /// Cell before the move.
        from: Cell,
        /// Cell after the move.
        to: Cell,
        /// Direction of the move.
        direction: Direction,
        /// The power that the move charged, if any.
        charge: Option<Power>,
    },
    /// A submarine surfaced, which deletes its trail.
    Surfaced {
        /// Seat of the player.
        seat: Seat,
        /// Cell of the submarine.
        cell: Cell,
        /// Sector of the submarine, which the opponent is told.
        sector: u8,
        /// Lives lost by surfacing.
        damage: u8,
        /// Whether the submarine surfaced because no action of the answer could be executed.
        forced: bool,
    },
    /// A torpedo was shot; its explosion follows.
    Torpedo {
        /// Seat of the player.
        seat: Seat,
        /// Cell of the submarine.
        from: Cell,
        /// Target of the torpedo.
        to: Cell,
    },
    /// A player used its sonar on a sector.
    Sonar {
        /// Seat of the player.
        seat: Seat,
        /// The sector.
        sector: u8,
        /// Whether the opponent was in the sector.
        found: bool,
    },
    /// A submarine moved in silence.
    Silence {
        /// Seat of the player.
        seat: Seat,
        /// Cell before the move.
        from: Cell,
        /// Cell after the move.
        to: Cell,
        /// Direction of the move.
        direction: Direction,
        /// Number of steps.
        steps: u8,
    },
    /// A mine was laid.
    Mine {
        /// Seat of the player.
        seat: Seat,
        /// Cell of the mine.
        cell: Cell,
    },
    /// A mine was triggered; its explosion follows.
    Trigger {
        /// Seat of the player.
        seat: Seat,
        /// Cell of the mine.
        cell: Cell,
    },
    /// A torpedo or a mine exploded.
    Explosion {
        /// Seat of the player that caused the explosion.
        seat: Seat,
        /// Cell of the explosion.
        cell: Cell,
        /// Lives lost, by seat.
        damage: [u8; 2],
        /// Lives after the explosion, by seat.
        lives: [i8; 2],
    },
    /// A player was disqualified because of its answer.
    Disqualified {
        /// Seat of the player.
        seat: Seat,
    },
    /// The game is over.
    Over {
        /// Short name of the reason for the end.
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
