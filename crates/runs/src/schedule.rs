//! The schedule of a run: which bots meet in each unit.

use std::sync::Arc;

use game::Dice;
use rating::GameResult;
use rating::swiss::Rounds;
use serde::{Deserialize, Serialize};

use crate::file::Run;
use crate::header::{Plan, RunHeader};

/// How a tournament is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every bot against every other bot.
    RoundRobin,
    /// The first bot against all others.
    Gauntlet,
    /// Round by round, neighbours in the standing against each other.
    Swiss,
}

/// If a round has more possible pairings than this, a balanced choice of them is played.
const MOST_TABLES: u64 = 1000;

impl Format {
    /// The number of units in a round.
    pub fn units_per_round(self, bots: usize, players: usize) -> u64 {
        let (n, p) = (bots as u64, players as u64);
        match self {
            Format::RoundRobin => match choices(n, p) {
                all if all <= MOST_TABLES || p == 2 => all,
                // Enough units to let every bot meet every other about once.
                _ => (n * (n - 1)).div_ceil(p * (p - 1)),
            },
            Format::Gauntlet => match choices(n - 1, p - 1) {
                all if all <= MOST_TABLES || p == 2 => all,
                _ => (n - 1).div_ceil(p - 1),
            },
            Format::Swiss => n / p,
        }
    }
}

/// The pairings of a run.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    tables: Tables,
    players: usize,
}

#[derive(Clone, Debug)]
enum Tables {
    /// The same pairings again and again.
    Cycle(Vec<Vec<usize>>),
    /// Different pairings each time.
    Listed(Vec<Vec<usize>>),
    /// Pairings that depend on the rounds before, as far as they are known.
    Swiss(Vec<Vec<usize>>, Rounds),
}

impl Schedule {
    pub(crate) fn of(header: &RunHeader) -> Schedule {
        let (bots, players) = (header.bots.len(), header.players as usize);
        let Plan::Tournament(format) = header.plan else {
            return Schedule { tables: Tables::Cycle(vec![(0..players).collect()]), players };
        };
        let each = format.units_per_round(bots, players);
        let tables = match format {
            Format::Swiss => Tables::Swiss(Vec::new(), Rounds::new(bots, players)),
            Format::RoundRobin if each == choices(bots as u64, players as u64) => {
                Tables::Cycle(subsets(0, bots, players))
            }
            Format::RoundRobin => {
                let mut deck = Deck::new(header.first_seed, 0, bots);
                Tables::Listed((0..header.units).map(|_| deck.deal(players)).collect())
            }
            Format::Gauntlet => {
                let others = if each == choices(bots as u64 - 1, players as u64 - 1) {
                    subsets(1, bots, players - 1)
                } else {
                    let mut deck = Deck::new(header.first_seed, 1, bots);
                    (0..header.units).map(|_| deck.deal(players - 1)).collect()
                };
                Tables::Cycle(others.into_iter().map(|others| [vec![0], others].concat()).collect())
            }
        };
        Schedule { tables, players }
    }

    /// The number of units that are known.
    fn known(&self, header: &RunHeader) -> u64 {
        match &self.tables {
            Tables::Cycle(_) => header.units,
            Tables::Listed(tables) | Tables::Swiss(tables, _) => header.units.min(tables.len() as u64),
        }
    }

    /// The bots of a unit, in the seats of its first match.
    fn table(&self, unit: u64) -> &[usize] {
        match &self.tables {
            Tables::Cycle(tables) => &tables[(unit % tables.len() as u64) as usize],
            Tables::Listed(tables) | Tables::Swiss(tables, _) => &tables[unit as usize],
        }
    }

    /// The bot of each seat in a match.
    pub(crate) fn seats(&self, index: u64) -> Vec<usize> {
        let (unit, rotation) = (index / self.players as u64, (index % self.players as u64) as usize);
        let mut seats = self.table(unit).to_vec();
        seats.rotate_left(rotation);
        seats
    }
}

impl Run {
    /// The number of units that are known: all of them, unless pairings depend on results.
    pub fn units_known(&self) -> u64 {
        self.schedule.known(&self.header)
    }

    /// Seed and seating (the bot of each seat) of a match that is known.
    pub fn match_at(&self, index: u64) -> Option<(i64, Vec<usize>)> {
        let unit = index / u64::from(self.header.players);
        let seed = self.header.seed(unit);
        (unit < self.units_known()).then(|| (seed, self.schedule.seats(index)))
    }

