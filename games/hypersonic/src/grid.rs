//! The grid: cells, directions, sets of cells.

use std::fmt;

use game::Cells;
use serde::{Serialize, Serializer};

/// Columns of the grid (rules, section 1).
pub const WIDTH: usize = 13;
/// Rows of the grid (rules, section 1).
pub const HEIGHT: usize = 11;
/// Cells of the grid.
pub const AREA: usize = WIDTH * HEIGHT;
/// The distance of two cells of a column in a set. The columns past the last cell are never filled, so that a set can
/// be shifted sideways without reaching the next row, and a row is 16 bits of a word.
pub(crate) const STRIDE: usize = 16;
const ROWS_PER_WORD: usize = 64 / STRIDE;

/// A set of cells of the grid; the index of a cell is [`Cell::index`].
pub type CellSet = Cells<3>;

/// All cells of the grid.
pub const GRID: CellSet = {
    let mut cells = CellSet::EMPTY;
    let mut i = 0;
    while i < AREA {
        cells.add(Cell::at(i % WIDTH, i / WIDTH).index());
        i += 1;
    }
    cells
};

/// A cell of the grid: x to the right, y downwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "Place", type = "{ x: number; y: number }"))]
pub struct Cell(u8);

impl Cell {
    /// The cell in column `x` and row `y`.
    ///
    /// # Panics
    ///
    /// Outside the grid.
    #[inline]
    pub const fn at(x: usize, y: usize) -> Cell {
        assert!(x < WIDTH && y < HEIGHT);
        Cell((y * STRIDE + x) as u8)
    }

    /// The cell with these coordinates, if it lies on the grid.
    #[inline]
    pub const fn on_grid(x: i32, y: i32) -> Option<Cell> {
        if (x as u32) < WIDTH as u32 && (y as u32) < HEIGHT as u32 {
            Some(Cell((y as usize * STRIDE + x as usize) as u8))
        } else {
            None
        }
    }

    /// The cell with this index in a set.
    #[inline]
    pub const fn of_index(index: usize) -> Cell {
        Cell(index as u8)
    }

    /// The index of the cell in a [`CellSet`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its column.
    #[inline]
    pub const fn x(self) -> usize {
        self.0 as usize % STRIDE
    }

    /// Its row.
    #[inline]
    pub const fn y(self) -> usize {
        self.0 as usize / STRIDE
    }

    /// The cell `steps` away, which must lie on the grid.
    #[inline]
    #[must_use]
    pub const fn moved(self, direction: Direction, steps: u8) -> Cell {
        Cell((self.0 as i32 + direction.stride() * steps as i32) as u8)
    }

    /// The number of cells between this cell and the edge of the grid.
    #[inline]
    pub const fn space(self, direction: Direction) -> u8 {
        self.spaces()[direction as usize]
    }

    /// The number of cells between this cell and the edge of the grid, for each direction.
    #[inline]
    pub(crate) const fn spaces(self) -> [u8; 4] {
        let (x, y) = (self.x() as u8, self.y() as u8);
        [x, WIDTH as u8 - 1 - x, y, HEIGHT as u8 - 1 - y]
    }

    /// The cell next to this one, if it lies on the grid.
    #[inline]
    pub const fn next(self, direction: Direction) -> Option<Cell> {
        if self.space(direction) > 0 { Some(self.moved(direction, 1)) } else { None }
    }

    /// Whether the cell is at most `reach` cells (left, right, up, down) away from `centre`, in its row or its column. The
    /// ends must be on the grid.
    #[inline]
    pub(crate) const fn is_in_cross(self, centre: Cell, reach: [u8; 4]) -> bool {
        let [left, right, up, down] = reach;
        let from_left = self.0.wrapping_sub(centre.0 - left);
        let from_top = self.0.wrapping_sub(centre.0 - up * STRIDE as u8);
        let in_row = from_left <= left + right;
        let in_column = (from_top as usize).is_multiple_of(STRIDE) && from_top / STRIDE as u8 <= up + down;
        in_row | in_column
    }

