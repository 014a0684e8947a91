//! One turn.

use game::{Fault, FaultKind, Log, Seat, Seats, quote};

use crate::__Name__;
use crate::event::Event;
use crate::map::Cell;
use crate::protocol::{Command, Direction, EXPECTED, EXPECTED_FR, Order, print};
use crate::rules::PLAYERS;
use crate::state::State;

/// The longest message that is shown, in characters.
const LONGEST_MESSAGE: usize = 40;

impl __Name__ {
    /// What ended the game; `None` while it goes on.
    pub(crate) fn ending(&self, state: &State) -> Option<&'static str> {
        if !state.disqualified.is_empty() {
            Some("disqualified")
        } else if state.coins.is_empty() {
            Some("no-coins")
        } else if state.turn >= self.rules.turns {
            Some("turn-limit")
        } else {
            None
        }
    }

    /// The cell that lies in a direction; `None` outside the grid.
    pub fn neighbour(&self, [x, y]: Cell, direction: Direction) -> Option<Cell> {
        let (dx, dy) = direction.step();
        let (x, y) = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
        (x < self.rules.size && y < self.rules.size).then_some([x, y])
    }

    /// Plays a turn: all players move at the same time, then coins are collected.
    pub(crate) fn play(&self, state: &mut State, orders: &[Option<Order>], log: &mut impl Log<Event>) {
        for seat in Seats::first(PLAYERS as u8) {
            match orders.get(seat.index()) {
                Some(Some(Ok(command))) => self.go(state, seat, command, log),
                Some(Some(Err(unreadable))) => {
                    state.disqualified.add(seat);
                    log.fault(|| {
                        fault(state, seat, FaultKind::Unreadable, true, "unreadable", quote(&unreadable.0))
                    });
                }
                Some(None) | None => {
                    state.disqualified.add(seat);
                    log.fault(|| fault(state, seat, FaultKind::Missing, true, "no-answer", "nothing".into()));
                }
            }
        }
        collect(state, log);
        state.turn += 1;
    }

    /// Moves a player. Outside the grid there is nowhere to go: the player stays, and the answer is a fault.
    fn go(&self, state: &mut State, seat: Seat, command: &Command, log: &mut impl Log<Event>) {
        match self.neighbour(state.players[seat.index()], command.direction) {
            None => log.fault(|| {
                let came = quote(&print(&Ok(command.clone())));
                fault(state, seat, FaultKind::NotAllowed, false, "off-grid", came)
            }),
            Some(to) if to != state.players[seat.index()] => {
                state.players[seat.index()] = to;
                log.event(|| Event::Moved { seat, to });
            }
            Some(_) => {}
        }
        if let Some(message) = &command.message {
            log.event(|| Event::Message { seat, text: game::text::safe_line(message, LONGEST_MESSAGE) });
        }
    }
}

/// Each player collects the coin of its cell. A coin that both players reach at the same time is lost.
fn collect(state: &mut State, log: &mut impl Log<Event>) {
    if state.players[0] == state.players[1] {
        state.coins.discard(state.players[0]);
        return;
    }
    for seat in Seats::first(PLAYERS as u8) {
        let at = state.players[seat.index()];
        if state.coins.contains(at) && !state.disqualified.contains(seat) {
            state.coins.discard(at);
            state.collected[seat.index()] += 1;
            log.event(|| Event::Collected { seat, at });
        }
    }
}

fn fault(state: &State, seat: Seat, kind: FaultKind, fatal: bool, code: &'static str, came: String) -> Fault {
    let (expected, expected_fr) = if kind == FaultKind::NotAllowed {
        ("a direction that stays on the grid", "une direction qui reste sur la grille")
    } else {
        (EXPECTED, EXPECTED_FR)
    };
    Fault {
        turn: u32::from(state.turn),
        seat,
        kind,
        fatal,
        code: code.into(),
        reason: String::new(),
        expected: expected.into(),
        expected_fr: expected_fr.into(),
        came,
    }
}
