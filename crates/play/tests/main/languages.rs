//! Bots in every language play every game, from every seat, without a fault.

use std::path::Path;

use toolchain::{Builtin, LANGUAGES, Language};

use crate::{bot, builtin, causes, honest, plan, play};

/// Plays one honest bot from both seats.
fn check(game: &str, file: &Path) {
    let file = file.display().to_string();
    let honest = bot(&file);
    for seat in 0..2 {
        let mut bots = [builtin(Builtin::Random), builtin(Builtin::Random)];
        bots[seat] = honest.clone();
        let mut plan = plan(game, 11 + seat as i64, &bots);
        // This test is not about speed, and the machine may be busy.
        plan.clock = referee::Clock::Bank { bank_ms: 20_000 };
        plan.inspect = true;
        let played = play(&plan);
        assert_eq!(causes(&played)[seat], None, "{file}, seat {seat}");
        let turns = played.play.turns_played();
        assert!(turns >= 5, "{file}, seat {seat}: {turns} turns");
        let compliance = played.compliance[seat].unwrap();
        assert_eq!(compliance.unread, 0, "{file} answers before it has read all");
        assert_ne!(compliance.ends_with_input, Some(false), "{file} stays after its input ended");
    }
}

/// Every game with a folder of honest bots, in every language that has one there. A language without an honest bot has a kit, which
/// the tests of the kits play.
#[test]
fn every_language_plays_every_game() {
    for language in LANGUAGES {
        let files: Vec<(&str, _)> = catalog::games()
            .map(|game| game.info().name)
            .filter(|game| testing::game_file(game, "tests/bots").is_dir())
            .map(|game| (game, honest(game, language.extensions[0])))
            .filter(|(_, file)| language.kit.is_none() || file.is_file())
            .collect();
        assert!(language.kit.is_some() || !files.is_empty(), "no bot in {}", language.name);
        if let Some(program) = language.missing()
            && !testing::require(&format!("{program} ({})", language.package), false)
        {
            continue;
        }
        for (game, file) in files {
            check(game, &file);
        }
    }
}

/// Every file in the folders of honest bots has a language: none is left out by its name.
#[test]
fn every_test_bot_has_a_language() {
    let mut files = 0;
    for game in catalog::games() {
        let folder = testing::game_file(game.info().name, "tests/bots");
        for file in std::fs::read_dir(&folder).into_iter().flatten() {
            let file = file.unwrap().path();
            let language = Language::of(&file).unwrap_or_else(|| panic!("{}", file.display()));
            assert_eq!(file, honest(game.info().name, language.extensions[0]));
            files += 1;
        }
    }
    assert!(files > 0);
}
