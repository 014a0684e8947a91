//! One rule at a time, on boards set up for it. The numbers are sections of the rules.

use hypersonic::{Cell, Event, Item, Reason, Rules};

use crate::test_game::TestGame;

/// Rules for so many players on an open board without boxes that would matter.
fn rules(players: u8) -> Rules {
    Rules::of_version(4, players)
}

/// A box far away keeps the countdown of section 10 from starting.
const FAR_BOX: [&str; 11] = {
    let mut rows = ["............."; 11];
    rows[10] = "......0......";
    rows
};

fn row(text: &'static str) -> [&'static str; 11] {
    let mut rows = FAR_BOX;
    rows[0] = text;
    rows
}

#[test]
fn section_5_lines_of_a_player() {
    let mut test = TestGame::new(rules(2), &row("..1X0.2......"));
    test.play(&["BOMB 0 1", "MOVE 12 9"]);
    let told = test.told();
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "..1X0.2......");
    assert_eq!(lines[10], "......0......");
    assert_eq!(lines[11..], ["3", "0 0 0 1 0 3", "0 1 12 9 1 3", "1 0 0 0 8 3"]);
}

#[test]
fn section_5_a_bomb_is_seen_from_8_down_to_1() {
    let mut test = TestGame::new(rules(2), &FAR_BOX);
    test.play(&["BOMB 0 1", "MOVE 12 10"]);
    test.play(&["MOVE 1 1", "MOVE 12 10"]);
    for rounds in (1..=7).rev() {
        assert_eq!(test.entities()[2], format!("1 0 0 0 {rounds} 3"));
        assert_eq!(test.state.players[0].available, 0);
        test.wait();
    }
    assert_eq!(test.entities(), ["0 0 1 1 1 3", "0 1 12 10 1 3"]);
}

#[test]
fn section_5_large_numbers_are_told_whole() {
    let options = Rules { bombs: 1000, range: 1000, ..rules(2) };
    let mut test = TestGame::new(options, &FAR_BOX).item(1, 0, Item::ExtraBomb).item(2, 0, Item::ExtraRange);
    test.play(&["MOVE 1 0", "BOMB 12 9"]);
    test.play(&["MOVE 2 0", "MOVE 12 9"]);
    assert_eq!(test.entities(), ["0 0 2 0 1001 1001", "0 1 12 9 999 1000", "1 1 12 10 7 1000"]);
}

#[test]
fn section_7_3_a_refused_bomb_is_no_reason_not_to_move() {
    let mut test = TestGame::new(rules(3), &FAR_BOX).stand(2, 6, 6).bomb(0, 6, 6, 5, 3);
    test.state.players[0].available = 0;
    test.play(&["BOMB 1 0", "MOVE 12 10", "BOMB 6 5"]);
    assert_eq!(test.faults(), [(0, "no-bomb-left", false), (2, "cell-has-bomb", false)]);
    assert_eq!(test.state.players[0].cell, Cell::at(1, 0));
    assert_eq!(test.state.players[2].cell, Cell::at(6, 5));
    assert_eq!(test.state.bombs.len(), 1);
    assert_eq!(test.state.players[2].available, 1);
}

#[test]
fn section_7_3_bombs_going_off_still_lie_there() {
    // Player 0 has no other bomb, and the way of player 1 is still blocked.
    let mut test = TestGame::new(rules(2), &FAR_BOX).stand(0, 0, 5).stand(1, 6, 3).bomb(0, 6, 0, 1, 3);
    test.state.players[0].available = 0;
    test = test.bomb(0, 6, 4, 1, 1);
    test.play(&["BOMB 0 5", "MOVE 6 4"]);
    assert_eq!(test.faults(), [(0, "no-bomb-left", false)]);
    assert_eq!(test.state.players[1].cell, Cell::at(6, 3), "no cell is nearer than its own");
    assert_eq!(test.state.players[0].available, 2);
    assert!(test.state.bombs.is_empty() && test.state.bomb_cells.is_empty());
}

