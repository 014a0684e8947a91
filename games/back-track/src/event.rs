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

/// An event of a turn. Events come in the order of the rules, section 9.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RailEvent"))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// A player wrote a message.
    Message {
        /// Who.
        seat: u8,
        /// What.
        text: String,
    },
    /// An AUTOPLACE found a route.
    Route {
        /// Whose.
        seat: u8,
        /// The cells it would place tracks on, in order.
        cells: Vec<Spot>,
    },
    /// A player placed a track.
    Placed {
        /// Who.
        seat: u8,
        /// Where.
        cell: Spot,
        /// The paint it took.
        cost: u8,
        /// Whether an AUTOPLACE asked for it.
        auto: bool,
    },
    /// Both players placed a track on this cell: it is neutral.
    Neutral {
        /// Where.
        cell: Spot,
    },
    /// A player disrupted a region.
    Disrupted {
        /// Who.
        seat: u8,
        /// Which region.
        region: u8,
        /// Its instability now.
        instability: u8,
    },
    /// A region was inked.
    Inked {
        /// Which region.
        region: u8,
        /// The cells whose tracks are gone, by owner: player 0, player 1, neutral.
        lost: [Vec<Spot>; 3],
    },
    /// A connection is active along a path: it is new, or its path has changed.
    Connected {
        /// The town that wants it.
        from: u8,
        /// The town it wants to be connected to.
        to: u8,
        /// The cells of the path, both towns among them.
        path: Vec<Spot>,
        /// What it gives each player each turn.
        points: [u16; 2],
    },
    /// A connection is broken.
    Disconnected {
        /// The town that wants it.
        from: u8,
        /// The town it wants to be connected to.
        to: u8,
    },
    /// The active connections gave points.
    Scored {
        /// What each player got.
        points: [u32; 2],
        /// The scores now.
        scores: [i32; 2],
    },
    /// A player has a place of interest connected to a town.
    SideQuest {
        /// Who.
        seat: u8,
    },
    /// Player 0 reached the objective of its league.
    Objective,
    /// The game is over.
    Over {
        /// Why.
        reason: Reason,
    },
}

/// Why a game is over (rules, section 11.6).
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
    /// Why the game ended; `None` while it goes on.
    pub reason: Option<Reason>,
    /// Turns played.
    pub turn_count: u16,
    /// The players that were disqualified or did not answer.
    pub disqualified: Vec<u8>,
}
