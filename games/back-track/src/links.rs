//! Active connections and their points (rules, section 11.1).

use crate::grid::{Cells, distance, ring, sides};
use crate::map::{MAX_TOWNS, MAX_WISHES, Map};
use crate::wave::{Field, towns_around};

/// The active connections of a board. They follow from the tracks; paths are not stored but found again by [`path`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Links {
    /// The active connections among the map's wishes, a bit each.
    pub active: u128,
    /// The points of all active connections for each player each turn.
    pub points: [u32; 2],
    /// The number of steps of the path, by wish; `FAR` when there is no path.
    pub lengths: [u16; MAX_WISHES],
    /// The points of the path for each player each turn, by wish.
    pub points_of: [[u16; 2]; MAX_WISHES],
    /// The regions of the path's tracks, by wish, a bit each.
    pub regions_of: [u64; MAX_WISHES],
}

/// The length of a path that does not exist: longer than all real lengths.
pub const FAR: u16 = u16::MAX;

impl Links {
    /// No connections.
    pub const NONE: Links = Links {
        active: 0,
        points: [0; 2],
        lengths: [FAR; MAX_WISHES],
        points_of: [[0; 2]; MAX_WISHES],
        regions_of: [0; MAX_WISHES],
    };

    /// The connections of a board, computed from scratch.
    #[must_use]
    pub fn of(map: &Map, tracks: &[Cells; 3]) -> Links {
        let mut links = Links::NONE;
        let rails = rails(map, tracks);
        for to in 0..usize::from(map.town_count) {
            links.refresh_to(map, tracks, &rails, to, map.towns[to].desired_by);
        }
        links
    }

    /// Applies a change of the tracks: `added` are new and still there, and all tracks of the regions `washed`, a bit
    /// each, are gone. Returns the wishes whose path was chosen again.
    ///
    /// A path that lost no cell stays the chosen path unless a new cell lies on a path that is not longer. A new cell
    /// lies on such a path only if the sum of the steps from it to both towns is at most the length of the path.
    pub(crate) fn follow(&mut self, map: &Map, tracks: &[Cells; 3], added: &Cells, washed: u64) -> u128 {
        let rails = rails(map, tracks);
        // By desired town: the towns whose path to it must be found again, a bit each.
        let mut stale = [0; MAX_TOWNS];
        if washed != 0 {
            for wish in bits(self.active) {
                if self.regions_of[wish] & washed != 0 {
                    let wish = map.wishes[wish];
                    stale[usize::from(wish.to)] |= 1 << wish.from;
                }
            }
        }
        // Without the new cells that join nothing.
        let mut joined = rails;
        for cell in &passages(&rails, added) {
            if JOINED_AROUND[ring(&joined, cell)] {
                joined.discard(cell);
                self.shorten(map, &rails, cell, &mut stale);
            } else {
                self.reach(map, &rails, cell, &mut stale);
            }
        }
        let mut anew = 0;
        for (to, &from) in stale.iter().enumerate() {
            if from != 0 {
                anew |= self.refresh_to(map, tracks, &rails, to, from);
            }
        }
        anew
    }

    /// Marks the wishes for which `cell` lies on a path that is at least as good as the current path, or on the first
    /// one.
    fn reach(&self, map: &Map, rails: &Cells, cell: usize, stale: &mut [u16; MAX_TOWNS]) {
        let (steps, towns) = towns_around(map, rails, cell, u16::MAX, FAR);
        for from in Map::ids(u64::from(towns)) {
            for to in Map::ids(u64::from(map.towns[from].desires & towns)) {
                if steps[from] + steps[to] <= self.lengths[map.wish(from, to)] {
                    stale[to] |= 1 << from;
                }
            }
        }
    }

    /// The same for a cell that joins no rails that were apart: only connections that are active are concerned, and only
    /// those that a path over the cell could serve if nothing were in its way.
    fn shorten(&self, map: &Map, rails: &Cells, cell: usize, stale: &mut [u16; MAX_TOWNS]) {
        let mut concerned = 0u128;
        let (mut towns, mut most) = (0, 0);
        for id in bits(self.active) {
            let (from, to) = (usize::from(map.wishes[id].from), usize::from(map.wishes[id].to));
            let least = [from, to].map(|town| distance(usize::from(map.towns[town].cell), cell));
            if least[0] + least[1] <= usize::from(self.lengths[id]) && stale[to] >> from & 1 == 0 {
                concerned |= 1 << id;
                towns |= 1 << from | 1 << to;
                most = most.max(self.lengths[id]);
            }
        }
        if concerned == 0 {
            return;
        }
        let (steps, reached) = towns_around(map, rails, cell, towns, most);
        for id in bits(concerned) {
            let (from, to) = (usize::from(map.wishes[id].from), usize::from(map.wishes[id].to));
            if reached >> from & reached >> to & 1 != 0 && steps[from] + steps[to] <= self.lengths[id] {
                stale[to] |= 1 << from;
            }
        }
    }

