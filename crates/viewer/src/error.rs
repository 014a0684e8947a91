//! The errors of this crate.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use catalog::record::ReadError;
use replay::{HumanGameError, ReplayError};

/// The viewer cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address cannot be used.
    #[error("the viewer cannot listen at {address}: {error}; choose another address with --listen")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The reason.
        error: io::Error,
    },
    /// The system provides no threads or no address.
    #[error("the viewer cannot start: {0}")]
    System(io::Error),
}

/// A file that holds no matches that can be read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// A line is not a record.
    #[error("{}:{line}: {error}", path.display())]
    NoRecord {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: u64,
        /// The reason.
        error: ReadError,
    },
    /// The file holds no match.
    #[error(
        "{}: there is no match in it; `agon play --record FILE` and `agon simulate --record FILE` write some",
        .0.display()
    )]
    Empty(PathBuf),
}

/// A picture, a clip or a page that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The match does not have this turn.
    #[error("there is no turn {at}; choose one from 0 (the start) to {last}")]
    NoTurn {
        /// The turn that was asked for.
        at: f64,
        /// The last turn of the match.
        last: usize,
    },
    /// A clip that would go backwards.
    #[error("a clip goes forward, not from turn {from} to turn {to}")]
    Backwards {
        /// The first turn that was asked for.
        from: usize,
        /// The last turn that was asked for.
        to: usize,
    },
    /// The drawing code failed.
    #[error("the picture cannot be drawn: {0}")]
    Drawing(String),
    /// The page in this program has no placeholder for matches.
    #[error("the page has no place for matches")]
    NoPlace,
    /// The matches cannot be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The page or the clip cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// A request of a page that cannot be answered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RequestError {
    #[error("there is no such page")]
    NoPage,
    #[error("there is no match {0}")]
    NoMatch(usize),
    #[error("match {0} is not being played")]
    NotLive(usize),
    #[error("match {0} is not a game of a person")]
    NotHuman(usize),
    #[error("the game is not over yet")]
    NotOver,
    #[error("`agon play --record FILE` writes the record of this match")]
    NoRecord,
    #[error("{0} games were begun here; start `agon watch` anew")]
    TooManyGames(usize),
    #[error("this is not {0:?}; ask for localhost")]
    OtherHost(String),
    #[error("no bot is started here; `agon watch` starts some for pages of this machine")]
    NoBots,
    #[error("{0}")]
    Bot(String),
    #[error(transparent)]
    Recording(#[from] review::RecordingError),
    #[error(transparent)]
    Selection(#[from] game::SelectionError),
    #[error(transparent)]
    UnknownGame(#[from] catalog::UnknownGame),
    #[error(transparent)]
    Record(#[from] ReplayError),
    #[error(transparent)]
    HumanGame(#[from] HumanGameError),
    #[error(transparent)]
    Statement(#[from] game::StatementError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error("the work broke off: {0}")]
    Work(#[from] tokio::task::JoinError),
}
