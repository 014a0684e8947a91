//! How the bots above the leagues play in the second league, where points do not count (rules, section 11.5).
//!
//! Player 0 wins by having a region inked that it disrupted last and that holds a track of player 1. So player 1 places nothing and
//! cannot lose, and player 0 hits where the opponent's tracks are, until the region is inked.

use back_track::{Command, Map, Objective, Order};
use game::Game;

use super::table::{Style, Table};
use bots::Budget;

/// A bot that knows about the second league.
pub(super) struct Pupil<S>(pub(super) S);

impl<S: Style> Style for Pupil<S> {
    fn order(&mut self, table: &Table, budget: Budget) -> Order {
        let (rules, map, state) = (table.game.rules(), table.game.map(), &table.state);
        if rules.objective != Some(Objective::InkOpponent) {
            return self.0.order(table, budget);
        }
        let mut order = Order::default();
        if table.me == 0 {
            // The nearest to being inked, so that no hit is in vain; of those the one with most tracks.
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
