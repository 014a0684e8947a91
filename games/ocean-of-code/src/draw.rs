//! The board for a terminal.

use std::fmt::Write as _;

use game::{Colour, Painter, Seat};

use crate::Rules;
use crate::grid::{Cell, SECTOR_SIZE, SIZE};
use crate::map::Map;
use crate::order::Power;
use crate::state::{Phase, State};

/// Draws the sea with all hidden information: `0` and `1` are the submarines (`&` both on one cell), `*` their mines,
/// `+` cells that both visited or mined, `o` their trails.
pub(crate) fn draw(rules: &Rules, map: &Map, state: &State, painter: &mut Painter) {
    let end = if let Phase::Over(ending) = state.phase { ending.label() } else { "" };
    painter.put(Colour::Plain, &format!("frame {}  {end}", state.frames));
    painter.line();
    for y in 0..SIZE {
        for x in 0..SIZE {
            if let Some(cell) = Cell::new(x, y) {
                let (colour, text) = picture(map, state, cell);
                painter.put(colour, text);
            }
            // Sectors are separated by a wider gap.
            let gap = if (x + 1) % SECTOR_SIZE == 0 { "  " } else { " " };
            painter.put(Colour::Plain, if x + 1 < SIZE { gap } else { "" });
        }
        painter.line();
        if (y + 1) % SECTOR_SIZE == 0 && y + 1 < SIZE {
            painter.line();
        }
    }
    for seat in [Seat(0), Seat(1)] {
        let submarine = state.submarine(seat);
        let mut text = format!("player {seat}: {} lives", submarine.lives);
        for power in Power::ALL {
            if let Some(needed) = rules.charge(power) {
                let charge = submarine.charge(power);
                write!(text, "  {} {charge}/{needed}", power.name()).expect("a string takes everything");
            }
        }
        text += "  ";
        submarine.shown.write(&mut text).expect("a string takes everything");
        painter.put(Colour::of_seat(seat.0), &text);
        painter.line();
    }
}

/// The picture of a cell.
fn picture(map: &Map, state: &State, cell: Cell) -> (Colour, &'static str) {
    if !map.is_water(cell) {
        return (Colour::Green, "#");
    }
    // Before the placement a submarine has no position: it has visited no cell.
    let on = |seat: usize| {
        let submarine = &state.submarines[seat];
        submarine.cell == cell && !submarine.visited.is_empty()
    };
    let by_seat = |there: [bool; 2], one: [&'static str; 2], both: &'static str| match there {
        [true, true] => Some((Colour::Bright, both)),
        [true, false] => Some((Colour::of_seat(0), one[0])),
        [false, true] => Some((Colour::of_seat(1), one[1])),
        [false, false] => None,
    };
    let mines = [0, 1].map(|seat: usize| state.submarines[seat].mines.contains(cell.index()));
    let trails = [0, 1].map(|seat: usize| state.submarines[seat].visited.contains(cell.index()));
    by_seat([on(0), on(1)], ["0", "1"], "&")
        .or_else(|| by_seat(mines, ["*", "*"], "+"))
        .or_else(|| by_seat(trails, ["o", "o"], "+"))
        .unwrap_or((Colour::Dim, "."))
}
