//! What holds for every game, for the rules and for the statements.

use std::path::Path;

use back_track::{AutoplaceStop, BackTrack, MapRules, Objective, Rules};
use game::{Dice, Game, Journal, Lang, Painter, Rules as _, Silent, battery};

#[test]
fn the_battery() {
    battery::check::<BackTrack>(12);
}

#[test]
fn the_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("traces/fuzz-corpus");
    battery::fuzz_corpus::<BackTrack>(&folder, 40);
}

#[test]
fn the_rule_sets() {
    let sets: Vec<_> = BackTrack::info().all().collect();
    assert_eq!(sets.len(), 9);
    for selected in sets {
        let rules = BackTrack::rule_set(selected);
        assert_eq!(rules.league, selected.league);
        let (poi, quest, threshold, towns, stop, adjacency) = match selected.edition {
            "statement" => (true, true, 3, true, AutoplaceStop::AnySkip, true),
            "2026" => (false, false, 4, false, AutoplaceStop::LackOfPaint, false),
            "2026-poi" => (true, false, 4, false, AutoplaceStop::LackOfPaint, true),
            other => panic!("{other}"),
        };
        assert_eq!((rules.places_of_interest, rules.side_quest), (poi, quest));
        assert_eq!((rules.ink_threshold, rules.town_regions_disruptable), (threshold, towns));
        assert_eq!((rules.autoplace_stop, rules.fallback_respects_adjacency), (stop, adjacency));
    }
}

/// A number from `least` to `most`, often one of the two.
fn some(dice: &mut Dice, least: u32, most: u32) -> u32 {
    match dice.below(4) {
        0 => least,
        1 => most,
        _ => least + dice.below(most - least + 1),
    }
}

/// Rules that the check accepts, as odd as it allows.
fn odd_rules(dice: &mut Dice) -> Rules {
    let mut byte = |least, most| some(dice, least, most) as u8;
    let (height_min, mountain_growth_min, places_min) = (byte(14, 20), byte(0, 100), byte(0, 100));
    let map = MapRules {
        height_min,
        height_max: byte(u32::from(height_min), 20),
        mountains_min: byte(0, 255),
        mountain_growth_min,
        mountain_growth_max: byte(u32::from(mountain_growth_min), 100),
        river_min: byte(0, 255),
        towns_min: byte(0, 12),
        town_distance: byte(2, 255),
        wishes_min: byte(0, 255),
        wishes_spared: byte(0, 255),
        places_min,
        places_max: byte(u32::from(places_min), 100),
        place_margin: byte(0, 255),
        ..MapRules::OFFICIAL
    };
    let rules = Rules {
        ink_threshold: byte(1, 100),
        paint: byte(0, 100),
        disruption: byte(0, 50),
        plains_cost: byte(1, 100),
        river_cost: byte(1, 100),
        mountain_cost: byte(1, 100),
        place_of_interest_cost: byte(1, 100),
        ..Rules::STATEMENT
    };
    let share = |dice: &mut Dice| some(dice, 0, 100) as f32 / 100.0;
    Rules {
        objective: [None, Some(Objective::Score), Some(Objective::InkOpponent)][dice.below(3) as usize],
        places_of_interest: dice.one_in(2),
        side_quest: dice.one_in(2),
        town_regions_disruptable: dice.one_in(2),
        fallback_respects_adjacency: dice.one_in(2),
        max_turns: some(dice, 1, 60) as u16,
        map: MapRules {
            mountain_share: share(dice),
            river_share: share(dice),
            river_split: share(dice),
            river_ahead: some(dice, 0, 100) as f32,
            river_back: some(dice, 0, 100) as f32,
            cells_per_town: some(dice, 50, 1000) as u16,
            town_retries: some(dice, 0, 300) as u16,
            ..map
        },
        ..rules
    }
}

#[test]
fn every_rule_set_that_is_accepted_can_be_played() {
    let mut dice = Dice::new(2026);
    for seed in 0..400 {
        let rules = odd_rules(&mut dice);
        assert_eq!(rules.check(), Ok(()), "{rules:?}");
        let game = BackTrack::new(rules, seed);
        let mut state = game.start();
        let mut steps = 0;
        while !game.to_act(&state).is_empty() {
            let mut journal = Journal::default();
            battery::random_step(&game, &mut state, &mut dice, &mut journal);
            assert!(journal.faults.is_empty(), "{}", journal.faults[0]);
            assert_eq!(game::Audit::rebuilt(&game, &state), state);
            steps += 1;
            assert!(steps <= game.max_steps());
        }
        let mut text = String::new();
        BackTrack::write_init(&game.view(&state, game::Seat(0)), &mut text);
        BackTrack::write_turn(&game.view(&state, game::Seat(1)), &mut text);
    }
}

