//! The one driver of a match: it asks, reads answers, plays steps and keeps the journal. It knows neither processes nor
//! clocks.

use std::fmt;

use crate::{Fault, Game, Journal, Outcome, Rules, Seat, Seats};

/// A match in progress. [`Match::awaited`] names the seats that owe an answer; send each its [`Match::question`] and pass
/// the answers to [`Match::answer`] in any order. The last answer plays the turn.
pub struct Match<G: Game> {
    game: G,
    state: G::State,
    orders: Vec<Option<G::Order>>,
    awaited: Seats,
    /// Seats that were sent their initialization lines.
    greeted: Seats,
    journal: Journal<G::Event>,
    /// Steps played so far.
    steps: u32,
}

/// An answer that was not asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub struct MatchError {
    /// The seat that answered.
    pub seat: Seat,
    /// The seats that owe an answer.
    pub awaited: Seats,
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.awaited.is_empty() {
            return write!(f, "player {} answers, but the game is over", self.seat);
        }
        write!(f, "player {} answers, but the answer of {:?} is awaited", self.seat, self.awaited)
    }
}

impl<G: Game> fmt::Debug for Match<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Match")
            .field("state", &self.state)
            .field("awaited", &self.awaited)
            .finish_non_exhaustive()
    }
}

impl<G: Game> Match<G> {
    /// A match before its first question. The rules must have passed [`Rules::check`].
    pub fn new(rules: G::Rules, seed: i64) -> Self {
        let players = rules.players() as usize;
        let game = G::new(rules, seed);
        let state = game.start();
        let awaited = game.to_act(&state);
        Match {
            game,
            state,
            orders: vec![None; players],
            awaited,
            greeted: Seats::NONE,
            journal: Journal::default(),
            steps: 0,
        }
    }

    /// Rules and map.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The state now.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// Seats whose answer is still missing in this turn; empty when the game is over.
    pub fn awaited(&self) -> Seats {
        self.awaited
    }

    /// What `seat` is sent now: its initialization lines if it has not answered before, then those of this turn.
    pub fn question(&self, seat: Seat, out: &mut String) {
        let view = self.game.view(&self.state, seat);
        if !self.greeted.contains(seat) {
            G::write_init(&view, out);
        }
        G::write_turn(&view, out);
    }

    /// Takes the answer of `seat`, one line without its line feed; `None` when none came in time.
    ///
    /// # Errors
    ///
    /// When no answer of `seat` is awaited; nothing changes then.
    pub fn answer(&mut self, seat: Seat, line: Option<&[u8]>) -> Result<(), MatchError> {
        if !self.awaited.contains(seat) {
            return Err(MatchError { seat, awaited: self.awaited });
        }
        let longest = self.game.rules().limits().answer_bytes;
        self.orders[seat.index()] = line
            .filter(|line| line.len() <= longest)
            .map(|line| G::parse(&self.game.view(&self.state, seat), line));
        self.awaited.discard(seat);
        self.greeted.add(seat);
        if self.awaited.is_empty() {
            let earlier = self.journal.faults.len();
            self.game.step(&mut self.state, &self.orders, &mut self.journal);
            self.orders.fill(None);
            self.steps += 1;
            for fault in &mut self.journal.faults[earlier..] {
                fault.turn = self.steps;
            }
            self.awaited = self.game.to_act(&self.state);
        }
        Ok(())
    }

    /// Steps played so far: the index of the present position in a replay, where 0 is the start.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// The number of the turn being played; once the game is over, of the last turn. This is how turns are numbered for
    /// people, in every game and everywhere: the first answers are turn 1, and turn `k` leads to the position with index
    /// `k` in a replay.
    pub fn turn(&self) -> u32 {
        self.steps + u32::from(!self.awaited.is_empty())
    }

    /// What happened so far.
    pub fn events(&self) -> &[G::Event] {
        &self.journal.events
    }

    /// What was wrong with answers so far, with turns numbered as [`Match::turn`] does.
    pub fn faults(&self) -> &[Fault] {
        &self.journal.faults
    }

    /// The present result; final once no answer is awaited.
    pub fn outcome(&self) -> Outcome {
        self.game.outcome(&self.state)
    }

    /// The end record of a trace.
    pub fn end(&self) -> G::End {
        self.game.end(&self.state, &self.journal.faults)
    }
}
