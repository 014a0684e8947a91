//! The map and its generation from a seed (rules, sections 2 and 3).

use game::JavaRandom;

use crate::grid::{AREA, Cell, CellSet, HEIGHT, WIDTH, of_rows};
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

/// A set of cells that is symmetric to both middle lines of the grid, as all boxes together are (section 3.4): a bit for each
/// cell of its upper left quarter, the middle lines included. A bit stands for the cell and its mirror images.
type Quarter = u64;

/// Columns of a [`Quarter`].
const QUARTER_WIDTH: usize = WIDTH.div_ceil(2);
/// Rows of a [`Quarter`].
const QUARTER_HEIGHT: usize = HEIGHT.div_ceil(2);
/// The distance of two cells of a column in a [`Quarter`]. The column past the last cell is never filled, so that a set can be
/// shifted sideways.
const QUARTER_STRIDE: usize = QUARTER_WIDTH + 1;

/// The bits of a cell in a [`Quarter`] are at the sum of the places of its column and its row.
static COLUMN_PLACES: [u8; WIDTH] = {
    let mut places = [0; WIDTH];
    let mut x = 0;
    while x < WIDTH {
        places[x] = (if x < QUARTER_WIDTH { x } else { WIDTH - 1 - x }) as u8;
        x += 1;
    }
    places
};

/// See [`COLUMN_PLACES`].
static ROW_PLACES: [u8; HEIGHT] = {
    let mut places = [0; HEIGHT];
    let mut y = 0;
    while y < HEIGHT {
        let row = if y < QUARTER_HEIGHT { y } else { HEIGHT - 1 - y };
        places[y] = (row * QUARTER_STRIDE) as u8;
        y += 1;
    }
    places
};

/// For each bit of a [`Quarter`], the number of cells that it stands for.
static GROUP_SIZES: [u8; 64] = {
    let mut sizes = [0; 64];
    let mut i = 0;
    while i < AREA {
        sizes[(COLUMN_PLACES[i % WIDTH] + ROW_PLACES[i / WIDTH]) as usize] += 1;
        i += 1;
    }
    sizes
};

/// The whole row of the grid for each row of a [`Quarter`].
static ROWS: [u16; 1 << QUARTER_WIDTH] = {
    let mut rows = [0; 1 << QUARTER_WIDTH];
    let mut half = 0;
    while half < rows.len() {
        let mut x = 0;
        while x < WIDTH {
            rows[half] |= ((half >> COLUMN_PLACES[x] & 1) << x) as u16;
            x += 1;
        }
        half += 1;
    }
    rows
};

/// The number of different distances to the nearest corner.
const CORNER_DISTANCES: usize = QUARTER_WIDTH + QUARTER_HEIGHT - 1;

/// For each distance, the cells at least so far from every corner.
static FAR_FROM_CORNERS: [Quarter; CORNER_DISTANCES + 1] = {
    let mut far = [0; CORNER_DISTANCES + 1];
    let mut distance = 0;
    while distance < far.len() {
        let mut i = 0;
        while i < QUARTER_WIDTH * QUARTER_HEIGHT {
            let (x, y) = (i % QUARTER_WIDTH, i / QUARTER_WIDTH);
            if x + y >= distance {
                far[distance] |= 1 << (y * QUARTER_STRIDE + x);
            }
            i += 1;
        }
        distance += 1;
    }
    far
};

/// All cells of the grid.
const FULL: Quarter = FAR_FROM_CORNERS[0];

/// [`WALLS`], which are symmetric too.
const QUARTER_WALLS: Quarter = {
    let mut walls = 0;
    let mut y = 1;
    while y < QUARTER_HEIGHT {
        let mut x = 1;
        while x < QUARTER_WIDTH {
            walls |= 1 << (y * QUARTER_STRIDE + x);
            x += 2;
        }
        y += 2;
    }
    walls
};

/// The cells and all cells that touch them, by an edge or a corner.
#[inline]
const fn around(cells: Quarter) -> Quarter {
    let lines = cells | cells << 1 | cells >> 1;
    (lines | lines << QUARTER_STRIDE | lines >> QUARTER_STRIDE) & FULL
}

/// All cells that the bits of a [`Quarter`] stand for.
#[inline]
fn unfolded(quarter: Quarter) -> CellSet {
    let mut rows = [0; HEIGHT];
    for y in 0..QUARTER_HEIGHT {
        let half = quarter >> (y * QUARTER_STRIDE) & ((1 << QUARTER_WIDTH) - 1);
        rows[y] = ROWS[half as usize];
        rows[HEIGHT - 1 - y] = rows[y];
    }
    of_rows(&rows)
}

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
        let distance = usize::from(rules.corner_distance).min(CORNER_DISTANCES);
        let mut free = FAR_FROM_CORNERS[distance] & !if rules.walls { QUARTER_WALLS } else { 0 };
        let mut boxes: Quarter = 0;
        let mut extra_ranges: Quarter = 0;
        let mut extra_bombs: Quarter = 0;
        let mut placed = 0;
        let mut tries = 0;
        while placed < target {
            tries += 1;
            if tries > rules.box_tries {
                break;
            }
            let x = random.below(WIDTH as u32) as usize;
            let y = random.below(HEIGHT as u32) as usize;
            let place = COLUMN_PLACES[x] + ROW_PLACES[y];
            // About half of the tries fail, and a branch would be mispredicted often: a failed try places no box instead.
            let group = free & 1 << place;
            let count = i32::from(GROUP_SIZES[place as usize % 64]) * (group >> place) as i32;
            placed += count;
            boxes |= group;
            if stock[0] > 0 {
                stock[0] -= count;
                extra_ranges |= group;
            } else if stock[1] > 0 {
                stock[1] -= count;
                extra_bombs |= group;
            }
            free &= !if rules.spaced_boxes { around(group) } else { group };
        }
        self.boxes = unfolded(boxes);
        self.extra_ranges = unfolded(extra_ranges);
        self.extra_bombs = unfolded(extra_bombs);
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
