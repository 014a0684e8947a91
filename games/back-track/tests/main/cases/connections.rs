//! Connections, points and the side quest (rules, sections 11.1 and 11.2).

use std::fmt::Write as _;

use back_track::{BackTrack, Event, Rules, grid};
use game::{Game, Seat};

use super::{TestGame, plains};

#[test]
fn every_active_connection_scores_every_turn() {
    let mut test = TestGame::new(plains(&Rules::STATEMENT), 4);
    let (wish, cells) = test.join_towns(0);
    let others = test.state.links.active & !(1 << wish);
    assert_eq!(others, 0, "one connection is enough for this test");
    // One track changes hands, one becomes neutral.
    test.state.tracks[0].discard(cells[0]);
    test.state.tracks[0].discard(cells[1]);
    test.lay(1, [cells[0]]);
    test.lay(2, [cells[1]]);
    let own = cells.len() as i32 - 2;
    test.play([Some("WAIT"), Some("WAIT")]);
    assert_eq!(test.state.scores, [own, 1]);
    test.play([Some("WAIT"), Some("WAIT")]);
    assert_eq!(test.state.scores, [2 * own, 2]);
}

#[test]
fn a_connection_is_announced_when_it_begins_and_when_it_breaks() {
    let rules = Rules { ink_threshold: 1, ..plains(&Rules::STATEMENT) };
    let mut test = TestGame::new(rules, 4);
    let (_, cells) = test.join_towns(0);
    let last = cells[cells.len() / 2];
    test.state.tracks[0].discard(last);
    test.state = game::Audit::rebuilt(&test.game, &test.state);
    assert_eq!(test.state.links.active, 0);
    let (x, y) = grid::xy(last);
    let journal = test.play([Some(&format!("PLACE_TRACKS {x} {y}")), Some("WAIT")]);
    let wish = test.game.map().wishes()[0];
    let path = journal.events.iter().find_map(|event| match event {
        Event::Connected { from, to, path, .. } if (*from, *to) == (wish.from, wish.to) => Some(path.len()),
        _ => None,
    });
    assert_eq!(path, Some(cells.len() + 2));
    let journal = test.play([Some(&format!("DISRUPT {x} {y}")), Some("WAIT")]);
    let broken = Event::Disconnected { from: wish.from, to: wish.to };
    assert!(journal.events.contains(&broken));
    assert_eq!(test.state.links.points, [0, 0]);
}

#[test]
fn cells_name_the_connections_through_them() {
    let mut test = TestGame::new(plains(&Rules::STATEMENT), 4);
    let (_, cells) = test.join_towns(0);
    let wish = test.game.map().wishes()[0];
    let mut text = String::new();
    BackTrack::write_turn(&test.game.view(&test.state, Seat(1)), &mut text);
    let lines: Vec<&str> = text.lines().collect();
    let (x, y) = grid::xy(cells[0]);
    let width = usize::from(test.game.map().width);
    assert_eq!(lines[2 + y * width + x], format!("0 0 0 {}-{}", wish.from, wish.to));
    let marked = lines[2..].iter().filter(|line| !line.ends_with('x')).count();
    assert_eq!(marked, cells.len() + 2, "the tracks and the two towns");
}

/// A town whose region is inked stays a rail: a path crosses it from outside.
#[test]
fn an_inked_town_can_still_be_connected() {
    for seed in 1..200 {
        let rules = Rules { ink_threshold: 1, ..plains(&Rules::STATEMENT) };
        let mut test = TestGame::new(rules, seed);
        let wish = test.game.map().wishes()[0];
        let town = usize::from(test.game.map().towns[usize::from(wish.to)].cell);
        let region = test.game.map().regions[town];
        test.play([Some(&format!("DISRUPT {region}")), Some("WAIT")]);
        assert!(test.state.inked_cells.contains(town));
        // Only where the town touches another region is there a way to it.
        let map = test.game.map();
        let touches =
            grid::around(&grid::Cells::only(town)) & (map.board - map.region_cells[usize::from(region)]);
        if touches.is_empty() {
            continue;
        }
        let (_, cells) = test.join_towns(1);
        assert!(cells.iter().all(|&cell| !test.state.inked_cells.contains(cell)));
        assert!(touches.intersects(&test.state.tracks[1]));
        return;
    }
    panic!("no map has a town at the edge of its region");
}

/// Paths are kept up while tracks come and go; the battery compares them with new ones, here the board is crowded.
#[test]
fn crowded_boards_keep_their_connections_right() {
    let mut dice = game::Dice::new(3);
    for seed in 1..40 {
        let rules = Rules { paint: 60, disruption: 1 + seed as u8 % 3, ..Rules::STATEMENT };
        let mut test = TestGame::new(rules, seed);
        for _ in 0..40 {
            let free: Vec<usize> = test.state.free(test.game.map()).iter().collect();
            let mut answer = || {
                let mut line = String::from("WAIT");
                for _ in 0..dice.below(12) {
                    if free.is_empty() {
                        break;
                    }
                    let (x, y) = grid::xy(free[dice.below(free.len() as u32) as usize]);
                    write!(line, ";PLACE_TRACKS {x} {y}").expect("a string takes all");
                }
                line + &format!(";DISRUPT {}", dice.below(60))
            };
            let (first, second) = (answer(), answer());
            test.play([Some(&first), Some(&second)]);
            assert_eq!(game::Audit::rebuilt(&test.game, &test.state), test.state, "seed {seed}");
            if test.state.over.is_some() {
                break;
            }
        }
    }
}

#[test]
fn the_side_quest_needs_a_track_on_the_place_and_a_way_to_a_town() {
    let mut test = TestGame::new(Rules::STATEMENT, 1);
    let map = test.game.map();
    let place = map.terrains[3].first().unwrap();
    let town = usize::from(map.towns[0].cell);
    let route =
        back_track::autoplace::route(map, &test.state.rails(map), &test.state.inked_cells, town, place);
    let cells: Vec<usize> = route.cells().collect();
    assert_eq!(cells.last(), Some(&place));
    let (way, first) = (&cells[1..], cells[0]);
    let (x, y) = grid::xy(first);
    test.lay(0, way.iter().copied().filter(|&cell| cell != place));
    test.lay(1, [place]);
    let table_with = |owner: usize| {
        let mut other = TestGame { game: test.game.clone(), state: test.state };
        other.state.tracks[1].discard(place);
        other.lay(owner, [place]);
        let journal = other.play([Some(&format!("PLACE_TRACKS {x} {y}")), Some("WAIT")]);
        (other.state.side_quest, journal.events.contains(&Event::SideQuest { seat: 0 }))
    };
    assert!(test.game.map().costs[first] <= 3, "the paint is enough");
    assert_eq!(table_with(0), ([true, false], true));
    assert_eq!(table_with(2), ([true, false], true), "a neutral track on the place counts");
    assert_eq!(table_with(1), ([false, false], false), "a track of the opponent does not");
}
