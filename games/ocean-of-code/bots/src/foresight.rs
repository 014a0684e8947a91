//! The opponent's expected answer to a line: the cells in which it believes us to be, its best shots under this belief, and their cost
//! for us on our true cell.

use std::collections::HashMap;

use ocean_of_code::{Cell, Direction, Power, Sea};

use super::chart::{Chart, Grid, INDICES};
use super::course::{Course, Leg};
use super::knowledge::Ledger;
use super::tracker::Tracker;

/// The opponent's belief about our cell.
#[derive(Clone)]
pub(super) struct Belief {
    pub(super) chances: Box<Grid>,
}

impl Belief {
    pub(super) fn of(tracker: &Tracker) -> Belief {
        Belief { chances: tracker.chances() }
    }

    /// After an open move, trails taken into account.
    pub(super) fn after_move(tracker: &Tracker, chart: &Chart, direction: Direction) -> Belief {
        Belief { chances: tracker.chances_after_move(chart, direction) }
    }

    /// After a leg, trails forgotten.
    pub(super) fn after(&self, chart: &Chart, leg: Leg, from: Cell) -> Belief {
        let mut chances: Box<Grid> = Box::new([0.0; INDICES]);
        let possible = chart.water.iter().filter(|&cell| self.chances[cell] > 0.0);
        match leg {
            Leg::Surface => {
                let sector = chart.sector(from.sector());
                possible
                    .filter(|&cell| sector.contains(cell))
                    .for_each(|cell| chances[cell] = self.chances[cell]);
            }
            Leg::Move(direction) => {
                for cell in possible {
                    if let Some(next) = chart.map().neighbour(super::chart::cell_at(cell), direction) {
                        chances[next.index()] += self.chances[cell];
                    }
                }
            }
            Leg::Silence(..) => {
                for cell in possible {
                    let chance = self.chances[cell];
                    chances[cell] += chance;
                    for direction in Direction::ALL {
                        let mut at = super::chart::cell_at(cell);
                        for _ in 0..chart.rules().silence_steps {
                            let Some(next) = chart.map().neighbour(at, direction) else { break };
                            chances[next.index()] += chance;
                            at = next;
                        }
                    }
                }
            }
        }
        Belief { chances }.normal(chart, from)
    }

    /// After a torpedo was seen.
    pub(super) fn after_shot(&self, chart: &Chart, target: Cell, from: Cell) -> Belief {
        let mut chances: Box<Grid> = Box::new([0.0; INDICES]);
        for cell in &chart.reach[target.index()] {
            chances[cell] = self.chances[cell];
        }
        Belief { chances }.normal(chart, from)
    }

    /// Makes the sum of all chances 1. If nothing is left, the opponent knows our cell.
    fn normal(mut self, chart: &Chart, found: Cell) -> Belief {
        let total: f32 = chart.water.iter().map(|cell| self.chances[cell]).sum();
        if total > 0.0 {
            for cell in &chart.water {
                self.chances[cell] /= total;
            }
        } else {
            self.chances[found.index()] = 1.0;
        }
        self
    }

    /// The cells with more than a small chance.
    pub(super) fn cells(&self, chart: &Chart) -> Sea {
        chart.water.iter().filter(|&cell| self.chances[cell] > 0.002).collect()
    }

    /// The number of equally likely cells with the same uncertainty.
    pub(super) fn spread(&self, chart: &Chart) -> f32 {
        let sum: f32 = chart.water.iter().map(|cell| self.chances[cell] * self.chances[cell]).sum();
        1.0 / sum.max(1.0 / INDICES as f32)
    }
}

/// What the opponent can do next.
pub(super) struct Threat {
    /// Its chances to be in each cell.
    places: Vec<(usize, f32)>,
    /// Cells from which each target can be hit.
    torpedo: bool,
    leaps: bool,
    /// Cells in which it has a mine, with the chance.
    mines: Vec<(usize, f32)>,
}

impl Threat {
    pub(super) fn new(chart: &Chart, enemy: &Grid, mines: &Grid, ledger: &Ledger) -> Threat {
        let rules = chart.rules();
        let listed = |grid: &Grid, least: f32| {
            let cells = chart.water.iter().map(|cell| (cell, grid[cell]));
            cells.filter(|&(_, chance)| chance > least).collect::<Vec<_>>()
        };
        Threat {
            places: listed(enemy, 0.002),
            // A move of its own may be the charge it needs.
            torpedo: ledger.missing(rules, Power::Torpedo).is_some_and(|missing| missing <= 1),
            leaps: ledger.ready_beside_torpedo(rules, Power::Silence),
            mines: listed(mines, 0.02),
        }
    }

    /// The opponent's answers under this belief.
    pub(super) fn answers(&self, chart: &Chart, belief: &Belief) -> Answers {
        let damage = chart.expected_damage(&belief.chances);
        let mut answers = Answers { shots: Vec::new(), mines: Vec::new(), most: 0.0 };
        let mut targets: Vec<usize> = chart.water.iter().filter(|&cell| damage[cell] > 0.1).collect();
        targets.sort_by(|&a, &b| damage[b].total_cmp(&damage[a]).then(a.cmp(&b)));
        answers.most = targets.first().map_or(0.0, |&best| damage[best]);
        if self.torpedo {
            targets.truncate(40);
            let mut rest = self.places.clone();
            for &target in &targets {
                let near: &Sea = if self.leaps { &chart.leap[target] } else { &chart.strike[target] };
                let mut mass = 0.0;
                rest.retain(|&(cell, chance)| {
                    let hit = near.contains(cell);
                    mass += if hit { chance } else { 0.0 };
                    !hit
                });
                if mass > 0.0 {
                    answers.shots.push((target, damage[target], mass));
                }
                if rest.is_empty() {
                    break;
                }
            }
        }
        for &(cell, chance) in &self.mines {
            if damage[cell] > 0.1 {
                answers.mines.push((cell, damage[cell], chance));
            }
        }
        answers
    }
}

