//! The table of states that a search has reached already.

use game::Seat;
use hypersonic::{CellSet, State};

/// A hash of everything in a state that matters to one player.
pub(super) fn fingerprint(state: &State, me: Seat) -> u64 {
    let mut hash = 0u64;
    let mut mix = |value: u64| hash = (hash.rotate_left(23) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let player = state.player(me);
    mix(player.cell.index() as u64 | u64::from(player.available) << 16 | u64::from(player.range) << 32);
    let things: CellSet = state.extra_ranges | state.extra_bombs;
    for word in state.boxes.0.into_iter().chain(things.0) {
        mix(word);
    }
    for bomb in state.bombs.iter() {
        mix(bomb.cell.index() as u64
            | u64::from(bomb.owner) << 8
            | u64::from(bomb.due) << 16
            | u64::from(bomb.range) << 32);
    }
    hash ^ hash >> 29
}

/// The slot of a state that was not reached before.
pub(super) const FRESH: u32 = u32::MAX;
/// The slot of a state from which no way leads out.
pub(super) const DEAD: u32 = u32::MAX - 1;

/// The indices of the states of a round, by their fingerprints.
pub(super) struct Visited {
    slots: Vec<(u64, u32)>,
    used: usize,
}

impl Default for Visited {
    fn default() -> Visited {
        Visited { slots: vec![(0, FRESH); 1 << 12], used: 0 }
    }
}

impl Visited {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.slots.fill((0, FRESH));
        self.used = 0;
    }

    /// The slot of the state with this fingerprint. A caller that finds it fresh must set it.
    pub(super) fn slot(&mut self, fingerprint: u64) -> &mut u32 {
        if 2 * self.used >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut at = fingerprint as usize & mask;
        while self.slots[at].1 != FRESH && self.slots[at].0 != fingerprint {
            at = (at + 1) & mask;
        }
        let (known, place) = &mut self.slots[at];
        if *place == FRESH {
            *known = fingerprint;
            self.used += 1;
        }
        place
    }

    fn grow(&mut self) {
        let larger = vec![(0, FRESH); self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, larger);
        self.used = 0;
        for (fingerprint, place) in old {
            if place != FRESH {
                *self.slot(fingerprint) = place;
            }
        }
    }
}
