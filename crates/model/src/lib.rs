//! The types of the arena, without SQL and without HTTP.
//!
//! - [`MatchId`], [`BotId`], [`VersionId`], [`UserId`]: numbers of different types, which cannot be confused.
//! - [`Tier`]: a step of the arena, from 0; [`GameLeagues::league`] gives its league.
//! - [`ContestState`], [`LadderKind`]: enums that are stored as words.
//! - [`Leagues`] are data: rules, boss, promotion; a contest has its own copy in its [`Settings`].
//! - [`promotion`] decides promotions and pauses: the best of five ([`Trial`]), above the boss on every ladder
//!   ([`promotion::is_above_boss`]), too many failures ([`promotion::is_broken`]).
//! - [`Suspicion`]: why a worker of a cluster is suspected or disabled.

mod contests;
mod ids;
mod leagues;
pub mod promotion;
mod suspicion;
mod words;

pub use contests::{ContestState, LadderKind};
pub use ids::{BotId, MatchId, Tier, UserId, VersionId};
pub use leagues::{
    Final, GameLeagues, League, Leagues, LeaguesError, Settings, Text, Way, motto_of, title_of,
};
pub use promotion::Trial;
pub use suspicion::Suspicion;
pub use words::WordError;
