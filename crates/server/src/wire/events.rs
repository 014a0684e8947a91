//! Live events.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{BotRef, ContestState, MatchInfo};

/// What happened just now: the `data` of a Server-Sent Event. Topics say who hears of it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LiveEvent {
    /// A match began (topic `matches`; a try of the listener's version: `me`).
    MatchStarted {
        /// The match.
        #[serde(rename = "match")]
        info: MatchInfo,
    },
    /// A match is over (topic `matches`).
    MatchDone {
        /// The match.
        #[serde(rename = "match")]
        info: MatchInfo,
    },
    /// Places changed (topic `board:GAME`); at most once in a few seconds.
    Board {
        /// Key of the contest.
        contest: String,
        /// Name of the game.
        game: String,
        /// The league.
        league: i64,
    },
    /// A bot rose (topics `matches` and `me`).
    Promotion {
        /// Who.
        bot: BotRef,
        /// Key of the contest.
        contest: String,
        /// Name of the game.
        game: String,
        /// From this league.
        from: i64,
        /// To this one.
        to: i64,
    },
    /// A version of the listener is built, or cannot be (topic `me`).
    VersionBuilt {
        /// The version.
        version: i64,
        /// Its bot.
        bot: i64,
        /// Whether it can play.
        ready: bool,
    },
    /// A match of the listener's bot is over (topic `me`).
    MyMatch {
        /// The match.
        #[serde(rename = "match")]
        info: MatchInfo,
        /// Number of the bot.
        bot: i64,
    },
    /// There is a new notice for the listener (topic `me`).
    Notice,
    /// A contest goes on (topic `matches`).
    Contest {
        /// Its key.
        contest: String,
        /// How far it is now.
        state: ContestState,
    },
    /// Events were lost, since the listener was slow: read again what is shown.
    Missed,
}
