//! `bronze`: builds the cheapest connection, and disrupts where the opponent has more to lose.
//!
//! It counts tracks, not points: of the regions in which the opponent has at least two tracks more, it hits the one that is
//! nearest to being inked, and goes on until it is.

use back_track::{Command, Map, Order};

use super::bosses::{autoplace, cheapest_wish};
use super::table::{Style, Table};
use crate::budget::Budget;

pub(super) struct Saboteur;

/// So many tracks more than its own make a region worth a hit.
const LEAD: u32 = 2;

impl Style for Saboteur {
    fn order(&mut self, table: &Table, _: Budget) -> Order {
        let (map, state) = (table.game.map(), &table.state);
        let mut order = Order::default();
        if let Some((from, to)) = cheapest_wish(table) {
            // From the far end: a builder of the same line is met half-way, not cell by cell.
            order.commands.push(autoplace(map, to, from));
        }
        let tracks = |player: usize, region: usize| (state.tracks[player] & map.region_cells[region]).len();
        let rules = game::Game::rules(&table.game);
        let target = Map::ids(state.disruptable(rules, map))
            .filter_map(|region| {
                let lead = tracks(1 - table.me, region).checked_sub(tracks(table.me, region))?;
                (lead >= LEAD).then_some((state.instability[region], lead, region))
            })
            .max();
        if let Some((_, _, region)) = target {
            order.commands.push(Command::DisruptRegion(region as u32));
        }
        order
    }
}
