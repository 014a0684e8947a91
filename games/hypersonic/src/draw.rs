//! The board for a terminal.

use game::{Colour, Painter, Seats};

use crate::Hypersonic;
use crate::grid::{Cell, HEIGHT, WIDTH};
use crate::state::{Item, State};

/// Draws the board, two characters a cell, and a line for each player.
pub(crate) fn draw(game: &Hypersonic, state: &State, painter: &mut Painter) {
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let (colour, text) = picture(game, state, Cell::at(x, y));
            painter.put(colour, &text);
        }
        painter.line();
    }
    painter.put(Colour::Dim, "▒▒ box, r extra range, b extra bomb, ██ wall, * bomb and its rounds");
    painter.line();
    for seat in Seats::first(game.rules.players) {
        let player = state.player(seat);
        painter.put(Colour::of_seat(seat.0), &format!("player {seat}"));
        let text = match player.eliminated_at {
            None => format!("  bombs {}  range {}  boxes {}", player.available, player.range, player.boxes),
            Some(time) => format!("  out at {time}  boxes {}", player.boxes),
        };
        painter.put(Colour::Plain, &text);
        painter.line();
    }
}

/// The picture of a cell, players before bombs before items: `P1` is player 1 (`*1` on a bomb), `*8` a bomb with 8
/// rounds left in the colour of its owner, `+r` and `+b` an extra range and an extra bomb, `▒r`, `▒b` and `▒▒` boxes.
fn picture(game: &Hypersonic, state: &State, cell: Cell) -> (Colour, String) {
    if game.map.walls.contains(cell.index()) {
        return (Colour::Dim, "██".into());
    }
    for seat in state.living {
        if state.player(seat).cell == cell {
            let mark = if state.bomb_cells.contains(cell.index()) { '*' } else { 'P' };
            return (Colour::of_seat(seat.0), format!("{mark}{seat}"));
        }
    }
    if let Some(bomb) = state.bombs.iter().find(|bomb| bomb.cell == cell) {
        return (Colour::of_seat(bomb.owner), format!("*{}", state.rounds_left(bomb)));
    }
    let (colour, item) = match state.item(cell) {
        None => (Colour::Plain, '▒'),
        Some(Item::ExtraRange) => (Colour::Green, 'r'),
        Some(Item::ExtraBomb) => (Colour::Yellow, 'b'),
    };
    if state.boxes.contains(cell.index()) {
        (colour, format!("▒{item}"))
    } else if item != '▒' {
        (colour, format!("+{item}"))
    } else {
        (Colour::Dim, " .".into())
    }
}
