//! The evaluation of a turn, in lives: lost or taken, now or later.
//!
//! All courses of the turn (surface, move, silence) are weighed with a torpedo before, between and behind their legs. A line
//! is worth the damage it deals over everything the opponent can be, less the opponent's answer to what it is shown of it, less
//! what the way on costs through mines and narrowing water, plus what readiness and secrecy are worth.

use game::Dice;
use ocean_of_code::{Action, Cell, Chain, Direction, Power, SECTORS, Sea, Submarine};

use super::chart::{Chart, Grid, INDICES, cell_at};
use super::course::{Course, Leg, Wanted, courses};
use super::foresight::{Answers, Belief, Foresight, Threat};
use super::knowledge::Knowledge;
use super::steering::open_water;
use super::tactics::{Scene, Tactics, any_of};
use super::voyage::Voyage;
use bots::Budget;

/// The weights of the evaluation, in lives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// A full charge of each power.
    pub(super) charge: [f32; Power::ALL.len()],
    /// Expected damage by the opponent's next shot.
    pub(super) answer: f32,
    /// Expected damage by mines.
    pub(super) mines: f32,
    /// Each doubling of the cells we can be in.
    pub(super) secrecy: f32,
    /// The same, at the end of the way looked ahead.
    pub(super) secrecy_ahead: f32,
    /// To have nowhere to go.
    pub(super) stuck: f32,
    /// To surface.
    pub(super) surface: f32,
    /// To be where the next shot reaches the opponent.
    pub(super) pursuit: f32,
    /// To be near an opponent that is found and does not know where we are; below 0 keeps the distance.
    pub(super) approach: f32,
    /// A certain kill.
    pub(super) kill: f32,
    /// Share of the chance that the opponent is on our mines.
    pub(super) on_mines: f32,
    /// Expected damage that a trigger is worth.
    pub(super) trigger: f32,
    /// The chance that an opponent that could have shot did not: a missing shot makes the cells from which it was possible less likely.
    pub(super) restraint: f32,
    /// Whether a power that is used after the move counts as full when the move charges: what it would gain is lost.
    pub(super) thrifty: bool,
    /// Steps looked ahead.
    pub(super) depth: u8,
}

impl Weights {
    /// Weights chosen by hand.
    pub(super) const BASE: Weights = Weights {
        charge: [0.45, 0.08, 0.75, 0.2],
        answer: 0.8,
        mines: 0.8,
        secrecy: 0.08,
        secrecy_ahead: 0.0,
        stuck: 1.6,
        surface: 1.2,
        pursuit: 0.15,
        approach: 0.0,
        kill: 4.0,
        on_mines: 0.5,
        trigger: 0.55,
        restraint: 1.0,
        thrifty: false,
        depth: 5,
    };
}

/// Tactics that take the line of the greatest value.
pub(super) struct Evaluator {
    weights: Weights,
    knowledge: Option<Knowledge>,
}

impl Evaluator {
    pub(super) fn new(weights: Weights) -> Evaluator {
        Evaluator { weights, knowledge: None }
    }
}

impl Tactics for Evaluator {
    /// A cell in open water of the largest sea, where moves exclude few cells.
    fn start(&mut self, chart: &Chart, dice: &mut Dice) -> Cell {
        self.knowledge = Some(Knowledge::new(chart));
        any_of(chart, &open_water(chart), dice)
    }

    fn line(&mut self, scene: &Scene<'_>, _: &mut Dice, budget: &mut Budget) -> Chain {
        let knowledge = self.knowledge.get_or_insert_with(|| Knowledge::new(scene.chart));
        knowledge.update(scene, self.weights.restraint);
        let enemy = knowledge.enemy.chances();
        let mines = knowledge.enemy.mines(scene.chart);
        Decision::new(scene, knowledge, &self.weights, enemy, mines).line(budget)
    }
}

