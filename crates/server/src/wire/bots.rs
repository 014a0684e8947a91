//! Bots and their versions.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{BotRef, MatchInfo, Tally, Text};

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
    /// Rating over time, all versions, for each ladder on which the bot has played; the highest tier first.
    pub history: Vec<History>,
    /// Results by opponent, the most frequent opponent first.
    pub opponents: Vec<OpponentInfo>,
    /// Promotions, the newest first.
    pub promotions: Vec<PromotionInfo>,
    /// Boss fights, the newest first.
    pub fights: Vec<FightInfo>,
    /// Losses against the opponents that were weakest in comparison, the worst first.
    pub worst: Vec<MatchInfo>,
    /// What a built-in bot says about itself; null for the bot of a user.
    pub says: Option<Text>,
    /// Members, if the bot is the bot of a team.
    pub members: Vec<String>,
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
    /// Whether it is the final of a contest.
    #[serde(rename = "final")]
    pub finale: bool,
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
    /// Number of the version that played.
    pub version: i64,
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

/// The results of a bot by a number of the map, such as the number of islands.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MapFeature {
    /// Name of the number, in English.
    pub name: String,
    /// Unit of the number, in English.
    pub unit: String,
    /// Groups of maps, the smallest numbers first.
    pub groups: Vec<MapGroup>,
}

/// The results of a bot on similar maps.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MapGroup {
    /// Smallest number.
    pub low: f64,
    /// Largest number.
    pub high: f64,
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

/// A boss fight in a list: a best of five against the boss of a league.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FightInfo {
    /// Number among the fights of the bot, from 1.
    pub round: i64,
    /// Tier of the boss, 0 is the lowest.
    pub tier: i64,
    /// Matches won.
    pub wins: u32,
    /// Matches drawn.
    pub draws: u32,
    /// Matches lost.
    pub losses: u32,
    /// Whether the fight is decided.
    pub over: bool,
    /// Whether three matches are won: the bot is promoted.
    pub won: bool,
    /// Time of its start.
    pub at: i64,
}

/// A boss fight in detail.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FightPage {
    /// The fight.
    pub fight: FightInfo,
    /// Key of the contest.
    pub contest: String,
    /// Name of the game.
    pub game: String,
    /// The challenger.
    pub bot: BotRef,
    /// Number of its version.
    pub version: i64,
    /// The boss.
    pub boss: BotRef,
    /// What the boss says about itself.
    pub says: Option<Text>,
    /// Matches that were begun, the oldest first.
    pub matches: Vec<MatchInfo>,
    /// Whether the challenger is the user's bot.
    pub own: bool,
}

/// The results of two bots against each other.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HeadToHead {
    /// The first bot.
    pub bot: BotRef,
    /// The other bot.
    pub other: BotRef,
    /// Key of the contest of the first bot.
    pub contest: String,
    /// Name of the game.
    pub game: String,
    /// Results of the first bot by tier and seat, the highest tier first.
    pub results: Vec<SeatResults>,
    /// Last matches, the newest first.
    pub matches: Vec<MatchInfo>,
}

/// Results in a tier and a seat.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeatResults {
    /// Tier, 0 is the lowest.
    pub tier: i64,
    /// Seat, from 0.
    pub seat: u8,
    /// Matches won.
    pub wins: i64,
    /// Matches drawn.
    pub draws: i64,
    /// Matches lost.
    pub losses: i64,
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
    /// Number of the boss fight, for its address.
    pub round: i64,
    /// Whether the best of five is decided.
    pub over: bool,
    /// Whether three matches are won: the bot is promoted.
    pub won: bool,
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
    /// A few words of the user; null if there are none.
    pub about: Option<String>,
    /// Members, if this is a team.
    pub members: Vec<String>,
    /// Promotions and podium places, the newest first.
    pub badges: Vec<Badge>,
}

/// An achievement of a user.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Badge {
    /// Key of the contest.
    pub contest: String,
    /// Name of the game.
    pub game: String,
    /// Id of the bot.
    pub bot: i64,
    /// Tier that the bot reached.
    pub tier: i64,
    /// Place in the final of the contest, 1 to 3; null for a promotion.
    pub place: Option<i64>,
    /// Time; null for a place in a final.
    pub at: Option<i64>,
}
