//! Bradley-Terry ratings of a fixed pool.
//!
//! The model (E. Zermelo, 1929; R. Bradley and M. Terry, 1952): the odds that a player beats another are the ratio of
//! their strengths. With strengths on a logarithmic scale this is the logistic curve of Elo, and a pool of two players
//! gives the Elo of their duel.
//!
//! *Draws* are half a win and half a loss. The alternative (R. Davidson, 1970) has another parameter, the probability
//! of draws; its estimates depend on the same data, each player's points, and it would put the ratings on another scale
//! than the Elo of a duel. Draws change the spread of results, and the spread is measured here, not assumed: see below.
//!
//! *Games of three and more* are split into their comparisons, two seats at a time, each weighted by two over the
//! number of seats. A ranking of `n` consists of `n - 1` choices (who is first, who is second, ...), while it has
//! `n (n - 1) / 2` comparisons: the weights sum to `n - 1`, so that a game counts by its information and not by its
//! number of comparisons.
//!
//! *Intervals.* The comparisons of a game depend on each other, and so do the games of a unit, which share a map. So
//! the likelihood is used for the estimate only; its curvature `H` says how much a rating changes per deviation from
//! the expected result, and `M`, the sum over *units* of the squared deviations, says how large these deviations are:
//! the covariance is `H⁻¹ M H⁻¹` (V. Godambe, 1960; P. Huber, 1967; for clusters K.-Y. Liang and S. Zeger, 1986). With
//! independent games without draws `M` is `H`, and this is the inverse information matrix.
//!
//! *The prior* makes every pool solvable (groups that never met, players that won everything): each player has also
//! played [`PRIOR`] games against an average player, half won and half lost. It is included in `H` and in `M`.

use serde::{Deserialize, Serialize};

use crate::elo::ELO_PER_NAT;
use crate::matrix::Matrix;
use crate::normal::{self, Z95};
use crate::{Belief, Estimate, GameResult, result};

/// The imaginary games of each player against an average player. Two players then have one imaginary game between them,
/// as in a duel.
const PRIOR: f64 = 0.5;

/// The maximum number of steps of Newton's method: more than it needs on a concave, nearly quadratic function.
const MOST_STEPS: usize = 200;

/// Steps of Newton's method shorter than this lead to the maximum as exactly as numbers of this size are stored, while the
/// likelihood is too flat there to tell whether they climb.
const LAST_STEP: f64 = 1e-6;

/// A player of a pool and its rating.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rated {
    /// Its number.
    pub player: usize,
    /// Elo above the mean of the pool.
    pub elo: Estimate,
    /// Games it played.
    pub games: u64,
    /// Comparisons with others: equal to `games` in games of two.
    pub comparisons: u64,
    /// The points of these comparisons: a win is one, a draw one half.
    pub points: f64,
}

/// Ratings of a fixed pool. In JSON it is the list of its table.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(transparent)]
pub struct Pool {
    table: Vec<Rated>,
    /// The strengths by number, in natural logarithms of odds, with mean zero.
    #[serde(skip)]
    strengths: Vec<f64>,
    #[serde(skip)]
    covariance: Matrix,
    /// The number of comparisons of each pair of players, row by row.
    #[serde(skip)]
    meetings: Vec<u64>,
}

impl Pool {
    /// Rates players with the numbers below `players`; comparisons with others are ignored. Games of the same unit may
    /// depend on each other; games of different units are treated as independent. The order of the log does not matter.
    pub fn of(games: &[GameResult], players: usize) -> Pool {
        let evidence = Evidence::new(games, players);
        let mut strengths = evidence.most_likely();
        let curvature = evidence.curvature(&strengths).cholesky().inverse();
        // Few players have met: the product with the surprises, which come first, is nearly all zeros.
        let covariance = curvature.times(&evidence.surprises(&strengths).times(&curvature)).centred();
        let mean = strengths.iter().sum::<f64>() / players.max(1) as f64;
        for strength in &mut strengths {
            *strength -= mean;
        }

        let mut table: Vec<Rated> = (0..players)
            .map(|player| Rated {
                player,
                elo: estimate(strengths[player], covariance.at(player, player)),
                games: evidence.games[player],
                comparisons: (0..players).map(|other| evidence.meetings[player * players + other]).sum(),
                points: evidence.points[player] as f64 / 2.0,
            })
            .collect();
        table.sort_by(|a, b| b.elo.value.total_cmp(&a.elo.value).then(a.player.cmp(&b.player)));
        Pool { table, strengths, covariance, meetings: evidence.meetings }
    }

