//! Workers on which bots fail more often, or win more or less often, than the same bots do elsewhere.

use std::collections::BTreeMap;

use model::{BotId, Suspicion};
use store::WorkerTally;

/// A worker, or a bot on a worker, with fewer seats than this is not judged.
const FEWEST: i64 = 40;
/// With a smaller variance of the wins the normal distribution is too coarse.
const LEAST_VARIANCE: f64 = 5.0;
/// A worker is suspected above this number of standard deviations: one judgement in 30,000 is wrong by chance, and nothing
/// follows from it but a line for the organiser.
const LIMIT: f64 = 4.0;
/// Differences of deviations below this one come from rounding.
const ROUNDING: f64 = 1e-6;

/// A worker whose results differ from those of the others.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Suspect {
    /// The worker, as the matches name it.
    pub(crate) worker: String,
    /// What differs there.
    pub(crate) what: Difference,
    /// The number of seats.
    pub(crate) played: i64,
    /// The failures or wins in them.
    pub(crate) seen: i64,
    /// The number that the same bots would have elsewhere.
    pub(crate) expected: f64,
}

/// What differs on a worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Difference {
    /// Timeouts and crashes of all bots.
    Failures,
    /// Wins of a bot.
    Wins(BotId),
}

impl Suspect {
    /// Why it is suspected.
    pub(crate) fn why(&self) -> Suspicion {
        let Suspect { what, played, seen, expected, .. } = *self;
        match what {
            Difference::Failures => Suspicion::Failures { played, seen, expected },
            Difference::Wins(bot) => Suspicion::Wins { bot, played, seen, expected },
        }
    }
}

/// The workers whose results differ from those of the others. Each bot is compared with itself: a bot that fails
/// everywhere, or wins everywhere, makes no worker suspect.
pub(crate) fn suspects(tallies: &[WorkerTally]) -> Vec<Suspect> {
    let mut found = of_failures(tallies);
    found.extend(of_wins(tallies));
    found
}

/// Timeouts and crashes: all bots of a worker together, since a slow worker is slow for all.
fn of_failures(tallies: &[WorkerTally]) -> Vec<Suspect> {
    let mut of_bots: BTreeMap<BotId, Count> = BTreeMap::new();
    let mut of_workers: BTreeMap<&str, BTreeMap<BotId, Count>> = BTreeMap::new();
    for tally in tallies {
        let own = of_workers.entry(&tally.worker).or_default().entry(tally.bot_id).or_default();
        for count in [own, of_bots.entry(tally.bot_id).or_default()] {
            count.add(tally.played, tally.failed);
        }
    }
    let judge = |(worker, own): (&str, BTreeMap<BotId, Count>)| {
        let mut sum = Comparison::default();
        for (bot, here) in own {
            sum.add(here, of_bots.get(&bot).copied().unwrap_or_default());
        }
        let is_suspect = sum.played >= FEWEST && sum.deviations() > LIMIT;
        is_suspect.then(|| sum.suspect(worker, Difference::Failures))
    };
    of_workers.into_iter().filter_map(judge).collect()
}

/// Wins: each bot by itself, since what one bot wins another one loses. A version is compared with itself against
/// opponents of about the same strength, so that it does not matter which bots a worker can play.
///
/// A bot that one worker lets win wins less on all others than on the average. So the worker with the largest difference
/// is named first, and the others are compared without it.
fn of_wins(tallies: &[WorkerTally]) -> Vec<Suspect> {
    let mut left: Vec<&WorkerTally> = tallies.iter().filter(|tally| tally.strength.is_some()).collect();
    let mut named = Vec::new();
    loop {
        let found = most_different(&left);
        if found.is_empty() {
            return named;
        }
        left.retain(|tally| found.iter().all(|suspect| suspect.worker != tally.worker));
        named.extend(found);
    }
}

