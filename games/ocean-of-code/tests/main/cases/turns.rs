//! Placement, the lines of a turn, splitting, duplicates and the scan (rules, sections 4, 6, 7 and 9).

use game::FaultKind;

use super::*;

#[test]
fn players_are_told_the_map_and_their_id() {
    let mut rows = SEA;
    rows[1] = "..xx...........";
    let table = Table::new(Rules::FULL, &rows);
    for seat in 0..2 {
        let view = table.game.view(&table.state, Seat(seat));
        let mut text = String::new();
        OceanOfCode::write_init(&view, &mut text);
        assert_eq!(text, format!("15 15 {seat}\n{}\n", rows.join("\n")));
        text.clear();
        OceanOfCode::write_turn(&view, &mut text);
        assert_eq!(text, "");
    }
}

#[test]
fn player_1_is_asked_even_when_player_0_is_out() {
    let mut rows = SEA;
    rows[3] = "...xx..........";
    let mut table = Table::new(Rules::FULL, &rows);
    table.play(&["3  3"]);
    assert_eq!(table.to_act(), Seat(1));
    table.play(&["3 3"]);
    let end = table.end();
    assert_eq!((end.scores, end.lives, end.winner), ([-1, -1], [-1, -1], None));
    assert_eq!((end.disqualified, end.frames, end.turn_count), ([true, true], 1, 0));
    assert_eq!(end.reason, "Cannot read initial coordinates. Expected format: 'X Y' / Invalid coordinates!");
    assert_eq!(table.codes(), ["placement-format", "placement-cell"]);
}

#[test]
fn one_bad_placement_gives_the_other_all_its_lives() {
    for (answers, winner, reason) in [
        ([Some("15 0"), Some("3 3")], 1, "Invalid coordinates!"),
        ([Some("3 3"), None], 0, "Timeout!"),
        ([Some("0 0"), Some("")], 0, "Cannot read initial coordinates. Expected format: 'X Y'"),
    ] {
        let mut table = Table::new(Rules::FULL, &SEA);
        for answer in answers {
            table.answer(answer);
        }
        let end = table.end();
        assert_eq!((end.winner, &*end.reason), (Some(winner), reason));
        assert_eq!(end.scores[usize::from(winner)], 6);
        assert_eq!(end.scores[usize::from(1 - winner)], -1);
    }
}

#[test]
fn the_end_is_written_as_traces_have_it() {
    let mut table = Table::placed("03 3", "3 03");
    table.answer(None);
    assert_eq!(
        serde_json::to_string(&table.end()).unwrap(),
        r#"{"scores":[-1,6],"winner":1,"lives":[-1,6],"reason":"Timeout!","turn_count":1,"disqualified":[true,false],"frames":2}"#
    );
    assert_eq!(table.last_fault().kind, FaultKind::Missing);
    assert_eq!(table.last_fault().turn, 1);
}

#[test]
fn cooldowns_depend_on_the_league() {
    for (league, line) in [(1, "3 -1 -1 -1"), (2, "3 4 6 -1"), (3, "3 4 6 3"), (4, "3 4 6 3")] {
        let mut table = Table::on(Rules::of_league(league), &SEA, "5 6", "7 8");
        assert_eq!(table.told(), format!("5 6 6 6 {line}\nNA\nNA\n"));
        table.play(&["MOVE N TORPEDO", "SURFACE"]);
        assert_eq!(table.told(), format!("5 5 6 5 2{}\nNA\nSURFACE 5\n", &line[1..]));
    }
}

