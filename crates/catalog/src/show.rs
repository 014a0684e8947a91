//! A match of any game, as people watch it.

use game::{Fault, Limits, Mark, Match, MatchError, Rules, Seat, Show};
use serde::Serialize;
use serde_json::Value;

use crate::face::AnyMatch;

/// A match that is watched: [`game::Show`] without its type.
pub trait AnyShow: Send {
    /// The match itself.
    fn play(&self) -> &dyn AnyMatch;
    /// Takes an answer; tells whether the step was played because it was the last one missing.
    ///
    /// # Errors
    ///
    /// When nobody awaits an answer of `seat`.
    fn answer(&mut self, seat: Seat, line: Option<&[u8]>) -> Result<bool, MatchError>;
    /// The number of the turn being played, as the game's rules count.
    fn turn(&self) -> u32;
    /// What an answer may cost.
    fn limits(&self) -> Limits;
    /// What stays as it is for the whole match.
    fn board(&self) -> Value;
    /// What is drawn of the state now; with a seat, only what that player may know.
    fn frame(&self, only_for: Option<Seat>) -> Value;
    /// What happened since this was last asked.
    fn happened(&mut self) -> Vec<Happened>;
    /// What an awaited player may do.
    fn choices(&self, seat: Seat) -> Value;
    /// All that would be wrong with an answer, which is not given.
    fn check(&self, seat: Seat, line: &[u8]) -> Vec<Fault>;
}

/// An event of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Happened {
    /// The event.
    pub event: Value,
    /// Where the time line should point at it.
    pub mark: Option<Mark>,
    /// The seats that may not know of it.
    pub secret_from: game::Seats,
}

/// A match and what onlookers noted of it.
pub(crate) struct Showing<G: Show> {
    play: Match<G>,
    notes: G::Notes,
    /// Events that were told.
    told: usize,
}

impl<G: Show> Showing<G> {
    pub(crate) fn new(play: Match<G>) -> Showing<G> {
        let notes = play.game().notes();
        Showing { play, notes, told: 0 }
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

    fn turn(&self) -> u32 {
        self.play.game().turn(self.play.state())
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
        let events = &self.play.events()[self.told..];
        self.told += events.len();
        let secret_from = |event: &G::Event| {
            let mut hidden = game::Seats::NONE;
            seats.filter(|&seat| G::is_secret(event, seat)).for_each(|seat| hidden.add(seat));
            hidden
        };
        let tell = |event: &G::Event| Happened {
            event: plain(event),
            mark: G::mark(event),
            secret_from: secret_from(event),
        };
        events.iter().map(tell).collect()
    }

    fn choices(&self, seat: Seat) -> Value {
        plain(self.play.game().choices(self.play.state(), seat))
    }

    fn check(&self, seat: Seat, line: &[u8]) -> Vec<Fault> {
        let game = self.play.game();
        let order = G::parse(&game.view(self.play.state(), seat), line);
        let mut faults = game.check(self.play.state(), seat, &order);
        // Others were not asked here, and owe nothing.
        faults.retain(|fault| fault.seat == seat);
        faults
    }
}
