//! The rules to the letter, slowly, against the engine on random boards.

use std::collections::{BTreeMap, VecDeque};

use back_track::grid::{Cells, cell, xy};
use back_track::{Map, Rules, autoplace, path};
use game::Dice;

/// The neighbours of a cell, in the order of the rules.
fn neighbours(map: &Map, at: usize) -> Vec<usize> {
    let (x, y) = xy(at);
    let (width, height) = (i32::from(map.width), i32::from(map.height));
    [(0, -1), (1, 0), (0, 1), (-1, 0)]
        .into_iter()
        .map(|(dx, dy)| (x as i32 + dx, y as i32 + dy))
        .filter(|&(x, y)| (0..width).contains(&x) && (0..height).contains(&y))
        .map(|(x, y)| cell(x as usize, y as usize))
        .collect()
}

/// A board with tracks of all owners, here and there a region inked.
fn board(dice: &mut Dice, seed: i64) -> (Map, [Cells; 3], Cells) {
    let map = Map::new(&Rules::STATEMENT, seed);
    let density = 1 + dice.below(9);
    let mut tracks = [Cells::EMPTY; 3];
    let mut inked = Cells::EMPTY;
    for region in 0..usize::from(map.region_count) {
        if dice.below(10) < seed as u32 % 4 {
            inked |= map.region_cells[region];
        }
    }
    for cell in map.cells() {
        if dice.below(10) < density && !map.town_cells.contains(cell) && !inked.contains(cell) {
            tracks[dice.below(3) as usize].add(cell);
        }
    }
    (map, tracks, inked)
}

/// Section 11.1: breadth-first search from `a`, a cell belongs to its first discoverer.
fn literal_path(map: &Map, rails: &Cells, a: usize, b: usize) -> Vec<usize> {
    let mut discoverer = BTreeMap::from([(a, a)]);
    let mut queue = VecDeque::from([a]);
    while let Some(here) = queue.pop_front() {
        for next in neighbours(map, here) {
            if rails.contains(next) && !discoverer.contains_key(&next) {
                discoverer.insert(next, here);
                queue.push_back(next);
            }
        }
    }
    if !discoverer.contains_key(&b) {
        return Vec::new();
    }
    let mut path = vec![b];
    let mut here = b;
    while here != a {
        here = discoverer[&here];
        path.push(here);
    }
    path.reverse();
    path
}

#[test]
fn paths_are_those_of_the_search_from_the_first_town() {
    let mut dice = Dice::new(11);
    let mut found = 0;
    for seed in 1..120 {
        let (map, tracks, _) = board(&mut dice, seed);
        let rails = back_track::rails(&map, &tracks);
        for wish in map.wishes() {
            let [from, to] = [wish.from, wish.to].map(usize::from);
            let [a, b] = [from, to].map(|town| usize::from(map.towns[town].cell));
            let expected = literal_path(&map, &rails, a, b);
            assert_eq!(path(&map, &tracks, from, to), expected, "seed {seed}, {from}-{to}");
            found += usize::from(!expected.is_empty());
        }
    }
    assert!(found > 500, "{found}");
}

/// The heap of section 10: entries (cost, tie, cell, built), of which cost and tie are compared.
#[derive(Default)]
struct Heap(Vec<(u32, u32, usize, bool)>);

impl Heap {
    fn push(&mut self, entry: (u32, u32, usize, bool)) {
        let key = |e: (u32, u32, usize, bool)| (e.0, e.1);
        self.0.push(entry);
        let mut i = self.0.len() - 1;
        while i > 0 {
            let parent = (i - 1) / 2;
            if key(entry) >= key(self.0[parent]) {
                break;
            }
            self.0[i] = self.0[parent];
            i = parent;
        }
        self.0[i] = entry;
    }

