//! Receivers of the events and faults of a step.

use crate::Fault;

/// Receives the events and faults of a step. The receiver decides whether a value is made at all: with [`Silent`] the calls
/// compile to nothing, so that a searching bot runs the same step as the referee at no cost.
pub trait Log<Event> {
    /// Something happened in the game.
    fn event(&mut self, make: impl FnOnce() -> Event);
    /// Something was wrong with an answer.
    fn fault(&mut self, make: impl FnOnce() -> Fault);
}

/// Receives nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl<Event> Log<Event> for Silent {
    #[inline(always)]
    fn event(&mut self, _: impl FnOnce() -> Event) {}
    #[inline(always)]
    fn fault(&mut self, _: impl FnOnce() -> Fault) {}
}

/// Keeps everything.
#[derive(Clone, Debug)]
pub struct Journal<Event> {
    /// What happened, in order.
    pub events: Vec<Event>,
    /// What was wrong with answers, in order.
    pub faults: Vec<Fault>,
}

impl<Event> Default for Journal<Event> {
    fn default() -> Self {
        Journal { events: Vec::new(), faults: Vec::new() }
    }
}

impl<Event> Log<Event> for Journal<Event> {
    fn event(&mut self, make: impl FnOnce() -> Event) {
        self.events.push(make());
    }
    fn fault(&mut self, make: impl FnOnce() -> Fault) {
        self.faults.push(make());
    }
}
