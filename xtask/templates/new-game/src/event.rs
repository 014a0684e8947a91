//! What happens in a turn, for people who watch.

use game::Seat;
use serde::Serialize;

use crate::map::Cell;

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// A player moved.
    Moved {
        /// The player.
        seat: Seat,
        /// The cell it moved to.
        to: Cell,
    },
    /// A player collected a coin.
    Collected {
        /// The player.
        seat: Seat,
        /// The cell of the coin.
        at: Cell,
    },
    /// A player wrote a message.
    Message {
        /// The player.
        seat: Seat,
        /// The text.
        text: String,
    },
}
