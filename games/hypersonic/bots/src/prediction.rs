//! Predicts players: the actions of each of them if it searched as we do, while the others do nothing or what is expected of them.

use game::Seats;
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
        let nothing: [Script; MAX_PLAYERS] = Default::default();
        self.replies(position, position.opponents(), &nothing, weights, memory, budget, 0.0)
    }

    /// A script for each of these players, found while the others follow the given ones. `used` is the share of the budget that is
    /// used up already.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn replies(
        self,
        position: &Position,
        seats: Seats,
        given: &[Script; MAX_PLAYERS],
        weights: &Weights,
        memory: &mut Memory,
        budget: &mut Budget,
        used: f64,
    ) -> [Script; MAX_PLAYERS] {
        let Position { game, state, .. } = position;
        let mut scripts: [Script; MAX_PLAYERS] = Default::default();
        let each = self.share / f64::from(seats.len().max(1));
        for (seat, count) in seats.zip(1..) {
            let beam = Beam {
                game,
                me: seat,
                weights,
                scripts: given,
                depth: self.depth,
                reach: self.depth,
                width: self.width,
                prey: None,
                costs: &[],
                learned: None,
            };
            // The search of another player avoids bombs that may be laid now, as ours does.
            let first = safety::safest(&Position { me: seat, ..position.clone() });
            let mut script = beam.run(state, &first, memory, budget, used + each * f64::from(count));
            script.truncate(self.known);
            scripts[seat.index()] = script;
        }
        scripts
    }
}

#[cfg(test)]
mod tests {
    use game::{Game, Seat};
    use hypersonic::{Cell, Hypersonic, Rules};

    use super::*;
    use crate::position::Action;
    use crate::weights;
    use bots::Thinking;

    #[test]
    fn a_box_that_another_player_is_expected_to_hit_is_left_to_it() {
        let game = Hypersonic::new(Rules { boxes: Some(0), ..Rules::FULL }, 1);
        let mut state = game.start();
        let (me, foe) = (Seat(0), Seat(1));
        state.boxes.add(Cell::at(2, 0).index());
        state.players[foe.index()].cell = Cell::at(6, 0);
        let position = Position { game, state, me };
        let prediction = Prediction { share: 1.0, depth: 8, known: 8, width: 100 };
        let bombs = |given: &[Script; MAX_PLAYERS]| {
            let mut budget = Thinking::Nodes(4000).begin(false);
            let seats = position.opponents();
            let mut memory = Memory::default();
            let scripts =
                prediction.replies(&position, seats, given, &weights::COMMON, &mut memory, &mut budget, 0.0);
            scripts[foe.index()].iter().any(|action| action.bomb)
        };
        let mut given: [Script; MAX_PLAYERS] = Default::default();
        assert!(bombs(&given), "nobody else wants it");
        given[me.index()] = [true, false, false]
            .into_iter()
            .zip([Cell::at(0, 1), Cell::at(0, 2), Cell::at(0, 3)])
            .map(|(bomb, to)| Action { bomb, to })
            .collect();
        assert!(!bombs(&given), "it burns already when the player comes near");
    }
}
