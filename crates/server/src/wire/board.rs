//! Leaderboards.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A page of a leaderboard.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Board {
    /// Key of the contest.
    pub contest: String,
    /// Name of the game.
    pub game: String,
    /// Tier of the rows, 0 is the lowest; null if the board contains all tiers, the highest first.
    pub tier: Option<i64>,
    /// Number of players of a match.
    pub players: u8,
    /// Number of the page, from 0.
    pub page: i64,
    /// Number of rows on all pages; with a search, number of rows found.
    pub total: i64,
    /// Whether there is a next page.
    pub more: bool,
    /// The rows of this page.
    pub rows: Vec<BoardRow>,
}

/// The rating of a bot and the counts of its matches.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Tally {
    /// Estimated strength.
    pub rating: f64,
    /// Standard deviation of the estimate.
    pub uncertainty: f64,
    /// Lower bound of the strength (rating - 3 uncertainty); boards are sorted by it.
    pub proven: f64,
    /// Matches played.
    pub games: i64,
    /// Matches won.
    pub wins: i64,
    /// Matches drawn.
    pub draws: i64,
    /// Matches lost.
    pub losses: i64,
    /// Matches lost by a crash, a timeout or an invalid answer.
    pub failures: i64,
}

/// A row of a leaderboard.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BoardRow {
    /// Place in its tier, from 1.
    pub place: i64,
    /// The bot.
    pub bot: BotRef,
    /// Tier of the bot, 0 is the lowest.
    pub tier: i64,
    /// Rating and counts of matches.
    #[serde(flatten)]
    pub tally: Tally,
    /// Whether the bot is the boss of its league.
    pub boss: bool,
}

/// Id and name of a bot.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BotRef {
    /// Id.
    pub id: i64,
    /// Display name: the name of its author, or of the built-in bot.
    pub name: String,
    /// Name of its author; null for built-in bots.
    pub user: Option<String>,
    /// Whether the bot is built in.
    pub built_in: bool,
}

/// The leaderboard of a side quest, sorted by average points per match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SideQuestBoard {
    /// Key of the contest.
    pub contest: String,
    /// Name of the game.
    pub game: String,
    /// Whether the matches of the final count; otherwise the matches of the ladders.
    #[serde(rename = "final")]
    pub finale: bool,
    /// Number of matches that a bot needs for a place.
    pub least: i64,
    /// The best 100 bots of users.
    pub rows: Vec<SideQuestRow>,
}

/// A row of the leaderboard of a side quest.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SideQuestRow {
    /// Place, from 1.
    pub place: i64,
    /// The bot.
    pub bot: BotRef,
    /// Tier of the bot, 0 is the lowest.
    pub tier: i64,
    /// Average points per match.
    pub average: f64,
    /// Lower end of the 95 % interval of the average.
    pub low: f64,
    /// Upper end of the 95 % interval of the average.
    pub high: f64,
    /// Number of matches with points.
    pub games: i64,
}
