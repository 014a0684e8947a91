//! The messages between masters and workers.

use std::collections::BTreeMap;

use referee::Clock;
use sandbox::Level;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use toolchain::{NotBuilt, PortableBot, SentProgram};

/// The version of the messages. A worker takes only work of its own version.
pub const PROTOCOL: u32 = 2;

/// Work for one worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Work {
    /// The master that gets the report.
    pub master: String,
    /// The lease: work that was sent together has the same token, and its master can end it by this token.
    pub token: u64,
    /// The number of this work.
    pub item: u64,
    /// The most seconds that a worker may take; then it gives the work back.
    pub deadline_s: u64,
    /// The weakest sandbox that is allowed.
    pub level: Level,
    /// A worker that must not do this work: it has played the same matches, or could not compile the same source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_by: Option<String>,
    /// What is to be done.
    pub job: Job,
}

/// What is to be done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Job {
    /// Matches to play.
    Matches(Matches),
    /// A source to build.
    Build(Build),
}

/// Matches that one worker plays on one host: the rotations of one seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Matches {
    /// Name of the game.
    pub game: String,
    /// Level of the league.
    pub league: u8,
    /// Name of the edition.
    pub edition: String,
    /// The number of players in one match.
    pub players: u8,
    /// How time is kept.
    pub clock: Clock,
    /// Whether bots may think while they are not asked.
    pub ponder: bool,
    /// The bots, by their numbers.
    pub bots: BTreeMap<usize, PortableBot>,
    /// The matches.
    pub matches: Vec<MatchWork>,
    /// Whether the report contains the records of the matches.
    #[serde(default)]
    pub records: bool,
    /// Whether the answers are sent while a match is played (see [`crate::Progress`]).
    #[serde(default)]
    pub live: bool,
}

/// A source to build.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Build {
    /// The name of the bot.
    pub name: String,
    /// The name of the language.
    pub language: String,
    /// SHA-256 of the source, which is in the object store.
    pub source: String,
}

impl Work {
    /// The matches, if it is not a build.
    pub fn matches(&self) -> Option<&Matches> {
        match &self.job {
            Job::Matches(matches) => Some(matches),
            Job::Build(_) => None,
        }
    }
}

impl Matches {
    /// Whether the clock of the host can change a result.
    pub fn is_timed(&self) -> bool {
        self.clock != Clock::Off
    }
}

/// A match to play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MatchWork {
    /// Its number.
    pub index: u64,
    /// Its seed.
    #[serde(with = "catalog::record::seed_text")]
    pub seed: i64,
    /// The number of the bot in each seat.
    pub seats: Vec<usize>,
}

/// The result of work.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The number of the work.
    pub item: u64,
    /// The lease of the work.
    pub token: u64,
    /// The name of the worker.
    pub worker: String,
    /// The results of all its matches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<MatchReport>,
    /// The result of a build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<BuildReport>,
}

/// The result of a build.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BuildReport {
    /// It can play; its program is in the object store.
    Ready(SentProgram),
    /// It could not be built.
    NotBuilt(NotBuilt),
}

/// The result of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchReport {
    /// The number of the match.
    pub index: u64,
    /// Its outcome.
    #[serde(flatten)]
    pub outcome: MatchOutcome,
}

/// The outcome of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MatchOutcome {
    /// It was played to its end.
    Over {
        /// The line of the run file.
        line: Value,
        /// The compressed record, if the work asked for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        record: Option<Packed>,
    },
    /// It could not be played, and no bot has lost.
    Void {
        /// The reason.
        why: String,
        /// The seat whose bot caused it, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<usize>,
    },
}

impl MatchOutcome {
    /// A match that could not be played, by our fault.
    pub fn void(why: impl Into<String>) -> MatchOutcome {
        MatchOutcome::Void { why: why.into(), by: None }
    }
}

/// Bytes that belong to a message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Packed {
    /// In the message, in base 64.
    Inline(String),
    /// In the object store, because a message has a limited size; the digest.
    Object(String),
}
