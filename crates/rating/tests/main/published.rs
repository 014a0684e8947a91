//! Known counts and what they must give.
//!
//! Two sources. *Published*: the examples in the test suite of fastchess (`elo_test.cpp`, `sprt_test.cpp`), to the digits printed
//! there. *Derived*: the definitions evaluated with mpmath at 30 digits by a script
//! of its own. For the logistic test it bisects the Lagrange condition 300 times. For the normalised test it does not use the
//! iteration of this crate: it maximises the multinomial likelihood with mean *and* variance fixed by Newton's method on the dual, then
//! over the mean by golden section. Both with half a unit added at each end, as are the
//! moments behind intervals (see `estimate.rs`).

use rating::{Estimate, Model, NELO_PER_SIGMA, Pairs, Score, Shape, Sprt};

fn near(got: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((got - expected).abs() <= tolerance, "{what}: {got}, not {expected}");
}

fn near_all(got: Estimate, expected: [f64; 3], what: &str) {
    for (got, expected) in [got.value, got.low, got.high].into_iter().zip(expected) {
        near(got, expected, 1e-8 * expected.abs().max(1.0), what);
    }
}

fn llr(pairs: &Pairs, elo0: f64, elo1: f64, model: Model) -> f64 {
    Sprt::new(elo0, elo1, 0.05, 0.05, model).expect("bounds in order").llr(pairs)
}

#[test]
fn elo_of_pairs_as_published() {
    // Counts; Elo, its error, normalised Elo, likelihood of superiority in percent.
    let table = [
        ([34, 54, 63, 64, 75], 55.58, 27.65, 57.94, 100.00),
        ([332, 433, 498, 333, 334], -8.64, 10.33, -9.17, 5.05),
        ([7895, 8757, 5685, 568, 9999], -21.04, 2.95, -19.01, 0.00),
    ];
    for (counts, elo, error, nelo, los) in table {
        let pairs = Pairs::pentanomial(counts);
        near(pairs.elo().value, elo, 0.005, "Elo");
        // The imaginary unit may change the interval by a thousandth, and the last digit.
        near(pairs.elo().error(), error, 0.001 * error + 0.005, "error");
        near(pairs.nelo().value, nelo, 0.006, "nElo");
        near(100.0 * pairs.los(), los, 0.011, "LOS");
    }
}

#[test]
fn elo_of_single_games_as_published() {
    let even = Score::new(76, 123, 89);
    near(even.nelo().value, -20.76, 0.005, "nElo");
    // The published error takes the deviation as known.
    near(even.nelo().error(), 40.13, 0.05 * 40.13, "error of nElo");
    near(100.0 * even.los(), 15.53, 0.1, "LOS");
    let better = Score::new(136, 111, 96);
    near(better.nelo().value, 49.77, 0.005, "nElo");
    near(better.elo().value, 40.70, 0.005, "Elo");
    near(better.elo().error(), 30.43, 0.03, "error");
    near(100.0 * better.los(), 99.60, 0.01, "LOS");
    near(Score::new(34, 0, 356).nelo().value, -508.44, 0.01, "nElo");
}

#[test]
fn intervals_as_derived() {
    let pairs = Pairs::pentanomial([34, 54, 63, 64, 75]);
    near_all(pairs.elo(), [55.579_780_420_4, 28.073_372_251_4, 83.395_275_314_5], "Elo");
    // Near to normal, the interval is that of the delta method, and a little wider.
    near(pairs.nelo().value, 57.935_599_938_1, 1e-9, "nElo");
    near(pairs.nelo().error(), 29.177_507_405_1, 0.04 * 29.18, "error of nElo");
    near(pairs.los(), 0.999_968_372_204, 1e-11, "LOS");

    // Far apart, the error of normalised Elo is three times the 34.48 that a deviation taken as known would give.
    let apart = Score::new(34, 0, 356);
    near_all(apart.elo(), [-407.988_432_372, -477.617_322_17, -352.206_790_941], "Elo");
    near(apart.nelo().error(), 107.016_047_005, 0.08 * 107.0, "error of nElo");
}

/// Three rotations of one seed make seven counts.
#[test]
fn rotations_as_derived() {
    let mut pairs = Pairs::new(Shape::rotations(3));
    for (half_points, count) in (0..).zip([3, 5, 20, 31, 40, 22, 9]) {
        (0..count).for_each(|_| pairs.add(half_points));
    }
    near_all(pairs.elo(), [64.885_942_228_7, 36.642_477_840_6, 92.953_536_723_4], "Elo");
    near(pairs.nelo().value, 82.433_791_274_8, 1e-9, "nElo");
    near(pairs.nelo().error(), 37.716_017_660_3, 0.08 * 37.7, "error of nElo");
    near(pairs.los(), 0.999_997_845_61, 1e-10, "LOS");
    near(llr(&pairs, 0.0, 20.0, Model::Logistic), 4.621_868_358_56, 1e-9, "LLR");
}

