//! `champion`: tries what it could do now by playing the game on.
//!
//! The candidates of a turn are the next tracks of every plan that promises something, from either end, and every small
//! set of tracks that changes the points at once: a gap closed, a path moved from the opponent's rails to its own. Each is
//! tried by a simulation of the coming turns with the game's own rules, in which both players follow plans, make new ones
//! when those are done or lost, and hit each other's regions. What such a game gives over the opponent is what the
//! candidate is worth. Then the same is done for the regions it could hit, and again for the tracks with the best hit.

use back_track::grid::{Cells, beside, sides};
use back_track::{Command, Links, Map, Order, Rules, State};
use game::{Game, Silent};

use super::planner::{Beliefs, Plan, Planner, doomed, place};
use super::shortcut::shortcut;
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
    /// Ways round regions about to fall that are considered.
    pub(super) detours: usize,
    /// Ways of fewer cells that are considered.
    pub(super) shortcuts: usize,
    /// How the points of the last turn are counted on: by the hits that the paths still stand.
    pub(super) life: f32,
    /// Regions whose disruption is tried.
    pub(super) hits: usize,
}

impl Sight {
    pub(super) const USUAL: Sight =
        Sight { horizon: 10, tail: 2, plans: 12, strokes: 6, detours: 3, shortcuts: 4, life: 0.0, hits: 8 };
}

/// Tracks that belong together.
struct Route {
    cells: Vec<u16>,
    wish: usize,
    /// Points each turn over the opponent when they all stand.
    worth: f32,
    merit: f32,
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
        self.planner.survey(self.rules, self.map, state, 0);
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
        let (state, me) = (self.table.state, self.table.me);
        let mut routes = self.routes(0);
        let doomed = doomed(self.rules, self.map, &state);
        if doomed != 0 {
            let mut detours = self.routes(doomed);
            detours.truncate(self.sight.detours);
            routes.extend(detours);
        }
        let mut ways = self.shortcuts();
        ways.truncate(self.sight.shortcuts);
        routes.extend(ways);
        routes.sort_by(|a, b| b.merit.total_cmp(&a.merit));
        routes.truncate(self.sight.plans);
        let mut candidates: Vec<Candidate> = Vec::new();
        for (at, route) in routes.iter().enumerate() {
            let spare = &routes[usize::from(at == 0) % routes.len()].cells;
            for backwards in [me != 0, me == 0] {
                let mut plan = if backwards {
                    Plan::new(self.map, route.cells.iter().rev().copied(), route.wish, route.worth)
                } else {
                    Plan::new(self.map, route.cells.iter().copied(), route.wish, route.worth)
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

    /// Routes that join blocks, the best first, if the regions `doomed` were inked already.
    fn routes(&mut self, doomed: u64) -> Vec<Route> {
        let mut state = self.table.state;
        if doomed != 0 {
            self.planner.survey(self.rules, self.map, &state, doomed);
            for region in Map::ids(doomed) {
                for tracks in &mut state.tracks {
                    *tracks -= self.map.region_cells[region];
                }
            }
            state.links = Links::of(self.map, &state.tracks);
        }
        let mut routes = Vec::new();
        for pair in self.planner.pairs.clone() {
            let cells = self.planner.route(self.map, &state, &pair).to_vec();
            if cells.is_empty() {
                continue;
            }
            let wish = if doomed == 0 { pair.wish } else { usize::MAX };
            let mut route = self.priced(cells, wish, &state);
            if doomed != 0 {
                route.worth *= 0.5;
                route.merit *= 0.5;
            }
            routes.push(route);
        }
        routes.retain(|route| route.merit > 0.0);
        routes.sort_by(|a, b| b.merit.total_cmp(&a.merit));
        routes
    }

    /// What a route gives when it stands, and how good that is for its paint.
    fn priced(&self, cells: Vec<u16>, wish: usize, state: &State) -> Route {
        let me = self.table.me;
        let lead = |links: &Links| links.points[me] as f32 - links.points[1 - me] as f32;
        let mut tracks = state.tracks;
        let mut paint = 0.0;
        for &cell in &cells {
            tracks[me].add(usize::from(cell));
            paint += f32::from(self.map.costs[usize::from(cell)]);
        }
        let worth = lead(&Links::of(self.map, &tracks)) - lead(&state.links);
        let turns = paint / f32::from(self.rules.paint.max(1));
        let merit = worth / paint.max(1.0) * (self.planner.beliefs.window - turns).max(0.0);
        Route { cells, wish, worth, merit }
    }

    /// Ways of fewer cells for connections that stand, the best first.
    fn shortcuts(&mut self) -> Vec<Route> {
        let state = self.table.state;
        let me = self.table.me;
        let all = (self.map.board - state.inked_cells) | self.map.town_cells;
        let rails = state.rails(self.map);
        let mut routes: Vec<Route> = Vec::new();
        for (wish, ends) in self.map.wishes().iter().enumerate() {
            if state.links.active >> wish & 1 == 0 {
                continue;
            }
            let [from, to] =
                [ends.from, ends.to].map(|town| usize::from(self.map.towns[usize::from(town)].cell));
            for open in [all, all - state.tracks[1 - me]] {
                let Some((cells, steps)) = shortcut(self.map, &open, &rails, from, to) else { continue };
                let known = routes.iter().any(|route| route.cells == cells);
                if cells.is_empty() || steps > usize::from(state.links.lengths[wish]) || known {
                    continue;
                }
                routes.push(self.priced(cells, usize::MAX, &state));
            }
        }
        routes.retain(|route| route.merit > 0.0);
        routes.sort_by(|a, b| b.merit.total_cmp(&a.merit));
        routes
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
            if self.sight.life > 0.0 {
                let mut wishes = state.links.active;
                while wishes != 0 {
                    let wish = wishes.trailing_zeros() as usize;
                    wishes &= wishes - 1;
                    let weak = state.links.regions_of[wish] & state.disruptable(self.rules, self.map);
                    let hits = Map::ids(weak)
                        .map(|region| self.rules.ink_threshold.saturating_sub(state.instability[region]))
                        .min()
                        .unwrap_or(8);
                    let turns = (self.sight.life * f32::from(hits)).min(f32::from(left - horizon));
                    candidate.value += turns * lead(state.links.points_of[wish].map(i32::from));
                }
            }
        } else {
            candidate.value += 1000.0 * lead(state.scores).signum();
        }
        true
    }
}
