//! The results of two players against each other: single comparisons and units.

use serde::{Deserialize, Serialize};

use crate::estimate::Sample;
use crate::{Estimate, GameResult, result};

/// Wins, draws and losses of single comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Score {
    /// Comparisons won.
    pub wins: u64,
    /// Comparisons drawn.
    pub draws: u64,
    /// Comparisons lost.
    pub losses: u64,
}

impl Score {
    /// A score with these counts.
    pub fn new(wins: u64, draws: u64, losses: u64) -> Score {
        Score { wins, draws, losses }
    }

    /// Counts a comparison, in half points: 0 is a loss, 1 a draw, 2 or more a win.
    pub fn add(&mut self, half_points: u32) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// The number of comparisons.
    pub fn total(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The points: a win is a point, a draw half a point.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// Elo under the assumption that all games are independent. On maps that favour a seat the games of a seed are not
    /// independent, and the interval is wider than necessary; where a bot's luck with a map is the same from every
    /// seat, the interval is too narrow. See [`Pairs::elo`].
    pub fn elo(&self) -> Estimate {
        self.sample().elo()
    }

    /// Normalised Elo under the assumption that all games are independent.
    pub fn nelo(&self) -> Estimate {
        self.as_pairs().nelo()
    }

    /// Likelihood of superiority under the assumption that all games are independent.
    pub fn los(&self) -> f64 {
        self.sample().los()
    }

    /// The trinomial counts as units of one game each: the input of a sequential test on single games.
    pub fn as_pairs(&self) -> Pairs {
        Pairs { shape: Shape::SINGLE, counts: vec![self.losses, self.draws, self.wins] }
    }

    fn sample(&self) -> Sample {
        self.as_pairs().sample()
    }
}

/// The composition of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shape {
    /// Games in a unit.
    pub games: u32,
    /// Comparisons of the two players in a unit: the number of games when each player has one seat.
    pub comparisons: u32,
}

impl Shape {
    /// A game is a unit: for bots that cannot play from every seat.
    pub const SINGLE: Shape = Shape { games: 1, comparisons: 1 };
    /// Two players, one seed, both seats.
    pub const PAIR: Shape = Shape { games: 2, comparisons: 2 };

    /// All rotations of this number of seats, each of the two players in one seat.
    pub fn rotations(seats: u32) -> Shape {
        Shape { games: seats, comparisons: seats }
    }

    /// All rotations of this number of seats, one seat for the first player and all others for copies of the second.
    pub fn one_against_copies(seats: u32) -> Shape {
        Shape { games: seats, comparisons: seats.saturating_mul(seats.saturating_sub(1)) }
    }

    /// The number of half points of a unit. At least one comparison, and limited so that a table of counts stays small.
    fn half_points(self) -> u32 {
        self.comparisons.clamp(1, 4096) * 2
    }
}

/// Units counted by the half points of the first player.
///
/// For two players these are the pentanomial counts of chess testing, `[LL, LD, WL+DD, WD, WW]`; for the rotations of
/// three seats there are seven counts, for four seats nine. Nothing is assumed about the games within a unit: games on
/// the same map depend on each other, and that is why units are counted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Pairs {
    shape: Shape,
    counts: Vec<u64>,
}

#[derive(Deserialize)]
struct Unchecked {
    shape: Shape,
    counts: Vec<u64>,
}

#[derive(Debug, thiserror::Error)]
#[error("{found} counts of units where there must be {expected}")]
struct WrongCounts {
    found: usize,
    expected: usize,
}

impl TryFrom<Unchecked> for Pairs {
    type Error = WrongCounts;

    fn try_from(raw: Unchecked) -> Result<Pairs, WrongCounts> {
        let expected = raw.shape.half_points() as usize + 1;
        if raw.counts.len() == expected {
            Ok(Pairs { shape: raw.shape, counts: raw.counts })
        } else {
            Err(WrongCounts { found: raw.counts.len(), expected })
        }
    }
}

impl Pairs {
    /// No units yet.
    pub fn new(shape: Shape) -> Pairs {
        Pairs { shape, counts: vec![0; shape.half_points() as usize + 1] }
    }