    /// Whether the two cells share an edge.
    #[inline]
    pub const fn touches(self, other: Cell) -> bool {
        // The indexes of the last column and the first column of the next row differ by more than 1.
        matches!((self.0 as i32 - other.0 as i32).unsigned_abs() as usize, 1 | STRIDE)
    }

    /// Whether the cell is `from` itself or an open neighbour of it. There is one result and no branch, because a processor
    /// cannot predict whether a player stands still.
    #[inline]
    pub(crate) const fn is_step_from(self, from: Cell, open: &CellSet) -> bool {
        const BESIDE: u64 = 1 | 1 << (STRIDE - 1) | 1 << (STRIDE + 1) | 1 << (2 * STRIDE);
        const SAME: u64 = 1 << STRIDE;
        let index = self.index();
        let is_open = open.0[index / 64] >> (index % 64);
        let offset = self.0.wrapping_sub(from.0).wrapping_add(STRIDE as u8) as u32;
        let is_near = (offset < u64::BITS) as u64;
        (BESIDE >> (offset % u64::BITS) & is_open | SAME >> (offset % u64::BITS)) & is_near != 0
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x(), self.y())
    }
}

impl Serialize for Cell {
    /// The form for people and bots: `{"x": 3, "y": 0}`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let mut fields = serializer.serialize_struct("Cell", 2)?;
        fields.serialize_field("x", &self.x())?;
        fields.serialize_field("y", &self.y())?;
        fields.end()
    }
}

/// A direction on the grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Towards x = 0.
    Left,
    /// Away from x = 0.
    Right,
    /// Towards y = 0.
    Up,
    /// Away from y = 0.
    Down,
}

impl Direction {
    /// The directions in the order in which the rules try them (sections 6.2 and 8).
    pub const ALL: [Direction; 4] = [Direction::Left, Direction::Right, Direction::Up, Direction::Down];

    #[inline]
    const fn stride(self) -> i32 {
        match self {
            Direction::Left => -1,
            Direction::Right => 1,
            Direction::Up => -(STRIDE as i32),
            Direction::Down => STRIDE as i32,
        }
    }
}

/// The neighbours of the cells of the set. Some may be off the grid, but never at the index of another cell.
#[inline]
#[must_use]
pub fn beside(cells: &CellSet) -> CellSet {
    cells.up(1) | cells.down(1) | cells.up(STRIDE as u32) | cells.down(STRIDE as u32)
}

/// Cells that can be entered, in a form that gives the open neighbours of a cell without branches.
#[derive(Clone, Copy)]
pub(crate) struct Ways {
    /// The set between empty words: the word before it stands for the row above the grid, the words after it spare the check
    /// of an index.
    words: [u64; 6],
}

impl Ways {
    #[inline]
    pub(crate) const fn new(open: &CellSet) -> Ways {
        let [a, b, c] = open.0;
        Ways { words: [0, a, b, c, 0, 0] }
    }

    /// Removes a cell.
    #[inline]
    pub(crate) const fn close(&mut self, cell: Cell) {
        let at = cell.index() + 64;
        self.words[at / 64] &= !(1 << (at % 64));
    }

    /// The open neighbours of a cell.
    #[inline]
    pub(crate) const fn from(&self, cell: Cell) -> Neighbours {
        // Each factor bit moves one of the four neighbours to its place above bit 60; the other products land elsewhere,
        // one per place, so that there is no carry. `way_bit` gives the places.
        const NEIGHBOURS: u64 = 1 | 1 << (STRIDE - 1) | 1 << (STRIDE + 1) | 1 << (2 * STRIDE);
        const GATHER: u64 = 1 << 60 | 1 << 44 | 1 << 47 | 1 << 31;
        // 64 bits of the set, from the upper neighbour on.
        let first = cell.index() + 64 - STRIDE;
        let (word, shift) = (first / 64, first % 64);
        let near = self.words[word] >> shift | self.words[word + 1] << 1 << (63 - shift);
        let open = (near & NEIGHBOURS).wrapping_mul(GATHER) >> 60;
        Neighbours { cell, offsets: OFFSETS[open as usize] }
    }
}

