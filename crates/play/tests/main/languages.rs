//! Bots in every language play every game, from every seat, without a fault.

use toolchain::{Builtin, Language};

use crate::{bot, builtin, causes, fixture, plan, play};

fn check(extension: &str) {
    for game in ["ocean-of-code", "hypersonic", "back-track"] {
        let file = fixture(&format!("bots/{game}.{extension}"));
        let language = Language::of(file.as_ref()).unwrap();
        if let Some(program) = language.missing() {
            eprintln!("passed over: {} needs `{program}` (package {})", language.name, language.package);
            return;
        }
        let honest = bot(&file);
        for seat in 0..2 {
            let mut bots = [builtin(Builtin::Random), builtin(Builtin::Random)];
            bots[seat] = honest.clone();
            let mut plan = plan(game, 11 + seat as i64, &bots);
            // Whether a program is quick enough on a busy machine is not what is tested here.
            plan.clock = referee::Clock::Bank { bank_ms: 20_000 };
            plan.inspect = true;
            let played = play(&plan);
            assert_eq!(causes(&played)[seat], None, "{file}, seat {seat}");
            assert!(
                played.play.turns_played() >= 5,
                "{file}, seat {seat}: {} turns",
                played.play.turns_played()
            );
            let manners = played.manners[seat].unwrap();
            assert_eq!(manners.unread, 0, "{file} answers before it has read all");
            assert_ne!(manners.ends_with_input, Some(false), "{file} stays after its input ended");
        }
    }
}

#[test]
fn bash() {
    check("sh");
}

#[test]
fn c() {
    check("c");
}

#[test]
fn cpp() {
    check("cpp");
}

#[test]
fn java() {
    check("java");
}

#[test]
fn javascript() {
    check("js");
}

#[test]
fn perl() {
    check("pl");
}

#[test]
fn python() {
    check("py");
}

#[test]
fn rust() {
    check("rs");
}
