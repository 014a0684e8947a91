//! `champion`: tries what it could do now by playing the game on.
//!
//! The candidates of a turn are the next tracks of every plan that promises something, from either end, and every small
//! set of tracks that changes the points at once: a gap closed, a path moved from the opponent's rails to its own. Each is
//! tried by a simulation of the coming turns with the game's own rules, in which both players follow plans, make new ones
//! when those are done or lost, and hit each other's regions. What such a game gives over the opponent is what the
//! candidate is worth. Then the same is done for the regions it could hit, and again for the tracks with the best hit.

use back_track::grid::{Cells, beside, sides};
use back_track::{Command, Map, Order, Rules, State};
use game::{Game, Silent};

use super::planner::{Beliefs, Plan, Planner, place};
use super::table::{Style, Table};
use crate::budget::Budget;

/// How it looks ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sight {
    /// Turns of a simulation.
    pub(super) horizon: u16,
    /// Turns after it for which the points of its end are counted on.
    pub(super) tail: u16,
    /// Plans that are tried.
    pub(super) plans: usize,
    /// Sets of tracks that change the points at once that are tried.
    pub(super) strokes: usize,
    /// Regions whose disruption is tried.
    pub(super) hits: usize,
}

impl Sight {
    pub(super) const USUAL: Sight = Sight { horizon: 10, tail: 4, plans: 8, strokes: 6, hits: 8 };
}

/// What it could do in a turn.
#[derive(Clone, Copy)]
struct Candidate {
    /// The tracks it would place, now and later.
    plan: Plan,
    /// The tracks it would place now.
    now: Cells,
    hit: Option<usize>,
    value: f32,
}

pub(super) struct Champion {
    sight: Sight,
    planner: Planner,
}

impl Champion {
    pub(super) fn new(sight: Sight, beliefs: Beliefs) -> Champion {
        Champion { sight, planner: Planner::new(beliefs) }
    }
}

impl Style for Champion {
    fn order(&mut self, table: &Table, budget: Budget) -> Order {
        let mut search = Search {
            sight: self.sight,
            planner: &mut self.planner,
            table,
            rules: table.game.rules(),
            map: table.game.map(),
            theirs: Plan::NONE,
            budget,
        };
        let best = search.run();
        let mut order = Order::default();
        for cell in &best.now {
            order.commands.push(place(cell));
        }
        if let Some(region) = best.hit {
            order.commands.push(Command::DisruptRegion(region as u32));
        }
        order
    }
}

struct Search<'a> {
    sight: Sight,
    planner: &'a mut Planner,
    table: &'a Table,
    rules: &'a Rules,
    map: &'a Map,
    /// What the opponent is expected to build.
    theirs: Plan,
    budget: Budget,
}

