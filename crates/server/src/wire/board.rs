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
    /// The league; nothing where all are in one list, the highest first.
    pub league: Option<i64>,
    /// Number of players of a match.
    pub players: u8,
    /// Which page, from 0.
    pub page: i64,
    /// How many stand on it, or were found.
    pub total: i64,
    /// Whether there is a next page.
    pub more: bool,
    /// The rows.
    pub rows: Vec<BoardRow>,
}

/// The rating of a bot, and its matches.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Tally {
    /// The estimate.
    pub rating: f64,
    /// Its standard deviation.
    pub uncertainty: f64,
    /// What is sure: boards are ordered by it.
    pub proven: f64,
    /// Rated matches.
    pub games: i64,
    /// Of them won.
    pub wins: i64,
    /// Of them drawn.
    pub draws: i64,
    /// Of them lost.
    pub losses: i64,
    /// Of them lost by a crash, a timeout, an invalid answer.
    pub failures: i64,
}

/// A line of a leaderboard.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BoardRow {
    /// The place in its league, from 1.
    pub place: i64,
    /// Who.
    pub bot: BotRef,
    /// The league.
    pub league: i64,
    /// How strong it is held to be, and its matches.
    #[serde(flatten)]
    pub tally: Tally,
    /// Whether it is the boss of its league.
    pub boss: bool,
}

/// A bot, named.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BotRef {
    /// Its number.
    pub id: i64,
    /// What it is called: the name of its author, or of the built-in bot.
    pub name: String,
    /// Name of its author; nothing for built-in bots.
    pub user: Option<String>,
    /// Whether it is a built-in bot.
    pub built_in: bool,
}

/// The board of a side quest: average points per game.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SideQuestBoard {
    /// Key of the contest.
    pub contest: String,
    /// Name of the game.
    pub game: String,
    /// The best hundred.
    pub rows: Vec<SideQuestRow>,
}

/// A line of the board of a side quest.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SideQuestRow {
    /// The place, from 1.
    pub place: i64,
    /// Who.
    pub bot: BotRef,
    /// The league.
    pub league: i64,
    /// Average points per game.
    pub average: f64,
    /// Games.
    pub games: i64,
}
