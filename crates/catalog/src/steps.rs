//! The steps of a match whose orders are known, as a search plays them: no random play, no map to make, no text.

use std::hint::black_box;

use game::{Game, Seat, Silent};

/// A match with its orders, to be played again and again.
pub trait Steps: Send {
    /// Plays all steps of the match from its start.
    fn play(&self);
    /// The number of steps.
    fn count(&self) -> u64;
}

struct Known<G: Game> {
    game: G,
    /// The orders of each step, by seat.
    orders: Vec<Vec<Option<G::Order>>>,
}

/// Reads the answers of a match, which are those of the awaited seats in ascending order, step by step. A match whose
/// answers are not all there ends early.
pub(crate) fn read<G: Game>(rules: G::Rules, seed: i64, answers: &[(Seat, Vec<u8>)]) -> Box<dyn Steps> {
    let players = usize::from(game::Rules::players(&rules));
    let game = G::new(rules, seed);
    let mut state = game.start();
    let mut steps = Vec::new();
    let mut answers = answers;
    loop {
        let awaited = game.to_act(&state);
        let Some((now, later)) =
            answers.split_at_checked(awaited.len() as usize).filter(|(now, _)| !now.is_empty())
        else {
            break;
        };
        answers = later;
        let mut orders = vec![None; players];
        for (seat, answer) in now {
            orders[seat.index()] = Some(G::parse(&game.view(&state, *seat), answer));
        }
        game.step(&mut state, &orders, &mut Silent);
        steps.push(orders);
    }
    Box::new(Known { game, orders: steps })
}

impl<G: Game> Steps for Known<G> {
    fn play(&self) {
        let mut state = self.game.start();
        for orders in &self.orders {
            self.game.step(&mut state, orders, &mut Silent);
        }
        // The compiler must not remove the steps, whose result is not used.
        black_box(&state);
    }

    fn count(&self) -> u64 {
        self.orders.len() as u64
    }
}
