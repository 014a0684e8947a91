//! Bots and their versions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{BotRef, MatchInfo, Tally};

/// A bot to submit.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct Submission {
    /// Key of the contest; default: the permanent contest `arena`.
    pub contest: Option<String>,
    /// Name of the game.
    pub game: String,
    /// Name of the programming language.
    pub language: String,
    /// Source text, at most 100,000 characters.
    pub source: String,
    /// Whether the version becomes active as soon as it is built. If false, it is built and plays one test match against
    /// the boss.
    #[serde(default)]
    pub activate: bool,
}

/// Code to test without submitting it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct DraftTestAsk {
    /// Key of the contest; default: the permanent contest `arena`.
    pub contest: Option<String>,
    /// Name of the game.
    pub game: String,
    /// Name of the programming language.
    pub language: String,
    /// Source text, at most 100,000 characters.
    pub source: String,
    /// Opponents: `boss`, `@NAME` for a built-in bot, `version:ID` for a version of your own bot, `bot:ID` for the active
    /// version of a bot in your league. If there are fewer than free seats, they are repeated. Default: the boss.
    #[serde(default)]
    pub opponents: Vec<String>,
    /// Number of players; default: the first number the league offers.
    pub players: Option<u8>,
    /// Seat of your code, from 0; default: all seats in turn.
    pub seat: Option<u8>,
    /// Seed of the first match, the others count up from it; default: a random seed.
    pub seed: Option<String>,
    /// Number of matches, 0 to 20; default: 1. With 0 the code is only built, for `POST /matches/{id}/run`.
    pub matches: Option<u8>,
}

/// A version of a bot.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VersionInfo {
    /// Id, unique among the versions of all bots.
    pub id: i64,
    /// Id of its bot.
    pub bot: i64,
    /// Number among the versions of its bot, from 1; 0 for a draft, which was tested and not submitted.
    pub number: i64,
    /// Name of the programming language.
    pub language: String,
    /// Build state.
    pub state: VersionState,
    /// Tier of the bot at the time of submission, 0 is the lowest.
    pub tier: i64,
    /// Time of submission.
    pub created: i64,
    /// Whether it is the active version of its bot.
    pub active: bool,
}

/// The build state of a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum VersionState {
    /// Waits to be built.
    Waiting,
    /// Is being built.
    Building,
    /// Could not be built; the log contains the reason.
    Failed,
    /// Is built and can play.
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
    /// Source text.
    pub source: String,
    /// Output of the compiler.
    pub log: Option<String>,
    /// Current tier of its bot, 0 is the lowest.
    pub tier_now: i64,
    /// Whether it was submitted for the rules of that tier.
    pub fits: bool,
    /// Its test matches, the newest first.
    pub tests: Vec<MatchInfo>,
}

/// A bot in a list.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BotCard {
    /// The bot.
    pub bot: BotRef,
    /// Key of the contest.
    pub contest: String,
    /// Name of the game.
    pub game: String,
    /// Tier, 0 is the lowest.
    pub tier: i64,
    /// Active version; null if the bot needs a new submission.
    pub active: Option<VersionInfo>,
    /// Reason of the pause; null if the bot is not paused, or for other users than its owner.
    pub paused: Option<String>,
    /// Standings of the active version.
    pub standings: Vec<StandingInfo>,
}

/// The standing of a version on a ladder.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StandingInfo {
    /// Tier, 0 is the lowest.
    pub tier: i64,
    /// Number of players of a match.
    pub players: u8,
    /// Kind of the ladder: `ladder`, `trial` (counted, not rated) or `final`.
    pub kind: String,
    /// Place on the board; null if the board does not list the version.
    pub place: Option<i64>,
    /// Number of bots on the board.
    pub of: i64,
    /// Rating and counts of matches.
    #[serde(flatten)]
    pub tally: Tally,
    /// Number of placement matches: only after them the bot can be promoted.
    pub placement: u32,
}

/// A bot in detail.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BotPage {
    /// The bot.
    pub card: BotCard,
    /// Rating over time, for each ladder of the active version.
    pub history: Vec<History>,
    /// Results by opponent, the most frequent opponent first.
    pub opponents: Vec<OpponentInfo>,
    /// Promotions, the newest first.
    pub promotions: Vec<PromotionInfo>,
    /// Private data; null for other users than its owner.
    pub own: Option<OwnBot>,
}

/// The rating over time on one ladder.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct History {
    /// Tier, 0 is the lowest.
    pub tier: i64,
    /// Number of players of a match.
    pub players: u8,
    /// At most 200 points, the oldest first.
    pub points: Vec<HistoryPoint>,
}

/// The rating after a match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HistoryPoint {
    /// Id of the match.
    pub id: i64,
    /// Time.
    pub at: i64,
    /// Estimated strength.
    pub rating: f64,
    /// Standard deviation of the estimate.
    pub uncertainty: f64,
}

/// The results of a bot against one opponent.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpponentInfo {
    /// The opponent.
    pub bot: BotRef,
    /// Matches won.
    pub wins: i64,
    /// Matches drawn.
    pub draws: i64,
    /// Matches lost.
    pub losses: i64,
}

/// A promotion.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PromotionInfo {
    /// Tier before the promotion.
    pub from: i64,
    /// Tier after the promotion.
    pub to: i64,
    /// Time.
    pub at: i64,
}

/// The private data of a bot, for its owner only.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OwnBot {
    /// Versions, the newest first.
    pub versions: Vec<VersionInfo>,
    /// Last matches lost by a crash, a timeout or an invalid answer.
    pub errors: Vec<MatchInfo>,
    /// The current or last best of five; null if there was none.
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
    /// Whether the best of five is decided.
    pub over: bool,
    /// Matches, the oldest first.
    pub matches: Vec<MatchInfo>,
}

/// The public page of a user.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Profile {
    /// Name.
    pub name: String,
    /// Time of sign-up.
    pub created: i64,
    /// Bots of the user.
    pub bots: Vec<BotCard>,
}
