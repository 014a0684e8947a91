//! The site and what can be played on it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Contest, Text};

/// What every page needs to know.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Site {
    /// Name of the site.
    pub title: String,
    /// Version of Agon.
    pub version: String,
    /// What is played, with the leagues of the standing contest.
    pub games: Vec<GameInfo>,
    /// Contests that run or are planned; the standing one first.
    pub contests: Vec<Contest>,
    /// Languages that bots may be written in.
    pub languages: Vec<LanguageInfo>,
    /// Who may sign up.
    pub signup: Signup,
    /// Whether a forgotten password can be reset by mail.
    pub mail: bool,
    /// What the organiser has to say now.
    pub announcement: Option<Text>,
    /// How much is going on.
    pub counts: Counts,
}

/// Who may sign up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Signup {
    /// Everybody.
    Open,
    /// Those with an invitation.
    Invited,
}

/// How much is going on.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Counts {
    /// People.
    pub users: i64,
    /// Bots of people.
    pub bots: i64,
    /// Matches played.
    pub matches: i64,
    /// Matches that wait.
    pub queued: i64,
    /// Matches that are being played.
    pub running: i64,
}

/// A game and its leagues.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameInfo {
    /// Its name in addresses.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// One sentence that says what it is.
    pub about: Text,
    /// From the first league up.
    pub leagues: Vec<LeagueInfo>,
    /// Fewest and most players.
    pub players: [u8; 2],
    /// Whether players see different things; such a match is shown when it is over.
    pub hidden: bool,
    /// Whether there is a side quest with a board of its own.
    pub side_quest: bool,
    /// What an answer may cost in the last league.
    pub limits: LimitsInfo,
}

/// What an answer may cost.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LimitsInfo {
    /// Time for the first answer, in milliseconds.
    pub first_turn_ms: u32,
    /// Time for every later answer, in milliseconds.
    pub turn_ms: u32,
}

/// A league.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LeagueInfo {
    /// Its place, from 0.
    pub index: i64,
    /// Its name in addresses: `wood-2`.
    pub key: String,
    /// Its name for people.
    pub name: Text,
    /// What is new in it.
    pub about: Text,
    /// Level of its rules.
    pub rules: u8,
    /// Edition of its rules.
    pub edition: String,
    /// Name of the boss.
    pub boss: String,
    /// Numbers of players there are ladders for.
    pub players: Vec<u8>,
    /// The way up.
    pub way: Way,
    /// Ladder matches before the rating counts.
    pub placement: u32,
}

/// The way out of a league.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// At most five matches against the boss, three wins promote.
    BestOfFive,
    /// Above the boss after the placement matches.
    Ladder,
    /// There is nothing above.
    Top,
}

/// A language that bots may be written in.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LanguageInfo {
    /// Its name: `Python`, `C++`.
    pub name: String,
    /// Endings of its source files.
    pub extensions: Vec<String>,
    /// Whether this host has it.
    pub available: bool,
}

/// A starter bot.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Kit {
    /// Name of the language.
    pub language: String,
    /// The usual name of the file: `bot.py`.
    pub file: String,
    /// Its text.
    pub source: String,
}
