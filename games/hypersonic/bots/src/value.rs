//! The learned value of a state: the chance of a player to be first.
//!
//! `training/hypersonic_value.py` learns it from recorded games; `value.json` says how. A search adds it to the evaluation by hand, which
//! it does not replace: alone, each of the two is weaker than both together.

use std::sync::LazyLock;

use bots::FactNetwork;
use game::Seat;
use hypersonic::{Cell, Forecast, Hypersonic, MAX_PLAYERS, State};

use super::beam::Script;
use super::facts::{Facts, facts, shift_leads};
use super::position::Position;

/// The weights; `value.json` says how they came about.
const FILE: &[u8] = include_bytes!("../value.bin");
static NETWORK: LazyLock<FactNetwork> =
    LazyLock::new(|| FactNetwork::read(FILE).expect("a test reads the file that is compiled in"));

/// The part of the learned value in the evaluation of a state; the rest is that of the evaluation by hand.
pub(super) const LEARNED: f32 = 0.3;
/// A box changes the chance to be first at least by so much, as a logarithm of odds: at the end of a game it may change nothing.
const LEAST: f32 = 0.1;

/// The learned value for one search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    /// Tenths of a box that one unit of the logarithm of the odds is worth.
    unit: f32,
    /// The last known cell of each player.
    cells: [Cell; MAX_PLAYERS],
}

impl Value {
    /// For a search from this position, in which the other players act as expected.
    pub(super) fn of(position: &Position, scripts: &[Script; MAX_PLAYERS]) -> Value {
        let Position { game, state, me } = position;
        let mut cells = state.players.map(|player| player.cell);
        for (cell, script) in cells.iter_mut().zip(scripts) {
            *cell = script.last().map_or(*cell, |last| last.to);
        }
        let forecast = Forecast::of(game, state, *me);
        let known = facts(game, state, &forecast, *me, cells);
        let with_lead = |more: i32| {
            let mut facts: Facts = known;
            shift_leads(&mut facts, more);
            odds(&facts)
        };
        let of_a_box = (with_lead(1) - with_lead(-1)) / 2.0;
        Value { unit: 10.0 / of_a_box.max(LEAST), cells }
    }

    /// What the learned value adds to the evaluation of a state, in tenths of a box.
    #[inline]
    pub(super) fn of_state(self, game: &Hypersonic, state: &State, forecast: &Forecast, me: Seat) -> f32 {
        LEARNED * self.unit * odds(&facts(game, state, forecast, me, self.cells))
    }
}

/// The logarithm of the odds to be first. The second answer, the boxes that the player will still score, only helped the training.
fn odds(facts: &Facts) -> f32 {
    NETWORK.judge(facts)[0]
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::facts::FACTS;

    #[test]
    fn the_network_knows_these_facts() {
        assert_eq!(NETWORK.facts(), FACTS);
    }

    #[test]
    fn answers_are_those_of_the_training() {
        let mut cases = 0;
        for line in include_str!("../value.cases").lines() {
            let mut words = line.split(' ');
            let expected = [(); 2].map(|()| words.next().unwrap().parse::<f32>().unwrap());
            let facts: Vec<u16> = words.map(|word| word.parse().unwrap()).collect();
            for (found, expected) in NETWORK.judge(&facts).into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-3 * expected.abs().max(1.0), "{found}, not {expected}");
            }
            cases += 1;
        }
        assert_eq!(cases, 24);
    }

    #[test]
    fn the_card_has_the_digest_of_the_weights() {
        let digest = catalog::record::hex(&Sha256::digest(FILE));
        let card = include_str!("../value.json");
        assert!(card.contains(&format!("\"sha256\": \"{digest}\"")), "{digest}");
        assert!(FILE.len() <= 500_000, "{} bytes", FILE.len());
    }

    #[test]
    fn boxes_make_the_first_place_likelier() {
        use game::Game;

        // Four players: among two, a single box matters less than the least that is assumed.
        let game = Hypersonic::new(hypersonic::Rules::of_version(4, 4), 7);
        let state = State { round: 40, ..game.start() };
        let mut position = Position { game, state, me: Seat(0) };
        for player in &mut position.state.players {
            player.boxes = 1;
        }
        let value = Value::of(&position, &Default::default());
        let worth = |mine: u16| {
            let mut state = position.state;
            state.players[0].boxes = mine;
            let forecast = Forecast::of(&position.game, &state, position.me);
            value.of_state(&position.game, &state, &forecast, position.me)
        };
        let [behind, even, ahead] = [0, 1, 2].map(worth);
        assert!(behind < even && even < ahead, "{behind}, {even}, {ahead}");
        // A box is worth ten tenths of a box, of which this is a part.
        let of_a_box = (ahead - behind) / 2.0;
        assert!((of_a_box - 10.0 * LEARNED).abs() < 0.01, "{of_a_box}");
    }
}
