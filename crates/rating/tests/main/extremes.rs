//! Odd input gives finite, sensible numbers and never panics.

use rating::{
    Belief, Decision, Duel, ELO_CAP, Estimate, GameResult, Ladder, Model, Pairs, Pool, Report, Score,
    Sequential, Shape, Sprt, System, elo_of_score,
};

fn sane(estimate: Estimate) -> Estimate {
    assert!(estimate.value.is_finite() && estimate.covers(estimate.value), "{estimate:?}");
    assert!(estimate.low >= -ELO_CAP && estimate.high <= ELO_CAP, "{estimate:?}");
    estimate
}

fn tests() -> Vec<Sprt> {
    let bounds = [(0.0, 2.0), (-1000.0, 1000.0), (-5.0, 0.0), (300.0, 301.0), (0.0, 500.0)];
    let new = |(elo0, elo1), model| Sprt::new(elo0, elo1, 0.05, 0.05, model).expect("bounds in order");
    bounds.into_iter().flat_map(|b| [new(b, Model::Logistic), new(b, Model::Normalized)]).collect()
}

#[test]
fn every_small_count_is_sane() {
    let mut shapes = vec![Shape::SINGLE, Shape::PAIR, Shape::rotations(3), Shape::one_against_copies(4)];
    shapes.extend([Shape { games: 0, comparisons: 0 }, Shape { games: u32::MAX, comparisons: u32::MAX }]);
    for shape in shapes {
        let kinds = Pairs::new(shape).counts().len() as u32;
        let picks = [0, 1, kinds / 2, kinds - 2, kinds - 1, u32::MAX];
        for a in picks {
            for b in picks {
                for (many, few) in [(0, 0), (1, 0), (1, 1), (3, 1), (1000, 0), (1000, 1)] {
                    let mut pairs = Pairs::new(shape);
                    (0..many).for_each(|_| pairs.add(a));
                    (0..few).for_each(|_| pairs.add(b));
                    sane(pairs.elo());
                    sane(pairs.nelo());
                    assert!((0.0..=1.0).contains(&pairs.los()));
                    for test in tests().iter().take(if kinds > 100 { 2 } else { 10 }) {
                        assert!(test.llr(&pairs).is_finite());
                    }
                }
            }
        }
    }
}

#[test]
fn nothing_is_known_without_games() {
    let none = Pairs::new(Shape::PAIR);
    assert_eq!(none.elo(), Estimate { value: 0.0, low: -ELO_CAP, high: ELO_CAP });
    assert!((none.los() - 0.5).abs() < 1e-12);
    for test in tests() {
        assert_eq!(test.state(&none).decision, Decision::Continue);
    }
    assert!(Pool::of(&[], 0).table().is_empty());
    assert!(
        Pool::of(&[], 3)
            .table()
            .iter()
            .all(|rated| rated.elo.value.abs() < 1e-9 && rated.elo.error() > 300.0)
    );
}

#[test]
fn nothing_but_wins() {
    let few = sane(Pairs::pentanomial([0, 0, 0, 0, 5]).elo());
    let many = sane(Pairs::pentanomial([0, 0, 0, 0, 500]).elo());
    assert!(few.low > 0.0 && many.low > few.low && many.value > few.value);
    assert!(few.low < 400.0, "five pairs prove little: {few:?}");
    assert!(few.high >= ELO_CAP && many.high >= ELO_CAP);
    assert!(Pairs::pentanomial([0, 0, 0, 0, 5]).los() > 0.9);
}

#[test]
fn nothing_but_draws() {
    let draws = sane(Score::new(0, 100, 0).elo());
    assert!(draws.value.abs() < 1e-9 && draws.error() > 1.0 && draws.error() < 40.0, "{draws:?}");
    assert!((Score::new(0, 100, 0).los() - 0.5).abs() < 1e-9);
}

/// One pair proves nothing.
#[test]
fn one_pair_is_wide() {
    for at in 0..5 {
        let mut pairs = Pairs::new(Shape::PAIR);
        pairs.add(at);
        assert!(sane(pairs.elo()).covers(0.0));
        assert!(sane(pairs.nelo()).covers(0.0));
    }
    sane(Score::new(1, 0, 0).elo());
    sane(Pairs::pentanomial([u64::MAX; 5]).elo());
}