/// A line under consideration.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) course: Course,
    /// Before which leg to shoot, and where.
    pub(super) shot: Option<(usize, Cell)>,
    pub(super) charge: Option<Power>,
    value: f32,
    pub(super) parts: Parts,
    /// The cost of the way ahead.
    pub(super) ahead: f32,
}

/// Some of what a line is worth, before it is weighed.
#[derive(Clone, Copy, Default)]
pub(super) struct Parts {
    /// The value of the shot.
    pub(super) dealt: f32,
    /// Lives that the opponent's answer is expected to cost.
    pub(super) answered: f32,
    /// The doublings of the cells we can be in.
    pub(super) secrecy: f32,
    /// How well placed the next shot will be.
    pub(super) pursuit: f32,
    /// Lives that mines around the last cell are expected to cost.
    pub(super) hazard: f32,
}

impl Plan {
    pub(super) fn worth(&self) -> f32 {
        self.value - self.ahead
    }
}

/// The weight of a life lost to the own torpedo.
const SELF_HARM: f32 = 1.5;
/// The least value of a shot that is tried.
const LEAST_SHOT: f32 = 0.15;
/// Courses whose way ahead is searched in depth.
const LONG_LOOKS: usize = 20;

/// Everything that one turn is decided by.
pub(super) struct Decision<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) knowledge: &'a Knowledge,
    weights: &'a Weights,
    /// Where the opponent is.
    pub(super) enemy: Box<Grid>,
    enemy_cells: Sea,
    /// Damage a shot at each cell deals.
    damage: Grid,
    /// The damage of the best shot from anywhere.
    pub(super) found: f32,
    /// Where its mines are.
    mines: Box<Grid>,
    /// The mine to set off, if any.
    trigger: Option<Cell>,
}