/// The worker with the largest difference of a bot's wins, if it is too large. Of two workers that played the bot nobody can
/// say which one differs, so both are returned.
fn most_different(tallies: &[&WorkerTally]) -> Vec<Suspect> {
    let stratum = |tally: &WorkerTally| (tally.version_id, tally.ladder_id, tally.strength);
    let mut everywhere = BTreeMap::new();
    for tally in tallies {
        let count: &mut Count = everywhere.entry(stratum(tally)).or_default();
        count.add(tally.played, tally.won);
    }
    let mut of_workers: BTreeMap<&str, BTreeMap<BotId, Comparison>> = BTreeMap::new();
    for tally in tallies {
        let all = everywhere.get(&stratum(tally)).copied().unwrap_or_default();
        let sum = of_workers.entry(&tally.worker).or_default().entry(tally.bot_id).or_default();
        sum.add(Count { played: tally.played, seen: tally.won }, all);
    }
    let mut largest = 0.0;
    let mut found: Vec<(f64, Suspect)> = Vec::new();
    for (worker, mut own) in of_workers {
        own.retain(|_, sum| sum.played >= FEWEST && sum.variance >= LEAST_VARIANCE);
        // Of many bots one differs by chance. The tail of the normal distribution falls as exp(-x²/2), so that this keeps
        // the probability of a wrong judgement.
        let limit = (LIMIT * LIMIT + 2.0 * (own.len() as f64).max(1.0).ln()).sqrt();
        for (bot, sum) in own {
            let deviations = sum.deviations().abs();
            if deviations > limit {
                largest = deviations.max(largest);
                found.push((deviations, sum.suspect(worker, Difference::Wins(bot))));
            }
        }
    }
    found.retain(|(deviations, _)| *deviations > largest - ROUNDING);
    found.into_iter().map(|(_, suspect)| suspect).collect()
}

/// A number of seats, and of failures or wins in them.
#[derive(Clone, Copy, Default)]
struct Count {
    played: i64,
    seen: i64,
}

impl Count {
    fn add(&mut self, played: i64, seen: i64) {
        self.played += played;
        self.seen += seen;
    }
}

/// The test of Mantel and Haenszel: a number that was seen, against the one that is expected if each stratum is the same
/// here as in all places together.
#[derive(Clone, Copy, Default)]
struct Comparison {
    played: i64,
    seen: i64,
    expected: f64,
    variance: f64,
}

impl Comparison {
    /// Adds a stratum.
    fn add(&mut self, here: Count, all: Count) {
        self.played += here.played;
        self.seen += here.seen;
        let (played, all, seen) = (here.played as f64, all.played as f64, all.seen as f64);
        self.expected += played * seen / all.max(1.0);
        if all >= 2.0 {
            self.variance += played * (all - played) * seen * (all - seen) / (all * all * (all - 1.0));
        }
    }

    /// The difference in standard deviations.
    fn deviations(&self) -> f64 {
        let difference = self.seen as f64 - self.expected;
        // The correction of Yates: numbers of seats are whole.
        let corrected = (difference.abs() - 0.5).max(0.0);
        if self.variance > 0.0 { (corrected / self.variance.sqrt()).copysign(difference) } else { 0.0 }
    }

    fn suspect(&self, worker: &str, what: Difference) -> Suspect {
        let Comparison { played, seen, expected, .. } = *self;
        Suspect { worker: worker.to_owned(), what, played, seen, expected }
    }
}

#[cfg(test)]
mod tests {
    use game::Dice;
    use model::VersionId;

    use super::*;

    const BOTS: usize = 10;
    const WORKERS: usize = 4;

    /// Matches for two on four workers. The bots differ in strength: each is 80 points above the one before it. The last one
    /// fails in a third of its matches wherever it plays.
    struct Arena {
        /// Matches on each worker.
        matches: usize,
        /// On the first worker every bot fails with this further probability.
        slow: f64,
        /// On the first worker this bot is let win with this probability.
        favoured: Option<(usize, f64)>,
        /// Whether the first worker plays weak bots most of the time, and the second one strong bots.
        is_uneven: bool,
    }

    impl Arena {
        fn new(matches: usize) -> Arena {
            Arena { matches, slow: 0.0, favoured: None, is_uneven: false }
        }

