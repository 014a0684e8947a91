//! The limits of a bot's thinking: time, or nodes of its search.

use std::time::{Duration, Instant};

use game::Limits;

/// The limit of a bot's thinking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Thinking {
    /// The clock: the limits of the rules, less a margin for the transport of question and answer.
    Clock {
        /// For the first answer.
        first: Duration,
        /// For every later one.
        later: Duration,
    },
    /// A number of nodes of the bot's search per answer: the moves are the same on every machine.
    Nodes(u64),
}

/// Time for the transport of question and answer, and for delays of the machine.
const MARGIN: Duration = Duration::from_millis(15);

impl Thinking {
    /// The clock of the rules, less a margin.
    pub fn within(limits: Limits) -> Thinking {
        let less = |ms: u32| {
            let all = Duration::from_millis(u64::from(ms));
            // The time of the first answer includes the start of the program.
            all.saturating_sub(MARGIN).min(all.mul_f64(0.8)).max(Duration::from_millis(1))
        };
        let first = less(limits.first_turn_ms).min(Duration::from_millis(600)).max(less(limits.turn_ms));
        Thinking::Clock { first, later: less(limits.turn_ms) }
    }

    /// The budget of an answer. It starts now: call this when the first line of the question has come.
    pub fn begin(self, first_answer: bool) -> Budget {
        let begun = Instant::now();
        match self {
            Thinking::Clock { first, later } => {
                let time = if first_answer { first } else { later };
                Budget { begun, time: Some(time), nodes: u64::MAX, all: u64::MAX, over: false }
            }
            Thinking::Nodes(nodes) => Budget { begun, time: None, nodes, all: nodes, over: false },
        }
    }
}

/// The rest of the budget for one answer.
#[derive(Clone, Debug)]
pub struct Budget {
    begun: Instant,
    time: Option<Duration>,
    nodes: u64,
    /// The nodes at the start.
    all: u64,
    over: bool,
}

impl Budget {
    /// Counts `nodes` nodes of search; false when the budget is used up. It reads the clock: a search with very cheap nodes calls it
    /// once for several of them.
    pub fn spend(&mut self, nodes: u64) -> bool {
        self.nodes = self.nodes.saturating_sub(nodes);
        self.over =
            self.over || self.nodes == 0 || self.time.is_some_and(|time| self.begun.elapsed() >= time);
        !self.over
    }

    /// The same budget with at most so many nodes, for a bot with a handicap.
    #[must_use]
    pub fn at_most(self, nodes: u64) -> Budget {
        let nodes = nodes.min(self.nodes);
        Budget { nodes, all: nodes, ..self }
    }

    /// A share of this budget, for the first phase of a search.
    #[must_use]
    pub fn share(&self, share: f64) -> Budget {
        let share = share.clamp(0.0, 1.0);
        let time = self.time.map(|time| time.mul_f64(share));
        let nodes = (self.nodes as f64 * share) as u64;
        Budget { time, nodes, all: nodes, ..self.clone() }
    }

    /// The share that is used up, from 0 to 1. A search in phases plans with it.
    pub fn used(&self) -> f64 {
        let time =
            self.time.map_or(0.0, |time| self.begun.elapsed().as_secs_f64() / time.as_secs_f64().max(1e-6));
        let nodes = 1.0 - self.nodes as f64 / self.all.max(1) as f64;
        if self.over { 1.0 } else { time.max(nodes).clamp(0.0, 1.0) }
    }

    /// Whether nothing is left.
    pub fn is_over(&self) -> bool {
        self.over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_run_out_exactly() {
        let mut budget = Thinking::Nodes(10).begin(false);
        assert!(budget.spend(9));
        assert!((budget.used() - 0.9).abs() < 1e-9);
        assert!(!budget.spend(1));
        assert!(budget.is_over());
    }

    #[test]
    fn nodes_run_out_before_a_long_time() {
        let hour = Duration::from_hours(1);
        let clock = Thinking::Clock { first: hour, later: hour };
        let mut budget = clock.begin(false).at_most(10);
        assert!(budget.spend(5));
        assert!((budget.used() - 0.5).abs() < 1e-9);
        assert!(!budget.spend(5));
        assert_eq!(Thinking::Nodes(3).begin(false).at_most(10).all, 3);
    }

    #[test]
    fn the_clock_leaves_a_margin() {
        let limits = Limits { first_turn_ms: 1000, turn_ms: 50, answer_bytes: 4096 };
        let expected =
            Thinking::Clock { first: Duration::from_millis(600), later: Duration::from_millis(35) };
        assert_eq!(Thinking::within(limits), expected);
    }
}
