//! Checks and effects of each action (rules, section 8).

use super::*;
use ocean_of_code::{Cell, Power};

fn cell(x: u8, y: u8) -> Cell {
    Cell::new(x, y).expect("on the map")
}

#[test]
fn a_move_enters_the_cell_and_charges() {
    let mut table = Table::placed("5 5", "12 12");
    table.play(&["MOVE N SONAR", "MOVE S", "MOVE W SONAR", "MOVE E", "MOVE S MINE"]);
    let [first, second] = &table.state.submarines;
    assert_eq!((first.cell, first.charges), (cell(4, 5), [0, 2, 0, 1]));
    assert_eq!((second.cell, second.charges), (cell(13, 13), [0; 4]));
    assert_eq!(first.visited.len(), 4);
}

#[test]
fn a_charge_is_capped() {
    let mut table = Table::placed("0 5", "0 12").charged();
    table.play(&["MOVE E TORPEDO", "MOVE E"]);
    assert_eq!(table.state.submarines[0].charge(Power::Torpedo), 3);
}

#[test]
fn a_blocked_or_visited_cell_is_fatal() {
    let mut rows = SEA;
    rows[0] = ".xx............";
    rows[1] = ".xx............";
    let blocked = "Invalid move. Tried to move outside map or onto island";
    let visited = "Can't visit same location twice. Use surface.";
    for (start, lines, reason) in [
        ("0 0", &["MOVE E"][..], blocked),
        ("0 0", &["MOVE N"], blocked),
        ("0 0", &["MOVE W"], blocked),
        ("14 14", &["MOVE S"], blocked),
        ("14 14", &["MOVE E"], blocked),
        ("7 7", &["MOVE N", "SURFACE", "MOVE S"], visited),
        ("7 7", &["SURFACE|MOVE N", "SURFACE", "MOVE S"], visited),
        ("7 7", &["SILENCE N 0|MOVE N|SURFACE", "SURFACE", "MOVE N", "SURFACE", "MOVE S"], visited),
    ] {
        let mut table = Table::on(Rules::FULL, &rows, start, "10 10");
        table.play(lines);
        let end = table.end();
        assert_eq!((&*end.reason, end.lives[0]), (reason, -1), "{start} {lines:?}");
        assert!(table.last_fault().fatal);
    }
}

#[test]
fn surfacing_frees_the_trail() {
    let mut table = Table::placed("5 5", "12 12").charged();
    table.play(&["MOVE N", "MOVE N", "SURFACE|MOVE S"]);
    let submarine = &table.state.submarines[0];
    assert_eq!((submarine.cell, submarine.lives, submarine.visited.len()), (cell(5, 5), 5, 2));
    assert_eq!(submarine.charges, [3, 4, 6, 3]);
}

/// A wall, and a pool in the corner: (4, 7) is 2 cells from (4, 5) but 6 steps away.
fn walled() -> [&'static str; 15] {
    let mut rows = SEA;
    rows[6] = "...xxxxxxxxx...";
    rows[13] = "..xxx..........";
    rows[14] = "..x............";
    rows[12] = "xxx............";
    rows
}

#[test]
fn a_torpedo_goes_at_most_4_steps_through_water() {
    for (start, target, hit) in [
        ("7 5", "7 5", true),
        ("7 5", "7 1", true),
        ("7 5", "7 0", false),
        ("7 5", "9 3", true),
        ("7 5", "9 2", false),
        ("7 5", "7 6", false),
        ("7 5", "7 7", false),
        ("3 5", "3 7", true),
        ("4 5", "4 7", false),
        ("0 13", "0 11", false),
        ("0 13", "1 14", true),
        ("7 5", "-1 5", false),
        ("2 5", "-1 5", false),
        ("13 5", "15 5", false),
        ("7 0", "7 -1", false),
    ] {
        let mut table = Table::on(Rules::FULL, &walled(), start, "14 14").charged();
        table.play(&[&format!("TORPEDO {target}|MOVE E")]);
        let left = table.state.submarines[0].charge(Power::Torpedo);
        assert_eq!(left, if hit { 0 } else { 3 }, "{start} to {target}");
        assert_eq!(table.codes(), if hit { vec![] } else { vec!["out-of-reach"] }, "{start} to {target}");
    }
}