    fn pop(&mut self) -> Option<(u32, u32, usize, bool)> {
        let key = |e: (u32, u32, usize, bool)| (e.0, e.1);
        let result = *self.0.first()?;
        let x = self.0.pop()?;
        let n = self.0.len();
        if n > 0 {
            let mut i = 0;
            while i < n / 2 {
                let mut c = 2 * i + 1;
                if c + 1 < n && key(self.0[c]) > key(self.0[c + 1]) {
                    c += 1;
                }
                if key(x) <= key(self.0[c]) {
                    break;
                }
                self.0[i] = self.0[c];
                i = c;
            }
            self.0[i] = x;
        }
        Some(result)
    }
}

/// Section 10, with its table of costs, its states and its walks.
fn literal_route(map: &Map, rails: &Cells, inked: &Cells, from: usize, to: usize) -> Vec<usize> {
    if from == to {
        return Vec::new();
    }
    let block = |start: usize| {
        let mut met = vec![start];
        let mut next = 0;
        while next < met.len() {
            for n in neighbours(map, met[next]) {
                if rails.contains(n) && !met.contains(&n) {
                    met.push(n);
                }
            }
            next += 1;
        }
        met
    };
    let start = (from, rails.contains(from));
    let mut costs = BTreeMap::from([(start, 0)]);
    let mut before: BTreeMap<(usize, bool), (usize, bool)> = BTreeMap::new();
    let mut heap = Heap::default();
    heap.push((0, 0, start.0, start.1));
    while let Some((_, _, c, built)) = heap.pop() {
        let s = (c, built);
        if c == to || (rails.contains(c) && block(c).contains(&to)) {
            let mut cells = Vec::new();
            let mut at = s;
            while at != start {
                if !rails.contains(at.0) {
                    cells.push(at.0);
                }
                at = before[&at];
            }
            cells.reverse();
            return cells;
        }
        let reachable = if !built {
            vec![c]
        } else if rails.contains(c) {
            let mut queue = vec![c];
            let mut out = Vec::new();
            let mut next = 0;
            while next < queue.len() {
                let here = queue[next];
                next += 1;
                if !rails.contains(here) {
                    out.push(here);
                    continue;
                }
                for n in neighbours(map, here) {
                    if !queue.contains(&n) {
                        queue.push(n);
                    }
                }
            }
            out
        } else {
            neighbours(map, c)
        };
        for n in reachable {
            if inked.contains(n) && !map.town_cells.contains(n) {
                continue;
            }
            let w = if rails.contains(n) { 0 } else { u32::from(map.costs[n]) };
            let t = (n, true);
            let cost = costs[&s] + w;
            if costs.get(&t).is_none_or(|&known| cost < known) {
                costs.insert(t, cost);
                before.insert(t, s);
                let (cx, cy) = xy(c);
                let (nx, ny) = xy(n);
                let tie = match (nx as i32 - cx as i32, ny as i32 - cy as i32) {
                    (0, -1) => 0,
                    (1, 0) => 1,
                    (0, 1) => 2,
                    (-1, 0) => 3,
                    _ => 4,
                };
                heap.push((cost, tie, n, true));
            }
        }
    }
    Vec::new()
}

#[test]
fn routes_are_those_of_the_search_to_the_letter() {
    let mut dice = Dice::new(12);
    let (mut placed, mut nothing) = (0, 0);
    for seed in 1..160 {
        let (map, tracks, inked) = board(&mut dice, seed);
        let rails = back_track::rails(&map, &tracks);
        let cells: Vec<usize> = map.cells().collect();
        for round in 0..6 {
            // Towns in half of the rounds, else any cells: free ones, tracks, inked ones.
            let mut end = || {
                if round < 3 {
                    usize::from(map.towns[dice.below(u32::from(map.town_count)) as usize].cell)
                } else {
                    cells[dice.below(cells.len() as u32) as usize]
                }
            };
            let (from, to) = (end(), end());
            let expected = literal_route(&map, &rails, &inked, from, to);
            let route = autoplace::route(&map, &rails, &inked, from, to);
            assert_eq!(route.cells().collect::<Vec<_>>(), expected, "seed {seed}, {from} to {to}");
            placed += usize::from(!expected.is_empty());
            nothing += usize::from(expected.is_empty());
        }
    }
    assert!(placed > 200 && nothing > 200, "{placed} {nothing}");
}
