//! The state: all that changes while the game is played.

use game::{Seat, Seats};

use crate::map::{Cell, Cells, Map};
use crate::rules::{PLAYERS, Rules};

/// The state before a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// Turns played so far.
    pub turn: u16,
    /// The cells of the players, by seat.
    pub players: [Cell; PLAYERS],
    /// The coins that are left.
    pub coins: Cells,
    /// Coins collected, by seat.
    pub collected: [u8; PLAYERS],
    /// Players that lost by an answer that was missing or unreadable.
    pub disqualified: Seats,
}

impl State {
    /// The state before the first turn: the players stand in opposite corners.
    pub fn start(rules: &Rules, map: &Map) -> State {
        let last = rules.size - 1;
        State {
            turn: 0,
            players: [[0, 0], [last, last]],
            coins: map.coins,
            collected: [0; PLAYERS],
            disqualified: Seats::NONE,
        }
    }

    /// The score of a player: its coins, or -1 after a disqualification.
    pub fn score(&self, seat: Seat) -> i64 {
        if self.disqualified.contains(seat) { -1 } else { i64::from(self.collected[seat.index()]) }
    }
}
