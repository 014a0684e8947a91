//! A match between programs as a state machine: events and times in, commands out.
//!
//! The [`Referee`] starts no process and reads no clock. Whoever drives it tells what happened and when (a question was
//! written, a line came, a program ended, a deadline passed) and does what [`Referee::poll`] asks for. Time is a duration since
//! the start of the match on a clock that never jumps, so that a thousand timeouts are tested in a millisecond.
//!
//! A player that fails does so for a [`Cause`]. A match that *we* failed is [`Ending::Void`]: it is never scored.

mod cause;
mod clock;
mod referee;

pub use cause::{Cause, Exit, Stream};
pub use clock::{Clock, ClockError};
pub use referee::{Command, Ending, Question, Referee, Settings, TurnLog};
