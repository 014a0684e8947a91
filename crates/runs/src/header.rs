//! The header of a run: the first line of its file.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;

use game::{Selected, Selection};
use rating::Sprt;
use referee::Clock;
use sandbox::Level;
use serde::{Deserialize, Serialize};

use crate::error::{InvalidRun, RunError};
use crate::schedule::Format;
use crate::tune::Tuning;

/// The most bots of a run.
pub(crate) const MOST_BOTS: usize = 1024;
/// The most matches of a run: more than a machine plays in years, and few enough to keep in memory.
pub(crate) const MOST_MATCHES: u64 = 20_000_000;
/// The most parts of a run.
pub(crate) const MOST_PARTS: u64 = 100_000;

/// The settings of a run: the first line of its file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunHeader {
    /// Version of the file.
    pub agon_run: u32,
    /// Name of the game.
    pub game: String,
    /// Level of the league.
    pub league: u8,
    /// Name of the edition. Older files call it `rules`.
    #[serde(alias = "rules")]
    pub edition: String,
    /// The bots, as the words on the command line. In a duel and in a tuning the number of bots is the number of
    /// seats: the first bot, then the second in all other seats.
    pub bots: Vec<String>,
    /// The names of the bots in results, all different. Empty in files of version 1.
    #[serde(default)]
    pub names: Vec<String>,
    /// SHA-256 of each bot, if it has a file: a bot that changed is another bot.
    pub digests: Vec<Option<String>>,
    /// The number of players in one match; 0 in files of version 1, where all bots play in every match.
    #[serde(default)]
    pub players: u8,
    /// Seed of the first unit; each next one has the next seed.
    pub first_seed: i64,
    /// Most units that are played.
    pub units: u64,
    /// How time is kept.
    pub clock: Clock,
    /// The sandbox level.
    pub sandbox: Level,
    /// Whether bots may think while they are not asked.
    pub ponder: bool,
    /// The sequential test that stops the run early, if there is one. Older files have only its two bounds.
    pub sprt: Option<Sprt>,
    /// The purpose of the run.
    #[serde(default)]
    pub plan: Plan,
    /// The folder that gets the record of each match, if there is one: `INDEX.json.gz`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<String>,
    /// The part of the run that this file is for, if several machines share the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

/// A part of a run: whole units, one after the other, so that a part has pairs of matches too.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// The number of this part, from 1.
    pub part: u64,
    /// The number of all parts.
    pub of: u64,
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

impl FromStr for Shard {
    type Err = InvalidRun;

    fn from_str(text: &str) -> Result<Shard, InvalidRun> {
        let numbers =
            text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        let shard = numbers.map(|(part, of)| Shard { part, of });
        shard.filter(Shard::is_valid).ok_or(InvalidRun::Shard)
    }
}

impl Shard {
    fn is_valid(&self) -> bool {
        (1..=MOST_PARTS).contains(&self.of) && (1..=self.of).contains(&self.part)
    }

    fn units(self, all: u64) -> Range<u64> {
        all * (self.part - 1) / self.of..all * self.part / self.of
    }
}

/// The purpose of a run, which decides its pairings.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Plan {
    /// Is the first bot better than the second?
    #[default]
    Duel,
    /// Which of many bots is the best?
    Tournament(Format),
    /// Which parameters of a bot are the best?
    Tune(Tuning),
}

impl RunHeader {
    /// The version that this program writes. Version 1 had only duels, and no names, times and metrics. Version 2 had
    /// no parts.
    pub const VERSION: u32 = 3;

    /// Reads the first line of a run file.
    ///
    /// # Errors
    ///
    /// When the line is not a header, or has a version that this program does not know.
    pub fn parse(line: &[u8], path: &Path) -> Result<RunHeader, RunError> {
        /// The field that every version has.
        #[derive(Deserialize)]
        struct Versioned {
            agon_run: u32,
        }
        let not = |why: InvalidRun| RunError::NotARun(path.to_owned(), why);
        // The version is checked first: the other fields of a later version need not be readable.
        let Versioned { agon_run } = serde_json::from_slice(line).map_err(|error| not(error.into()))?;
        if agon_run > Self::VERSION {
            return Err(not(InvalidRun::Version { found: agon_run, known: Self::VERSION }));
        }
        let mut header: RunHeader = serde_json::from_slice(line).map_err(|error| not(error.into()))?;
        if header.players == 0 {
            header.players = u8::try_from(header.bots.len()).unwrap_or(u8::MAX);
        }
        header.check().map_err(not)?;
        Ok(header)
    }

    /// Refuses a run that cannot be played.
    ///
    /// # Errors
    ///
    /// When the numbers are not consistent.
    pub fn check(&self) -> Result<(), InvalidRun> {
        let (bots, players) = (self.bots.len(), self.players as usize);
        if !(2..=MOST_BOTS).contains(&bots) {
            return Err(InvalidRun::Bots(bots));
        }
        if self.digests.len() != bots || !(self.names.is_empty() || self.names.len() == bots) {
            return Err(InvalidRun::Names);
        }
        if players < 2 || players > bots {
            return Err(InvalidRun::Players { bots, players });
        }
        if players != bots && !matches!(self.plan, Plan::Tournament(_)) {
            return Err(InvalidRun::Duel);
        }
        if self.units.checked_mul(players as u64).is_none_or(|matches| matches > MOST_MATCHES) {
            return Err(InvalidRun::Matches);
        }
        if let Some(shard) = self.shard {
            if !shard.is_valid() {
                return Err(InvalidRun::Shard);
            }
            if matches!(self.plan, Plan::Tune(_) | Plan::Tournament(Format::Swiss)) {
                return Err(InvalidRun::InOrder);
            }
        }
        match &self.plan {
            Plan::Duel | Plan::Tournament(_) => Ok(()),
            Plan::Tune(tuning) => tuning.check(self.units),
        }
    }

    /// The units that belong to this file: all of them, or those of its part.
    pub fn own_units(&self) -> Range<u64> {
        self.shard.map_or(0..self.units, |shard| shard.units(self.units))
    }

    /// The seed of a unit.
    pub fn seed(&self, unit: u64) -> i64 {
        let number = match &self.plan {
            Plan::Tune(tuning) => tuning.seed_number(unit),
            Plan::Duel | Plan::Tournament(_) => unit,
        };
        self.first_seed.wrapping_add_unsigned(number)
    }

    /// The indices of the matches that belong to this file.
    pub fn own_indices(&self) -> Range<u64> {
        let (units, players) = (self.own_units(), u64::from(self.players));
        units.start * players..units.end * players
    }

    /// The number of matches that belong to this file.
    pub fn matches(&self) -> u64 {
        let indices = self.own_indices();
        indices.end - indices.start
    }

    /// The name of a bot in results.
    pub fn name(&self, bot: usize) -> &str {
        self.names.get(bot).or(self.bots.get(bot)).map_or("", String::as_str)
    }

    /// The game and the rule set of the run.
    ///
    /// # Errors
    ///
    /// When the game or the rules do not exist in this program.
    pub fn rules(&self) -> Result<(&'static dyn catalog::AnyGame, Selected), InvalidRun> {
        let game = catalog::find(&self.game)?;
        let asked = Selection {
            league: Some(self.league),
            edition: Some(self.edition.clone()),
            players: Some(self.players),
        };
        Ok((game, game.select(&asked)?))
    }
}
