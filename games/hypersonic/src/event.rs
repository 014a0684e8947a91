//! The events of a round, for spectators.

use game::Seat;
use serde::Serialize;

use crate::grid::Cell;
use crate::state::{Item, Reason};

/// An event. The events of a round come in the order of the rules, section 7, after [`Event::Round`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "BombEvent"))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// All answers of a round have arrived.
    Round {
        /// Its number, counted from 0.
        round: u16,
    },
    /// A player wrote a message.
    Message {
        /// Who.
        seat: Seat,
        /// What the viewer shows of it.
        text: String,
    },
    /// A bomb went off.
    Explosion {
        /// Whose bomb it was.
        owner: Seat,
        /// Where it lay.
        cell: Cell,
        /// 1 for a bomb that went off by itself, more for one set off by others.
        wave: u8,
        /// How many cells beyond its own were hit to the left, to the right, upwards and downwards.
        reach: [u8; 4],
    },
    /// A player was eliminated.
    Eliminated {
        /// Who.
        seat: Seat,
        /// Where it stood.
        cell: Cell,
        /// The time that counts for its score.
        time: u16,
        /// Whether an explosion did it, and not its answer.
        by_explosion: bool,
    },
    /// A bomb was laid.
    Bomb {
        /// By whom.
        seat: Seat,
        /// Where.
        cell: Cell,
        /// Its range; its own cell counts.
        range: u16,
    },
    /// An item on the floor was destroyed.
    ItemDestroyed {
        /// Where it lay.
        cell: Cell,
        /// What it was.
        item: Item,
    },
    /// A box was destroyed; it is removed after all players have moved.
    Box {
        /// Where it stood.
        cell: Cell,
        /// Who scored.
        by: Vec<Seat>,
    },
    /// A player moved.
    Move {
        /// Who.
        seat: Seat,
        /// Where it stood.
        from: Cell,
        /// Where it stands now.
        to: Cell,
    },
    /// A player picked an item up.
    ItemTaken {
        /// Who.
        seat: Seat,
        /// Where it lay.
        cell: Cell,
        /// What it was.
        item: Item,
    },
    /// An item came out of a box.
    ItemAppeared {
        /// Where it lies now.
        cell: Cell,
        /// What it is.
        item: Item,
    },
    /// The game is over.
    End {
        /// Why: all reasons, the first one counts.
        reasons: Vec<Reason>,
    },
}
