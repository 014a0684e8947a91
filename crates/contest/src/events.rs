//! Events of the service for its listeners. They contain no secrets.

use model::{BotId, ContestState, LadderKind, MatchId, Tier, UserId, VersionId};
use serde::{Deserialize, Serialize};

/// The ladder for which a match counts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LadderRef {
    /// The contest.
    pub contest_id: i64,
    /// The game.
    pub game: String,
    /// The tier.
    pub tier: Tier,
    /// The number of players of a match.
    pub players: i64,
    /// The purpose of the ladder.
    pub kind: LadderKind,
}

impl From<&store::Ladder> for LadderRef {
    fn from(ladder: &store::Ladder) -> LadderRef {
        LadderRef {
            contest_id: ladder.contest_id,
            game: ladder.game.clone(),
            tier: ladder.tier,
            players: ladder.players,
            kind: ladder.kind,
        }
    }
}

/// The player of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatRef {
    /// The bot.
    pub bot_id: BotId,
    /// Its name.
    pub name: String,
    /// Whether it is a built-in bot.
    pub built_in: bool,
}

/// An event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A match is being played.
    MatchStarted {
        /// The match.
        match_id: MatchId,
        /// The ladder for which it counts.
        at: LadderRef,
        /// The players by seat.
        seats: Vec<SeatRef>,
    },
    /// A match has ended and is recorded.
    MatchDone {
        /// The match.
        match_id: MatchId,
        /// The ladder for which it counts.
        at: LadderRef,
        /// The players by seat.
        seats: Vec<SeatRef>,
        /// The places by seat.
        ranks: Vec<i64>,
    },
    /// A match was aborted by our fault; it may be played again.
    MatchVoid {
        /// The match.
        match_id: MatchId,
        /// The ladder for which it counts.
        at: LadderRef,
    },
    /// The build of a version has ended. For its owner.
    VersionBuilt {
        /// The owner.
        user_id: Option<UserId>,
        /// The bot.
        bot_id: BotId,
        /// The version.
        version_id: VersionId,
        /// Whether it can play.
        ready: bool,
    },
    /// A bot was promoted.
    Promotion {
        /// The owner.
        user_id: Option<UserId>,
        /// The bot.
        bot_id: BotId,
        /// Its name.
        name: String,
        /// The contest.
        contest_id: i64,
        /// The game.
        game: String,
        /// The tier before the promotion.
        from_tier: Tier,
        /// The tier after the promotion.
        to_tier: Tier,
    },
    /// A board has changed.
    BoardChanged {
        /// The ladder.
        at: LadderRef,
    },
    /// A user has a new notice.
    Notice {
        /// The user.
        user_id: UserId,
    },
    /// A contest has changed its state.
    Contest {
        /// The contest.
        contest_id: i64,
        /// Its new state.
        state: ContestState,
    },
}