#[test]
fn rules_the_engine_is_not_made_for_are_refused() {
    let refused = |change: fn(&mut Rules), name: &str| {
        let mut rules = Rules::STATEMENT;
        change(&mut rules);
        let error = rules.check().expect_err(name);
        assert!(error.to_string().contains(name), "{error}");
    };
    refused(|r| r.map.towns_min = 13, "map.towns_min");
    refused(|r| r.map.cells_per_town = 49, "map.cells_per_town");
    refused(|r| r.map.height_max = 21, "map.height_max");
    refused(|r| r.map.height_min = 13, "map.height_min");
    refused(|r| r.map.aspect = 1.6, "map.aspect");
    refused(|r| r.map.river_share = f32::NAN, "map.river_share");
    refused(|r| r.map.river_ahead = -1.0, "map.river_ahead");
    refused(|r| r.map.places_min = 5, "map.places_max");
    refused(|r| r.map.town_distance = 1, "map.town_distance");
    refused(|r| r.plains_cost = 0, "plains_cost");
    refused(|r| r.disruption = 51, "disruption");
    refused(|r| r.ink_threshold = 0, "ink_threshold");
}

#[test]
fn statements_can_be_made_for_every_rule_set() {
    for selected in BackTrack::info().all() {
        let facts = BackTrack::statement_facts(&BackTrack::rule_set(selected));
        for lang in [Lang::En, Lang::Fr] {
            game::render(BackTrack::statement(lang), &facts)
                .unwrap_or_else(|error| panic!("{selected:?} {lang:?}: {error}"));
        }
    }
    let facts = BackTrack::statement_facts(&Rules::OF_2026.in_league(2));
    assert_eq!(facts["objective_ink"], true);
    assert_eq!(facts["objective_score"], false);
    assert_eq!(facts["full_game"], false);
    assert_eq!(facts["autoplace_any_skip"], false);
    assert_eq!((&facts["width_min"], &facts["width_max"]), (&21.into(), &30.into()));
    assert_eq!((&facts["places_min"], &facts["town_count_max"]), (&2.into(), &12.into()));
}

#[test]
fn random_play_meets_every_rule() {
    let mut dice = Dice::new(1);
    let mut reasons = std::collections::BTreeMap::new();
    let (mut quests, mut connected, mut neutral) = (0, 0, 0);
    for seed in 1..60 {
        let game = BackTrack::new(Rules::STATEMENT, seed);
        let mut state = game.start();
        while !game.to_act(&state).is_empty() {
            battery::random_step(&game, &mut state, &mut dice, &mut Silent);
            connected += state.links.active.count_ones();
            neutral += state.tracks[2].len();
        }
        quests += u32::from(state.side_quest[0]);
        *reasons.entry(game.outcome(&state).reason).or_insert(0) += 1;
    }
    assert!(reasons["max-turns"] > 10 && reasons["no-connection-possible"] > 10, "{reasons:?}");
    assert!(quests > 3 && connected > 1000 && neutral > 100, "{quests} {connected} {neutral}");
}

#[test]
fn the_picture_shows_every_row() {
    let game = BackTrack::new(Rules::STATEMENT, 1);
    let mut painter = Painter::new(false);
    game.draw(&game.start(), &mut painter);
    let picture = painter.finish();
    assert_eq!(picture.lines().count(), 1 + 16 + 1, "a heading, the rows, what the signs mean");
    let rows: Vec<&str> = picture.lines().skip(1).take(16).collect();
    assert!(rows.iter().all(|row| row.chars().count() == 2 * 24));
    assert_eq!(rows.concat().matches('*').count(), 4, "the places of interest");
}

#[test]
fn editions_differ_in_their_statements() {
    for selected in BackTrack::info().all().filter(|selected| selected.league == 3) {
        let facts = BackTrack::statement_facts(&BackTrack::rule_set(selected));
        for (lang, place) in [(Lang::En, "place of interest"), (Lang::Fr, "lieu d'intérêt")] {
            let text = game::render(BackTrack::statement(lang), &facts).unwrap_or_default();
            let has = text.replace('’', "'").to_lowercase().contains(place);
            assert_eq!(has, selected.edition != "2026", "{selected:?} {lang:?}");
        }
    }
}

#[test]
fn actions_are_legal_and_complete() {
    game::battery::check_arrays::<BackTrack>(6);
}
