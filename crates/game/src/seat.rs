//! Seats: the places of players in a match.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The place of a player in a match, counted from 0. Bots know it as their id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index into a list with one entry per seat.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Seats(u8);

impl Seats {
    /// The empty set.
    pub const NONE: Seats = Seats(0);

    /// The first `count` seats (at most 8).
    #[inline]
    pub const fn first(count: u8) -> Seats {
        Seats(((1u16 << count) - 1) as u8)
    }

    /// Just one seat.
    #[inline]
    pub const fn only(seat: Seat) -> Seats {
        Seats(1 << seat.0)
    }

    /// Whether `seat` belongs to the set. The seat may be any number: records of strangers name seats that do not exist.
    #[inline]
    #[must_use]
    pub const fn contains(self, seat: Seat) -> bool {
        self.0.unbounded_shr(seat.0 as u32) & 1 != 0
    }

    /// Adds a seat.
    #[inline]
    pub const fn add(&mut self, seat: Seat) {
        self.0 |= 1 << seat.0;
    }

    /// Removes a seat.
    #[inline]
    pub const fn discard(&mut self, seat: Seat) {
        self.0 &= !(1 << seat.0);
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many seats are in the set.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }
}

// A set of seats is one byte: callers iterate over a copy.
#[allow(clippy::copy_iterator)]
impl Iterator for Seats {
    type Item = Seat;

    /// Takes the lowest seat out of the set: iteration is in ascending order.
    #[inline]
    fn next(&mut self) -> Option<Seat> {
        if self.0 == 0 {
            return None;
        }
        let seat = Seat(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(seat)
    }
}

impl fmt::Debug for Seats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.map(|seat| seat.0)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_that_does_not_exist_is_in_no_set() {
        for number in 8..=u8::MAX {
            assert!(!Seats::first(8).contains(Seat(number)), "{number}");
        }
        assert!(Seats::first(8).contains(Seat(7)));
    }

    #[test]
    fn iterates_in_ascending_order() {
        let mut seats = Seats::first(4);
        seats.discard(Seat(1));
        assert_eq!(seats.collect::<Vec<_>>(), [Seat(0), Seat(2), Seat(3)]);
        assert_eq!(seats.len(), 3);
        assert_eq!(Seats::first(8).len(), 8);
        assert!(Seats::first(0).is_empty());
    }
}
