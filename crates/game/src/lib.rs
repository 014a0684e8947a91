//! The interface of a game, and what all games share.
//!
//! A game crate implements [`Game`]: rules, state, what each player may see, how answers are read and what they do.
//! Everything else (the match driver, records, verification, simulation, the command line) is written once, against
//! this trait. The code of the rules is pure: no I/O, no clock, no global variable, no thread.
//!
//! The words: a *seat* is the place of a player in a match, counted from 0; an *answer* is the raw line a bot printed; an
//! *order* is an answer that was read; a *turn* is one question to one or more seats and the step that their answers make;
//! a *fault* is what was wrong with an answer.

mod arrays;
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
#[cfg(feature = "ts")]
mod typescript;

pub use arrays::{Arrays, Choice, Layout, write_cells};
pub use cells::Cells;
pub use fault::{Fault, FaultKind, Words, quote, words};
pub use feature::Feature;
pub use game::{Audit, Game, Limits, Range, Rules, RulesError, check_ranges};
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
#[cfg(feature = "ts")]
pub use typescript::TypeScript;
