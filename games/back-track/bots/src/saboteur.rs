//! `bronze`: builds the cheapest connection, and disrupts where the opponent has built most.
//!
//! It counts tracks, not points: it hits the region that holds most of the opponent's, if they are many, whatever it loses there
//! itself.

use back_track::{Command, Map, Order};
use game::Game;

use super::bosses::{autoplace, cheapest_wish};
use super::table::{Style, Table};
use bots::Budget;

pub(super) struct Saboteur;

/// So many tracks are worth a hit.
const MANY: u32 = 3;

impl Style for Saboteur {
    fn order(&mut self, table: &Table, _: Budget) -> Order {
        let (map, state) = (table.game.map(), &table.state);
        let mut order = Order::default();
        if let Some((from, to)) = cheapest_wish(table) {
            // From the far end: a builder of the same line is met half-way, not cell by cell.
            order.commands.push(autoplace(map, to, from));
        }
        let rules = table.game.rules();
        let target = Map::ids(state.disruptable(rules, map))
            .map(|region| ((state.tracks[1 - table.me] & map.region_cells[region]).len(), region))
            .filter(|&(tracks, _)| tracks >= MANY)
            .max();
        if let Some((_, region)) = target {
            order.commands.push(Command::DisruptRegion(region as u32));
        }
        order
    }
}