#[test]
fn section_7_3_bombs_of_one_round_do_not_get_in_each_others_way() {
    let mut test = TestGame::new(rules(3), &FAR_BOX).stand(0, 6, 5).stand(1, 6, 5).stand(2, 5, 5);
    test.play(&["BOMB 6 4", "BOMB 6 6", "MOVE 6 5"]);
    assert!(test.faults().is_empty());
    assert_eq!(test.entities()[2..], ["0 2 6 5 1 3", "1 0 6 5 8 3", "1 1 6 5 8 3"]);
}

#[test]
fn section_7_3_the_command_of_a_killed_player_is_ignored() {
    let mut test = TestGame::new(rules(3), &FAR_BOX).stand(1, 5, 0).bomb(0, 6, 0, 1, 3);
    test.state.players[1].available = 0;
    test.play(&["MOVE 0 0", "BOMB 5 1", "MOVE 12 0"]);
    assert!(test.faults().is_empty(), "not even a fault: {:?}", test.faults());
    assert_eq!(test.state.players[1].eliminated_at, Some(1));
    assert_eq!(test.entities(), ["0 0 0 0 2 3", "0 2 12 0 1 3"]);
}

#[test]
fn section_7_a_player_may_walk_into_a_blast_but_not_out_of_it() {
    let mut test = TestGame::new(rules(3), &FAR_BOX).stand(1, 5, 0).stand(2, 7, 1).bomb(0, 6, 0, 1, 3);
    test.play(&["MOVE 0 0", "MOVE 5 1", "MOVE 7 0"]);
    assert_eq!(test.state.players[1].eliminated_at, Some(1));
    assert_eq!(test.state.players[2].eliminated_at, None);
    assert_eq!(test.state.players[2].cell, Cell::at(7, 0));
}

#[test]
fn section_7_5_each_owner_scores_a_box_once() {
    // Two bombs of player 0 and one of player 1 hit the box in the middle; player 1 was eliminated long ago.
    let mut test = TestGame::new(rules(3), &row(".....0.......")).stand(0, 12, 5).stand(2, 12, 0);
    test = test.bomb(0, 4, 0, 1, 3).bomb(0, 6, 0, 1, 3).bomb(1, 5, 1, 1, 3);
    test.play(&["MOVE 12 5", "-", "MOVE 12 0"]);
    assert_eq!(test.state.players.map(|player| player.boxes), [1, 1, 0, 0]);
    assert_eq!(test.state.players[1].available, 2, "given back to an eliminated owner as well");
}

#[test]
fn section_7_5_a_destroyed_item_cannot_be_picked_up() {
    let mut test = TestGame::new(rules(2), &FAR_BOX).stand(1, 5, 1).item(5, 0, Item::ExtraBomb);
    test = test.bomb(0, 6, 0, 1, 3);
    test.play(&["MOVE 0 0", "MOVE 5 0"]);
    assert_eq!(test.entities(), ["0 0 0 0 2 3", "0 1 5 0 1 3"]);
    assert_eq!(test.state.floor_items().len(), 0);
}

#[test]
fn section_7_6_everybody_who_enters_gets_the_item() {
    let mut test = TestGame::new(rules(4), &FAR_BOX).stand(0, 5, 5).stand(1, 7, 5).stand(2, 6, 4);
    test = test.item(6, 5, Item::ExtraRange).item(0, 9, Item::ExtraBomb).item(3, 3, Item::ExtraBomb);
    test.play(&["MOVE 6 5", "BOMB 6 5", "MOVE 6 5", "BOMB 0 9"]);
    let expected = [
        "0 0 6 5 1 4",
        "0 1 6 5 0 4",
        "0 2 6 5 1 4",
        "0 3 0 9 1 3",
        "1 1 7 5 8 3",
        "1 3 0 10 8 3",
        "2 0 3 3 2 2",
    ];
    assert_eq!(test.entities(), expected, "the range of a bomb is that before the item");
}

#[test]
fn section_7_6_an_item_under_a_player_is_not_picked_up() {
    // Boxes may stand on the start cells under rules with no distance to the corners.
    let mut test = TestGame::new(rules(2), &FAR_BOX).item(0, 0, Item::ExtraBomb);
    test.wait();
    assert_eq!(test.entities(), ["0 0 0 0 1 3", "0 1 12 10 1 3", "2 0 0 0 2 2"]);
}

