//! Reads the others: what each of them would do if it searched as we do.

use hypersonic::MAX_PLAYERS;

use super::beam::{Beam, Memory, Script};
use super::safety;
use super::sight::Position;
use super::taste::Taste;
use bots::Budget;

/// How the others are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    /// The share of the budget that all of it may take.
    pub(super) share: f64,
    /// How many rounds ahead the search for them goes.
    pub(super) depth: usize,
    /// How many of these rounds are believed: what they will do later changes with what they see.
    pub(super) known: usize,
    /// The most states of a round that are searched on.
    pub(super) width: usize,
}

impl Reading {
    /// A script for each opponent, found while the rest do nothing.
    pub(super) fn scripts(
        self,
        position: &Position,
        taste: &Taste,
        memory: &mut Memory,
        budget: &mut Budget,
    ) -> [Script; MAX_PLAYERS] {
        let Position { game, state, .. } = position;
        let mut scripts: [Script; MAX_PLAYERS] = Default::default();
        let nothing: [Script; MAX_PLAYERS] = Default::default();
        let opponents = position.opponents();
        let each = self.share / f64::from(opponents.len().max(1));
        for (seat, count) in opponents.zip(1..) {
            let beam = Beam {
                game,
                me: seat,
                taste,
                scripts: &nothing,
                depth: self.depth,
                reach: self.depth,
                width: self.width,
                prey: None,
            };
            // Whoever searches takes care of bombs that are laid now.
            let first = safety::safest(&Position { me: seat, ..position.clone() });
            let mut script = beam.run(state, &first, memory, budget, each * f64::from(count));
            script.truncate(self.known);
            scripts[seat.index()] = script;
        }
        scripts
    }
}
