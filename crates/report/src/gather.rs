//! Reads a run once from the first line to the last. The large parts of a line are aggregated and dropped at once, so
//! that a run of ten thousand matches takes little memory.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use catalog::AnyGame;
use game::Selected;
use runs::{MatchLine, Metric, Plan, Results, RunError, RunHeader, RunReader};
use serde::Serialize;

use crate::clean::clean;
use crate::names::names;

/// The most names of metrics that are kept, and the most turns of each: a bot may write any number of them.
const MOST_METRICS: usize = 24;
const MOST_TURNS: usize = 4096;

/// A run in the form from which the report is made.
pub(crate) struct Gathered {
    pub(crate) header: RunHeader,
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) selected: Selected,
    /// The name of each player.
    pub(crate) names: Vec<String>,
    /// Finished matches in the order of the schedule, without their times and metrics.
    pub(crate) matches: Vec<MatchLine>,
    pub(crate) times: Vec<Times>,
    pub(crate) metrics: Metrics,
    /// Whether the file ends within a line.
    pub(crate) torn: bool,
}

/// The times of a player's answers except the first, in microseconds: one number of each kind for each match.
#[derive(Clone, Default, Debug)]
pub(crate) struct Times {
    pub(crate) median: Vec<u64>,
    pub(crate) p95: Vec<u64>,
    pub(crate) longest: Vec<u64>,
}

/// The metrics of bots, by name.
#[derive(Default, Debug)]
pub(crate) struct Metrics {
    /// By name, then by player, then by turn.
    pub(crate) by_turn: BTreeMap<String, Vec<BTreeMap<u64, Spread>>>,
    /// By name, then by player: one number for a match.
    pub(crate) by_match: BTreeMap<String, Vec<Spread>>,
    /// Names of metrics that are words.
    pub(crate) words: BTreeSet<String>,
    /// Whether metrics were dropped because there were too many names.
    pub(crate) cut: bool,
}

/// Summary of many numbers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Spread {
    pub(crate) count: u64,
    pub(crate) min: f64,
    pub(crate) mean: f64,
    pub(crate) max: f64,
}

impl Spread {
    pub(crate) const NONE: Spread =
        Spread { count: 0, min: f64::INFINITY, mean: 0.0, max: f64::NEG_INFINITY };

    pub(crate) fn add(&mut self, value: f64) {
        *self = self.with(Spread { count: 1, min: value, mean: value, max: value });
    }

    /// The summary of both.
    pub(crate) fn with(self, other: Spread) -> Spread {
        let count = self.count + other.count;
        let weight = other.count as f64 / count.max(1) as f64;
        Spread {
            count,
            min: self.min.min(other.min),
            // Weighted means of finite numbers stay finite, where a sum might not.
            mean: self.mean * (1.0 - weight) + other.mean * weight,
            max: self.max.max(other.max),
        }
    }
}

impl Gathered {
    /// Reads a run. The file is not changed, and may still be written by another process.
    pub(crate) fn read(path: &Path) -> Result<Gathered, RunError> {
        let mut reader = RunReader::open(path)?;
        let header = reader.header().clone();
        let (game, selected) = header.rules().map_err(|why| RunError::NotARun(path.to_owned(), why))?;
        let mut gathered = Gathered {
            game,
            selected,
            names: player_names(&header),
            header,
            matches: Vec::new(),
            times: Vec::new(),
            metrics: Metrics::default(),
            torn: false,
        };
        gathered.times = vec![Times::default(); gathered.names.len()];
        let mut seen = BTreeSet::new();
        while let Some(line) = reader.next_match()? {
            // A match that is in the file twice counts once.
            if seen.insert(line.index) {
                gathered.add(line);
            }
        }
        gathered.torn = reader.torn();
        gathered.matches.sort_unstable_by_key(|line| line.index);
        for times in &mut gathered.times {
            for values in [&mut times.median, &mut times.p95, &mut times.longest] {
                values.sort_unstable();
            }
        }
        Ok(gathered)
    }

    fn add(&mut self, mut line: MatchLine) {
        for seat in 0..line.seats.len() {
            let player = self.player(line.seats[seat]);
            let times = &mut self.times[player];
            match (line.times_us.get(seat), line.slowest_us.get(seat)) {
                (Some(&[median, p95, longest]), _) => {
                    times.median.push(median);
                    times.p95.push(p95);
                    times.longest.push(longest);
                }
                (None, Some(&longest)) => times.longest.push(longest),
                (None, None) => {}
            }
            if let Some(metrics) = line.metrics.get_mut(seat) {
                self.metrics.add(player, self.names.len(), std::mem::take(metrics));
            }
        }
        (line.times_us, line.metrics, line.slowest_us) = (Vec::new(), Vec::new(), Vec::new());
        self.matches.push(line);
    }

