//! Predicts the other players: the actions of each of them if it searched as we do.

use hypersonic::MAX_PLAYERS;

use super::beam::{Beam, Memory, Script};
use super::position::Position;
use super::safety;
use super::weights::Weights;
use bots::Budget;

/// How much is predicted, and at which cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prediction {
    /// The share of the budget for all predictions.
    pub(super) share: f64,
    /// Rounds that the search for another player looks ahead.
    pub(super) depth: usize,
    /// Rounds of the result that are used: later actions depend on what the player sees until then.
    pub(super) known: usize,
    /// The most states of a round from which the search goes on.
    pub(super) width: usize,
}

impl Prediction {
    /// A script for each opponent, found while all other players do nothing.
    pub(super) fn scripts(
        self,
        position: &Position,
        weights: &Weights,
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
                weights,
                scripts: &nothing,
                depth: self.depth,
                reach: self.depth,
                width: self.width,
                prey: None,
            };
            // The search of an opponent avoids bombs that may be laid now, as ours does.
            let first = safety::safest(&Position { me: seat, ..position.clone() });
            let mut script = beam.run(state, &first, memory, budget, each * f64::from(count));
            script.truncate(self.known);
            scripts[seat.index()] = script;
        }
        scripts
    }
}
