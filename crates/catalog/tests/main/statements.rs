//! Statements are complete in both languages.

use game::Lang;

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
