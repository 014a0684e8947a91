//! Compares plans by what an opponent can make of them.
//!
//! A search takes the actions of the opponent as given. But the opponent sees what we do and plans again: it goes where our plan
//! leaves most to it, and gets out of a trap that it sees. So for each plan that is nearly the best one the opponent's best
//! reply is searched, and our own best plan with the same first action against this reply. A plan is good if it is
//! worth much against what was expected and against the reply, and if it leaves little to the opponent.

use game::Seat;
use hypersonic::MAX_PLAYERS;

use super::beam::{Beam, Choice, Memory, Script};
use super::position::{Action, Position};
use super::safety;
use super::weights::Weights;
use bots::Budget;

/// Two players and what they are expected to do.
#[derive(Debug)]
pub(super) struct Reaction<'a> {
    /// The position; the player is the one that has the choices.
    pub(super) position: &'a Position,
    /// Its opponent.
    pub(super) foe: Seat,
    /// The evaluations of the player and of the opponent.
    pub(super) weights: [&'a Weights; 2],
    /// The expected actions of the other players.
    pub(super) scripts: &'a [Script; MAX_PLAYERS],
    /// Rounds that both look ahead.
    pub(super) depth: usize,
    /// Rounds of a plan that the other player reckons with.
    pub(super) known: usize,
    /// The most states of a round.
    pub(super) width: usize,
    /// The cost of what a choice leaves to the opponent, as a share of its value to the opponent.
    pub(super) left: f32,
}

/// The most choices that are compared.
const MOST: usize = 4;
/// A choice that is worse than the best one by this much, in tenths of a box, is not considered.
const MARGIN: f32 = 10.0;
/// The weight of what a choice is worth against the reply; the rest is that of its value against the expected actions.
const REPLIED: f32 = 0.5;
/// The cost of each round by which a plan is too short, because no way leads out.
const ENDED: f32 = 100.0;
/// The least value of a position for the opponent: twenty boxes less than nothing, as for a kill.
const BEATEN: f32 = -200.0;

impl Reaction<'_> {
    /// The first action of the best of these choices; none if there are none. `cost` says what a first action costs.
    pub(super) fn best(
        &self,
        mut choices: Vec<Choice>,
        cost: impl Fn(Action) -> f32,
        memory: &mut Memory,
        budget: &mut Budget,
    ) -> Option<Action> {
        choices.sort_by(|one, other| one.behind.total_cmp(&other.behind));
        choices.retain(|choice| choice.behind <= MARGIN);
        choices.truncate(MOST);
        let first = choices.first()?.plan.first().copied();
        if choices.len() == 1 {
            return first;
        }
        let mut best = (f32::MIN, first);
        for (place, choice) in choices.iter().enumerate() {
            let Some(&action) = choice.plan.first() else { continue };
            // Two searches for each choice that is left.
            let searches = 2 * (choices.len() - place);
            let (reply, theirs) = self.reply(choice, memory, budget, part(budget, searches));
            let ours = self.against(&reply, action, cost(action), memory, budget, part(budget, searches - 1));
            let value = REPLIED * ours - (1.0 - REPLIED) * choice.behind - self.left * theirs;
            if value > best.0 {
                best = (value, Some(action));
            }
        }
        best.1
    }

    /// The opponent's best plan against a choice of ours, and its value. Both act at once, so the opponent does now what
    /// was expected; afterwards it sees what we do.
    fn reply(&self, choice: &Choice, memory: &mut Memory, budget: &mut Budget, until: f64) -> (Script, f32) {
        let Position { state, me, .. } = self.position;
        let scripts = self.with(*me, &choice.plan);
        let expected = self.scripts[self.foe.index()].first();
        let safe = safety::safest(&Position { me: self.foe, ..self.position.clone() });
        let first = expected.map_or(&safe[..], std::slice::from_ref);
        let beam = self.beam(self.foe, self.weights[1], &scripts, &[]);
        let found = beam.search(state, first, usize::MAX, memory, budget, until);
        let value = self.value(&found.plan, found.value).max(BEATEN);
        (found.plan, value)
    }

    /// The value of our best plan that begins with an action, against a reply of the opponent.
    fn against(
        &self,
        reply: &Script,
        action: Action,
        cost: f32,
        memory: &mut Memory,
        budget: &mut Budget,
        until: f64,
    ) -> f32 {
        let Position { state, me, .. } = self.position;
        let scripts = self.with(self.foe, reply);
        let costs = [cost];
        let beam = self.beam(*me, self.weights[0], &scripts, &costs);
        let found = beam.search(state, &[action], usize::MAX, memory, budget, until);
        self.value(&found.plan, found.value)
    }

    /// The value of a plan, with the cost of its end if it ends too early.
    fn value(&self, plan: &Script, value: f32) -> f32 {
        value - ENDED * self.depth.saturating_sub(plan.len()) as f32
    }

    /// The expected actions with another plan of one player.
    fn with(&self, seat: Seat, plan: &Script) -> [Script; MAX_PLAYERS] {
        let mut scripts = self.scripts.clone();
        scripts[seat.index()] = plan.iter().copied().take(self.known).collect();
        scripts
    }

    fn beam<'b>(
        &'b self,
        me: Seat,
        weights: &'b Weights,
        scripts: &'b [Script; MAX_PLAYERS],
        costs: &'b [f32],
    ) -> Beam<'b> {
        Beam {
            game: &self.position.game,
            me,
            weights,
            scripts,
            depth: self.depth,
            reach: self.depth,
            width: self.width,
            prey: None,
            costs,
            learned: None,
        }
    }
}

