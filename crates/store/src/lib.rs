//! The database: users, bots, matches and ratings, on SQLite and on PostgreSQL. No other crate contains SQL.
//!
//! [`Store`] is the only entry point: cheap to clone, asynchronous, with the same SQL text on both databases. It reads
//! no clock (functions that need the time take it as a parameter, in milliseconds since 1970) and knows no game: a pure
//! function, which the caller passes to [`Store::record`], decides the consequences of a result for a bot's tier.
//!
//! Invariants, which also hold after a crash at any moment:
//! - a match is recorded once: [`Store::record`] is one transaction and checks the token of the lease; a repeated call
//!   returns `Already`;
//! - ratings are a fold over the log of results in the order of `seq`; [`Store::recompute`] repeats the fold, bit for
//!   bit;
//! - a record is stored before the row that names it ([`Records`]);
//! - a migration step is done completely or not at all ([`Store::open`] continues after a crash).

#[cfg(test)]
extern crate self as store;

#[cfg(test)]
#[path = "../tests/main/home.rs"]
mod home;

mod access;
mod backup;
mod boards;
mod bots;
mod builds;
mod bulk;
mod claim;
mod contests;
mod db;
mod drafts;
mod error;
pub mod fill;
mod find;
mod fold;
mod ladders;
mod lists;
mod news;
mod pictures;
pub mod private;
mod profile;
mod promotions;
mod queue;
mod recompute;
mod record;
mod records;
mod schema;
mod suspects;
mod tables;
mod teams;
mod trials;
mod users;
mod value;
mod workers;

pub use access::{Invitation, InvitationKind, Login, NewInvitation, Session, Token, TokenLogin};
pub use backup::{BackupReport, RestoreReport};
pub use boards::{Board, BoardQuery, BoardRow, SideQuestRow};
pub use bots::{Bot, NewVersion, Version, VersionState};
pub use builds::{BuildTurn, Built, EndedBuild, Languages, ProgramRef};
pub use claim::Claim;
pub use contests::{Contest, ContestChange, NewContest};
pub use db::{Kind, Store};
pub use drafts::{Part, PlannedMatch, TestPlan};
pub use error::{ErrorKind, Result, StoreError};
pub use find::{FoundBot, HeadToHead, MatchSearch};
pub use fold::Outcome;
pub use ladders::{Entrant, Ladder, StandingRow, Tally};
pub use lists::{MatchFilter, MatchList, MatchRow, MatchState, SeatDetails, SeatRow};
pub use news::{Announcement, AuditLine, NewAnnouncement, Notice};
pub use profile::{BotPage, Counts, HistoryPoint, MapResult, Opponent, Placed, Profile};
pub use promotions::{FightRow, Promotion, TrialRow};
pub use queue::{Leased, LeasedSeat, NewMatch, QueueLength, Voided};
pub use recompute::{Difference, Recomputed};
pub use record::{
    ContextSeat, ContextStanding, MatchResult, PromotionRule, Recorded, ResultContext, SeatResult, ToRecord,
    Verdict,
};
pub use records::{Records, RecordsPlace};
pub use suspects::{ActiveSource, Encounter, Neighbour};
pub use teams::{Team, TeamMember};
pub use users::{NETWORK_LASTS_MS, NewUser, Role, User};
pub use workers::{CLUSTER, SeenWorker, WorkerRow, WorkerState, WorkerTally};
