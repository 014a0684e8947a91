//! Cells and sets of cells.
//!
//! A cell has an index: rows are 32 apart, and there is an empty row above and below the grid. A map is at most 30
//! cells wide, so every neighbour of a cell has an index too, and an index outside the grid is in no set.

/// A set of cells.
pub type Cells = game::Cells<11>;

/// The distance from a cell to the cell below it.
pub const STRIDE: usize = 32;
/// The number of indexes: 20 rows and the two rows around them.
pub const SPAN: usize = 22 * STRIDE;
/// The offsets from a cell to its neighbours, in the order that decides ties: north, east, south, west.
pub const STEPS: [isize; 4] = [-(STRIDE as isize), 1, STRIDE as isize, -1];

/// The index of a cell.
#[inline]
#[must_use]
pub const fn cell(x: usize, y: usize) -> usize {
    (y + 1) * STRIDE + x
}

/// Column and row of a cell.
#[inline]
#[must_use]
pub const fn xy(cell: usize) -> (usize, usize) {
    (cell % STRIDE, cell / STRIDE - 1)
}

/// The neighbour of a cell in a direction of [`STEPS`].
#[inline]
#[must_use]
pub const fn beside(cell: usize, direction: usize) -> usize {
    cell.wrapping_add_signed(STEPS[direction])
}

/// The neighbours of a cell of the grid that are in a set: bit `d` for direction `d` of [`STEPS`].
#[inline]
#[must_use]
pub fn sides(cells: &Cells, cell: usize) -> u32 {
    let shift = cell % 64;
    let (north, south) = (cell - STRIDE, cell + STRIDE);
    // The cell to the left of column 0 is in no set, so the previous word is never needed.
    let row = cells.0[cell / 64] << 1 >> shift;
    let vertical = |at: usize| cells.0[at / 64] >> (at % 64) & 1;
    (vertical(north) | row >> 1 & 2 | vertical(south) << 2 | (row & 1) << 3) as u32
}

/// The eight cells around a cell of the grid that are in a set, a bit each: the row above from left to right, left,
/// right, the row below.
#[inline]
#[must_use]
pub fn ring(cells: &Cells, cell: usize) -> usize {
    // Shifted by a column, so that the column left of column 0 exists.
    let window = |at: usize| {
        let row = (cells.0[at / 64] >> (at % 64 / STRIDE * STRIDE)) as u32;
        ((u64::from(row) << 1) >> (cell % STRIDE) & 0b111) as usize
    };
    let row = window(cell);
    window(cell - STRIDE) | (row & 1) << 3 | row >> 2 << 4 | window(cell + STRIDE) << 5
}

/// The directions of a bit set returned by [`sides`], in order.
#[inline]
pub fn directions(sides: u32) -> impl Iterator<Item = usize> {
    let mut rest = sides;
    std::iter::from_fn(move || {
        let direction = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (direction < 4).then_some(direction)
    })
}

/// The number of steps between two cells without obstacles.
#[inline]
#[must_use]
pub const fn distance(a: usize, b: usize) -> usize {
    let ((ax, ay), (bx, by)) = (xy(a), xy(b));
    ax.abs_diff(bx) + ay.abs_diff(by)
}

/// All neighbours of a set. Some may be outside the grid: intersect the result with a set of cells inside.
#[inline]
#[must_use]
pub fn around(cells: &Cells) -> Cells {
    cells.up(1) | cells.down(1) | cells.up(STRIDE as u32) | cells.down(STRIDE as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_stay_off_the_other_edge() {
        for (width, height) in [(21, 14), (30, 20)] {
            let board: Cells = (0..height).flat_map(|y| (0..width).map(move |x| cell(x, y))).collect();
            for y in 0..height {
                for x in 0..width {
                    let here = cell(x, y);
                    assert_eq!(xy(here), (x, y));
                    let mut expected = Cells::EMPTY;
                    for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
                        let (nx, ny) = (x as i32 + dx, y as i32 + dy);
                        if (0..width as i32).contains(&nx) && (0..height as i32).contains(&ny) {
                            expected.add(cell(nx as usize, ny as usize));
                        }
                    }
                    assert_eq!(around(&Cells::only(here)) & board, expected);
                    let by_steps: Cells =
                        (0..4).map(|d| beside(here, d)).filter(|&c| board.contains(c)).collect();
                    assert_eq!(by_steps, expected);
                    for (bit, (dx, dy)) in
                        (0..).zip([(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)])
                    {
                        let (nx, ny) = (x as i32 + dx, y as i32 + dy);
                        let inside = (0..width as i32).contains(&nx) && (0..height as i32).contains(&ny);
                        assert_eq!(ring(&board, here) >> bit & 1 != 0, inside);
                        if inside {
                            let single = Cells::only(cell(nx as usize, ny as usize));
                            assert_eq!(ring(&single, here), 1 << bit);
                        }
                    }
                    let full = sides(&board, here);
                    let by_sides: Cells = directions(full).map(|d| beside(here, d)).collect();
                    assert_eq!(by_sides, expected);
                    for d in 0..4 {
                        let single = Cells::only(beside(here, d)) & board;
                        assert_eq!(sides(&single, here), full & 1 << d);
                    }
                }
            }
        }
    }
}