#[test]
fn likelihood_ratios_as_published() {
    let normalized = [
        ([365, 16618, 36229, 16974, 390], 0.0, 2.0, 2.25),
        ([127, 4883, 10712, 5150, 104], -1.75, 0.25, 3.01),
    ];
    for (counts, elo0, elo1, expected) in normalized {
        let got = llr(&Pairs::pentanomial(counts), elo0, elo1, Model::Normalized);
        near(got, expected, 0.01 * expected, "normalised LLR");
    }
    let logistic = [
        ([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.07),
        ([871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.98),
    ];
    for (counts, elo0, elo1, expected) in logistic {
        let got = llr(&Pairs::pentanomial(counts), elo0, elo1, Model::Logistic);
        near(got, expected, 0.005, "logistic LLR");
    }
    let single = [
        (Score::new(36433, 68692, 36027), 0.0, 2.0, Model::Normalized, 0.92),
        (Score::new(10871, 20431, 10650), -1.75, 0.25, Model::Normalized, 2.30),
        (Score::new(21404, 40708, 21184), 0.5, 2.5, Model::Logistic, -1.57),
        (Score::new(57433, 106_593, 57030), 0.0, 2.0, Model::Logistic, -2.59),
    ];
    for (score, elo0, elo1, model, expected) in single {
        near(llr(&score.as_pairs(), elo0, elo1, model), expected, 0.01 * f64::abs(expected), "single LLR");
    }
}

#[test]
fn likelihood_ratios_as_derived() {
    let logistic = [
        ([223, 9863, 21279, 10037, 246], 0.5, 2.5, -3.073_825_691_14),
        ([871, 26175, 55983, 26678, 821], 0.0, 2.0, -4.978_506_667_22),
        ([0, 0, 0, 0, 104], 0.0, 5.0, 1.485_835_420_76),
    ];
    for (counts, elo0, elo1, expected) in logistic {
        near(llr(&Pairs::pentanomial(counts), elo0, elo1, Model::Logistic), expected, 1e-7, "logistic LLR");
    }
    let normalized = [
        ([365, 16618, 36229, 16974, 390], 0.0, 2.0, 2.250_116_356_6),
        ([127, 4883, 10712, 5150, 104], -1.75, 0.25, 3.009_784_031_77),
        ([34, 54, 63, 64, 75], 0.0, 20.0, 4.475_822_317_53),
    ];
    for (counts, elo0, elo1, expected) in normalized {
        near(
            llr(&Pairs::pentanomial(counts), elo0, elo1, Model::Normalized),
            expected,
            1e-6,
            "normalised LLR",
        );
    }
}

/// Nothing but wins, by hand. The most likely distribution with `t = (mean - 1/2) / deviation` then has wins and losses only, `p` of
/// them wins: `(p - 1/2)² = t² p (1 - p)`, so `2 p = 1 + t / √(1 + t²)`, and under H0 (`t` = 0) `2 p = 1`. The imaginary
/// unit adds half a win and half a loss. (The suite of fastchess expects 2.94 here, and 2.97
/// for nothing but draws; neither follows from the definition.)
#[test]
fn likelihood_ratio_of_nothing_but_wins() {
    let t = 5.0 * 2f64.sqrt() / NELO_PER_SIGMA;
    let sine = t / (1.0 + t * t).sqrt();
    let expected = 104.5 * sine.ln_1p() + 0.5 * (-sine).ln_1p();
    let got = llr(&Pairs::pentanomial([0, 0, 0, 0, 104]), 0.0, 5.0, Model::Normalized);
    near(got, expected, 1e-3, "LLR");
    // Nothing but draws speaks against H1.
    assert!(llr(&Score::new(0, 16700, 0).as_pairs(), 0.0, 5.0, Model::Normalized) < -1.0);
}

/// `ln(0.95 / 0.05)`, the figure every tester knows.
#[test]
fn bounds_of_the_test() {
    let test = Sprt::new(0.0, 2.0, 0.05, 0.05, Model::Normalized).expect("bounds in order");
    near(test.upper(), 2.944_438_979_166_44, 1e-12, "upper");
    near(test.lower(), -2.944_438_979_166_44, 1e-12, "lower");
    let uneven = Sprt::new(0.0, 2.0, 0.05, 0.1, Model::Logistic).expect("bounds in order");
    near(uneven.upper(), 18f64.ln(), 1e-12, "upper");
    near(uneven.lower(), (0.1f64 / 0.95).ln(), 1e-12, "lower");
}
