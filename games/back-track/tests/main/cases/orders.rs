//! What commands do (rules, section 9, steps 1 to 5).

use back_track::{Event, Rules, grid};
use game::{FaultKind, Game};

use super::{TestGame, plains};

#[test]
fn a_cell_both_claim_is_neutral() {
    let mut test = TestGame::new(plains(&Rules::STATEMENT), 1);
    let (x, y) = test.free_row(4);
    let all = format!("PLACE_TRACKS {x} {y};PLACE_TRACKS {} {y};PLACE_TRACKS {} {y}", x + 1, x + 2);
    let one = format!("PLACE_TRACKS {} {y}", x + 1);
    let journal = test.play([Some(&all), Some(&one)]);
    assert_eq!((test.owner(x, y), test.owner(x + 1, y), test.owner(x + 2, y)), (0, 2, 0));
    assert!(journal.faults.is_empty());
    let neutral = Event::Neutral { cell: [x as u8 + 1, y as u8] };
    assert!(journal.events.contains(&neutral));
    // Both have paid: a fourth track is one too many.
    let (x, y) = test.free_row(4);
    let four: Vec<String> = (0..4).map(|i| format!("PLACE_TRACKS {} {y}", x + i)).collect();
    assert_eq!(test.codes(&four.join(";"), "WAIT"), ["no-paint"]);
    assert_eq!((test.owner(x + 2, y), test.owner(x + 3, y)), (0, -1));
}

#[test]
fn terrain_costs_what_it_costs() {
    let mut test = TestGame::new(Rules::STATEMENT, 1);
    let map = test.game.map();
    let at = |terrain: usize| grid::xy((map.terrains[terrain] - map.town_cells).first().unwrap());
    let ((rx, ry), (mx, my), (px, py)) = (at(1), at(2), at(3));
    let line = format!("PLACE_TRACKS {rx} {ry};PLACE_TRACKS {mx} {my}");
    assert_eq!(test.codes(&line, &format!("PLACE_TRACKS {px} {py};PLACE_TRACKS {mx} {my}")), ["no-paint"]);
    assert_eq!((test.owner(rx, ry), test.owner(mx, my), test.owner(px, py)), (0, -1, 1));
}

/// Each check of a placement, and that the first one that fails is the one that is named.
#[test]
fn placements_that_are_skipped() {
    let rules = Rules { paint: 1, ink_threshold: 1, ..plains(&Rules::STATEMENT) };
    let mut test = TestGame::new(rules, 3);
    let (tx, ty) = grid::xy(usize::from(test.game.map().towns[0].cell));
    let (x, y) = test.free_row(2);
    let region = test.game.map().regions[grid::cell(x, y)];
    let placed = format!("PLACE_TRACKS {x} {y};PLACE_TRACKS {x} {y};PLACE_TRACKS {} {y}", x + 1);
    assert_eq!(test.codes(&placed, "WAIT"), ["already-placed", "no-paint"]);
    let line =
        format!("PLACE_TRACKS {x} {y};PLACE_TRACKS {tx} {ty};PLACE_TRACKS 30 3;PLACE_TRACKS 3 2000000000");
    assert_eq!(test.codes(&line, "WAIT"), ["track-exists", "town", "outside", "outside"]);
    assert_eq!(test.codes("WAIT", &format!("DISRUPT {region}")), [""; 0]);
    assert_eq!(test.codes(&format!("PLACE_TRACKS {x} {y}"), "WAIT"), ["inked"]);
    let town_region = test.game.map().regions[grid::cell(tx, ty)];
    test.codes(&format!("DISRUPT {town_region}"), "WAIT");
    assert_eq!(test.codes(&format!("PLACE_TRACKS {tx} {ty}"), "WAIT"), ["town"], "town before inked");
}

#[test]
fn a_skipped_placement_costs_nothing_but_is_a_fault() {
    let mut test = TestGame::new(plains(&Rules::STATEMENT), 3);
    let journal = test.play([Some("PLACE_TRACKS 99 99"), Some("WAIT")]);
    let fault = &journal.faults[0];
    assert_eq!((fault.kind, fault.fatal, fault.turn, fault.seat.0), (FaultKind::NotAllowed, false, 1, 0));
    assert_eq!(fault.came, "`PLACE_TRACKS 99 99`");
    assert_eq!(test.state.scores, [0, 0]);
    assert_eq!(test.state.active, [true, true]);
}

/// The example of section 9, step 3.
#[test]
fn what_stops_an_autoplace() {
    for (rules, owners, codes) in [
        (Rules::STATEMENT, [0, 0, -1, 0], vec!["autoplace-stopped"]),
        (Rules::OF_2026, [0, 0, 0, -1], vec!["already-placed", "no-paint"]),
    ] {
        let mut test = TestGame::new(plains(&rules), 2);
        let (x, y) = test.free_row(3);
        let (fx, fy) = (test.game.map().width as usize - 1, test.game.map().height as usize - 1);
        assert_eq!(test.game.map().town_at(grid::cell(fx, fy)), None);
        let line =
            format!("PLACE_TRACKS {} {y};AUTOPLACE {x} {y} {} {y};PLACE_TRACKS {fx} {fy}", x + 1, x + 2);
        assert_eq!(test.codes(&line, "WAIT"), codes);
        let got = [test.owner(x, y), test.owner(x + 1, y), test.owner(x + 2, y), test.owner(fx, fy)];
        assert_eq!(got, owners);
    }
}

