//! Measures how two bots of Ocean of Code play against each other: their actions, their hits, and the time of their answers.
//!
//! ```text
//! cargo run --release -p ocean-of-code-bots --example ocean_of_code_games -- champion legend 50 20000
//! ```
//!
//! The arguments are two names, the number of seeds (each is played from both seats), nodes per answer (0: by the clock; `1000,20000` for
//! different ones) and the first seed (1 if it is not given). The answers of `boss-4` are little more than the two updates of its trackers, so their times tell how long those take.

// This program prints its table.
#![allow(clippy::print_stdout)]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use bots::{BuiltIn, Lines, Mind, Seating, Thinking};
use game::{Game, Match, Rules as _, Seat, Selected, Selection};
use ocean_of_code::{Event, OceanOfCode};
use ocean_of_code_bots::RESPONSE;

fn main() -> ExitCode {
    match measure(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// The counts of one bot over all its games.
#[derive(Default)]
struct Tally {
    games: u32,
    won: f64,
    turns: u32,
    shots: u32,
    shot_damage: u32,
    triggers: u32,
    trigger_damage: u32,
    mines: u32,
    silences: u32,
    sonars: u32,
    surfaces: u32,
    own_goals: u32,
    times: Vec<Duration>,
}

fn measure(args: &[String]) -> Result<(), String> {
    let [first, second, seeds, nodes, from @ ..] = args else {
        return Err("expected: NAME NAME SEEDS NODES [SEED]".to_owned());
    };
    let ocean = catalog::find("ocean-of-code").map_err(|error| error.to_string())?;
    let response = |name: &str| Some(&RESPONSE).filter(|response| response.name == name);
    let bot = |name: &str| {
        ocean.bot(name).or_else(|| response(name)).ok_or_else(|| format!("there is no bot `{name}`"))
    };
    let bots = [bot(first)?, bot(second)?];
    let seeds: i64 = seeds.parse().map_err(|_| format!("`{seeds}` is no number of seeds"))?;
    let from =
        from.first().map_or(Ok(1), |from| from.parse::<i64>().map_err(|_| format!("`{from}` is no seed")))?;
    let (one, other) = nodes.split_once(',').unwrap_or((nodes, nodes));
    let count = |nodes: &str| nodes.parse().map_err(|_| format!("`{nodes}` is no number of nodes"));
    let nodes: [u64; 2] = [count(one)?, count(other)?];
    let selected = OceanOfCode::info().select(&Selection::default()).map_err(|error| error.to_string())?;
    let mut tallies = [Tally::default(), Tally::default()];
    for seed in from..from + seeds {
        for turned in [false, true] {
            game(bots, turned, seed, nodes, selected, &mut tallies)?;
        }
    }
    for (bot, tally) in bots.iter().zip(&mut tallies) {
        print(bot, tally);
    }
    Ok(())
}

fn game(
    bots: [&BuiltIn; 2],
    turned: bool,
    seed: i64,
    nodes: [u64; 2],
    selected: Selected,
    tallies: &mut [Tally; 2],
) -> Result<(), String> {
    let rules = OceanOfCode::rule_set(selected);
    let thinking = nodes.map(|nodes| match nodes {
        0 => Thinking::within(rules.limits()),
        _ => Thinking::Nodes(nodes),
    });
    let bot_of = |seat: Seat| usize::from((seat.0 == 1) != turned);
    let mut minds: Vec<Box<dyn Mind>> = [Seat(0), Seat(1)]
        .map(|seat| {
            (bots[bot_of(seat)].sit)(&Seating { selected, seed: seed as u64 * 2 + u64::from(seat.0) })
        })
        .into();
    let mut play = Match::<OceanOfCode>::new(rules, seed);
    let mut first = [true; 2];
    let mut question = String::new();
    let (mut source, mut seen) = (None, 0);
    while let Some(seat) = play.awaited().into_iter().next() {
        question.clear();
        play.question(seat, &mut question);
        let begun = Instant::now();
        let opening = std::mem::take(&mut first[seat.index()]);
        let budget = thinking[bot_of(seat)].begin(opening);
        let answer = minds[seat.index()]
            .answer(&mut Lines::new(&mut question.as_bytes()), budget)
            .map_err(|lost| lost.to_string())?;
        let tally = &mut tallies[bot_of(seat)];
        if !opening {
            tally.times.push(begun.elapsed());
            tally.turns += 1;
        }
        play.answer(seat, Some(&answer)).map_err(|error| error.to_string())?;
        for event in &play.events()[seen..] {
            count(event, seat, tally, &mut source);
        }
        seen = play.events().len();
    }
    let outcome = play.outcome();
    for seat in [Seat(0), Seat(1)] {
        let (own, other) = (outcome.ranks[seat.index()], outcome.ranks[1 - seat.index()]);
        let tally = &mut tallies[bot_of(seat)];
        tally.games += 1;
        tally.won += if own < other { 1.0 } else { f64::from(u8::from(own == other)) / 2.0 };
    }
    Ok(())
}

fn count(event: &Event, seat: Seat, tally: &mut Tally, torpedo: &mut Option<bool>) {
    match event {
        Event::Torpedo { .. } => {
            tally.shots += 1;
            *torpedo = Some(true);
        }
        Event::Trigger { .. } => {
            tally.triggers += 1;
            *torpedo = Some(false);
        }
        Event::Explosion { damage, .. } => {
            let (own, other) = (damage[seat.index()], damage[1 - seat.index()]);
            tally.own_goals += u32::from(own);
            match torpedo {
                Some(true) => tally.shot_damage += u32::from(other),
                _ => tally.trigger_damage += u32::from(other),
            }
        }
        Event::Mine { .. } => tally.mines += 1,
        Event::Silence { .. } => tally.silences += 1,
        Event::Sonar { .. } => tally.sonars += 1,
        Event::Surfaced { .. } => tally.surfaces += 1,
        _ => {}
    }
}

fn print(bot: &BuiltIn, tally: &mut Tally) {
    let games = f64::from(tally.games.max(1));
    let each = |count: u32| f64::from(count) / games;
    tally.times.sort_unstable();
    let percentile = |share: f64| {
        tally.times.get((tally.times.len() as f64 * share) as usize).copied().unwrap_or_default()
    };
    println!("{}: {:.1} % of {} games", bot.name, 100.0 * tally.won / games, tally.games);
    println!("  a game: {:.1} turns", each(tally.turns));
    println!("  {:.2} torpedoes for {:.2} lives", each(tally.shots), each(tally.shot_damage));
    println!("  {:.2} triggers for {:.2} lives", each(tally.triggers), each(tally.trigger_damage));
    println!(
        "  {:.2} mines, {:.2} silences, {:.2} sonars",
        each(tally.mines),
        each(tally.silences),
        each(tally.sonars)
    );
    println!(
        "  {:.2} surfacings, {:.2} lives by its own explosions",
        each(tally.surfaces),
        each(tally.own_goals)
    );
    println!(
        "  answers: median {:?}, 99 % {:?}, 99.9 % {:?}, slowest {:?}",
        percentile(0.5),
        percentile(0.99),
        percentile(0.999),
        percentile(0.999_999)
    );
}
