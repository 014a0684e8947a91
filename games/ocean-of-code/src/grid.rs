//! Cells, directions and sectors of the 15 x 15 sea.

use game::Cells;
use serde::{Serialize, Serializer};

/// Width and height of the map.
pub const SIZE: u8 = 15;
/// Width and height of a sector.
pub const SECTOR_SIZE: u8 = 5;
/// Sectors are numbered from 1 to this.
pub const SECTORS: u8 = (SIZE / SECTOR_SIZE) * (SIZE / SECTOR_SIZE);

/// Indices grow by 16 from row to row. Column 15 and row 15 are never water, so a step off the map across any edge
/// wraps in a byte to an index that no set of water cells contains.
pub(crate) const STRIDE: u8 = 16;

/// A set of cells of the sea.
pub type Sea = Cells<4>;

/// A cell of the map; x grows to the east, y to the south, (0, 0) is the north-west corner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "Spot", type = "[number, number]"))]
pub struct Cell(u8);

impl Cell {
    /// The cell at (x, y), if that is on the map.
    #[inline]
    pub const fn new(x: u8, y: u8) -> Option<Cell> {
        if x < SIZE && y < SIZE { Some(Cell(y * STRIDE + x)) } else { None }
    }

    /// The cell with this index in a [`Sea`] that holds cells of the map only.
    #[inline]
    pub(crate) const fn from_index(index: usize) -> Cell {
        debug_assert!(index & 15 < SIZE as usize && index >> 4 < SIZE as usize);
        Cell(index as u8)
    }

    /// Column.
    #[inline]
    pub const fn x(self) -> u8 {
        self.0 % STRIDE
    }

    /// Row.
    #[inline]
    pub const fn y(self) -> u8 {
        self.0 / STRIDE
    }

    /// Index in a [`Sea`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The index of the neighbour, which may not be a cell of the map.
    #[inline]
    pub(crate) const fn toward(self, direction: Direction) -> u8 {
        self.0.wrapping_add(direction.offset())
    }

    /// Rules, section 8, Sectors: 1 2 3 on the top row to 9 at the bottom right.
    #[inline]
    pub const fn sector(self) -> u8 {
        self.x() / SECTOR_SIZE + 1 + SIZE / SECTOR_SIZE * (self.y() / SECTOR_SIZE)
    }

    /// The number of steps to the other cell if all cells were water.
    #[inline]
    pub const fn steps_to(self, other: Cell) -> u8 {
        self.x().abs_diff(other.x()) + self.y().abs_diff(other.y())
    }

    /// The number of steps to the other cell if all cells were water and diagonal steps were allowed: 1 for the 8 cells
    /// around.
    #[inline]
    pub const fn rings_to(self, other: Cell) -> u8 {
        let (dx, dy) = (self.x().abs_diff(other.x()), self.y().abs_diff(other.y()));
        if dx > dy { dx } else { dy }
    }

    /// Every cell, row by row.
    pub fn all() -> impl Iterator<Item = Cell> {
        (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| Cell(y * STRIDE + x)))
    }
}

impl Serialize for Cell {
    /// As the pair `[x, y]`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.x(), self.y()).serialize(serializer)
    }
}

/// A direction in which a submarine can move (rules, section 8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Direction {
    /// North, y - 1.
    N,
    /// South, y + 1.
    S,
    /// East, x + 1.
    E,
    /// West, x - 1.
    W,
}

impl Direction {
    /// All directions.
    pub const ALL: [Direction; 4] = [Direction::N, Direction::S, Direction::E, Direction::W];

    /// The letter of the protocol.
    #[inline]
    pub const fn letter(self) -> &'static str {
        match self {
            Direction::N => "N",
            Direction::S => "S",
            Direction::E => "E",
            Direction::W => "W",
        }
    }

    /// Parses the letter; no other text is accepted.
    #[inline]
    pub const fn read(token: &[u8]) -> Option<Direction> {
        match token {
            b"N" => Some(Direction::N),
            b"S" => Some(Direction::S),
            b"E" => Some(Direction::E),
            b"W" => Some(Direction::W),
            _ => None,
        }
    }

    #[inline]
    const fn offset(self) -> u8 {
        const OFFSETS: [u8; 4] = [STRIDE.wrapping_neg(), STRIDE, 1, 1u8.wrapping_neg()];
        (u32::from_le_bytes(OFFSETS) >> (u8::BITS * self as u32)) as u8
    }
}