    /// Finds the paths to a town from some towns that desire it again. Returns these wishes.
    fn refresh_to(&mut self, map: &Map, tracks: &[Cells; 3], rails: &Cells, to: usize, from: u16) -> u128 {
        let mut anew = 0;
        for from in Map::ids(u64::from(from)) {
            let wish = map.wish(from, to);
            anew |= 1 << wish;
            for player in 0..2 {
                self.points[player] -= u32::from(self.points_of[wish][player]);
            }
            self.lengths[wish] = FAR;
            self.points_of[wish] = [0; 2];
            self.regions_of[wish] = 0;
        }
        self.active &= !anew;
        let goal = usize::from(map.towns[to].cell);
        let mut found = 0u16;
        let field = Field::new(map, rails, goal, from, |town, distance| {
            if from >> town & 1 != 0 {
                found |= 1 << town;
                self.lengths[map.wish(town, to)] = distance;
            }
        });
        for from in Map::ids(u64::from(found)) {
            let wish = map.wish(from, to);
            self.active |= 1 << wish;
            let mut points = [0; 2];
            let mut regions = 0;
            field.back(usize::from(map.towns[from].cell), self.lengths[wish], |cell| {
                points[0] += u16::from(tracks[0].contains(cell));
                points[1] += u16::from(tracks[1].contains(cell));
                // A town remains when its region is inked.
                regions |= u64::from(!map.town_cells.contains(cell)) << map.regions[cell];
            });
            self.points_of[wish] = points;
            self.regions_of[wish] = regions;
            self.points[0] += u32::from(points[0]);
            self.points[1] += u32::from(points[1]);
        }
        anew
    }
}

/// Every rail cell: towns and tracks of any owner.
#[inline]
#[must_use]
pub fn rails(map: &Map, tracks: &[Cells; 3]) -> Cells {
    map.town_cells | tracks[0] | tracks[1] | tracks[2]
}

/// By the rails around a cell ([`ring`]): whether those beside it are joined by those around it. The cell can then be left
/// out and everything stays joined.
const JOINED_AROUND: [bool; 256] = {
    // The bits of a ring clockwise; those at even places are beside the cell.
    const CLOCKWISE: [usize; 8] = [1, 2, 4, 7, 6, 5, 3, 0];
    let mut table = [true; 256];
    let mut ring = 0;
    while ring < 256 {
        // Each gap after a cell beside, unless the corner and the next cell beside follow, ends a group.
        let (mut groups, mut i) = (0, 0);
        while i < 8 {
            let here = ring >> CLOCKWISE[i] & 1 != 0;
            let corner = ring >> CLOCKWISE[i + 1] & 1 != 0;
            let next = ring >> CLOCKWISE[(i + 2) % 8] & 1 != 0;
            if here && !(corner && next) {
                groups += 1;
            }
            i += 2;
        }
        table[ring] = groups < 2;
        ring += 1;
    }
    table
};

/// A subset of the new cells: each path with a new cell contains a cell of this subset.
fn passages(rails: &Cells, added: &Cells) -> Cells {
    // A path enters and leaves a track: a track with fewer than two adjacent rails is on no path, nor is a track that
    // leads only to such tracks.
    let mut rails = *rails;
    let mut open = *added;
    loop {
        let before = open;
        for cell in &before {
            if sides(&rails, cell).count_ones() < 2 {
                rails.discard(cell);
                open.discard(cell);
            }
        }
        if open == before {
            break;
        }
    }
    // A path over a track with exactly two adjacent rails contains both: it is enough to check one of them.
    let mut chosen = Cells::EMPTY;
    let mut covered = Cells::EMPTY;
    for cell in &open {
        if sides(&rails, cell).count_ones() > 2 || sides(&covered, cell) == 0 {
            chosen.add(cell);
        }
        covered.add(cell);
    }
    chosen
}

/// The path of the connection between two towns, from the first to the second, both included; empty if there is none.
///
/// The rules search from the first town and assign each cell to its first discoverer, in the order north, east, south,
/// west: the result is the shortest path that comes first in that order, read from the first town. It is also the path
/// that, at each step, takes the first side from which the other town is nearest.
#[must_use]
pub fn path(map: &Map, tracks: &[Cells; 3], from: usize, to: usize) -> Vec<usize> {
    let mut path = Vec::new();
    paths_to(map, tracks, to, 1 << from, |_, cell| path.push(cell));
    path
}

/// The paths to a town from some other towns, a bit each: visits the cells of each path, starting at its own town.
pub(crate) fn paths_to(
    map: &Map,
    tracks: &[Cells; 3],
    to: usize,
    from: u16,
    mut visit: impl FnMut(usize, usize),
) {
    let mut lengths = [FAR; MAX_TOWNS];
    let goal = usize::from(map.towns[to].cell);
    let field = Field::new(map, &rails(map, tracks), goal, from, |town, distance| lengths[town] = distance);
    for from in Map::ids(u64::from(from)).filter(|&from| lengths[from] != FAR) {
        field.back(usize::from(map.towns[from].cell), lengths[from], |cell| visit(from, cell));
    }
}

/// The members of a set of wishes, ascending.
pub(crate) fn bits(set: u128) -> impl Iterator<Item = usize> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let bit = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (bit < 128).then_some(bit)
    })
}