#[test]
fn odd_logs_are_no_trouble() {
    let game = |unit, players: &[usize], ranks: &[u32]| GameResult {
        unit,
        players: players.to_vec(),
        ranks: ranks.to_vec(),
    };
    let log = [
        game(0, &[], &[]),
        game(0, &[0], &[0]),
        game(1, &[0, 1], &[0]),
        game(2, &[0, 0], &[0, 1]),
        game(3, &[0, 99], &[1, 0]),
        game(u64::MAX, &[1, 0, 1, 1], &[u32::MAX, 0, 5, 5]),
    ];
    let duel = Duel::of(&log, 0, 1, Shape::PAIR);
    assert_eq!((duel.games, duel.incomplete, duel.pairs.total()), (1, 1, 0));
    assert_eq!(duel.score, Score::new(3, 0, 0));
    for rated in Pool::of(&log, 3).table() {
        sane(rated.elo);
    }
    for system in [System::WengLin, System::TrueSkill] {
        let ladder = Ladder::of(system, 3, &log);
        assert!(ladder.standings().iter().all(|s| s.rating.is_finite() && s.uncertainty > 0.0));
        assert_eq!(ladder.belief().players(), 3);
    }
    let belief = Belief::independent(&[(0.0, 1e9), (f64::NAN, 1.0)]);
    assert_eq!(belief.next_pairs(2).len(), 2);
    assert!(Belief::independent(&[]).next_pairs(5).is_empty());
    assert_eq!(Belief::independent(&[(0.0, 1.0)]).next_table(4), [0]);
}

#[test]
fn senseless_tests_are_refused() {
    for (elo0, elo1) in [(2.0, 0.0), (0.0, 0.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
        assert!(Sprt::new(elo0, elo1, 0.05, 0.05, Model::Logistic).is_err());
    }
    for (alpha, beta) in [(0.0, 0.05), (0.05, -1.0), (0.5, 0.5), (f64::NAN, 0.05)] {
        assert!(Sprt::new(0.0, 2.0, alpha, beta, Model::Logistic).is_err());
    }
    let backwards = r#"{"elo0":2.0,"elo1":0.0,"alpha":0.05,"beta":0.05,"model":"logistic"}"#;
    assert!(serde_json::from_str::<Sprt>(backwards).is_err());
    assert!(serde_json::from_str::<Sprt>("[2.0, 0.0]").is_err());
    let older: Sprt = serde_json::from_str("[0.0, 2.0]").expect("the form of older run files");
    assert_eq!(older, Sprt::new(0.0, 2.0, 0.05, 0.05, Model::Normalized).expect("bounds in order"));
    assert!(
        serde_json::from_str::<Pairs>(r#"{"shape":{"games":2,"comparisons":2},"counts":[1,2]}"#).is_err()
    );
}

#[test]
fn elo_is_capped() {
    assert!((elo_of_score(0.0) + ELO_CAP).abs() < 1e-9 && (elo_of_score(1.0) - ELO_CAP).abs() < 1e-9);
    assert!(elo_of_score(f64::NAN).abs() < 1e-9 && elo_of_score(7.0).is_finite());
}

/// The block, letter by letter, and the same as JSON there and back.
#[test]
fn the_block_testers_paste() {
    let mut duel = Duel::new(Shape::PAIR);
    duel.pairs = Pairs::pentanomial([34, 54, 63, 64, 75]);
    // WL 31 and DD 32, as in the published example.
    duel.even_without_draws = 31;
    duel.score = Score::new(2 * 75 + 64 + 31, 54 + 64 + 2 * 32, 2 * 34 + 54 + 31);
    duel.games = duel.score.total();
    let test = Sprt::new(0.0, 20.0, 0.05, 0.05, Model::Normalized).expect("bounds in order");
    let report = Report::new("new", "old", &duel, Some(&test));
    let expected = "Results of new vs old:
Elo: 55.58 [28.07, 83.40], nElo: 57.94 [28.62, 88.01]
LOS: 100.00 %, DrawRatio: 21.72 %, PairsRatio: 1.58
Games: 580, Wins: 245, Losses: 153, Draws: 182, Points: 336.0 (57.93 %)
Ptnml(0-2): [34, 54, 63, 64, 75], WL/DD Ratio: 0.97
LLR: 4.48 (-2.94, 2.94) [0.00, 20.00]";
    assert_eq!(report.to_string(), expected);
    let json = serde_json::to_string(&report).expect("a report is JSON");
    let back: Report = serde_json::from_str(&json).expect("and back");
    assert_eq!(back.to_string(), expected);

    let empty = Report::new("a", "b", &Duel::new(Shape::rotations(3)), None).to_string();
    assert!(
        empty.contains("Elo: 0.00 [-inf, inf]") && empty.contains("Ptnml(0-3): [0, 0, 0, 0, 0, 0, 0]"),
        "{empty}"
    );

    let mut running = Sequential::new(test, Shape::PAIR);
    running.add(5, Some(4));
    running.add(0, Some(4));
    let json = serde_json::to_string(&running).expect("a running test is JSON");
    assert_eq!(serde_json::from_str::<Sequential>(&json).expect("and back"), running);
}
