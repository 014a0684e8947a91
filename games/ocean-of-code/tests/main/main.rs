//! The checks every game must pass, and the rules case by case.

mod cases;
#[cfg(feature = "ts")]
mod types;

use std::path::Path;

use game::{Game, Lang, battery, render};
use ocean_of_code::OceanOfCode;

#[test]
fn passes_the_battery() {
    battery::check::<OceanOfCode>(300);
}

#[test]
fn answers_of_the_corpus_break_nothing() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("traces/fuzz-corpus");
    battery::fuzz_corpus::<OceanOfCode>(&corpus, 200);
}

#[test]
fn statements_can_be_made_for_every_league() {
    for selected in OceanOfCode::info().all() {
        let facts = OceanOfCode::statement_facts(&OceanOfCode::rule_set(selected));
        for lang in [Lang::En, Lang::Fr] {
            let text = render(OceanOfCode::statement(lang), &facts);
            assert!(text.is_ok_and(|text| !text.is_empty()), "{selected:?} {lang:?}");
        }
    }
}

/// Words of later leagues must not stand in the statements of earlier ones, and must stand in their own.
#[test]
fn a_statement_has_just_the_rules_of_its_league() {
    let words = [("TORPEDO", 1), ("SONAR", 2), ("SILENCE", 2), ("MINE", 3), ("TRIGGER", 3)];
    for selected in OceanOfCode::info().all() {
        let facts = OceanOfCode::statement_facts(&OceanOfCode::rule_set(selected));
        for lang in [Lang::En, Lang::Fr] {
            let text = render(OceanOfCode::statement(lang), &facts).unwrap_or_default();
            for (word, first) in words {
                assert_eq!(text.contains(word), selected.league >= first, "{selected:?} {lang:?}: {word}");
            }
        }
    }
}

#[test]
fn actions_are_legal_and_complete() {
    game::battery::check_arrays::<OceanOfCode>(6);
}