#[test]
fn a_trail_does_not_stop_a_torpedo() {
    let mut table = Table::placed("5 5", "12 12").charged();
    table.play(&["SILENCE N 4|MINE N|TORPEDO 5 5"]);
    assert_eq!(table.codes(), [""; 0]);
    assert_eq!(table.state.submarines[0].charge(Power::Torpedo), 0);
}

#[test]
fn an_explosion_hurts_everybody_near_it() {
    for (target, lives) in [
        ("5 5", [4, 5]),
        ("6 6", [5, 4]),
        ("6 5", [5, 5]),
        ("4 4", [5, 6]),
        ("7 7", [6, 5]),
        ("7 5", [6, 5]),
        ("5 9", [6, 6]),
    ] {
        let mut table = Table::placed("5 5", "6 6").charged();
        table.play(&[&format!("TORPEDO {target}")]);
        table.assert_lives(lives);
        let shown = table.journal.events.iter().any(|event| {
            matches!(event, Event::Explosion { damage, .. }
                if damage.map(i16::from) == lives.map(|left| 6 - i16::from(left)))
        });
        assert!(shown, "{target}: {:?}", table.journal.events);
    }
}

#[test]
fn islands_do_not_shield() {
    let mut rows = SEA;
    rows[5] = ".....x.........";
    let mut table = Table::on(Rules::FULL, &rows, "5 4", "4 5").charged();
    // (5, 5) is an island between them.
    table.play(&["TORPEDO 4 4"]);
    table.assert_lives([5, 5]);
}

#[test]
fn lives_never_go_below_0() {
    let mut table = Table::placed("5 5", "5 5").charged().lives([1, 1]);
    table.play(&["TORPEDO 5 5"]);
    let end = table.end();
    assert_eq!((end.lives, end.scores, end.winner, &*end.reason), ([0, 0], [0, 0], None, "zero-lives"));
}

#[test]
fn a_sonar_tells_about_the_moment_of_execution() {
    let mut table = Table::placed("0 0", "5 5").charged();
    table.play(&["SONAR 5|MOVE E", "MOVE W"]);
    assert!(table.told().contains("\nY\n"));
    table.play(&["SONAR 4|MOVE E", "MOVE W"]);
    // Uncharged, hence dropped.
    assert!(table.told().contains("\nNA\n"));
    table.state.submarines[0].charges[1] = 4;
    table.play(&["SONAR 5|MOVE E", "MOVE W"]);
    assert!(table.told().contains("\nN\n"));
    table.play(&["MOVE E", "MOVE W"]);
    assert!(table.told().contains("\nNA\n"));
    assert_eq!(table.codes(), ["uncharged"]);
}

#[test]
fn silence_takes_each_step_like_a_move() {
    let mut table = Table::placed("5 5", "12 12").charged();
    table.play(&["SILENCE E 4"]);
    let submarine = &table.state.submarines[0];
    assert_eq!((submarine.cell, submarine.visited.len()), (cell(9, 5), 5));
    assert_eq!(submarine.charges, [3, 4, 0, 3]);

    let mut table = Table::placed("5 5", "12 12").charged();
    table.play(&["SILENCE E 0"]);
    assert_eq!(table.state.submarines[0].charges[2], 0);
    table.assert_lives([6, 6]);

    // Over the own trail, and off the map.
    let mut table = Table::placed("5 5", "12 12").charged();
    table.play(&["MOVE E", "SURFACE", "SILENCE W 2"]);
    assert_eq!(table.end().reason, "Can't visit same location twice. Use surface.");
    let mut table = Table::placed("3 5", "12 12").charged();
    table.play(&["SILENCE W 4"]);
    assert_eq!(table.end().reason, "Invalid move. Tried to move outside map or onto island");
    assert_eq!(table.last_fault().came, "`SILENCE W 4`");
}

