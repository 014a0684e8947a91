//! `legend`: a beam over the coming turns.
//!
//! Each turn of the beam tries the sets of tracks that look best by [`super::values`], with the best hits or none, on every board
//! kept from the turn before; the opponent answers with the head of the same ranking seen from its side. Boards are kept by the
//! points the whole line has given over the opponent, then by the points each turn now, then by the worth of the tracks placed.

use back_track::grid::Cells;
use back_track::{Map, Order, Rules, State};
use game::{Game, Silent};

use super::accountant::order;
use super::planner::{Beliefs, Plan, Planner};
use super::table::{Style, Table};
use super::values::{Values, sets};
use crate::budget::Budget;

/// Boards kept of each turn.
const WIDTH: usize = 48;
/// Turns.
const DEPTH: usize = 4;
/// Cells that are combined now, and in later turns.
const CELLS: [usize; 2] = [24, 9];
/// Sets tried on each board of the first turn; half as many in each later one.
const SETS: usize = 2400;
const LATER_SETS: usize = 100;
/// Regions that are tried now, and none; in later turns one.
const REGIONS: usize = 4;
/// A point weighs as much as this worth of tracks.
const POINT: f32 = 60.0;
/// Turns for which the points of the last board count.
const TAIL: f32 = 3.0;

pub(super) struct Strategist {
    planner: Planner,
}

impl Strategist {
    pub(super) fn new() -> Strategist {
        Strategist { planner: Planner::new(Beliefs::USUAL) }
    }
}

/// A board of the beam.
#[derive(Clone)]
struct Node {
    state: State,
    /// What the line began with.
    tracks: Cells,
    hit: Option<usize>,
    /// Worth of the tracks and hits so far.
    worth: f32,
    value: f32,
}

impl Style for Strategist {
    fn order(&mut self, table: &Table, mut budget: Budget) -> Order {
        let (rules, map, me) = (table.game.rules(), table.game.map(), table.me);
        let values = Values::of(rules, map, &table.state);
        let start = Node { state: table.state, tracks: Cells::EMPTY, hit: None, worth: 0.0, value: 0.0 };
        let mut best = start.clone();
        let mut beam = vec![start];
        for depth in 0..DEPTH {
            let mut next: Vec<Node> = Vec::new();
            for node in &beam {
                if node.state.over.is_some() {
                    next.push(node.clone());
                    continue;
                }
                let reply = self.reply(rules, map, &node.state, 1 - me, &values);
                for (tracks, hit, worth) in self.moves(rules, map, &node.state, me, &values, depth) {
                    let mut state = node.state;
                    let mut orders = [Some(reply.clone()), Some(reply.clone())];
                    orders[me] = Some(order(&tracks, hit));
                    table.game.step(&mut state, &orders, &mut Silent);
                    let worth = node.worth + worth;
                    let lead = |points: [i32; 2]| (points[me] - points[1 - me]) as f32;
                    let income = lead(state.links.points.map(|points| points as i32));
                    let value = POINT * (lead(state.scores) + TAIL * income) + worth;
                    let (first, first_hit) = if depth == 0 { (tracks, hit) } else { (node.tracks, node.hit) };
                    next.push(Node { state, tracks: first, hit: first_hit, worth, value });
                    if !budget.spend(1) {
                        break;
                    }
                }
                if budget.is_over() {
                    break;
                }
            }
            // A turn that was not finished has not seen all boards: only the first may decide like that.
            if budget.is_over() && depth > 0 {
                break;
            }
            next.sort_by(|a, b| b.value.total_cmp(&a.value));
            next.truncate(WIDTH);
            beam = next;
            if let Some(leader) = beam.first() {
                best = leader.clone();
            }
        }
        order(&best.tracks, best.hit)
    }
}

impl Strategist {
    /// Sets of tracks and hits to try, with their worth, the best first.
    fn moves(
        &self,
        rules: &Rules,
        map: &Map,
        state: &State,
        me: usize,
        values: &Values,
        depth: usize,
    ) -> Vec<(Cells, Option<usize>, f32)> {
        let cells = values.best(&state.free(map), CELLS[usize::from(depth > 0)]);
        let mut ranked: Vec<(f32, Cells)> = sets(map, &cells, rules.paint)
            .into_iter()
            .map(|set| (set.iter().map(|cell| values.at(cell)).sum(), set))
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked.truncate(if depth == 0 { SETS } else { LATER_SETS >> (depth - 1) });
        let hits = self.hits(rules, map, state, me, if depth == 0 { REGIONS } else { 1 });
        let mut moves = Vec::new();
        for (at, &(worth, set)) in ranked.iter().enumerate() {
            // Many sets with the best hit, few with the others.
            let hits = if at < 100 { &hits[..] } else { &hits[..1] };
            for &(hit, credit) in hits {
                moves.push((set, hit, worth + credit));
            }
        }
        moves
    }

    /// The best hits with their credit, and none.
    fn hits(
        &self,
        rules: &Rules,
        map: &Map,
        state: &State,
        me: usize,
        most: usize,
    ) -> Vec<(Option<usize>, f32)> {
        let stakes = self.planner.hits(rules, map, state, me, &[Plan::NONE; 2]);
        let mut hits: Vec<(Option<usize>, f32)> = Map::ids(state.disruptable(rules, map))
            .filter(|&region| stakes[region] > 0.0)
            .map(|region| (Some(region), POINT * stakes[region] / f32::from(rules.ink_threshold)))
            .collect();
        hits.sort_by(|a, b| b.1.total_cmp(&a.1));
        hits.truncate(most);
        hits.push((None, 0.0));
        hits
    }

    /// What the opponent is expected to do.
    fn reply(&self, rules: &Rules, map: &Map, state: &State, player: usize, values: &Values) -> Order {
        let mut tracks = Cells::EMPTY;
        let mut paint = rules.paint;
        for cell in values.best(&state.free(map), 6) {
            if let Some(left) = paint.checked_sub(map.costs[cell]) {
                paint = left;
                tracks.add(cell);
            }
        }
        let hit = self.hits(rules, map, state, player, 1)[0].0;
        order(&tracks, hit)
    }
}
