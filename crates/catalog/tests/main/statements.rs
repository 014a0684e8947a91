//! Statements: complete, in both languages, with the rules of their league and no others.

use game::{Lang, Selected};

fn statement(game: &str, league: u8, edition: Option<&str>, lang: Lang) -> String {
    let game = catalog::find(game).unwrap();
    let asked = game::Selection { league: Some(league), edition: edition.map(str::to_owned), players: None };
    let selected: Selected = game.select(&asked).unwrap();
    game.statement(selected, lang).unwrap_or_else(|error| panic!("{selected:?} {lang:?}: {error}"))
}

#[test]
fn every_rule_set_has_a_statement_in_both_languages() {
    for game in catalog::games() {
        for selected in game.info().all() {
            let [english, french] = [Lang::En, Lang::Fr].map(|lang| game.statement(selected, lang).unwrap());
            let context = format!("{} {selected:?}", game.info().name);
            for text in [&english, &french] {
                assert!(text.len() > 4000, "{context}: the statement is too short to write a bot from");
                for mark in ["{{", "}}", "<!-- if", "<!-- else", "<!-- end", "\n\n\n"] {
                    assert!(!text.contains(mark), "{context}: `{}` is left over", mark.escape_debug());
                }
                assert!(text.starts_with("# "), "{context}: the title is missing");
                assert!(text.contains("```"), "{context}: there is no example");
            }
            let headings = |text: &str| text.lines().filter(|line| line.starts_with('#')).count();
            assert_eq!(
                headings(&english),
                headings(&french),
                "{context}: the languages have different sections"
            );
            let limits = game.limits(selected);
            for text in [english, french] {
                assert!(text.contains(&format!("{} ms", limits.turn_ms)), "{context}: no time limit");
            }
        }
    }
}

/// Words that belong to later leagues must not stand in earlier ones, and must stand in theirs.
#[test]
fn a_statement_has_just_the_rules_of_its_league() {
    for lang in [Lang::En, Lang::Fr] {
        for (game, word, first) in [
            ("ocean-of-code", "TORPEDO", 1),
            ("ocean-of-code", "SONAR", 2),
            ("ocean-of-code", "SILENCE", 2),
            ("ocean-of-code", "MINE", 3),
            ("ocean-of-code", "TRIGGER", 3),
            ("hypersonic", "BOMB", 1),
            ("hypersonic", "`X`", 3),
        ] {
            for league in 1..=4 {
                let text = statement(game, league, None, lang);
                assert_eq!(text.contains(word), league >= first, "{game} league {league} {lang:?}: {word}");
            }
        }
    }
}

#[test]
fn editions_of_back_track_differ_where_they_should() {
    for (lang, place) in [(Lang::En, "place of interest"), (Lang::Fr, "lieu d'intérêt")] {
        let has = |edition| {
            statement("back-track", 3, Some(edition), lang).replace('’', "'").to_lowercase().contains(place)
        };
        assert!(has("statement") && has("2026-poi") && !has("2026"), "{lang:?}");
    }
}
