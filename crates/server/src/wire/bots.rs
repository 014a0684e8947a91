//! Bots and their versions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{BotRef, MatchInfo, Tally};

/// A bot is handed in.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct Submission {
    /// Key of the contest; the standing one where there is none.
    pub contest: Option<String>,
    /// Name of the game.
    pub game: String,
    /// Name of the language.
    pub language: String,
    /// The source, at most 100,000 characters.
    pub source: String,
    /// Whether it plays for its author as soon as it is built. Otherwise it is built, and tried once against the boss.
    #[serde(default)]
    pub activate: bool,
}

/// A version of a bot.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VersionInfo {
    /// Its number among all versions of all bots.
    pub id: i64,
    /// Number of its bot.
    pub bot: i64,
    /// Its number among the versions of its bot, from 1.
    pub number: i64,
    /// Name of its language.
    pub language: String,
    /// How far it is.
    pub state: VersionState,
    /// The league it was handed in for.
    pub league: i64,
    /// When it was handed in.
    pub created: i64,
    /// Whether it is the one that plays.
    pub active: bool,
}

/// How far a version is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum VersionState {
    /// It waits to be built.
    Waiting,
    /// It is being built.
    Building,
    /// It cannot be built; the log shows why.
    Failed,
    /// It can play.
    Ready,
}

/// A version, as its owner sees it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VersionPage {
    /// The version.
    pub version: VersionInfo,
    /// Key of the contest.
    pub contest: String,
    /// Name of the game.
    pub game: String,
    /// Its source.
    pub source: String,
    /// What the compiler said.
    pub log: Option<String>,
    /// The league its bot is in now.
    pub league_now: i64,
    /// Whether it plays by the rules of that league.
    pub fits: bool,
    /// Its matches before it counts, the newest first.
    pub tests: Vec<MatchInfo>,
}

/// A bot in a list.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BotCard {
    /// Who.
    pub bot: BotRef,
    /// Key of the contest.
    pub contest: String,
    /// Name of the game.
    pub game: String,
    /// The league.
    pub league: i64,
    /// The version that plays; nothing where one is awaited.
    pub active: Option<VersionInfo>,
    /// Why it does not play; for its owner only.
    pub paused: Option<String>,
    /// How it stands in its league.
    pub standings: Vec<StandingInfo>,
}

/// How a version stands in a ladder.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StandingInfo {
    /// The league.
    pub league: i64,
    /// Number of players of a match.
    pub players: u8,
    /// `ladder`, `trial` (counted, not rated) or `final`.
    pub kind: String,
    /// The place; nothing where the board does not show it.
    pub place: Option<i64>,
    /// How many stand on the board.
    pub of: i64,
    /// How strong it is held to be, and its matches.
    #[serde(flatten)]
    pub tally: Tally,
    /// Matches before the rating counts.
    pub placement: u32,
}

/// All about a bot.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BotPage {
    /// The bot.
    pub card: BotCard,
    /// The rating over time, by ladder of the active version.
    pub history: Vec<History>,
    /// Against whom it won and lost, the most frequent first.
    pub opponents: Vec<OpponentInfo>,
    /// Its way up, the newest first.
    pub promotions: Vec<PromotionInfo>,
    /// What only its owner sees.
    pub own: Option<OwnBot>,
}

/// The rating over time in one ladder.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct History {
    /// The league.
    pub league: i64,
    /// Number of players of a match.
    pub players: u8,
    /// The points, the oldest first; at most 200.
    pub points: Vec<HistoryPoint>,
}

/// A rating at a time.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HistoryPoint {
    /// The match after which it was so.
    pub id: i64,
    /// When.
    pub at: i64,
    /// The estimate.
    pub rating: f64,
    /// Its standard deviation.
    pub uncertainty: f64,
}

/// Against whom a bot won and lost.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpponentInfo {
    /// Who.
    pub bot: BotRef,
    /// Matches won.
    pub wins: i64,
    /// Matches drawn.
    pub draws: i64,
    /// Matches lost.
    pub losses: i64,
}

/// A step up.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PromotionInfo {
    /// From this league.
    pub from: i64,
    /// To this one.
    pub to: i64,
    /// When.
    pub at: i64,
}

/// What only its owner sees of a bot.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnBot {
    /// Its versions, the newest first.
    pub versions: Vec<VersionInfo>,
    /// Its last matches lost by a crash, a timeout, an invalid answer.
    pub errors: Vec<MatchInfo>,
    /// The best of five that goes on or was the last one.
    pub trial: Option<Trial>,
}

/// A best of five against the boss.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Trial {
    /// Matches won.
    pub wins: u32,
    /// Matches drawn.
    pub draws: u32,
    /// Matches lost.
    pub losses: u32,
    /// Whether it is over.
    pub over: bool,
    /// Its matches, the oldest first.
    pub matches: Vec<MatchInfo>,
}

/// A person, for everybody.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Profile {
    /// The name.
    pub name: String,
    /// Since when.
    pub created: i64,
    /// The bots.
    pub bots: Vec<BotCard>,
}
