//! The errors of this crate. Each says whose fault it is.

use std::io;
use std::path::PathBuf;

use game::SelectionError;

use crate::header::{MOST_BOTS, MOST_MATCHES, MOST_PARTS, Shard};
use crate::tune::{MOST_PARAMETERS, ParameterError};

/// A run file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The host's fault: a file cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// The caller's fault: a file of this name exists already.
    #[error("{path} exists; `agon resume {path}` goes on with it; choose another name for a new run", path = .0.display())]
    Exists(PathBuf),
    /// The caller's fault: it is not a run file, or of a version this program does not know.
    #[error("{} is not a run: {}", .0.display(), .1)]
    NotARun(PathBuf, #[source] InvalidRun),
    /// The caller's fault: another process is playing it already.
    #[error("{} is being played by another agon; wait for it or stop it", .0.display())]
    Busy(PathBuf),
    /// The caller's fault: a bot has changed since the run began.
    #[error("the bot {0} is not what it was when the run began; begin a new run for the new bot")]
    BotChanged(String),
    /// The caller's fault: a bot cannot be sent to workers.
    #[error(transparent)]
    NotPortable(#[from] toolchain::PortableError),
    /// The cluster cannot be used; the error says whose fault it is.
    #[error(transparent)]
    Cluster(#[from] cluster::ClusterError),
}

/// A run that is not valid: because of its file, or of the numbers in the request. The fault is the caller's.
#[derive(Debug, thiserror::Error)]
pub enum InvalidRun {
    /// The file has no first line.
    #[error("it is empty")]
    Empty,
    /// A line is longer than any line of a run.
    #[error("line {0} is too long")]
    LongLine(u64),
    /// A line is not a match of this run.
    #[error("line {number}: {error}")]
    Line {
        /// The number of the line, from 1.
        number: u64,
        /// The reason.
        #[source]
        error: Box<InvalidRun>,
    },
    /// A line is not JSON of the right form.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The file was written by a later program.
    #[error("it has version {found}, this program reads up to {known}")]
    Version {
        /// The version of the file.
        found: u32,
        /// The latest version that can be read.
        known: u32,
    },
    /// Too few or too many bots.
    #[error("a run is between 2 to {MOST_BOTS} bots, and there are {0}")]
    Bots(usize),
    /// The numbers of bots, names and digests differ.
    #[error("bots, their names and their digests differ in number")]
    Names,
    /// The number of seats does not fit the number of bots.
    #[error("{bots} bots cannot play at a table for {players}")]
    Players {
        /// The number of bots in the run.
        bots: usize,
        /// The number of players in one match.
        players: usize,
    },
    /// A duel with bots that do not play in it.
    #[error("in a duel every bot plays in every match")]
    Duel,
    /// Too many matches.
    #[error("a run has {MOST_MATCHES} matches at the most")]
    Matches,
    /// The part of a run is not one of its parts.
    #[error(
        "a part is written as PART/PARTS, from 1/PARTS to PARTS/PARTS, with {MOST_PARTS} parts at the most"
    )]
    Shard,
    /// A run whose matches depend on the results of earlier matches cannot be played in parts.
    #[error(
        "a Swiss tournament and a tuning cannot be played in parts: their matches depend on earlier results"
    )]
    InOrder,
    /// A file to merge is not a part of a run.
    #[error("it is a whole run, not a part; parts are played with --shard")]
    Whole,
    /// A file to merge is a part of another run.
    #[error("it is a part of another run than {}: {differs} differs", .part.display())]
    OtherRun {
        /// A part of the first run.
        part: PathBuf,
        /// The setting that differs.
        differs: &'static str,
    },
    /// Two files to merge are the same part.
    #[error("it is part {shard}, and so is {}", .other.display())]
    SamePart {
        /// The other file.
        other: PathBuf,
        /// The part that both are.
        shard: Shard,
    },
    /// Too few or too many parameters.
    #[error("1 to {MOST_PARAMETERS} parameters can be tuned")]
    Parameters,
    /// Two parameters have the same name.
    #[error("there are two parameters of the name {0}")]
    SameParameter(String),
    /// A parameter is not valid.
    #[error("{name}: {error}")]
    Parameter {
        /// Its name.
        name: String,
        /// The reason.
        #[source]
        error: ParameterError,
    },
    /// The number of units of the run does not follow from the steps of its tuning.
    #[error("iterations and units of the tuning do not fit the run")]
    TuningUnits,
    /// A match has an index beyond the last one.
    #[error("a match is out of its schedule")]
    OutOfSchedule,
    /// A match has another number of seats.
    #[error("a match has another number of seats than the run")]
    Seats,
    /// A match was played by a bot that is not in the run.
    #[error("a bot of a match is not in the run")]
    UnknownBot,
    /// The game does not exist.
    #[error(transparent)]
    Game(#[from] catalog::UnknownGame),
    /// The game does not have this league, edition or number of players.
    #[error(transparent)]
    Selection(#[from] SelectionError),
}
