//! Pools, ladders and the choice of the next game.

use rating::{Belief, GameResult, Ladder, Pairs, Pool, System};

fn near(got: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((got - expected).abs() <= tolerance, "{what}: {got}, not {expected}");
}

fn game(unit: u64, players: &[usize], ranks: &[u32]) -> GameResult {
    GameResult { unit, players: players.to_vec(), ranks: ranks.to_vec() }
}

fn elo(pool: &Pool, player: usize) -> f64 {
    pool.table().iter().find(|rated| rated.player == player).expect("in the pool").elo.value
}

/// The American League of 1987 (A. Agresti, "Categorical Data Analysis", table 10.10): every two teams played 13 games. Published
/// estimates (natural logarithms, Baltimore zero) and standard errors as given by R's `BradleyTerry2`. The prior draws ours
/// towards the mean by less than two parts in a hundred; the errors here come from the games, not from the model.
#[test]
fn bradley_terry_as_published() {
    // Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore: wins of the row's team.
    let wins = [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ];
    let mut log = Vec::new();
    for (a, row) in wins.iter().enumerate() {
        for (b, &won) in row.iter().enumerate() {
            for _ in 0..won {
                log.push(game(log.len() as u64, &[a, b], &[0, 1]));
            }
        }
    }
    assert_eq!(log.len(), 21 * 13);
    let pool = Pool::of(&log, 7);
    let per_nat = 400.0 / std::f64::consts::LN_10;
    let published = [
        (1.5814, 0.3433),
        (1.4364, 0.3396),
        (1.2945, 0.3367),
        (1.2476, 0.3359),
        (1.1077, 0.3339),
        (0.6839, 0.3319),
    ];
    for (team, (estimate, error)) in published.into_iter().enumerate() {
        let got = pool.difference(team, 6).expect("in the pool");
        near(got.value / per_nat, estimate, 0.03, "estimate");
        near(got.error() / 1.96 / per_nat, error, 0.12 * error, "standard error");
    }
    let order: Vec<usize> = pool.table().iter().map(|rated| rated.player).collect();
    assert_eq!(order, [0, 1, 2, 3, 4, 5, 6]);
    near(pool.table().iter().map(|rated| rated.elo.value).sum(), 0.0, 1e-6, "mean");
    assert!(pool.table().iter().all(|rated| rated.games == 78 && rated.comparisons == 78));
}

/// Two players alone: a pool and a duel say the same.
#[test]
fn a_pool_of_two_is_a_duel() {
    let counts = [34, 54, 63, 64, 75];
    let mut log = Vec::new();
    let halves = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)];
    for (&count, (a, b)) in counts.iter().zip(halves) {
        for _ in 0..count {
            let unit = log.len() as u64;
            // Half points to ranks: a win is 0 against 1, a draw 1 against 1, a loss 2 against 1.
            log.push(game(unit, &[0, 1], &[2 - a, 1]));
            log.push(game(unit, &[1, 0], &[1, 2 - b]));
        }
    }
    let duel = Pairs::pentanomial(counts).elo();
    let pool = Pool::of(&log, 2);
    let difference = pool.difference(0, 1).expect("in the pool");
    near(difference.value, duel.value, 0.2, "Elo");
    near(difference.error(), duel.error(), 0.2, "error");
    near(pool.los(0, 1).expect("in the pool"), Pairs::pentanomial(counts).los(), 1e-4, "LOS");
    assert!(pool.difference(0, 2).is_none() && pool.los(2, 0).is_none());
}

/// Groups that never met, and a player that won everything, are finite and uncertain.
#[test]
fn the_prior_holds_every_pool_together() {
    let mut log = Vec::new();
    for unit in 0..50 {
        log.push(game(unit, &[0, 1], &[0, 1]));
        log.push(game(1000 + unit, &[2, 3], &[u32::from(unit % 3 == 0), u32::from(unit % 3 != 0)]));
    }
    let pool = Pool::of(&log, 5);
    assert!(elo(&pool, 0) - elo(&pool, 1) > 300.0);
    let apart = pool.difference(0, 2).expect("in the pool");
    let known = pool.difference(2, 3).expect("in the pool");
    assert!(apart.error() > 2.0 * known.error(), "{apart:?} {known:?}");
    assert!(pool.table().iter().all(|rated| rated.elo.value.abs() < 1500.0));
}

/// The games of a unit that always end the same way are one observation: the interval must not shrink with their number.
#[test]
fn copies_of_a_game_prove_nothing_more() {
    let error = |copies: u64| {
        let mut log = Vec::new();
        for unit in 0..60 {
            for _ in 0..copies {
                let first_won = unit % 5 < 3;
                log.push(game(unit, &[0, 1], if first_won { &[0, 1] } else { &[1, 0] }));
            }
        }
        Pool::of(&log, 2).difference(0, 1).expect("in the pool").error()
    };
    near(error(8) / error(1), 1.0, 0.03, "ratio of errors");
}