    /// The player to which a bot of the run belongs: in a duel all copies of the second bot are one player.
    pub(crate) fn player(&self, bot: usize) -> usize {
        bot.min(self.names.len() - 1)
    }

    /// Whether many bots play each other, so that the result is a table.
    pub(crate) fn is_tournament(&self) -> bool {
        matches!(self.header.plan, Plan::Tournament(_))
    }

    /// The unit a match belongs to.
    pub(crate) fn unit_of(&self, line: &MatchLine) -> u64 {
        line.index / u64::from(self.header.players)
    }

    /// The share of points of a seat: the share of the other players' seats with a worse place; an equal place counts
    /// half.
    pub(crate) fn share(&self, line: &MatchLine, seat: usize) -> Option<f64> {
        let me = self.player(line.seats[seat]);
        let (mut points, mut rivals) = (0.0, 0);
        for other in 0..line.seats.len() {
            if self.player(line.seats[other]) != me {
                rivals += 1;
                points += match line.ranks[seat].cmp(&line.ranks[other]) {
                    std::cmp::Ordering::Less => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 0.0,
                };
            }
        }
        (rivals > 0).then(|| points / f64::from(rivals))
    }
}

impl Results for Gathered {
    fn unit(&self, unit: u64) -> Option<Vec<&MatchLine>> {
        let each = self.header.players as usize;
        let from = self.matches.partition_point(|line| self.unit_of(line) < unit);
        let lines = self.matches.get(from..from + each)?;
        lines.iter().all(|line| self.unit_of(line) == unit).then(|| lines.iter().collect())
    }

    fn lines(&self) -> impl Iterator<Item = &MatchLine> {
        self.matches.iter()
    }
}

fn player_names(header: &RunHeader) -> Vec<String> {
    let all = if header.names.is_empty() { names(&header.bots) } else { header.names.clone() };
    let mut all: Vec<String> = all.iter().map(|name| clean(name)).collect();
    if !matches!(header.plan, Plan::Tournament(_)) {
        all.truncate(2);
    }
    all
}

impl Metrics {
    fn add(&mut self, player: usize, players: usize, metrics: BTreeMap<String, Metric>) {
        for (name, metric) in metrics {
            let known = self.by_turn.contains_key(&name) || self.by_match.contains_key(&name);
            if !known && self.by_turn.len() + self.by_match.len() + self.words.len() >= MOST_METRICS {
                self.cut |= !self.words.contains(&name);
                continue;
            }
            match metric {
                Metric::Number(value) if value.is_finite() => {
                    let spreads = self.by_match.entry(name).or_insert_with(|| vec![Spread::NONE; players]);
                    spreads[player].add(value);
                }
                Metric::Turns(points) => {
                    let turns = self.by_turn.entry(name).or_insert_with(|| vec![BTreeMap::new(); players]);
                    let turns = &mut turns[player];
                    for (turn, value) in points.into_iter().filter(|(_, value)| value.is_finite()) {
                        if turns.len() < MOST_TURNS || turns.contains_key(&turn) {
                            turns.entry(turn).or_insert(Spread::NONE).add(value);
                        }
                    }
                }
                Metric::Word(_) => drop(self.words.insert(name)),
                Metric::Number(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_that_of_its_numbers() {
        let mut spread = Spread::NONE;
        for value in [4.0, -2.0, 1.0] {
            spread.add(value);
        }
        assert_eq!((spread.count, spread.min, spread.max), (3, -2.0, 4.0));
        assert!((spread.mean - 1.0).abs() < 1e-12);
        let mut huge = Spread::NONE;
        huge.add(f64::MAX);
        huge.add(f64::MAX);
        assert!(huge.mean.is_finite());
    }

    #[test]
    fn metrics_are_bounded_whatever_bots_write() {
        let mut metrics = Metrics::default();
        for number in 0..1000u64 {
            let turns = Metric::Turns((0..20).map(|turn| (number * 1000 + turn, 1.0)).collect());
            let written = [("depth".to_owned(), turns), (format!("m{number}"), Metric::Number(f64::NAN))];
            metrics.add(0, 2, written.into_iter().collect());
            let more = [
                (format!("n{number}"), Metric::Number(1.0)),
                ("opening".to_owned(), Metric::Word("rush".into())),
            ];
            metrics.add(1, 2, more.into_iter().collect());
        }
        assert!(metrics.cut);
        assert_eq!(metrics.by_turn["depth"][0].len(), MOST_TURNS);
        assert!(metrics.by_match.len() < MOST_METRICS);
        assert!(!metrics.by_match.contains_key("m0"), "what is no number is no metric");
        assert_eq!(metrics.by_match["n0"][1].count, 1);
        assert!(metrics.words.contains("opening"));
    }
}