const fn way_bit(direction: Direction) -> u32 {
    match direction {
        Direction::Up => 0,
        Direction::Right => 1,
        Direction::Left => 2,
        Direction::Down => 3,
    }
}

/// For each set of open directions, the offsets of the neighbours in the order of [`Direction::ALL`], one byte each, and their
/// number in the highest byte.
static OFFSETS: [u64; 16] = {
    let mut table = [0; 16];
    let mut open = 0;
    while open < table.len() {
        let mut count = 0;
        let mut i = 0;
        while i < Direction::ALL.len() {
            let direction = Direction::ALL[i];
            if open >> way_bit(direction) & 1 != 0 {
                table[open] |= (direction.stride() as u8 as u64) << (8 * count);
                count += 1;
            }
            i += 1;
        }
        table[open] |= count << COUNT_SHIFT;
        open += 1;
    }
    table
};

const COUNT_SHIFT: u32 = 56;

/// Open neighbours of a cell, in the order of [`Direction::ALL`].
#[derive(Clone)]
pub(crate) struct Neighbours {
    cell: Cell,
    /// As in [`OFFSETS`].
    offsets: u64,
}

impl Neighbours {
    /// How many there are.
    #[inline]
    pub(crate) const fn len(&self) -> u64 {
        self.offsets >> COUNT_SHIFT
    }

    /// The cell itself for 0, its neighbours for 1 and so on.
    #[inline]
    pub(crate) const fn or_stay(&self, choice: u64) -> Cell {
        Cell(self.cell.0.wrapping_add((self.offsets << 8 >> (8 * choice)) as u8))
    }
}

// The offset of a neighbour is never 0.
impl Iterator for Neighbours {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        let offset = self.offsets as u8;
        // This loses the number of neighbours, which is needed only before the first call.
        self.offsets = self.offsets << 8 >> 16;
        if offset == 0 { None } else { Some(Cell(self.cell.0.wrapping_add(offset))) }
    }
}

/// For each direction, the distance from `cell` to the nearest other cell of the set; more than any distance on the
/// grid if there is none.
#[inline]
#[must_use]
pub fn gaps(cells: &CellSet, cell: Cell) -> [u8; 4] {
    let [left, right] = gaps_on_line(row(cells, cell.y()), cell.x());
    let [up, down] = gaps_on_line(column(cells, cell.x()), cell.y());
    [left, right, up, down]
}

/// The distances to the nearest bits below and above a bit of a line.
#[inline]
const fn gaps_on_line(line: u32, at: usize) -> [u8; 2] {
    let below = line << (31 - at) << 1;
    let above = line >> at >> 1;
    [below.leading_zeros() as u8 + 1, above.trailing_zeros() as u8 + 1]
}

/// The set with these rows, one bit per column.
#[inline]
pub(crate) fn of_rows(rows: &[u16; HEIGHT]) -> CellSet {
    let mut cells = CellSet::EMPTY;
    for (y, &row) in rows.iter().enumerate() {
        cells.0[y / ROWS_PER_WORD] |= u64::from(row) << (y % ROWS_PER_WORD * STRIDE);
    }
    cells
}

/// Row `y` of a set, one bit per column.
#[inline]
const fn row(cells: &CellSet, y: usize) -> u32 {
    (cells.0[y / ROWS_PER_WORD] >> (y % ROWS_PER_WORD * STRIDE)) as u32 & ((1 << STRIDE) - 1)
}

