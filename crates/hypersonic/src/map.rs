//! The map and how a seed makes it (rules, sections 2 and 3).

use game::JavaRandom;

use crate::grid::{Cell, CellSet, GRID, HEIGHT, WIDTH, sideways, upright};
use crate::{Item, Rules};

/// What stands on the grid before the first round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Map {
    /// Walls, which stay for ever.
    pub walls: CellSet,
    /// Boxes.
    pub boxes: CellSet,
    /// Boxes that hold an extra range.
    pub extra_ranges: CellSet,
    /// Boxes that hold an extra bomb.
    pub extra_bombs: CellSet,
}

/// The walls where there are any (section 3.1).
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
        let mut free = GRID - self.walls;
        let mut placed = 0;
        let mut tries = 0;
        while placed < target {
            tries += 1;
            if tries > rules.box_tries {
                break;
            }
            let x = random.below(WIDTH as u32) as usize;
            let y = random.below(HEIGHT as u32) as usize;
            let (right, bottom) = (WIDTH - 1 - x, HEIGHT - 1 - y);
            if !free.contains(Cell::at(x, y).index())
                || x.min(right) + y.min(bottom) < usize::from(rules.corner_distance)
            {
                continue;
            }
            let group = [(x, y), (right, y), (right, bottom), (x, bottom)];
            let group: CellSet = group.into_iter().map(|(x, y)| Cell::at(x, y).index()).collect();
            // What stands already is as symmetric as the group: where one of its cells is free, all are.
            debug_assert!(!self.boxes.intersects(&group));
            let count = (1 + i32::from(x != right)) * (1 + i32::from(y != bottom));
            placed += count;
            self.boxes |= group;
            if stock[0] > 0 {
                stock[0] -= count;
                self.extra_ranges |= group;
            } else if stock[1] > 0 {
                stock[1] -= count;
                self.extra_bombs |= group;
            }
            free -= if rules.spaced_boxes { around(&group) } else { group };
        }
    }

    /// The item in the box on `cell`, if it holds one.
    pub fn item(&self, cell: Cell) -> Option<Item> {
        Item::of(cell, &self.extra_ranges, &self.extra_bombs)
    }

    /// The rows of the grid in the words of the protocol (section 5), each without a line feed.
    pub fn rows(&self) -> impl Iterator<Item = String> + '_ {
        (0..HEIGHT).map(|y| {
            let mut row = String::with_capacity(WIDTH);
            write_row(&mut row, y, &self.walls, &self.boxes, &self.extra_ranges, &self.extra_bombs);
            row
        })
    }
}

/// How many boxes are aimed at (rules, section 3.2). The number is drawn even where it is not used.
fn box_target(rules: &Rules, random: &mut JavaRandom) -> i32 {
    let drawn = i32::from(rules.boxes_min) + random.below(u32::from(rules.boxes_span)) as i32;
    if rules.spaced_boxes {
        return i32::from(rules.spaced_box_count);
    }
    rules.boxes.map_or(drawn, i32::from)
}

/// The cells and all that touch them, by an edge or a corner.
fn around(cells: &CellSet) -> CellSet {
    let lines = *cells | sideways(cells);
    lines | upright(&lines)
}

/// Writes row `y` in the words of the protocol (section 5). An item counts only where there is a box.
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
