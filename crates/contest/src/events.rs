//! Events of the service for its listeners. They hold nothing secret.

use model::{BotId, MatchId, UserId, VersionId};
use serde::Serialize;
use store::{ContestState, LadderKind};

/// The ladder for which a match counts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LadderRef {
    /// The contest.
    pub contest_id: i64,
    /// The game.
    pub game: String,
    /// The league, from 0.
    pub league: i64,
    /// The number of players of a match.
    pub players: i64,
    /// What the ladder is for.
    pub kind: LadderKind,
}

impl From<&store::Ladder> for LadderRef {
    fn from(ladder: &store::Ladder) -> LadderRef {
        LadderRef {
            contest_id: ladder.contest_id,
            game: ladder.game.clone(),
            league: ladder.league,
            players: ladder.players,
            kind: ladder.kind,
        }
    }
}

/// The player of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SeatRef {
    /// The bot.
    pub bot_id: BotId,
    /// Its name.
    pub name: String,
    /// Whether it is a built-in bot.
    pub built_in: bool,
}

/// An event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A match is being played.
    MatchStarted {
        /// The match.
        match_id: MatchId,
        /// The ladder for which it counts.
        at: LadderRef,
        /// Who plays, by seat.
        seats: Vec<SeatRef>,
    },
    /// A match is over and recorded.
    MatchDone {
        /// The match.
        match_id: MatchId,
        /// The ladder for which it counts.
        at: LadderRef,
        /// Who played, by seat.
        seats: Vec<SeatRef>,
        /// The places by seat.
        ranks: Vec<i64>,
    },
    /// A match was broken off by our fault; it may be played again.
    MatchVoid {
        /// The match.
        match_id: MatchId,
        /// The ladder for which it counts.
        at: LadderRef,
    },
    /// A version is built, or cannot be. For its owner.
    VersionBuilt {
        /// Whose it is.
        user_id: Option<UserId>,
        /// The bot.
        bot_id: BotId,
        /// The version.
        version_id: VersionId,
        /// Whether it can play.
        ready: bool,
    },
    /// A bot moved up.
    Promotion {
        /// Whose it is.
        user_id: Option<UserId>,
        /// The bot.
        bot_id: BotId,
        /// Its name.
        name: String,
        /// The contest.
        contest_id: i64,
        /// The game.
        game: String,
        /// From this league.
        from_league: i64,
        /// To this one.
        to_league: i64,
    },
    /// A board shows something new.
    BoardChanged {
        /// The ladder.
        at: LadderRef,
    },
    /// Somebody has news to read.
    Notice {
        /// Who.
        user_id: UserId,
    },
    /// A contest goes on.
    Contest {
        /// The contest.
        contest_id: i64,
        /// Its new state.
        state: ContestState,
    },
}
