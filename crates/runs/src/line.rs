//! A finished match: a line of the run file.

use std::collections::BTreeMap;
use std::time::Duration;

use play::{PlayedMatch, metrics_by_seat};
use rating::GameResult;
use referee::{Cause, Ending};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::InvalidRun;
use crate::findings::TuneFindings;
use crate::header::{Plan, RunHeader};
use crate::tune::Tuning;

/// The most metrics of a bot that are kept.
const MOST_METRICS: usize = 32;
/// The most turns of a metric that are kept.
const MOST_POINTS: usize = 512;
/// Most characters of a metric that is a word.
const LONGEST_WORD: usize = 64;

/// A finished match: a line of the run file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchLine {
    /// Its index in the schedule.
    pub index: u64,
    /// Its seed.
    #[serde(with = "catalog::record::seed_text")]
    pub seed: i64,
    /// The bot of each seat.
    pub seats: Vec<usize>,
    /// Final scores, by seat.
    pub scores: Vec<i64>,
    /// Places, by seat.
    pub ranks: Vec<u8>,
    /// The reason why the game ended.
    pub reason: String,
    /// The short name of the reason why a player lost by its own fault, by seat.
    pub causes: Vec<Option<String>>,
    /// The same reason in a sentence.
    pub details: Vec<Option<String>>,
    /// The turn in which a player lost by its own fault, by seat. Empty in older files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_turns: Vec<Option<u32>>,
    /// The number of orders of each player that were skipped, by seat. Empty if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<u32>,
    /// The first order of each player that was skipped, in a sentence, by seat. Empty if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_skipped: Vec<Option<String>>,
    /// The number of turns.
    pub turns: u32,
    /// The slowest answer except the first, in microseconds, by seat.
    pub slowest_us: Vec<u64>,
    /// The number of answers of all players together.
    #[serde(default)]
    pub answers: u32,
    /// The number of answers whose time was disturbed, because the host was busy.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub disturbed: u32,
    /// Median, 95th percentile and maximum of the answers except the first, in microseconds, by seat. Like the
    /// metrics they are only in the file, to save memory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times_us: Vec<[u64; 3]>,
    /// The metrics that bots wrote to their standard error output (see [`play::metrics_of`]), by seat, then by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<BTreeMap<String, Metric>>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A number or word that a bot wrote about itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Metric {
    /// One number for the match.
    Number(f64),
    /// One word for the match.
    Word(String),
    /// A number for each of some turns: the turn, counted from 0, and the number.
    Turns(Vec<(u64, f64)>),
}

impl MatchLine {
    /// Reads a line of a run file and checks that it belongs to the run.
    ///
    /// # Errors
    ///
    /// When it does not belong to the run.
    pub fn parse(line: &[u8], header: &RunHeader) -> Result<MatchLine, InvalidRun> {
        let line: MatchLine = serde_json::from_slice(line)?;
        let players = header.players as usize;
        let lengths = [line.scores.len(), line.ranks.len(), line.causes.len(), line.details.len()];
        if !header.own_indices().contains(&line.index) {
            return Err(InvalidRun::OutOfSchedule);
        }
        if line.seats.len() != players || lengths.iter().any(|&length| length != players) {
            return Err(InvalidRun::Seats);
        }
        if line.seats.iter().any(|&bot| bot >= header.bots.len()) {
            return Err(InvalidRun::UnknownBot);
        }
        Ok(line)
    }

    /// The command line that plays the match again (see [`play::Command::again`]). `None` in a tuning, where the bots
    /// get other parameters in each match: see [`MatchLine::again_tuned`].
    pub fn again(&self, header: &RunHeader) -> Option<String> {
        let bots: Vec<&str> = header.bots.iter().map(String::as_str).collect();
        (!matches!(header.plan, Plan::Tune(_))).then(|| self.again_with(header, &bots))
    }

    /// The command line that plays a match of a tuning again, with the values of its parameters.
    pub fn again_tuned(
        &self,
        header: &RunHeader,
        tuning: &Tuning,
        findings: &TuneFindings,
    ) -> Option<String> {
        let (first, second) = findings.values_in(self.index / u64::from(header.players))?;
        let mut bots = vec![tuning.words_with_values(&header.bots[0], &first)];
        bots.extend(header.bots[1..].iter().map(|asked| match &second {
            Some(second) => tuning.words_with_values(asked, second),
            None => asked.clone(),
        }));
        let bots: Vec<&str> = bots.iter().map(String::as_str).collect();
        Some(self.again_with(header, &bots))
    }

    /// The command line that plays the match again with these bots.
    fn again_with(&self, header: &RunHeader, bots: &[&str]) -> String {
        let command = play::Command {
            game: &header.game,
            league: Some(header.league),
            edition: Some(&header.edition),
            seed: self.seed,
            clock: Some(header.clock),
            sandbox: Some(header.sandbox),
            ponder: Some(header.ponder),
            bots: self.seats.iter().map(|&bot| bots[bot]).collect(),
        };
        command.again()
    }

    /// The match as a game of a tournament: each bot is a player.
    pub fn game(&self, header: &RunHeader) -> GameResult {
        GameResult {
            unit: self.index / u64::from(header.players),
            players: self.seats.clone(),
            ranks: self.ranks.iter().map(|&rank| u32::from(rank)).collect(),
        }
    }