impl<'a> Decision<'a> {
    /// `enemy` is the chance of each cell that the opponent is there, `mines` the number of its mines there.
    pub(super) fn new(
        scene: &'a Scene<'a>,
        knowledge: &'a Knowledge,
        weights: &'a Weights,
        mut enemy: Box<Grid>,
        mines: Box<Grid>,
    ) -> Decision<'a> {
        let chart = scene.chart;
        let enemy_cells: Sea = chart.water.iter().filter(|&cell| enemy[cell] > 0.0).collect();
        // An opponent that tracks us knows where our mines are.
        let mut total = 0.0;
        let mined = scene.own.mines.iter().fold(Sea::EMPTY, |all, mine| all | chart.blast[mine]);
        for cell in &enemy_cells {
            if mined.contains(cell) {
                enemy[cell] *= weights.on_mines;
            }
            total += enemy[cell];
        }
        if total > 0.0 {
            enemy_cells.iter().for_each(|cell| enemy[cell] /= total);
        }
        let damage = chart.expected_damage(&enemy);
        let found = damage.iter().copied().fold(0.0, f32::max);
        let mut decision =
            Decision { scene, knowledge, weights, enemy, enemy_cells, damage, found, mines, trigger: None };
        decision.trigger = decision.best_trigger();
        decision
    }

    fn lives(&self) -> f32 {
        self.scene.report.lives as f32
    }

    /// The value of an explosion: damage, and more if it kills.
    fn worth(&self, at: usize) -> f32 {
        let chart = self.scene.chart;
        let lives = self.scene.report.opponent_lives;
        let mut worth = self.damage[at];
        if lives <= i32::from(chart.rules().blast_damage) {
            let near = chart.blast[at] & self.enemy_cells;
            let kills = near.iter().filter(|&cell| i32::from(chart.damage(at, cell)) >= lives);
            worth += self.weights.kill * kills.map(|cell| self.enemy[cell]).sum::<f32>();
        }
        worth
    }

    /// The mine to trigger, if one is worth it.
    fn best_trigger(&self) -> Option<Cell> {
        let own = self.scene.own;
        let least = if self.scene.turns_left < 10 { 0.05 } else { self.weights.trigger };
        let active = own.active_mines();
        let worth: Vec<(usize, f32)> = active.iter().map(|mine| (mine, self.worth(mine))).collect();
        let best = worth.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        (best.1 >= least).then(|| cell_at(best.0))
    }

    pub(super) fn line(&self, budget: &mut Budget) -> Chain {
        let Some(plan) = self.best_plan(budget) else { return Chain::only(Action::Surface) };
        self.written(&plan)
    }

    /// The plans whose way ahead was searched. Each plan is misjudged by what `error` returns.
    pub(super) fn plans(
        &self,
        outlook: &mut Outlook<'_>,
        budget: &mut Budget,
        error: &mut impl FnMut() -> f32,
    ) -> Vec<Plan> {
        let depth = self.weights.depth;
        // A short search for every course, then a long search for those that seem best.
        let mut plans: Vec<(Plan, Sea)> = Vec::new();
        for course in self.courses(self.scene.own) {
            if !plans.is_empty() && !budget.spend(1) {
                break;
            }
            let (mut best, seen) = outlook.unarmed(&course);
            // Surfacing costs a life: it is not misjudged as much as the rest.
            let mut error = || if course.surfaces() { error() / 2.0 } else { error() };
            best.value += error();
            for shot in self.shots(&course) {
                let mut plan = outlook.armed(&course, shot);
                plan.value += error();
                if plan.value > best.value {
                    best = plan;
                }
            }
            best.ahead = outlook.ahead(&course, &seen, depth.min(1), &mut || budget.spend(1));
            plans.push((best, seen));
        }
        plans.sort_by(|(a, _), (b, _)| b.worth().total_cmp(&a.worth()));
        let mut searched = 0;
        for (plan, seen) in plans.iter_mut().take(LONG_LOOKS) {
            let ahead = outlook.ahead(&plan.course, seen, depth, &mut || budget.spend(1));
            // A search that was cut short cannot be compared with the others.
            if searched > 0 && budget.is_over() {
                break;
            }
            plan.ahead = ahead;
            searched += 1;
        }
        plans.into_iter().take(searched).map(|(plan, _)| plan).collect()
    }

    fn best_plan(&self, budget: &mut Budget) -> Option<Plan> {
        let mut best: Option<Plan> = None;
        for plan in self.plans(&mut Outlook::new(self), budget, &mut || 0.0) {
            if best.as_ref().is_none_or(|old| plan.worth() > old.worth()) {
                best = Some(plan);
            }
        }
        best
    }

    /// The courses of a submarine with the charges of the own one.
    pub(super) fn courses(&self, own: &Submarine) -> Vec<Course> {
        let rules = self.scene.chart.rules();
        let silence_missing = self.scene.own.missing(rules, Power::Silence);
        let wanted = Wanted {
            surface: self.scene.report.lives > i32::from(rules.surface_damage),
            silence: silence_missing == Some(0),
            silence_after_move: silence_missing == Some(1),
        };
        courses(self.scene.chart, own, wanted)
    }

    /// The cost of mines in each cell; mines count more if the opponent knows our cell better.
    fn hazard(&self, belief: &Belief) -> Grid {
        let chart = self.scene.chart;
        let seen = (4.0 / belief.spread(chart)).clamp(0.1, 1.0);
        let mut hazard = [0.0; INDICES];
        for cell in &chart.water {
            if self.mines[cell] > 0.01 {
                for near in &chart.blast[cell] {
                    let damage = f32::from(chart.damage(cell, near));
                    hazard[near] += self.weights.mines * seen * damage * self.mines[cell].min(1.0);
                }
            }
        }
        hazard
    }

    /// The best shots along a course: one at each stop where the torpedo is ready.
    pub(super) fn shots(&self, course: &Course) -> Vec<(usize, Cell)> {
        let (chart, own) = (self.scene.chart, self.scene.own);
        let Some(missing) = own.missing(chart.rules(), Power::Torpedo) else { return Vec::new() };
        let mut shots = Vec::new();
        let mut gained = 0;
        for (i, stop) in course.stops().iter().enumerate() {
            if i > 0 && matches!(course.legs()[i - 1], Leg::Move(_)) {
                gained = 1;
            }
            // Surfacing does not change the cell.
            let same = i > 0 && course.legs()[i - 1] == Leg::Surface;
            if missing > gained || same {
                continue;
            }
            let worth =
                |target| self.worth(target) - SELF_HARM * f32::from(chart.damage(target, stop.index()));
            let targets = chart.reach[stop.index()].iter().map(|target| (target, worth(target)));
            if let Some((target, worth)) = targets.max_by(|a, b| a.1.total_cmp(&b.1))
                && worth > LEAST_SHOT
            {
                shots.push((i, cell_at(target)));
            }
        }
        shots
    }

    /// The power that a course's move charges: the power that the course needs, else the one worth most.
    fn charge(&self, course: &Course, shot: Option<(usize, Cell)>) -> Option<Power> {
        course.moves()?;
        let (own, rules) = (self.scene.own, self.scene.chart.rules());
        let missing = |power| own.missing(rules, power);
        if course.moves_first() && missing(Power::Silence) == Some(1) {
            return Some(Power::Silence);
        }
        if shot.is_some() && missing(Power::Torpedo) == Some(1) {
            return Some(Power::Torpedo);
        }
        let step = course.legs().iter().position(|leg| matches!(leg, Leg::Move(_))).unwrap_or(0);
        let thrifty = self.weights.thrifty;
        let used = |power| match power {
            Power::Torpedo => shot.is_some_and(|(before, _)| !thrifty || before <= step),
            Power::Silence => course.is_silent() && !(thrifty && course.moves_first()),
            _ => false,
        };
        let gain = |power: Power| {
            let needed = rules.charge(power).filter(|&needed| needed > 0)?;
            let room = used(power) || missing(power).is_some_and(|missing| missing > 0);
            room.then(|| (power, self.weights.charge[power as usize] / f32::from(needed)))
        };
        Power::ALL.into_iter().filter_map(gain).max_by(|a, b| a.1.total_cmp(&b.1)).map(|(power, _)| power)
    }

    /// The value of a line, without mines and the way ahead.
    fn value(
        &self,
        course: &Course,
        shot: Option<(usize, Cell)>,
        charge: Option<Power>,
        belief: &Belief,
        answers: &Answers,
    ) -> (f32, Parts) {
        let (chart, weights) = (self.scene.chart, self.weights);
        let rules = chart.rules();
        let end = course.end();
        let mut parts = Parts::default();
        let mut value = 0.0;
        let mut lives = self.lives();
        if let Some((before, target)) = shot {
            parts.dealt = self.worth(target.index());
            value += parts.dealt;
            let hurt = f32::from(chart.damage(target.index(), course.stops()[before].index()));
            value -= hurt;
            lives -= hurt;
        }
        if course.surfaces() {
            value -= weights.surface;
            lives -= f32::from(rules.surface_damage);
        }
        if lives <= 0.0 {
            return (-100.0, parts);
        }
        // The value of charges after the turn.
        for power in Power::ALL {
            let Some(needed) = rules.charge(power).filter(|&needed| needed > 0) else { continue };
            let used = match power {
                Power::Torpedo => shot.is_some(),
                Power::Silence => course.is_silent(),
                _ => false,
            };
            let full = weights.charge[power as usize];
            if used {
                value -= full;
            }
            if charge == Some(power) {
                value += full / f32::from(needed);
            }
        }
        parts.answered = answers.shot_at(chart, end) + answers.mines_at(chart, end) * weights.mines;
        // With few lives left each life counts more.
        let fear = if parts.answered * 2.0 > lives { 1.5 } else { 1.0 };
        value -= weights.answer * fear * parts.answered;
        parts.secrecy = belief.spread(chart).log2();
        value += weights.secrecy * parts.secrecy;
        parts.pursuit = self.pursuit(end, shot.is_some());
        value += weights.pursuit * parts.pursuit;
        (value + weights.approach * self.approach(end, shot.is_some(), answers.most), parts)
    }

    /// How near we are to an opponent that is found and has not found us. It also leads to an opponent beyond the reach of the next shot.
    fn approach(&self, end: Cell, shot: bool, exposed: f32) -> f32 {
        let (rules, own) = (self.scene.chart.rules(), self.scene.own);
        let armed = !shot && own.missing(rules, Power::Torpedo).is_some_and(|missing| missing <= 1);
        let keen = self.found.min(1.0) * (if armed { 1.0 } else { 0.0 } - exposed).clamp(-1.0, 1.0);
        let near = |cell: usize| {
            1.0 - f32::from(end.steps_to(cell_at(cell)).saturating_sub(rules.torpedo_range)) / 24.0
        };
        keen * self.enemy_cells.iter().map(|cell| self.enemy[cell] * near(cell)).sum::<f32>()
    }

    /// How well placed the next shot will be.
    fn pursuit(&self, end: Cell, shot: bool) -> f32 {
        let (chart, own) = (self.scene.chart, self.scene.own);
        if shot || own.missing(chart.rules(), Power::Torpedo).is_none_or(|missing| missing > 1) {
            return 0.0;
        }
        chart.strike[end.index()].iter().map(|target| self.damage[target]).fold(0.0, f32::max)
    }

    /// The plan as a line: with trigger, mine and sonar where they fit.
    pub(super) fn written(&self, plan: &Plan) -> Chain {
        let chart = self.scene.chart;
        let mut actions = Vec::new();
        let mut trigger = self.trigger;
        for (i, stop) in plan.course.stops().iter().enumerate() {
            if let Some(mine) = trigger
                && chart.damage(mine.index(), stop.index()) == 0
            {
                actions.push(Action::Trigger { target: trigger.take() });
            }
            if let Some((before, target)) = plan.shot
                && before == i
            {
                actions.push(Action::Torpedo { target: Some(target) });
            }
            if let Some(leg) = plan.course.legs().get(i) {
                actions.push(match *leg {
                    Leg::Surface => Action::Surface,
                    Leg::Move(direction) => Action::Move { direction, charge: plan.charge },
                    Leg::Silence(direction, steps) => Action::Silence { direction, steps },
                });
            }
        }
        if let Some(direction) = self.mine_side(plan) {
            actions.push(Action::Mine { direction });
        }
        if let Some(sector) = self.sonar(plan) {
            actions.push(Action::Sonar { sector });
        }
        actions.into_iter().collect()
    }

    fn is_ready_after(&self, power: Power, plan: &Plan) -> bool {
        let missing = self.scene.own.missing(self.scene.chart.rules(), power);
        missing.is_some_and(|missing| missing <= u8::from(plan.charge == Some(power)))
    }

    /// On which side to lay a mine, if one is worth it: where it covers cells that no own mine covers yet.
    fn mine_side(&self, plan: &Plan) -> Option<Direction> {
        let (chart, own) = (self.scene.chart, self.scene.own);
        if !self.is_ready_after(Power::Mine, plan) {
            return None;
        }
        let mut mines = own.mines;
        if let Some(cell) = self.trigger {
            mines.discard(cell.index());
        }
        let covered = mines.iter().fold(Sea::EMPTY, |all, mine| all | chart.blast[mine]);
        let best = Direction::ALL
            .into_iter()
            .filter_map(|direction| Some((direction, chart.map().neighbour(plan.course.end(), direction)?)))
            .filter(|(_, cell)| !own.mines.contains(cell.index()))
            .map(|(direction, cell)| (direction, (chart.blast[cell.index()] - covered).len()))
            .max_by_key(|&(_, new)| new)?;
        (best.1 > 3).then_some(best.0)
    }

    /// The sector to ask for: the one about which least is known.
    fn sonar(&self, plan: &Plan) -> Option<u8> {
        let chart = self.scene.chart;
        if !self.is_ready_after(Power::Sonar, plan) {
            return None;
        }
        let share = |sector| chart.sector(sector).iter().map(|cell| self.enemy[cell]).sum::<f32>();
        let doubt = |sector| (share(sector) - 0.5).abs();
        let best = (1..=SECTORS).min_by(|&a, &b| doubt(a).total_cmp(&doubt(b)))?;
        (doubt(best) < 0.3).then_some(best)
    }
}

