//! Numbers of a map that is not played yet.

/// A number of a map: its name, its unit and its value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Feature {
    /// The name, such as `boxes`.
    pub name: &'static str,
    /// The unit, such as `% of the map`.
    pub unit: &'static str,
    /// The value.
    pub value: f64,
}

impl Feature {
    /// A number of a map.
    #[must_use]
    pub fn new(name: &'static str, unit: &'static str, value: f64) -> Feature {
        Feature { name, unit, value }
    }

    /// A share of the map in whole percent: finer values would make too many groups in a chart.
    #[must_use]
    pub fn percent(name: &'static str, part: usize, whole: usize) -> Feature {
        let value = (100.0 * part as f64 / whole.max(1) as f64).round();
        Feature { name, unit: "% of the map", value }
    }
}
