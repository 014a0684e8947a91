//! Matches in a form for people.
//!
//! A [`Replayer`] turns answers into [`wire::Step`]s, the same way for a record ([`replay_of`]), a match that is
//! being played ([`Live`]) and a game of a person ([`HumanGame`]). [`wire`] is the form in which pages get them, and
//! [`analysis`] that of the probabilities to win; [`redact`] removes the parts that other users may not see.

pub mod analysis;
mod continuation;
mod error;
mod human_game;
mod live;
pub mod redact;
mod replayer;
pub mod wire;

#[cfg(test)]
mod types;

pub use error::{HumanGameError, ReplayError};
pub use human_game::{HumanGame, Respond, Response, opponents};
pub use live::Live;
pub use replayer::{AnswerMeta, Replayer, replay_of};