#[test]
fn executed_actions_are_shown_in_plain_form() {
    let mut table = Table::placed("5 5", "12 12").charged();
    table.play(&["MSG a|TORPEDO +06 \u{0667}| SONAR 04 |MSG b|SILENCE N 2|MOVE N MINE|TORPEDX"]);
    assert_eq!(table.end().reason, "Unknown command: TORPEDX");

    let mut table = Table::placed("5 5", "12 12").charged();
    table.play(&["TORPEDO +06 \u{0667}| SONAR 04 |SILENCE N 2|MINE W|MOVE N MINE|SURFACE 5 6"]);
    assert_eq!(table.told(), "12 12 6 5 0 0 0 0\nNA\nTORPEDO 6 7|SONAR 4|SILENCE|MINE|MOVE N|SURFACE 2\n");
    table.play(&["SURFACE"]);
    assert_eq!(table.told(), "5 2 5 5 3 4 6 2\nN\nSURFACE 9\n");
    table.play(&["TRIGGER 4 3", "SURFACE"]);
    assert_eq!(table.told(), "5 2 4 4 3 4 6 2\nNA\nSURFACE 9\n");
    assert_eq!(table.codes(), [""; 0]);
}

#[test]
fn dropped_actions_are_not_shown() {
    let mut table = Table::placed("5 5", "12 12");
    table.play(&["TORPEDO 5 5|MOVE E TORPEDO|TRIGGER 5 5"]);
    assert_eq!(table.told(), "12 12 6 6 3 4 6 3\nNA\nMOVE E\n");
    assert_eq!(table.codes(), ["uncharged", "no-mine"]);
    assert!(table.journal.faults.iter().all(|fault| !fault.fatal && fault.kind == FaultKind::NotAllowed));
    assert_eq!(table.journal.faults[0].came, "`TORPEDO 5 5`");
    assert_eq!(table.journal.faults[1].came, "`TRIGGER 5 5`");
}

#[test]
fn a_turn_without_an_executable_action_surfaces() {
    for line in ["", " ", "\t|", "|||", "MSG", "MSG hi|MSG", "TORPEDO", "TORPEDO a b c|MINE", "TRIGGER 3 3"] {
        let mut table = Table::placed("5 5", "12 12");
        table.play(&["MOVE N", "MOVE N"]);
        table.play(&[line]);
        assert_eq!(table.told(), "12 11 6 5 3 4 6 3\nNA\nSURFACE 2\n", "{line:?}");
        assert_eq!(table.state.frames, 5, "{line:?}");
        assert_eq!(table.state.submarines[0].visited.len(), 1);
        assert!(!table.codes().is_empty(), "{line:?}");
    }
}

#[test]
fn the_forced_surface_is_only_for_the_first_scan() {
    let mut table = Table::placed("5 5", "12 12");
    table.play(&["MOVE N|TORPEDO|SONAR|MSG"]);
    table.assert_lives([6, 6]);
    assert_eq!(table.state.frames, 3);
}

#[test]
fn a_repeated_command_is_fatal_before_anything_runs() {
    for line in
        ["SURFACE|MOVE N|MOVE S", "SURFACE|TORPEDO|TORPEDO", "SURFACE|foo 1|foo 2", "SURFACE|SURFACE 1"]
    {
        let mut table = Table::placed("5 5", "12 12");
        table.play(&[line]);
        let end = table.end();
        assert_eq!((&*end.reason, end.scores), ("Two equal commands executed.", [-1, 6]), "{line}");
        assert!(!table.journal.events.iter().any(|event| matches!(event, Event::Surfaced { .. })), "{line}");
    }
}

#[test]
fn an_unknown_command_is_fatal_once_reached() {
    // Behind an executable action it is fatal, but the action took effect.
    let mut table = Table::placed("5 5", "12 12");
    table.play(&["SURFACE|MSG|garbage in"]);
    let end = table.end();
    assert_eq!((&*end.reason, end.scores, end.frames), ("Unknown command: garbage in", [-1, 6], 2));
    assert!(table.journal.events.iter().any(|event| matches!(event, Event::Surfaced { .. })));
    // In front of it nothing runs.
    let mut table = Table::placed("5 5", "12 12");
    table.play(&["garbage|SURFACE"]);
    assert!(!table.journal.events.iter().any(|event| matches!(event, Event::Surfaced { .. })));
    assert_eq!(table.end().reason, "Unknown command: garbage");
    assert_eq!(table.last_fault().came, "`garbage`");
}

