//! The side quest (rules, section 11.2): a place of interest joined to a town by own and neutral tracks. It does not decide the
//! match, so it gets only paint that is of no other use.

use back_track::Order;
use back_track::autoplace::route;
use back_track::grid::{Cells, sides};
use game::{Game, Silent};

use super::planner::place;
use super::playout::Candidate;
use super::position::Position;

/// The answer with a candidate; where it places no track, the side quest goes on.
pub(super) fn answer(position: &Position, candidate: &Candidate) -> Order {
    let mut order = candidate.order();
    if candidate.now.is_empty() {
        go_on(position, &mut order);
    }
    order
}

/// Places tracks towards the nearest place of interest, unless that would cost points. The order places none yet.
fn go_on(position: &Position, order: &mut Order) {
    let (rules, map, state, me) = (position.game.rules(), position.game.map(), &position.state, position.me);
    if !rules.side_quest || state.side_quest[me] {
        return;
    }
    let own = state.tracks[me] | state.tracks[2];
    let rails = own | map.town_cells;
    // Tracks of the opponent do not count.
    let closed = state.inked_cells | state.tracks[1 - me];
    let [.., places] = &map.terrains;
    let mut best: Option<(u32, Vec<usize>)> = None;
    for goal in &(*places - closed) {
        for town in map.towns() {
            let cells: Vec<usize> =
                route(map, &rails, &closed, usize::from(town.cell), goal).cells().collect();
            let paint = cells.iter().map(|&cell| u32::from(map.costs[cell])).sum();
            if paint > 0 && best.as_ref().is_none_or(|(least, _)| paint < *least) {
                best = Some((paint, cells));
            }
        }
    }
    let Some((_, cells)) = best else { return };
    let mut with = order.clone();
    let mut paint = rules.paint;
    for cell in cells {
        let Some(left) = paint.checked_sub(map.costs[cell]) else { break };
        paint = left;
        with.commands.push(place(cell));
    }
    let lead = |mine: &Order| {
        let mut after = *state;
        let mut orders = [Some(Order::default()), Some(Order::default())];
        orders[me] = Some(mine.clone());
        position.game.step(&mut after, &orders, &mut Silent);
        after.links.points[me] as i32 - after.links.points[1 - me] as i32
    };
    if lead(&with) >= lead(order) {
        *order = with;
    }
}

/// Whether a player has a place of interest joined to a town.
pub(super) fn is_done(position: &Position) -> bool {
    let (map, state, me) = (position.game.map(), &position.state, position.me);
    let own = state.tracks[me] | state.tracks[2];
    let [.., places] = &map.terrains;
    let mut reached = own & *places;
    let rails = own | map.town_cells;
    loop {
        if reached.intersects(&map.town_cells) {
            return true;
        }
        let next: Cells = (rails - reached).iter().filter(|&cell| sides(&reached, cell) != 0).collect();
        if next.is_empty() {
            return false;
        }
        reached |= next;
    }
}
