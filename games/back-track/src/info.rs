//! The facts about the game.

use game::{Edition, Info, Lang, League};
use serde_json::{Value, json};

use crate::map::{MAX_TOWNS, Map};
use crate::rules::{AutoplaceStop, MapRules, Objective, Rules};

pub(crate) static INFO: Info = Info {
    name: "back-track",
    title: "Back Track",
    about: "Draw railway lines between towns, score with every track on a connection, and wash the opponent's away.",
    about_fr: "Tracez des lignes de chemin de fer entre les villes, marquez avec chaque voie d'une liaison, et effacez celles de l'adversaire.",
    side_quest: true,
    simultaneous: true,
    hidden: false,
    min_players: 2,
    max_players: 2,
    leagues: &[
        League { name: "Wood 2", about: "Score a first point against a boss that waits." },
        League { name: "Wood 1", about: "Ink a region that holds a track of the boss." },
        League { name: "Bronze and above", about: "The full game." },
    ],
    editions: &[
        Edition {
            name: "statement",
            about: "The statement to the letter: places of interest, side quest, regions inked at 3.",
        },
        Edition { name: "2026", about: "The official referee as published." },
        Edition { name: "2026-poi", about: "The official referee with places of interest." },
    ],
};

pub(crate) fn rules(league: u8, edition: &str) -> Rules {
    let rules = match edition {
        "2026" => Rules::OF_2026,
        "2026-poi" => Rules::OF_2026_POI,
        _ => Rules::STATEMENT,
    };
    rules.in_league(league)
}

pub(crate) fn statement(lang: Lang) -> &'static str {
    match lang {
        Lang::En => include_str!("../statements/en.md"),
        Lang::Fr => include_str!("../statements/fr.md"),
    }
}

/// The rules and derived facts, for the statements.
pub(crate) fn statement_facts(rules: &Rules) -> Value {
    let mut facts = serde_json::to_value(rules).expect("rules are plain data");
    let map: &MapRules = &rules.map;
    let extras = json!({
        "town_count_max": MAX_TOWNS,
        "width_min": Map::width_for(map, usize::from(map.height_min)),
        "width_max": Map::width_for(map, usize::from(map.height_max)),
        "places_min": map.places_min,
        "places_max": map.places_max,
        "objective_score": rules.objective == Some(Objective::Score),
        "objective_ink": rules.objective == Some(Objective::InkOpponent),
        "full_game": rules.objective.is_none(),
        "autoplace_any_skip": rules.autoplace_stop == AutoplaceStop::AnySkip,
    });
    if let (Value::Object(facts), Value::Object(extras)) = (&mut facts, extras) {
        facts.extend(extras);
    }
    facts
}
