//! Where the opponent probably is: particles, weighed by how well its turns fit their places.
//!
//! The opponent decides with what it knows, and that is known to us: it follows us by the actions that we show, as our mirror tracker
//! does, and it can follow itself as our tracker of it does. So before each of its turns we look at the match from its side, and ask our
//! own evaluation what it would do in the place of each particle.

use ocean_of_code::{Power, Rules, Sea, ShownAction, Submarine};

use super::chart::{Chart, Grid};
use super::evaluation::{Decision, Weights};
use super::knowledge::{Knowledge, Ledger, lost};
use super::particles::{Particle, Particles};
use super::policy::{Habits, Policy};
use super::question::Report;
use super::steering::open_water;
use super::tactics::Scene;
use bots::Budget;

/// The weight of a start outside open water, relative to one in it: few players choose a narrow place.
const NARROW_START: f32 = 0.15;
/// The share of the proved chances in those that are returned, in case the opponent has other habits.
const DOUBT: f32 = 0.05;
/// The most particles that are asked what they would do, those with the greatest weights first.
const MOST_ASKED: usize = 200;
/// The order in which most players charge.
const CHARGED_FIRST: [Power; Power::ALL.len()] = [Power::Torpedo, Power::Silence, Power::Mine, Power::Sonar];

/// What the opponent's turns tell beyond proof.
pub(super) struct Inference {
    particles: Particles,
    /// Our charges, as far as the opponent can tell.
    own_ledger: Ledger,
    /// The charges that the opponent probably has.
    charges: [u8; Power::ALL.len()],
}

impl Inference {
    pub(super) fn new(chart: &Chart) -> Inference {
        let open = open_water(chart);
        let start = |cell| if open.contains(cell) { 1.0 } else { NARROW_START };
        Inference {
            particles: Particles::starting(chart, start),
            own_ledger: Ledger::default(),
            charges: [0; Power::ALL.len()],
        }
    }

    /// Updates the knowledge and the particles with a new question. `weights` and `habits` are those of the opponent. Returns the nodes
    /// that were spent.
    pub(super) fn update(
        &mut self,
        scene: &Scene<'_>,
        knowledge: &mut Knowledge,
        weights: &Weights,
        habits: &Habits,
        budget: &mut Budget,
    ) -> u64 {
        let chart = scene.chart;
        knowledge.after_own_line(scene, weights.restraint);
        self.own_ledger.add(chart.rules(), scene.said);
        self.particles.after_own_line(scene);
        let its_view = Knowledge {
            enemy: knowledge.own.clone(),
            own: knowledge.enemy.clone(),
            ledger: self.own_ledger.clone(),
        };
        knowledge.after_its_line(scene);
        let mut nodes = 0;
        if !scene.report.orders.is_empty() {
            nodes = self.follow(scene, its_view, weights, habits, budget);
            charge(chart.rules(), &scene.report.orders, &mut self.charges);
        }
        // The tracker may have proved more.
        self.particles.among(knowledge.enemy.cells());
        if self.particles.all().is_empty() {
            self.particles = Particles::of(&knowledge.enemy.places());
        }
        self.particles.prune();
        nodes
    }

    /// The chance of each cell that the opponent is there.
    pub(super) fn chances(&self, chart: &Chart, knowledge: &Knowledge) -> Box<Grid> {
        let mut chances = self.particles.chances();
        let proved = knowledge.enemy.chances();
        for cell in &chart.water {
            chances[cell] = (1.0 - DOUBT) * chances[cell] + DOUBT * proved[cell];
        }
        chances
    }

    /// The opponent's line: each particle becomes what it can have become, as likely as it would have chosen to.
    fn follow(
        &mut self,
        scene: &Scene<'_>,
        mut its_view: Knowledge,
        weights: &Weights,
        habits: &Habits,
        budget: &mut Budget,
    ) -> u64 {
        let (chart, report) = (scene.chart, scene.report);
        let before = scene.opponent_lives_before();
        let loss = lost(before, report.opponent_lives);
        let surfaced = report.orders.iter().any(|order| matches!(order, ShownAction::Surface(_)));
        let by_itself = if surfaced { chart.rules().surface_damage } else { 0 };
        let by_us = loss.saturating_sub(by_itself);
        its_view.own.settle(chart, by_us);
        let its_report = Report {
            cell: report.cell,
            lives: before - i32::from(by_us),
            opponent_lives: scene.lives_then,
            sonar: None,
            orders: Vec::new(),
        };
        // Its mines are where it knows and we do not.
        let its_own = Submarine { charges: self.charges, mines: Sea::EMPTY, ..*scene.own };
        let its_scene = Scene {
            chart,
            own: &its_own,
            report: &its_report,
            before: None,
            said: &[],
            lives_then: its_report.lives,
            turns_left: scene.turns_left,
        };
        let decision = Decision::new(&its_scene, &its_view, weights, its_view.enemy.chances());
        let mut policy = Policy::new(&decision, habits, &report.orders);
        let mut next: Vec<Particle> = Vec::new();
        let mut unasked: Vec<Particle> = Vec::new();
        // The weight of the particles that were asked, before and after.
        let (mut asked, mut mass, mut agreed) = (0, 0.0, 0.0);
        for particle in self.particles.all() {
            let (mut children, ways) = particle.after(chart, &report.orders, loss);
            if children.is_empty() {
                continue;
            }
            if asked < MOST_ASKED && !budget.is_over() {
                let submarine = Submarine { cell: particle.cell, visited: particle.visited, ..its_own };
                let chances = policy.chances(&submarine, &children, ways, budget);
                asked += 1;
                mass += particle.weight;
                for (child, chance) in children.iter_mut().zip(chances) {
                    child.weight *= chance;
                    agreed += child.weight;
                }
                next.append(&mut children);
            } else {
                for child in &mut children {
                    child.weight /= ways as f32;
                }
                unasked.append(&mut children);
            }
        }
        // Particles that were not asked are taken for average ones.
        if mass > 0.0 {
            for particle in &mut unasked {
                particle.weight *= agreed / mass;
            }
        }
        next.append(&mut unasked);
        self.particles.replace(next, surfaced);
        policy.nodes()
    }
}

/// The charges after a line.
fn charge(rules: &Rules, orders: &[ShownAction], charges: &mut [u8; Power::ALL.len()]) {
    let used = |order: &ShownAction| match order {
        ShownAction::Torpedo(_) => Some(Power::Torpedo),
        ShownAction::Sonar(_) => Some(Power::Sonar),
        ShownAction::Silence => Some(Power::Silence),
        ShownAction::Mine => Some(Power::Mine),
        ShownAction::Move(_) | ShownAction::Surface(_) | ShownAction::Trigger(_) => None,
    };
    for (i, order) in orders.iter().enumerate() {
        if let Some(power) = used(order) {
            charges[power as usize] = 0;
        } else if let ShownAction::Move(_) = order {
            let missing = |power: Power| {
                rules.charge(power).map_or(0, |needed| needed.saturating_sub(charges[power as usize]))
            };
            // A power that was used later in the line had to be full.
            let needed = orders[i..].iter().filter_map(used).find(|&power| missing(power) == 1);
            if let Some(power) = needed.or(CHARGED_FIRST.into_iter().find(|&power| missing(power) > 0)) {
                charges[power as usize] += 1;
            }
        }
    }
}
