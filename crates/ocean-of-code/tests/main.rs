//! The checks every game must pass, and the rules case by case.

mod cases;

use std::path::Path;

use game::battery;
use ocean_of_code::OceanOfCode;

#[test]
fn passes_the_battery() {
    battery::check::<OceanOfCode>(300);
}

#[test]
fn answers_of_the_corpus_break_nothing() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz-corpus");
    battery::fuzz_corpus::<OceanOfCode>(&corpus, 200);
}
