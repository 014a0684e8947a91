//! Plays two bots of Back Track against each other, each with nodes of its own, so that levels can be compared.
//!
//! ```text
//! cargo run --release -p back-track-bots --example back_track_games -- champion:9000 champion:900 100 2026
//! ```
//!
//! The arguments are two names, such as `gold` or the level `champion:3`, with their nodes per answer (0: by the clock of the rules),
//! seeds (each is played from both seats),
//! the edition, and the first seed (1 unless given). It prints the score of the first bot with a 95 % interval over the seeds, and
//! the times of its answers.

// This program prints its figures.
#![allow(clippy::print_stdout)]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use back_track::{BackTrack, Order};
use bots::{Lines, Mind, Seating};
use catalog::built_in::Contender;
use game::{Game, Journal, Seat, Selected, Selection};

fn main() -> ExitCode {
    match measure(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// What all games gave the first bot.
#[derive(Default)]
struct Tally {
    /// By seed: its share of two results.
    results: Vec<f64>,
    /// By seed: its share of the points of both players, which tells small differences sooner.
    points: Vec<f64>,
    won: u32,
    drawn: u32,
    lost: u32,
    faults: usize,
    /// Its answers after the first of each game.
    times: Vec<Duration>,
}

fn measure(args: &[String]) -> Result<(), String> {
    let [first, second, seeds, edition, rest @ ..] = args else {
        return Err("expected: NAME:NODES NAME:NODES SEEDS EDITION [FIRST SEED]".to_owned());
    };
    let number = |text: &str| text.parse::<i64>().map_err(|_| format!("`{text}` is no number"));
    let seeds = number(seeds)?;
    let from = rest.first().map_or(Ok(1), |text| number(text))?;
    let asked = Selection { league: None, edition: Some(edition.clone()), players: None };
    let selected = BackTrack::info().select(&asked).map_err(|error| error.to_string())?;
    let catalogued = catalog::find("back-track").map_err(|error| error.to_string())?;
    let player = |text: &str| Contender::of_text(catalogued, &[back_track_bots::RESPONSE], text, selected);
    let players = [player(first)?, player(second)?];
    let mut tally = Tally::default();
    for seed in from..from + seeds {
        let mut sums = [0.0; 2];
        for seat in 0..2 {
            let [result, points] = play(&players, seat, selected, seed, &mut tally)?;
            sums = [sums[0] + result / 2.0, sums[1] + points / 2.0];
        }
        tally.results.push(sums[0]);
        tally.points.push(sums[1]);
    }
    tally.print(first, second);
    Ok(())
}

/// One game with the first bot on this seat; returns its share of the result and of the points.
fn play(
    players: &[Contender; 2],
    seat: usize,
    selected: Selected,
    seed: i64,
    tally: &mut Tally,
) -> Result<[f64; 2], String> {
    let game = BackTrack::new(BackTrack::rule_set(selected), seed);
    let mut state = game.start();
    let of_seat = |at: usize| &players[usize::from(at != seat)];
    let mut minds: [Box<dyn Mind>; 2] =
        [0, 1].map(|at| (of_seat(at).bot.sit)(&Seating { selected, seed: (seed as u64) << 1 | at as u64 }));
    let mut journal = Journal::default();
    while !game.to_act(&state).is_empty() {
        let opening = state.turns == 0;
        let mut orders = [None, None];
        for (at, mind) in minds.iter_mut().enumerate() {
            let view = game.view(&state, Seat(at as u8));
            let mut question = String::new();
            if opening {
                BackTrack::write_init(&view, &mut question);
            }
            BackTrack::write_turn(&view, &mut question);
            let began = Instant::now();
            let budget = of_seat(at).thinking.begin(opening);
            let answer = mind
                .answer(&mut Lines::new(&mut question.as_bytes()), budget)
                .map_err(|lost| lost.to_string())?;
            if at == seat && !opening {
                tally.times.push(began.elapsed());
            }
            orders[at] = Some(Order::read(&answer));
        }
        game.step(&mut state, &orders, &mut journal);
    }
    tally.faults += journal.faults.len();
    let scores = state.final_scores(game.rules());
    let (count, share) = match scores[seat].cmp(&scores[1 - seat]) {
        std::cmp::Ordering::Greater => (&mut tally.won, 1.0),
        std::cmp::Ordering::Equal => (&mut tally.drawn, 0.5),
        std::cmp::Ordering::Less => (&mut tally.lost, 0.0),
    };
    *count += 1;
    let [own, other] = [scores[seat], scores[1 - seat]].map(f64::from);
    Ok([share, if own + other > 0.0 { own / (own + other) } else { 0.5 }])
}

/// The mean of shares, one for each seed, with its 95 % interval.
fn interval(shares: &[f64]) -> String {
    let seeds = shares.len().max(1) as f64;
    let mean = shares.iter().sum::<f64>() / seeds;
    let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / (seeds - 1.0).max(1.0);
    let half = 1.96 * (variance / seeds).sqrt();
    format!("{:.1} % ({:.1} to {:.1})", 100.0 * mean, 100.0 * (mean - half), 100.0 * (mean + half))
}

impl Tally {
    fn print(&mut self, first: &str, second: &str) {
        self.times.sort_unstable();
        let at = |share: f64| {
            let place = (self.times.len().saturating_sub(1) as f64 * share) as usize;
            self.times.get(place).map_or(0.0, |time| 1e3 * time.as_secs_f64())
        };
        println!(
            "{first} - {second}: {}, {} won {} drawn {} lost, points {}, {} faults; {:.1} ms in half of the turns, {:.1} ms in 99 of 100, {:.1} ms in 999 of 1,000, {:.1} ms at most",
            interval(&self.results),
            self.won,
            self.drawn,
            self.lost,
            interval(&self.points),
            self.faults,
            at(0.5),
            at(0.99),
            at(0.999),
            at(1.0),
        );
    }
}
