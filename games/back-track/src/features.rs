//! Numbers of a map for reports.

use game::Feature;

use crate::{Map, Terrain};

impl Map {
    /// Numbers by which reports group outcomes.
    pub(crate) fn features(&self) -> Vec<Feature> {
        let cells = self.cells().count();
        let regions = self.cells().map(|cell| self.regions[cell]).max().map_or(0, |last| u32::from(last) + 1);
        let hard = self
            .cells()
            .filter(|&cell| matches!(self.terrain(cell), Terrain::River | Terrain::Mountain))
            .count();
        vec![
            Feature::new("size of the map", "cells", cells as f64),
            Feature::new("towns", "towns", self.towns().len() as f64),
            Feature::new("regions", "regions", f64::from(regions)),
            Feature::new("desired connections", "connections", self.wishes().len() as f64),
            Feature::percent("rivers and mountains", hard, cells),
        ]
    }
}
