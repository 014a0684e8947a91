//! Cases to train the value of `value` with.

use back_track::BackTrack;
use bots::{Handicap, Thinking};
use game::{Dice, Game, Selected, Silent};

use super::champion::BY_POINTS;
use super::mutual;
use super::planner::{Beliefs, Planner};
use super::playout::{Lookahead, Search};
use super::position::Position;
use super::value::{BOARD, FEATURES, board, kind};

/// The numbers of a row before the features: the seed, the kind of rules, the turn, the player, its points over the opponent now and
/// at the end, those that the simulation promises when later ones count less, whether the simulation ended the game, and the points of
/// both players in the turn.
const HEAD: usize = 9;

/// The numbers of a row of the cases: after the head, what is read of the simulation, then of the board before the turn.
const ROW: usize = HEAD + FEATURES + BOARD;

/// Plays a game of two weakened champions, which err by so many points, and adds two rows for each turn: the simulation of the two
/// answers that were played, as each of the players sees it.
///
/// They err so that what the players choose does not only depend on the position: otherwise the good of an answer could not be
/// told from that of the position in which it is chosen.
pub fn cases(selected: Selected, seed: i64, nodes: u64, noise: f32, rows: &mut Vec<f32>) {
    let game = BackTrack::new(BackTrack::rule_set(selected), seed);
    let state = game.start();
    let mut position = Position { game, state, me: 0 };
    let mut planner = Planner::new(Beliefs::USUAL);
    let mut dice = Dice::new(seed as u64);
    let handicap = Handicap { nodes, noise };
    let lookahead = Lookahead { learned: true, ..BY_POINTS.lookahead };
    let first = rows.len();
    while !position.game.to_act(&position.state).is_empty() {
        let chosen = [0, 1].map(|me| {
            position.me = me;
            let budget = Thinking::Nodes(nodes).begin(false);
            let mut error = || handicap.error(&mut dice);
            mutual::best(&mut planner, BY_POINTS, &position, budget, &mut error)
        });
        let Position { game, state, .. } = &position;
        let (rules, map) = (game.rules(), game.map());
        let mut after = *state;
        let orders = [0, 1].map(|at: usize| Some(chosen[at].order()));
        game.step(&mut after, &orders, &mut Silent);
        let points = after.scores.iter().sum::<i32>() - state.scores.iter().sum::<i32>();
        for me in 0..2 {
            let potential = planner.potential(rules, map, state);
            let before = board(rules, map, state, me, potential);
            let budget = Thinking::Nodes(u64::MAX).begin(false);
            let mut search = Search::new(&mut planner, lookahead, &position, me, budget);
            let Some(ending) = search.encounter(&chosen[me], &chosen[1 - me]) else { continue };
            let lead = (state.scores[me] - state.scores[1 - me]) as f32;
            rows.extend([seed as f32, kind(rules) as f32, f32::from(state.turns), me as f32, lead, 0.0]);
            let over = f32::from(u8::from(ending.features.is_none()));
            rows.extend([ending.by_points - lead, over, points as f32]);
            rows.extend(ending.features.unwrap_or([0.0; FEATURES]));
            rows.extend(before);
        }
        position.state = after;
    }
    let scores = position.state.scores;
    for row in rows[first..].chunks_exact_mut(ROW) {
        let me = usize::from(row[3] > 0.0);
        row[5] = (scores[me] - scores[1 - me]) as f32;
    }
}