/// The weights of a game of four are all alike, so its six comparisons give the ratings that six games of two would give.
#[test]
fn a_game_of_four_rates_as_its_comparisons() {
    let mut four = Vec::new();
    let mut two = Vec::new();
    for unit in 0..200u64 {
        let players: Vec<usize> = (0..4).map(|seat| (seat + unit as usize) % 4).collect();
        let ranks: Vec<u32> =
            (0..4).map(|seat| ((unit / 4 * 7 + seat * (unit / 9 + 1)) % 4) as u32).collect();
        let whole = game(unit, &players, &ranks);
        for (a, b, half_points) in whole.comparisons() {
            two.push(game(two.len() as u64, &[a, b], &[2 - half_points, 1]));
        }
        four.push(whole);
    }
    let (four, two) = (Pool::of(&four, 4), Pool::of(&two, 4));
    for player in 0..4 {
        near(elo(&four, player), elo(&two, player), 1.0, "the same results, nearly the same ratings");
    }
}

/// Newcomers of `TrueSkill`: the values its reference implementations print (S. Jung's `trueskill` for Python, J. Moser's
/// calculator), to three digits.
#[test]
fn trueskill_as_published() {
    let check = |ranks: &[u32], expected: &[(f64, f64)]| {
        let players: Vec<usize> = (0..ranks.len()).collect();
        let ladder = Ladder::of(System::TrueSkill, ranks.len(), &[game(0, &players, ranks)]);
        for (standing, (rating, uncertainty)) in ladder.standings().iter().zip(expected) {
            near(standing.rating, *rating, 0.001, "rating");
            near(standing.uncertainty, *uncertainty, 0.001, "uncertainty");
        }
    };
    check(&[0, 1], &[(29.396, 7.171), (20.604, 7.171)]);
    check(&[0, 0], &[(25.000, 6.458), (25.000, 6.458)]);
    check(&[0, 1, 2, 3], &[(33.207, 6.348), (27.401, 5.787), (22.599, 5.787), (16.793, 6.348)]);
}

/// Newcomers of Weng-Lin. By hand: `c² = 2 σ² + 2 β²`, so with σ = 25/3 and β = 25/6 `c` = 13.176; the winner gains
/// `σ² / c · 1/2` = 2.635, and the variance falls by the factor `1 - (σ/c)³ / 4`, to 8.0655².
#[test]
fn weng_lin_as_derived() {
    let ladder = Ladder::of(System::WengLin, 2, &[game(0, &[0, 1], &[0, 1])]);
    let [first, second] = ladder.standings() else { panic!("two players") };
    near(first.rating, 27.635_231_383, 1e-8, "winner");
    near(second.rating, 22.364_768_617, 1e-8, "loser");
    near(first.uncertainty, 8.065_506_316, 1e-8, "uncertainty");
    assert_eq!(ladder.table()[0].player, 0);
}

/// The next game is between players whose order is open and not known.
#[test]
fn the_most_telling_pair_comes_first() {
    // Equals: the least known two.
    assert_eq!(Belief::independent(&[(0.0, 50.0), (0.0, 200.0), (0.0, 100.0)]).next_pairs(1), [(1, 2)]);
    // Equally known: the closest two.
    assert_eq!(Belief::independent(&[(0.0, 50.0), (600.0, 50.0), (610.0, 50.0)]).next_pairs(1), [(1, 2)]);
    // All alike: by number, and a batch visits everybody before anybody meets twice.
    let batch = Belief::independent(&[(0.0, 100.0); 4]).next_pairs(6);
    assert_eq!(batch[..2], [(0, 1), (2, 3)]);
    let mut met = batch.clone();
    met.sort_unstable();
    met.dedup();
    assert_eq!(met.len(), 6, "{batch:?}");
    assert_eq!(
        Belief::independent(&[(0.0, 50.0), (0.0, 90.0), (0.0, 10.0), (5.0, 80.0)]).next_table(3),
        [1, 3, 0]
    );
}

/// By hand: `V` = 2 · (100 ln 10 / 400)² = 0.6627 and equals have `I` = 1/4, so `ln(1 + V I) / 2` = 0.07665.
#[test]
fn information_as_derived() {
    let belief = Belief::independent(&[(0.0, 100.0), (0.0, 100.0)]);
    near(belief.information(0, 1), 0.076_654, 1e-5, "information");
    near(belief.information(0, 0), 0.0, 1e-12, "against itself");
    near(belief.information(0, 7), 0.0, 1e-12, "nobody");
}
