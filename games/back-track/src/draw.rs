//! The board for a terminal.

use game::{Colour, Painter};

use crate::map::{Map, Terrain};
use crate::state::State;

/// Draws the board: towns by id, tracks `#` in the colour of their owner, inked regions as blanks, rivers `~`,
/// mountains `^`, places of interest `*`, plains as dots, or as the instability of the region if it is not 0.
pub(crate) fn draw(map: &Map, state: &State, painter: &mut Painter) {
    let scores = state.scores;
    painter.put(Colour::of_seat(0), &format!("player 0: {}", scores[0]));
    painter.put(Colour::Plain, "   ");
    painter.put(Colour::of_seat(1), &format!("player 1: {}", scores[1]));
    painter.put(Colour::Plain, &format!("   connections: {}", state.links.active.count_ones()));
    painter.line();
    for (i, cell) in map.cells().enumerate() {
        let (colour, text) = picture(map, state, cell);
        painter.put(colour, &text);
        if (i + 1) % usize::from(map.width) == 0 {
            painter.line();
        }
    }
    painter.put(Colour::Dim, "numbers are towns, # tracks, ~ rivers, ^ mountains, * places of interest");
    painter.line();
}

/// Two characters for a cell.
fn picture(map: &Map, state: &State, cell: usize) -> (Colour, String) {
    let region = usize::from(map.regions[cell]);
    if let Some(town) = map.town_at(cell) {
        return (Colour::Bright, format!("{town:<2}"));
    }
    match state.owner(cell) {
        owner @ 0..=1 => return (Colour::of_seat(owner as u8), "# ".into()),
        2 => return (Colour::Magenta, "# ".into()),
        _ => (),
    }
    if state.inked >> region & 1 != 0 {
        return (Colour::Plain, "  ".into());
    }
    match (map.terrain(cell), state.instability[region]) {
        (Terrain::River, _) => (Colour::Cyan, "~ ".into()),
        (Terrain::Mountain, _) => (Colour::Dim, "^ ".into()),
        (Terrain::Place, _) => (Colour::Yellow, "* ".into()),
        (Terrain::Plains, 0) => (Colour::Dim, ". ".into()),
        (Terrain::Plains, instability) => (Colour::Yellow, format!("{instability:<2}")),
    }
}
