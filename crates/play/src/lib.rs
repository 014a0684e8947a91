//! One match between programs.
//!
//! A [`Runner`] plays a [`MatchPlan`]: it drives the referee's state machine with the events of sandboxed processes
//! and the times of a monotonic clock. The result is a [`PlayedMatch`]; [`to_record`] makes its record, and
//! [`Command::again`] the command line that plays it again.

mod again;
mod host;
mod match_loop;
mod player_process;
mod record;
mod runner;
mod sched_stat;
mod score;

pub use again::Command;
pub use host::{Heartbeat, Pinned, Placement, available_memory, cores};
pub use record::{metrics_by_seat, metrics_of, to_record, write_record};
pub use runner::{Compliance, MatchPlan, PlayedMatch, Runner, StartedMatch, Watcher};
pub use score::{said_score, said_scores};
