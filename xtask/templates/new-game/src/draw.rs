//! The board for a terminal.

use game::{Colour, Painter, Seats};

use crate::__Name__;
use crate::map::Cell;
use crate::rules::PLAYERS;
use crate::state::State;

/// Draws the board, two characters a cell, and a line for each player.
pub(crate) fn draw(game: &__Name__, state: &State, painter: &mut Painter) {
    for y in 0..game.rules.size {
        for x in 0..game.rules.size {
            let (colour, text) = picture(state, [x, y]);
            painter.put(colour, &text);
        }
        painter.line();
    }
    for seat in Seats::first(PLAYERS as u8) {
        painter.put(Colour::of_seat(seat.0), &format!("player {seat}"));
        painter.put(Colour::Plain, &format!("  coins {}", state.collected[seat.index()]));
        painter.line();
    }
}

/// What is shown of a cell: `P1` is player 1, `PP` both players, `()` a coin.
fn picture(state: &State, cell: Cell) -> (Colour, String) {
    match state.players.iter().position(|&player| player == cell) {
        Some(_) if state.players[0] == state.players[1] => (Colour::Bright, "PP".to_owned()),
        Some(seat) => (Colour::of_seat(seat as u8), format!("P{seat}")),
        None if state.coins.contains(cell) => (Colour::Yellow, "()".to_owned()),
        None => (Colour::Dim, " .".to_owned()),
    }
}
