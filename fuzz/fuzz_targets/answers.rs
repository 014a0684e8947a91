//! Any bytes as an answer in the game that `AGON_FUZZ_GAME` names: read without a panic, written back the same, played without
//! a panic.
#![no_main]

use std::sync::LazyLock;

use catalog::AnyGame;

static GAME: LazyLock<&dyn AnyGame> = LazyLock::new(|| {
    let name = std::env::var("AGON_FUZZ_GAME").expect("AGON_FUZZ_GAME names a game");
    catalog::find(&name).unwrap_or_else(|error| panic!("AGON_FUZZ_GAME: {error}"))
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| GAME.fuzz_parser(data));