    /// Pentanomial counts `[LL, LD, WL+DD, WD, WW]`.
    pub fn pentanomial(counts: [u64; 5]) -> Pairs {
        Pairs { shape: Shape::PAIR, counts: counts.to_vec() }
    }

    /// Counts a unit by the half points of the first player; too large numbers count as the maximum.
    pub fn add(&mut self, half_points: u32) {
        let most = self.counts.len() - 1;
        self.counts[(half_points as usize).min(most)] += 1;
    }

    /// The composition of a unit.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The numbers of units by half points, from none to all.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The number of units.
    pub fn total(&self) -> u64 {
        self.counts.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Elo difference and its 95 % interval, from the spread of the units.
    pub fn elo(&self) -> Estimate {
        self.sample().elo()
    }

    /// Normalised Elo and its 95 % interval, from the spread of the units.
    pub fn nelo(&self) -> Estimate {
        self.sample().nelo(&self.counts)
    }

    /// Likelihood of superiority: the probability that the first player is better, given the units.
    pub fn los(&self) -> f64 {
        self.sample().los()
    }

    /// The share of units in which both players took the same points; zero without units. High on maps that decide the
    /// game.
    pub fn draw_ratio(&self) -> f64 {
        let total = self.total();
        if total == 0 { 0.0 } else { self.even() as f64 / total as f64 }
    }

    /// The ratio of won units to lost units; `None` without lost units.
    pub fn ratio(&self) -> Option<f64> {
        let middle = self.counts.len() / 2;
        let sum = |counts: &[u64]| counts.iter().map(|&count| count as f64).sum::<f64>();
        let (lost, won) = (sum(&self.counts[..middle]), sum(&self.counts[middle + 1..]));
        (lost > 0.0).then(|| won / lost)
    }

    pub(crate) fn even(&self) -> u64 {
        self.counts[self.counts.len() / 2]
    }

    pub(crate) fn sample(&self) -> Sample {
        Sample::new(&self.counts, self.shape.games)
    }
}

/// All results of two players against each other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Duel {
    /// All single comparisons, including those of incomplete units.
    pub score: Score,
    /// Complete units.
    pub pairs: Pairs,
    /// Units in which both players took the same points without a draw (WL, not DD): the map decided.
    pub even_without_draws: u64,
    /// Games in which the two players met.
    pub games: u64,
    /// Units left out of `pairs`, because games are missing or too many, or because they have another shape.
    pub incomplete: u64,
}

impl Duel {
    /// No games yet.
    pub fn new(shape: Shape) -> Duel {
        Duel {
            score: Score::default(),
            pairs: Pairs::new(shape),
            even_without_draws: 0,
            games: 0,
            incomplete: 0,
        }
    }

    /// The results of `first` and `second` against each other in a log; other players are ignored, and so is the order
    /// of the log.
    pub fn of(games: &[GameResult], first: usize, second: usize, shape: Shape) -> Duel {
        let mut duel = Duel::new(shape);
        let log = result::sorted(games);
        for unit in log.chunk_by(|a, b| a.unit == b.unit) {
            duel.add_unit(unit.iter().copied(), first, second);
        }
        duel
    }

    /// Adds the games of a unit. A unit in which the two players never met is ignored.
    pub fn add_unit<'a>(
        &mut self,
        games: impl IntoIterator<Item = &'a GameResult>,
        first: usize,
        second: usize,
    ) {
        let mut unit = Score::default();
        let mut met = 0;
        for game in games {
            let before = unit.total();
            for (a, b, half_points) in game.comparisons() {
                if (a, b) == (first, second) {
                    unit.add(half_points);
                } else if (b, a) == (first, second) {
                    unit.add(2 - half_points);
                }
            }
            met += u64::from(unit.total() > before);
        }
        if met == 0 {
            return;
        }
        self.games += met;
        self.score.wins += unit.wins;
        self.score.draws += unit.draws;
        self.score.losses += unit.losses;
        let shape = self.pairs.shape;
        if met == u64::from(shape.games) && unit.total() == u64::from(shape.comparisons) {
            self.pairs.add((2 * unit.wins + unit.draws) as u32);
            self.even_without_draws += u64::from(unit.wins == unit.losses && unit.draws == 0);
        } else {
            self.incomplete += 1;
        }
    }
}
