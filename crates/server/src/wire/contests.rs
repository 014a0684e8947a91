//! Contests.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{GameInfo, Text};

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
    /// Maximum number of members of a team; 1 if everybody plays alone.
    pub team_size: u32,
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
    /// Description, in Markdown; empty if there is none.
    pub about: Text,
    /// Prizes, in Markdown; empty if there are none.
    pub prizes: Text,
    /// Teams with their members, by name.
    pub teams: Vec<TeamInfo>,
    /// Team of the user; null if the user has none.
    pub team: Option<OwnTeam>,
}

/// A team.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TeamInfo {
    /// Name.
    pub name: String,
    /// Names of the members.
    pub members: Vec<String>,
}

/// The team of the user.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnTeam {
    /// Name.
    pub name: String,
    /// Code by which others join.
    pub code: String,
}

/// A request to create a team.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct TeamAsk {
    /// Name: 3 to 32 characters, letters, digits, `-`, `_` and `.`; no other team or user has it.
    pub name: String,
}

/// A request to join a team.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct TeamJoin {
    /// Code of the team.
    pub code: String,
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
