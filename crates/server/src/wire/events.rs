//! Live events.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{BotRef, ContestState, MatchInfo};

/// The `data` of a Server-Sent Event. Listeners choose topics; each event names its topics.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LiveEvent {
    /// A match began (topic `matches`; a test match of the listener's version: topic `me`).
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
    /// A leaderboard changed (topic `board:GAME`); sent at most once in two seconds.
    Board {
        /// Key of the contest.
        contest: String,
        /// Name of the game.
        game: String,
        /// Tier of the leaderboard, 0 is the lowest.
        tier: i64,
    },
    /// A bot was promoted (topics `matches` and `me`).
    Promotion {
        /// The bot.
        bot: BotRef,
        /// Key of the contest.
        contest: String,
        /// Name of the game.
        game: String,
        /// Tier before the promotion.
        from: i64,
        /// Tier after the promotion.
        to: i64,
    },
    /// The build of a version of the listener ended (topic `me`).
    VersionBuilt {
        /// Id of the version.
        version: i64,
        /// Id of its bot.
        bot: i64,
        /// Whether the build succeeded, so that the version can play.
        ready: bool,
    },
    /// A match of the listener's bot is over (topic `me`).
    MyMatch {
        /// The match.
        #[serde(rename = "match")]
        info: MatchInfo,
        /// Id of the bot.
        bot: i64,
    },
    /// The listener has a new notice (topic `me`).
    Notice,
    /// The state of a contest changed (topic `matches`).
    Contest {
        /// Key of the contest.
        contest: String,
        /// New state.
        state: ContestState,
    },
    /// The listener was too slow and events were lost: the client should reload the data that it shows.
    Missed,
}
