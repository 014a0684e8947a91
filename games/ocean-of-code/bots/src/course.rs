//! The ways to move in one turn: surfacing or not, move, silence, in every useful order.

use ocean_of_code::{Cell, Direction, Sea, Submarine};

use super::chart::Chart;

/// One part of a course.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leg {
    Surface,
    Move(Direction),
    Silence(Direction, u8),
}

/// The most legs of a course.
const MOST_LEGS: usize = 3;

/// A way to move in one turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    legs: [Leg; MOST_LEGS],
    len: u8,
    /// Where the submarine is before each leg, and after the last.
    stops: [Cell; MOST_LEGS + 1],
    /// Cells visited at the end.
    pub(super) visited: Sea,
}

impl Course {
    fn new(own: &Submarine) -> Course {
        Course {
            legs: [Leg::Surface; MOST_LEGS],
            len: 0,
            stops: [own.cell; MOST_LEGS + 1],
            visited: own.visited,
        }
    }

    pub(super) fn legs(&self) -> &[Leg] {
        &self.legs[..self.len as usize]
    }

    pub(super) fn stops(&self) -> &[Cell] {
        &self.stops[..=self.len as usize]
    }

    pub(super) fn end(&self) -> Cell {
        self.stops[self.len as usize]
    }

    pub(super) fn surfaces(&self) -> bool {
        self.legs().contains(&Leg::Surface)
    }

    pub(super) fn is_silent(&self) -> bool {
        self.legs().iter().any(|leg| matches!(leg, Leg::Silence(..)))
    }

    /// The direction it moves in openly.
    pub(super) fn moves(&self) -> Option<Direction> {
        self.legs()
            .iter()
            .find_map(|leg| if let Leg::Move(direction) = leg { Some(*direction) } else { None })
    }

    /// Direction and steps of its silence.
    pub(super) fn leap(&self) -> Option<(Direction, u8)> {
        self.legs().iter().find_map(|leg| match leg {
            Leg::Silence(direction, steps) => Some((*direction, *steps)),
            _ => None,
        })
    }

    /// Whether its silence comes after its move.
    pub(super) fn moves_first(&self) -> bool {
        let silence = self.legs().iter().position(|leg| matches!(leg, Leg::Silence(..)));
        let step = self.legs().iter().position(|leg| matches!(leg, Leg::Move(_)));
        matches!((step, silence), (Some(step), Some(silence)) if step < silence)
    }

    fn push(&mut self, leg: Leg, cell: Cell) {
        self.legs[self.len as usize] = leg;
        self.len += 1;
        self.stops[self.len as usize] = cell;
    }

    fn surface(mut self) -> Course {
        self.visited = Sea::only(self.end().index());
        let end = self.end();
        self.push(Leg::Surface, end);
        self
    }

    fn step(mut self, chart: &Chart, direction: Direction) -> Option<Course> {
        let next = chart.step(self.end(), direction, &self.visited)?;
        self.visited.add(next.index());
        self.push(Leg::Move(direction), next);
        Some(self)
    }

    /// All silent continuations; staying in place once only.
    fn silences(self, chart: &Chart, all: &mut Vec<Course>) {
        let steps = chart.rules().silence_steps;
        for direction in Direction::ALL {
            let (mut cell, mut visited) = (self.end(), self.visited);
            for gone in 0..=steps {
                if gone > 0 {
                    let Some(next) = chart.step(cell, direction, &visited) else { break };
                    cell = next;
                    visited.add(next.index());
                }
                if gone > 0 || direction == Direction::N {
                    let mut course = self;
                    course.visited = visited;
                    course.push(Leg::Silence(direction, gone), cell);
                    all.push(course);
                }
            }
        }
    }
}

/// Which courses to make.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// Also those that surface first.
    pub(super) surface: bool,
    /// Silence can be used at once.
    pub(super) silence: bool,
    /// Silence can be used after a move that charges it.
    pub(super) silence_after_move: bool,
}

/// All courses, those with the fewest legs first.
pub(super) fn courses(chart: &Chart, own: &Submarine, wanted: Wanted) -> Vec<Course> {
    let mut all = Vec::new();
    let start = Course::new(own);
    let mut bases = vec![start];
    let stuck = Direction::ALL.into_iter().all(|d| chart.step(own.cell, d, &own.visited).is_none());
    if wanted.surface || stuck {
        bases.push(start.surface());
    }
    for base in &bases {
        all.extend(Direction::ALL.into_iter().filter_map(|direction| base.step(chart, direction)));
        if base.surfaces() {
            all.push(*base);
        }
    }
    let moved = all.clone();
    if wanted.silence {
        for base in &bases {
            let mut silent = Vec::new();
            base.silences(chart, &mut silent);
            for course in silent {
                all.push(course);
                for direction in Direction::ALL {
                    all.extend(course.step(chart, direction));
                }
            }
        }
    }
    if wanted.silence || wanted.silence_after_move {
        for course in moved.iter().filter(|course| course.moves().is_some()) {
            course.silences(chart, &mut all);
        }
    }
    all
}
