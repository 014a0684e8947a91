//! Steps of the game's own engine, as searches take them.

use game::{Game, Seat, Seats, Silent};
use hypersonic::{Cell, Command, Direction, Hypersonic, MAX_PLAYERS, Order, Reason, Reasons, State, Verb};

use super::sight::{Action, Actions};

/// One order per seat.
pub(super) type Orders = [Option<Order>; MAX_PLAYERS];

/// Nobody can stand in a wall, and no blast comes there: who is put here takes no more part.
const ASIDE: Cell = Cell::at(1, 1);

/// The order that an action is, as a step takes it.
#[allow(clippy::unnecessary_wraps)]
#[inline]
pub(super) fn order(action: Action) -> Option<Order> {
    let verb = if action.bomb { Verb::Bomb } else { Verb::Move };
    Some(Ok(Command { verb, x: action.to.x() as i32, y: action.to.y() as i32, message: None }))
}

/// All actions of a player: it stays or goes to an open neighbour, with a bomb or without. Those without come first.
pub(super) fn actions(game: &Hypersonic, state: &State, seat: Seat) -> Actions {
    let mut actions = Actions::default();
    let cell = state.player(seat).cell;
    let open = game.open_cells(state);
    let bombs: &[bool] = if may_bomb(state, seat) { &[false, true] } else { &[false] };
    for &bomb in bombs {
        actions.push(Action { bomb, to: cell });
        for to in Direction::ALL.into_iter().filter_map(|direction| cell.next(direction)) {
            if open.contains(to.index()) {
                actions.push(Action { bomb, to });
            }
        }
    }
    actions
}

/// Whether a player can lay a bomb now.
#[inline]
pub(super) fn may_bomb(state: &State, seat: Seat) -> bool {
    let player = state.player(seat);
    player.available > 0 && !state.bomb_cells.contains(player.cell.index())
}

/// Stays where it is.
pub(super) fn stay(state: &State, seat: Seat) -> Action {
    Action { bomb: false, to: state.player(seat).cell }
}

/// Puts a player aside: nobody knows what it will do, so it does nothing and nothing happens to it. Its bombs burn on.
#[inline]
pub(super) fn put_aside(state: &mut State, seat: Seat) {
    state.players[seat.index()].cell = ASIDE;
}

/// Plays a round. An opponent who would die is put aside instead: a forecast of his moves is no more than that, and he will
/// not walk into a blast because we foresaw it. So the game goes on as long as the player `me` lives; false when it does not.
#[inline]
pub(super) fn advance(game: &Hypersonic, state: &mut State, orders: &Orders, me: Seat) -> bool {
    let before = state.living;
    game.step(state, orders, &mut Silent);
    if state.living != before {
        for seat in before {
            if seat != me && !state.living.contains(seat) {
                revive(state, seat);
            }
        }
        if !state.living.contains(me) {
            return false;
        }
        if state.ended.iter().all(|reason| reason == Reason::LastStanding) {
            state.ended = Reasons::NONE;
        }
    }
    true
}

fn revive(state: &mut State, seat: Seat) {
    state.players[seat.index()].eliminated_at = None;
    state.living.add(seat);
    put_aside(state, seat);
}

/// Everybody stays.
pub(super) fn idle(state: &State) -> Orders {
    let mut orders = Orders::default();
    for seat in Seats::first(MAX_PLAYERS as u8) {
        orders[seat.index()] = order(stay(state, seat));
    }
    orders
}
