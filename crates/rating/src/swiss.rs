//! Swiss pairing: players with similar points play each other, and no pair meets again while there are other opponents.
//!
//! Players are ranked by points: a unit counts for the won share of its comparisons, so that matches of any size have
//! the same weight. Where the number of players is not a multiple of the seats, the lowest players among those with the
//! fewest byes get a bye; a bye counts as a win, so that it does not cost points.

use std::collections::BTreeMap;

use crate::{GameResult, result};

/// The maximum number of steps in the search for pairs without a rematch; after that, pairs with few rematches are
/// taken greedily.
const MOST_TRIES: u32 = 20_000;

/// Pairs the next round, given all games of the rounds before: tables of `seats` players, the best players first. It is
/// a function of the *set* of games.
pub fn next_round(games: &[GameResult], players: usize, seats: usize) -> Vec<Vec<usize>> {
    let mut rounds = Rounds::new(players, seats);
    // Sums of floats depend on their order; a sorted log has only one order.
    for unit in result::sorted(games).chunk_by(|a, b| a.unit == b.unit) {
        rounds.add_unit(unit.iter().copied());
    }
    rounds.next_round()
}

/// The data of the previous rounds, to which units are added as they are played: a tournament of many rounds is paired
/// without a look at all its games in each of them.
#[derive(Clone, Debug)]
pub struct Rounds {
    players: usize,
    seats: usize,
    units: u64,
    /// Points without byes.
    points: Vec<f64>,
    /// Units that a player has played.
    played: Vec<u64>,
    meetings: Vec<u64>,
}

impl Rounds {
    /// A tournament before its first round.
    pub fn new(players: usize, seats: usize) -> Rounds {
        Rounds {
            players,
            seats,
            units: 0,
            points: vec![0.0; players],
            played: vec![0; players],
            meetings: vec![0; players * players],
        }
    }

