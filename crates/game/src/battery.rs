//! The checks every game must pass, on every rule set.
//!
//! A game crate calls [`check`] in a test; the fuzz target and the corpus tests call [`fuzz_parser`].

mod allocations;
mod arrays;

use std::fmt::Debug;

pub use allocations::{CountingAllocator, check_allocations};
pub use arrays::check_arrays;

use crate::{Audit, Dice, Game, Journal, Log, Match, Rules, Seat, Seats, Selected, Silent};

/// Plays `games` random games on every rule set and checks the properties of every game.
///
/// # Panics
///
/// On the first property that does not hold, with the rule set, the seed and the turn.
pub fn check<G: Audit>(games: u32) {
    for selected in G::info().all() {
        let rules = G::rule_set(selected);
        assert_eq!(rules.check(), Ok(()), "{selected:?}");
        assert_eq!(rules.players(), selected.players);
        rules_round_trip(&rules);
        for game in 0..games {
            let seed = i64::from(game) * 7919 - 3;
            let context = format!("{selected:?}, seed {seed}");
            let answers = random_game::<G>(&rules, seed, &context);
            replay::<G>(&rules, seed, &answers, &context);
            noise::<G>(&rules, seed, u64::from(game), selected);
        }
    }
}

/// Rules are stored with each match and must be read back unchanged.
fn rules_round_trip<R: Rules>(rules: &R) {
    let text = serde_json::to_string(rules).expect("rules are plain data");
    let back: R = serde_json::from_str(&text).expect("rules read what they wrote");
    assert_eq!(&back, rules, "{text}");
}

type Answers = Vec<(Seat, Vec<u8>)>;

/// Plays random orders to the end: no fault, an end within the limit, incremental values right, secrets kept, and
/// every order written is read as itself. Returns the answers.
fn random_game<G: Audit>(rules: &G::Rules, seed: i64, context: &str) -> Answers {
    let game = G::new(rules.clone(), seed);
    let mut state = game.start();
    let mut dice = Dice::new(seed as u64);
    let mut answers = Vec::new();
    let mut steps = 0;
    while !game.to_act(&state).is_empty() {
        let context = format!("{context}, turn {}", game.turn(&state));
        steps += 1;
        assert!(steps <= game.max_steps(), "{context}: the game does not end");
        assert_eq!(game.rebuilt(&state), state, "{context}: an incremental value is wrong");
        for seat in Seats::first(rules.players()) {
            let disguised = game.disguised(&state, seat, &mut dice);
            assert_eq!(
                sent(&game, &disguised, seat),
                sent(&game, &state, seat),
                "{context}: player {seat} is told what it cannot see"
            );
        }
        let mut orders = vec![None; rules.players() as usize];
        for seat in game.to_act(&state) {
            let order = game.random_order(&state, seat, &mut dice);
            let line = G::print(&order);
            assert_eq!(
                G::parse(&game.view(&state, seat), &line),
                order,
                "{context}: {}",
                crate::quote(&line)
            );
            answers.push((seat, line));
            orders[seat.index()] = Some(order);
        }
        let mut journal = Journal::default();
        let mut silently = state.clone();
        game.step(&mut state, &orders, &mut journal);
        game.step(&mut silently, &orders, &mut Silent);
        assert_eq!(silently, state, "{context}: the log changes the game");
        assert!(journal.faults.is_empty(), "{context}: {}", journal.faults[0]);
    }
    let outcome = game.outcome(&state);
    assert_eq!(outcome.scores.len(), rules.players() as usize);
    assert_eq!(outcome.ranks, crate::ranks(&outcome.scores), "{context}");
    assert!(outcome.disqualified.iter().all(|&out| !out), "{context}: {outcome:?}");
    answers
}

/// All lines that a player is sent in a state.
fn sent<G: Game>(game: &G, state: &G::State, seat: Seat) -> String {
    let view = game.view(state, seat);
    let mut text = String::new();
    G::write_init(&view, &mut text);
    G::write_turn(&view, &mut text);
    text
}

/// The same answers, twice, through the driver: the same questions and the same end.
fn replay<G: Game>(rules: &G::Rules, seed: i64, answers: &Answers, context: &str) {
    let play = || {
        let mut play = Match::<G>::new(rules.clone(), seed);
        let mut questions = String::new();
        for (seat, line) in answers {
            play.question(*seat, &mut questions);
            play.answer(*seat, Some(line)).unwrap_or_else(|error| panic!("{context}: {error}"));
        }
        assert!(play.awaited().is_empty(), "{context}: the replay ends late");
        (questions, serde_json::to_value(play.end()).expect("an end is plain data"), play.outcome())
    };
    assert_eq!(play(), play(), "{context}: the same answers give another match");
}

