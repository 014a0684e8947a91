//! Turns, frames, disqualification and the end (rules, sections 5, 10 and 11).

use super::*;

#[test]
fn every_executed_action_costs_a_frame() {
    let mut table = Table::placed("5 5", "12 12").charged();
    assert_eq!((table.state.turn, table.state.frames), (1, 2));
    table.play(&["MOVE N"]);
    assert_eq!((table.state.turn, table.state.frames), (2, 3));
    table.play(&["MSG|MOVE N|TRIGGER 3 3|SONAR 1|MSG|MINE N"]);
    assert_eq!((table.state.turn, table.state.frames), (3, 6));
    assert_eq!(table.to_act(), Seat(0));
}

#[test]
fn the_turn_limit_takes_a_frame_to_notice() {
    let rules = Rules { max_turns: 3, ..Rules::FULL };
    let mut table = Table::on(rules, &SEA, "5 5", "7 7");
    table.play(&["MOVE N", "SURFACE", "MOVE N"]);
    let end = table.end();
    assert_eq!((&*end.reason, end.turn_count, end.frames), ("turn-limit", 3, 5));
    assert_eq!((end.scores, end.winner), ([6, 5], Some(0)));
}

#[test]
fn both_players_get_299_turns() {
    // Surfacing costs nothing here, so that nobody has to move.
    let rules = Rules { surface_damage: 0, ..Rules::FULL };
    let mut table = Table::on(rules, &SEA, "5 5", "7 7");
    let mut turns = 0;
    while !table.game.to_act(&table.state).is_empty() {
        table.play(&["SURFACE"]);
        turns += 1;
    }
    assert_eq!(turns, 598);
    let end = table.end();
    assert_eq!((&*end.reason, end.turn_count, end.frames, end.winner), ("turn-limit", 598, 600, None));
}

#[test]
fn the_frame_limit_cuts_a_chain() {
    let rules = Rules { max_frames: 4, ..Rules::FULL };
    let mut table = Table::on(rules.clone(), &SEA, "5 5", "7 7");
    // Frames 2 and 3 are turn 1, frame 4 is the first action of turn 2.
    table.play(&["MOVE N|SURFACE", "SURFACE|MOVE N|garbage"]);
    let end = table.end();
    assert_eq!((&*end.reason, end.turn_count, end.frames), ("frame-limit", 2, 4));
    assert_eq!((end.scores, end.lives), ([5, 5], [5, 5]));
    assert_eq!(table.codes(), [""; 0]);

    // A malformed piece right behind the last executed action is still scanned.
    let mut table = Table::on(rules.clone(), &SEA, "5 5", "7 7");
    table.play(&["MOVE N|SURFACE", "SURFACE|garbage"]);
    assert_eq!(table.end().scores, [5, -1]);

    // The frame that would notice the end is cut off, but zero lives take precedence.
    let mut table = Table::on(rules.clone(), &SEA, "5 5", "7 7").lives([6, 1]);
    table.play(&["MOVE N|SURFACE", "SURFACE"]);
    let end = table.end();
    assert_eq!((&*end.reason, end.frames, end.scores), ("zero-lives", 4, [5, 0]));

    // The last frame may also be the one that would start a turn.
    let mut table = Table::on(Rules { max_frames: 3, ..Rules::FULL }, &SEA, "5 5", "7 7");
    table.play(&["MOVE N"]);
    assert_eq!(table.to_act(), Seat(1));
    table.play(&["MOVE N"]);
    let end = table.end();
    assert_eq!((&*end.reason, end.frames, end.turn_count), ("frame-limit", 3, 2));
}

#[test]
fn one_frame_is_the_placement_alone() {
    let mut table = Table::new(Rules { max_frames: 1, ..Rules::FULL }, &SEA);
    table.play(&["1 1", "2 2"]);
    let end = table.end();
    assert_eq!((&*end.reason, end.frames, end.turn_count), ("frame-limit", 1, 0));
}

#[test]
fn zero_lives_are_noticed_one_frame_later() {
    let mut table = Table::placed("5 5", "12 12").lives([1, 3]);
    table.play(&["SURFACE"]);
    let end = table.end();
    assert_eq!((&*end.reason, end.turn_count, end.frames), ("zero-lives", 1, 3));
    assert_eq!((end.scores, end.winner, end.disqualified), ([0, 3], Some(1), [false, false]));
}

#[test]
fn the_scan_behind_a_killing_shot_still_runs() {
    let kill = |rest: &str| {
        let mut table = Table::placed("5 5", "5 8").charged().lives([6, 2]);
        table.play(&[&format!("TORPEDO 5 8|{rest}")]);
        table
    };
    // An illegal but well-formed move is never executed.
    let table = kill("MOVE N|SURFACE");
    let end = table.end();
    assert_eq!((end.scores, end.winner, end.frames, &*end.reason), ([6, 0], Some(0), 3, "zero-lives"));
    assert_eq!(table.state.submarines[0].cell.y(), 5);
    // A malformed one costs the victory; the score of the other is from before the shot.
    for rest in ["MOVE X", "MSG a|TRIGGER 1 1|garbage", "SONAR 0"] {
        let end = kill(rest).end();
        assert_eq!((end.scores, end.lives, end.winner), ([-1, 2], [-1, 0], Some(1)), "{rest}");
        assert_eq!((end.disqualified, end.frames), ([true, false], 2));
    }
    // Behind an executable action it is not reached.
    assert_eq!(kill("MOVE S|garbage").end().winner, Some(0));
}

#[test]
fn the_other_score_is_stale_after_a_disqualification() {
    let mut table = Table::placed("5 5", "5 8").charged();
    table.play(&["TORPEDO 5 8|MOVE X"]);
    let end = table.end();
    assert_eq!((end.scores, end.lives), ([-1, 6], [-1, 4]));
    // With a frame in between, the update was made.
    let mut table = Table::placed("5 5", "5 8").charged();
    table.play(&["TORPEDO 5 8|MOVE N|SONAR x"]);
    assert_eq!(table.end().scores, [-1, 4]);
    // A move that fails in its own frame leaves the update of the frame before.
    let mut table = Table::placed("5 0", "5 3").charged();
    table.play(&["TORPEDO 5 3|MOVE N"]);
    assert_eq!((table.end().scores, table.end().frames), ([-1, 4], 3));
}

#[test]
fn outcome_names_the_ending() {
    let mut table = Table::placed("5 5", "12 12");
    assert_eq!(table.game.outcome(&table.state).reason, "");
    table.play(&["MOVE"]);
    let outcome = table.game.outcome(&table.state);
    assert_eq!((outcome.scores, outcome.ranks), (vec![-1, 6], vec![2, 1]));
    assert_eq!((outcome.disqualified, &*outcome.reason), (vec![true, false], "disqualified"));
}
