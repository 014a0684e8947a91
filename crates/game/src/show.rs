//! What spectators are shown: data computed from the state, drawn by the viewer.

use serde::Serialize;

use crate::{Game, Seat};

/// A game that can be watched, and that a person can play.
pub trait Show: Game {
    /// What stays the same for the whole match: the map.
    type Board: Serialize;
    /// All that is drawn of a state.
    type Frame: Serialize;
    /// What a player may do now, for a person to choose from.
    type Choices: Serialize;
    /// What is shown and follows from earlier states, not from the present one alone.
    type Notes: Clone + Send + 'static;

    /// The map.
    fn board(&self) -> Self::Board;
    /// The notes before the first turn.
    fn notes(&self) -> Self::Notes;
    /// Updates the notes after a step from `before` to `after`.
    fn take_note(&self, _notes: &mut Self::Notes, _before: &Self::State, _after: &Self::State) {}
    /// What is drawn of a state; with `only_for`, without what that player may not know.
    fn frame(&self, state: &Self::State, notes: &Self::Notes, only_for: Option<Seat>) -> Self::Frame;
    /// What an awaited player may answer.
    fn choices(&self, state: &Self::State, seat: Seat) -> Self::Choices;
    /// Whether an event shows `seat` something that it may not know.
    fn is_secret(_event: &Self::Event, _seat: Seat) -> bool {
        false
    }
    /// The mark of an event on the time line, if it has one.
    fn mark(event: &Self::Event) -> Option<Mark>;
}

/// A mark on the time line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Mark {
    /// What happened.
    pub kind: MarkKind,
    /// The player concerned.
    pub seat: Option<Seat>,
}

/// The kinds of marks on the time line.
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
