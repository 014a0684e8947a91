//! Matches.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::BotRef;

/// A page of a list of matches, the newest first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatchPage {
    /// The matches.
    pub matches: Vec<MatchInfo>,
    /// Value of `before` for the next page; null on the last page.
    pub next: Option<i64>,
}

/// A match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatchInfo {
    /// Id.
    pub id: i64,
    /// Key of the contest.
    pub contest: String,
    /// Name of the game.
    pub game: String,
    /// Tier, 0 is the lowest.
    pub tier: i64,
    /// Purpose.
    pub kind: MatchKind,
    /// Seed of the map; empty while the match waits.
    pub seed: String,
    /// State.
    pub state: MatchState,
    /// Time of creation.
    pub created: i64,
    /// Start time; null before the start.
    pub started: Option<i64>,
    /// End time; null before the end.
    pub finished: Option<i64>,
    /// Players, by seat.
    pub seats: Vec<SeatInfo>,
    /// Reason of the end, as a stable word: `turn-limit`, for example.
    pub reason: Option<String>,
}

/// The purpose of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum MatchKind {
    /// Rated match on a ladder.
    Ladder,
    /// Match of a best of five against the boss.
    Trial,
    /// Test match of a version; does not count.
    Test,
    /// Match of the final of a contest.
    Final,
}

/// The state of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum MatchState {
    /// Waits to be played.
    Queued,
    /// Is being played.
    Running,
    /// Is over.
    Done,
    /// Failed too often by a fault of the server; does not count.
    Void,
}

/// A player of a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeatInfo {
    /// Seat, from 0.
    pub seat: u8,
    /// The bot.
    pub bot: BotRef,
    /// Number of the version among the versions of the bot, from 1.
    pub version: i64,
    /// Score; null before the end.
    pub score: Option<i64>,
    /// Points of the player; null if the score only tells who won.
    pub points: Option<i64>,
    /// Turn in which the player was eliminated; null if it was not.
    pub out: Option<i64>,
    /// Place, 1 is best.
    pub rank: Option<u8>,
    /// Fault by which the bot lost: `timeout`, `crash`, `invalid`, `flood`, `memory`.
    pub cause: Option<String>,
    /// Side-quest points.
    pub side_quest: Option<f64>,
    /// Rating after the match.
    pub rating: Option<f64>,
}

/// A match in detail.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatchPageInfo {
    /// Public data.
    pub info: MatchInfo,
    /// Whether the match can be watched.
    pub watch: Watch,
    /// Last turn that was played; null if the match is not being played.
    pub turn: Option<u32>,
    /// Seats of the user's own bots.
    pub mine: Vec<u8>,
    /// Details of the failures of the user's own bots, in the order of `mine`, with the end of their error output; null for
    /// a bot that did not fail.
    #[schema(value_type = Vec<Object>)]
    #[cfg_attr(test, ts(type = "unknown[]"))]
    pub details: Vec<serde_json::Value>,
    /// Whether an analysis of the match is kept: it is sent at once.
    pub analysed: bool,
}

/// Whether and how a match can be watched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Watch {
    /// The match is over: its replay can be watched.
    Replay,
    /// The match is being played and can be followed.
    Live,
    /// The match is being played and has hidden information: it can be watched when it is over.
    Later,
    /// The match waits or failed: it cannot be watched.
    Nothing,
}

/// A match that is being played.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LiveMatch {
    /// The match.
    pub info: MatchInfo,
    /// Whether the match can be followed.
    pub watch: Watch,
    /// Last turn that was played.
    pub turn: u32,
}

/// A request to play against the boss of a tier.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct HumanGameAsk {
    /// Key of the contest; default: the permanent contest `arena`.
    pub contest: Option<String>,
    /// Name of the game.
    pub game: String,
    /// Tier, 0 is the lowest.
    pub tier: i64,
    /// A built-in bot instead of the boss of the league, for example `champion:3`.
    pub opponent: Option<String>,
    /// Number of players; default: the first number the league offers.
    pub players: Option<u8>,
    /// Seat of the person; default: the seat that the league sets, otherwise 0.
    pub seat: Option<u8>,
    /// Seed of the map; default: random.
    pub seed: Option<String>,
    /// Time for each answer in seconds; default: no limit.
    pub seconds: Option<u16>,
}

/// The answer of a person.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct HumanGameLine {
    /// One line, as a bot would print it; null if the time is up.
    pub line: Option<String>,
}