/// What every course of a turn is weighed with.
pub(super) struct Outlook<'a> {
    decision: &'a Decision<'a>,
    foresight: Foresight<'a>,
    hazard: Grid,
}

impl<'a> Outlook<'a> {
    pub(super) fn new(decision: &'a Decision<'a>) -> Outlook<'a> {
        let (chart, knowledge) = (decision.scene.chart, decision.knowledge);
        let threat = Threat::new(chart, &decision.enemy, &decision.mines, &knowledge.ledger);
        let foresight = Foresight::new(chart, threat, &knowledge.own);
        let hazard = decision.hazard(&Belief::of(&knowledge.own));
        Outlook { decision, foresight, hazard }
    }

    /// A course without a shot, and the cells in which the opponent will believe us to be.
    pub(super) fn unarmed(&mut self, course: &Course) -> (Plan, Sea) {
        let decision = self.decision;
        let (belief, answers) = self.foresight.after(course);
        let seen = belief.cells(decision.scene.chart);
        let charge = decision.charge(course, None);
        let value = decision.value(course, None, charge, belief, answers);
        (self.plan(course, None, charge, value), seen)
    }

    /// What the opponent will believe after a plan.
    pub(super) fn believed(&mut self, plan: &Plan) -> Belief {
        match plan.shot {
            None => self.foresight.after(&plan.course).0.clone(),
            Some((before, target)) => self.foresight.after_shot(&plan.course, before, target).0,
        }
    }

    /// A course with a shot.
    pub(super) fn armed(&self, course: &Course, shot: (usize, Cell)) -> Plan {
        let decision = self.decision;
        let charge = decision.charge(course, Some(shot));
        let (belief, answers) = self.foresight.after_shot(course, shot.0, shot.1);
        let value = decision.value(course, Some(shot), charge, &belief, &answers);
        self.plan(course, Some(shot), charge, value)
    }

    /// The same for one of many submarines: what is shown of a course is considered once.
    pub(super) fn armed_again(&mut self, course: &Course, shot: (usize, Cell)) -> Plan {
        let decision = self.decision;
        let charge = decision.charge(course, Some(shot));
        let (belief, answers) = self.foresight.after_shot_again(course, shot.0, shot.1);
        let value = decision.value(course, Some(shot), charge, belief, answers);
        self.plan(course, Some(shot), charge, value)
    }

    /// A line with the value that it has without mines.
    fn plan(
        &self,
        course: &Course,
        shot: Option<(usize, Cell)>,
        charge: Option<Power>,
        (value, mut parts): (f32, Parts),
    ) -> Plan {
        parts.hazard = self.hazard[course.end().index()];
        Plan { course: *course, shot, charge, value: value - parts.hazard, parts, ahead: 0.0 }
    }

    /// The cost of the way ahead after a course.
    pub(super) fn ahead(
        &self,
        course: &Course,
        seen: &Sea,
        depth: u8,
        spend: &mut impl FnMut() -> bool,
    ) -> f32 {
        let Weights { stuck, secrecy_ahead: secrecy, .. } = *self.decision.weights;
        let voyage = Voyage { chart: self.decision.scene.chart, hazard: &self.hazard, stuck, secrecy };
        voyage.cost(course.end(), &course.visited, seen, depth, spend)
    }
}