        fn play(&self, seed: u64) -> Vec<WorkerTally> {
            let mut dice = Dice::new(seed);
            let mut tallies: BTreeMap<(usize, usize, i64), WorkerTally> = BTreeMap::new();
            for number in 0..WORKERS * self.matches {
                let worker = number % WORKERS;
                let (lowest, count) = match worker {
                    0 if self.is_uneven && !dice.one_in(3) => (0, 5),
                    1 if self.is_uneven && !dice.one_in(3) => (5, 5),
                    _ => (0, BOTS),
                };
                let first = dice.below(count as u32) as usize;
                let second = (first + 1 + dice.below(count as u32 - 1) as usize) % count;
                let bots = [lowest + first, lowest + second];
                let mut chance = |probability: f64| f64::from(dice.below(1_000_000)) < probability * 1e6;
                let points = 80.0 * (bots[0] as f64 - bots[1] as f64);
                let mut winner = usize::from(!chance(1.0 / (1.0 + 10_f64.powf(-points / 400.0))));
                if let Some((bot, probability)) = self.favoured
                    && worker == 0
                    && let Some(seat) = bots.iter().position(|one| *one == bot)
                    && chance(probability)
                {
                    winner = seat;
                }
                for (seat, bot) in bots.into_iter().enumerate() {
                    let own = if bot == BOTS - 1 { 0.33 } else { 0.005 };
                    let fails = chance(if worker == 0 { own + self.slow } else { own });
                    let strength = (if seat == 0 { points } else { -points } / 87.0).round() as i64;
                    let tally = tallies.entry((worker, bot, strength)).or_insert_with(|| WorkerTally {
                        worker: format!("worker-{worker}"),
                        bot_id: BotId(bot as i64),
                        version_id: VersionId(bot as i64),
                        ladder_id: 1,
                        strength: Some(strength),
                        played: 0,
                        failed: 0,
                        won: 0,
                    });
                    tally.played += 1;
                    tally.failed += i64::from(fails);
                    tally.won += i64::from(seat == winner);
                }
            }
            tallies.into_values().collect()
        }
    }

    fn found(arena: &Arena, seed: u64) -> Vec<(String, Difference)> {
        suspects(&arena.play(seed)).into_iter().map(|suspect| (suspect.worker, suspect.what)).collect()
    }

    #[test]
    fn a_slow_worker_is_named_within_200_matches() {
        let arena = Arena { slow: 0.15, ..Arena::new(200) };
        for seed in 0..200 {
            assert_eq!(found(&arena, seed), [("worker-0".to_owned(), Difference::Failures)], "seed {seed}");
        }
    }

    #[test]
    fn a_bot_that_fails_everywhere_makes_no_worker_suspect() {
        for seed in 0..200 {
            assert_eq!(found(&Arena::new(500), seed), [], "seed {seed}");
        }
        // A bad bot that plays on one worker alone says nothing about it either.
        let alone = |bot: i64, failed| WorkerTally {
            worker: "one".into(),
            bot_id: BotId(bot),
            version_id: VersionId(bot),
            ladder_id: 1,
            strength: Some(0),
            played: 100,
            failed,
            won: 100 - failed,
        };
        assert!(suspects(&[alone(1, 90), alone(2, 0)]).is_empty());
    }

    #[test]
    fn a_worker_that_lets_a_bot_win_or_lose_is_named() {
        let favoured = Arena { favoured: Some((4, 0.8)), ..Arena::new(600) };
        for seed in 0..200 {
            let expected = [("worker-0".to_owned(), Difference::Wins(BotId(4)))];
            assert_eq!(found(&favoured, seed), expected, "seed {seed}");
        }
        // The same with wins and losses exchanged.
        let mut tallies = favoured.play(0);
        for tally in &mut tallies {
            tally.won = tally.played - tally.won;
        }
        let suspect = suspects(&tallies).remove(0);
        assert!((suspect.seen as f64) < suspect.expected, "{suspect:?}");
        assert!(suspect.why().to_string().starts_with("bot 4 won "), "{suspect:?}");
    }

    #[test]
    fn of_two_workers_nobody_can_say_which_one_lets_a_bot_win() {
        let mut tallies = Arena { favoured: Some((4, 0.8)), ..Arena::new(600) }.play(0);
        tallies.retain(|tally| ["worker-0", "worker-1"].contains(&tally.worker.as_str()));
        let named: Vec<String> = suspects(&tallies).into_iter().map(|suspect| suspect.worker).collect();
        assert_eq!(named, ["worker-0", "worker-1"]);
    }

    #[test]
    fn strong_and_weak_bots_that_are_spread_unevenly_make_no_worker_suspect() {
        for seed in 0..200 {
            let arena = Arena { is_uneven: true, ..Arena::new(600) };
            assert_eq!(found(&arena, seed), [], "seed {seed}");
        }
        // They would, if the strength of the opponents were left out.
        let mut tallies = Arena { is_uneven: true, ..Arena::new(600) }.play(0);
        for tally in &mut tallies {
            tally.strength = Some(0);
        }
        assert!(!suspects(&tallies).is_empty());
    }
}
