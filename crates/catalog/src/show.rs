//! A match of any game for spectators.

use game::{Fault, Limits, Mark, Match, MatchError, Rules, Seat, Show};
use serde::Serialize;
use serde_json::Value;

use crate::any::AnyMatch;

/// A match that is watched: [`game::Show`] without its type parameter.
pub trait AnyShow: Send {
    /// The match itself.
    fn play(&self) -> &dyn AnyMatch;
    /// Takes an answer; returns whether it was the last one missing, so that the step was played.
    ///
    /// # Errors
    ///
    /// When no answer of `seat` is awaited.
    fn answer(&mut self, seat: Seat, line: Option<&[u8]>) -> Result<bool, MatchError>;
    /// The number of the turn being played, as [`AnyMatch::turn`] counts.
    fn turn(&self) -> u32 {
        self.play().turn()
    }
    /// Time and size limits of an answer.
    fn limits(&self) -> Limits;
    /// What stays the same for the whole match.
    fn board(&self) -> Value;
    /// What is drawn of the state now; with a seat, only what that player may know.
    fn frame(&self, only_for: Option<Seat>) -> Value;
    /// The events since the last call.
    fn happened(&mut self) -> Vec<Happened>;
    /// What an awaited player may answer.
    fn choices(&self, seat: Seat) -> Value;
    /// The mistakes an answer would have; the answer is not played.
    fn check(&self, seat: Seat, line: &[u8]) -> Vec<Fault>;
}

/// An event of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Happened {
    /// The event.
    pub event: Value,
    /// Its mark on the time line, if it has one.
    pub mark: Option<Mark>,
    /// The seats that may not see it.
    pub secret_from: game::Seats,
}

/// A match and the notes that are shown with it.
pub(crate) struct Showing<G: Show> {
    play: Match<G>,
    notes: G::Notes,
    /// The number of events that [`AnyShow::happened`] has returned.
    returned: usize,
}

impl<G: Show> Showing<G> {
    pub(crate) fn new(play: Match<G>) -> Showing<G> {
        let notes = play.game().notes();
        Showing { play, notes, returned: 0 }
    }
}

fn plain(value: impl Serialize) -> Value {
    serde_json::to_value(value).expect("what is shown is plain data")
}

impl<G: Show> AnyShow for Showing<G>
where
    Match<G>: AnyMatch,
{
    fn play(&self) -> &dyn AnyMatch {
        &self.play
    }

    fn answer(&mut self, seat: Seat, line: Option<&[u8]>) -> Result<bool, MatchError> {
        let steps = self.play.awaited().len() == 1;
        let before = steps.then(|| self.play.state().clone());
        self.play.answer(seat, line)?;
        if let Some(before) = before {
            self.play.game().take_note(&mut self.notes, &before, self.play.state());
        }
        Ok(steps)
    }

    fn limits(&self) -> Limits {
        self.play.game().rules().limits()
    }

    fn board(&self) -> Value {
        plain(self.play.game().board())
    }

    fn frame(&self, only_for: Option<Seat>) -> Value {
        plain(self.play.game().frame(self.play.state(), &self.notes, only_for))
    }

    fn happened(&mut self) -> Vec<Happened> {
        let seats = game::Seats::first(self.play.game().rules().players());
        let events = &self.play.events()[self.returned..];
        self.returned += events.len();
        let secret_from = |event: &G::Event| {
            let mut hidden = game::Seats::NONE;
            seats.filter(|&seat| G::is_secret(event, seat)).for_each(|seat| hidden.add(seat));
            hidden
        };
        let happened = |event: &G::Event| Happened {
            event: plain(event),
            mark: G::mark(event),
            secret_from: secret_from(event),
        };
        events.iter().map(happened).collect()
    }

    fn choices(&self, seat: Seat) -> Value {
        plain(self.play.game().choices(self.play.state(), seat))
    }

    fn check(&self, seat: Seat, line: &[u8]) -> Vec<Fault> {
        let game = self.play.game();
        let order = G::parse(&game.view(self.play.state(), seat), line);
        let mut faults = game.check(self.play.state(), seat, &order);
        for fault in &mut faults {
            fault.turn = self.play.turn();
        }
        faults
    }
}