    /// Finished matches in the form for ratings, in the order of the schedule.
    pub fn games(&self) -> Vec<GameResult> {
        self.results().map(|line| line.game(&self.header)).collect()
    }

    /// Pairs the next rounds, as far as the rounds before are complete. The pairings depend on complete rounds only,
    /// never on the order in which matches ended. Returns whether there are new pairings.
    pub(crate) fn extend_schedule(&mut self) -> bool {
        let before = self.units_known();
        while self.header.plan == Plan::Tournament(Format::Swiss) && self.units_known() < self.header.units {
            let known = self.units_known();
            let each = Format::Swiss.units_per_round(self.header.bots.len(), self.header.players as usize);
            let last_round = known.saturating_sub(each)..known;
            if !last_round.clone().all(|unit| self.unit(unit).is_some()) {
                break;
            }
            let played: Vec<Vec<GameResult>> = last_round
                .filter_map(|unit| self.unit(unit))
                .map(|lines| lines.iter().map(|line| line.game(&self.header)).collect())
                .collect();
            // The workers of the rounds before are gone: nothing is copied.
            let Tables::Swiss(tables, rounds) = &mut Arc::make_mut(&mut self.schedule).tables else { break };
            for unit in &played {
                rounds.add_unit(unit);
            }
            tables.extend(rounds.next_round());
        }
        self.units_known() > before
    }
}

/// The number of ways to choose `k` of `n`, capped.
fn choices(n: u64, k: u64) -> u64 {
    (0..k).fold(1u64, |ways, i| ways.saturating_mul(n - i) / (i + 1))
}

/// All ways to choose `size` of the numbers from `low` to below `high`.
fn subsets(low: usize, high: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    (low..high)
        .flat_map(|first| {
            subsets(first + 1, high, size - 1).into_iter().map(move |rest| [vec![first], rest].concat())
        })
        .collect()
}

/// Distributes bots so that the numbers of matches of two bots never differ by more than one.
struct Deck {
    dice: Dice,
    low: usize,
    high: usize,
    left: Vec<usize>,
}

impl Deck {
    fn new(seed: i64, low: usize, high: usize) -> Deck {
        Deck { dice: Dice::new(seed as u64), low, high, left: Vec::new() }
    }

    fn deal(&mut self, count: usize) -> Vec<usize> {
        if self.left.len() < count {
            let mut fresh: Vec<usize> = (self.low..self.high).collect();
            for at in (1..fresh.len()).rev() {
                fresh.swap(at, self.dice.below(at as u32 + 1) as usize);
            }
            // No bot gets two seats in the match that takes the last of the old order and the first of the new order.
            fresh.sort_by_key(|bot| self.left.contains(bot));
            self.left.extend(fresh);
        }
        self.left.drain(..count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pairings_are_played_if_there_are_few() {
        assert_eq!(Format::RoundRobin.units_per_round(5, 2), 10);
        assert_eq!(Format::RoundRobin.units_per_round(6, 4), 15);
        assert_eq!(Format::RoundRobin.units_per_round(256, 2), 32_640);
        assert_eq!(Format::RoundRobin.units_per_round(40, 4), 130, "of 91,390");
        assert_eq!(Format::Gauntlet.units_per_round(5, 2), 4);
        assert_eq!(Format::Gauntlet.units_per_round(5, 3), 6);
        assert_eq!(Format::Gauntlet.units_per_round(40, 4), 13);
        assert_eq!(Format::Swiss.units_per_round(7, 2), 3);
        assert_eq!(subsets(0, 4, 2), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(subsets(1, 4, 1), [[1], [2], [3]]);
    }

    #[test]
    fn a_choice_of_pairings_is_balanced() {
        let mut deck = Deck::new(7, 1, 12);
        let mut played = [0; 12];
        for _ in 0..200 {
            let mut table = deck.deal(4);
            for &bot in &table {
                played[bot] += 1;
            }
            table.sort_unstable();
            table.dedup();
            assert_eq!(table.len(), 4, "no bot plays twice in a match");
            let (least, most) = (played[1..].iter().min(), played[1..].iter().max());
            assert!(most.unwrap() - least.unwrap() <= 1, "{played:?}");
        }
        assert_eq!(played[0], 0);
    }
}