#[test]
fn a_mine_is_active_from_the_next_turn_on() {
    let mut table = Table::placed("5 5", "5 3").charged();
    table.play(&["MINE N|TRIGGER 5 4|MOVE W"]);
    assert_eq!(table.codes(), ["no-mine"]);
    table.play(&["MOVE E", "TRIGGER 5 4"]);
    table.assert_lives([5, 5]);
    assert!(table.state.submarines[0].mines.is_empty());
    table.play(&["SURFACE", "TRIGGER 5 4"]);
    assert_eq!(table.codes(), ["no-mine", "no-mine"]);
    table.assert_lives([4, 4]);
}

#[test]
fn where_a_mine_may_lie() {
    let mut rows = SEA;
    rows[4] = ".....xx........";
    rows[3] = ".....xx........";
    // Off the map, on an island: dropped, and the charge is kept.
    for (start, line) in [("5 5", "MINE N|MOVE S"), ("0 0", "MINE W|MOVE S"), ("14 14", "MINE S|MOVE N")] {
        let mut table = Table::on(Rules::FULL, &rows, start, "12 12").charged();
        table.play(&[line]);
        assert_eq!(table.codes(), ["mine-blocked"]);
        assert_eq!(table.state.submarines[0].charges[3], 3);
    }
    // On an own mine: dropped. On a visited cell, on the opponent, on its mine: fine.
    let mut table = Table::placed("5 5", "7 5").charged();
    table.play(&["MOVE E|MINE W", "MINE W"]);
    assert_eq!(table.codes(), [""; 0]);
    table.state.submarines[0].charges[3] = 3;
    table.play(&["MINE W|MOVE N"]);
    assert_eq!(table.codes(), ["mine-taken"]);
    assert_eq!(table.state.submarines[0].charges[3], 3);
}

#[test]
fn a_blown_mine_makes_room_at_once() {
    let mut table = Table::placed("5 5", "12 12").charged();
    table.play(&["MINE N", "MOVE N"]);
    table.state.submarines[0].charges[3] = 3;
    table.play(&["TRIGGER 5 4|MINE N", "MOVE N"]);
    assert_eq!(table.codes(), [""; 0]);
    assert!(table.state.submarines[0].mines.contains(cell(5, 4).index()));
    table.play(&["TRIGGER 5 4"]);
    table.assert_lives([4, 6]);
}

#[test]
fn only_own_mines_are_set_off() {
    let mut table = Table::placed("5 5", "7 5").charged();
    table.play(&["MINE E", "MINE W", "TRIGGER 6 5"]);
    table.assert_lives([5, 5]);
    assert!(table.state.submarines[1].mines.contains(cell(6, 5).index()));
    // Nor does an explosion set mines off.
    table.play(&["TORPEDO 7 6"]);
    assert!(table.state.submarines[1].mines.contains(cell(6, 5).index()));
    table.assert_lives([5, 4]);
    table.play(&["TRIGGER 6 5|MOVE W"]);
    assert_eq!(table.codes(), ["no-mine"]);
}

#[test]
fn a_trigger_needs_no_charge_but_two_integers() {
    for (line, code) in [
        ("TRIGGER", "trigger-numbers"),
        ("TRIGGER 3", "trigger-numbers"),
        ("TRIGGER 3 x", "trigger-numbers"),
        ("TRIGGER 3 4 5", "trigger-args"),
    ] {
        let mut table = Table::placed("5 5", "12 12");
        table.play(&[line]);
        assert_eq!(table.codes(), [code]);
        assert_eq!(table.end().winner, Some(1));
    }
    let mut table = Table::placed("5 5", "12 12");
    table.play(&["TRIGGER 2147483647 -1|MOVE N"]);
    assert_eq!(table.codes(), ["no-mine"]);
    assert_eq!(table.last_fault().came, "`TRIGGER 2147483647 -1`");
}
