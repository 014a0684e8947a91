//! The site, its games and languages.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Contest, Text};

/// General data of the site, which every page needs.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Site {
    /// Name of the site.
    pub title: String,
    /// Version of Agon.
    pub version: String,
    /// Games, with the leagues of the permanent contest.
    pub games: Vec<GameInfo>,
    /// Contests that run or are planned; the permanent one first.
    pub contests: Vec<Contest>,
    /// Programming languages of bots.
    pub languages: Vec<LanguageInfo>,
    /// Policy for sign-up.
    pub signup: Signup,
    /// Whether the site sends mails to reset forgotten passwords.
    pub mail: bool,
    /// Current announcement of the organizer.
    pub announcement: Option<Text>,
    /// Counts of users, bots and matches.
    pub counts: Counts,
}

/// The policy for sign-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Signup {
    /// Everybody may sign up.
    Open,
    /// Sign-up requires an invitation.
    Invited,
}

/// Counts of users, bots and matches.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Counts {
    /// Accounts.
    pub users: i64,
    /// Bots of users.
    pub bots: i64,
    /// Finished matches.
    pub matches: i64,
    /// Matches in the queue.
    pub queued: i64,
    /// Matches that are being played.
    pub running: i64,
}

/// A game and its leagues.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameInfo {
    /// Name in addresses.
    pub name: String,
    /// Display name.
    pub title: String,
    /// Description in one sentence.
    pub about: Text,
    /// Names of the built-in bots.
    pub built_in: Vec<String>,
    /// Leagues, from the lowest up: the position in the list is the tier.
    pub leagues: Vec<LeagueInfo>,
    /// Smallest and largest number of players.
    pub players: [u8; 2],
    /// Whether players have hidden information; then a match can be watched only when it is over.
    pub hidden: bool,
    /// Whether the game has a side quest with its own leaderboard.
    pub side_quest: bool,
    /// Time limits in the highest league.
    pub limits: LimitsInfo,
}

/// The results of a search.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SearchResults {
    /// Names of users and teams.
    pub users: Vec<String>,
    /// Built-in bots.
    pub bots: Vec<SearchedBot>,
    /// Contests.
    pub contests: Vec<super::Contest>,
    /// The match with this id; null if there is none.
    #[serde(rename = "match")]
    pub game_match: Option<super::MatchInfo>,
}

/// A bot that was found by its name.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SearchedBot {
    /// The bot.
    pub bot: super::BotRef,
    /// Key of the contest.
    pub contest: String,
    /// Name of the game.
    pub game: String,
    /// Tier, 0 is the lowest.
    pub tier: i64,
}

/// The time limits of a game.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LimitsInfo {
    /// Time for the first answer, in milliseconds.
    pub first_turn_ms: u32,
    /// Time for every later answer, in milliseconds.
    pub turn_ms: u32,
}

/// A league of a game in a contest.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LeagueInfo {
    /// Tier: position among the leagues of the game in the contest, 0 is the lowest.
    pub tier: i64,
    /// Stable name: `wood-2`, for example.
    pub key: String,
    /// Display name.
    pub name: Text,
    /// Description in one sentence.
    pub about: Text,
    /// Level of the game's own rules, from 1: the `--league` of the command line.
    pub rules: u8,
    /// Edition of the rules.
    pub edition: String,
    /// Stable name of the boss: `boss-1`, for example.
    pub boss: String,
    /// Display name of the boss.
    pub boss_name: String,
    /// What the boss says about itself.
    pub boss_says: Option<Text>,
    /// Numbers of players of a match; the league has a ladder for each.
    pub players: Vec<u8>,
    /// How a bot is promoted.
    pub way: Way,
    /// Number of placement matches: only after them a bot can be promoted.
    pub placement: u32,
}

/// How a bot is promoted out of a league.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// By three wins in at most five matches against the boss.
    BestOfFive,
    /// By a rating above the boss after the placement matches.
    Ladder,
    /// Not at all: it is the highest league.
    Top,
}

/// A programming language of bots.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LanguageInfo {
    /// Name: `Python`, `C++`.
    pub name: String,
    /// File extensions of its sources.
    pub extensions: Vec<String>,
    /// Whether it is installed on this host.
    pub available: bool,
}

/// A starter bot.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Kit {
    /// Name of the programming language.
    pub language: String,
    /// Usual file name: `bot.py`.
    pub file: String,
    /// Source text.
    pub source: String,
}
