//! What people who watch are shown: projections of the state, drawn by the viewer. Never a second truth.

use serde::Serialize;

use crate::{Game, Seat};

/// A game that can be watched, and played by a person.
pub trait Show: Game {
    /// What stays as it is for the whole match: the map.
    type Board: Serialize;
    /// All that is drawn of a state.
    type Frame: Serialize;
    /// What a player may do now, for a person to choose from.
    type Choices: Serialize;
    /// What onlookers gather over the turns, where it is more than the state holds.
    type Notes: Clone + Send + 'static;

    /// What stays.
    fn board(&self) -> Self::Board;
    /// The notes before the first answer.
    fn notes(&self) -> Self::Notes;
    /// A step was played: `before` became `after`.
    fn take_note(&self, _notes: &mut Self::Notes, _before: &Self::State, _after: &Self::State) {}
    /// What is drawn, with what only others know left out where it is drawn for a player.
    fn frame(&self, state: &Self::State, notes: &Self::Notes, only_for: Option<Seat>) -> Self::Frame;
    /// What an awaited player may do.
    fn choices(&self, state: &Self::State, seat: Seat) -> Self::Choices;
    /// Whether an event tells `seat` what it may not know.
    fn is_secret(_event: &Self::Event, _seat: Seat) -> bool {
        false
    }
    /// Where the time line should point at an event.
    fn mark(event: &Self::Event) -> Option<Mark>;
}

/// A point of the time line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Mark {
    /// What happened.
    pub kind: MarkKind,
    /// To whom, or by whom.
    pub seat: Option<Seat>,
}

/// What a time line points at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    /// A player was hit and lives.
    Hit,
    /// A player is out.
    Kill,
    /// A region was inked.
    Ink,
    /// A connection became active.
    Link,
    /// An order was skipped or cost the game.
    Error,
    /// No answer came in time.
    Timeout,
}

impl Mark {
    /// A mark that concerns a player.
    pub const fn of(kind: MarkKind, seat: Seat) -> Mark {
        Mark { kind, seat: Some(seat) }
    }
}
