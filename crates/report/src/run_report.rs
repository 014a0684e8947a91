//! The report as one value, which is written in three forms: for the terminal, as a page and as JSON.

use std::path::{Path, PathBuf};

use runs::{Plan, RunError};
use serde::Serialize;

use crate::clean::clean;
use crate::gather::{Gathered, Spread, Times};
use crate::moments::{self, Failures, Moment};
use crate::numbers::{Histogram, quantile};
use crate::outcomes::{self, Lengths, Sorted};
use crate::verdict::{self, Curve, Verdict};

/// The most points of a chart of a metric.
const METRIC_PLACES: usize = 120;

/// The report of a run.
#[derive(Debug, Serialize)]
pub struct RunReport {
    pub(crate) run: PathBuf,
    pub(crate) kind: &'static str,
    pub(crate) game: &'static str,
    pub(crate) title: &'static str,
    pub(crate) league: u8,
    pub(crate) league_name: &'static str,
    pub(crate) edition: &'static str,
    /// Seats of a match.
    pub(crate) players: u8,
    pub(crate) bots: Vec<BotFacts>,
    pub(crate) clock: String,
    pub(crate) sandbox: String,
    pub(crate) ponder: bool,
    pub(crate) first_seed: String,
    pub(crate) last_seed: String,
    /// Matches that are planned, that are finished, and that were finished after an early stop and do not count.
    pub(crate) planned: u64,
    pub(crate) finished: u64,
    pub(crate) uncounted: u64,
    pub(crate) complete: bool,
    /// Whether the file ends within a line.
    pub(crate) torn: bool,
    /// The command that goes on with the run.
    pub(crate) resume: String,
    pub(crate) verdict: Verdict,
    pub(crate) failures: Failures,
    pub(crate) ratings: Curve,
    pub(crate) scores: Histogram,
    pub(crate) lengths: Lengths,
    pub(crate) endings: Vec<(String, u64)>,
    pub(crate) times: TimeFacts,
    pub(crate) metrics: MetricFacts,
    pub(crate) by_seat: Sorted,
    pub(crate) by_map: Vec<Sorted>,
    pub(crate) worst_losses: Vec<Moment>,
    /// The matches of the run, the telling ones first, as far as the page lists them.
    #[serde(skip)]
    pub(crate) every_match: Vec<Moment>,
}

/// A bot of the run.
#[derive(Debug, Serialize)]
pub(crate) struct BotFacts {
    pub(crate) name: String,
    pub(crate) command: String,
    pub(crate) digest: Option<String>,
}

/// The durations of answers.
#[derive(Debug, Serialize)]
pub(crate) struct TimeFacts {
    /// The limit of every answer except the first, if the clock has one.
    pub(crate) limit_ms: Option<u32>,
    pub(crate) players: Vec<PlayerTimes>,
}

/// The distribution of the median, the 95th percentile and the maximum of a match's answers over the matches of a
/// player.
#[derive(Debug, Serialize)]
pub(crate) struct PlayerTimes {
    pub(crate) player: usize,
    pub(crate) median: Option<Quantiles>,
    pub(crate) p95: Option<Quantiles>,
    pub(crate) longest: Option<Quantiles>,
}

/// Quantiles over matches, in microseconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Quantiles {
    pub(crate) p5: f64,
    pub(crate) p25: f64,
    pub(crate) p50: f64,
    pub(crate) p75: f64,
    pub(crate) p95: f64,
    pub(crate) max: f64,
}

impl Quantiles {
    fn of(sorted: &[u64]) -> Option<Quantiles> {
        let [p5, p25, p50, p75, p95, max] =
            [0.05, 0.25, 0.5, 0.75, 0.95, 1.0].map(|share| quantile(sorted, share));
        (!sorted.is_empty()).then_some(Quantiles { p5, p25, p50, p75, p95, max })
    }
}

/// The metrics that bots wrote.
#[derive(Debug, Serialize)]
pub(crate) struct MetricFacts {
    pub(crate) by_turn: Vec<TurnMetric>,
    pub(crate) by_match: Vec<MatchMetric>,
    /// Names of metrics that are words; they have no chart.
    pub(crate) words: Vec<String>,
    /// Whether there were more names than are kept.
    pub(crate) cut: bool,
}

/// A metric over the turns of a match.
#[derive(Debug, Serialize)]
pub(crate) struct TurnMetric {
    pub(crate) name: String,
    /// For each player that wrote the metric, the turns and the summary of its values over all matches. Turns of long
    /// matches are combined, a few at a time.
    pub(crate) players: Vec<(usize, Vec<(u64, Spread)>)>,
}

/// A metric with one number for a match.
#[derive(Debug, Serialize)]
pub(crate) struct MatchMetric {
    pub(crate) name: String,
    pub(crate) players: Vec<(usize, Spread)>,
}

impl RunReport {
    /// The worst losses that have a record: the index of the match, the seat of the loser and the record.
    pub fn recorded_losses(&self) -> Vec<(u64, u8, PathBuf)> {
        let recorded = |moment: &Moment| Some((moment.index, moment.seat as u8, moment.record.clone()?));
        self.worst_losses.iter().filter_map(recorded).collect()
    }

