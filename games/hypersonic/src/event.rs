//! The events of a round, for spectators.

use game::Seat;
use serde::Serialize;

use crate::grid::Cell;
use crate::state::{Item, Reason};

/// An event. The first event of a round is [`Event::Round`]; the others follow in the order of the rules, section 7.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "BombEvent"))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// All answers of a round have arrived.
    Round {
        /// Number of the round, counted from 0.
        round: u16,
    },
    /// A player wrote a message.
    Message {
        /// Seat of the player.
        seat: Seat,
        /// The part of the message that the viewer shows.
        text: String,
    },
    /// A bomb exploded.
    Explosion {
        /// Seat of the owner.
        owner: Seat,
        /// Cell of the bomb.
        cell: Cell,
        /// 1 for a bomb whose fuse ended; a bomb set off by another bomb has a wave one higher than that bomb.
        wave: u8,
        /// Number of cells beyond its own that the bomb hit: left, right, up, down.
        reach: [u8; 4],
    },
    /// A player was eliminated.
    Eliminated {
        /// Seat of the player.
        seat: Seat,
        /// Cell of the player.
        cell: Cell,
        /// Time of the elimination, which determines the score.
        time: u16,
        /// `true` if an explosion eliminated the player, `false` if its answer did.
        by_explosion: bool,
    },
    /// A bomb was laid.
    Bomb {
        /// Seat of the owner.
        seat: Seat,
        /// Cell of the bomb.
        cell: Cell,
        /// Range of the bomb, its own cell included.
        range: u16,
    },
    /// An item on the floor was destroyed.
    ItemDestroyed {
        /// Cell of the item.
        cell: Cell,
        /// The item.
        item: Item,
    },
    /// A box was destroyed; it is removed after all players have moved.
    Box {
        /// Cell of the box.
        cell: Cell,
        /// Seats of the players that scored.
        by: Vec<Seat>,
    },
    /// A player moved.
    Move {
        /// Seat of the player.
        seat: Seat,
        /// Cell before the move.
        from: Cell,
        /// Cell after the move.
        to: Cell,
    },
    /// A player picked an item up.
    ItemTaken {
        /// Seat of the player.
        seat: Seat,
        /// Cell of the item.
        cell: Cell,
        /// The item.
        item: Item,
    },
    /// An item came out of a box.
    ItemAppeared {
        /// Cell of the item.
        cell: Cell,
        /// The item.
        item: Item,
    },
    /// The game is over.
    End {
        /// All reasons for the end; the first one decides.
        reasons: Vec<Reason>,
    },
}
