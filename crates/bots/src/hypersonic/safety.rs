//! Which actions cannot be punished: those after which a way out is left whatever the others do now.

use game::Seat;

use super::forecast::Forecast;
use super::sight::{Action, Actions, Position};
use super::simulate::{actions, idle, may_bomb, order};

/// The actions that are safe against every choice of bombs laid now. If there are none: those that are safe if nobody lays
/// one, and then all.
pub(super) fn safest(position: &Position) -> Actions {
    let all = actions(&position.game, &position.state, position.me);
    let bombers: Vec<Seat> = position.opponents().filter(|&seat| may_bomb(&position.state, seat)).collect();
    let mut best = all;
    let mut most = 0;
    let subsets = 1 << bombers.len();
    for level in [1, subsets] {
        if level <= most {
            continue;
        }
        let mut safe = all;
        safe.retain(|_, &action| (0..level).all(|subset| lives(position, action, &bombers, subset)));
        if safe.is_empty() {
            break;
        }
        best = safe;
        most = level;
    }
    best
}

/// Whether a way out is left after an action if those opponents lay bombs now.
fn lives(position: &Position, action: Action, bombers: &[Seat], subset: usize) -> bool {
    let mut state = position.state;
    let mut orders = idle(&state);
    for (i, &seat) in bombers.iter().enumerate() {
        if subset >> i & 1 != 0 {
            orders[seat.index()] = order(Action { bomb: true, to: state.player(seat).cell });
        }
    }
    orders[position.me.index()] = order(action);
    super::simulate::advance(&position.game, &mut state, &orders, position.me)
        && Forecast::of(&position.game, &state, position.me).survives(state.player(position.me).cell)
}
