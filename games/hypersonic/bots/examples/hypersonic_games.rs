//! Plays bots of Hypersonic against each other, each with nodes of its own, and counts how games are won and lost.
//!
//! ```text
//! cargo run --release -p hypersonic-bots --example hypersonic_games -- champion:4000 champion-1:4000 100 2
//! ```
//!
//! The arguments are two names, such as `gold` or the level `champion:3`, with their nodes per answer (0: by the clock of the rules),
//! seeds (each is played from every seat), the number of players, and the first seed (1 unless given). Among more than two players the
//! first bot meets several of the second. With `one-seat` behind the first seed each seed is played from one seat only, in turn: games of one seed are
//! much alike, so as many games of more seeds say more. It prints the first places of the first bot (a shared one counts in part) with a 95 % interval
//! over the seeds.

// This program prints its figures.
#![allow(clippy::print_stdout)]

use std::process::ExitCode;
use std::time::Duration;

use bots::Seating;
use catalog::AnyGame;
use catalog::built_in::{Contender, play};
use game::{Selected, Selection};

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
    /// By seed: its share of first places.
    firsts: Vec<f64>,
    /// By seed: the share of the other players that it left behind.
    beaten: Vec<f64>,
    won: u32,
    drawn: u32,
    /// Games lost by dying, and games lost by boxes.
    died: u32,
    outscored: u32,
    /// Games won because nobody else lived.
    survived: u32,
    boxes: [i64; 2],
    turns: u32,
    faults: usize,
    slowest: Duration,
}

/// The score of a player that lives to the end begins here.
const SURVIVOR: i64 = 1_000_000;

fn measure(args: &[String]) -> Result<(), String> {
    let [first, second, seeds, players, rest @ ..] = args else {
        return Err("expected: NAME:NODES NAME:NODES SEEDS PLAYERS [FIRST SEED [one-seat]]".to_owned());
    };
    let every_seat = match rest.get(1).map(String::as_str) {
        None => true,
        Some("one-seat") => false,
        Some(other) => return Err(format!("`{other}` is not `one-seat`")),
    };
    let number = |text: &str| text.parse::<i64>().map_err(|_| format!("`{text}` is no number"));
    let seeds = number(seeds)?;
    let from = rest.first().map_or(Ok(1), |text| number(text))?;
    let game = catalog::find("hypersonic").map_err(|error| error.to_string())?;
    let asked = Selection { players: Some(number(players)? as u8), ..Selection::default() };
    let selected = game.select(&asked).map_err(|error| error.to_string())?;
    let player = |text: &str| Contender::of_text(game, &[hypersonic_bots::RESPONSE], text, selected);
    let players = [player(first)?, player(second)?];
    let mut tally = Tally::default();
    for seed in from..from + seeds {
        let mut sums = [0.0; 2];
        let turn = seed.rem_euclid(i64::from(selected.players)) as u8;
        let seats = if every_seat { 0..selected.players } else { turn..turn + 1 };
        let games = seats.len() as f64;
        for seat in seats {
            let result = meet(game, &players, seat, selected, seed, &mut tally)?;
            sums = [0, 1].map(|i| sums[i] + result[i] / games);
        }
        tally.firsts.push(sums[0]);
        tally.beaten.push(sums[1]);
    }
    tally.print(first, second);
    Ok(())
}

/// One game with the first bot on this seat; returns its share of the first place, and of the other players that it beats.
fn meet(
    game: &dyn AnyGame,
    players: &[Contender; 2],
    seat: u8,
    selected: Selected,
    seed: i64,
    tally: &mut Tally,
) -> Result<[f64; 2], String> {
    let seats = 0..selected.players;
    let of_seat = |at: u8| &players[usize::from(at != seat)];
    let mut minds: Vec<_> = seats
        .clone()
        .map(|at| (of_seat(at).bot.sit)(&Seating { selected, seed: (seed as u64) << 2 | u64::from(at) }))
        .collect();
    let thinking: Vec<_> = seats.map(|at| of_seat(at).thinking).collect();
    let played = play(game, selected, seed, &mut minds, &thinking).map_err(|lost| lost.to_string())?;
    let mut scores = played.outcome.scores;
    tally.turns += played.turns;
    tally.faults += played.faults;
    let own = scores.remove(usize::from(seat));
    tally.slowest = tally.slowest.max(played.slowest[usize::from(seat)]);
    let best = scores.iter().copied().max().unwrap_or(0);
    tally.boxes[0] += own % 100;
    tally.boxes[1] += scores.iter().map(|score| score % 100).sum::<i64>() / scores.len().max(1) as i64;
    match own.cmp(&best) {
        std::cmp::Ordering::Greater => {
            tally.won += 1;
            tally.survived += u32::from(best < SURVIVOR);
        }
        std::cmp::Ordering::Equal => tally.drawn += 1,
        std::cmp::Ordering::Less if own < SURVIVOR => tally.died += 1,
        std::cmp::Ordering::Less => tally.outscored += 1,
    }
    let equal = scores.iter().filter(|&&score| score == own).count() as f64;
    let below = scores.iter().filter(|&&score| score < own).count() as f64;
    let first = if own >= best { 1.0 / (1.0 + equal) } else { 0.0 };
    Ok([first, (below + equal / 2.0) / scores.len().max(1) as f64])
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
    fn print(&self, first: &str, second: &str) {
        let games = f64::from(self.won + self.drawn + self.died + self.outscored).max(1.0);
        println!(
            "{first} - {second}: first places {}, others beaten {}; {} won ({} as the only one left), {} drawn, {} lost by dying, {} lost by boxes; {:.1} boxes against {:.1}, {:.0} rounds; {} faults, slowest answer {:.1} ms",
            interval(&self.firsts),
            interval(&self.beaten),
            self.won,
            self.survived,
            self.drawn,
            self.died,
            self.outscored,
            self.boxes[0] as f64 / games,
            self.boxes[1] as f64 / games,
            f64::from(self.turns) / games,
            self.faults,
            1e3 * self.slowest.as_secs_f64(),
        );
    }
}
