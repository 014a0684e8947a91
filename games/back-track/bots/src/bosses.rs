//! The bosses of the leagues (rules, section 11.5).

use back_track::autoplace::route;
use back_track::grid::xy;
use back_track::{Command, Map, Order};
use game::Dice;

use super::table::{Style, Table};
use bots::Budget;

/// The boss of the first league: it waits.
pub(super) struct Waiter;

impl Style for Waiter {
    fn order(&mut self, _: &Table, _: Budget) -> Order {
        Order { commands: [Command::Wait].into_iter().collect(), unreadable: None }
    }
}

/// The boss of the second league: each turn it builds a little of a route between two random towns.
pub(super) struct Wanderer {
    pub(super) dice: Dice,
}

impl Style for Wanderer {
    fn order(&mut self, table: &Table, _: Budget) -> Order {
        let towns = u32::from(table.game.map().town_count);
        let mut order = Order::default();
        if towns >= 2 {
            let from = self.dice.below(towns);
            let to = (from + 1 + self.dice.below(towns - 1)) % towns;
            order.commands.push(autoplace(table.game.map(), from as usize, to as usize));
        }
        order
    }
}

/// The boss of the third league: it builds the cheapest connection that is still desired, and the next one, and so on. It
/// disrupts nothing.
pub(super) struct Builder;

impl Style for Builder {
    fn order(&mut self, table: &Table, _: Budget) -> Order {
        let mut order = Order::default();
        if let Some((from, to)) = cheapest_wish(table) {
            order.commands.push(autoplace(table.game.map(), from, to));
        }
        order
    }
}

/// The desired connection that needs the least paint, of those that need any.
pub(super) fn cheapest_wish(table: &Table) -> Option<(usize, usize)> {
    let (map, state) = (table.game.map(), &table.state);
    let rails = state.rails(map);
    let mut best = None;
    for wish in map.wishes() {
        let (from, to) = (usize::from(wish.from), usize::from(wish.to));
        let ends = [from, to].map(|town| usize::from(map.towns[town].cell));
        let paint: u32 = route(map, &rails, &state.inked_cells, ends[0], ends[1])
            .cells()
            .map(|cell| u32::from(map.costs[cell]))
            .sum();
        if paint > 0 && best.is_none_or(|(least, _)| paint < least) {
            best = Some((paint, (from, to)));
        }
    }
    best.map(|(_, towns)| towns)
}

/// The command that builds between two towns.
pub(super) fn autoplace(map: &Map, from: usize, to: usize) -> Command {
    let [from, to] = [from, to].map(|town| {
        let (x, y) = xy(usize::from(map.towns[town].cell));
        (x as u32, y as u32)
    });
    Command::Autoplace { from, to }
}
