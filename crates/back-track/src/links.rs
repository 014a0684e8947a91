//! Active connections and what they give (rules, section 11.1).

use crate::grid::{Cells, SPAN, beside, directions, sides};
use crate::map::{MAX_TOWNS, MAX_WISHES, Map};

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
    /// The regions of the path's tracks, by wish, folded into 32 bits: the bit of region `r` is `r % 32`.
    pub regions_of: [u32; MAX_WISHES],
}

/// The length of a path that does not exist: longer than all, and half of what fits, so that two can be added.
pub const FAR: u16 = u16::MAX / 2;

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
        let mut walk = Walk::new();
        for (from, town) in map.towns().iter().enumerate() {
            links.refresh_from(map, tracks, &rails, &mut walk, from, town.desires);
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
        let mut walk = Walk::new();
        let mut stale = [0; MAX_TOWNS];
        if washed != 0 {
            let washed = (washed | washed >> 32) as u32;
            for wish in bits(self.active) {
                if self.regions_of[wish] & washed != 0 {
                    let wish = map.wishes[wish];
                    stale[usize::from(wish.from)] |= 1 << wish.to;
                }
            }
        }
        for cell in &passages(&rails, added) {
            self.reach(map, &rails, &mut walk, cell, &mut stale);
        }
        let mut anew = 0;
        for (from, &to) in stale.iter().enumerate() {
            if to != 0 {
                anew |= self.refresh_from(map, tracks, &rails, &mut walk, from, to);
            }
        }
        anew
    }

    /// Marks the wishes for which `cell` lies on a path at least as good as the present one.
    fn reach(&self, map: &Map, rails: &Cells, walk: &mut Walk, cell: usize, stale: &mut [u16; MAX_TOWNS]) {
        let mut steps = [FAR; MAX_TOWNS];
        let mut towns = 0u16;
        walk.run(rails, cell, &map.town_cells, |town, distance| {
            if let Some(town) = map.town_at(town) {
                steps[town] = distance;
                towns |= 1 << town;
            }
            true
        });
        if towns.count_ones() < 2 {
            return;
        }
        for from in Map::ids(u64::from(towns)) {
            for to in Map::ids(u64::from(map.towns[from].desires & towns)) {
                if steps[from] + steps[to] <= self.lengths[map.wish(from, to)] {
                    stale[from] |= 1 << to;
                }
            }
        }
    }

    /// Finds the paths from a town to some it desires anew. Returns the wishes concerned.
    fn refresh_from(
        &mut self,
        map: &Map,
        tracks: &[Cells; 3],
        rails: &Cells,
        walk: &mut Walk,
        from: usize,
        to: u16,
    ) -> u128 {
        let mut anew = 0;
        let mut missing = to;
        for to in Map::ids(u64::from(to)) {
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
        if missing == 0 {
            return anew;
        }
        let start = usize::from(map.towns[from].cell);
        walk.run(rails, start, &map.town_cells, |cell, distance| {
            if let Some(town) = map.town_at(cell).filter(|&town| missing >> town & 1 != 0) {
                missing &= !(1 << town);
                self.lengths[map.wish(from, town)] = distance;
            }
            missing != 0
        });
        for to in Map::ids(u64::from(to & !missing)) {
            let wish = map.wish(from, to);
            self.active |= 1 << wish;
            let mut points = [0; 2];
            let mut regions = 0u32;
            walk.back(start, usize::from(map.towns[to].cell), |cell| {
                points[0] += u16::from(tracks[0].contains(cell));
                points[1] += u16::from(tracks[1].contains(cell));
                // A town stays when its region is inked.
                regions |= u32::from(!map.town_cells.contains(cell)) << (map.regions[cell] % 32);
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
#[must_use]
pub fn path(map: &Map, tracks: &[Cells; 3], from: usize, to: usize) -> Vec<usize> {
    let goal = usize::from(map.towns[to].cell);
    let start = usize::from(map.towns[from].cell);
    let mut walk = Walk::new();
    let mut found = false;
    walk.run(&rails(map, tracks), start, &Cells::only(goal), |_, _| {
        found = true;
        false
    });
    let mut path = Vec::new();
    if found {
        walk.back(start, goal, |cell| path.push(cell));
        path.reverse();
    }
    path
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

/// A breadth-first search: neighbours in the order of [`crate::grid::STEPS`], a cell belongs to its first discoverer.
pub(crate) struct Walk {
    queue: [u16; SPAN],
    /// The direction of the step that discovered a cell.
    came_by: [u8; SPAN],
}

impl Walk {
    pub(crate) fn new() -> Self {
        Walk { queue: [0; SPAN], came_by: [0; SPAN] }
    }

    /// Walks over `rails` from `start` and shows each cell of `shown` that is discovered, with the number of steps to it,
    /// until `show` says false.
    #[inline]
    pub(crate) fn run(
        &mut self,
        rails: &Cells,
        start: usize,
        shown: &Cells,
        mut show: impl FnMut(usize, u16) -> bool,
    ) {
        let mut left = *rails;
        left.discard(start);
        self.queue[0] = start as u16;
        let (mut next, mut end) = (0, 1);
        let mut steps = 0;
        while next < end {
            steps += 1;
            let level = end;
            while next < level {
                let here = usize::from(self.queue[next]);
                next += 1;
                for direction in directions(sides(&left, here)) {
                    let cell = beside(here, direction);
                    left.discard(cell);
                    self.came_by[cell] = direction as u8;
                    self.queue[end] = cell as u16;
                    end += 1;
                    if shown.contains(cell) && !show(cell, steps) {
                        return;
                    }
                }
            }
        }
    }

    /// The path of the last walk from `start` to `goal`, backwards; `goal` must have been discovered.
    pub(crate) fn back(&self, start: usize, goal: usize, mut visit: impl FnMut(usize)) {
        let mut here = goal;
        visit(here);
        while here != start {
            // The opposite direction is two further round.
            here = beside(here, usize::from(self.came_by[here] ^ 2));
            visit(here);
        }
    }
}
