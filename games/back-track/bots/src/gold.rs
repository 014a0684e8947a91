//! `gold`: tries every set of tracks that it could place now with every good hit, and takes the best balance.
//!
//! The balance is the exact difference of points in the next turn. Among equals the value of the tracks for open wishes (see
//! [`super::values`]) and the progress of the hit decide.

use back_track::grid::Cells;
use back_track::{Command, Map, Order};
use game::{Game, Silent};

use super::planner::{Beliefs, Plan, Planner, place};
use super::position::{Position, Strategy};
use super::values::{Values, sets};
use bots::Budget;

/// Takes the best balance of the next turn.
pub(super) struct Gold {
    planner: Planner,
}

/// Cells of which sets are made.
const CELLS: usize = 24;
/// Regions that are tried, besides no hit.
const REGIONS: usize = 4;
/// The weight of a point each turn, in units of the value of tracks.
const POINT: f32 = 100.0;

impl Gold {
    pub(super) fn new() -> Gold {
        Gold { planner: Planner::new(Beliefs::USUAL) }
    }
}

impl Strategy for Gold {
    fn order(&mut self, position: &Position, mut budget: Budget) -> Order {
        let (rules, map, state, me) =
            (position.game.rules(), position.game.map(), &position.state, position.me);
        let values = Values::of(rules, map, state);
        let cells = values.best(&state.free(map), CELLS);
        let stakes = self.planner.hits(rules, map, state, me, &[Plan::NONE; 2]);
        let mut regions: Vec<usize> = Map::ids(state.disruptable(rules, map)).collect();
        regions.retain(|&region| stakes[region] > 0.0);
        regions.sort_by(|&a, &b| stakes[b].total_cmp(&stakes[a]));
        regions.truncate(REGIONS);
        let lead = |points: [u32; 2]| points[me] as f32 - points[1 - me] as f32;

        // The best hit is chosen first, without new tracks: it concerns tracks that stand.
        let judge = |tracks: &Cells, hit: Option<usize>| {
            let mut after = *state;
            let mut orders = [Some(Order::default()), Some(Order::default())];
            orders[me] = Some(order(tracks, hit));
            position.game.step(&mut after, &orders, &mut Silent);
            let worth: f32 = tracks.iter().map(|cell| values.at(cell)).sum();
            let progress = hit.map_or(0.0, |region| stakes[region]);
            POINT * lead(after.links.points) + worth + POINT * progress / f32::from(rules.ink_threshold)
        };
        let mut best = (judge(&Cells::EMPTY, None), Cells::EMPTY, None);
        for &hit in &regions {
            let value = judge(&Cells::EMPTY, Some(hit));
            if value > best.0 {
                best = (value, Cells::EMPTY, Some(hit));
            }
        }
        // Sets of greater value first, so that a short budget is spent well.
        let mut sets: Vec<(f32, Cells)> = sets(map, &cells, rules.paint)
            .into_iter()
            .map(|set| (set.iter().map(|cell| values.at(cell)).sum(), set))
            .collect();
        sets.sort_by(|a, b| b.0.total_cmp(&a.0));
        let hit = best.2;
        for (_, set) in &sets {
            let value = judge(set, hit);
            if value > best.0 {
                best = (value, *set, hit);
            }
            if !budget.spend(1) {
                break;
            }
        }
        order(&best.1, best.2)
    }
}

/// The order that places tracks and hits a region.
pub(super) fn order(tracks: &Cells, hit: Option<usize>) -> Order {
    let mut order = Order::default();
    for cell in tracks {
        order.commands.push(place(cell));
    }
    if let Some(region) = hit {
        order.commands.push(Command::DisruptRegion(region as u32));
    }
    order
}
