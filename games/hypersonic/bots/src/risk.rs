//! What an action of this round costs because other players could punish it.
//!
//! Hardly any of these punishments comes, since a player would have to guess the action. So as long as boxes decide the actions are not
//! forbidden: each has a cost in the search.

use hypersonic::MAX_PLAYERS;

use super::beam::Script;
use super::position::{Action, Actions, Position};
use super::race::{Mood, Race};
use super::safety::{self, Exposed};
use bots::Budget;

/// Rounds for which the traps of the opponents are worked out.
const DEFENCE: u32 = 2;
/// The same for a player who wants nothing more, and so has time to think of nothing else.
const LONG_DEFENCE: u32 = 4;

/// The cost of an action that a bomb laid now could punish, in tenths of a box.
const RISK_NOW: f32 = 15.0;
/// The cost of an action that a single opponent could punish with two rounds of its own.
const RISK_SOON: f32 = 1.0;
/// The same among several opponents, of whom one is near more often.
const RISK_SOON_AMONG_SEVERAL: f32 = 10.0;
/// The cost of an action after which an opponent can kill for certain, if all others act as expected.
const RISK_ONE: f32 = 10.0;
/// The cost of an action after which bombs of all opponents could leave no way out, if all others act as expected.
const RISK_ALL: f32 = 5.0;

/// The actions of this round that a player chooses from, and what they cost.
#[derive(Debug)]
pub(super) struct Risks {
    /// The actions that no single opponent can punish soon; all that are safe now if there are none.
    pub(super) untrapped: Actions,
    /// The actions to choose from.
    pub(super) allowed: Actions,
    /// What each of them costs, in tenths of a box.
    pub(super) costs: Vec<f32>,
}

impl Risks {
    /// The risks as far as they depend on nothing that is expected of the others.
    pub(super) fn of(position: &Position, race: Race, budget: &mut Budget) -> Risks {
        let safest = safety::safest(position);
        let (rounds, until) = if race.mood() == Mood::Rest { (LONG_DEFENCE, 0.5) } else { (DEFENCE, 0.1) };
        let untrapped = safety::untrapped(position, safest, rounds, budget, until);
        // Only boxes are worth a risk.
        let allowed = if race.mood() == Mood::Race { safety::alive(position) } else { untrapped };
        let soon = if race.others > 1 { RISK_SOON_AMONG_SEVERAL } else { RISK_SOON };
        let cost = |action| {
            if untrapped.contains(action) {
                0.0
            } else if safest.contains(action) {
                soon
            } else {
                RISK_NOW
            }
        };
        let costs = allowed.iter().map(cost).collect();
        Risks { untrapped, allowed, costs }
    }

    /// Adds what the others could do in the next rounds, if they act as expected in this one.
    pub(super) fn expect(
        &mut self,
        position: &Position,
        scripts: &[Script; MAX_PLAYERS],
        budget: &mut Budget,
        until: f64,
    ) {
        for (&action, cost) in self.allowed.iter().zip(&mut self.costs) {
            let Exposed { to_one, to_all } = safety::exposed(position, scripts, action, budget, until);
            *cost += f32::from(to_one) * RISK_ONE + f32::from(to_all) * RISK_ALL;
        }
    }

    /// What an action costs.
    pub(super) fn cost(&self, action: Action) -> f32 {
        let place = self.allowed.iter().position(|&other| other == action);
        place.map_or(RISK_NOW, |place| self.costs[place])
    }
}

#[cfg(test)]
mod tests {
    use bots::Thinking;
    use game::{Game, Seat};
    use hypersonic::{Cell, Hypersonic, Rules};

    use super::*;

    fn to(x: usize, y: usize) -> Action {
        Action { bomb: false, to: Cell::at(x, y) }
    }

    /// A board without boxes but one on (0, 1), and everybody on (2, 0).
    fn corridor(players: u8) -> Position {
        let game = Hypersonic::new(Rules { boxes: Some(0), ..Rules::of_version(4, players) }, 1);
        let mut state = game.start();
        for player in &mut state.players {
            player.cell = Cell::at(2, 0);
        }
        state.boxes.add(Cell::at(0, 1).index());
        Position { game, state, me: Seat(0) }
    }

    fn risks(position: &Position) -> Risks {
        Risks::of(position, Race::of(position), &mut Thinking::Nodes(10_000).begin(false))
    }

    #[test]
    fn a_dead_end_that_an_opponent_can_close_is_a_risk() {
        let risks = risks(&corridor(2));
        assert!(risks.allowed.contains(&to(1, 0)), "nobody has laid a bomb");
        assert!(risks.cost(to(1, 0)) >= RISK_NOW && risks.cost(to(2, 1)) <= 0.0);
    }

    #[test]
    fn a_dead_end_beside_the_expected_place_of_an_opponent_is_a_risk() {
        let mut position = corridor(3);
        position.state.players[0].cell = Cell::at(1, 0);
        position.state.players[1].cell = Cell::at(3, 0);
        position.state.players[2].cell = Cell::at(12, 10);
        let budget = || Thinking::Nodes(20_000).begin(false);
        let exposed = |x| {
            let mut scripts: [Script; MAX_PLAYERS] = Default::default();
            scripts[1] = vec![to(x, 0)];
            safety::exposed(&position, &scripts, to(0, 0), &mut budget(), 1.0)
        };
        assert!(exposed(2).to_one, "it closes the corridor");
        assert_eq!(exposed(4), Exposed { to_one: false, to_all: false }, "there is time to leave");
    }

    #[test]
    fn a_corridor_between_two_opponents_is_a_risk() {
        let mut position = corridor(3);
        position.state.boxes.add(Cell::at(4, 1).index());
        let cells = [Cell::at(4, 0), Cell::at(2, 0), Cell::at(6, 0)];
        for (player, cell) in position.state.players.iter_mut().zip(cells) {
            player.cell = cell;
        }
        let mut scripts: [Script; MAX_PLAYERS] = Default::default();
        (scripts[1], scripts[2]) = (vec![to(2, 0)], vec![to(6, 0)]);
        let budget = &mut Thinking::Nodes(20_000).begin(false);
        let before = risks(&position).cost(to(4, 0));
        let exposed = safety::exposed(&position, &scripts, to(4, 0), budget, 1.0);
        assert_eq!(exposed, Exposed { to_one: false, to_all: true }, "a bomb on each side");
        let mut risks = risks(&position);
        risks.expect(&position, &scripts, budget, 1.0);
        assert!(risks.cost(to(4, 0)) >= before + RISK_ALL);
    }
}
