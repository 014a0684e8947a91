//! The results of two players against each other: single comparisons and units.

use serde::{Deserialize, Serialize};

use crate::estimate::Sample;
use crate::{Estimate, GameResult, result};

/// Wins, draws and losses: every comparison by itself.
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
    /// A score of known counts.
    pub fn new(wins: u64, draws: u64, losses: u64) -> Score {
        Score { wins, draws, losses }
    }

    /// Counts one comparison, in half points: 0, 1 or 2 and more.
    pub fn add(&mut self, half_points: u32) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// How many comparisons there are.
    pub fn total(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A win is a point, a draw half a point.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// Elo as if every game were independent of all others. On maps that favour a seat the games of a seed are not, and the
    /// interval is wider than it need be; where a bot's luck with a map is the same from every seat, it is too narrow. See
    /// [`Pairs::elo`].
    pub fn elo(&self) -> Estimate {
        self.sample().elo()
    }

    /// Normalised Elo as if every game were independent of all others.
    pub fn nelo(&self) -> Estimate {
        self.sample().nelo()
    }

    /// Likelihood of superiority as if every game were independent of all others.
    pub fn los(&self) -> f64 {
        self.sample().los()
    }

    /// The trinomial counts as units of one game each: what a sequential test on single games takes.
    pub fn as_pairs(&self) -> Pairs {
        Pairs { shape: Shape::SINGLE, counts: vec![self.losses, self.draws, self.wins] }
    }

    fn sample(&self) -> Sample {
        self.as_pairs().sample()
    }
}

/// What one unit consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shape {
    /// Games in a unit.
    pub games: u32,
    /// Comparisons of the two players in a unit: as many as games when each sits in one seat.
    pub comparisons: u32,
}

impl Shape {
    /// A game is a unit: for bots that cannot be played from every seat.
    pub const SINGLE: Shape = Shape { games: 1, comparisons: 1 };
    /// Two players, one seed, both seats.
    pub const PAIR: Shape = Shape { games: 2, comparisons: 2 };

    /// Every rotation of this number of seats, each of the two players in one of them.
    pub fn rotations(seats: u32) -> Shape {
        Shape { games: seats, comparisons: seats }
    }

    /// Every rotation of this number of seats, one of them for the first player and all others for copies of the second.
    pub fn one_against_copies(seats: u32) -> Shape {
        Shape { games: seats, comparisons: seats.saturating_mul(seats.saturating_sub(1)) }
    }

    /// Half points there are in a unit. At least one comparison, and never more than a table of counts should hold.
    fn half_points(self) -> u32 {
        self.comparisons.clamp(1, 4096) * 2
    }
}

/// Units counted by what the first player took of them.
///
/// For two players these are the pentanomial counts of chess testing, `[LL, LD, WL+DD, WD, WW]`; for the rotations of three
/// seats there are seven counts, for four seats nine. Nothing is assumed of the games within a unit: those of one map depend on
/// each other, and that is why units are counted.
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
    /// No unit yet.
    pub fn new(shape: Shape) -> Pairs {
        Pairs { shape, counts: vec![0; shape.half_points() as usize + 1] }
    }

    /// Pentanomial counts `[LL, LD, WL+DD, WD, WW]`.
    pub fn pentanomial(counts: [u64; 5]) -> Pairs {
        Pairs { shape: Shape::PAIR, counts: counts.to_vec() }
    }

    /// Counts one unit by the half points the first player took in it; too many count as all.
    pub fn add(&mut self, half_points: u32) {
        let most = self.counts.len() - 1;
        self.counts[(half_points as usize).min(most)] += 1;
    }

    /// What a unit consists of.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Units by half points, from none to all.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How many units there are.
    pub fn total(&self) -> u64 {
        self.counts.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Elo difference and its 95 % interval, from the spread of the units.
    pub fn elo(&self) -> Estimate {
        self.sample().elo()
    }

    /// Normalised Elo and its 95 % interval, from the spread of the units.
    pub fn nelo(&self) -> Estimate {
        self.sample().nelo()
    }

    /// Likelihood of superiority: how probable it is that the first player is the better one, given the units.
    pub fn los(&self) -> f64 {
        self.sample().los()
    }

    /// The share of units in which both took the same, zero without units. High on maps that decide the game.
    pub fn draw_ratio(&self) -> f64 {
        let total = self.total();
        if total == 0 { 0.0 } else { self.even() as f64 / total as f64 }
    }

    /// Units won to units lost; nothing where none was lost.
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

/// Everything two players did against each other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Duel {
    /// Every comparison by itself, those of incomplete units too.
    pub score: Score,
    /// Complete units.
    pub pairs: Pairs,
    /// Units both took the same of without a single draw (WL, not DD): the map decided.
    pub even_without_draws: u64,
    /// Games in which the two met.
    pub games: u64,
    /// Units left out of `pairs`, because games of them are missing, too many, or of another shape.
    pub incomplete: u64,
}

impl Duel {
    /// No game yet.
    pub fn new(shape: Shape) -> Duel {
        Duel {
            score: Score::default(),
            pairs: Pairs::new(shape),
            even_without_draws: 0,
            games: 0,
            incomplete: 0,
        }
    }

    /// Gathers what `first` and `second` did against each other in a log; the other players are ignored, and so is the order
    /// of the log.
    pub fn of(games: &[GameResult], first: usize, second: usize, shape: Shape) -> Duel {
        let mut duel = Duel::new(shape);
        let log = result::sorted(games);
        for unit in log.chunk_by(|a, b| a.unit == b.unit) {
            duel.add_unit(unit.iter().copied(), first, second);
        }
        duel
    }

    /// Adds the games of one unit. A unit in which the two never met is no unit of theirs.
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
