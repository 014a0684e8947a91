//! Where the opponent probably is: particles, weighed by how well its turns fit their places.
//!
//! The opponent decides with what it knows, and that is known to us: it follows us by the actions that we show, as our mirror tracker
//! does, and it can follow itself as our tracker of it does. So before each of its turns we look at the match from its side, and ask our
//! own evaluation what it would do in the place of each particle.

use ocean_of_code::{Power, Rules, ShownAction, Submarine};

use super::chart::{Chart, Grid};
use super::evaluation::Weights;
use super::knowledge::{Knowledge, Ledger, lost};
use super::likelihood::History;
use super::mirror::Mirror;
use super::particles::{Particle, Particles};
use super::policy::{Asked, Habits, Policy};
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
    history: History,
}

impl Inference {
    pub(super) fn new(chart: &Chart) -> Inference {
        let open = open_water(chart);
        let start = |cell| if open.contains(cell) { 1.0 } else { NARROW_START };
        Inference {
            particles: Particles::starting(chart, start),
            own_ledger: Ledger::default(),
            charges: [0; Power::ALL.len()],
            history: History::default(),
        }
    }

    /// Updates the knowledge and the particles with a new question. `weights` and `habits` are those of the opponent. Returns the nodes
    /// that were spent. `hear` is told the answer of each particle that was asked.
    pub(super) fn update(
        &mut self,
        scene: &Scene<'_>,
        knowledge: &mut Knowledge,
        (weights, habits): (&Weights, &Habits),
        budget: &mut Budget,
        hear: &mut impl FnMut(&Particle, Asked),
    ) -> u64 {
        let chart = scene.chart;
        knowledge.after_own_line(scene, weights.restraint);
        self.own_ledger.add(chart.rules(), scene.said);
        self.particles.after_own_line(scene);
        let surfaced = scene.report.orders.iter().any(|order| matches!(order, ShownAction::Surface(_)));
        let before = scene.opponent_lives_before();
        let loss = lost(before, scene.report.opponent_lives);
        let by_us = loss.saturating_sub(if surfaced { chart.rules().surface_damage } else { 0 });
        let mut mirror = self.mirror(scene, knowledge, [before - i32::from(by_us), scene.lives_then]);
        mirror.knowledge.own.settle(chart, by_us);
        knowledge.after_its_line(scene);
        let mut nodes = 0;
        if !scene.report.orders.is_empty() {
            self.history.loss = by_us;
            nodes = self.follow(scene, &mirror, (weights, habits), loss, budget, hear);
            let heading = scene.report.orders.iter().rev().find_map(|order| match order {
                ShownAction::Move(direction) => Some(*direction),
                _ => None,
            });
            self.history.heading = heading.or(self.history.heading);
            if surfaced {
                self.particles.merge();
            }
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

    /// The match from the opponent's side, with its lives and ours.
    pub(super) fn mirror(&self, scene: &Scene<'_>, knowledge: &Knowledge, lives: [i32; 2]) -> Mirror {
        Mirror::new(scene, knowledge, &self.own_ledger, self.charges, lives)
    }

    /// The places in which it is most likely to be, with their trails.
    pub(super) fn places(&self) -> &[Particle] {
        self.particles.all()
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

    /// The opponent's line, which cost it `loss` lives: each particle becomes what it can have become, as likely as it would have chosen
    /// to. Returns the nodes spent.
    fn follow(
        &mut self,
        scene: &Scene<'_>,
        mirror: &Mirror,
        (weights, habits): (&Weights, &Habits),
        loss: u8,
        budget: &mut Budget,
        hear: &mut impl FnMut(&Particle, Asked),
    ) -> u64 {
        let (chart, report) = (scene.chart, scene.report);
        let its_scene = mirror.scene(chart);
        let decision = mirror.decision(&its_scene, weights, mirror.knowledge.enemy.chances());
        let mut policy = Policy::new(&decision, habits, self.history, &report.orders);
        let mut next: Vec<Particle> = Vec::new();
        let mut unasked: Vec<Particle> = Vec::new();
        // The weight of the particles that were asked, before and after.
        let (mut asked, mut mass, mut agreed, mut regret) = (0, 0.0, 0.0, 0.0);
        for particle in self.particles.all() {
            let (mut children, ways) = particle.after(chart, &report.orders, loss);
            if children.is_empty() {
                continue;
            }
            if asked < MOST_ASKED && !budget.is_over() {
                let submarine = Submarine { cell: particle.cell, visited: particle.visited, ..mirror.own };
                let answer = policy.ask(&submarine, &children, ways, budget);
                asked += 1;
                mass += particle.weight;
                for (child, chance) in children.iter_mut().zip(&answer.chances) {
                    child.weight *= chance;
                    agreed += child.weight;
                    regret += child.weight * answer.regret;
                }
                hear(particle, answer);
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
        if agreed > 0.0 {
            let (sum, turns) = self.history.regret;
            self.history.regret = (sum + regret / agreed, turns + 1.0);
        }
        next.append(&mut unasked);
        self.particles.replace(next);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charges_follow_the_line() {
        let cell = ocean_of_code::Cell::new(3, 3).unwrap();
        let step = ShownAction::Move(ocean_of_code::Direction::N);
        let mut charges = [0; Power::ALL.len()];
        for _ in 0..5 {
            charge(&Rules::FULL, &[step], &mut charges);
        }
        assert_eq!(charges, [3, 0, 2, 0]);
        charge(&Rules::FULL, &[ShownAction::Torpedo(cell), step], &mut charges);
        assert_eq!(charges, [1, 0, 2, 0]);
    }
}
