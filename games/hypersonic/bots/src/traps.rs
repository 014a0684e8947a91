//! Traps: what one player can force on another within a few rounds, with every reply considered.
//!
//! The player for whom something is proved always moves first, and the other one replies knowing the move, although in the game
//! both move at once. So a kill that is found is certain, and an action that is called safe cannot be punished within these rounds.

use game::{Game, Seat, Silent};
use hypersonic::{Forecast, Hypersonic, State};

use super::position::{Action, Actions};
use super::simulate::{Orders, actions, may_bomb, order, stay};
use bots::Budget;

/// Two players. All other players stand still.
#[derive(Debug)]
pub(super) struct Duel<'a> {
    /// Rules and walls.
    pub(super) game: &'a Hypersonic,
    /// The player whose actions are examined.
    pub(super) me: Seat,
    /// Its opponent.
    pub(super) foe: Seat,
    /// The share of the budget that may be used.
    pub(super) until: f64,
}

impl Duel<'_> {
    /// Whether the player can survive after the action, whatever the opponent does in this and the next rounds, `rounds` in all.
    /// If the budget ends first, the answer is yes.
    pub(super) fn is_safe(&self, state: &State, action: Action, rounds: u32, budget: &mut Budget) -> bool {
        if self.is_late(budget) {
            return true;
        }
        let replies =
            if rounds <= 1 { bombing(state, self.foe) } else { actions(self.game, state, self.foe) };
        replies.iter().all(|&reply| {
            let after = self.step(state, action, reply);
            budget.spend(1);
            self.can_live(&after, self.me) && (rounds <= 1 || self.has_safe(&after, rounds - 1, budget))
        })
    }

    fn has_safe(&self, state: &State, rounds: u32, budget: &mut Budget) -> bool {
        if state.is_over() || !state.living.contains(self.foe) {
            return true;
        }
        actions(self.game, state, self.me).iter().any(|&action| self.is_safe(state, action, rounds, budget))
    }

    /// Whether the action begins a sequence of at most `rounds` that kills the opponent whatever it does, and does not hurt the player.
    pub(super) fn kills(&self, state: &State, action: Action, rounds: u32, budget: &mut Budget) -> bool {
        let replies: Actions = actions(self.game, state, self.foe);
        replies.iter().all(|&reply| {
            if self.is_late(budget) {
                return false;
            }
            let after = self.step(state, action, reply);
            budget.spend(1);
            if !self.can_live(&after, self.me) {
                return false;
            }
            !self.can_live(&after, self.foe) || (rounds > 1 && self.has_kill(&after, rounds - 1, budget))
        })
    }

    fn has_kill(&self, state: &State, rounds: u32, budget: &mut Budget) -> bool {
        // Only a bomb can kill in the last round.
        if rounds == 1 && !may_bomb(state, self.me) {
            return false;
        }
        let mine = actions(self.game, state, self.me);
        let last = |action: &&Action| rounds > 1 || action.bomb;
        mine.iter().rev().filter(last).any(|&action| self.kills(state, action, rounds, budget))
    }

    fn is_late(&self, budget: &Budget) -> bool {
        budget.used() >= self.until
    }

    /// Whether a player can survive all bombs in play.
    fn can_live(&self, state: &State, seat: Seat) -> bool {
        state.living.contains(seat) && Forecast::of(self.game, state, seat).survives(state.player(seat).cell)
    }

    fn step(&self, state: &State, mine: Action, reply: Action) -> State {
        let mut after = *state;
        let mut orders = Orders::default();
        for seat in state.living {
            let action = if seat == self.me {
                mine
            } else if seat == self.foe {
                reply
            } else {
                stay(state, seat)
            };
            orders[seat.index()] = order(action);
        }
        self.game.step(&mut after, &orders, &mut Silent);
        after
    }
}

/// In the last round that counts only a bomb matters, not where its owner goes.
fn bombing(state: &State, seat: Seat) -> Actions {
    let mut replies = Actions::default();
    let still = stay(state, seat);
    replies.push(still);
    if may_bomb(state, seat) {
        replies.push(Action { bomb: true, ..still });
    }
    replies
}
