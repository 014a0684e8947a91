//! Error bars are honest: 95 % intervals of simulated bots cover the truth in 93 to 97 % of 2,000 runs.

use std::collections::BTreeMap;

use rating::{
    Duel, ELO_CAP, Estimate, GameResult, NELO_PER_SIGMA, Pairs, Pool, Score, Shape, elo_of_score,
    score_of_elo,
};

use crate::simulate::{Dice, deviation, mean, pair};

const RUNS: usize = 2000;

fn check_coverage(what: &str, mut covered: impl FnMut(&mut Dice) -> bool) {
    let mut dice = Dice::new(0x5eed);
    let hits = (0..RUNS).filter(|_| covered(&mut dice)).count();
    let share = hits as f64 / RUNS as f64;
    assert!((0.93..=0.97).contains(&share), "{what}: covered in {:.2} % of {RUNS} runs", 100.0 * share);
}

fn units(dice: &mut Dice, probabilities: &[f64], count: usize, shape: Shape) -> Pairs {
    let mut pairs = Pairs::new(shape);
    (0..count).for_each(|_| pairs.add(dice.choose(probabilities) as u32));
    pairs
}

#[test]
fn duels_cover_the_truth() {
    // Elo, favour of a seat, draws, pairs.
    let table = [
        (0.0, 0.0, 0.0, 50),
        (0.0, 300.0, 0.1, 100),
        (40.0, 0.0, 0.3, 100),
        (100.0, 200.0, 0.0, 200),
        (-250.0, 50.0, 0.2, 400),
        (15.0, 600.0, 0.6, 1000),
    ];
    for (elo, seat, draws, count) in table {
        let truth = pair(elo, seat, draws);
        let true_elo = elo_of_score(mean(&truth));
        let true_nelo = NELO_PER_SIGMA * (mean(&truth) - 0.5) / (2f64.sqrt() * deviation(&truth));
        let what = format!("elo {elo}, seat {seat}, draws {draws}, {count} pairs");
        check_coverage(&format!("Elo at {what}"), |dice| {
            units(dice, &truth, count, Shape::PAIR).elo().covers(true_elo)
        });
        check_coverage(&format!("nElo at {what}"), |dice| {
            units(dice, &truth, count, Shape::PAIR).nelo().covers(true_nelo)
        });
    }
}

