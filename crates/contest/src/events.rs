//! What happens in the service, for whoever listens. Only what everybody may know.

use model::{BotId, MatchId, UserId, VersionId};
use serde::Serialize;
use store::{ContestState, LadderKind};

/// LadderRef a match counts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LadderRef {
    /// The contest.
    pub contest_id: i64,
    /// The game.
    pub game: String,
    /// The league, from 0.
    pub league: i64,
    /// How many sit at a table.
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

/// Who sits at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SeatRef {
    /// The bot.
    pub bot_id: BotId,
    /// Its name.
    pub name: String,
    /// Whether it is one of the house.
    pub house: bool,
}

/// Something happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A match is being played.
    MatchStarted {
        /// The match.
        match_id: MatchId,
        /// LadderRef it counts.
        at: LadderRef,
        /// Who plays, by seat.
        seats: Vec<SeatRef>,
    },
    /// A match is over and recorded.
    MatchDone {
        /// The match.
        match_id: MatchId,
        /// LadderRef it counts.
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
        /// LadderRef it counts.
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
        /// LadderRef.
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
        /// LadderRef it stands now.
        state: ContestState,
    },
}
