//! Matches between programs.
//!
//! A [`BotSpec`] says what plays: a command, a source file, a built-in. [`Workshop::prepare`] makes a [`Bot`] of it (a source is
//! compiled in the box, once per content). A [`Runner`] plays one match: it drives the referee's state machine with the
//! events of sandboxed processes and the times of a clock that never jumps. A [`Run`] plays many: a duel, a tournament, a
//! [`Tuning`].

mod bot;
mod builtin;
mod host;
mod kits;
mod languages;
mod ran;
mod reader;
mod record;
mod runner;
mod series;
mod table;
mod tune;

pub use bot::{Bot, BotSpec, BotSpecError, How, PrepareError, Workshop};
pub use builtin::Builtin;
pub use host::{Heartbeat, Placement, cores};
pub use kits::{KIT_LANGUAGES, KitLanguage, kits};
pub use languages::{LANGUAGES, Language};
pub use reader::RunReader;
pub use record::{metrics_of, to_record, write_record};
pub use runner::{Manners, MatchPlan, PlayedMatch, Runner, Watcher};
pub use series::{
    Format, MatchLine, Metric, Plan, Run, RunError, RunHeader, Venue, record_path, workers_for,
};
pub use tune::{Parameter, ParameterError, Tuning};
