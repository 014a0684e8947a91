//! Who listens while a game is played.

use crate::Fault;

/// Listens to a step. The values are made only when somebody listens: [`Silent`] compiles to nothing, so that the
/// referee and a searching bot run the same step.
pub trait Log<Event> {
    /// Something happened in the game.
    fn event(&mut self, make: impl FnOnce() -> Event);
    /// Something was wrong with an answer.
    fn fault(&mut self, make: impl FnOnce() -> Fault);
}

/// Nobody listens.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl<Event> Log<Event> for Silent {
    #[inline(always)]
    fn event(&mut self, _: impl FnOnce() -> Event) {}
    #[inline(always)]
    fn fault(&mut self, _: impl FnOnce() -> Fault) {}
}

/// Everything is written down.
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
