//! A match after its end.
//!
//! - [`open`] opens a record by the words of a user: a file, a match of a run, a replay of the contest site.
//! - A [`Recording`] is a record that was played again: the input of each seat, turn by turn, and the recorded answers.
//! - A [`Feeder`] sends a program this input; [`compare`] compares all its answers with the recorded ones, [`answer_at`]
//!   asks it for one turn.
//! - A [`Fork`] continues the match from a turn with other bots or other answers.
//! - [`analyse`] makes an [`Analysis`]: the probability of each player to win at each turn, and the turns that decided the match.
//! - A [`Case`] is the input up to a turn and a property of the answer: a test of a bot.

mod analysis;
mod case;
mod compare;
pub mod estimate;
mod feeder;
mod fork;
mod recording;
mod source;
mod tally;

pub use analysis::{analyse, worst_turn};
pub use case::{Case, CaseError, Expected, Verdict};
pub use compare::{Answered, CatchUpError, Comparison, Difference, Ended, Patience, answer_at, compare};
pub use feeder::{Feeder, NoAnswer};
pub use fork::{Fork, ForkError, ForkInMemoryError, numbered};
pub use recording::{Asked, Recording, RecordingError};
pub use replay::analysis::{Analysis, Better, Moment, Position};
pub use source::{Opened, SourceError, analysis_path, kept_analysis, open};
pub use tally::{SeatTally, Tally};
