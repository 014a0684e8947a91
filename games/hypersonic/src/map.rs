//! The map and its generation from a seed (rules, sections 2 and 3).

use game::JavaRandom;

use crate::grid::{AREA, Cell, CellSet, GRID, HEIGHT, WIDTH, beside, sideways, upright};
use crate::{Item, Rules};

/// The contents of the grid before the first round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Map {
    /// Walls, which are permanent.
    pub walls: CellSet,
    /// Boxes.
    pub boxes: CellSet,
    /// Boxes that hold an extra range.
    pub extra_ranges: CellSet,
    /// Boxes that hold an extra bomb.
    pub extra_bombs: CellSet,
}

/// The walls of rules with walls (section 3.1).
const WALLS: CellSet = {
    let mut cells = CellSet::EMPTY;
    let mut y = 1;
    while y < HEIGHT {
        let mut x = 1;
        while x < WIDTH {
            cells.add(Cell::at(x, y).index());
            x += 2;
        }
        y += 2;
    }
    cells
};

/// A cell and its mirror images (section 3.4).
#[derive(Clone, Copy)]
struct Group {
    cells: CellSet,
    count: i32,
}

/// An index without a cell.
const NOWHERE: usize = 255;

/// The group of each cell; the group of [`NOWHERE`] is empty.
static GROUPS: [Group; 256] = {
    let mut groups = [Group { cells: CellSet::EMPTY, count: 0 }; 256];
    let mut i = 0;
    while i < AREA {
        let (x, y) = (i % WIDTH, i / WIDTH);
        let mirrored = [(x, y), (WIDTH - 1 - x, y), (WIDTH - 1 - x, HEIGHT - 1 - y), (x, HEIGHT - 1 - y)];
        let group = &mut groups[Cell::at(x, y).index()];
        let mut image = 0;
        while image < mirrored.len() {
            let cell = Cell::at(mirrored[image].0, mirrored[image].1).index();
            group.count += group.cells.insert(cell) as i32;
            image += 1;
        }
        i += 1;
    }
    groups
};

impl Map {
    /// The map of a seed.
    pub fn generate(rules: &Rules, seed: i64) -> Map {
        let mut random = JavaRandom::new(seed);
        let target = box_target(rules, &mut random);
        let mut map = Map {
            walls: if rules.walls { WALLS } else { CellSet::EMPTY },
            boxes: CellSet::EMPTY,
            extra_ranges: CellSet::EMPTY,
            extra_bombs: CellSet::EMPTY,
        };
        map.place_boxes(rules, target, &mut random);
        map
    }

    /// Rules, section 3.4: groups of boxes on random cells and their mirror images.
    fn place_boxes(&mut self, rules: &Rules, target: i32, random: &mut JavaRandom) {
        // Rules, section 3.3. Groups are never split, so a stock can fall below 0.
        let mut stock = if rules.items { [target / i32::from(rules.boxes_per_item); 2] } else { [0; 2] };
        let mut free = GRID - self.walls - near_corners(rules.corner_distance);
        let mut placed = 0;
        let mut tries = 0;
        while placed < target {
            tries += 1;
            if tries > rules.box_tries {
                break;
            }
            let x = random.below(WIDTH as u32) as usize;
            let y = random.below(HEIGHT as u32) as usize;
            let cell = Cell::at(x, y).index();
            // About half of the tries fail, and a branch would be mispredicted often: a failed try places an empty set
            // instead.
            let group = &GROUPS[if free.contains(cell) { cell } else { NOWHERE }];
            // The boxes placed before are as symmetric as the group: if one of its cells is free, all are.
            debug_assert!(!self.boxes.intersects(&group.cells));
            placed += group.count;
            self.boxes |= group.cells;
            if stock[0] > 0 {
                stock[0] -= group.count;
                self.extra_ranges |= group.cells;
            } else if stock[1] > 0 {
                stock[1] -= group.count;
                self.extra_bombs |= group.cells;
            }
            free -= group.cells;
            if rules.spaced_boxes && group.count > 0 {
                free -= around(&group.cells);
            }
        }
    }

    /// The item in the box on `cell`, if it holds one.
    pub fn item(&self, cell: Cell) -> Option<Item> {
        Item::of(cell, &self.extra_ranges, &self.extra_bombs)
    }

    /// The rows of the grid in the form of the protocol (section 5), each without a line feed.
    pub fn rows(&self) -> impl Iterator<Item = String> + '_ {
        (0..HEIGHT).map(|y| {
            let mut row = String::with_capacity(WIDTH);
            write_row(&mut row, y, &self.walls, &self.boxes, &self.extra_ranges, &self.extra_bombs);
            row
        })
    }
}

/// The target number of boxes (rules, section 3.2). The number is drawn even when it is not used.
fn box_target(rules: &Rules, random: &mut JavaRandom) -> i32 {
    let drawn = i32::from(rules.boxes_min) + random.below(u32::from(rules.boxes_span)) as i32;
    if rules.spaced_boxes {
        return i32::from(rules.spaced_box_count);
    }
    rules.boxes.map_or(drawn, i32::from)
}

/// The cells less than `distance` steps away from a corner.
fn near_corners(distance: u8) -> CellSet {
    let mut near = CellSet::EMPTY;
    for step in 0..distance {
        near = if step == 0 { GROUPS[Cell::at(0, 0).index()].cells } else { near | (beside(&near) & GRID) };
    }
    near
}

/// The cells and all cells that touch them, by an edge or a corner.
fn around(cells: &CellSet) -> CellSet {
    let lines = *cells | sideways(cells);
    lines | upright(&lines)
}

/// Writes row `y` in the form of the protocol (section 5). An item counts only where there is a box.
pub(crate) fn write_row(
    out: &mut String,
    y: usize,
    walls: &CellSet,
    boxes: &CellSet,
    extra_ranges: &CellSet,
    extra_bombs: &CellSet,
) {
    for x in 0..WIDTH {
        let cell = Cell::at(x, y);
        out.push(if walls.contains(cell.index()) {
            'X'
        } else if boxes.contains(cell.index()) {
            match Item::of(cell, extra_ranges, extra_bombs) {
                None => '0',
                Some(Item::ExtraRange) => '1',
                Some(Item::ExtraBomb) => '2',
            }
        } else {
            '.'
        });
    }
}
