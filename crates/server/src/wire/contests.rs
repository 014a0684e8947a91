//! Contests.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::GameInfo;

/// A contest in a list.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Contest {
    /// Its name in addresses.
    pub key: String,
    /// Its name for people.
    pub title: String,
    /// When it starts; nothing for the standing one.
    pub starts: Option<i64>,
    /// When it ends; nothing for the standing one.
    pub ends: Option<i64>,
    /// Whether an invitation is needed.
    pub invited_only: bool,
    /// How far it is.
    pub state: ContestState,
    /// Names of its games.
    pub games: Vec<String>,
}

/// How far a contest is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ContestState {
    /// It starts later.
    Planned,
    /// Bots are taken and play.
    Running,
    /// No more bots are taken; the best play for the final places.
    Final,
    /// The board stands.
    Closed,
}

/// All about a contest.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ContestPage {
    /// The contest.
    pub contest: Contest,
    /// Its games and leagues.
    pub games: Vec<GameInfo>,
    /// Whether the asker takes part.
    pub joined: bool,
    /// How the final places are found.
    #[serde(rename = "final")]
    pub finale: Option<Finale>,
}

/// How the final places are found.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Finale {
    /// Number of bots of the highest league that take part.
    pub top: i64,
    /// Number of matches of each.
    pub matches: i64,
}

/// A request to take part.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct JoinAsk {
    /// The code of the invitation, where one is needed.
    pub code: Option<String>,
}
