//! The likely places and paths of the opponent, each with a weight.
//!
//! The tracker knows what is possible; particles know what is likely. Every particle is one place with one trail. Facts (moves,
//! explosions, sonar) exclude particles as they exclude hypotheses of the tracker; besides, each turn of the opponent multiplies the
//! weight of a particle by the chance that a player in its place would have played that turn (see `policy`).

use ocean_of_code::{Cell, Direction, Sea, ShownAction};

use super::chart::{Chart, Grid, INDICES, cell_at, spread};
use super::tactics::Scene;

/// The most particles that are kept from turn to turn: those with the greatest weights.
const MOST: usize = 2_000;

/// The factor for a particle that cannot have laid a mine that was set off. It is not 0, since particles do not always know where they
/// laid mines.
const STRANGE_TRIGGER: f32 = 0.05;

/// A place and a trail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Particle {
    pub(super) cell: Cell,
    pub(super) visited: Sea,
    /// Cells from which mines were laid that have not exploded.
    drops: Sea,
    pub(super) weight: f32,
    /// Lives lost since the last question.
    loss: u8,
}

/// All particles.
#[derive(Debug)]
pub(super) struct Particles {
    all: Vec<Particle>,
}

impl Particles {
    /// One particle for each cell, with these weights.
    pub(super) fn starting(chart: &Chart, weight: impl Fn(usize) -> f32) -> Particles {
        let particle = |cell: usize| Particle {
            cell: cell_at(cell),
            visited: Sea::only(cell),
            drops: Sea::EMPTY,
            weight: weight(cell),
            loss: 0,
        };
        Particles { all: chart.water.iter().map(particle).collect() }
    }

    /// Particles with these cells, trails and weights. Where mines were laid is not known.
    pub(super) fn of(places: &[(Cell, Sea, f32)]) -> Particles {
        let particle =
            |&(cell, visited, weight)| Particle { cell, visited, drops: Sea::EMPTY, weight, loss: 0 };
        Particles { all: places.iter().map(particle).collect() }
    }

    /// Those with the greatest weights come first once they are pruned.
    pub(super) fn all(&self) -> &[Particle] {
        &self.all
    }

    /// The chance of each cell; all together 1, or 0 without particles.
    pub(super) fn chances(&self) -> Box<Grid> {
        let mut chances = Box::new([0.0; INDICES]);
        let total: f32 = self.all.iter().map(|particle| particle.weight).sum();
        if total > 0.0 {
            for particle in &self.all {
                chances[particle.cell.index()] += particle.weight / total;
            }
        }
        chances
    }

    /// Keeps those in these cells.
    pub(super) fn among(&mut self, cells: Sea) {
        self.all.retain(|particle| cells.contains(particle.cell.index()));
    }

    /// The results of the own line, before the opponent moved.
    pub(super) fn after_own_line(&mut self, scene: &Scene<'_>) {
        let chart = scene.chart;
        for action in scene.said {
            match *action {
                ShownAction::Sonar(sector) => match scene.report.sonar {
                    Some(true) => self.among(chart.sector(sector)),
                    Some(false) => self.among(chart.water - chart.sector(sector)),
                    None => {}
                },
                ShownAction::Torpedo(at) | ShownAction::Trigger(at) => {
                    self.all.iter_mut().for_each(|particle| particle.hurt(chart, at));
                }
                _ => {}
            }
        }
    }

    /// What they have become.
    pub(super) fn replace(&mut self, next: Vec<Particle>) {
        self.all = next;
    }

    /// Normalizes the weights and keeps the greatest.
    pub(super) fn prune(&mut self) {
        if self.all.len() > MOST {
            self.all.select_nth_unstable_by(MOST, |a, b| b.weight.total_cmp(&a.weight));
            self.all.truncate(MOST);
        }
        self.all.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        let total: f32 = self.all.iter().map(|particle| particle.weight).sum();
        if total > 0.0 {
            self.all.iter_mut().for_each(|particle| particle.weight /= total);
        }
    }

    /// Those in one cell become one: their trails are forgotten.
    pub(super) fn merge(&mut self) {
        self.all.sort_by_key(|particle| particle.cell.index());
        self.all.dedup_by(|other, kept| {
            let same = other.cell == kept.cell && other.visited == kept.visited;
            if same {
                if other.weight > kept.weight {
                    kept.drops = other.drops;
                }
                kept.weight += other.weight;
            }
            same
        });
    }
}

impl Particle {
    /// What the particle can have become by a line, if all explosions and the surfacing cost it this many lives; and the number of all
    /// ways its silence can have gone.
    pub(super) fn after(&self, chart: &Chart, orders: &[ShownAction], loss: u8) -> (Vec<Particle>, usize) {
        let mut all = vec![*self];
        let mut ways = 1;
        for &order in orders {
            match order {
                ShownAction::Move(direction) => all.retain_mut(|p| p.step(chart, direction)),
                ShownAction::Surface(sector) => {
                    all.retain(|p| p.cell.sector() == sector);
                    for p in &mut all {
                        p.visited = Sea::only(p.cell.index());
                        p.loss = p.loss.saturating_add(chart.rules().surface_damage);
                    }
                }
                ShownAction::Torpedo(target) => {
                    all.retain(|p| chart.reach[target.index()].contains(p.cell.index()));
                    for p in &mut all {
                        p.hurt(chart, target);
                    }
                }
                ShownAction::Silence => {
                    let mut gone = Vec::new();
                    for p in &all {
                        gone.push(*p);
                        for direction in Direction::ALL {
                            let mut next = *p;
                            for _ in 0..chart.rules().silence_steps {
                                if !next.step(chart, direction) {
                                    break;
                                }
                                gone.push(next);
                            }
                        }
                    }
                    all = gone;
                    ways = all.len().max(1);
                }
                ShownAction::Mine => all.iter_mut().for_each(|p| p.drops.add(p.cell.index())),
                ShownAction::Trigger(target) => {
                    let near = spread(&Sea::only(target.index()));
                    for p in &mut all {
                        match (p.drops & near).first() {
                            Some(drop) => p.drops.discard(drop),
                            None => p.weight *= STRANGE_TRIGGER,
                        }
                        p.hurt(chart, target);
                    }
                }
                ShownAction::Sonar(_) => {}
            }
        }
        all.retain(|p| p.loss == loss);
        for p in &mut all {
            p.loss = 0;
        }
        (all, ways)
    }

    fn hurt(&mut self, chart: &Chart, explosion: Cell) {
        self.loss = self.loss.saturating_add(chart.damage(explosion.index(), self.cell.index()));
    }

    fn step(&mut self, chart: &Chart, direction: Direction) -> bool {
        let Some(next) = chart.step(self.cell, direction, &self.visited) else { return false };
        self.cell = next;
        self.visited.add(next.index());
        true
    }
}