    /// Names the page with the analysed replay of a loss, and the turn that cost most.
    pub fn link_replay(&mut self, index: u64, page: &Path, turn: Option<u32>) {
        for moment in self.worst_losses.iter_mut().filter(|moment| moment.index == index) {
            moment.page = Some((page.to_owned(), turn));
        }
    }

    /// Reads a run and computes its report. The file is not changed. Records of matches are searched for in the given
    /// folder, else in the folder that the run names.
    ///
    /// # Errors
    ///
    /// When the file is not a run that this program knows.
    pub fn read(path: &Path, records: Option<&Path>) -> Result<RunReport, RunError> {
        let mut run = Gathered::read(path)?;
        let judged = verdict::judge(&run);
        let finished = run.matches.len();
        run.matches.retain(|line| line.index < judged.end);
        let records =
            records.map(Path::to_owned).or_else(|| own_records(path, run.header.records.as_deref()?));
        let records = records.as_deref();
        let info = run.game.info();
        let header = &run.header;
        let bots = run.names.iter().enumerate().map(|(bot, name)| BotFacts {
            name: clean(name),
            command: clean(&header.bots[bot]),
            digest: header.digests[bot].as_deref().map(clean),
        });
        let league = info.leagues.get(usize::from(run.selected.league) - 1);
        let limit_ms = run.game.limits(run.selected).turn_ms;
        Ok(RunReport {
            kind: match header.plan {
                Plan::Duel => "duel",
                Plan::Tournament(_) => "tournament",
                Plan::Tune(_) => "tune",
            },
            game: info.name,
            title: info.title,
            league: run.selected.league,
            league_name: league.map_or("", |league| league.name),
            edition: run.selected.edition,
            players: header.players,
            bots: bots.collect(),
            clock: header.clock.to_string(),
            sandbox: header.sandbox.to_string(),
            ponder: header.ponder,
            first_seed: header.first_seed.to_string(),
            last_seed: header.seed(header.units.saturating_sub(1)).to_string(),
            planned: header.matches(),
            finished: finished as u64,
            uncounted: (finished - run.matches.len()) as u64,
            complete: judged.complete,
            torn: run.torn,
            resume: clean(&shell_words::join(["agon", "resume", &path.display().to_string()])),
            verdict: judged.verdict,
            failures: moments::failures(&run, records),
            ratings: judged.curve,
            scores: outcomes::scores(&run),
            lengths: outcomes::lengths(&run),
            endings: outcomes::endings(&run),
            times: TimeFacts {
                limit_ms: (header.clock != referee::Clock::Off).then_some(limit_ms),
                players: run
                    .times
                    .iter()
                    .enumerate()
                    .map(|(player, times)| player_times(player, times))
                    .collect(),
            },
            metrics: metric_facts(&run),
            by_seat: outcomes::by_seat(&run),
            by_map: outcomes::by_map(&run),
            worst_losses: moments::losses(&run, records),
            every_match: moments::every(&run, records),
            run: path.to_owned(),
        })
    }

    /// The name of a player.
    pub(crate) fn name(&self, player: usize) -> &str {
        &self.bots[player].name
    }

    /// The players in the order in which they are shown: best first in a tournament.
    pub(crate) fn order(&self) -> Vec<usize> {
        match &self.verdict {
            Verdict::Table { rows, .. } => rows.iter().map(|row| row.player).collect(),
            _ => (0..self.bots.len()).collect(),
        }
    }
}

/// The folder of records that a run names: the path as it was typed, or a folder beside the run file if both were
/// moved.
fn own_records(run: &Path, named: &str) -> Option<PathBuf> {
    let beside = run.parent().map(|folder| folder.join(named));
    [Some(PathBuf::from(named)), beside].into_iter().flatten().find(|folder| folder.is_dir())
}

fn player_times(player: usize, times: &Times) -> PlayerTimes {
    PlayerTimes {
        player,
        median: Quantiles::of(&times.median),
        p95: Quantiles::of(&times.p95),
        longest: Quantiles::of(&times.longest),
    }
}

fn metric_facts(run: &Gathered) -> MetricFacts {
    let metrics = &run.metrics;
    let by_turn = metrics.by_turn.iter().map(|(name, players)| {
        let turns = players.iter().flat_map(|turns| turns.keys());
        let (first, last) = (turns.clone().min().copied().unwrap_or(0), turns.max().copied().unwrap_or(0));
        let each = ((last - first) / METRIC_PLACES as u64).saturating_add(1);
        let players =
            players.iter().enumerate().filter(|(_, turns)| !turns.is_empty()).map(|(player, turns)| {
                let mut places: Vec<(u64, Spread)> = Vec::new();
                for (&turn, &spread) in turns {
                    let place = first + (turn - first) / each * each;
                    match places.last_mut() {
                        Some((last, together)) if *last == place => *together = together.with(spread),
                        _ => places.push((place, spread)),
                    }
                }
                (player, places)
            });
        TurnMetric { name: clean(name), players: players.collect() }
    });
    let by_match = metrics.by_match.iter().map(|(name, spreads)| MatchMetric {
        name: clean(name),
        players: spreads.iter().copied().enumerate().filter(|(_, spread)| spread.count > 0).collect(),
    });
    MetricFacts {
        by_turn: by_turn.collect(),
        by_match: by_match.collect(),
        words: metrics.words.iter().map(|name| clean(name)).collect(),
        cut: metrics.cut,
    }
}
