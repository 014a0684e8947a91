//! The student looks at the board once and takes the action that its network likes best, among those that cannot be punished.
//!
//! The network has learned by playing against itself (see `training/`); `network.json` says how long.

use std::sync::LazyLock;

use bots::{Budget, Judgement, Network};
use game::Arrays;
use hypersonic::{AREA, Command, Hypersonic, Verb, View};

use super::position::{Action, Position};
use super::{Player, safety};

static NETWORK: LazyLock<Network> =
    LazyLock::new(|| Network::read(include_bytes!("../network.bin")).expect("the file is a network: a test reads it"));

/// Rounds for which the traps of the opponents are worked out, and our own.
const TRAPS: u32 = 2;

/// What the network says about a position.
pub(super) fn judge(position: &Position) -> Judgement {
    let layout = Hypersonic::LAYOUT;
    let mut planes = vec![0; layout.planes.len() * AREA];
    let mut scalars = vec![0.0; layout.scalars.len()];
    let view = View { game: &position.game, state: &position.state, seat: position.me };
    position.game.observe(&view, &mut planes, &mut scalars);
    NETWORK.judge(&planes, &scalars)
}

/// Asks its network.
#[derive(Debug)]
pub(super) struct Student;

impl Player for Student {
    fn choose(&mut self, position: &Position, budget: &mut Budget) -> Action {
        let allowed = safety::untrapped(position, safety::safest(position), TRAPS, budget, 0.5);
        if let Some(action) = safety::kill(position, &allowed, TRAPS, budget, 0.8) {
            return action;
        }
        let judgement = judge(position);
        let liked = |action: &&Action| {
            let view = View { game: &position.game, state: &position.state, seat: position.me };
            let verb = if action.bomb { Verb::Bomb } else { Verb::Move };
            let order =
                Ok(Command { verb, x: action.to.x() as i32, y: action.to.y() as i32, message: None });
            let mut choice = [0];
            position.game.action_of(&view, &order, &mut choice);
            judgement.logits[usize::from(choice[0])]
        };
        let best = allowed.iter().max_by(|a, b| liked(a).total_cmp(&liked(b)));
        best.copied().unwrap_or(allowed[0])
    }
}