    /// The match as a game of a duel: the first bot is player 0, every other one a copy of player 1.
    pub fn against_copies(&self, unit: u64) -> GameResult {
        GameResult {
            unit,
            players: self.seats.iter().map(|&bot| bot.min(1)).collect(),
            ranks: self.ranks.iter().map(|&rank| u32::from(rank)).collect(),
        }
    }

    /// The part that is kept in memory while a run goes on.
    pub(crate) fn slim(mut self) -> MatchLine {
        self.times_us = Vec::new();
        self.metrics = Vec::new();
        self
    }

    /// The line of a match that was played; `None` if it was void.
    pub(crate) fn of(index: u64, seed: i64, seats: &[usize], played: &PlayedMatch) -> Option<MatchLine> {
        let Ending::Over { outcome, causes } = &played.ending else { return None };
        let times_us: Vec<[u64; 3]> = (0..seats.len()).map(|seat| times(played, seat)).collect();
        let failed = causes.iter().any(Option::is_some);
        let skips: Vec<u32> = (0..seats.len()).map(|seat| played.skipped(seat).count() as u32).collect();
        let skipped = skips.iter().any(|&count| count > 0);
        Some(MatchLine {
            index,
            seed,
            seats: seats.to_vec(),
            scores: outcome.scores.clone(),
            ranks: outcome.ranks.clone(),
            reason: outcome.reason.clone(),
            causes: causes
                .iter()
                .map(|cause| cause.as_ref().map(|cause| Cause::name(cause).to_owned()))
                .collect(),
            details: causes
                .iter()
                .enumerate()
                .map(|(seat, cause)| cause.as_ref().map(|cause| played.failure(seat, cause)))
                .collect(),
            failed_turns: (0..seats.len())
                .filter(|_| failed)
                .map(|seat| causes[seat].as_ref().and_then(|_| played.last_turn(seat)))
                .collect(),
            first_skipped: (0..seats.len())
                .filter(|_| skipped)
                .map(|seat| played.skipped(seat).next().map(ToString::to_string))
                .collect(),
            skipped: if skipped { skips } else { Vec::new() },
            turns: played.play.turn(),
            slowest_us: times_us.iter().map(|[_, _, longest]| *longest).collect(),
            answers: played.log.len() as u32,
            disturbed: played.disturbed() as u32,
            times_us,
            metrics: metrics_by_seat(played)
                .map(|seats| seats.into_iter().map(compact).collect())
                .unwrap_or_default(),
        })
    }
}

/// The times of the answers. The first answer has a different limit and is not included.
fn times(played: &PlayedMatch, seat: usize) -> [u64; 3] {
    let answers = played.log.iter().filter(|turn| turn.seat.index() == seat).skip(1);
    let mut walls: Vec<Duration> = answers.map(|turn| turn.wall).collect();
    walls.sort_unstable();
    let at = |share: usize| {
        let place = (walls.len() * share / 100).min(walls.len().saturating_sub(1));
        walls.get(place).map_or(0, |wall| wall.as_micros() as u64)
    };
    [at(50), at(95), at(100)]
}

/// The part of a bot's metrics that is kept for statistics, limited so that bots cannot fill the disk.
fn compact(metrics: Map<String, Value>) -> BTreeMap<String, Metric> {
    let kept = metrics.into_iter().filter_map(|(name, value)| {
        let metric = match value {
            Value::Number(number) => Metric::Number(number.as_f64()?),
            Value::String(word) => Metric::Word(word.chars().take(LONGEST_WORD).collect()),
            Value::Object(series) => {
                let points = series
                    .into_iter()
                    .filter_map(|(turn, value)| Some((turn.parse().ok()?, value.as_f64()?)));
                Metric::Turns(points.take(MOST_POINTS).collect())
            }
            _ => return None,
        };
        Some((name, metric))
    });
    kept.take(MOST_METRICS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_kept_small() {
        let mut wide = Map::new();
        for turn in 0..2000 {
            play::metrics_of(
                &format!("[TDATA] depth = {turn}\n[PDATA] m{turn} = {}", "x".repeat(500)),
                turn,
                &mut wide,
            );
        }
        let kept = compact(wide);
        assert_eq!(kept.len(), MOST_METRICS);
        let Metric::Turns(points) = &kept["depth"] else { panic!("{kept:?}") };
        assert_eq!((points.len(), points[7]), (MOST_POINTS, (7, 7.0)));
        assert_eq!(kept["m0"], Metric::Word("x".repeat(LONGEST_WORD)));
    }

    #[test]
    fn metrics_survive_the_file() {
        let mut metrics = Map::new();
        play::metrics_of("[TDATA] depth = 3\n[PDATA] nodes = 1e9\n[PDATA] opening = rush", 4, &mut metrics);
        let kept = compact(metrics);
        let text = serde_json::to_string(&kept).unwrap();
        assert_eq!(text, r#"{"depth":[[4,3.0]],"nodes":1000000000.0,"opening":"rush"}"#);
        assert_eq!(serde_json::from_str::<BTreeMap<String, Metric>>(&text).unwrap(), kept);
    }
}
