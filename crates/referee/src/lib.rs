//! A match between programs as a state machine: events and times in, commands out.
//!
//! The [`Referee`] starts no process and reads no clock. Its driver reports what happened and when (a question was written, a
//! line came, a program ended, a deadline passed) and does what [`Referee::poll`] asks for. Time is a duration since the start
//! of the match on a monotonic clock, so that a test plays a thousand timeouts in a millisecond.
//!
//! A match may continue a recorded one: see [`Past`].
//!
//! A player that loses by its own fault has a [`Cause`]. A match that failed by *our* fault is [`Ending::Void`]: it is never
//! scored.

mod cause;
mod clock;
mod past;
mod referee;

pub use cause::{Cause, Exit, Stream};
pub use clock::{Clock, ClockError};
pub use past::{CaughtUp, Past};
pub use referee::{Command, Ending, Question, Referee, Settings, TurnLog};
