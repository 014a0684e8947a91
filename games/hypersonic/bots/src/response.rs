//! The response: an opponent of the champion that has a copy of it. How often it wins tells how much the champion can be exploited.
//!
//! Each round it plays the coming rounds on in memory: the copy acts for the champion, a second copy for itself. The actions of
//! the first copy are what the champion will do as long as we do what the second one does. So the response knows the next action of the
//! champion almost for certain, since only chance between equal plans is unknown, and the following ones well; against these it searches like the champion.
//!
//! It needs the nodes of [`THOUGHTS`] champions for an answer and is no bot of the ladder: it exists to be measured.

use game::{Game, Silent};

use super::Player;
use super::beam::Script;
use super::champion::Champion;
use super::position::{Action, Position};
use super::simulate::{Orders, order};
use bots::{Budget, Handicap};

/// Rounds that are played on.
const ROUNDS: usize = 6;
/// The searches of an answer: one for each player in each round that is played on, and its own.
pub const THOUGHTS: u64 = 2 * ROUNDS as u64 + 1;

/// Knows what the champion does.
#[derive(Debug)]
pub(super) struct Response {
    copy: Champion,
    own: Champion,
}

impl Response {
    pub(super) fn new(seed: u64) -> Response {
        // The copy does not know the champion's seed.
        Response { copy: Champion::new(0, Handicap::NONE), own: Champion::new(seed, Handicap::NONE) }
    }

    /// The actions of the opponent, a copy of the champion, in the coming rounds.
    fn foresee(&mut self, position: &Position, budget: &Budget) -> Script {
        let mut position = position.clone();
        let mut script = Script::new();
        for _ in 0..ROUNDS {
            let mut orders = Orders::default();
            for seat in position.state.living {
                let seen = Position { me: seat, ..position.clone() };
                let mut thought = budget.share(1.0 / THOUGHTS as f64);
                let mind = if seat == position.me { &mut self.own } else { &mut self.copy };
                let action = mind.choose(&seen, &mut thought);
                orders[seat.index()] = order(action);
                if seat != position.me {
                    script.push(action);
                }
            }
            position.game.step(&mut position.state, &orders, &mut Silent);
            if position.state.is_over() {
                break;
            }
        }
        script
    }
}

impl Player for Response {
    fn choose(&mut self, position: &Position, budget: &mut Budget) -> Action {
        let mut opponents = position.opponents();
        let (Some(foe), None) = (opponents.next(), opponents.next()) else {
            return self.own.choose(position, budget);
        };
        let script = self.foresee(position, budget);
        self.own.choose_against(position, Some((foe, script)), &mut budget.share(1.0 / THOUGHTS as f64))
    }
}

#[cfg(test)]
mod tests {
    use bots::Thinking;
    use game::{Game, Seat};
    use hypersonic::{Hypersonic, Rules};

    use super::*;

    #[test]
    fn the_next_action_of_the_champion_is_known() {
        let nodes = 600;
        let game = Hypersonic::new(Rules::of_version(4, 2), 7);
        let mut position = Position { state: game.start(), game, me: Seat(0) };
        let (mut response, mut champion) = (Response::new(1), Champion::new(2, Handicap::NONE));
        let rounds = 12;
        let mut known = 0;
        for _ in 0..rounds {
            let foreseen = response.foresee(&position, &Thinking::Nodes(nodes * THOUGHTS).begin(false));
            let theirs = Position { me: Seat(1), ..position.clone() };
            let budget = || Thinking::Nodes(nodes).begin(false);
            let actions =
                [response.own.choose(&position, &mut budget()), champion.choose(&theirs, &mut budget())];
            known += u32::from(foreseen[0] == actions[1]);
            let mut orders = Orders::default();
            for (place, action) in actions.into_iter().enumerate() {
                orders[place] = order(action);
            }
            position.game.step(&mut position.state, &orders, &mut Silent);
        }
        assert!(known >= rounds - 2, "{known} of {rounds}");
    }
}