/// The directions in which the neighbour of `cell` belongs to the set, a bit each: [`way_bit`].
#[inline]
pub(crate) const fn ways(cells: &Sea, cell: Cell) -> usize {
    // Each factor bit moves one of the four neighbours to its place above bit 60; the other products land elsewhere, one
    // per place, so that there is no carry.
    const ROW: usize = STRIDE as usize;
    const NEIGHBOURS: u64 = 1 | 1 << (ROW - 1) | 1 << (ROW + 1) | 1 << (2 * ROW);
    const GATHER: u64 = 1 << 60 | 1 << 44 | 1 << 47 | 1 << 31;
    let [a, b, c, d] = cells.0;
    // 64 bits of the set, from the northern neighbour on. The word before the set stands for the row north of the map.
    let words = [0, a, b, c, d, 0];
    let first = cell.index() + 64 - ROW;
    let (word, shift) = (first / 64, first % 64);
    let near = words[word] >> shift | words[word + 1] << 1 << (63 - shift);
    ((near & NEIGHBOURS).wrapping_mul(GATHER) >> 60) as usize
}

/// The bit of a direction in the result of [`ways`].
pub(crate) const fn way_bit(direction: Direction) -> u32 {
    match direction {
        Direction::N => 0,
        Direction::E => 1,
        Direction::W => 2,
        Direction::S => 3,
    }
}

/// The set and the side neighbours of its cells. The result may contain indices outside the map.
#[inline]
pub(crate) fn spread(cells: Sea) -> Sea {
    let row = u32::from(STRIDE);
    cells | cells.up(1) | cells.down(1) | cells.up(row) | cells.down(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_know_their_place() {
        for (i, cell) in Cell::all().enumerate() {
            let (x, y) = ((i % 15) as u8, (i / 15) as u8);
            assert_eq!((cell.x(), cell.y()), (x, y));
            assert_eq!(Cell::new(x, y), Some(cell));
            assert_eq!(Cell::from_index(cell.index()), cell);
            assert_eq!(cell.sector(), x / 5 + 1 + 3 * (y / 5));
        }
        assert_eq!(Cell::new(15, 0), None);
        assert_eq!(Cell::new(0, 15), None);
        assert_eq!(SECTORS, 9);
    }

    #[test]
    fn a_step_off_the_map_leads_to_no_cell() {
        let sea: Sea = Cell::all().map(Cell::index).collect();
        for cell in Cell::all() {
            let (x, y) = (i32::from(cell.x()), i32::from(cell.y()));
            for (direction, (nx, ny)) in
                Direction::ALL.into_iter().zip([(x, y - 1), (x, y + 1), (x + 1, y), (x - 1, y)])
            {
                let index = cell.toward(direction) as usize;
                let on_map = (0..15).contains(&nx) && (0..15).contains(&ny);
                assert_eq!(sea.contains(index), on_map, "{cell:?} {direction:?}");
                assert_eq!(ways(&sea, cell) >> way_bit(direction) & 1 != 0, on_map, "{cell:?} {direction:?}");
                let only = Sea::only(index);
                let expected = if on_map { 1 << way_bit(direction) } else { 0 };
                assert_eq!(ways(&(only & sea), cell), expected, "{cell:?} {direction:?}");
                if on_map {
                    assert_eq!(Some(Cell::from_index(index)), Cell::new(nx as u8, ny as u8));
                }
                assert_eq!(Direction::read(direction.letter().as_bytes()), Some(direction));
            }
            let around: Sea = Cell::all().filter(|c| c.steps_to(cell) <= 1).map(Cell::index).collect();
            assert_eq!(spread(Sea::only(cell.index())) & sea, around);
        }
        for token in [&b""[..], b"n", b"NE", b" N", b"X"] {
            assert_eq!(Direction::read(token), None);
        }
    }

    #[test]
    fn rings_are_the_cells_around() {
        let at = |x, y| Cell::new(x, y).unwrap();
        assert_eq!(at(3, 3).rings_to(at(3, 3)), 0);
        assert_eq!(at(3, 3).rings_to(at(4, 2)), 1);
        assert_eq!(at(3, 3).rings_to(at(2, 3)), 1);
        assert_eq!(at(3, 3).rings_to(at(5, 3)), 2);
        assert_eq!(at(14, 3).rings_to(at(0, 4)), 14);
    }
}
