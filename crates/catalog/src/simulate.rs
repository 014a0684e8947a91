//! Random legal games in memory, as fast as the engine plays them.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

use game::{Dice, Game, Seat, Selected, Silent};
use serde_json::Value;

use crate::record::{self, Header, Played, RulesField, Turn};

/// The games to play.
pub struct Plan<'a> {
    /// The rule set.
    pub selected: Selected,
    /// Seed of the first game; each next one has the next seed.
    pub first_seed: i64,
    /// How many games.
    pub games: u64,
    /// How many threads.
    pub workers: usize,
    /// Only make the map of each game, play nothing.
    pub maps_only: bool,
    /// Counts finished games, for a display of progress.
    pub done: &'a AtomicU64,
    /// Takes each game as a record, where one is wanted. Called from any thread, in any order.
    pub record: Option<&'a (dyn Fn(Played) + Sync)>,
}

impl std::fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plan")
            .field("selected", &self.selected)
            .field("first_seed", &self.first_seed)
            .field("games", &self.games)
            .field("workers", &self.workers)
            .finish_non_exhaustive()
    }
}

/// The results of the games. They do not depend on the number of workers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Finished games.
    pub games: u64,
    /// Turns of all games, as the game counts them.
    pub turns: u64,
    /// Games won alone, by seat.
    pub wins: Vec<u64>,
    /// Games with more than one player in the first place.
    pub draws: u64,
    /// Sum of the final scores, by seat.
    pub scores: Vec<i64>,
    /// Games by the reason for which they ended.
    pub reasons: BTreeMap<String, u64>,
}

impl Tally {
    fn add<G: Game>(&mut self, game: &G, state: &G::State) {
        let outcome = game.outcome(state);
        self.games += 1;
        self.turns += u64::from(game.turns_played(state));
        self.wins.resize(outcome.ranks.len(), 0);
        self.scores.resize(outcome.ranks.len(), 0);
        let mut first = outcome.ranks.iter().enumerate().filter(|(_, rank)| **rank == 1);
        match (first.next(), first.next()) {
            (Some((seat, _)), None) => self.wins[seat] += 1,
            _ => self.draws += 1,
        }
        for (sum, score) in self.scores.iter_mut().zip(&outcome.scores) {
            *sum += score;
        }
        match self.reasons.get_mut(&outcome.reason) {
            Some(count) => *count += 1,
            None => drop(self.reasons.insert(outcome.reason, 1)),
        }
    }

    fn merge(&mut self, other: Tally) {
        self.games += other.games;
        self.turns += other.turns;
        self.draws += other.draws;
        self.wins.resize(self.wins.len().max(other.wins.len()), 0);
        self.scores.resize(self.wins.len(), 0);
        for (sum, wins) in self.wins.iter_mut().zip(other.wins) {
            *sum += wins;
        }
        for (sum, scores) in self.scores.iter_mut().zip(other.scores) {
            *sum += scores;
        }
        for (reason, count) in other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
    }
}

/// Games a worker takes at a time.
const BATCH: u64 = 64;

pub(crate) fn run<G: Game>(plan: &Plan<'_>) -> Tally {
    let next = AtomicU64::new(0);
    let total = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..plan.workers.max(1) {
            scope.spawn(|| {
                let mut tally = Tally::default();
                loop {
                    let from = next.fetch_add(BATCH, Ordering::Relaxed);
                    if from >= plan.games {
                        break;
                    }
                    let upto = plan.games.min(from + BATCH);
                    for game in from..upto {
                        let seed = plan.first_seed.wrapping_add_unsigned(game);
                        one::<G>(plan, seed, &mut tally);
                    }
                    plan.done.fetch_add(upto - from, Ordering::Relaxed);
                }
                total.lock().unwrap_or_else(PoisonError::into_inner).merge(tally);
            });
        }
    });
    total.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn one<G: Game>(plan: &Plan<'_>, seed: i64, tally: &mut Tally) {
    if plan.maps_only {
        // The compiler must not remove the map, which is not used.
        std::hint::black_box(&G::new(G::rule_set(plan.selected), seed));
        tally.games += 1;
    } else if let Some(take) = plan.record {
        let mut turns = Vec::new();
        let (game, state) = play::<G>(plan.selected, seed, |seat, order| {
            turns.push(Turn::new(seat.0, Some(G::print(order))));
        });
        tally.add(&game, &state);
        take(written(&game, &state, seed, turns));
    } else {
        let (game, state) = play::<G>(plan.selected, seed, |_, _| {});
        tally.add(&game, &state);
    }
}

/// Plays one random game to its end; `on_order` is called with every order.
#[inline]
fn play<G: Game>(selected: Selected, seed: i64, mut on_order: impl FnMut(Seat, &G::Order)) -> (G, G::State) {
    let game = G::new(G::rule_set(selected), seed);
    let mut state = game.start();
    let mut dice = Dice::new(seed as u64);
    let mut orders: [Option<G::Order>; 4] = [const { None }; 4];
    let orders = &mut orders[..selected.players as usize];
    loop {
        let seats = game.to_act(&state);
        if seats.is_empty() {
            return (game, state);
        }
        for seat in seats {
            // Orders are made and removed in their places, because the copy of an order that was written a moment ago
            // makes the processor wait.
            let order = &mut orders[seat.index()];
            on_order(seat, order.get_or_insert_with(|| game.random_order(&state, seat, &mut dice)));
        }
        game.step(&mut state, orders, &mut Silent);
        for seat in seats {
            drop(orders[seat.index()].take());
        }
    }
}

/// A game that was played, as a record.
fn written<G: Game>(game: &G, state: &G::State, seed: i64, turns: Vec<Turn>) -> Played {
    let (Ok(Value::Object(rules)), Ok(Value::Object(end))) =
        (serde_json::to_value(game.rules()), serde_json::to_value(game.end(state, &[])))
    else {
        unreachable!("rules and ends are structs of plain data");
    };
    let header = Header {
        agon: Some(record::VERSION),
        game: G::info().name.to_owned(),
        seed,
        league: None,
        rules: Some(RulesField::Full(rules)),
        players: None,
        options: None,
    };
    Played::new(header, turns, end)
}
