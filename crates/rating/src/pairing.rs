//! Chooses the most informative next games.
//!
//! A game between two players gives information about the difference of their strengths. If that difference is known
//! with variance `V` and a game has the information `I` (the variance of its result, largest between equals), then the
//! entropy of the knowledge falls by `ln(1 + V I) / 2`: the criterion of D. Lindley (1956), applied to paired
//! comparisons by M. Glickman and S. Jensen ("Adaptive paired comparison design", 2005). So a game is worth playing
//! when its result is uncertain *and* the difference of its players is not well known.

use crate::elo::ELO_PER_NAT;
use crate::matrix::Matrix;

/// Information is compared in steps of this, so that rounding in the last digit never decides between equals.
const GRAIN: f64 = 1e-9;

/// The knowledge about a set of players: strengths with a covariance, and the number of games of each pair.
#[derive(Clone, PartialEq, Debug)]
pub struct Belief {
    strengths: Vec<f64>,
    covariance: Matrix,
    meetings: Vec<u64>,
}

impl Belief {
    pub(crate) fn new(strengths: Vec<f64>, covariance: Matrix, meetings: Vec<u64>) -> Belief {
        Belief { strengths, covariance, meetings }
    }

    /// Players with independent Elo estimates and standard deviations, and no games between them yet.
    pub fn independent(elo: &[(f64, f64)]) -> Belief {
        let players = elo.len();
        let mut covariance = Matrix::zero(players);
        for (player, &(_, deviation)) in elo.iter().enumerate() {
            covariance.add(player, player, (deviation / ELO_PER_NAT).powi(2));
        }
        let strengths = elo.iter().map(|(elo, _)| elo / ELO_PER_NAT).collect();
        Belief { strengths, covariance, meetings: vec![0; players * players] }
    }

    /// The number of players.
    pub fn players(&self) -> usize {
        self.strengths.len()
    }

    /// The expected decrease of entropy by a game between two players; zero for a player against itself or for an
    /// unknown player.
    pub fn information(&self, a: usize, b: usize) -> f64 {
        self.difference(a, b).map_or(0.0, |(difference, variance)| {
            let gain = 0.5 * (variance * openness(difference, variance)).ln_1p();
            if gain.is_finite() { gain } else { 0.0 }
        })
    }

    /// The next games between two players, the most informative first. After each choice the knowledge is updated as if
    /// the game had been played, so that a batch spreads over the pool. Equal candidates are ordered by fewer meetings,
    /// then by fewer games of the players, then by number.
    pub fn next_pairs(&self, count: usize) -> Vec<(usize, usize)> {
        let mut belief = self.clone();
        let mut chosen = Vec::with_capacity(count.min(1 << 16));
        for _ in 0..count {
            let Some((a, b)) = belief.best_pair() else { break };
            belief.expect_game(a, b);
            chosen.push((a, b));
        }
        chosen
    }

    /// The players of the most informative match with this number of seats: the best pair, then repeatedly the player
    /// whose presence gives the most information about the players already chosen. Fewer players where there are not
    /// enough.
    pub fn next_table(&self, seats: usize) -> Vec<usize> {
        let mut table: Vec<usize> = match self.best_pair() {
            Some((a, b)) => vec![a, b],
            None => (0..self.players()).collect(),
        };
        table.truncate(seats);
        while table.len() < seats {
            let next = (0..self.players()).filter(|player| !table.contains(player)).min_by_key(|&player| {
                let gain: i64 = table.iter().map(|&seated| self.grains(player, seated)).sum();
                let met: u64 = table.iter().map(|&seated| self.met(player, seated)).sum();
                (-gain, met, self.played(player), player)
            });
            let Some(next) = next else { break };
            table.push(next);
        }
        table
    }

    /// The difference of two strengths and its variance.
    pub(crate) fn difference(&self, a: usize, b: usize) -> Option<(f64, f64)> {
        if a.max(b) >= self.players() {
            return None;
        }
        let c = &self.covariance;
        let variance = c.at(a, a) + c.at(b, b) - c.at(a, b) - c.at(b, a);
        Some((self.strengths[a] - self.strengths[b], variance.max(0.0)))
    }

    fn best_pair(&self) -> Option<(usize, usize)> {
        let players = self.players();
        (0..players)
            .flat_map(|a| (a + 1..players).map(move |b| (a, b)))
            .min_by_key(|&(a, b)| (-self.grains(a, b), self.met(a, b), self.played(a) + self.played(b), a, b))
    }

    fn grains(&self, a: usize, b: usize) -> i64 {
        (self.information(a, b) / GRAIN).round() as i64
    }

    fn met(&self, a: usize, b: usize) -> u64 {
        self.meetings[a * self.players() + b]
    }

    fn played(&self, player: usize) -> u64 {
        let players = self.players();
        self.meetings[player * players..(player + 1) * players].iter().sum()
    }

    /// Kalman's update of the covariance by a game whose information is known, but not its result.
    fn expect_game(&mut self, a: usize, b: usize) {
        let Some((difference, variance)) = self.difference(a, b) else { return };
        let information = openness(difference, variance);
        let players = self.players();
        let column: Vec<f64> =
            (0..players).map(|i| self.covariance.at(i, a) - self.covariance.at(i, b)).collect();
        let factor = information / (1.0 + information * variance);
        for i in 0..players {
            for j in 0..players {
                self.covariance.add(i, j, -factor * column[i] * column[j]);
            }
        }
        self.meetings[a * players + b] += 1;
        self.meetings[b * players + a] += 1;
    }
}

/// The information of a game: the variance `p (1 - p)` of its result, with the expected score moderated by the
/// uncertainty of the difference (D. `MacKay`, "The evidence framework applied to classification networks", 1992).
fn openness(difference: f64, variance: f64) -> f64 {
    let moderated = difference / (1.0 + std::f64::consts::PI * variance / 8.0).sqrt();
    let p = 1.0 / (1.0 + (-moderated).exp());
    p * (1.0 - p)
}
