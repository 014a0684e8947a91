//! Contests: leagues, matchmaking, building and playing of submissions, promotion.
//!
//! - [`Leagues`] are data: rules, boss, promotion; a contest has its own copy in its [`Settings`].
//! - [`matchmaking`] and [`model::promotion`] are pure functions from standings to matches and verdicts.
//! - The [`ContestService`] runs contests: worker threads build submissions, play leased matches, record the results
//!   and queue the next matches; a maintenance task handles everything that depends on time. All persistent state is in
//!   the store, so a service may be killed at any moment: the next service continues from the stored state.
//!
//! With a cluster, the workers of other machines build and play too, and several services share one database: one of them leads, that
//! is plans matches, hands out matches and builds, and builds what no worker can; all play and serve.
//!
//! A match that fails by *our* fault is void: it is tried again and never rated. A bot that fails by its own fault
//! loses; its author gets the reason.

mod between;
mod build;
mod cache;
mod dispatch;
mod events;
mod fingerprint;
mod lifecycle;
mod link;
mod live;
mod maintenance;
pub mod matchmaking;
mod play;
mod promotion;
mod remote;
mod report;
mod scheduler;
mod service;
mod trust;
mod work;
mod workshop;

pub use between::{NotDone, Station};
pub use build::language;
pub use cache::{ContestCache, ContestEntry, Contests, PERMANENT};
pub use events::{Event, LadderRef, SeatRef};
pub use link::ClusterConfig;
pub use live::LiveMatch;
pub use model::{Final, GameLeagues, League, Leagues, LeaguesError, Settings, Text, Trial, Way};
pub use report::{PairReport, ReportedAccount, ReportedBot, SimilarSources, UnlikelyResults, pair_report};
pub use service::{
    ContestService, Doing, ServiceConfig, ServiceError, ServiceStatus, Stop, Trouble, WorkerStatus,
    default_workers, now_ms,
};
pub use workshop::{DraftTest, MOST_TESTS, TestOpponent};
