//! Matches.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::BotRef;

/// Some matches, the newest first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatchPage {
    /// The matches.
    pub matches: Vec<MatchInfo>,
    /// Ask with `before=` this for the next ones; nothing where there are no more.
    pub next: Option<i64>,
}

/// A match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatchInfo {
    /// Its number.
    pub id: i64,
    /// Key of the contest.
    pub contest: String,
    /// Name of the game.
    pub game: String,
    /// The league.
    pub league: i64,
    /// What it is for.
    pub kind: MatchKind,
    /// The seed.
    pub seed: String,
    /// How far it is.
    pub state: MatchState,
    /// When it was asked for.
    pub created: i64,
    /// When it was begun.
    pub started: Option<i64>,
    /// When it was over.
    pub finished: Option<i64>,
    /// Who plays.
    pub seats: Vec<SeatInfo>,
    /// A short stable name of what ended it, such as `turn-limit`.
    pub reason: Option<String>,
}

/// What a match is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum MatchKind {
    /// The rating.
    Ladder,
    /// The best of five against the boss.
    Trial,
    /// A try of a version before it counts.
    Test,
    /// The final ranking of a contest.
    Final,
}

/// How far a match is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum MatchState {
    /// It waits.
    Queued,
    /// It is being played.
    Running,
    /// It is over.
    Done,
    /// It failed by our fault, too often; it counts for nobody.
    Void,
}

/// A player of a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeatInfo {
    /// The seat, from 0.
    pub seat: u8,
    /// Who.
    pub bot: BotRef,
    /// Number of its version.
    pub version: i64,
    /// The score.
    pub score: Option<i64>,
    /// The points of the player; nothing where the score only says who won.
    pub points: Option<i64>,
    /// The turn in which the player was eliminated.
    pub out: Option<i64>,
    /// The place, 1 is best.
    pub rank: Option<u8>,
    /// Why it lost by its own fault: `timeout`, `crash`, `invalid`, `flood`, `memory`.
    pub cause: Option<String>,
    /// Points of the side quest.
    pub side_quest: Option<f64>,
    /// The rating after the match.
    pub rating: Option<f64>,
}

/// All about a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatchPageInfo {
    /// What everybody may know.
    pub info: MatchInfo,
    /// What can be watched.
    pub watch: Watch,
    /// The last turn that was played, while it is being played.
    pub turn: Option<u32>,
    /// Seats of the asker's bot.
    pub mine: Vec<u8>,
    /// What went wrong with the asker's own bot, by seat as in `mine`; with its last words.
    #[schema(value_type = Vec<Object>)]
    #[cfg_attr(test, ts(type = "unknown[]"))]
    pub details: Vec<serde_json::Value>,
}

/// What of a match can be watched now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Watch {
    /// All of it: it is over.
    Replay,
    /// It is being played and can be followed.
    Live,
    /// It hides information and can be watched when it is over.
    Later,
    /// Nothing: it waits, or failed.
    Nothing,
}

/// A match that is being played.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LiveMatch {
    /// The match.
    pub info: MatchInfo,
    /// Whether it can be followed while it is played.
    pub watch: Watch,
    /// The last turn that was played.
    pub turn: u32,
}

/// A request to play against the boss.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct HumanGameAsk {
    /// Key of the contest; the standing one where there is none.
    pub contest: Option<String>,
    /// Name of the game.
    pub game: String,
    /// The league.
    pub league: i64,
    /// Number of players; the first of the league's where there is none.
    pub players: Option<u8>,
    /// The seat; the first one where there is none.
    pub seat: Option<u8>,
    /// The seed; another one each time where there is none.
    pub seed: Option<String>,
    /// Seconds for each answer; no limit where there is none.
    pub seconds: Option<u16>,
}

/// An answer of a person.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct HumanGameLine {
    /// One line, as a bot would print it; nothing when time is up.
    pub line: Option<String>,
}