/// The share of the budget that is used up after the first of so many equal searches.
fn part(budget: &Budget, searches: usize) -> f64 {
    let used = budget.used();
    used + (1.0 - used) / searches.max(1) as f64
}

#[cfg(test)]
mod tests {
    use game::Game;
    use hypersonic::{Cell, Hypersonic, Rules};

    use super::*;
    use crate::weights;
    use bots::Thinking;

    /// Whether a player bombs the only box at once although that is said to be worse than to wait. The opponent, with so many
    /// bombs, needs four steps to the box.
    fn bombs_at_once(bombs: u16) -> bool {
        let game = Hypersonic::new(Rules { boxes: Some(0), ..Rules::FULL }, 1);
        let mut state = game.start();
        let (me, foe) = (Seat(0), Seat(1));
        let here = Cell::at(4, 0);
        state.boxes.add(Cell::at(6, 0).index());
        state.players[me.index()].cell = here;
        state.players[foe.index()].cell = Cell::at(12, 0);
        state.players[foe.index()].available = bombs;
        let position = Position { game, state, me };
        let reaction = Reaction {
            position: &position,
            foe,
            weights: [&weights::COMMON; 2],
            scripts: &Default::default(),
            depth: 18,
            known: 12,
            width: 1000,
            left: 0.5,
        };
        let wait = Action { bomb: false, to: here };
        let bomb = Action { bomb: true, to: Cell::at(4, 1) };
        let flee = (2..=4).map(|y| Action { bomb: false, to: Cell::at(4, y) });
        let choices = vec![
            Choice { plan: vec![wait; 12], behind: 0.0 },
            Choice { plan: std::iter::once(bomb).chain(flee).collect(), behind: 4.0 },
        ];
        let mut budget = Thinking::Nodes(20_000).begin(false);
        let best = reaction.best(choices, |_| 0.0, &mut Memory::default(), &mut budget);
        best.expect("there are choices").bomb
    }

    #[test]
    fn a_box_that_the_opponent_would_take_is_taken_first() {
        assert!(bombs_at_once(1));
        assert!(!bombs_at_once(0), "nobody else can take it");
    }
}
