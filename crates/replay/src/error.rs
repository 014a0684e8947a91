//! The errors of this crate. Each type says whose fault it is.

use catalog::{SetUpError, UnknownBot, UnknownGame};
use game::{MatchError, Seat, SelectionError};

/// A record or an answer that cannot be shown. The fault lies with the record, or with the caller that gave the
/// answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// The record names a game that does not exist.
    #[error(transparent)]
    UnknownGame(#[from] UnknownGame),
    /// The rules in the record cannot be played.
    #[error(transparent)]
    Rules(#[from] SetUpError),
    /// An answer of a seat that the match does not have.
    #[error("there is no player {0}")]
    NoSeat(Seat),
    /// An answer that the match does not wait for.
    #[error(transparent)]
    NotAwaited(#[from] MatchError),
}

/// A game of a person that cannot begin or go on. [`HumanGameError::is_ours`] says whose fault it is.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HumanGameError {
    /// The game does not exist.
    #[error(transparent)]
    UnknownGame(#[from] UnknownGame),
    /// The league, the edition or the number of players does not exist.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// The seed is not a number.
    #[error("a seed is a whole number of 64 bits, not {0:?}")]
    Seed(String),
    /// The match does not have this seat.
    #[error("there is no seat {seat}; choose one below {players}")]
    Seat {
        /// The seat that was asked for.
        seat: u8,
        /// The number of players.
        players: u8,
    },
    /// The game does not have this opponent.
    #[error(transparent)]
    Opponent(#[from] UnknownBot),
    /// The match does not have this turn.
    #[error("there is no turn {turn}; the turns of this match are 1 to {last}")]
    Turn {
        /// The turn that was asked for.
        turn: u32,
        /// The last turn.
        last: u32,
    },
    /// The number of seats is not that of the match.
    #[error("the match has {players} players, and {seats} are named")]
    Seats {
        /// The number of players.
        players: usize,
        /// The number of seats that were named.
        seats: usize,
    },
    /// Two seats for one person.
    #[error("a person can play one seat only")]
    Persons,
    /// An answer for a seat that is not asked.
    #[error("player {0} is not asked at this turn, so no answer can be given for it")]
    NotAsked(u8),
    /// No edition of this program has the rules of the match.
    #[error("the rules of this match are those of no edition that this program knows")]
    UnknownEdition,
    /// A bot that the server does not offer, or that cannot be started.
    #[error("the bot {name} cannot play: {why}")]
    Bot {
        /// Name of the bot.
        name: String,
        /// The reason.
        why: String,
    },
    /// An answer of a person in a game of bots.
    #[error("no person plays in this game")]
    NoPerson,
    /// The person answers without being asked.
    #[error(transparent)]
    NotAwaited(MatchError),
    /// A built-in bot did not answer.
    #[error("the built-in bot {name} failed: {why}")]
    BuiltInBot {
        /// Name of the bot.
        name: String,
        /// The reason.
        why: String,
    },
    /// The match does not take the rules or the answers of our own bots.
    #[error("the match cannot be played: {0}")]
    Match(ReplayError),
}

impl HumanGameError {
    /// Whether the fault is ours: a built-in bot or the match itself failed. Every other error is the caller's fault.
    pub fn is_ours(&self) -> bool {
        matches!(self, HumanGameError::BuiltInBot { .. } | HumanGameError::Match(_))
    }
}
