//! Turns are numbered by the steps of a replay, in every game and in every fault.

use catalog::AnyMatch;
use catalog::record::{Header, RulesField};
use game::{Dice, Seat};
use serde_json::Value;

/// A random answer that is allowed, or now and then one that is not.
fn answer(play: &dyn AnyMatch, seat: Seat, dice: &mut Dice) -> Option<Vec<u8>> {
    match dice.below(40) {
        0 => None,
        1 => Some(b"nonsense \xff".to_vec()),
        2 => Some(Vec::new()),
        _ => Some(play.random_answer(seat, dice)),
    }
}

#[test]
fn a_fault_names_the_step_at_which_it_appeared() {
    for game in catalog::games() {
        let mut latest = 0;
        for selected in game.info().all() {
            for seed in 0..40 {
                let mut play = game.start(selected, seed);
                let mut dice = Dice::new(seed as u64);
                let mut steps = 0;
                let mut faults = 0;
                while !play.awaited().is_empty() {
                    assert_eq!(play.turn(), steps + 1);
                    for seat in play.awaited() {
                        assert_eq!(play.turn(), steps + 1);
                        let line = answer(&*play, seat, &mut dice);
                        play.answer(seat, line.as_deref()).unwrap();
                    }
                    steps += 1;
                    for fault in &play.faults()[faults..] {
                        assert_eq!(fault.turn, steps, "{selected:?}, seed {seed}: {fault}");
                        latest = latest.max(fault.turn);
                    }
                    faults = play.faults().len();
                }
                assert_eq!(play.turn(), steps, "the last turn stays once the game is over");
            }
        }
        assert!(latest > 5, "{}: no answer of a later turn was wrong", game.info().name);
    }
}

#[test]
fn a_show_and_a_check_number_turns_alike() {
    for game in catalog::games() {
        let selected = game.select(&game::Selection::default()).unwrap();
        let Value::Object(rules) = game.start(selected, 1).rules() else { panic!("rules are no object") };
        let header = Header {
            agon: Some(catalog::record::VERSION),
            game: game.info().name.to_owned(),
            seed: 1,
            league: None,
            rules: Some(RulesField::Full(rules)),
            players: None,
            options: None,
        };
        let mut show = game.show(&header).unwrap();
        let mut dice = Dice::new(1);
        let mut steps = 0;
        while let Some(seat) = show.play().awaited().next().filter(|_| steps < 10) {
            assert_eq!(show.turn(), steps + 1);
            for fault in show.check(seat, b"nonsense") {
                assert_eq!(fault.turn, steps + 1);
            }
            let line = show.play().random_answer(seat, &mut dice);
            steps += u32::from(show.answer(seat, Some(&line)).unwrap());
        }
        assert!(steps > 3, "{}", game.info().name);
    }
}
