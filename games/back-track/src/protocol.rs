//! The lines that are sent to a player (rules, section 7).

use std::fmt::Write as _;

use game::Seat;

use crate::grid::{SPAN, xy};
use crate::links::{self, bits};
use crate::map::{MAX_REGIONS, MAX_WISHES, Map};
use crate::state::State;

/// The knowledge of a player: everything. The game has no hidden information.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The map.
    pub map: &'a Map,
    /// The state.
    pub state: &'a State,
    /// The player whose view it is.
    pub seat: Seat,
}

/// The lines before the first turn.
pub(crate) fn write_init(view: &View<'_>, out: &mut String) {
    let map = view.map;
    let _ = writeln!(out, "{}\n{}\n{}", view.seat, map.width, map.height);
    for cell in map.cells() {
        put_small(out, map.regions[cell]);
        out.push(' ');
        put_small(out, map.terrain(cell) as u8);
        out.push('\n');
    }
    let _ = writeln!(out, "{}", map.town_count);
    for (id, town) in map.towns().iter().enumerate() {
        let (x, y) = xy(usize::from(town.cell));
        let _ = write!(out, "{id} {x} {y} ");
        if town.desires == 0 {
            out.push('x');
        }
        for (i, other) in Map::ids(u64::from(town.desires)).enumerate() {
            let separator = if i > 0 { "," } else { "" };
            let _ = write!(out, "{separator}{other}");
        }
        out.push('\n');
    }
}

/// The lines of a turn.
pub(crate) fn write_turn(view: &View<'_>, out: &mut String) {
    let View { map, state, seat } = *view;
    let own = seat.index();
    let _ = writeln!(out, "{}\n{}", state.scores[own], state.scores[1 - own]);

    // All cells of a region without a track and without a connection have the same line; other cells differ at the ends
    // of the line.
    let mut lines = String::new();
    let mut starts = [0; MAX_REGIONS + 1];
    for region in 0..usize::from(map.region_count) {
        lines.push_str("-1 ");
        put_small(&mut lines, state.instability[region]);
        lines.push_str(if state.inked >> region & 1 == 0 { " 0 x\n" } else { " 1 x\n" });
        starts[region + 1] = lines.len();
    }
    let names = Names::new(map);
    let crossed = crossings(map, state, &names);
    out.reserve(10 * map.board.len() as usize);
    for cell in map.cells() {
        let region = usize::from(map.regions[cell]);
        let mut line = &lines[starts[region]..starts[region + 1]];
        let owner = state.owner(cell);
        if owner >= 0 {
            out.push(char::from(b'0' + owner as u8));
            line = &line["-1".len()..];
        }
        match crossed.as_ref().map_or(0, |crossed| crossed[cell]) {
            0 => out.push_str(line),
            ranks => {
                out.push_str(&line[..line.len() - "x\n".len()]);
                for (i, rank) in bits(ranks).enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    names.put(map, rank, out);
                }
                out.push('\n');
            }
        }
    }
}

/// The active connections through each cell, a bit each, by their rank as text; `None` if there are no active
/// connections.
fn crossings(map: &Map, state: &State, names: &Names) -> Option<Box<[u128; SPAN]>> {
    if state.links.active == 0 {
        return None;
    }
    let mut crossed = Box::new([0; SPAN]);
    let mut ranks = [0; MAX_WISHES];
    for (rank, &wish) in names.by_rank.iter().enumerate() {
        ranks[usize::from(wish)] = rank;
    }
    for (to, town) in map.towns().iter().enumerate() {
        let connected = Map::ids(u64::from(town.desired_by))
            .filter(|&from| state.links.active >> map.wish(from, to) & 1 != 0)
            .fold(0, |set, from| set | 1 << from);
        if connected != 0 {
            links::paths_to(map, &state.tracks, to, connected, |from, cell| {
                crossed[cell] |= 1 << ranks[map.wish(from, to)];
            });
        }
    }
    Some(crossed)
}

/// The wishes sorted as the protocol prints them: `1-0`, `10-2`, `2-3`.
struct Names {
    by_rank: [u8; MAX_WISHES],
}

impl Names {
    fn new(map: &Map) -> Self {
        let mut by_rank: [u8; MAX_WISHES] = std::array::from_fn(|wish| wish as u8);
        // Below 100, a number followed by `-` sorts by its first digit, then by whether it has a second digit, then by
        // that digit: `-` comes before all digits. The end of the text sorts in the same way.
        let key = |id: u8| if id < 10 { id * 11 } else { id / 10 * 11 + 1 + id % 10 };
        by_rank[..usize::from(map.wish_count)].sort_unstable_by_key(|&wish| {
            let wish = map.wishes[usize::from(wish)];
            (key(wish.from), key(wish.to))
        });
        Names { by_rank }
    }

    fn put(&self, map: &Map, rank: usize, out: &mut String) {
        let wish = map.wishes[usize::from(self.by_rank[rank])];
        put_small(out, wish.from);
        out.push('-');
        put_small(out, wish.to);
    }
}

/// Writes a number below 256.
fn put_small(out: &mut String, number: u8) {
    if number >= 100 {
        out.push(char::from(b'0' + number / 100));
    }
    if number >= 10 {
        out.push(char::from(b'0' + number / 10 % 10));
    }
    out.push(char::from(b'0' + number % 10));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    #[test]
    fn wishes_are_ranked_as_text() {
        for seed in 1..200 {
            let map = Map::new(&Rules::STATEMENT, seed);
            let names = Names::new(&map);
            let written: Vec<String> = (0..usize::from(map.wish_count))
                .map(|rank| {
                    let mut text = String::new();
                    names.put(&map, rank, &mut text);
                    text
                })
                .collect();
            assert!(written.is_sorted(), "{written:?}");
        }
    }

    #[test]
    fn small_numbers() {
        for number in 0..=u8::MAX {
            let mut text = String::new();
            put_small(&mut text, number);
            assert_eq!(text, number.to_string());
        }
    }
}
