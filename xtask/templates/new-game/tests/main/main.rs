//! The checks that every game must pass, and the rules of __title__ case by case.

#[cfg(feature = "ts")]
mod types;

use std::path::Path;

use __ident__::{__Name__, Cells, End, Event, Rules, State};
use game::{Game, Journal, Lang, Painter, Rules as _, Seat, battery};

#[test]
fn passes_the_battery() {
    battery::check::<__Name__>(100);
}

#[test]
fn arrays_and_actions_are_those_of_the_game() {
    battery::check_arrays::<__Name__>(20);
}

#[test]
fn answers_of_the_corpus_break_nothing() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("traces/fuzz-corpus");
    battery::fuzz_corpus::<__Name__>(&corpus, 200);
}

#[test]
fn statements_can_be_made_for_every_league() {
    for selected in __Name__::info().all() {
        let facts = __Name__::statement_facts(&__Name__::rule_set(selected));
        for lang in [Lang::En, Lang::Fr] {
            let text = game::render(__Name__::statement(lang), &facts);
            let text = text.unwrap_or_else(|error| panic!("{selected:?} {lang:?}: {error}"));
            assert!(text.starts_with("# __title__"), "{selected:?} {lang:?}");
            assert!(text.len() > 4000, "{selected:?} {lang:?}: too short to write a bot from");
        }
    }
}

#[test]
fn rules_out_of_range_are_refused() {
    assert!(Rules::FULL.check().is_ok());
    for rules in [
        Rules { size: 9, ..Rules::FULL },
        Rules { size: 1, ..Rules::FULL },
        Rules { coin_pairs: 32, ..Rules::FULL },
        Rules { turns: 0, ..Rules::FULL },
    ] {
        assert!(rules.check().is_err(), "{rules:?}");
    }
}

#[test]
fn the_coins_of_a_map_are_symmetric() {
    for (seed, size) in (0..50).zip([2, 3, 7, 8].into_iter().cycle()) {
        let rules = Rules { size, coin_pairs: if size > 2 { 3 } else { 1 }, ..Rules::FULL };
        let game = __Name__::new(rules, seed);
        let coins = game.map.coins;
        assert_eq!(coins.len(), 2 * u32::from(game.rules.coin_pairs));
        for [x, y] in coins.iter() {
            assert!(coins.contains([size - 1 - x, size - 1 - y]), "seed {seed}");
        }
        assert!(!coins.contains([0, 0]), "nobody starts on a coin");
    }
}

/// A match with coins on the given cells.
struct Table {
    game: __Name__,
    state: State,
    journal: Journal<Event>,
}

impl Table {
    fn with_coins(coins: &[[u8; 2]]) -> Table {
        let game = __Name__::new(Rules::FULL, 1);
        let mut state = game.start();
        state.coins = Cells::default();
        for &coin in coins {
            state.coins.add(coin);
        }
        Table { game, state, journal: Journal::default() }
    }

    /// Plays a turn.
    fn play(&mut self, answers: [Option<&str>; 2]) {
        let orders = answers.map(|answer| answer.map(|line| __ident__::parse(line.as_bytes())));
        self.game.step(&mut self.state, &orders, &mut self.journal);
    }

    fn end(&self) -> End {
        self.game.end(&self.state, &self.journal.faults)
    }

    fn question(&self, seat: u8) -> String {
        let view = self.game.view(&self.state, Seat(seat));
        let mut text = String::new();
        __Name__::write_init(&view, &mut text);
        __Name__::write_turn(&view, &mut text);
        text
    }
}

#[test]
fn a_player_is_told_its_own_cell_first() {
    let table = Table::with_coins(&[[3, 1], [2, 5]]);
    assert_eq!(table.question(0), "8 8 0\n0 0\n7 7\n2\n3 1\n2 5\n");
    assert_eq!(table.question(1), "8 8 1\n7 7\n0 0\n2\n3 1\n2 5\n");
}

#[test]
fn players_move_and_collect() {
    let mut table = Table::with_coins(&[[1, 0], [7, 6], [4, 4]]);
    table.play([Some("RIGHT hello"), Some("UP")]);
    assert_eq!(table.state.players, [[1, 0], [7, 6]]);
    assert_eq!(table.state.collected, [1, 1]);
    let text = "hello".to_owned();
    let expected = [
        Event::Moved { seat: Seat(0), to: [1, 0] },
        Event::Message { seat: Seat(0), text },
        Event::Moved { seat: Seat(1), to: [7, 6] },
        Event::Collected { seat: Seat(0), at: [1, 0] },
        Event::Collected { seat: Seat(1), at: [7, 6] },
    ];
    assert_eq!(table.journal.events, expected);
    assert!(table.journal.faults.is_empty());
}

#[test]
fn nobody_collects_a_coin_that_two_players_reach() {
    let mut table = Table::with_coins(&[[3, 3], [4, 4]]);
    table.state.players = [[2, 3], [4, 3]];
    table.play([Some("RIGHT"), Some("LEFT")]);
    assert_eq!(table.state.collected, [0, 0]);
    assert!(!table.state.coins.contains([3, 3]), "the coin is lost");
    table.play([Some("DOWN"), Some("STAY")]);
    table.play([Some("RIGHT"), Some("STAY")]);
    let end = table.end();
    assert_eq!((end.scores, end.reason.as_str(), end.turn_count), (vec![1, 0], "no-coins", 3));
}

#[test]
fn a_step_off_the_grid_is_skipped() {
    let mut table = Table::with_coins(&[[3, 3]]);
    table.play([Some("UP"), Some("STAY")]);
    assert_eq!(table.state.players[0], [0, 0]);
    let fault = &table.journal.faults[0];
    assert_eq!((fault.seat, fault.fatal, &*fault.code), (Seat(0), false, "off-grid"));
}

#[test]
fn a_missing_or_unreadable_answer_loses() {
    for answer in [None, Some("up"), Some(""), Some("JUMP"), Some("UPWARDS")] {
        let mut table = Table::with_coins(&[[3, 3]]);
        table.play([answer, Some("STAY")]);
        let end = table.end();
        assert_eq!((end.scores, end.reason.as_str()), (vec![-1, 0], "disqualified"), "{answer:?}");
        assert!(table.game.to_act(&table.state).is_empty());
        assert!(table.journal.faults[0].fatal);
    }
}

#[test]
fn the_last_turn_ends_the_match() {
    let mut table = Table::with_coins(&[[3, 3]]);
    for _ in 0..40 {
        assert_eq!(table.game.to_act(&table.state).len(), 2);
        table.play([Some("STAY"), Some("STAY")]);
    }
    assert!(table.game.to_act(&table.state).is_empty());
    assert_eq!(table.end().reason, "turn-limit");
}

#[test]
fn a_board_is_drawn_with_everything_on_it() {
    let table = Table::with_coins(&[[3, 3]]);
    let mut painter = Painter::new(false);
    table.game.draw(&table.state, &mut painter);
    let text = painter.finish();
    for piece in ["P0", "P1", "()", " ."] {
        assert!(text.contains(piece), "no {piece} in\n{text}");
    }
}