#[test]
fn lack_of_paint_stops_an_autoplace_without_a_fault() {
    let mut test = TestGame::new(plains(&Rules::STATEMENT), 2);
    let (x, y) = test.free_row(5);
    let journal = test.play([Some(&format!("AUTOPLACE {x} {y} {} {y}", x + 4)), Some("WAIT")]);
    assert!(journal.faults.is_empty());
    assert_eq!(test.state.tracks[0].len(), 3);
    assert!(matches!(&journal.events[0], Event::Route { seat: 0, cells } if cells.len() == 5));
}

#[test]
fn only_the_first_autoplace_counts_and_both_use_the_board_at_the_start() {
    let mut test = TestGame::new(plains(&Rules::STATEMENT), 2);
    let (x, y) = test.free_row(3);
    let line = format!("AUTOPLACE {x} {y} {} {y}", x + 1);
    let twice = format!("{line};AUTOPLACE {} {y} {} {y}", x + 2, x + 1);
    assert_eq!(test.codes(&twice, &line), ["second-autoplace"]);
    // The second player's search does not see the first player's tracks: all are claimed by both.
    assert_eq!((test.owner(x, y), test.owner(x + 1, y), test.owner(x + 2, y)), (2, 2, -1));
    assert_eq!(test.codes("AUTOPLACE 99 99 99 99", "WAIT"), [""; 0], "from == to, even outside");
    assert_eq!(test.codes("AUTOPLACE 99 99 1 1", "WAIT"), ["outside"]);
    assert_eq!(test.codes(&format!("AUTOPLACE {x} {y} {} {y}", x + 1), "WAIT"), [""; 0], "joined already");
}

#[test]
fn disruptions_that_are_skipped_cost_nothing() {
    let mut test = TestGame::new(Rules::OF_2026, 3);
    let (x, y) = test.free_row(1);
    let region = test.game.map().regions[grid::cell(x, y)];
    let town = test.game.map().town_regions.trailing_zeros();
    let line = format!("DISRUPT 30 20;DISRUPT 64;DISRUPT {town};DISRUPT {region};DISRUPT {region}");
    assert_eq!(test.codes(&line, "WAIT"), ["outside", "no-such-region", "town-region", "no-disruption-left"]);
    assert_eq!(test.state.instability[usize::from(region)], 1);
    assert_eq!(test.state.last_disrupted, [Some(region), None]);
}

#[test]
fn both_players_can_pass_the_threshold() {
    let mut test = TestGame::new(plains(&Rules::STATEMENT), 3);
    let (x, y) = test.free_row(1);
    let region = test.game.map().regions[grid::cell(x, y)];
    let by_id = format!("DISRUPT {region}");
    let by_cell = format!("DISRUPT {x} {y}");
    test.codes(&format!("{by_id};PLACE_TRACKS {x} {y}"), &by_cell);
    assert_eq!((test.state.inked, test.owner(x, y)), (0, 0));
    test.codes(&by_id, &by_cell);
    assert_eq!(test.state.instability[usize::from(region)], 4);
    assert_eq!((test.state.inked, test.owner(x, y)), (1 << region, -1));
    assert_eq!(test.codes(&by_cell, "WAIT"), ["region-inked"]);
    let mut text = String::new();
    back_track::BackTrack::write_turn(&test.game.view(&test.state, game::Seat(0)), &mut text);
    let line = text.lines().nth(2 + y * usize::from(test.game.map().width) + x);
    assert_eq!(line, Some("-1 4 1 x"));
}

/// A track placed in the turn in which its region is inked is gone, and cannot be placed again.
#[test]
fn inking_comes_after_placing() {
    let rules = Rules { ink_threshold: 1, ..plains(&Rules::STATEMENT) };
    let mut test = TestGame::new(rules, 3);
    let (x, y) = test.free_row(1);
    let journal = test.play([Some(&format!("PLACE_TRACKS {x} {y}")), Some(&format!("DISRUPT {x} {y}"))]);
    assert!(journal.faults.is_empty());
    assert_eq!(test.owner(x, y), -1);
    let lost = journal.events.iter().find_map(|event| match event {
        Event::Inked { lost, .. } => Some(lost.clone()),
        _ => None,
    });
    assert_eq!(lost, Some([vec![[x as u8, y as u8]], vec![], vec![]]));
}

#[test]
fn long_answers_are_played_to_the_end() {
    let rules = Rules { paint: 100, ..plains(&Rules::STATEMENT) };
    let mut test = TestGame::new(rules, 3);
    let free: Vec<usize> = test.state.free(test.game.map()).iter().take(60).collect();
    let line: Vec<String> = free
        .iter()
        .map(|&cell| {
            let (x, y) = grid::xy(cell);
            format!("PLACE_TRACKS {x} {y}")
        })
        .collect();
    assert_eq!(test.codes(&line.join(";"), "WAIT"), [""; 0]);
    assert_eq!(test.state.tracks[0].len(), 60);
}