impl Search<'_> {
    fn run(&mut self) -> Candidate {
        let (state, me) = (&self.table.state, self.table.me);
        self.planner.survey(self.rules, self.map, state);
        self.theirs = self.planner.plan(self.rules, self.map, state, 1 - me);
        let mut tries = self.plans();
        let leading = tries.first().map_or(Plan::NONE, |candidate| candidate.plan);
        for stroke in self.strokes() {
            let mut plan = Plan::new(self.map, stroke.iter().map(|cell| cell as u16), usize::MAX, 0.0);
            plan.append(leading.cells().iter().copied());
            tries.push(self.candidate(plan));
        }
        tries.push(self.candidate(Plan::NONE));
        let mut plans = [Plan::NONE; 2];
        plans[me] = leading;
        plans[1 - me] = self.theirs;
        let stakes = self.planner.hits(self.rules, self.map, state, me, &plans);
        let mut regions: Vec<usize> = Map::ids(state.disruptable(self.rules, self.map)).collect();
        regions.sort_by(|&a, &b| stakes[b].total_cmp(&stakes[a]));
        regions.truncate(self.sight.hits);
        let mut hit = regions.first().copied().filter(|&region| stakes[region] > 0.0);
        let mut best = Candidate { hit, ..tries[0] };
        best.value = f32::MIN;
        for round in 0..2 {
            for at in 0..tries.len() {
                let mut candidate = Candidate { hit, ..tries[at] };
                if round > 0 && candidate.now == best.now {
                    continue;
                }
                if !self.judge(&mut candidate) {
                    return best;
                }
                tries[at].value = candidate.value;
                if candidate.value > best.value {
                    best = candidate;
                }
            }
            let before = hit;
            for region in regions.iter().copied().map(Some).chain([None]) {
                if region == before {
                    continue;
                }
                let mut candidate = Candidate { hit: region, ..best };
                if !self.judge(&mut candidate) {
                    return best;
                }
                if candidate.value > best.value {
                    best = candidate;
                }
            }
            hit = best.hit;
            if hit == before {
                break;
            }
            // With another hit only what was nearly as good is worth another look.
            tries.sort_by(|a, b| b.value.total_cmp(&a.value));
            tries.truncate(8);
        }
        best
    }

    /// The best plans from either end.
    fn plans(&mut self) -> Vec<Candidate> {
        let (state, me) = (&self.table.state, self.table.me);
        let mut ranked: Vec<_> =
            self.planner.pairs.iter().map(|pair| (self.planner.merit(self.rules, pair, me), *pair)).collect();
        ranked.retain(|&(merit, _)| merit > 0.0);
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked.truncate(self.sight.plans);
        let routes: Vec<(Vec<u16>, f32, usize)> = ranked
            .iter()
            .map(|(_, pair)| {
                let route = self.planner.route(self.map, state, pair).to_vec();
                let worth = self.planner.worth(pair, me, route.len() as f32);
                (route, worth, pair.wish)
            })
            .collect();
        let mut candidates: Vec<Candidate> = Vec::new();
        for (at, (route, worth, wish)) in routes.iter().enumerate() {
            let spare = &routes[usize::from(at == 0) % routes.len()].0;
            for backwards in [me != 0, me == 0] {
                let mut plan = if backwards {
                    Plan::new(self.map, route.iter().rev().copied(), *wish, *worth)
                } else {
                    Plan::new(self.map, route.iter().copied(), *wish, *worth)
                };
                plan.append(spare.iter().copied());
                let candidate = self.candidate(plan);
                if candidates.iter().all(|other| other.now != candidate.now) {
                    candidates.push(candidate);
                }
            }
        }
        candidates
    }

    fn candidate(&self, plan: Plan) -> Candidate {
        let state = &self.table.state;
        let before = state.free(self.map);
        let mut free = before;
        plan.place(self.map, &mut free, self.rules.paint, &mut Order::default());
        Candidate { plan, now: before - free, hit: None, value: f32::MIN }
    }

    /// Small sets of tracks that change the points at once in our favour, the best first.
    fn strokes(&mut self) -> Vec<Cells> {
        let state = self.table.state;
        let me = self.table.me;
        let rails = state.rails(self.map);
        let free = state.free(self.map);
        let income = |state: &State| state.links.points[me] as i32 - state.links.points[1 - me] as i32;
        let now = income(&state);
        let mut found: Vec<(i32, Cells)> = Vec::new();
        let paint = self.rules.paint;
        let touches = |cell: usize| sides(&rails, cell) != 0;
        let mut judge = |cells: Cells, budget: &mut Budget| {
            let mut after = state;
            let mut orders = [Some(Order::default()), Some(Order::default())];
            if let Some(order) = &mut orders[me] {
                for cell in &cells {
                    order.commands.push(place(cell));
                }
            }
            self.table.game.step(&mut after, &orders, &mut Silent);
            let gain = income(&after) - now;
            if gain > 0 {
                found.push((gain, cells));
            }
            budget.spend(1)
        };
        for a in free.iter().filter(|&cell| touches(cell)) {
            let Some(left) = paint.checked_sub(self.map.costs[a]) else { continue };
            if sides(&rails, a).count_ones() > 1 && !judge(Cells::only(a), &mut self.budget) {
                break;
            }
            for b in (0..4).map(|direction| beside(a, direction)).filter(|&cell| free.contains(cell)) {
                let Some(left) = left.checked_sub(self.map.costs[b]) else { continue };
                let two = Cells::only(a) | Cells::only(b);
                if a < b && touches(b) {
                    judge(two, &mut self.budget);
                }
                for c in (0..4).map(|direction| beside(b, direction)) {
                    if c > a && free.contains(c) && touches(c) && self.map.costs[c] <= left {
                        judge(two | Cells::only(c), &mut self.budget);
                    }
                }
            }
        }
        // Of equal gain the smaller set: what is left can go into a plan.
        found.sort_by_key(|(gain, cells)| (-gain, cells.len()));
        found.truncate(self.sight.strokes);
        found.into_iter().map(|(_, cells)| cells).collect()
    }

    /// Plays on from a candidate; false when there is no time left to do so.
    fn judge(&mut self, candidate: &mut Candidate) -> bool {
        let me = self.table.me;
        let mut state = self.table.state;
        let mut plans = [candidate.plan; 2];
        plans[1 - me] = self.theirs;
        let mut first = Order::default();
        for cell in &candidate.now {
            first.commands.push(place(cell));
        }
        if let Some(region) = candidate.hit {
            first.commands.push(Command::DisruptRegion(region as u32));
        }
        let mut first = Some(first);
        let left = self.rules.max_turns.saturating_sub(state.turns);
        let horizon = self.sight.horizon.min(left);
        for _ in 0..horizon {
            if !self.budget.spend(1) {
                return false;
            }
            if first.is_none() {
                self.planner.renew(self.rules, self.map, &state, &mut plans);
            }
            let orders = [0, 1].map(|player| {
                let mine = if player == me { first.take() } else { None };
                mine.or_else(|| Some(self.planner.order(self.rules, self.map, &state, player, &plans)))
            });
            self.table.game.step(&mut state, &orders, &mut Silent);
            if state.over.is_some() {
                break;
            }
        }
        let lead = |values: [i32; 2]| (values[me] - values[1 - me]) as f32;
        candidate.value = lead(state.scores);
        if state.over.is_none() {
            let tail = f32::from(self.sight.tail.min(left - horizon));
            candidate.value += tail * lead(state.links.points.map(|points| points as i32));
        } else {
            candidate.value += 1000.0 * lead(state.scores).signum();
        }
        true
    }
}