    /// The players from best to worst; equal players by their numbers.
    pub fn table(&self) -> &[Rated] {
        &self.table
    }

    /// The Elo difference of two players, with its own interval: two ratings share the uncertainty of the pool, so
    /// their difference is known better than each rating. `None` for a number that is not in the pool.
    pub fn difference(&self, a: usize, b: usize) -> Option<Estimate> {
        let (difference, variance) = self.belief().difference(a, b)?;
        Some(estimate(difference, variance))
    }

    /// The likelihood that a player is better than another. `None` for a number that is not in the pool.
    pub fn los(&self, a: usize, b: usize) -> Option<f64> {
        let (difference, variance) = self.belief().difference(a, b)?;
        Some(if a == b { 0.5 } else { normal::cdf(difference / variance.max(1e-30).sqrt()) })
    }

    /// The knowledge about the players, for choosing the next games.
    pub fn belief(&self) -> Belief {
        Belief::new(self.strengths.clone(), self.covariance.clone(), self.meetings.clone())
    }
}

fn estimate(nats: f64, variance: f64) -> Estimate {
    Estimate::capped(ELO_PER_NAT * nats, ELO_PER_NAT * Z95 * variance.max(0.0).sqrt())
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// A comparison.
struct Comparison {
    a: usize,
    b: usize,
    weight: f64,
    score: f64,
}

/// The sorted log and its counts.
struct Evidence {
    players: usize,
    /// The comparisons of each unit.
    units: Vec<Vec<Comparison>>,
    /// The weighted points of the row's player against the column's.
    won: Matrix,
    /// The half points by player.
    points: Vec<u64>,
    games: Vec<u64>,
    meetings: Vec<u64>,
}

impl Evidence {
    fn new(games: &[GameResult], players: usize) -> Evidence {
        let mut evidence = Evidence {
            players,
            units: Vec::new(),
            won: Matrix::zero(players),
            points: vec![0; players],
            games: vec![0; players],
            meetings: vec![0; players * players],
        };
        // Sums of floats depend on their order; a sorted log has only one order.
        let log = result::sorted(games);
        for unit in log.chunk_by(|a, b| a.unit == b.unit) {
            let mut comparisons = Vec::new();
            for game in unit {
                evidence.add(game, &mut comparisons);
            }
            evidence.units.push(comparisons);
        }
        evidence
    }

    fn add(&mut self, game: &GameResult, unit: &mut Vec<Comparison>) {
        let weight = 2.0 / game.seats().max(2) as f64;
        let mut seated: Vec<usize> =
            game.players[..game.seats()].iter().copied().filter(|&player| player < self.players).collect();
        seated.sort_unstable();
        seated.dedup();
        for player in seated {
            self.games[player] += 1;
        }
        for (a, b, half_points) in game.comparisons().filter(|&(a, b, _)| a.max(b) < self.players) {
            let score = f64::from(half_points) / 2.0;
            self.won.add(a, b, weight * score);
            self.won.add(b, a, weight * (1.0 - score));
            self.points[a] += u64::from(half_points);
            self.points[b] += u64::from(2 - half_points);
            self.meetings[a * self.players + b] += 1;
            self.meetings[b * self.players + a] += 1;
            unit.push(Comparison { a, b, weight, score });
        }
    }

    /// Newton's method. The function is concave and has one maximum because of the prior; a step that does not increase
    /// it is halved.
    fn most_likely(&self) -> Vec<f64> {
        let mut strengths = vec![0.0; self.players];
        let mut height = self.log_likelihood(&strengths);
        for _ in 0..MOST_STEPS {
            let step = self.curvature(&strengths).cholesky().solve(&self.slope(&strengths));
            if step.iter().all(|d| d.abs() < LAST_STEP) {
                for (strength, d) in strengths.iter_mut().zip(step) {
                    *strength += d;
                }
                break;
            }
            let mut scale = 1.0;
            let climbed = loop {
                let next: Vec<f64> = strengths.iter().zip(&step).map(|(r, d)| r + scale * d).collect();
                let there = self.log_likelihood(&next);
                if there >= height {
                    (strengths, height) = (next, there);
                    break true;
                }
                scale /= 2.0;
                if scale < 1e-6 {
                    break false;
                }
            };
            if !climbed {
                break;
            }
        }
        strengths
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let n = self.players;
        (0..n)
            .flat_map(move |i| (i + 1..n).map(move |j| (i, j)))
            .filter(move |&(i, j)| self.meetings[i * n + j] > 0)
    }

    fn log_likelihood(&self, strengths: &[f64]) -> f64 {
        // ln logistic(x), without overflow.
        let ln_logistic = |x: f64| x.min(0.0) - (-x.abs()).exp().ln_1p();
        let prior: f64 = strengths.iter().map(|&r| PRIOR / 2.0 * (ln_logistic(r) + ln_logistic(-r))).sum();
        let data: f64 = self
            .pairs()
            .map(|(i, j)| {
                let x = strengths[i] - strengths[j];
                self.won.at(i, j) * ln_logistic(x) + self.won.at(j, i) * ln_logistic(-x)
            })
            .sum();
        prior + data
    }

    fn slope(&self, strengths: &[f64]) -> Vec<f64> {
        let mut slope: Vec<f64> = strengths.iter().map(|&r| PRIOR * (0.5 - logistic(r))).collect();
        for (i, j) in self.pairs() {
            let played = self.won.at(i, j) + self.won.at(j, i);
            let pull = self.won.at(i, j) - played * logistic(strengths[i] - strengths[j]);
            slope[i] += pull;
            slope[j] -= pull;
        }
        slope
    }

    fn curvature(&self, strengths: &[f64]) -> Matrix {
        let mut curvature = Matrix::zero(self.players);
        for (i, &strength) in strengths.iter().enumerate() {
            let p = logistic(strength);
            curvature.add(i, i, PRIOR * p * (1.0 - p));
        }
        for (i, j) in self.pairs() {
            let p = logistic(strengths[i] - strengths[j]);
            let information = (self.won.at(i, j) + self.won.at(j, i)) * p * (1.0 - p);
            curvature.add(i, i, information);
            curvature.add(j, j, information);
            curvature.add(i, j, -information);
            curvature.add(j, i, -information);
        }
        curvature
    }

    /// The sum over units of the outer products of their gradients with respect to the strengths.
    fn surprises(&self, strengths: &[f64]) -> Matrix {
        let mut surprises = Matrix::zero(self.players);
        for (i, &strength) in strengths.iter().enumerate() {
            let p = logistic(strength);
            surprises.add(i, i, PRIOR / 2.0 * (p * p + (1.0 - p) * (1.0 - p)));
        }
        let mut pull = vec![0.0; self.players];
        let mut touched: Vec<usize> = Vec::new();
        for unit in &self.units {
            for comparison in unit {
                let expected = logistic(strengths[comparison.a] - strengths[comparison.b]);
                let surprise = comparison.weight * (comparison.score - expected);
                pull[comparison.a] += surprise;
                pull[comparison.b] -= surprise;
                touched.extend([comparison.a, comparison.b]);
            }
            touched.sort_unstable();
            touched.dedup();
            for &i in &touched {
                for &j in &touched {
                    surprises.add(i, j, pull[i] * pull[j]);
                }
            }
            for i in touched.drain(..) {
                pull[i] = 0.0;
            }
        }
        surprises
    }
}
