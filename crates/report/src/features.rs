//! What can be said of a map before it is played: numbers by which outcomes are sorted.

use catalog::AnyGame;
use game::Selected;
use serde_json::{Map, Value};

/// A number of a map: what it is, and its unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Feature {
    pub(crate) name: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) value: f64,
}

/// The features of the map of a seed. A game this module does not know has none.
pub(crate) fn features(game: &dyn AnyGame, selected: Selected, seed: i64) -> Vec<Feature> {
    let map = game.start(selected, seed).map_record();
    match game.info().name {
        "ocean-of-code" => ocean_of_code(&map),
        "hypersonic" => hypersonic(&map),
        "back-track" => back_track(&map),
        _ => Vec::new(),
    }
}

fn ocean_of_code(map: &Map<String, Value>) -> Vec<Feature> {
    let rows = rows(map);
    let cells: usize = rows.iter().map(|row| row.len()).sum();
    let water = count(&rows, |cell| cell == b'.');
    vec![
        Feature { name: "water", unit: "% of the map", value: percent(water, cells) },
        Feature { name: "islands", unit: "islands", value: islands(&rows) as f64 },
    ]
}

fn hypersonic(map: &Map<String, Value>) -> Vec<Feature> {
    let rows = rows(map);
    let boxes = count(&rows, |cell| cell.is_ascii_digit());
    let items = count(&rows, |cell| matches!(cell, b'1'..=b'9'));
    vec![
        Feature { name: "boxes", unit: "boxes", value: boxes as f64 },
        Feature { name: "boxes with an item", unit: "boxes", value: items as f64 },
    ]
}

fn back_track(map: &Map<String, Value>) -> Vec<Feature> {
    let list = |name: &str| map.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let terrain = map.get("terrain").and_then(Value::as_str).unwrap_or_default().as_bytes();
    let regions = list("regions").iter().filter_map(Value::as_u64).max().map_or(0, |last| last + 1);
    let wishes: usize = list("towns").iter().filter_map(|town| town.get(3)?.as_array()).map(Vec::len).sum();
    let hard = terrain.iter().filter(|&&cell| matches!(cell, b'1' | b'2')).count();
    vec![
        Feature { name: "size of the map", unit: "cells", value: terrain.len() as f64 },
        Feature { name: "towns", unit: "towns", value: list("towns").len() as f64 },
        Feature { name: "regions", unit: "regions", value: regions as f64 },
        Feature { name: "desired connections", unit: "connections", value: wishes as f64 },
        Feature { name: "rivers and mountains", unit: "% of the map", value: percent(hard, terrain.len()) },
    ]
}

fn rows(map: &Map<String, Value>) -> Vec<&[u8]> {
    let rows = map.get("map").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    rows.iter().filter_map(Value::as_str).map(str::as_bytes).collect()
}

fn count(rows: &[&[u8]], is: impl Fn(u8) -> bool) -> usize {
    rows.iter().flat_map(|row| row.iter()).filter(|&&cell| is(cell)).count()
}

/// A whole number: a bucket of the chart should not be named by digits nobody can tell apart.
fn percent(part: usize, whole: usize) -> f64 {
    (100.0 * part as f64 / whole.max(1) as f64).round()
}

/// Pieces of land that hang together by their sides.
fn islands(rows: &[&[u8]]) -> usize {
    let mut seen: Vec<Vec<bool>> =
        rows.iter().map(|row| row.iter().map(|&cell| cell == b'.').collect()).collect();
    let mut islands = 0;
    for y in 0..rows.len() {
        for x in 0..rows[y].len() {
            let mut open = vec![(x, y)];
            islands += usize::from(!seen[y][x]);
            while let Some((x, y)) = open.pop() {
                match seen.get_mut(y).and_then(|row| row.get_mut(x)) {
                    Some(seen) if !*seen => *seen = true,
                    _ => continue,
                }
                open.extend([(x + 1, y), (x, y + 1), (x.wrapping_sub(1), y), (x, y.wrapping_sub(1))]);
            }
        }
    }
    islands
}

#[cfg(test)]
// These numbers are exact.
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;
    use game::Selection;

    #[test]
    fn islands_hang_together_by_their_sides() {
        assert_eq!(islands(&[b"x.x", b".xx", b"x.."]), 3);
        assert_eq!(islands(&[b"...", b"..."]), 0);
        assert_eq!(islands(&[]), 0);
    }

    /// Every game of the catalog has features, and they differ between maps: a game that is added without any is noticed here.
    #[test]
    fn every_game_has_features_that_tell_maps_apart() {
        for game in catalog::games() {
            let selected = game.select(&Selection::default()).unwrap();
            let maps: Vec<Vec<Feature>> = (0..40).map(|seed| features(game, selected, seed)).collect();
            assert!(!maps[0].is_empty(), "{}", game.info().name);
            for at in 0..maps[0].len() {
                let values: Vec<f64> = maps.iter().map(|map| map[at].value).collect();
                let name = maps[0][at].name;
                assert!(values.iter().any(|&value| value > 0.0), "{}: {name} {values:?}", game.info().name);
                assert!(values.iter().any(|&value| value != values[0]), "{}: {name}", game.info().name);
            }
        }
    }

    #[test]
    fn features_are_those_of_the_map() {
        let find = |name: &str, features: &[Feature]| features.iter().find(|f| f.name == name).unwrap().value;
        let game = catalog::find("hypersonic").unwrap();
        let selected = game.select(&Selection { players: Some(3), ..Selection::default() }).unwrap();
        let lines = game.start(selected, 1).map_lines(game::Seat(0));
        let drawn = lines.lines().skip(1).take(11).collect::<String>();
        let boxes = drawn.bytes().filter(u8::is_ascii_digit).count();
        assert_eq!(find("boxes", &features(game, selected, 1)), boxes as f64);
    }
}