#[test]
fn section_7_7_an_item_comes_out_of_its_box_after_all_moves() {
    let mut test = TestGame::new(rules(2), &row(".....1.......")).stand(1, 5, 1).bomb(0, 6, 0, 1, 3);
    test.play(&["MOVE 0 0", "MOVE 5 0"]);
    assert_eq!(test.entities(), ["0 0 0 0 2 3", "0 1 5 1 1 3", "2 0 5 0 1 1"], "the box still blocked");
    test.play(&["MOVE 0 0", "MOVE 5 0"]);
    assert_eq!(test.entities(), ["0 0 0 0 2 3", "0 1 5 0 1 4"]);
}

/// What a bomb of a range, laid in the middle of the first row, leaves of it.
fn check_row(before: &'static str, range: u16, after: &str) {
    let mut test = TestGame::new(rules(2), &row(before)).stand(0, 0, 5).bomb(0, 6, 0, 1, range);
    test.wait();
    assert_eq!(test.told().lines().next(), Some(after), "range {range}");
}

#[test]
fn section_8_a_ray_ends_at_the_first_thing() {
    check_row("...00..0.....", 3, "...0.........");
    check_row("...00..0.....", 2, "...00........");
    check_row("...00..0.....", 1, "...00..0.....");
    check_row("...00..0.....", 0, "...00..0.....");
    check_row("0...........0", 1000, ".............");
    check_row("0..X........0", 13, "0..X.........");
}

#[test]
fn section_8_a_range_of_nothing_hits_nobody() {
    let board = |range| TestGame::new(rules(3), &FAR_BOX).stand(0, 6, 5).bomb(0, 6, 5, 1, range);
    let mut test = board(0);
    test.wait();
    assert_eq!(test.state.players[0].eliminated_at, None);
    let mut test = board(1);
    test.wait();
    assert_eq!(test.state.players[0].eliminated_at, Some(1));
}

#[test]
fn section_8_items_and_bombs_stop_a_ray() {
    let mut test = TestGame::new(rules(2), &row("0...........0")).stand(0, 0, 5).item(3, 0, Item::ExtraBomb);
    test = test.bomb(0, 6, 0, 1, 13).bomb(1, 9, 0, 5, 2);
    test.wait();
    assert_eq!(test.told().lines().next(), Some("0...........0"));
    assert_eq!(test.entities(), ["0 0 0 5 2 3", "0 1 12 10 2 3"], "item and both bombs are gone");
}

#[test]
fn section_8_an_item_shields_a_bomb_on_its_cell() {
    let mut test = TestGame::new(rules(2), &FAR_BOX).stand(0, 0, 5).item(4, 0, Item::ExtraBomb);
    test = test.bomb(0, 6, 0, 1, 3).bomb(1, 4, 0, 5, 3);
    test.wait();
    assert_eq!(test.entities()[2..], ["1 1 4 0 4 3"]);
}

#[test]
fn section_8_what_an_earlier_wave_hit_still_blocks() {
    // The first bomb hits the box at 5 and sets off the other one, whose ray ends at that box as well.
    let mut test = TestGame::new(rules(2), &row("....00.......")).stand(0, 0, 5);
    test = test.bomb(0, 6, 0, 1, 3).bomb(1, 6, 1, 5, 3).bomb(1, 5, 1, 6, 3);
    test.wait();
    assert_eq!(test.told().lines().next(), Some("....0........"));
    assert_eq!(test.state.players.map(|player| player.boxes), [1, 1, 0, 0]);
    let waves: Vec<_> = test
        .journal
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Explosion { wave, cell, reach, .. } => Some((*wave, *cell, *reach)),
            _ => None,
        })
        .collect();
    let expected = [
        (1, Cell::at(6, 0), [1, 2, 0, 1]),
        (2, Cell::at(6, 1), [1, 2, 1, 2]),
        (3, Cell::at(5, 1), [2, 1, 1, 2]),
    ];
    assert_eq!(waves, expected);
}

