//! Fits the model of `agon analyse` to matches of built-in bots, and measures it on others:
//! `cargo run --release -p review --example calibrate -- GAME [MATCHES] [fit]`. With `fit` the weights are written to
//! `games/GAME/model.json`.

// An example prints, and may assume.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use bots::{BuiltIn, Lines, Mind, Seating, Thinking};
use catalog::AnyGame;
use game::{Dice, Seat, Selected};
use review::estimate::{FEATURES, Model, PLAYOUTS, Weights, features, probabilities, win_shares};

/// A position with its result.
struct Sample {
    onlooker: Vec<[f64; FEATURES]>,
    /// The features for each player, in games with hidden information.
    players: Vec<Vec<[f64; FEATURES]>>,
    shares: Vec<f64>,
}

/// Positions of a match of two to four bots of the ladder.
fn samples(game: &'static dyn AnyGame, number: u64) -> Vec<Sample> {
    let rule_sets: Vec<Selected> = game.info().all().collect();
    let selected = rule_sets[number as usize % rule_sets.len()];
    let full = usize::from(selected.league) == game.info().leagues.len();
    let ladder: Vec<&BuiltIn> = game
        .ladder()
        .iter()
        .filter(|bot| bot.league.map_or(full, |league| league <= selected.league))
        .collect();
    let mut dice = Dice::new(number);
    let mut minds: Vec<Box<dyn Mind>> = (0..u64::from(selected.players))
        .map(|seat| {
            let bot = ladder[dice.below(ladder.len() as u32) as usize];
            (bot.sit)(&Seating { selected, seed: number ^ seat })
        })
        .collect();
    let thinking = Thinking::Nodes(20);
    let mut play = game.start(selected, number as i64 * 31 + 7);
    let mut first = vec![true; minds.len()];
    let mut found = Vec::new();
    let mut next = 1 + dice.below(8);
    while !play.awaited().is_empty() {
        if play.turn() >= next {
            next += 8;
            let onlooker = features(&*play, None, PLAYOUTS, &mut dice);
            let seats = if game.info().hidden { selected.players } else { 0 };
            let players =
                (0..seats).map(|seat| features(&*play, Some(Seat(seat)), PLAYOUTS, &mut dice)).collect();
            found.push(Sample { onlooker, players, shares: Vec::new() });
        }
        let mut answers = Vec::new();
        for seat in play.awaited() {
            let mut question = String::new();
            play.question(seat, &mut question);
            let begin = thinking.begin(std::mem::take(&mut first[seat.index()]));
            let answer =
                minds[seat.index()].answer(&mut Lines::new(&mut question.as_bytes()), begin).unwrap();
            answers.push((seat, answer));
        }
        for (seat, answer) in answers {
            play.answer(seat, Some(&answer)).unwrap();
        }
    }
    let shares = win_shares(&play.outcome());
    for sample in &mut found {
        sample.shares.clone_from(&shares);
    }
    found
}

/// All positions of some matches.
fn all(game: &'static dyn AnyGame, numbers: std::ops::Range<u64>) -> Vec<Sample> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads)
            .map(|thread| {
                let numbers = numbers.clone();
                scope.spawn(move || {
                    let own = numbers.filter(|number| number % threads == thread);
                    own.flat_map(|number| samples(game, number)).collect::<Vec<_>>()
                })
            })
            .collect();
        handles.into_iter().flat_map(|handle| handle.join().unwrap()).collect()
    })
}

/// The features of all seats, the shares, and the seat that counts, if it is only one.
type Row<'a> = (&'a [[f64; FEATURES]], &'a [f64], Option<usize>);

/// Maximises the likelihood by gradient steps.
fn fit(rows: &[Row<'_>]) -> Weights {
    let mut weights = Weights([0.5, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let (mut momentum, n) = ([0.0; FEATURES], rows.len() as f64);
    for _ in 0..3000 {
        let mut gradient = [0.0; FEATURES];
        for (features, shares, only) in rows {
            let found = probabilities(&weights, features);
            for seat in 0..shares.len() {
                if only.is_some_and(|only| only != seat) {
                    continue;
                }
                for at in 0..FEATURES {
                    gradient[at] += (shares[seat] - found[seat]) * features[seat][at];
                }
            }
        }
        for at in 0..FEATURES {
            momentum[at] = 0.9 * momentum[at] + gradient[at] / n;
            weights.0[at] += 0.1 * momentum[at];
        }
    }
    weights
}

/// Prints the table of predicted and observed wins; returns the expected calibration error.
fn table(title: &str, pairs: &[(f64, f64)]) -> f64 {
    println!(
        "\n{title}: {} positions\n\n| predicted | positions | mean prediction | wins |\n|---|---|---|---|",
        pairs.len()
    );
    let mut error = 0.0;
    for bin in 0..10 {
        let own: Vec<&(f64, f64)> =
            pairs.iter().filter(|(predicted, _)| ((predicted * 10.0) as usize).min(9) == bin).collect();
        if own.is_empty() {
            continue;
        }
        let n = own.len() as f64;
        let predicted = own.iter().map(|(predicted, _)| predicted).sum::<f64>() / n;
        let won = own.iter().map(|(_, won)| won).sum::<f64>() / n;
        error += (predicted - won).abs() * n / pairs.len() as f64;
        println!(
            "| {} to {} % | {} | {:.1} % | {:.1} % |",
            bin * 10,
            bin * 10 + 10,
            own.len(),
            100.0 * predicted,
            100.0 * won
        );
    }
    let brier =
        pairs.iter().map(|(predicted, won)| (predicted - won).powi(2)).sum::<f64>() / pairs.len() as f64;
    println!("\nexpected calibration error {:.2} %, Brier score {brier:.3}", 100.0 * error);
    error
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let game = catalog::find(&arguments[0]).unwrap();
    let matches: u64 = arguments.get(1).map_or(1000, |count| count.parse().unwrap());
    let name = game.info().name;
    let mut model = Model::of(game);
    if arguments.iter().any(|word| word == "fit") {
        let fitted = all(game, 0..matches);
        let rows: Vec<_> =
            fitted.iter().map(|sample| (&sample.onlooker[..], &sample.shares[..], None)).collect();
        model.onlooker = fit(&rows);
        model.player = model.onlooker;
        if game.info().hidden {
            let rows: Vec<_> = fitted
                .iter()
                .flat_map(|sample| {
                    let seats = sample.players.iter().enumerate();
                    seats.map(|(seat, features)| (&features[..], &sample.shares[..], Some(seat)))
                })
                .collect();
            model.player = fit(&rows);
        }
        let path = format!("{}/../../games/{name}/model.json", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(path, serde_json::to_string_pretty(&model).unwrap() + "\n").unwrap();
        println!("{name}: fitted to {} positions of {matches} matches", fitted.len());
    }
    // Other matches than those of the fit.
    let tested = all(game, 1_000_000..1_000_000 + matches);
    let onlooker: Vec<(f64, f64)> = tested
        .iter()
        .flat_map(|sample| {
            probabilities(&model.onlooker, &sample.onlooker).into_iter().zip(sample.shares.iter().copied())
        })
        .collect();
    println!("{} positions of {matches} matches, each with a prediction for each player", tested.len());
    table(&format!("{name}, onlooker"), &onlooker);
    if game.info().hidden {
        let players: Vec<(f64, f64)> = tested
            .iter()
            .flat_map(|sample| {
                let seats = sample.players.iter().enumerate();
                seats.map(|(seat, features)| {
                    (probabilities(&model.player, features)[seat], sample.shares[seat])
                })
            })
            .collect();
        table(&format!("{name}, players"), &players);
    }
}
