//! How games end (rules, sections 8 and 11.3 to 11.6).

use back_track::{BackTrack, End, Reason, Rules, grid};
use game::{FaultKind, Game, Match, Seat};

use super::{TestGame, plains};

fn end(test: &TestGame) -> End {
    test.game.end(&test.state, &[])
}

#[test]
fn an_unreadable_piece_disqualifies_but_what_stands_before_it_is_played() {
    let mut test = TestGame::new(plains(&Rules::STATEMENT), 1);
    let (x, y) = test.free_row(2);
    let line = format!("PLACE_TRACKS {x} {y};garbage;PLACE_TRACKS {} {y}", x + 1);
    let journal = test.play([Some(&line), Some("WAIT")]);
    assert_eq!((test.owner(x, y), test.owner(x + 1, y)), (0, -1));
    let fault = &journal.faults[0];
    assert_eq!((fault.kind, fault.fatal, &*fault.code), (FaultKind::Unreadable, true, "unknown-command"));
    assert_eq!(fault.came, "`garbage`");
    let end = end(&test);
    assert_eq!((end.scores, end.points), ([-1, 0], [-1, 0]));
    assert_eq!(
        (end.reason, end.turn_count, &end.disqualified[..]),
        (Some(Reason::Disqualified), 1, &[0][..])
    );
    assert!(test.game.to_act(&test.state).is_empty());
}

#[test]
fn a_timeout_leaves_the_points_but_not_the_score() {
    let mut test = TestGame::new(plains(&Rules::STATEMENT), 4);
    test.join_towns(1);
    test.play([Some("WAIT"), Some("WAIT")]);
    let journal = test.play([Some("WAIT"), None]);
    assert_eq!((journal.faults[0].kind, journal.faults[0].seat), (FaultKind::Missing, Seat(1)));
    let end = end(&test);
    assert_eq!(end.scores, [0, -1]);
    assert!(end.points[1] > 0 && end.points[1] == 2 * test.state.links.points[1] as i32);
    let outcome = test.game.outcome(&test.state);
    assert_eq!((outcome.ranks, outcome.disqualified), (vec![1, 2], vec![false, true]));
    assert_eq!(outcome.reason, "disqualified");
}

#[test]
fn both_can_fail_at_once() {
    let mut test = TestGame::new(Rules::STATEMENT, 4);
    test.play([None, Some("")]);
    let end = end(&test);
    assert_eq!((end.scores, end.points, &end.disqualified[..]), ([-1, -1], [0, -1], &[0, 1][..]));
}

/// Section 11.5: the turn in which player 0 is disqualified still scores.
#[test]
fn league_1_can_be_won_from_minus_one() {
    for (tracks_kept, won) in [(2, true), (1, false)] {
        let mut test = TestGame::new(plains(&Rules::STATEMENT).in_league(1), 4);
        let (_, cells) = test.join_towns(0);
        for &cell in &cells[tracks_kept..] {
            test.state.tracks[0].discard(cell);
        }
        test.lay(2, cells[tracks_kept..].iter().copied());
        test.play([Some("garbage"), Some("WAIT")]);
        let end = end(&test);
        assert_eq!(end.points, [tracks_kept as i32 - 1, 0]);
        assert_eq!(end.scores, if won { [0, -1] } else { [-1, 0] });
        assert_eq!(end.reason, Some(Reason::Disqualified));
    }
}

#[test]
fn league_1_ends_with_the_first_point() {
    let mut test = TestGame::new(plains(&Rules::STATEMENT).in_league(1), 4);
    test.play([Some("WAIT"), Some("WAIT")]);
    assert_eq!(end(&test).scores, [-1, 0]);
    assert_eq!(test.state.over, None);
    test.join_towns(0);
    test.play([Some("WAIT"), Some("WAIT")]);
    assert_eq!((end(&test).scores, end(&test).reason), ([0, -1], Some(Reason::Objective)));
}

