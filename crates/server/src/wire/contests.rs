//! Contests.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::GameInfo;

/// A contest in a list.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Contest {
    /// Name in addresses.
    pub key: String,
    /// Display name.
    pub title: String,
    /// Start time; null for the permanent contest.
    pub starts: Option<i64>,
    /// End time; null for the permanent contest.
    pub ends: Option<i64>,
    /// Whether an invitation is required.
    pub invited_only: bool,
    /// State.
    pub state: ContestState,
    /// Names of the games.
    pub games: Vec<String>,
}

/// The state of a contest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ContestState {
    /// Starts later.
    Planned,
    /// Bots are accepted and play.
    Running,
    /// No more bots are accepted; the best bots play the final.
    Final,
    /// Over; the board does not change any more.
    Closed,
}

/// A contest in detail.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ContestPage {
    /// The contest.
    pub contest: Contest,
    /// Games with their leagues.
    pub games: Vec<GameInfo>,
    /// Whether the user takes part.
    pub joined: bool,
    /// Settings of the final; null for a contest without an end.
    #[serde(rename = "final")]
    pub finale: Option<Finale>,
}

/// Settings of the final.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Finale {
    /// Number of finalists: the best bots of the highest tier that a bot has reached.
    pub top: i64,
    /// Number of matches of each finalist.
    pub matches: i64,
}

/// A request to take part in a contest.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct JoinAsk {
    /// Code of the invitation; required if the contest is by invitation.
    pub code: Option<String>,
}
