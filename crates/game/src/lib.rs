//! What every game of Agon is.
//!
//! A game crate implements [`Game`]: rules, state, what each player may see, how answers are read and what they do.
//! Everything else (the match driver, records, verification, simulation, the command line) is written once, against
//! this trait. Rules are pure: no I/O, no clock, no global, no thread.
//!
//! The words: a *seat* is a place at the table (0-based), an *answer* is the raw line a bot printed, an *order* is an
//! answer that was read, a *turn* is one question to one or more seats, a *fault* is what was wrong with an answer.

mod cells;
mod fault;
mod feature;
mod game;
mod info;
mod log;
mod matches;
mod outcome;
mod paint;
mod rng;
mod score;
mod seat;
mod show;
mod statement;
pub mod text;

#[cfg(feature = "battery")]
pub mod battery;

pub use cells::Cells;
pub use fault::{Fault, FaultKind, quote};
pub use feature::Feature;
pub use game::{Audit, Game, Limits, Rules, check_ranges};
pub use info::{Edition, Info, Lang, League, Selected, Selection, SelectionError};
pub use log::{Journal, Log, Silent};
pub use matches::{Match, MatchError};
pub use outcome::{Outcome, ranks};
pub use paint::{Colour, Painter};
pub use rng::{Dice, JavaRandom, Sha1Prng};
pub use score::ScorePart;
pub use seat::{Seat, Seats};
pub use show::{Mark, MarkKind, Show};
pub use statement::{StatementError, render};