/// Answers made of damaged orders, silence and noise: no panic, and an end within the limit.
fn noise<G: Audit>(rules: &G::Rules, seed: i64, round: u64, selected: Selected) {
    let mut dice = Dice::new(round ^ 0xA5A5);
    let mut play = Match::<G>::new(rules.clone(), seed);
    let mut steps = 0;
    while let Some(seat) = play.awaited().next() {
        steps += 1;
        assert!(steps <= play.game().max_steps() * u32::from(rules.players()), "{selected:?}, seed {seed}");
        let order = play.game().random_order(play.state(), seat, &mut dice);
        let mut line = G::print(&order);
        if dice.one_in(8) {
            damage(&mut line, &mut dice);
        }
        let answer = (!dice.one_in(200)).then_some(&line[..]);
        play.answer(seat, answer).expect("the seat is awaited");
        let rebuilt = play.game().rebuilt(play.state());
        assert_eq!(&rebuilt, play.state(), "{selected:?}, seed {seed}: after {}", crate::quote(&line));
    }
    play.outcome();
    play.end();
}

/// Changes a line a little, or replaces it.
fn damage(line: &mut Vec<u8>, dice: &mut Dice) {
    const PIECES: [&[u8]; 16] = [
        b"",
        b" ",
        b"  ",
        b"|",
        b";",
        b"-1",
        b"99",
        b"2147483648",
        b"-2147483648",
        b"\t",
        b"MSG a|b",
        b"WAIT",
        "\u{0663}".as_bytes(),
        "\u{00A0}".as_bytes(),
        b"\xff\xfe",
        b"\x00",
    ];
    for _ in 0..=dice.below(3) {
        let at = dice.below(line.len() as u32 + 1) as usize;
        match dice.below(4) {
            0 => line.truncate(at),
            1 => drop(line.splice(at..at, PIECES[dice.below(16) as usize].iter().copied())),
            2 if at < line.len() => line[at] = dice.bits() as u8,
            _ => {
                let again = line[at..].to_vec();
                line.extend(again);
            }
        }
    }
}

/// One round of fuzzing: the first two bytes choose the rule set and how far the game has gone, the rest is the answer.
/// It must be read without a panic, written back as an answer that is read as the same, and played without a panic.
///
/// # Panics
///
/// When the answer breaks one of these.
pub fn fuzz_parser<G: Audit>(data: &[u8]) {
    let [which, turns, line @ ..] = data else { return };
    let sets: Vec<Selected> = G::info().all().collect();
    let game = G::new(G::rule_set(sets[*which as usize % sets.len()]), i64::from(*turns) + 1);
    let mut state = game.start();
    let mut dice = Dice::new(u64::from(*turns));
    for _ in 0..turns % 32 {
        random_step(&game, &mut state, &mut dice, &mut Silent);
    }
    let Some(seat) = game.to_act(&state).next() else { return };
    let view = game.view(&state, seat);
    let order = G::parse(&view, line);
    let printed = G::print(&order);
    assert_same(&G::parse(&view, &printed), &order, line);
    drop(view);
    let faults = game.check(&state, seat, &order);
    for fault in faults {
        assert_eq!(fault.seat, seat);
        assert!(fault.to_string().len() < 2_000, "a fault quotes too much: {fault}");
    }
    let mut orders = vec![None; game.rules().players() as usize];
    orders[seat.index()] = Some(order);
    game.step(&mut state, &orders, &mut Silent);
    assert_same(&game.rebuilt(&state), &state, line);
}

fn assert_same<T: PartialEq + Debug>(got: &T, expected: &T, line: &[u8]) {
    assert_eq!(got, expected, "answer {}", crate::quote(line));
}

/// Plays one turn of random orders.
pub fn random_step<G: Game>(game: &G, state: &mut G::State, dice: &mut Dice, log: &mut impl Log<G::Event>) {
    let mut orders = vec![None; game.rules().players() as usize];
    for seat in game.to_act(state) {
        orders[seat.index()] = Some(game.random_order(state, seat, dice));
    }
    game.step(state, &orders, log);
}

/// Runs [`fuzz_parser`] on every file of a stored corpus and on `mutations` damaged copies of each.
///
/// # Panics
///
/// When the corpus cannot be read or is empty, or an answer breaks the parser.
pub fn fuzz_corpus<G: Audit>(folder: &std::path::Path, mutations: u32) {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("a readable entry").path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no corpus in {}", folder.display());
    let mut dice = Dice::new(files.len() as u64);
    for file in files {
        let data = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        fuzz_parser::<G>(&data);
        for _ in 0..mutations {
            let mut damaged = data.clone();
            damage(&mut damaged, &mut dice);
            fuzz_parser::<G>(&damaged);
        }
    }
}