/// Section 11.5: who gives the last hit does not matter, only that it is the region player 0 disrupted last.
#[test]
fn league_2_credit_is_kept() {
    let rules = || plains(&Rules::STATEMENT).in_league(2);
    let region_and_spot = |test: &TestGame| {
        let (x, y) = test.free_row(1);
        (test.game.map().regions[grid::cell(x, y)], x, y)
    };
    // Player 0 hits it once, player 1 twice later.
    let mut test = TestGame::new(rules(), 3);
    let (region, x, y) = region_and_spot(&test);
    let hit = format!("DISRUPT {region}");
    test.play([Some(&hit), Some(&format!("PLACE_TRACKS {x} {y}"))]);
    test.play([Some("WAIT"), Some(&hit)]);
    assert_eq!(test.state.over, None);
    test.play([Some("WAIT"), Some(&hit)]);
    assert_eq!(test.state.over, Some(Reason::Objective));
    assert_eq!(end(&test).scores, [0, -1]);

    // Player 0 hit another region in between: no credit.
    let mut test = TestGame::new(rules(), 3);
    test.play([Some(&hit), Some(&format!("PLACE_TRACKS {x} {y}"))]);
    let other = (0..8).find(|&other| other != region).unwrap();
    test.play([Some(&format!("DISRUPT {other}")), Some(&hit)]);
    test.play([Some("WAIT"), Some(&hit)]);
    assert_eq!((test.state.inked, test.state.over), (1 << region, None));

    // A neutral track is not one of player 1.
    let mut test = TestGame::new(rules(), 3);
    let place = format!("PLACE_TRACKS {x} {y}");
    test.play([Some(&format!("{hit};{place}")), Some(&place)]);
    test.play([Some(&hit), Some(&hit)]);
    assert_eq!((test.state.inked, test.state.over), (1 << region, None));
}

#[test]
fn the_game_ends_when_no_connection_is_possible() {
    let all = |test: &TestGame| -> String {
        let regions: Vec<String> =
            (0..test.game.map().region_count).map(|region| format!("DISRUPT {region}")).collect();
        regions.join(";")
    };
    let rules = Rules { disruption: 50, ink_threshold: 1, ..plains(&Rules::STATEMENT) };
    for (rules, reason) in [(rules.clone(), Some(Reason::NoConnectionPossible)), (rules.in_league(1), None)] {
        let mut test = TestGame::new(rules, 5);
        let line = all(&test);
        test.play([Some(&line), Some(&line.split(';').rev().collect::<Vec<_>>().join(";"))]);
        assert_eq!(test.state.inked.count_ones(), u32::from(test.game.map().region_count));
        assert_eq!(test.state.over, reason);
    }
}

/// Towns are passable for the end check whatever happened to their regions, third towns too.
#[test]
fn town_regions_alone_do_not_end_the_game() {
    let rules = Rules { disruption: 50, ink_threshold: 1, ..plains(&Rules::STATEMENT) };
    let mut test = TestGame::new(rules, 5);
    let towns: Vec<String> = back_track::Map::ids(test.game.map().town_regions)
        .map(|region| format!("DISRUPT {region}"))
        .collect();
    test.play([Some(&towns.join(";")), Some("WAIT")]);
    assert_eq!(test.state.inked, test.game.map().town_regions);
    // Whether a way is left depends on where the towns stand in their regions: here one is.
    assert_eq!(test.state.over, None);
}

#[test]
fn the_last_turn_ends_the_game() {
    let rules = Rules { max_turns: 3, ..Rules::STATEMENT };
    let mut play = Match::<BackTrack>::new(rules, 1);
    let mut turns = 0;
    while !play.awaited().is_empty() {
        assert_eq!(play.game().turn(play.state()), turns + 1);
        for seat in play.awaited() {
            play.answer(seat, Some(b"WAIT")).unwrap();
        }
        turns += 1;
    }
    let end = serde_json::to_string(&play.end()).unwrap();
    assert_eq!(
        end,
        r#"{"scores":[0,0],"points":[0,0],"side_quest":[0,0],"reason":"max_turns","turn_count":3,"disqualified":[]}"#
    );
    assert_eq!(play.outcome().ranks, [1, 1]);
}

#[test]
fn a_step_after_the_end_is_harmless() {
    let mut test = TestGame::new(Rules::STATEMENT, 1);
    test.play([None, None]);
    test.play([Some("WAIT"), Some("WAIT")]);
    assert_eq!(test.state.over, Some(Reason::Disqualified));
}
