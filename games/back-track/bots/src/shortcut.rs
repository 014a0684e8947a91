//! Ways of fewest cells, which decide the path of a connection (rules, section 11.1).

use back_track::Map;
use back_track::grid::{Cells, SPAN, beside, directions, sides};

use super::ground::grown;

/// The tracks to place for a way of fewest cells between two cells inside `open`; of all such ways, one that needs the least
/// paint besides `rails`. With it comes the number of steps; `None` when there is no way.
pub(super) fn shortcut(
    map: &Map,
    open: &Cells,
    rails: &Cells,
    from: usize,
    to: usize,
) -> Option<(Vec<u16>, usize)> {
    let mut rings = vec![Cells::only(to)];
    let mut unseen = *open;
    unseen.discard(to);
    while unseen.contains(from) {
        let ring = grown(rings.last()?) & unseen;
        if ring.is_empty() {
            return None;
        }
        unseen -= ring;
        rings.push(ring);
    }
    // Ring by ring the least paint from a cell to the end; the cells of the way are all nearer to it than `from`.
    let mut paint = [0u16; SPAN];
    let nearest = |ring: &Cells, here: usize, paint: &[u16; SPAN]| {
        directions(sides(ring, here)).map(|direction| beside(here, direction)).min_by_key(|&cell| paint[cell])
    };
    for pair in rings.windows(2) {
        for here in &pair[1] {
            let Some(next) = nearest(&pair[0], here, &paint) else { continue };
            let own = if rails.contains(here) { 0 } else { u16::from(map.costs[here]) };
            paint[here] = paint[next].saturating_add(own);
        }
    }
    let mut tracks = Vec::new();
    let mut here = from;
    for ring in rings.iter().rev().skip(1) {
        here = nearest(ring, here, &paint)?;
        if !rails.contains(here) {
            tracks.push(here as u16);
        }
    }
    Some((tracks, rings.len() - 1))
}

#[cfg(test)]
mod tests {
    use back_track::{Links, Map, Rules};

    use super::*;

    #[test]
    fn a_shortcut_is_the_path_the_connection_takes() {
        for seed in 1..30 {
            let map = Map::new(&Rules::STATEMENT, seed);
            for (at, wish) in map.wishes().iter().enumerate() {
                let [from, to] =
                    [wish.from, wish.to].map(|town| usize::from(map.towns[usize::from(town)].cell));
                let (tracks, steps) =
                    shortcut(&map, &map.board, &map.town_cells, from, to).expect("the whole map is open");
                assert_eq!(steps, back_track::grid::distance(from, to));
                let mut board = [Cells::EMPTY; 3];
                for &cell in &tracks {
                    board[0].add(usize::from(cell));
                }
                assert_eq!(usize::from(Links::of(&map, &board).lengths[at]), steps);
            }
        }
    }

    #[test]
    fn what_is_closed_has_no_shortcut() {
        let map = Map::new(&Rules::STATEMENT, 1);
        let [from, to] = [0, 1].map(|town: usize| usize::from(map.towns[town].cell));
        assert!(shortcut(&map, &map.town_cells, &map.town_cells, from, to).is_none());
    }
}
