//! The play of the bots above the leagues in the second league, where points do not count (rules, section 11.5).
//!
//! Player 0 wins by having a region inked that it disrupted last and that holds a track of player 1. So player 1 places nothing and
//! cannot lose, and player 0 hits where the opponent's tracks are, until the region is inked.

use back_track::{Command, Map, Objective, Order};
use game::Game;

use super::position::{Position, Strategy};
use bots::Budget;

/// A strategy that also knows the task of the second league.
pub(super) struct WithSecondLeague<S>(pub(super) S);

impl<S: Strategy> Strategy for WithSecondLeague<S> {
    fn order(&mut self, position: &Position, budget: Budget) -> Order {
        let (rules, map, state) = (position.game.rules(), position.game.map(), &position.state);
        if rules.objective != Some(Objective::InkOpponent) {
            return self.0.order(position, budget);
        }
        let mut order = Order::default();
        if position.me == 0 {
            // The region that is nearest to being inked, so that no hit is wasted; among equals the one with most tracks.
            let target = Map::ids(state.disruptable(rules, map))
                .map(|region| {
                    let tracks = (state.tracks[1] & map.region_cells[region]).len();
                    (tracks > 0, state.instability[region], tracks, region)
                })
                .max();
            if let Some((true, _, _, region)) = target {
                order.commands.push(Command::DisruptRegion(region as u32));
            }
        }
        if order.commands.is_empty() {
            order.commands.push(Command::Wait);
        }
        order
    }
}
