//! Numbers of a map for reports.

use game::Feature;

use crate::grid::SIZE;
use crate::{Cell, Map};

impl Map {
    /// Numbers by which reports group outcomes.
    pub(crate) fn features(&self) -> Vec<Feature> {
        let cells = usize::from(SIZE) * usize::from(SIZE);
        vec![
            Feature::percent("water", self.water().len() as usize, cells),
            Feature::new("islands", "islands", f64::from(self.islands())),
        ]
    }

    /// The number of islands: cells of land that are connected by their sides.
    fn islands(&self) -> u32 {
        let land = |x: u8, y: u8| Cell::new(x, y).filter(|&cell| !self.is_water(cell));
        let mut seen = *self.water();
        let mut islands = 0;
        for (x, y) in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y))) {
            let mut open = vec![(x, y)];
            islands += u32::from(land(x, y).is_some_and(|cell| !seen.contains(cell.index())));
            while let Some((x, y)) = open.pop() {
                let Some(cell) = land(x, y).filter(|cell| !seen.contains(cell.index())) else { continue };
                seen.add(cell.index());
                open.extend([(x + 1, y), (x, y + 1), (x.wrapping_sub(1), y), (x, y.wrapping_sub(1))]);
            }
        }
        islands
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn islands_are_connected_by_their_sides() {
        let mut rows = vec![".".repeat(usize::from(SIZE)); usize::from(SIZE)];
        assert_eq!(Map::from_rows(&rows).unwrap().islands(), 0);
        rows[0].replace_range(0..3, "x.x");
        rows[1].replace_range(0..3, ".xx");
        rows[2].replace_range(0..3, "x..");
        assert_eq!(Map::from_rows(&rows).unwrap().islands(), 3);
    }
}
