//! The checks every game must pass.

use std::path::Path;

use game::{Game, Lang, Painter, Rules as _};
use hypersonic::{Hypersonic, Rules};

#[test]
fn battery() {
    game::battery::check::<Hypersonic>(40);
}

#[test]
fn corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("traces/fuzz-corpus");
    game::battery::fuzz_corpus::<Hypersonic>(&folder, 200);
}

#[test]
fn statements_can_be_made_for_every_league() {
    for selected in Hypersonic::info().all() {
        let facts = Hypersonic::statement_facts(&Hypersonic::rule_set(selected));
        for lang in [Lang::En, Lang::Fr] {
            let made = game::render(Hypersonic::statement(lang), &facts);
            assert!(made.is_ok(), "{lang:?}, {selected:?}: {made:?}");
        }
    }
}

/// Words of later leagues must not stand in the statements of earlier ones, and must stand in their own.
#[test]
fn a_statement_has_just_the_rules_of_its_league() {
    for selected in Hypersonic::info().all() {
        let facts = Hypersonic::statement_facts(&Hypersonic::rule_set(selected));
        for lang in [Lang::En, Lang::Fr] {
            let text = game::render(Hypersonic::statement(lang), &facts).unwrap_or_default();
            for (word, first) in [("BOMB", 1), ("`X`", 3)] {
                assert_eq!(text.contains(word), selected.league >= first, "{selected:?} {lang:?}: {word}");
            }
        }
    }
}

#[test]
fn facts_follow_from_the_rules() {
    let facts = |version| Hypersonic::statement_facts(&Rules::of_version(version, 2));
    assert_eq!(facts(4)["boxes_max"], 65);
    assert_eq!(facts(4)["first_range_cells"], 2);
    assert_eq!(facts(4)["fuse"], 8);
    let killing = [1, 2, 3, 4].map(|version| {
        let facts = facts(version);
        (facts["kills"].as_bool(), facts["own_bombs_kill"].as_bool(), facts["blast"].clone())
    });
    let expected = [
        (Some(false), Some(false), "nobody".into()),
        (Some(false), Some(false), "nobody".into()),
        (Some(true), Some(false), "others".into()),
        (Some(true), Some(true), "everybody".into()),
    ];
    assert_eq!(killing, expected);
}

#[test]
fn rules_out_of_range_are_refused() {
    assert_eq!(Rules::FULL.check(), Ok(()));
    for rules in [
        Rules { players: 5, ..Rules::FULL },
        Rules { fuse: 9, ..Rules::FULL },
        Rules { fuse: 0, ..Rules::FULL },
        Rules { boxes_per_item: 0, ..Rules::FULL },
        Rules { range: 1001, ..Rules::FULL },
    ] {
        assert!(rules.check().is_err(), "{rules:?}");
    }
}

#[test]
fn a_board_is_drawn_with_everything_on_it() {
    let game = Hypersonic::new(Rules::of_version(4, 4), 1);
    let mut painter = Painter::new(false);
    game.draw(&game.start(), &mut painter);
    let text = painter.finish();
    for piece in ["P0", "P1", "P2", "P3", "██", "▒r", "▒b", " ."] {
        assert!(text.contains(piece), "no {piece} in\n{text}");
    }
    assert_eq!(text.lines().count(), 11 + 1 + 4, "rows, what the signs mean, players");
}

#[test]
fn actions_are_legal_and_complete() {
    game::battery::check_arrays::<Hypersonic>(6);
}
