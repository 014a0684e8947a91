//! The map: everything that does not change during a game (rules, sections 5 and 6).

use serde_json::{Map as Object, Value, json};

use crate::generate::{Maker, rounded};
use crate::grid::{Cells, SPAN, cell, xy};
use crate::rules::{MapRules, Rules};

/// The maximum number of towns; [`Rules`] with more are rejected.
pub const MAX_TOWNS: usize = 12;
/// The maximum number of regions; the largest map has 61.
pub const MAX_REGIONS: usize = 64;
/// The maximum number of desired connections: of two towns, only one wants the other.
pub const MAX_WISHES: usize = MAX_TOWNS * (MAX_TOWNS - 1) / 2;

/// The terrain of a cell; the number is that of the protocol (section 7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Terrain {
    /// Plains.
    Plains = 0,
    /// A river.
    River = 1,
    /// A mountain.
    Mountain = 2,
    /// A place of interest.
    Place = 3,
}

/// A map. Cells are the indexes of [`crate::grid`].
#[derive(Clone, PartialEq, Debug)]
pub struct Map {
    /// Cells in a row.
    pub width: u8,
    /// Cells in a column.
    pub height: u8,
    /// Every cell of the grid.
    pub board: Cells,
    /// The cells of each terrain, by its number.
    pub terrains: [Cells; 4],
    /// Cost of a track, by cell (section 6).
    pub costs: [u8; SPAN],
    /// Region, by cell.
    pub regions: [u8; SPAN],
    /// The number of regions.
    pub region_count: u8,
    /// The cells of each region.
    pub region_cells: [Cells; MAX_REGIONS],
    /// Regions with a town, a bit each.
    pub town_regions: u64,
    /// Every cell with a town.
    pub town_cells: Cells,
    /// The number of towns.
    pub town_count: u8,
    /// The towns by id.
    pub towns: [Town; MAX_TOWNS],
    /// The number of desired connections.
    pub wish_count: u8,
    /// The desired connections, by requesting town, then by desired town.
    pub wishes: [Wish; MAX_WISHES],
}

/// A town.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Town {
    /// Its cell.
    pub cell: u16,
    /// The towns it wants to be connected to, a bit each.
    pub desires: u16,
    /// The towns that want to be connected to it, a bit each.
    pub desired_by: u16,
    /// Its first entry in the list of wishes.
    pub first_wish: u8,
}

/// A desired connection.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Wish {
    /// The town that wants it.
    pub from: u8,
    /// The town it wants to be connected to.
    pub to: u8,
}

impl Map {
    /// The map generated from a seed.
    #[must_use]
    pub fn new(rules: &Rules, seed: i64) -> Map {
        Maker::new(rules, seed).make()
    }

    /// The width of a map with this height (section 5.1).
    #[must_use]
    pub fn width_for(rules: &MapRules, height: usize) -> usize {
        rounded(height as f32 * rules.aspect)
    }

    /// The cell at a column and row; `None` outside the grid.
    #[inline]
    #[must_use]
    pub fn cell_at(&self, x: u32, y: u32) -> Option<usize> {
        (x < u32::from(self.width) && y < u32::from(self.height)).then(|| cell(x as usize, y as usize))
    }

    /// Every cell in row-major order.
    pub fn cells(&self) -> impl Iterator<Item = usize> + '_ {
        (0..usize::from(self.height)).flat_map(|y| (0..usize::from(self.width)).map(move |x| cell(x, y)))
    }

    /// The towns in order of id.
    #[inline]
    #[must_use]
    pub fn towns(&self) -> &[Town] {
        &self.towns[..usize::from(self.town_count)]
    }

    /// The desired connections, by requesting town, then by desired town.
    #[inline]
    #[must_use]
    pub fn wishes(&self) -> &[Wish] {
        &self.wishes[..usize::from(self.wish_count)]
    }

    /// The index of the desired connection `from`-`to` in the list of wishes. It must be a desired connection.
    #[inline]
    #[must_use]
    pub fn wish(&self, from: usize, to: usize) -> usize {
        let town = &self.towns[from];
        let lower = town.desires & ((1 << to) - 1);
        usize::from(town.first_wish) + lower.count_ones() as usize
    }

    /// The town at a cell.
    #[inline]
    #[must_use]
    pub fn town_at(&self, cell: usize) -> Option<usize> {
        self.towns().iter().position(|town| usize::from(town.cell) == cell)
    }

    /// The terrain of a cell.
    #[inline]
    #[must_use]
    pub fn terrain(&self, cell: usize) -> Terrain {
        let [_, rivers, mountains, places] = &self.terrains;
        if rivers.contains(cell) {
            Terrain::River
        } else if mountains.contains(cell) {
            Terrain::Mountain
        } else if places.contains(cell) {
            Terrain::Place
        } else {
            Terrain::Plains
        }
    }

    /// The ids of a set of towns or regions, ascending.
    pub fn ids(set: u64) -> impl Iterator<Item = usize> {
        let mut rest = set;
        std::iter::from_fn(move || {
            let id = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            (id < 64).then_some(id)
        })
    }

    /// The map in the form of a map trace.
    pub(crate) fn record(&self) -> Object<String, Value> {
        let terrain: String = self.cells().map(|cell| char::from(b'0' + self.terrain(cell) as u8)).collect();
        let regions: Vec<u8> = self.cells().map(|cell| self.regions[cell]).collect();
        let towns: Vec<Value> = self
            .towns()
            .iter()
            .enumerate()
            .map(|(id, town)| {
                let (x, y) = xy(usize::from(town.cell));
                json!([id, x, y, Map::ids(u64::from(town.desires)).collect::<Vec<_>>()])
            })
            .collect();
        let mut record = Object::new();
        record.insert("width".into(), self.width.into());
        record.insert("height".into(), self.height.into());
        record.insert("regions".into(), regions.into());
        record.insert("terrain".into(), terrain.into());
        record.insert("towns".into(), towns.into());
        record
    }
}