/// Column `x` of a set, one bit per row.
#[inline]
const fn column(cells: &CellSet, x: usize) -> u32 {
    // The bits of four rows are 16 apart. Each factor bit moves one of them to its place above bit 48, and the other
    // products land elsewhere, one per place, so that there is no carry.
    const ONE_PER_ROW: u64 = 0x0001_0001_0001_0001;
    const GATHER: u64 = 1 << 48 | 1 << 33 | 1 << 18 | 1 << 3;
    let mut line = 0;
    let mut word = 0;
    while word < cells.0.len() {
        let rows = (cells.0[word] >> x & ONE_PER_ROW).wrapping_mul(GATHER) >> 48 & 0xF;
        line |= (rows as u32) << (word * ROWS_PER_WORD);
        word += 1;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Dice;

    fn cells() -> impl Iterator<Item = Cell> {
        (0..AREA).map(|i| Cell::at(i % WIDTH, i / WIDTH))
    }

    #[test]
    fn cells_know_their_neighbours() {
        assert_eq!(GRID.len() as usize, AREA);
        for a in cells() {
            for b in cells() {
                let apart = a.x().abs_diff(b.x()) + a.y().abs_diff(b.y());
                assert_eq!(a.touches(b), apart == 1, "{a:?} {b:?}");
                let next = Direction::ALL.iter().any(|&direction| a.next(direction) == Some(b));
                assert_eq!(next, apart == 1, "{a:?} {b:?}");
                let beside = beside(&CellSet::only(a.index())) & GRID;
                assert_eq!(beside.contains(b.index()), apart == 1, "{a:?} {b:?}");
            }
        }
        assert_eq!(Cell::on_grid(12, 10), Some(Cell::at(12, 10)));
        for (x, y) in [(13, 0), (0, 11), (-1, 0), (0, -1), (i32::MIN, 0), (0, i32::MAX)] {
            assert_eq!(Cell::on_grid(x, y), None);
        }
    }

    #[test]
    fn a_cross_is_a_row_and_a_column() {
        let mut dice = Dice::new(2);
        for centre in cells() {
            let reach =
                Direction::ALL.map(|direction| dice.below(u32::from(centre.space(direction)) + 1) as u8);
            let mut cross = CellSet::only(centre.index());
            for (direction, reach) in Direction::ALL.into_iter().zip(reach) {
                cross |= (1..=reach).map(|steps| centre.moved(direction, steps).index()).collect();
            }
            for cell in cells() {
                assert_eq!(
                    cell.is_in_cross(centre, reach),
                    cross.contains(cell.index()),
                    "{cell:?} {centre:?}"
                );
            }
        }
    }

    #[test]
    fn open_neighbours_have_the_order_of_directions() {
        let mut dice = Dice::new(3);
        for _ in 0..50 {
            let mut set = Cells([0; 3].map(|_| dice.bits())) & GRID;
            let mut ways = Ways::new(&set);
            for cell in cells() {
                let next = Direction::ALL.into_iter().filter_map(|direction| cell.next(direction));
                let expected: Vec<Cell> = next.filter(|next| set.contains(next.index())).collect();
                let neighbours = ways.from(cell);
                assert_eq!(neighbours.len() as usize, expected.len());
                assert_eq!(neighbours.or_stay(0), cell);
                for (i, &next) in expected.iter().enumerate() {
                    assert_eq!(neighbours.or_stay(i as u64 + 1), next, "{cell:?}");
                }
                assert_eq!(neighbours.collect::<Vec<_>>(), expected, "{cell:?}");
                ways.close(cell);
                set.discard(cell.index());
            }
        }
    }

    #[test]
    fn gaps_equal_a_walk() {
        let mut dice = Dice::new(1);
        for density in [1, 2, 4, 16, 64] {
            let set: CellSet = GRID.iter().filter(|_| dice.one_in(density)).collect();
            for cell in cells() {
                let gaps = gaps(&set, cell);
                for (direction, gap) in Direction::ALL.into_iter().zip(gaps) {
                    let space = cell.space(direction);
                    let walked =
                        (1..=space).find(|&steps| set.contains(cell.moved(direction, steps).index()));
                    assert_eq!((gap <= space).then_some(gap), walked, "{cell:?} {direction:?} in {set:?}");
                }
            }
        }
    }
}
