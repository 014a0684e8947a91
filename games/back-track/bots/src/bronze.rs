//! `bronze`: builds the cheapest connection, and disrupts where the opponent has built most.
//!
//! It counts tracks, not points: it hits the region with most tracks of the opponent if there are at least three, whatever it loses
//! there itself.

use back_track::{Command, Map, Order};
use game::Game;

use super::position::{Position, Strategy};
use super::routes::{autoplace, cheapest_wish};
use bots::Budget;

/// Builds the cheapest connection and hits the region with most tracks of the opponent.
pub(super) struct Bronze;

/// The fewest tracks that are worth a hit.
const MANY: u32 = 3;

impl Strategy for Bronze {
    fn order(&mut self, position: &Position, _: Budget) -> Order {
        let (map, state) = (position.game.map(), &position.state);
        let mut order = Order::default();
        if let Some((from, to)) = cheapest_wish(position) {
            // From the far end: an opponent that builds the same line is met half-way.
            order.commands.push(autoplace(map, to, from));
        }
        let rules = position.game.rules();
        let target = Map::ids(state.disruptable(rules, map))
            .map(|region| ((state.tracks[1 - position.me] & map.region_cells[region]).len(), region))
            .filter(|&(tracks, _)| tracks >= MANY)
            .max();
        if let Some((_, region)) = target {
            order.commands.push(Command::DisruptRegion(region as u32));
        }
        order
    }
}