/// The shots and triggers to be expected.
#[derive(Clone)]
pub(super) struct Answers {
    /// Target, damage the opponent expects, chance that it is where it can shoot that far.
    shots: Vec<(usize, f32, f32)>,
    /// The same for mines, with the chance that there is one.
    mines: Vec<(usize, f32, f32)>,
    /// The most damage the opponent can expect of any shot.
    pub(super) most: f32,
}

/// The chance that a player shoots that expects this damage.
fn temptation(expected: f32) -> f32 {
    ((expected - 0.15) * 1.6).clamp(0.0, 1.0)
}

impl Answers {
    /// Expected lives that the torpedo costs a submarine in `cell`. Half of it is the damage that the opponent expects: its target may
    /// be another one.
    pub(super) fn shot_at(&self, chart: &Chart, cell: Cell) -> f32 {
        let cost = |&(target, expected, mass): &(usize, f32, f32)| {
            let real = f32::from(chart.damage(target, cell.index()));
            temptation(expected) * mass * (0.5 * real + 0.5 * expected)
        };
        self.shots.iter().map(cost).sum()
    }

    /// Expected lives mines cost a submarine in `cell`: one can be set off in a turn.
    pub(super) fn mines_at(&self, chart: &Chart, cell: Cell) -> f32 {
        let mut sum: f32 = 0.0;
        for &(target, expected, chance) in &self.mines {
            let real = f32::from(chart.damage(target, cell.index()));
            sum += temptation(expected) * chance.min(1.0) * (0.7 * real + 0.3 * expected);
        }
        sum.min(f32::from(chart.rules().blast_damage))
    }
}

/// What the opponent will believe after a course, and how it will answer, by what it is shown of the course.
pub(super) struct Foresight<'a> {
    chart: &'a Chart,
    threat: Threat,
    tracker: &'a Tracker,
    now: Belief,
    known: Vec<(Key, Belief, Answers)>,
    known_shots: HashMap<(Key, usize, usize), (Belief, Answers)>,
}

/// What of a course is shown: in which sector it surfaces, move, silence, and whether the move comes first.
type Key = (Option<u8>, Option<Direction>, bool, bool);

fn key(course: &Course) -> Key {
    // Courses surface where they begin.
    let sector = course.surfaces().then(|| course.stops()[0].sector());
    (sector, course.moves(), course.is_silent(), course.moves_first())
}

impl<'a> Foresight<'a> {
    pub(super) fn new(chart: &'a Chart, threat: Threat, tracker: &'a Tracker) -> Foresight<'a> {
        Foresight {
            chart,
            threat,
            tracker,
            now: Belief::of(tracker),
            known: Vec::new(),
            known_shots: HashMap::new(),
        }
    }

    /// After a course without a shot.
    pub(super) fn after(&mut self, course: &Course) -> (&Belief, &Answers) {
        let key = key(course);
        let at = match self.known.iter().position(|(known, ..)| *known == key) {
            Some(at) => at,
            None => {
                let belief = self.believed(course, None);
                let answers = self.threat.answers(self.chart, &belief);
                self.known.push((key, belief, answers));
                self.known.len() - 1
            }
        };
        let (_, belief, answers) = &self.known[at];
        (belief, answers)
    }

    /// After a course with a shot before one of its legs, or behind all.
    pub(super) fn after_shot(&self, course: &Course, before: usize, target: Cell) -> (Belief, Answers) {
        let belief = self.believed(course, Some((before, target)));
        let answers = self.threat.answers(self.chart, &belief);
        (belief, answers)
    }

    /// The same, remembered: for many courses that show the same.
    pub(super) fn after_shot_again(
        &mut self,
        course: &Course,
        before: usize,
        target: Cell,
    ) -> (&Belief, &Answers) {
        let key = (key(course), before, target.index());
        if !self.known_shots.contains_key(&key) {
            let found = self.after_shot(course, before, target);
            self.known_shots.insert(key, found);
        }
        let (belief, answers) = &self.known_shots[&key];
        (belief, answers)
    }

    fn believed(&self, course: &Course, shot: Option<(usize, Cell)>) -> Belief {
        let mut belief = self.now.clone();
        for (i, stop) in course.stops().iter().enumerate() {
            if let Some((before, target)) = shot
                && before == i
            {
                belief = belief.after_shot(self.chart, target, *stop);
            }
            match course.legs().get(i) {
                Some(&Leg::Move(direction)) if i == 0 && shot.is_none_or(|(before, _)| before != 0) => {
                    belief = Belief::after_move(self.tracker, self.chart, direction);
                }
                Some(&leg) => {
                    let arrived = course.stops()[i + 1];
                    belief = belief.after(self.chart, leg, if leg == Leg::Surface { *stop } else { arrived });
                }
                None => {}
            }
        }
        belief
    }
}
