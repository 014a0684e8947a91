//! The record of a match between programs: complete, small, and it verifies.

use std::io::Write as _;

use catalog::record::{Entry, read};
use catalog::verify;
use flate2::Compression;
use flate2::write::GzEncoder;
use play::to_record;
use sandbox::Limits;
use toolchain::Builtin;

use crate::{bot, builtin, causes, plan, play};

#[test]
fn a_record_holds_the_match_and_verifies() {
    let noisy = bot(
        r"/bin/sh -c 'echo [TDATA] depth = 3 >&2; printf \\377 >&2; read l; echo 7 7; while read l; do read l; read l; echo SURFACE; done'",
    );
    let bots = [noisy, builtin(Builtin::Random)];
    let plan = plan("ocean-of-code", 1, &bots);
    let played = play(&plan);
    let record = to_record(&plan, &played);
    let text = serde_json::to_vec(&record).unwrap();
    assert_eq!(verify::line(&text).unwrap().mismatches, []);
    let Ok(Entry::Played(back)) = read(&text) else { panic!("not read") };
    assert_eq!(serde_json::to_vec(&back).unwrap(), text, "what is read is what was written");
    let players = back.bots.as_ref().unwrap();
    assert_eq!(players[0].name, "sh");
    assert_eq!(players[0].digest.as_ref().map(String::len), Some(64));
    assert_eq!(players[1].digest, None);
    assert!(players[0].memory.is_some_and(|bytes| bytes > 1000), "{:?}", players[0].memory);
    assert!(back.turns.iter().all(|turn| turn.wall_us.is_some()));
    let outcome = back.outcome.as_ref().unwrap();
    assert_eq!(outcome["causes"].as_array().unwrap().len(), 2);
    let settings = back.settings.expect("a record says what was allowed");
    assert_eq!(settings["box"]["limits"]["memory"], Limits::BOT.memory);
    assert!(settings["box"]["level"].is_string() && back.host.is_some());
}

#[test]
fn a_failure_is_in_the_record() {
    let bots = [bot("/bin/sh -c 'echo gone >&2; exit 9'"), builtin(Builtin::Random)];
    let plan = plan("ocean-of-code", 1, &bots);
    let played = play(&plan);
    assert!(causes(&played)[0].is_some());
    let record = to_record(&plan, &played);
    let outcome = record.outcome.clone().unwrap();
    assert_eq!(outcome["causes"], serde_json::json!(["crash", null]));
    assert_eq!(outcome["details"][0]["exit"]["code"], 9);
    assert_eq!(outcome["details"][0]["stderr"], "gone\n");
    assert_eq!(verify::line(&serde_json::to_vec(&record).unwrap()).unwrap().mismatches, []);
}

/// A thousand records of Hypersonic fit in 20 MiB compressed: fifty must fit in one.
#[test]
fn records_are_small() {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    for seed in 0..50 {
        let bots = [
            builtin(Builtin::Wait),
            builtin(Builtin::Random),
            builtin(Builtin::Random),
            builtin(Builtin::Wait),
        ];
        let plan = plan("hypersonic", seed, &bots);
        let played = play(&plan);
        serde_json::to_writer(&mut packed, &to_record(&plan, &played)).unwrap();
        packed.write_all(b"\n").unwrap();
    }
    let size = packed.finish().unwrap().len();
    assert!(size < 1 << 20, "{size} bytes");
}