#[test]
fn section_8_whom_explosions_eliminate() {
    for (version, expected) in [(1, [false, false]), (2, [false; 2]), (3, [false, true]), (4, [true, true])] {
        let mut test = TestGame::new(Rules::of_version(version, 2), &FAR_BOX).stand(0, 6, 0).stand(1, 8, 0);
        test = test.bomb(0, 7, 0, 1, 3);
        test.wait();
        let killed = [0, 1].map(|seat| test.state.players[seat].eliminated_at.is_some());
        assert_eq!(killed, expected, "version {version}");
    }
}

/// Hits the marked boxes of the first row and the last one, then tells the order of items.
fn check_order(top: &'static str, hits: &[(usize, usize)], expected: &[&str]) {
    let mut test = TestGame::new(rules(2), &row(top)).stand(0, 0, 5);
    for &(x, y) in hits {
        test = test.bomb(0, x, y, 1, 2);
    }
    test.wait();
    assert_eq!(test.entities()[2..], *expected);
}

#[test]
fn section_9_items_come_in_the_order_of_a_table() {
    // Buckets (1 + y - x) mod 16: 12 for x = 5, 10 for x = 7, 0 for x = 1, 14 for x = 3.
    check_order("1...12..1....", &[(6, 1), (1, 0)], &["2 0 0 0 1 1"]);
    check_order(
        ".1.1.1.2.....",
        &[(2, 0), (6, 0)],
        &["2 0 1 0 1 1", "2 0 7 0 2 2", "2 0 5 0 1 1", "2 0 3 0 1 1"],
    );
}

#[test]
fn section_9_the_table_grows_with_boxes_not_items() {
    let board = |rows: &[&str]| {
        let mut test = TestGame::new(rules(2), rows).stand(0, 12, 0).stand(1, 12, 10);
        for x in [1, 4, 7] {
            test = test.bomb(0, x, 1, 1, 2).bomb(0, x, 8, 1, 2);
        }
        test.wait();
        test.state.table
    };
    // Each bomb has a box above and one below, the last one a third beside it.
    let twelve = [
        "0000000000...",
        ".............",
        "0000000000...",
        ".............",
        ".............",
        ".............",
        ".............",
        "0000000000...",
        ".............",
        "0000000000...",
        ".............",
    ];
    assert_eq!(board(&twelve), 16);
    let mut thirteen = twelve;
    thirteen[8] = "........0....";
    assert_eq!(board(&thirteen), 32);
}

#[test]
fn section_10_idle_updates_end_the_game() {
    let mut test = TestGame::new(rules(2), &FAR_BOX);
    for _ in 0..19 {
        test.wait();
    }
    test.play(&["MOVE 1 0", "MOVE 12 10"]);
    assert_eq!(test.state.idle, 20);
    // Heading for a place no cell is nearer to is no progress.
    for round in 0..20 {
        assert!(!test.state.is_over(), "round {round}");
        test.play(&["MOVE 1 -5", "MOVE 13 11"]);
    }
    assert_eq!(test.end().reasons, [Reason::NoProgress]);
    assert_eq!(test.end().turn_count, 40);
    assert_eq!(test.end().scores, [1_000_000, 1_000_000]);
    let state = test.state;
    test.wait();
    assert_eq!(test.state, state, "nothing happens after the end");
}

#[test]
fn section_10_laying_a_bomb_is_progress() {
    let mut test = TestGame::new(rules(2), &FAR_BOX);
    test.state.idle = 1;
    test.play(&["BOMB 0 0", "MOVE 12 10"]);
    assert_eq!((test.state.idle, test.state.is_over()), (20, false));
}

#[test]
fn section_10_the_countdown_begins_with_the_last_box() {
    let mut test = TestGame::new(rules(2), &[".....0......."]).stand(0, 0, 5).bomb(0, 6, 0, 1, 2);
    for update in 1..=20 {
        assert!(!test.state.is_over(), "update {update}");
        test.wait();
    }
    // Nineteen idle updates followed the explosion: the other counter is not at 0 yet.
    assert_eq!(test.end().reasons, [Reason::BoxesCountdown]);
    assert_eq!(test.end().turn_count, 20);
}

