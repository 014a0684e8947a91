//! Workers on which bots fail more often than the same bots do elsewhere.

use std::collections::BTreeMap;

use model::BotId;
use store::WorkerTally;

/// A worker with fewer seats than this is not judged.
const FEWEST: i64 = 40;
/// A worker is suspected above this number of standard deviations: one judgement in 30,000 is wrong by chance, and nothing
/// follows from it but a line for the organiser.
const LIMIT: f64 = 4.0;

/// A worker on which bots fail too often.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Suspect {
    /// The worker, as the matches name it.
    pub(crate) worker: String,
    /// Timeouts and crashes there.
    pub(crate) failed: i64,
    /// The number that the same bots would have elsewhere.
    pub(crate) expected: f64,
    /// The number of seats.
    pub(crate) played: i64,
}

/// The workers on which bots fail more often than elsewhere. Each bot is compared with itself (the test of Mantel and
/// Haenszel): a bot that fails everywhere makes no worker suspect.
pub(crate) fn suspects(tallies: &[WorkerTally]) -> Vec<Suspect> {
    let mut of_bots: BTreeMap<BotId, (i64, i64)> = BTreeMap::new();
    let mut of_workers: BTreeMap<&str, Vec<&WorkerTally>> = BTreeMap::new();
    for tally in tallies {
        let (played, failed) = of_bots.entry(tally.bot_id).or_default();
        (*played, *failed) = (*played + tally.played, *failed + tally.failed);
        of_workers.entry(&tally.worker).or_default().push(tally);
    }
    let judge = |(worker, own): (&str, Vec<&WorkerTally>)| {
        let (mut expected, mut variance) = (0.0, 0.0);
        for tally in &own {
            let (all, failed) = of_bots.get(&tally.bot_id).copied()?;
            let (here, all, failed) = (tally.played as f64, all as f64, failed as f64);
            if all < 2.0 {
                continue;
            }
            expected += here * failed / all;
            variance += here * (all - here) * failed * (all - failed) / (all * all * (all - 1.0));
        }
        let failed: i64 = own.iter().map(|tally| tally.failed).sum();
        let played: i64 = own.iter().map(|tally| tally.played).sum();
        // The correction of Yates: failures are whole numbers.
        let is_suspect =
            played >= FEWEST && variance > 0.0 && failed as f64 - expected - 0.5 > LIMIT * variance.sqrt();
        is_suspect.then(|| Suspect { worker: worker.to_owned(), failed, expected, played })
    };
    of_workers.into_iter().filter_map(judge).collect()
}

#[cfg(test)]
mod tests {
    use game::Dice;

    use super::*;

    /// Results of matches for two on four workers: ten bots, of which the last one fails in a third of its matches wherever
    /// it plays. On the first worker every bot fails with this further probability.
    fn played(matches: usize, slow: f64, seed: u64) -> Vec<WorkerTally> {
        let mut dice = Dice::new(seed);
        let mut tallies: BTreeMap<(usize, usize), (i64, i64)> = BTreeMap::new();
        for number in 0..4 * matches {
            let worker = number % 4;
            let first = dice.below(10) as usize;
            let second = (first + 1 + dice.below(9) as usize) % 10;
            for bot in [first, second] {
                let own = if bot == 9 { 0.33 } else { 0.005 };
                let rate = if worker == 0 { own + slow } else { own };
                let fails = f64::from(dice.below(1_000_000)) < rate * 1e6;
                let tally = tallies.entry((worker, bot)).or_default();
                (tally.0, tally.1) = (tally.0 + 1, tally.1 + i64::from(fails));
            }
        }
        let tally = |((worker, bot), (played, failed)): ((usize, usize), (i64, i64))| WorkerTally {
            worker: format!("worker-{worker}"),
            bot_id: BotId(bot as i64),
            played,
            failed,
        };
        tallies.into_iter().map(tally).collect()
    }

    #[test]
    fn a_slow_worker_is_named_within_200_matches() {
        for seed in 0..200 {
            let found = suspects(&played(200, 0.15, seed));
            let names: Vec<&str> = found.iter().map(|suspect| suspect.worker.as_str()).collect();
            assert_eq!(names, ["worker-0"], "seed {seed}: {found:?}");
        }
    }

    #[test]
    fn a_bot_that_fails_everywhere_makes_no_worker_suspect() {
        for seed in 0..200 {
            let found = suspects(&played(500, 0.0, seed));
            assert!(found.is_empty(), "seed {seed}: {found:?}");
        }
        // A bad bot that plays on one worker alone says nothing about it either.
        let alone =
            |bot: i64, failed| WorkerTally { worker: "one".into(), bot_id: BotId(bot), played: 100, failed };
        assert!(suspects(&[alone(1, 90), alone(2, 0)]).is_empty());
    }
}
