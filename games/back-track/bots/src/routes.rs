//! Routes between towns, for bots that leave the choice of the cells to the game.

use back_track::autoplace::route;
use back_track::grid::xy;
use back_track::{Command, Map};

use super::position::Position;

/// The desired connection that needs the least paint, of those that need any.
pub(super) fn cheapest_wish(position: &Position) -> Option<(usize, usize)> {
    let (map, state) = (position.game.map(), &position.state);
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