#[test]
fn section_10_every_reason_is_told_in_order() {
    for (version, expected) in [
        (1, vec![Reason::NoProgress, Reason::BoxesCleared, Reason::LastStanding, Reason::MaxRounds]),
        (3, vec![Reason::NoProgress, Reason::LastStanding, Reason::MaxRounds]),
        (4, vec![Reason::NoProgress, Reason::BoxesCountdown, Reason::LastStanding, Reason::MaxRounds]),
    ] {
        let mut test = TestGame::new(Rules::of_version(version, 2), &[]);
        test.state.round = 199;
        test.state.idle = 1;
        test.state.extra = 1;
        test.play(&["MOVE 0 0", "-"]);
        let end = test.end();
        assert_eq!(end.reasons, expected, "version {version}");
        assert_eq!(end.reason, Some(Reason::NoProgress));
        assert_eq!(end.turn_count, 200);
    }
}

#[test]
fn section_12_who_gives_no_answer_is_out_before_the_update() {
    let mut test = TestGame::new(rules(4), &FAR_BOX).stand(1, 5, 0).stand(2, 7, 0).bomb(1, 6, 0, 1, 3);
    test.state.round = 6;
    test.state.bombs[0].due = 7;
    test.play(&["MOVE 0 0", "MOVE 1", "MOVE 7 1", "-"]);
    assert_eq!(test.faults(), [(1, "missing-coordinate", true), (3, "no-answer", true)]);
    assert_eq!(test.state.players.map(|player| player.eliminated_at), [None, Some(6), Some(7), Some(6)]);
    let end = test.end();
    assert_eq!(end.scores, [1_000_000, 600, 700, 600]);
    assert_eq!(end.ranks, [1, 3, 2, 3]);
    assert_eq!(end.reasons, [Reason::LastStanding]);
    let outcome = game::Game::outcome(&test.game, &test.state);
    assert_eq!(outcome.disqualified, [false, true, false, true]);
    assert_eq!(outcome.reason, "last-standing");
}

#[test]
fn section_12_bombs_of_the_eliminated_stay_in_play() {
    let mut test = TestGame::new(rules(3), &row("....0.0......")).stand(0, 12, 5).stand(2, 12, 3);
    test = test.bomb(1, 5, 0, 2, 2);
    test.play(&["MOVE 12 5", "what", "MOVE 12 3"]);
    assert_eq!(test.entities(), ["0 0 12 5 1 3", "0 2 12 3 1 3", "1 1 5 0 1 2"]);
    test.play(&["MOVE 12 5", "MOVE 1 1", "MOVE 12 3"]);
    assert_eq!(test.end().boxes, [0, 2, 0]);
    assert_eq!(test.end().eliminated_at, [None, Some(0), None]);
}

#[test]
fn messages_are_told_to_those_who_watch() {
    let mut test = TestGame::new(rules(2), &FAR_BOX);
    test.play(&["MOVE 0 0 hello there, my friends", "BOMB 12 10 hi"]);
    let texts: Vec<_> = test
        .journal
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Message { seat, text } => Some((seat.0, text.as_str())),
            _ => None,
        })
        .collect();
    assert_eq!(texts, [(0, "hello there, my f..."), (1, "hi")]);
}

#[test]
fn events_are_plain_data() {
    let mut test = TestGame::new(rules(2), &row(".....1.......")).stand(1, 5, 1).bomb(0, 6, 0, 1, 3);
    test.play(&["BOMB 0 1", "MOVE 5 2"]);
    let events: Vec<String> =
        test.journal.events.iter().map(|event| serde_json::to_string(event).unwrap()).collect();
    let expected = [
        r#"{"kind":"round","round":0}"#,
        r#"{"kind":"explosion","owner":0,"cell":{"x":6,"y":0},"wave":1,"reach":[1,2,0,2]}"#,
        r#"{"kind":"bomb","seat":0,"cell":{"x":0,"y":0},"range":3}"#,
        r#"{"kind":"box","cell":{"x":5,"y":0},"by":[0]}"#,
        r#"{"kind":"move","seat":0,"from":{"x":0,"y":0},"to":{"x":0,"y":1}}"#,
        r#"{"kind":"move","seat":1,"from":{"x":5,"y":1},"to":{"x":5,"y":2}}"#,
        r#"{"kind":"item_appeared","cell":{"x":5,"y":0},"item":"extra_range"}"#,
    ];
    assert_eq!(events, expected);
}
