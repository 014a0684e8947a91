//! The past of a match that continues a recorded one.

use std::collections::VecDeque;

use game::Seat;

/// The recorded answers of a match that is continued. Each player is sent the questions of its past again, and the
/// recorded answer is played instead of its own. It has plenty of time for them; the clock of the match starts after
/// the past.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Past {
    /// The answers of each seat, in order.
    seats: Vec<VecDeque<Option<Vec<u8>>>>,
}

/// The answers of a player to questions of the past.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CaughtUp {
    /// Answers that were ignored, since the recorded ones were played.
    pub ignored: u32,
    /// Those among them that differ from the recorded ones.
    pub differed: u32,
}

impl Past {
    /// Adds the next recorded answer of a seat.
    pub fn push(&mut self, seat: Seat, answer: Option<Vec<u8>>) {
        if self.seats.len() <= seat.index() {
            self.seats.resize(seat.index() + 1, VecDeque::new());
        }
        self.seats[seat.index()].push_back(answer);
    }

    /// Whether the next answer of a seat is recorded.
    pub fn covers(&self, seat: Seat) -> bool {
        self.seats.get(seat.index()).is_some_and(|answers| !answers.is_empty())
    }

    /// Takes the next recorded answer of a seat, if there is one.
    pub fn take(&mut self, seat: Seat) -> Option<Option<Vec<u8>>> {
        self.seats.get_mut(seat.index())?.pop_front()
    }

    /// Whether no recorded answer is left.
    pub fn is_over(&self) -> bool {
        self.seats.iter().all(VecDeque::is_empty)
    }
}
