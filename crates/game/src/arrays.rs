//! A game as arrays of numbers, for programs that learn to play it.

use crate::{Cells, Game, Seat};

/// The arrays of a game: what they contain and how large they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Rows of a plane.
    pub height: usize,
    /// Columns of a plane.
    pub width: usize,
    /// The names of the planes of an observation.
    pub planes: &'static [&'static str],
    /// The names of the scalars of an observation.
    pub scalars: &'static [&'static str],
    /// The names of the planes that only a privileged observer gets, besides those of an observation.
    pub hidden_planes: &'static [&'static str],
    /// The names of the scalars that only a privileged observer gets, besides those of an observation.
    pub hidden_scalars: &'static [&'static str],
    /// The components of an action: the name and the number of choices of each. Choice 0 does nothing.
    pub actions: &'static [(&'static str, usize)],
}

impl Layout {
    /// The number of cells of a plane.
    pub const fn area(&self) -> usize {
        self.height * self.width
    }

    /// The length of a mask: the choices of all components.
    pub fn mask(&self) -> usize {
        self.actions.iter().map(|(_, choices)| choices).sum()
    }
}

/// The numbers of one component of an action.
pub type Choice = u16;

/// A game as arrays of numbers.
///
/// An action is a choice for each component of [`Layout::actions`]. It never causes a fault: a part of an action that the
/// rules do not allow at its place in the answer is left out. So the choices of a mask are possible each on their own, and
/// any combination of them is a legal answer.
pub trait Arrays: Game {
    /// The arrays.
    const LAYOUT: Layout;

    /// Writes the observation of a player: what its bot would be told, and nothing else. All entries are written.
    fn observe(&self, view: &Self::View<'_>, planes: &mut [u8], scalars: &mut [f32]);

    /// Writes what the player cannot see. All entries are written.
    fn reveal(&self, state: &Self::State, seat: Seat, planes: &mut [u8], scalars: &mut [f32]);

    /// Writes the present score of each seat.
    fn write_scores(&self, state: &Self::State, scores: &mut [f32]);

    /// Writes 1 for each choice that is possible now, else 0, all components one after the other.
    fn mask(&self, view: &Self::View<'_>, mask: &mut [u8]);

    /// The order of an action. Choices past the last one of a component count as 0.
    fn order_of(&self, view: &Self::View<'_>, action: &[Choice]) -> Self::Order;

    /// Writes the action of an order; false if there is none that is the same.
    fn action_of(&self, view: &Self::View<'_>, order: &Self::Order, action: &mut [Choice]) -> bool;
}

/// The byte of each bit of a number, from the lowest bit on: 0 or 1.
const BYTES: [[u8; 8]; 256] = {
    let mut bytes = [[0; 8]; 256];
    let mut number = 0;
    while number < 256 {
        let mut bit = 0;
        while bit < 8 {
            bytes[number][bit] = (number >> bit & 1) as u8;
            bit += 1;
        }
        number += 1;
    }
    bytes
};

/// Writes a set of cells as a plane of zeros and ones. A row of the set has `STRIDE` bits, of which the first `WIDTH` are
/// cells; the first row of the plane is row `FIRST` of the set. All entries are written.
///
/// # Panics
///
/// When the plane is not a number of whole rows, or the set has fewer rows.
#[inline]
pub fn write_cells<const WIDTH: usize, const STRIDE: usize, const FIRST: usize, const WORDS: usize>(
    cells: &Cells<WORDS>,
    plane: &mut [u8],
) {
    let rows = plane.len() / WIDTH;
    for row in 0..rows {
        let bit = (FIRST + row) * STRIDE;
        let bits = cells.0[bit / 64] >> (bit % 64);
        let eight = |place: usize| BYTES[usize::from((bits >> (8 * place)) as u8)];
        let at = row * WIDTH;
        // Eight bytes at once, without a detour: a row that is put together elsewhere and then copied makes the processor
        // wait. The bytes past the last cell are written over by the next row.
        if let Some(bytes) = plane.get_mut(at..at + STRIDE) {
            for (place, bytes) in bytes.as_chunks_mut().0.iter_mut().enumerate() {
                *bytes = eight(place);
            }
        } else {
            let (whole, rest) = plane[at..][..WIDTH].as_chunks_mut();
            for (place, bytes) in whole.iter_mut().enumerate() {
                *bytes = eight(place);
            }
            let last = eight(whole.len());
            rest.iter_mut().zip(last).for_each(|(byte, bit)| *byte = bit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const WIDTH: usize, const FIRST: usize>() {
        let cells: Vec<(usize, usize)> =
            (0..11).map(|y| (y * 7 % WIDTH, y)).chain([(WIDTH - 1, 10)]).collect();
        let mut set = Cells::<4>::EMPTY;
        for (x, y) in &cells {
            set.add(y * 16 + x);
        }
        let rows = 11 - FIRST;
        let mut plane = vec![77; WIDTH * rows];
        write_cells::<WIDTH, 16, FIRST, 4>(&set, &mut plane);
        let mut expected = vec![0; WIDTH * rows];
        for &(x, y) in cells.iter().filter(|cell| cell.1 >= FIRST) {
            expected[(y - FIRST) * WIDTH + x] = 1;
        }
        assert_eq!(plane, expected, "width {WIDTH}, from row {FIRST}");
    }

    #[test]
    fn a_set_becomes_a_plane() {
        check::<9, 0>();
        check::<13, 0>();
        check::<15, 1>();
        check::<16, 0>();
    }
}
