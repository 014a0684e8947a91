//! Rounds played by the game's own engine, for searches.

use game::{Game, Seat, Seats, Silent};
use hypersonic::{Cell, Command, Direction, Hypersonic, MAX_PLAYERS, Order, Reason, Reasons, State, Verb};

use super::position::{Action, Actions};

/// One order per seat.
pub(super) type Orders = [Option<Order>; MAX_PLAYERS];

/// A wall: no player stands there and no explosion reaches it. A player that is put here is off the board.
const ASIDE: Cell = Cell::at(1, 1);

/// An action as an order of the game.
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

/// The action of staying.
pub(super) fn stay(state: &State, seat: Seat) -> Action {
    Action { bomb: false, to: state.player(seat).cell }
}

/// Takes a player off the board: its actions are unknown, so it does nothing and nothing happens to it. Its bombs stay in play.
#[inline]
pub(super) fn put_aside(state: &mut State, seat: Seat) {
    state.players[seat.index()].cell = ASIDE;
}

/// Plays a round. An opponent that would die is taken off the board instead: its expected actions are only a guess, and it will not
/// walk into an explosion. So the game goes on as long as the player `me` lives; false when it does not.
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

/// The orders with which all players stay.
pub(super) fn idle(state: &State) -> Orders {
    let mut orders = Orders::default();
    for seat in Seats::first(MAX_PLAYERS as u8) {
        orders[seat.index()] = order(stay(state, seat));
    }
    orders
}
