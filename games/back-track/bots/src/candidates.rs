//! The candidates of a turn: the next tracks of every promising plan, and every small set of tracks that changes the points at once.

use back_track::grid::{Cells, beside, sides};
use back_track::{Links, Map, Order, State};
use game::{Game, Silent};

use super::planner::{Plan, doomed, place};
use super::playout::{Candidate, Search};
use super::shortcut::shortcut;
use super::values::sets;
use bots::Budget;

/// Tracks that belong together.
pub(super) struct Route {
    cells: Vec<u16>,
    /// The wish they are for, if it is open.
    wish: usize,
    /// Points each turn over the opponent when they all stand.
    worth: f32,
    merit: f32,
}

/// The share of its value that a way round a region has while the region stands.
const DETOUR: f32 = 0.5;

impl Search<'_> {
    /// Plans that the opponent may follow, the likeliest first; at least one, which may be no plan.
    pub(super) fn foresee(&mut self) -> Vec<Plan> {
        let them = 1 - self.me;
        let mut routes = self.routes(0, them);
        routes.truncate(self.lookahead.models.div_ceil(2));
        let mut plans = self.either_end(&routes, them);
        plans.truncate(self.lookahead.models);
        if plans.is_empty() {
            plans.push(Plan::NONE);
        }
        plans
    }

    /// Plans for routes, each from either end, with another route for paint that is left over.
    fn either_end(&self, routes: &[Route], player: usize) -> Vec<Plan> {
        let mut plans = Vec::new();
        for (at, route) in routes.iter().enumerate() {
            let spare = &routes[usize::from(at == 0) % routes.len()].cells;
            // The players of a simulation begin at different ends: otherwise they would always meet.
            for backwards in [player != 0, player == 0] {
                let mut cells = route.cells.clone();
                if backwards {
                    cells.reverse();
                }
                let mut plan = Plan::new(self.map, cells, route.wish, route.worth);
                plan.append(spare.iter().copied());
                plans.push(plan);
            }
        }
        plans
    }

    /// The best plans from either end.
    pub(super) fn plans(&mut self) -> Vec<Candidate> {
        let (state, me) = (self.position.state, self.me);
        let mut routes = self.routes(0, me);
        let doomed = doomed(self.rules, self.map, &state);
        if doomed != 0 {
            let mut detours = self.routes(doomed, me);
            detours.truncate(self.lookahead.detours);
            routes.extend(detours);
        }
        let mut ways = self.shortcuts();
        ways.truncate(self.lookahead.shortcuts);
        routes.extend(ways);
        routes.sort_by(|a, b| b.merit.total_cmp(&a.merit));
        routes.truncate(self.lookahead.plans);
        let mut candidates: Vec<Candidate> = Vec::new();
        for plan in self.either_end(&routes, me) {
            let candidate = self.candidate(plan);
            if candidates.iter().all(|other| other.now != candidate.now) {
                candidates.push(candidate);
            }
        }
        candidates
    }

    /// Routes that join blocks, the best for a player first, if the regions `doomed` were inked already.
    fn routes(&mut self, doomed: u64, player: usize) -> Vec<Route> {
        let mut state = self.position.state;
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
            let mut route = self.priced(cells, wish, &state, player);
            if doomed != 0 {
                route.worth *= DETOUR;
                route.merit *= DETOUR;
            }
            routes.push(route);
        }
        routes.retain(|route| route.merit > 0.0);
        routes.sort_by(|a, b| b.merit.total_cmp(&a.merit));
        routes
    }

    /// The points of a finished route, and its merit for its paint.
    fn priced(&self, cells: Vec<u16>, wish: usize, state: &State, player: usize) -> Route {
        let lead = |links: &Links| links.points[player] as f32 - links.points[1 - player] as f32;
        let mut tracks = state.tracks;
        let mut paint = 0.0;
        for &cell in &cells {
            tracks[player].add(usize::from(cell));
            paint += f32::from(self.map.costs[usize::from(cell)]);
        }
        let worth = lead(&Links::of(self.map, &tracks)) - lead(&state.links);
        let turns = paint / f32::from(self.rules.paint.max(1));
        let merit = worth / paint.max(1.0) * (self.planner.beliefs.turns(self.rules) - turns).max(0.0);
        Route { cells, wish, worth, merit }
    }

    /// Ways of fewer cells for connections that stand, the best first.
    fn shortcuts(&mut self) -> Vec<Route> {
        let state = self.position.state;
        let me = self.me;
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
                routes.push(self.priced(cells, usize::MAX, &state, me));
            }
        }
        routes.retain(|route| route.merit > 0.0);
        routes.sort_by(|a, b| b.merit.total_cmp(&a.merit));
        routes
    }

    pub(super) fn candidate(&self, plan: Plan) -> Candidate {
        let state = &self.position.state;
        let before = state.free(self.map);
        let mut free = before;
        plan.place(self.map, &mut free, self.rules.paint, &mut Order::default());
        Candidate { plan, now: before - free, hit: None, value: f32::MIN, error: 0.0 }
    }

    /// Small sets of tracks that change the points at once in our favour, the best first.
    pub(super) fn strokes(&mut self) -> Vec<Cells> {
        let state = self.position.state;
        let me = self.me;
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
            self.position.game.step(&mut after, &orders, &mut Silent);
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
        // Among equal gains the smaller set: the paint that is left can go into a plan.
        found.sort_by_key(|(gain, cells)| (-gain, cells.len()));
        found.truncate(self.lookahead.strokes);
        found.into_iter().map(|(_, cells)| cells).collect()
    }

    /// Mixtures of the best candidates: the tracks of two of them, as far as the paint goes.
    pub(super) fn blends(&self, best: &[Candidate]) -> Vec<Candidate> {
        let mut blends: Vec<Candidate> = Vec::new();
        for (at, a) in best.iter().enumerate() {
            for b in &best[at + 1..] {
                let both: Vec<usize> = (a.now | b.now).iter().collect();
                for set in sets(self.map, &both, self.rules.paint) {
                    let paint: u8 = set.iter().map(|cell| self.map.costs[cell]).sum();
                    let known = best.iter().chain(&blends).any(|other| other.now == set);
                    if paint < self.rules.paint || known {
                        continue;
                    }
                    let now = set.iter().map(|cell| cell as u16);
                    let mut plan =
                        Plan::new(self.map, now.chain(a.plan.core().iter().copied()), usize::MAX, 0.0);
                    plan.append(b.plan.core().iter().copied());
                    blends.push(Candidate { plan, now: set, hit: None, value: f32::MIN, error: 0.0 });
                }
            }
        }
        blends
    }
}
