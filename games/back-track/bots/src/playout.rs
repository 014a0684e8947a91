//! Tries candidates by playing the game on.
//!
//! Every candidate of a turn (see [`super::candidates`]) is tried by a simulation of the coming turns with the game's own rules, in
//! which both players follow plans, make new ones when those are done or lost, and hit each other's regions. What the
//! game gives more than the opponent gets is the value of the candidate, unless the simulation is judged by
//! what was learned from games (see [`super::value`]). First the tracks are tried, with the hit that looks best;
//! then the regions to hit, with the best tracks; then mixtures of the best tracks, and the best tracks with the best
//! hits. The best candidates are also tried against other opponents, since the opponent's plan is unknown.

use back_track::grid::Cells;
use back_track::{Command, Map, Order, Rules};
use game::{Game, Silent};

use super::planner::{Plan, Planner, place};
use super::position::Position;
use super::value::{self, Course, Features};
use bots::Budget;

/// How far and how widely a bot looks ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lookahead {
    /// Turns of a simulation.
    pub(super) horizon: u16,
    /// Turns after the simulation for which the points of its last turn are assumed to continue.
    pub(super) tail: u16,
    /// The factor by which the points of each further turn count less: later turns are less certain.
    pub(super) trust: f32,
    /// Plans that are tried.
    pub(super) plans: usize,
    /// Sets of tracks that change the points at once that are tried.
    pub(super) strokes: usize,
    /// Ways round regions about to fall that are considered.
    pub(super) detours: usize,
    /// Ways of fewer cells for connections that stand that are considered.
    pub(super) shortcuts: usize,
    /// Regions whose disruption is tried.
    pub(super) hits: usize,
    /// Candidates whose tracks are mixed with each other's, and tried with other hits.
    pub(super) blends: usize,
    /// Hits that are tried with each of them.
    pub(super) crosses: usize,
    /// Opponents against whom the best are tried.
    pub(super) models: usize,
    /// The number of the best candidates that are tried against them.
    pub(super) finalists: usize,
    /// Whether a simulation is judged by the learned value, not by its points.
    pub(super) learned: bool,
}

/// What a bot could do in a turn.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    /// The tracks it would place, now and later.
    pub(super) plan: Plan,
    /// The tracks it would place now.
    pub(super) now: Cells,
    /// The region it would hit.
    pub(super) hit: Option<usize>,
    /// Its value.
    pub(super) value: f32,
    /// The error that the value contains.
    pub(super) error: f32,
}

impl Candidate {
    /// The answer.
    pub(super) fn order(&self) -> Order {
        let mut order = Order::default();
        for cell in &self.now {
            order.commands.push(place(cell));
        }
        if let Some(region) = self.hit {
            order.commands.push(Command::DisruptRegion(region as u32));
        }
        order
    }
}

/// How a simulation ended.
pub(super) struct Ending {
    /// The difference of points, of which later ones count less.
    pub(super) by_points: f32,
    /// What the learned value reads of it, if that is asked for and the game goes on.
    pub(super) features: Option<Features>,
}

/// A winner's bonus: more than any track is worth.
const WIN: f32 = 1000.0;

/// Looks for the best candidate of a turn.
pub(super) fn best(
    planner: &mut Planner,
    lookahead: Lookahead,
    position: &Position,
    budget: Budget,
) -> Candidate {
    let mut search = Search::new(planner, lookahead, position, position.me, budget);
    search.run();
    search.settle()
}

