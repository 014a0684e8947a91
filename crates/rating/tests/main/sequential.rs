//! The sequential test keeps its promises: 10,000 simulated tests for each hypothesis.

use rating::{Decision, Model, NELO_PER_SIGMA, Sequential, Shape, Sprt};

use crate::simulate::{Dice, deviation, mean, pair};

const TESTS: usize = 10_000;

/// The share of tests that end with a wrong decision when `probabilities` are the truth, and the mean length.
fn wrong(test: Sprt, probabilities: &[f64], right: Decision, seed: u64) -> (f64, f64) {
    let mut dice = Dice::new(seed);
    let (mut wrong, mut units) = (0, 0);
    for _ in 0..TESTS {
        let mut running = Sequential::new(test, Shape::PAIR);
        let mut unit = 0;
        while running.add(unit, Some(dice.choose(probabilities) as u32)) == Decision::Continue {
            unit += 1;
        }
        units += unit + 1;
        wrong += usize::from(running.decision() != right);
    }
    (wrong as f64 / TESTS as f64, units as f64 / TESTS as f64)
}

/// Pentanomial probabilities with a given mean (in Elo) or distance from one half (in normalised Elo): the strength of a bot is
/// bisected until it fits.
fn truth(elo: f64, model: Model, seat: f64, draws: f64) -> [f64; 5] {
    let measure = |probabilities: &[f64; 5]| match model {
        Model::Logistic => rating::elo_of_score(mean(probabilities)),
        Model::Normalized => {
            NELO_PER_SIGMA * (mean(probabilities) - 0.5) / (2f64.sqrt() * deviation(probabilities))
        }
    };
    let (mut low, mut high) = (-800.0, 800.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if measure(&pair(middle, seat, draws)) < elo {
            low = middle;
        } else {
            high = middle;
        }
    }
    pair(low, seat, draws)
}

fn check(model: Model, elo0: f64, elo1: f64, seat: f64, draws: f64) {
    let test = Sprt::new(elo0, elo1, 0.05, 0.05, model).expect("bounds in order");
    for (elo, right) in [(elo0, Decision::AcceptH0), (elo1, Decision::AcceptH1)] {
        let (share, length) = wrong(test, &truth(elo, model, seat, draws), right, 99);
        let what = format!("{model:?} [{elo0}, {elo1}], seat {seat}, at {elo}");
        assert!(share <= 0.05, "{what}: {:.2} % wrong, mean length {length:.0}", 100.0 * share);
        assert!(share >= 0.02, "{what}: {:.2} % wrong: too timid, the test wastes games", 100.0 * share);
    }
}

#[test]
fn logistic_error_rates_stay_within_nominal() {
    check(Model::Logistic, 0.0, 40.0, 200.0, 0.1);
}

#[test]
fn normalized_error_rates_stay_within_nominal() {
    check(Model::Normalized, 0.0, 60.0, 200.0, 0.1);
}

/// The same units in another order of arrival: the same decision after the same units.
#[test]
fn results_do_not_depend_on_the_number_of_workers() {
    let test = Sprt::new(0.0, 30.0, 0.05, 0.05, Model::Logistic).expect("bounds in order");
    let probabilities = pair(30.0, 100.0, 0.2);
    for seed in 0..20 {
        let mut dice = Dice::new(seed);
        let results: Vec<(u64, Option<u32>)> = (0..3000)
            .map(|unit| (unit, (dice.share() < 0.99).then(|| dice.choose(&probabilities) as u32)))
            .collect();
        let mut in_order = Sequential::new(test, Shape::PAIR);
        for &(unit, result) in &results {
            in_order.add(unit, result);
        }
        // Sixteen workers: each block of sixteen ends in any order.
        let mut shuffled = results.clone();
        shuffled.chunks_mut(16).for_each(|block| dice.shuffle(block));
        let mut by_workers = Sequential::new(test, Shape::PAIR);
        for &(unit, result) in &shuffled {
            by_workers.add(unit, result);
            by_workers.add(unit, Some(0)); // Told twice: the first counts.
        }
        assert_eq!(in_order.pairs(), by_workers.pairs());
        assert_eq!(in_order.state(), by_workers.state());
        assert_ne!(in_order.decision(), Decision::Continue);
    }
}
