//! The opponent's next turn: what it would do in each of its likeliest places after each of our best plans, and the shot that we would
//! have then.

use ocean_of_code::{Action, Cell, Chain, Power, Submarine};

use super::chart::Chart;
use super::evaluation::{Decision, Outlook, Plan, Weights};
use super::foresight::Belief;
use super::mirror::Mirror;
use super::particles::Particle;
use super::policy::choices;
use super::tactics::Scene;
use bots::Budget;

/// Plans to which the replies are considered.
const PLANS: usize = 10;
/// Places of the opponent in which they are.
const PLACES: usize = 6;
/// The least chance of such a place.
const LEAST_PLACE: f32 = 0.04;
/// The difference of worth, in lives, that makes a reply e times less likely.
const TEMPERATURE: f32 = 0.05;
/// Steps that the opponent looks ahead.
const DEPTH: u8 = 2;
/// The weight of a life that a reply costs. The evaluation of a plan counts the answer too, in all places that are possible.
const TAKEN: f32 = 0.7;
/// The weight of a life that our next shot takes.
const DEALT: f32 = 0.15;

/// Everything that the replies depend on.
pub(super) struct Replies<'a> {
    scene: &'a Scene<'a>,
    mirror: Mirror,
    weights: &'a Weights,
    places: Vec<Particle>,
}

impl<'a> Replies<'a> {
    /// `weights` are those of the opponent, `places` its likeliest places first.
    pub(super) fn new(
        scene: &'a Scene<'a>,
        mirror: Mirror,
        weights: &'a Weights,
        places: &[Particle],
    ) -> Replies<'a> {
        let likely = places.iter().take(PLACES).filter(|place| place.weight > LEAST_PLACE);
        Replies { scene, mirror, weights, places: likely.copied().collect() }
    }

    /// The line of the best plan, replies included. Each plan is misjudged by what `error` returns.
    pub(super) fn line(
        &self,
        decision: &Decision<'_>,
        budget: &mut Budget,
        error: &mut impl FnMut() -> f32,
    ) -> Chain {
        let mut outlook = Outlook::new(decision);
        let mut plans = decision.plans(&mut outlook, budget, error);
        plans.sort_by(|a, b| b.worth().total_cmp(&a.worth()));
        let mut best: Option<(&Plan, f32)> = None;
        for plan in plans.iter().take(PLANS) {
            let worth = plan.worth() + self.value(plan, &outlook.believed(plan), budget);
            // A value that was cut short cannot be compared with the others.
            if best.is_some() && budget.is_over() {
                break;
            }
            if best.is_none_or(|(_, old)| worth > old) {
                best = Some((plan, worth));
            }
        }
        best.map_or_else(|| Chain::only(Action::Surface), |(plan, _)| decision.written(plan))
    }

    /// The value of the replies to a plan after which the opponent believes us to be there, and of our next shot.
    fn value(&self, plan: &Plan, believed: &Belief, budget: &mut Budget) -> f32 {
        if self.places.is_empty() {
            return 0.0;
        }
        let chart = self.scene.chart;
        let its_scene = self.mirror.scene(chart);
        let its_decision = self.mirror.decision(&its_scene, self.weights, believed.chances.clone());
        let mut its_outlook = Outlook::new(&its_decision);
        let end = plan.course.end();
        let armed = self.is_armed_after(plan);
        let mut value = 0.0;
        for place in &self.places {
            let hit = plan.shot.map_or(0, |(_, target)| chart.damage(target.index(), place.cell.index()));
            if i32::from(hit) >= self.scene.report.opponent_lives {
                continue;
            }
            let submarine = Submarine { cell: place.cell, visited: place.visited, ..self.mirror.own };
            let (choices, nodes) = choices(&its_decision, &mut its_outlook, &submarine, DEPTH, false);
            budget.spend(nodes);
            let most = choices.iter().map(|choice| choice.worth).fold(f32::MIN, f32::max);
            let likely = |worth: f32| ((worth - most) / TEMPERATURE).exp();
            let all: f32 = choices.iter().map(|choice| likely(choice.worth)).sum();
            for choice in &choices {
                let chance = place.weight * likely(choice.worth) / all;
                let taken = choice.target.map_or(0, |target| chart.damage(target.index(), end.index()));
                let dealt = if armed { next_shot(chart, end, choice.end) } else { 0 };
                value += chance * (DEALT * f32::from(dealt) - TAKEN * f32::from(taken));
            }
        }
        value
    }

    /// Whether the torpedo can be fired in the next turn, after a move.
    fn is_armed_after(&self, plan: &Plan) -> bool {
        let rules = self.scene.chart.rules();
        let missing = match plan.shot {
            Some(_) => rules.charge(Power::Torpedo),
            None => self.scene.own.missing(rules, Power::Torpedo),
        };
        missing.is_some_and(|missing| missing <= 1 + u8::from(plan.charge == Some(Power::Torpedo)))
    }
}

/// The damage of a shot in our next turn, after a move.
fn next_shot(chart: &Chart, from: Cell, at: Cell) -> u8 {
    let reach = &chart.strike[from.index()];
    if reach.contains(at.index()) && from.rings_to(at) > 1 {
        chart.rules().blast_damage
    } else if reach.intersects(&chart.blast[at.index()]) {
        chart.rules().splash_damage
    } else {
        0
    }
}
