//! Many matches: a schedule, workers, and a run file that loses no result.
//!
//! A run plays each of its seeds from every seat: the rotations of one seed are a *unit*, the smallest sample for
//! statistics. Each finished match is appended to the run file and forced to disk before it is reported. A run that
//! was stopped, even by `kill -9`, continues where its file ends. The header of the file alone decides which matches
//! are played and in which order they are reported, never the number of workers or the order in which matches end:
//! pairings that depend on results depend on complete rounds only. [`Findings`] are the results of a run.
//!
//! The matches are played by threads of this program ([`Run::play`]) or by the workers of a cluster ([`Run::play_on`]);
//! both use the same loop.

mod coordinator;
mod error;
mod file;
mod findings;
mod header;
mod line;
mod merge;
mod play;
mod reader;
mod schedule;
mod tune;
mod work;
mod worker;

pub use coordinator::{ClusterContext, Coordinator};
pub use error::{InvalidRun, RunError};
pub use file::Run;
pub use findings::{DuelFindings, Findings, Results, TableFindings, TableRow, TuneFindings};
pub use header::{Plan, RunHeader, Shard};
pub use line::{MatchLine, Metric};
pub use merge::{Merged, merge};
pub use play::RunContext;
pub use reader::RunReader;
pub use schedule::Format;
pub use tune::{Parameter, ParameterError, Tuning};
pub use work::{hide_folders, placements, record_path, workers_for};
pub use worker::{Worker, measure_speed};
