//! A finished game.

use serde::{Deserialize, Serialize};

/// A finished game, as far as ratings need it. The order of the fields is the order of a sorted log.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct GameResult {
    /// Games with the same number belong together: a seed that is played from every seat. If units are numbered from
    /// zero in the planned order of play, a sequential test is independent of the order in which they end.
    pub unit: u64,
    /// The player in each seat, by its number in the pool. A player may have several seats.
    pub players: Vec<usize>,
    /// The place of each seat: smaller is better, equal is a draw.
    pub ranks: Vec<u32>,
}

impl GameResult {
    /// The number of seats that have both a player and a rank.
    pub fn seats(&self) -> usize {
        self.players.len().min(self.ranks.len())
    }

    /// All comparisons of two seats of different players: the two players, and the half points of the first. A better
    /// place is a win, an equal place a draw.
    pub fn comparisons(&self) -> impl Iterator<Item = (usize, usize, u32)> + '_ {
        let seats = self.seats();
        (0..seats).flat_map(move |i| (i + 1..seats).map(move |j| (i, j))).filter_map(move |(i, j)| {
            let (a, b) = (self.players[i], self.players[j]);
            (a != b).then(|| (a, b, half_points(self.ranks[i], self.ranks[j])))
        })
    }
}

fn half_points(mine: u32, other: u32) -> u32 {
    match mine.cmp(&other) {
        std::cmp::Ordering::Less => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 0,
    }
}

/// The log in the canonical order in which everything is computed.
pub(crate) fn sorted(games: &[GameResult]) -> Vec<&GameResult> {
    let mut log: Vec<&GameResult> = games.iter().collect();
    log.sort_unstable();
    log
}
