//! The events of a turn and the end of a game, for spectators.

use serde::Serialize;

use crate::grid::xy;

/// Column and row of a cell.
pub type Spot = [u8; 2];

/// Column and row of a cell.
pub(crate) fn spot(cell: usize) -> Spot {
    let (x, y) = xy(cell);
    [x as u8, y as u8]
}

/// An event of a turn. The events are in the order of the rules, section 9.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RailEvent"))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// A player wrote a message.
    Message {
        /// Seat of the player.
        seat: u8,
        /// Text of the message.
        text: String,
    },
    /// An AUTOPLACE found a route.
    Route {
        /// Seat of the player.
        seat: u8,
        /// Cells of the route that need a track, in order.
        cells: Vec<Spot>,
    },
    /// A player placed a track.
    Placed {
        /// Seat of the player.
        seat: u8,
        /// Cell of the track.
        cell: Spot,
        /// Paint spent on the track.
        cost: u8,
        /// Whether the track is part of an AUTOPLACE.
        auto: bool,
    },
    /// Both players placed a track on the same cell, so the track is neutral.
    Neutral {
        /// Cell of the track.
        cell: Spot,
    },
    /// A player disrupted a region.
    Disrupted {
        /// Seat of the player.
        seat: u8,
        /// Id of the region.
        region: u8,
        /// Instability of the region after the disruption.
        instability: u8,
    },
    /// A region was inked.
    Inked {
        /// Id of the region.
        region: u8,
        /// Cells whose tracks were removed, by owner: player 0, player 1, neutral.
        lost: [Vec<Spot>; 3],
    },
    /// A connection became active, or the path of an active connection changed.
    Connected {
        /// Id of the town that wants the connection.
        from: u8,
        /// Id of the town to which it wants to be connected.
        to: u8,
        /// Cells of the path, both towns included.
        path: Vec<Spot>,
        /// Points per turn, by seat.
        points: [u16; 2],
    },
    /// A connection is no longer active.
    Disconnected {
        /// Id of the town that wants the connection.
        from: u8,
        /// Id of the town to which it wants to be connected.
        to: u8,
    },
    /// The active connections gave points.
    Scored {
        /// Points of this turn, by seat.
        points: [u32; 2],
        /// Scores after this turn, by seat.
        scores: [i32; 2],
    },
    /// A player achieved the side quest: a place of interest is connected to a town.
    SideQuest {
        /// Seat of the player.
        seat: u8,
    },
    /// Player 0 reached the objective of its league.
    Objective,
    /// The game is over.
    Over {
        /// Reason for the end.
        reason: Reason,
    },
}

/// The reason for the end of a game (rules, section 11.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RailReason"))]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// A player was disqualified, or did not answer.
    Disqualified,
    /// The objective of the league is reached.
    Objective,
    /// No desired connection is possible any more.
    NoConnectionPossible,
    /// The last turn was played.
    MaxTurns,
}

impl Reason {
    /// A short stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Disqualified => "disqualified",
            Reason::Objective => "objective",
            Reason::NoConnectionPossible => "no-connection-possible",
            Reason::MaxTurns => "max-turns",
        }
    }
}

/// The end record of a trace (rules, section 11.6).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct End {
    /// The final scores.
    pub scores: [i32; 2],
    /// The scores before section 11.4 is applied.
    pub points: [i32; 2],
    /// 1 for a player that achieved the side quest.
    pub side_quest: [u8; 2],
    /// The reason for the end; `None` while the game continues.
    pub reason: Option<Reason>,
    /// Turns played.
    pub turn_count: u16,
    /// The players that were disqualified or did not answer.
    pub disqualified: Vec<u8>,
}
