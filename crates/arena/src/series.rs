//! Many matches: a schedule, workers, and a run file in which nothing is lost.
//!
//! A run plays each of its seeds from every seat: the rotations of one seed are a *unit*, the smallest thing statistics may
//! count. Each finished match is appended to the run file and forced to disk before it is told to anybody. A run that was
//! stopped, however rudely, goes on where its file ends. What is played and what is told depends on the file's header alone,
//! never on the number of workers or the order in which matches end: where pairings depend on results, they depend on complete
//! rounds.

mod file;
mod header;
mod line;
mod play;
mod schedule;

pub use file::{Run, RunError};
pub use header::{Plan, RunHeader};
pub use line::{MatchLine, Metric};
pub use play::{Venue, record_path, workers_for};
pub use schedule::Format;
