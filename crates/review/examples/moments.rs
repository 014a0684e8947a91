//! Counts the decisive turns, better answers and blunders that `agon analyse` finds in matches of built-in bots, and the time of
//! the processor for each match: `cargo run --release -p review --example moments -- GAME [MATCHES]`.

// An example prints, and may assume.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::sync::atomic::AtomicU64;

use bots::{BuiltIn, Lines, Seating, Thinking};
use catalog::record::{Header, Played, RulesField, Turn};
use game::{Selected, Selection};
use review::{Recording, analyse};
use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;

/// The time of the processor that this program has used, in seconds.
fn used() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// A match of two bots of the ladder under the rules of the highest league.
fn played(name: &str, number: u64) -> Played {
    let game = catalog::find(name).unwrap();
    let selected: Selected = game.select(&Selection::default()).unwrap();
    let ladder: Vec<&BuiltIn> = game.ladder().iter().collect();
    let sit = |seat: u64| {
        let bot = ladder[(number + seat) as usize % ladder.len()];
        (bot.sit)(&Seating { selected, seed: number ^ seat })
    };
    let mut minds: Vec<_> = (0..u64::from(selected.players)).map(sit).collect();
    let seed = number as i64 * 17 + 3;
    let mut play = game.start(selected, seed);
    let rules = play.rules().as_object().unwrap().clone();
    let mut first = vec![true; minds.len()];
    let mut turns = Vec::new();
    while !play.awaited().is_empty() {
        let mut answers = Vec::new();
        for seat in play.awaited() {
            let mut question = String::new();
            play.question(seat, &mut question);
            let budget = Thinking::Nodes(50).begin(std::mem::take(&mut first[seat.index()]));
            let answer = minds[seat.index()].answer(&mut Lines::new(&mut question.as_bytes()), budget);
            answers.push((seat, answer.unwrap()));
        }
        for (seat, answer) in answers {
            play.answer(seat, Some(&answer)).unwrap();
            turns.push(Turn::new(seat.0, Some(answer)));
        }
    }
    let header = Header {
        agon: Some(catalog::record::VERSION),
        game: name.to_owned(),
        seed,
        league: None,
        rules: Some(RulesField::Full(rules)),
        players: None,
        options: None,
    };
    let Value::Object(end) = play.end() else { panic!("an end is an object") };
    Played::new(header, turns, end)
}

fn main() {
    let mut words = std::env::args().skip(1);
    let game = words.next().unwrap();
    let matches: u64 = words.next().map_or(20, |count| count.parse().unwrap());
    let (mut moments, mut better, mut blunders, mut most) = (0, 0, 0, 0.0_f64);
    let mut all = 0.0;
    for number in 0..matches {
        let recording = Recording::of(played(&game, number)).unwrap();
        let begun = used();
        let analysis = analyse(&recording, 1, 1, &AtomicU64::new(0)).unwrap();
        let took = used() - begun;
        (all, most) = (all + took, most.max(took));
        moments += analysis.moments.len();
        better += analysis.moments.iter().filter(|moment| moment.better.is_some()).count();
        blunders += analysis.moments.iter().filter(|moment| moment.blunder).count();
    }
    println!(
        "{game}: {matches} matches, {moments} decisive turns, {better} better answers, {blunders} blunders; {:.2} s a match, {most:.2} s at the most",
        all / matches as f64
    );
}
