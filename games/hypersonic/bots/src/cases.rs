//! Cases to train the value of `value` with.

use bots::{Handicap, Thinking};
use game::{Dice, Game, Seat, Seats, Selected, Silent};
use hypersonic::{Forecast, Hypersonic};

use super::Player;
use super::champion::Champion;
use super::champion_1::FirstChampion;
use super::facts::{FACTS, MOST, facts};
use super::legend::PredictingBeam;
use super::position::Position;
use super::safety;
use super::simulate::{Orders, idle, order};

pub use super::facts::groups;

/// The numbers of a case: seed, players, round, seat, bot, share of the first place in twelfths, and boxes now (with those that will
/// explode) and at the end; then the facts, filled up with the number of all facts.
pub const CASE: usize = 8 + MOST;

/// The bots of a game, as numbers of a case.
const LEGEND: u16 = 0;
const FIRST_CHAMPION: u16 = 1;
const CHAMPION: u16 = 2;

/// More nodes are of no use to the legend.
const LEGEND_NODES: u64 = 2500;
/// The champion errs a little, so that no two games are alike, and does not look for replies, which would take most of its nodes.
const ERRS: Handicap = Handicap { nodes: u64::MAX, noise: 0.5 };

/// Plays a game of legends and champions, each of which thinks for so many nodes, and adds a case for each player and round.
///
/// Now and then a player acts by chance, so that what it does not only depend on the position.
pub fn cases(selected: Selected, seed: i64, nodes: u64, chance: u32, cases: &mut Vec<u16>) {
    let game = Hypersonic::new(Hypersonic::rule_set(selected), seed);
    let state = game.start();
    let mut position = Position { game, state, me: Seat(0) };
    let mut dice = Dice::new(seed as u64);
    let seats: Vec<Seat> = Seats::first(selected.players).collect();
    let mut players: Vec<(u16, Box<dyn Player>)> = seats
        .iter()
        .map(|seat| {
            let seed = (seed as u64) << 2 | u64::from(seat.0);
            let bot: (u16, Box<dyn Player>) = match dice.below(8) {
                0 => (FIRST_CHAMPION, Box::new(FirstChampion::new(seed))),
                1..=4 => (CHAMPION, Box::new(Champion::new(seed, ERRS))),
                _ => (LEGEND, Box::new(PredictingBeam::default())),
            };
            bot
        })
        .collect();
    let first = cases.len();
    while !position.game.to_act(&position.state).is_empty() {
        let mut orders: Orders = idle(&position.state);
        for seat in position.state.living {
            position.me = seat;
            let Position { game, state, .. } = &position;
            let forecast = Forecast::of(game, state, seat);
            let cells = state.players.map(|player| player.cell);
            let player = state.player(seat);
            let burning: u16 =
                forecast.boxes[..=forecast.last].iter().map(|by| u16::from(by[seat.index()])).sum();
            cases.extend([seed as u16, u16::from(selected.players), state.round, u16::from(seat.0)]);
            cases.extend([players[seat.index()].0, 0, player.boxes + burning, 0]);
            let found = facts(game, state, &forecast, seat, cells);
            cases.extend(found.iter());
            cases.extend(std::iter::repeat_n(FACTS as u16, MOST - found.len()));
            let safe = safety::safest(&position);
            let (bot, player) = &mut players[seat.index()];
            let action = if dice.below(1000) < chance && !safe.is_empty() {
                safe[dice.below(safe.len() as u32) as usize]
            } else {
                let nodes = if *bot == LEGEND { nodes.min(LEGEND_NODES) } else { nodes };
                player.choose(&position, &mut Thinking::Nodes(nodes).begin(false))
            };
            orders[seat.index()] = order(action);
        }
        position.game.step(&mut position.state, &orders, &mut Silent);
    }
    let outcome = position.game.outcome(&position.state);
    let best = outcome.scores.iter().copied().max().unwrap_or(0);
    let firsts = outcome.scores.iter().filter(|&&score| score == best).count() as u16;
    for case in cases[first..].chunks_exact_mut(CASE) {
        let seat = usize::from(case[3]);
        case[5] = if outcome.scores[seat] == best { 12 / firsts } else { 0 };
        case[7] = position.state.players[seat].boxes;
    }
}
