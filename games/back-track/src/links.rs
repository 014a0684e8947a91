//! Active connections and what they give (rules, section 11.1).

use crate::grid::{Cells, sides};
use crate::map::{MAX_TOWNS, MAX_WISHES, Map};
use crate::wave::{Field, towns_around};

/// The active connections of a board. It follows from the tracks; paths are not kept but found again by [`path`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Links {
    /// The active ones of the map's wishes, a bit each.
    pub active: u128,
    /// What all of them give each player each turn.
    pub points: [u32; 2],
    /// Steps of the path, by wish; `FAR` when there is none.
    pub lengths: [u16; MAX_WISHES],
    /// What the path gives each player each turn, by wish.
    pub points_of: [[u16; 2]; MAX_WISHES],
    /// The regions of the path's tracks, by wish, a bit each.
    pub regions_of: [u64; MAX_WISHES],
}

/// The length of a path that does not exist: longer than all.
pub const FAR: u16 = u16::MAX;

impl Links {
    /// Nothing is connected.
    pub const NONE: Links = Links {
        active: 0,
        points: [0; 2],
        lengths: [FAR; MAX_WISHES],
        points_of: [[0; 2]; MAX_WISHES],
        regions_of: [0; MAX_WISHES],
    };

    /// The connections of a board, from nothing.
    #[must_use]
    pub fn of(map: &Map, tracks: &[Cells; 3]) -> Links {
        let mut links = Links::NONE;
        let rails = rails(map, tracks);
        for to in 0..usize::from(map.town_count) {
            links.refresh_to(map, tracks, &rails, to, map.towns[to].desired_by);
        }
        links
    }

    /// Follows a change of the tracks: `added` are new and still there, and all tracks of the regions `washed` are gone, a
    /// bit each. Returns the wishes whose path was chosen anew.
    ///
    /// A path that lost no cell stays the chosen one unless a new cell lies on a path that is not longer. A new cell
    /// lies on such a path only if the steps from it to both towns add up to no more than the path has.
    pub(crate) fn follow(&mut self, map: &Map, tracks: &[Cells; 3], added: &Cells, washed: u64) -> u128 {
        let rails = rails(map, tracks);
        // By desired town: the towns whose path to it is to be found anew, a bit each.
        let mut stale = [0; MAX_TOWNS];
        if washed != 0 {
            for wish in bits(self.active) {
                if self.regions_of[wish] & washed != 0 {
                    let wish = map.wishes[wish];
                    stale[usize::from(wish.to)] |= 1 << wish.from;
                }
            }
        }
        for cell in &passages(&rails, added) {
            self.reach(map, &rails, cell, &mut stale);
        }
        let mut anew = 0;
        for (to, &from) in stale.iter().enumerate() {
            if from != 0 {
                anew |= self.refresh_to(map, tracks, &rails, to, from);
            }
        }
        anew
    }

    /// Marks the wishes for which `cell` lies on a path at least as good as the present one.
    fn reach(&self, map: &Map, rails: &Cells, cell: usize, stale: &mut [u16; MAX_TOWNS]) {
        let (steps, towns) = towns_around(map, rails, cell);
        for from in Map::ids(u64::from(towns)) {
            for to in Map::ids(u64::from(map.towns[from].desires & towns)) {
                if steps[from] + steps[to] <= self.lengths[map.wish(from, to)] {
                    stale[to] |= 1 << from;
                }
            }
        }
    }

    /// Finds the paths to a town from some that desire it anew. Returns the wishes concerned.
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
                // A town stays when its region is inked.
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

/// Of the new cells, enough of those that a path can cross: each path with a new cell has one of these.
fn passages(rails: &Cells, added: &Cells) -> Cells {
    // A path enters and leaves a track: one with fewer than two rails beside it is on none, nor is one that leads
    // only to such.
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
    // A path over a track with just two rails beside it has both of them: one that is looked at is enough.
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
/// The rules search from the first town and give each cell to its first discoverer, looking north, east, south, west: this
/// is the shortest path that is first in that order read from there. So is the one that, at each step, takes the first
/// side from which the other town is nearest.
#[must_use]
pub fn path(map: &Map, tracks: &[Cells; 3], from: usize, to: usize) -> Vec<usize> {
    let mut path = Vec::new();
    paths_to(map, tracks, to, 1 << from, |_, cell| path.push(cell));
    path
}

/// The paths to a town from some others, a bit each: visits the cells of each, from its own town on.
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