    /// Adds the games of the next unit.
    pub fn add_unit<'a>(&mut self, games: impl IntoIterator<Item = &'a GameResult>) {
        self.units += 1;
        // By player: half points, and the most that it could have.
        let mut scores: BTreeMap<usize, (u32, u32)> = BTreeMap::new();
        for (a, b, half_points) in games.into_iter().flat_map(GameResult::comparisons) {
            if a.max(b) < self.players {
                for (player, won) in [(a, half_points), (b, 2 - half_points)] {
                    let score = scores.entry(player).or_default();
                    *score = (score.0 + won, score.1 + 2);
                }
                self.meetings[a * self.players + b] += 1;
                self.meetings[b * self.players + a] += 1;
            }
        }
        for (player, (won, compared)) in scores {
            self.points[player] += f64::from(won) / f64::from(compared);
            self.played[player] += 1;
        }
    }

    /// Pairs the next round.
    pub fn next_round(&self) -> Vec<Vec<usize>> {
        let Rounds { players, seats, .. } = *self;
        if seats < 2 || players < seats {
            return Vec::new();
        }
        let rounds = self.units / (players / seats).max(1) as u64;
        let rests: Vec<u64> = self.played.iter().map(|&played| rounds.saturating_sub(played)).collect();
        let points: Vec<f64> =
            self.points.iter().zip(&rests).map(|(points, &rests)| points + rests as f64).collect();
        let mut standing: Vec<usize> = (0..players).collect();
        standing.sort_by(|&a, &b| points[b].total_cmp(&points[a]).then(a.cmp(&b)));
        for _ in 0..players % seats {
            let resting = (0..standing.len()).min_by_key(|&at| (rests[standing[at]], standing.len() - at));
            standing.remove(resting.unwrap_or_default());
        }
        if seats == 2
            && let Some(pairs) = self.pairs_without_rematch(&standing)
        {
            return pairs;
        }
        let mut tables = Vec::new();
        while standing.len() >= seats {
            let mut table = vec![standing.remove(0)];
            while table.len() < seats {
                let met = |player: usize| -> u64 { table.iter().map(|&other| self.met(player, other)).sum() };
                let next = (0..standing.len()).min_by_key(|&at| (met(standing[at]), at)).unwrap_or_default();
                table.push(standing.remove(next));
            }
            tables.push(table);
        }
        tables
    }

    fn met(&self, a: usize, b: usize) -> u64 {
        self.meetings[a * self.players + b]
    }

    /// Pairs of players that have never met: each player from the top plays the nearest opponent that leaves a partner
    /// for every other player.
    fn pairs_without_rematch(&self, standing: &[usize]) -> Option<Vec<Vec<usize>>> {
        let mut tries = MOST_TRIES;
        let mut pairs = Vec::new();
        self.pair_up(standing, &mut pairs, &mut tries).then_some(pairs)
    }

    fn pair_up(&self, rest: &[usize], pairs: &mut Vec<Vec<usize>>, tries: &mut u32) -> bool {
        let Some((&first, others)) = rest.split_first() else { return true };
        for (at, &other) in others.iter().enumerate().filter(|&(_, &other)| self.met(first, other) == 0) {
            if *tries == 0 {
                return false;
            }
            *tries -= 1;
            pairs.push(vec![first, other]);
            let left: Vec<usize> = [&others[..at], &others[at + 1..]].concat();
            if self.pair_up(&left, pairs, tries) {
                return true;
            }
            pairs.pop();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a round in which the player with the smaller number always wins.
    fn play(games: &mut Vec<GameResult>, round: &[Vec<usize>]) {
        for table in round {
            let unit = games.last().map_or(0, |game| game.unit + 1);
            for rotation in 0..table.len() {
                let mut players = table.clone();
                players.rotate_left(rotation);
                let ranks = players.iter().map(|&player| player as u32).collect();
                games.push(GameResult { unit, players, ranks });
            }
        }
    }

    #[test]
    fn neighbours_meet_and_never_twice() {
        let mut games = Vec::new();
        let mut met = std::collections::BTreeSet::new();
        for round in 0..7 {
            let tables = next_round(&games, 8, 2);
            let mut seated: Vec<usize> = tables.concat();
            for table in &tables {
                assert!(
                    met.insert((table[0].min(table[1]), table[0].max(table[1]))),
                    "round {round}: {tables:?}"
                );
            }
            seated.sort_unstable();
            assert_eq!(seated, (0..8).collect::<Vec<_>>());
            play(&mut games, &tables);
        }
        assert_eq!(met.len(), 28, "eight players, seven rounds: everybody has met everybody");
        assert_eq!(next_round(&games, 8, 2).len(), 4, "then they meet again");
    }

    #[test]
    fn winners_meet_winners() {
        let mut games = Vec::new();
        let first = next_round(&games, 4, 2);
        assert_eq!(first, [[0, 1], [2, 3]]);
        play(&mut games, &first);
        assert_eq!(next_round(&games, 4, 2), [[0, 2], [1, 3]]);
    }

    #[test]
    fn everybody_rests_in_turn() {
        let mut games = Vec::new();
        let mut rests = [0; 7];
        for _ in 0..7 {
            let tables = next_round(&games, 7, 3);
            assert_eq!(tables.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3]);
            let seated = tables.concat();
            for rest in (0..7).filter(|player| !seated.contains(player)) {
                rests[rest] += 1;
            }
            play(&mut games, &tables);
        }
        assert_eq!(rests, [1; 7]);
    }

    #[test]
    fn the_order_of_the_log_does_not_matter() {
        let mut games = Vec::new();
        for _ in 0..3 {
            let tables = next_round(&games, 9, 2);
            play(&mut games, &tables);
        }
        let mut reversed = games.clone();
        reversed.reverse();
        assert_eq!(next_round(&games, 9, 2), next_round(&reversed, 9, 2));
    }

    #[test]
    fn odd_input_gives_no_tables() {
        assert!(next_round(&[], 3, 4).is_empty());
        assert!(next_round(&[], 0, 2).is_empty());
        assert!(next_round(&[], 5, 1).is_empty());
        let stranger = GameResult { unit: 0, players: vec![9, 1], ranks: vec![1, 2] };
        assert_eq!(next_round(&[stranger], 2, 2), [[0, 1]]);
    }
}
