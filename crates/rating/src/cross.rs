//! The results of each player against each other player.

use serde::Serialize;

use crate::{GameResult, Score};

/// The results of each player against each other player. In JSON it is the list of its rows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(transparent)]
pub struct CrossTable {
    rows: Vec<Vec<Score>>,
}

impl CrossTable {
    /// The table of players with the numbers below `players`; comparisons with others are ignored.
    pub fn of(games: &[GameResult], players: usize) -> CrossTable {
        let mut rows = vec![vec![Score::default(); players]; players];
        for (a, b, half_points) in games.iter().flat_map(GameResult::comparisons) {
            if a.max(b) < players {
                rows[a][b].add(half_points);
                rows[b][a].add(2 - half_points);
            }
        }
        CrossTable { rows }
    }

    /// The score of the first player against the second; zero for a player that is not in the table.
    pub fn at(&self, a: usize, b: usize) -> Score {
        self.rows.get(a).and_then(|row| row.get(b)).copied().unwrap_or_default()
    }

    /// The score of a player against all others.
    pub fn total(&self, player: usize) -> Score {
        let row = self.rows.get(player).map_or(&[][..], Vec::as_slice);
        row.iter().fold(Score::default(), |sum, score| {
            Score::new(sum.wins + score.wins, sum.draws + score.draws, sum.losses + score.losses)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_wins_over_those_below() {
        let games = [
            GameResult { unit: 0, players: vec![0, 1, 2], ranks: vec![1, 2, 2] },
            GameResult { unit: 0, players: vec![2, 0, 1], ranks: vec![1, 3, 2] },
            GameResult { unit: 1, players: vec![0, 7], ranks: vec![1, 2] },
        ];
        let table = CrossTable::of(&games, 3);
        assert_eq!(table.at(0, 1), Score::new(1, 0, 1));
        assert_eq!(table.at(1, 2), Score::new(0, 1, 1));
        assert_eq!(table.at(2, 1), Score::new(1, 1, 0));
        assert_eq!(table.total(0), Score::new(2, 0, 2));
        assert_eq!(table.at(0, 7), Score::default());
        assert_eq!(table.total(9), Score::default());
    }
}