/// Few units, one-sided duels and duels that the map decides: the interval of normalised Elo may be wider than it must be,
/// never narrower.
#[test]
fn normalised_elo_covers_the_truth_with_few_pairs() {
    let mut truths = vec![
        pair(0.0, 0.0, 0.0),
        pair(0.0, 300.0, 0.1),
        pair(40.0, 0.0, 0.3),
        pair(100.0, 200.0, 0.0),
        pair(250.0, 50.0, 0.2),
        pair(15.0, 600.0, 0.6),
        pair(600.0, 0.0, 0.0),
        pair(900.0, 0.0, 0.02),
        [0.0, 0.0, 0.98, 0.01, 0.01],
        [0.01, 0.0, 0.0, 0.0, 0.99],
        [0.4, 0.0, 0.0, 0.0, 0.6],
        // Rare results that are mostly not seen.
        [0.904, 0.064, 0.011, 0.0, 0.021],
        [0.474, 0.475, 0.0, 0.0, 0.051],
        [0.155, 0.0, 0.752, 0.0, 0.094],
    ];
    // Any others.
    let mut dice = Dice::new(2026);
    truths.extend((0..6).map(|_| {
        let weights = [(); 5].map(|()| -(1.0 - dice.share()).ln() * dice.share().powi(2));
        weights.map(|weight| weight / weights.iter().sum::<f64>())
    }));
    let mut failed = Vec::new();
    for truth in truths {
        let true_nelo = NELO_PER_SIGMA * (mean(&truth) - 0.5) / (2f64.sqrt() * deviation(&truth));
        for count in [5, 10, 20, 40, 100, 300] {
            let mut dice = Dice::new(0x5eed);
            // Few pairs have few outcomes.
            let mut known = BTreeMap::new();
            let runs = if count < 40 { 2000 } else { 1000 };
            let hits = (0..runs).filter(|_| {
                let pairs = units(&mut dice, &truth, count, Shape::PAIR);
                *known
                    .entry(pairs.counts().to_vec())
                    .or_insert_with(|| pairs.nelo().covers(true_nelo.clamp(-ELO_CAP, ELO_CAP)))
            });
            let share = hits.count() as f64 / f64::from(runs);
            // Two standard deviations of the simulation below 95 %.
            if share < 0.95 - 2.0 * (0.95 * 0.05 / f64::from(runs)).sqrt() {
                failed.push(format!("{truth:.3?}, {count} pairs: {:.2} %", 100.0 * share));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn a_one_sided_duel_has_a_sensible_interval() {
    let all_won = Pairs::pentanomial([0, 0, 0, 0, 38]).nelo();
    assert!(all_won.low > 300.0 && all_won.high >= 2400.0, "{all_won:?}");
    let mirrored = Pairs::pentanomial([38, 0, 0, 0, 0]).nelo();
    assert!((mirrored.high + all_won.low).abs() < 1e-6, "{mirrored:?}");
    let even = Pairs::pentanomial([0, 0, 40, 0, 0]).nelo();
    assert!(even.is_bounded() && even.low < -20.0 && even.high > 20.0, "{even:?}");
    assert!(!Pairs::pentanomial([0, 0, 0, 1, 0]).nelo().is_bounded());
}

/// Where the map decides nothing single games are independent, and their interval is honest too.
#[test]
fn single_games_cover_the_truth() {
    let truth = [0.3, 0.25, 0.45];
    check_coverage("Elo of single games", |dice| {
        let mut score = Score::default();
        (0..300).for_each(|_| score.add(dice.choose(&truth) as u32));
        score.elo().covers(elo_of_score(mean(&truth)))
    });
}

/// Ranks of players with these strengths in a game of all of them; the map favours seats by `favour`, and close performances draw.
fn ranks(dice: &mut Dice, strengths: &[f64], favour: &[f64]) -> Vec<u32> {
    let performance: Vec<f64> =
        strengths.iter().zip(favour).map(|(strength, favour)| strength + favour + dice.normal()).collect();
    let rounded: Vec<i64> = performance.iter().map(|p| (p * 4.0).round() as i64).collect();
    rounded.iter().map(|mine| rounded.iter().filter(|other| *other > mine).count() as u32).collect()
}

/// The rotations of one seed: player `(seat + rotation) % n` sits in each seat.
fn rotations(dice: &mut Dice, unit: u64, strengths: &[f64]) -> Vec<GameResult> {
    let seats = strengths.len();
    let favour: Vec<f64> = (0..seats).map(|_| 0.8 * dice.normal()).collect();
    (0..seats)
        .map(|rotation| {
            let players: Vec<usize> = (0..seats).map(|seat| (seat + rotation) % seats).collect();
            let seated: Vec<f64> = players.iter().map(|&player| strengths[player]).collect();
            GameResult { unit, ranks: ranks(dice, &seated, &favour), players }
        })
        .collect()
}

/// The true expected score of the first player against the second, by very many games.
fn true_score(strengths: &[f64]) -> f64 {
    let mut dice = Dice::new(77);
    let games: Vec<GameResult> = (0..60_000).flat_map(|unit| rotations(&mut dice, unit, strengths)).collect();
    let score = Duel::of(&games, 0, 1, Shape::rotations(strengths.len() as u32)).score;
    score.points() / score.total() as f64
}

#[test]
fn games_of_three_and_four_cover_the_truth() {
    for strengths in [&[0.2, 0.0, -0.3][..], &[0.3, 0.1, 0.0, -0.4]] {
        let truth = elo_of_score(true_score(strengths));
        check_coverage(&format!("{} players", strengths.len()), |dice| {
            let games: Vec<GameResult> = (0..80).flat_map(|unit| rotations(dice, unit, strengths)).collect();
            let duel = Duel::of(&games, 0, 1, Shape::rotations(strengths.len() as u32));
            assert_eq!((duel.pairs.total(), duel.incomplete), (80, 0));
            duel.pairs.elo().covers(truth)
        });
    }
}

/// Games of one map that follow the favour of a seat are opposed to each other; in pairs that cancels.
#[test]
fn pairs_are_narrower_where_the_map_favours_a_seat() {
    let mut dice = Dice::new(5);
    for (seat, at_most) in [(0.0, 1.05), (100.0, 0.97), (300.0, 0.75), (600.0, 0.4)] {
        let mut games = Vec::new();
        for unit in 0..1000 {
            for first in [0, 1] {
                let elo = if first == 0 { 20.0 + seat } else { -20.0 + seat };
                let won = dice.share() < score_of_elo(elo);
                let ranks = if won { vec![0, 1] } else { vec![1, 0] };
                games.push(GameResult { unit, players: vec![first, 1 - first], ranks });
            }
        }
        let duel = Duel::of(&games, 0, 1, Shape::PAIR);
        let ratio = duel.pairs.elo().error() / duel.score.elo().error();
        assert!(ratio < at_most, "seat {seat}: pairs are {ratio:.3} of single games");
    }
}

/// Bots that fulfil the model, with unequal numbers of games and two that never meet.
#[test]
fn pools_cover_the_truth() {
    let elo = [120.0, 40.0, 0.0, -160.0];
    let play = |dice: &mut Dice| {
        let mut games = Vec::new();
        let mut unit = 0;
        for (a, b, pairs) in [(0, 1, 60), (0, 2, 40), (0, 3, 30), (1, 2, 60), (2, 3, 50)] {
            for _ in 0..pairs {
                for players in [[a, b], [b, a]] {
                    let first_won = dice.share() < score_of_elo(elo[players[0]] - elo[players[1]]);
                    let ranks = if first_won { vec![0, 1] } else { vec![1, 0] };
                    games.push(GameResult { unit, players: players.to_vec(), ranks });
                }
                unit += 1;
            }
        }
        Pool::of(&games, elo.len())
    };
    let rating = |pool: &Pool, player: usize| -> Estimate {
        pool.table().iter().find(|rated| rated.player == player).expect("in the pool").elo
    };
    for (player, truth) in elo.into_iter().enumerate() {
        check_coverage(&format!("rating of {player}"), |dice| rating(&play(dice), player).covers(truth));
    }
    check_coverage("a difference nobody played", |dice| {
        play(dice).difference(1, 3).expect("in the pool").covers(200.0)
    });
}
