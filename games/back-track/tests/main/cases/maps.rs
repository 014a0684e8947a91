//! Maps (rules, section 5).

use back_track::{BackTrack, Map, Rules, Terrain, grid};
use game::Game;

/// Section 5.9.
#[test]
fn towns_wishes_and_places_of_seed_1() {
    let map = Map::new(&Rules::STATEMENT, 1);
    let towns: Vec<_> = map.towns().iter().map(|town| grid::xy(usize::from(town.cell))).collect();
    assert_eq!(towns, [(16, 3), (2, 3), (10, 4), (6, 7), (1, 10), (11, 8), (18, 13)]);
    let wishes: Vec<Vec<usize>> =
        map.towns().iter().map(|town| Map::ids(u64::from(town.desires)).collect()).collect();
    let expected: [&[usize]; 7] = [&[1], &[2, 6], &[0, 5, 6], &[0, 1, 2], &[1, 6], &[1, 3, 4], &[0, 3, 5]];
    assert_eq!(wishes, expected);
    let mut places: Vec<_> =
        map.cells().filter(|&c| map.terrain(c) == Terrain::Place).map(grid::xy).collect();
    places.sort_unstable();
    assert_eq!(places, [(0, 15), (1, 6), (5, 1), (17, 0)]);
}

#[test]
fn the_fallback_may_ignore_adjacency() {
    let seed = -8_107_321_549_588_985_717;
    assert_eq!(Map::new(&Rules::STATEMENT, seed).town_count, 11);
    assert_eq!(Map::new(&Rules::OF_2026, seed).town_count, 12);
}

/// What the parts of a map say about each other, on many seeds, 0 and the extremes among them.
#[test]
fn a_map_agrees_with_itself() {
    let seeds = (0..300).chain([i64::MIN, i64::MAX, -1]);
    for seed in seeds {
        for rules in [Rules::STATEMENT, Rules::OF_2026] {
            let map = Map::new(&rules, seed);
            let (width, height) = (usize::from(map.width), usize::from(map.height));
            assert_eq!(map.board.len() as usize, width * height);
            assert!(map.region_count as usize == width * height / (height / 2), "seed {seed}");
            for cell in map.cells() {
                let region = usize::from(map.regions[cell]);
                assert!(region < usize::from(map.region_count) && map.region_cells[region].contains(cell));
                let cost = [1, 2, 3, 3][map.terrain(cell) as usize];
                assert_eq!(map.costs[cell], cost);
                assert!(map.terrains[map.terrain(cell) as usize].contains(cell));
            }
            assert_eq!(map.terrains.iter().map(game::Cells::len).sum::<u32>(), map.board.len());
            for (id, town) in map.towns().iter().enumerate() {
                let cell = usize::from(town.cell);
                assert_eq!(map.town_at(cell), Some(id));
                assert_eq!(map.terrain(cell), Terrain::Plains);
                assert!(map.town_regions >> map.regions[cell] & 1 != 0);
            }
            for (i, wish) in map.wishes().iter().enumerate() {
                let (from, to) = (usize::from(wish.from), usize::from(wish.to));
                assert_eq!(map.wish(from, to), i);
                assert!(map.towns[from].desires >> to & 1 != 0 && map.towns[to].desired_by >> from & 1 != 0);
                assert!(map.towns[to].desires >> from & 1 == 0, "of two towns one wants the other");
            }
        }
    }
}

#[test]
fn the_record_has_the_keys_of_a_trace() {
    let record = BackTrack::new(Rules::STATEMENT, 1).map_record();
    assert_eq!(record.keys().collect::<Vec<_>>(), ["width", "height", "regions", "terrain", "towns"]);
    assert_eq!(record["terrain"].as_str().map(str::len), Some(24 * 16));
    assert_eq!(record["towns"][1], serde_json::json!([1, 2, 3, [2, 6]]));
}

#[test]
fn the_league_does_not_change_the_map() {
    let first = Map::new(&Rules::STATEMENT.in_league(1), 5);
    assert_eq!(first, Map::new(&Rules::STATEMENT, 5));
}