pub(super) struct Search<'a> {
    pub(super) lookahead: Lookahead,
    pub(super) planner: &'a mut Planner,
    pub(super) position: &'a Position,
    /// The player whose answer is looked for.
    pub(super) me: usize,
    pub(super) rules: &'a Rules,
    pub(super) map: &'a Map,
    /// Plans that the opponent may follow, the likeliest first.
    theirs: Vec<Plan>,
    /// The answer that the opponent is expected to give; without one it follows the likeliest plan.
    pub(super) rival: Option<Candidate>,
    /// All that was tried.
    tried: Vec<Candidate>,
    pub(super) budget: Budget,
    /// The share of the budget that this search may use.
    pub(super) until: f64,
    /// By how much the next candidate is misjudged; without it by nothing.
    pub(super) error: Option<&'a mut dyn FnMut() -> f32>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        planner: &'a mut Planner,
        lookahead: Lookahead,
        position: &'a Position,
        me: usize,
        budget: Budget,
    ) -> Search<'a> {
        let (rules, map) = (position.game.rules(), position.game.map());
        let (theirs, tried) = (Vec::new(), Vec::new());
        Search {
            lookahead,
            planner,
            position,
            me,
            rules,
            map,
            theirs,
            rival: None,
            tried,
            budget,
            until: 1.0,
            error: None,
        }
    }

    /// Tries what there is to try; stops where the budget ends.
    pub(super) fn run(&mut self) {
        self.planner.survey(self.rules, self.map, &self.position.state, 0);
        self.theirs = self.foresee();
        // The survey is that of the present board until detours are searched.
        let mut candidates = self.plans();
        let leading = candidates.first().map_or(Plan::NONE, |candidate| candidate.plan);
        let regions = self.regions(leading);
        let hit = regions.first().copied().flatten();
        // The candidate that remains if the budget ends at once.
        let first = candidates.first().copied().unwrap_or_else(|| self.candidate(Plan::NONE));
        self.tried.push(Candidate { hit, ..first });
        for stroke in self.strokes() {
            let mut plan = Plan::new(self.map, stroke.iter().map(|cell| cell as u16), usize::MAX, 0.0);
            plan.append(leading.cells().iter().copied());
            candidates.push(self.candidate(plan));
        }
        candidates.push(self.candidate(Plan::NONE));
        for candidate in candidates {
            if !self.attempt(Candidate { hit, ..candidate }) {
                return;
            }
        }
        let best = self.leaders(1)[0];
        for &region in &regions {
            if region != hit && !self.attempt(Candidate { hit: region, ..best }) {
                return;
            }
        }
        let hit = self.leaders(1)[0].hit;
        let leaders = self.different_tracks(self.lookahead.blends);
        for candidate in self.blends(&leaders) {
            if !self.attempt(Candidate { hit, ..candidate }) {
                return;
            }
        }
        // The regions that did best with the same tracks.
        let hits: Vec<Option<usize>> = {
            let mut hits = Vec::new();
            for candidate in self.leaders(usize::MAX) {
                if candidate.now == best.now && hits.len() < self.lookahead.crosses {
                    hits.push(candidate.hit);
                }
            }
            hits
        };
        for candidate in self.different_tracks(self.lookahead.blends) {
            for &hit in &hits {
                let known = self.tried.iter().any(|other| other.now == candidate.now && other.hit == hit);
                if !known && !self.attempt(Candidate { hit, ..candidate }) {
                    return;
                }
            }
        }
    }

    /// The regions to try, the most promising first; `None` stands for no hit.
    fn regions(&self, leading: Plan) -> Vec<Option<usize>> {
        let (state, me) = (&self.position.state, self.me);
        let mut plans = [leading; 2];
        plans[1 - me] = self.theirs[0];
        let stakes = self.planner.hits(self.rules, self.map, state, me, &plans);
        let mut regions: Vec<usize> = Map::ids(state.disruptable(self.rules, self.map)).collect();
        regions.sort_by(|&a, &b| stakes[b].total_cmp(&stakes[a]));
        regions.truncate(self.lookahead.hits);
        let promising = regions.iter().filter(|&&region| stakes[region] > 0.0).count();
        let mut regions: Vec<Option<usize>> = regions.into_iter().map(Some).collect();
        regions.insert(promising, None);
        regions
    }

    /// Tries a candidate; false when the budget is used up.
    pub(super) fn attempt(&mut self, mut candidate: Candidate) -> bool {
        if self.until < 1.0 && self.budget.used() >= self.until {
            return false;
        }
        match self.simulate(&candidate, 0) {
            Some(value) => {
                candidate.error = self.error.as_mut().map_or(0.0, |error| error());
                candidate.value = value + candidate.error;
                self.tried.push(candidate);
                true
            }
            None => false,
        }
    }

    /// The best of what was tried, best first.
    pub(super) fn leaders(&self, most: usize) -> Vec<Candidate> {
        let mut leaders = self.tried.clone();
        // A stable order: among equals the candidate that was tried first, which looked better.
        leaders.sort_by(|a, b| b.value.total_cmp(&a.value));
        leaders.truncate(most);
        leaders
    }

    /// The best of what was tried, no two with the same tracks.
    fn different_tracks(&self, most: usize) -> Vec<Candidate> {
        let mut leaders: Vec<Candidate> = Vec::new();
        for candidate in self.leaders(usize::MAX) {
            if leaders.len() < most && leaders.iter().all(|other| other.now != candidate.now) {
                leaders.push(candidate);
            }
        }
        leaders
    }

    /// The best of what was tried, no two alike.
    pub(super) fn different_answers(&self, most: usize) -> Vec<Candidate> {
        let mut leaders: Vec<Candidate> = Vec::new();
        for candidate in self.leaders(usize::MAX) {
            let alike = |other: &Candidate| other.now == candidate.now && other.hit == candidate.hit;
            if leaders.len() < most && !leaders.iter().any(alike) {
                leaders.push(candidate);
            }
        }
        leaders
    }

    /// Tries the best against the other opponents as well and returns the one that does best on average.
    fn settle(&mut self) -> Candidate {
        let leaders = self.leaders(self.lookahead.finalists.max(1));
        let mut best = leaders[0];
        let mut most = f32::MIN;
        for leader in leaders {
            let mut sum = leader.value;
            for model in 1..self.theirs.len() {
                let Some(value) = self.simulate(&leader, model) else { return best };
                sum += value;
            }
            if sum > most {
                most = sum;
                best = leader;
            }
        }
        best
    }

    /// The value of a candidate; `None` when the budget is used up.
    fn simulate(&mut self, candidate: &Candidate, model: usize) -> Option<f32> {
        if let Some(rival) = self.rival {
            return self.meet(candidate, &rival);
        }
        let me = self.me;
        let mut plans = [candidate.plan; 2];
        plans[1 - me] = self.theirs[model];
        let mut first = [None, None];
        first[me] = Some(candidate.order());
        self.play_on(plans, first).map(|ending| self.value(&ending))
    }

    /// The value of an answer of each player; `None` when the budget is used up.
    pub(super) fn meet(&mut self, mine: &Candidate, theirs: &Candidate) -> Option<f32> {
        self.encounter(mine, theirs).map(|ending| self.value(&ending))
    }

    /// The value of a simulation.
    fn value(&self, ending: &Ending) -> f32 {
        let scores = self.position.state.scores;
        match &ending.features {
            Some(features) => {
                (scores[self.me] - scores[1 - self.me]) as f32 + value::of(self.rules, features)
            }
            None => ending.by_points,
        }
    }

    /// Plays on from an answer of each player; `None` when the budget is used up.
    pub(super) fn encounter(&mut self, mine: &Candidate, theirs: &Candidate) -> Option<Ending> {
        let mut plans = [mine.plan; 2];
        plans[1 - self.me] = theirs.plan;
        let mut first = [mine, mine].map(|candidate| Some(candidate.order()));
        first[1 - self.me] = Some(theirs.order());
        self.play_on(plans, first)
    }

    /// Plays on with these plans and first answers; a player without a first answer follows its plan. `None` when the budget is used
    /// up.
    fn play_on(&mut self, mut plans: [Plan; 2], mut first: [Option<Order>; 2]) -> Option<Ending> {
        let me = self.me;
        let mut state = self.position.state;
        let left = self.rules.max_turns.saturating_sub(state.turns);
        let horizon = self.lookahead.horizon.min(left);
        let lead = |values: [i32; 2]| (values[me] - values[1 - me]) as f32;
        let mut value = lead(state.scores);
        let mut weight = 1.0;
        let mut course = self.lookahead.learned.then(|| Course::new(me));
        for turn in 0..horizon {
            if !self.budget.spend(1) {
                return None;
            }
            if turn > 0 {
                self.planner.renew(self.rules, self.map, &state, &mut plans);
            }
            let orders = match first {
                [Some(_), Some(_)] => std::mem::take(&mut first),
                _ => {
                    let mut orders = self.planner.orders(self.rules, self.map, &state, &plans).map(Some);
                    for (order, first) in orders.iter_mut().zip(&mut first) {
                        *order = first.take().or_else(|| order.take());
                    }
                    orders
                }
            };
            let before = state.scores;
            self.position.game.step(&mut state, &orders, &mut Silent);
            value += weight * (lead(state.scores) - lead(before));
            weight *= self.lookahead.trust;
            if state.over.is_some() {
                let by_points = value + WIN * lead(state.scores).signum();
                return Some(Ending { by_points, features: None });
            }
            if let Some(course) = &mut course {
                course.gained(turn.into(), [0, 1].map(|player: usize| state.scores[player] - before[player]));
                if turn == 0 {
                    let potential = self.planner.potential(self.rules, self.map, &state);
                    course.stands(&value::board(self.rules, self.map, &state, me, potential));
                }
            }
        }
        let tail = f32::from(self.lookahead.tail.min(left - horizon));
        let by_points = value + weight * tail * lead(state.links.points.map(|points| points as i32));
        Some(Ending { by_points, features: course.map(|course| *course.features()) })
    }
}
