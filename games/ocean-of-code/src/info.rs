//! The facts about the game and its statements.

use game::{Edition, Info, League};
use serde_json::{Value, json};

use crate::Rules;
use crate::order::Power;

/// The facts about the game (rules, section 1).
pub(crate) static INFO: Info = Info {
    name: "ocean-of-code",
    title: "Ocean of Code",
    about: "Two submarines hunt each other without seeing where the other one is.",
    about_fr: "Deux sous-marins se traquent sans savoir où est l'autre.",
    side_quest: false,
    simultaneous: false,
    hidden: true,
    min_players: 2,
    max_players: 2,
    leagues: &[
        League { name: "Wood 2", about: "Move, surface and shoot torpedoes." },
        League { name: "Wood 1", about: "Sonar and silence join in." },
        League { name: "Bronze", about: "Mines and triggers join in." },
        League { name: "Silver and above", about: "The full rules, the same as in Bronze." },
    ],
    editions: &[Edition { name: "standard", about: "The rules as the official referee plays them." }],
};

/// The rules and derived facts, for the statements.
pub(crate) fn statement_facts(rules: &Rules) -> Value {
    let turns_per_player = rules.max_turns / 2;
    let cooldowns = Power::ALL.map(|power| rules.charge(power).map_or("-1".to_owned(), |n| n.to_string()));
    let extras = json!({
        "sonar": rules.sonar_charge.is_some(),
        "silence": rules.silence_charge.is_some(),
        "mines": rules.mine_charge.is_some(),
        "turns_per_player": turns_per_player,
        "answers_per_player": turns_per_player + 1,
        "cooldowns": cooldowns.join(" "),
        "powers": rules.power_names(),
    });
    let mut facts = serde_json::to_value(rules).unwrap_or_default();
    if let (Value::Object(facts), Value::Object(extras)) = (&mut facts, extras) {
        facts.extend(extras);
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_follow_from_the_rules() {
        let facts = statement_facts(&Rules::of_league(2));
        assert_eq!(facts["lives"], 6);
        assert_eq!(facts["sonar"], true);
        assert_eq!(facts["mines"], false);
        assert_eq!(facts["turns_per_player"], 299);
        assert_eq!(facts["answers_per_player"], 300);
        assert_eq!(facts["cooldowns"], "3 4 6 -1");
        assert_eq!(facts["powers"], "TORPEDO, SONAR, SILENCE");
        assert_eq!(statement_facts(&Rules::FULL)["cooldowns"], "3 4 6 3");
        assert_eq!(statement_facts(&Rules::of_league(1))["cooldowns"], "3 -1 -1 -1");
    }
}
