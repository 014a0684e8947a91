//! A contest: leagues, who plays whom, building and playing submissions, promotion.
//!
//! - [`Leagues`] are data: rules, boss, way up; a contest keeps its own copy in its [`Settings`].
//! - [`matchmaking`] and [`model::promotion`] are pure: standings in, tables and verdicts out.
//! - The [`ContestService`] does it: worker threads build what was submitted, play what is leased, record it, and put the next matches on the
//!   queue; one task looks after time. All that must survive is in the store, so a service may be killed at any moment: the next one
//!   goes on where it was.
//!
//! A match that *we* failed is void: it is tried again and never rated. A bot that fails, loses; its author is told why.

mod build;
mod cache;
mod events;
mod lifecycle;
mod live;
mod maintenance;
pub mod matchmaking;
mod play;
mod promotion;
mod scheduler;
mod service;
mod work;

pub use build::language;
pub use cache::{ContestCache, ContestEntry, Contests, STANDING};
pub use events::{Event, LadderRef, SeatRef};
pub use live::LiveMatch;
pub use model::{Final, GameLeagues, League, Leagues, LeaguesError, Settings, Text, Trial, Way};
pub use service::{
    ContestService, Doing, ServiceConfig, ServiceError, ServiceStatus, Stop, Trouble, WorkerStatus,
    default_workers,
};