#[test]
fn commands_of_higher_leagues_are_unknown() {
    for (league, line) in
        [(1, "SONAR 4"), (1, "SILENCE N 1"), (1, "MINE N"), (1, "TRIGGER 3 3"), (2, "MINE"), (2, "TRIGGER")]
    {
        let mut table = Table::on(Rules::of_league(league), &SEA, "5 5", "7 7");
        table.play(&[line]);
        assert_eq!(table.end().reason, format!("Unknown command: {line}"));
    }
    for (league, power) in [(1, "SONAR"), (1, "SILENCE"), (1, "MINE"), (2, "MINE")] {
        let mut table = Table::on(Rules::of_league(league), &SEA, "5 5", "7 7");
        table.play(&[&format!("MOVE N {power}")]);
        assert_eq!(table.end().reason, format!("Invalid power to charge: {power}"));
    }
}

#[test]
fn a_malformed_power_is_fatal_only_when_charged() {
    let mut table = Table::placed("5 5", "12 12");
    table.play(&["MOVE N TORPEDO|TORPEDO", "SURFACE", "MOVE N TORPEDO|TORPEDO x", "SURFACE"]);
    assert_eq!(table.codes(), ["uncharged", "uncharged"]);
    // The move completes the charge: usable later in the line, not earlier.
    table.play(&["TORPEDO 5 5|MOVE N TORPEDO", "SURFACE"]);
    table.assert_lives([6, 3]);
    let before = table.state;
    table.play(&["TORPEDO 3 x"]);
    assert_eq!(table.end().reason, "Invalid params to Torpedo. Should be TORPEDO x y");

    table.state = before;
    table.state.submarines[0].charges[0] = 2;
    table.play(&["MOVE N TORPEDO|TORPEDO 1 2 3"]);
    assert_eq!(table.last_fault().code, "torpedo-args");
    assert_eq!(table.last_fault().kind, FaultKind::Unreadable);
}

#[test]
fn messages_are_for_those_who_watch() {
    let mut table = Table::placed("5 5", "12 12");
    table.play(&["MSG  hello|MOVE N|MSG|MSG a  b |foo|MSG never"]);
    let texts: Vec<&str> = table
        .journal
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Message { text, .. } => Some(&**text),
            _ => None,
        })
        .collect();
    assert_eq!(texts, [" hello", "a  b"]);
}

#[test]
fn an_order_for_another_question_is_refused() {
    let mut table = Table::new(Rules::FULL, &SEA);
    table.give(Some(Order::Turn(ocean_of_code::Chain::new())));
    table.give(Some(Order::Place { x: 3, y: 3 }));
    assert_eq!(table.codes(), ["placement-format"]);
    let mut table = Table::placed("3 3", "4 4");
    table.give(Some(Order::Place { x: 3, y: 3 }));
    assert_eq!(table.end().reason, "Unknown command: 3 3");
}

#[test]
fn checking_an_order_changes_nothing() {
    let table = Table::placed("3 3", "4 4").charged();
    let order = OceanOfCode::parse(&table.game.view(&table.state, Seat(0)), b"TORPEDO 9 9|MOVE N|MOVE");
    let faults = table.game.check(&table.state, Seat(0), &order);
    assert_eq!(faults.iter().map(|fault| &*fault.code).collect::<Vec<_>>(), ["duplicate"]);
    let order = OceanOfCode::parse(&table.game.view(&table.state, Seat(0)), b"TORPEDO 9 9|MOVE N");
    let faults = table.game.check(&table.state, Seat(0), &order);
    assert_eq!(faults.iter().map(|fault| &*fault.code).collect::<Vec<_>>(), ["out-of-reach"]);
    assert_eq!(
        faults[0].to_string(),
        "turn 1, player 0: `TORPEDO 9 9` skipped: expected a water cell at most 4 steps through water away [out-of-reach]"
    );
}
