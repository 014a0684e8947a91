//! The numbers of the game, one value per edition and league (rules, sections 1 and 11.5).

use game::{Limits, RulesError, check_ranges};
use serde::{Deserialize, Serialize};

use crate::map::MAX_TOWNS;

/// All numbers of the game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Level of the league, 1 to 3.
    pub league: u8,
    /// The objective of player 0 in a tutorial league; `None` in the full game (section 11.5).
    pub objective: Option<Objective>,
    /// Places of interest are on the map (section 5.8).
    pub places_of_interest: bool,
    /// The side quest is recorded (section 11.2).
    pub side_quest: bool,
    /// Instability at which a region is inked (section 9, step 5).
    pub ink_threshold: u8,
    /// Regions with a town can be disrupted (section 9, step 4).
    pub town_regions_disruptable: bool,
    /// The condition that stops an AUTOPLACE (section 9, step 3).
    pub autoplace_stop: AutoplaceStop,
    /// Towns placed by the fallback are never in adjacent regions (section 5.6).
    pub fallback_respects_adjacency: bool,
    /// Paint points of each player each turn (section 9, step 1).
    pub paint: u8,
    /// Disruption points of each player each turn (section 9, step 1).
    pub disruption: u8,
    /// Cost of a track on plains (section 6).
    pub plains_cost: u8,
    /// Cost of a track on a river (section 6).
    pub river_cost: u8,
    /// Cost of a track on a mountain (section 6).
    pub mountain_cost: u8,
    /// Cost of a track on a place of interest (section 6).
    pub place_of_interest_cost: u8,
    /// The maximum number of turns (section 11.3).
    pub max_turns: u16,
    /// The rules of map generation (section 5).
    pub map: MapRules,
    /// Time for the first answer, in milliseconds (section 7).
    pub first_turn_ms: u32,
    /// Time for every other answer, in milliseconds (section 7).
    pub turn_ms: u32,
    /// A longer answer is ignored.
    pub answer_bytes: u32,
}

/// The objective of player 0 in a tutorial league (section 11.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// Score a point.
    Score,
    /// Have its last disrupted region inked while the region contains a track of player 1.
    InkOpponent,
}

/// The skipped placement that stops the rest of an AUTOPLACE (section 9, step 3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AutoplaceStop {
    /// Any skipped placement.
    AnySkip,
    /// Only a placement that is skipped for lack of paint.
    LackOfPaint,
}

/// The rules of map generation (section 5).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapRules {
    /// The minimum height of a map (section 5.1).
    pub height_min: u8,
    /// The maximum height of a map (section 5.1).
    pub height_max: u8,
    /// The ratio of the width to the height (section 5.1).
    pub aspect: f32,
    /// The maximum number of mountains drawn, per cell of the map (section 5.3).
    pub mountain_share: f32,
    /// Fewest mountains (section 5.3).
    pub mountains_min: u8,
    /// Fewest cells a mountain grows by (section 5.3).
    pub mountain_growth_min: u8,
    /// Most cells a mountain grows by (section 5.3).
    pub mountain_growth_max: u8,
    /// The target number of river cells, per cell of the map (section 5.4).
    pub river_share: f32,
    /// The probability that a river splits (section 5.4).
    pub river_split: f32,
    /// The weight of the preferred direction; other directions have 1 (section 5.4).
    pub river_ahead: f32,
    /// Weight of turning back (section 5.4).
    pub river_back: f32,
    /// Rivers with fewer cells dry out (section 5.4).
    pub river_min: u8,
    /// The minimum target number of towns (section 5.6).
    pub towns_min: u8,
    /// Cells of the map for each town (section 5.6).
    pub cells_per_town: u16,
    /// The number of tries before a town is left to the fallback (section 5.6).
    pub town_retries: u16,
    /// The minimum Manhattan distance between towns, and between places of interest and towns (sections 5.6, 5.8).
    pub town_distance: u8,
    /// Fewest wishes drawn for a town (section 5.7).
    pub wishes_min: u8,
    /// The maximum number of wishes is the number of other towns minus this (section 5.7).
    pub wishes_spared: u8,
    /// Fewest places of interest (section 5.8).
    pub places_min: u8,
    /// Most places of interest (section 5.8).
    pub places_max: u8,
    /// The maximum distance of places of interest from the frame (section 5.8).
    pub place_margin: u8,
}

impl MapRules {
    /// The map rules of all editions.
    pub const OFFICIAL: MapRules = MapRules {
        height_min: 14,
        height_max: 20,
        aspect: 1.5,
        mountain_share: 0.04,
        mountains_min: 2,
        mountain_growth_min: 2,
        mountain_growth_max: 7,
        river_share: 0.07,
        river_split: 0.055,
        river_ahead: 1.75,
        river_back: 0.25,
        river_min: 3,
        towns_min: 4,
        cells_per_town: 50,
        town_retries: 100,
        town_distance: 4,
        wishes_min: 3,
        wishes_spared: 4,
        places_min: 2,
        places_max: 4,
        place_margin: 3,
    };
}

impl Rules {
    /// The edition `statement`, league 3: exactly as in the statement. The default.
    pub const STATEMENT: Rules = Rules {
        league: 3,
        objective: None,
        places_of_interest: true,
        side_quest: true,
        ink_threshold: 3,
        town_regions_disruptable: true,
        autoplace_stop: AutoplaceStop::AnySkip,
        fallback_respects_adjacency: true,
        paint: 3,
        disruption: 1,
        plains_cost: 1,
        river_cost: 2,
        mountain_cost: 3,
        place_of_interest_cost: 3,
        max_turns: 100,
        map: MapRules::OFFICIAL,
        first_turn_ms: 1000,
        turn_ms: 50,
        answer_bytes: 100_000,
    };

    /// The edition `2026`, league 3: the official referee as published.
    pub const OF_2026: Rules = Rules {
        places_of_interest: false,
        side_quest: false,
        ink_threshold: 4,
        town_regions_disruptable: false,
        autoplace_stop: AutoplaceStop::LackOfPaint,
        fallback_respects_adjacency: false,
        ..Rules::STATEMENT
    };

    /// The edition `2026-poi`, league 3: the official referee with places of interest.
    pub const OF_2026_POI: Rules =
        Rules { places_of_interest: true, fallback_respects_adjacency: true, ..Rules::OF_2026 };

    /// The rules of an edition in a league.
    #[must_use]
    pub const fn in_league(self, league: u8) -> Rules {
        let objective = match league {
            1 => Some(Objective::Score),
            2 => Some(Objective::InkOpponent),
            _ => None,
        };
        Rules { league, objective, ..self }
    }
}

impl game::Rules for Rules {
    fn check(&self) -> Result<(), RulesError> {
        let map = &self.map;
        // The limits of the engine's tables: grids of at most 30 x 20 cells (and so 61 regions), 12 towns; an
        // instability, which can exceed the threshold by the disruptions of both players in a turn, fits in a byte.
        let checks = [
            ("league", 1, 3, u32::from(self.league)),
            ("ink_threshold", 1, 100, u32::from(self.ink_threshold)),
            ("paint", 0, 100, u32::from(self.paint)),
            ("disruption", 0, 50, u32::from(self.disruption)),
            ("plains_cost", 1, 100, u32::from(self.plains_cost)),
            ("river_cost", 1, 100, u32::from(self.river_cost)),
            ("mountain_cost", 1, 100, u32::from(self.mountain_cost)),
            ("place_of_interest_cost", 1, 100, u32::from(self.place_of_interest_cost)),
            ("max_turns", 1, 1000, u32::from(self.max_turns)),
            ("map.height_min", 14, 20, u32::from(map.height_min)),
            ("map.height_max", u32::from(map.height_min), 20, u32::from(map.height_max)),
            (
                "map.mountain_growth_max",
                u32::from(map.mountain_growth_min),
                100,
                u32::from(map.mountain_growth_max),
            ),
            ("map.towns_min", 0, MAX_TOWNS as u32, u32::from(map.towns_min)),
            ("map.cells_per_town", 50, 1000, u32::from(map.cells_per_town)),
            ("map.town_retries", 0, 10_000, u32::from(map.town_retries)),
            // Adjacent towns would be connected before the first turn.
            ("map.town_distance", 2, 255, u32::from(map.town_distance)),
            ("map.places_max", u32::from(map.places_min), 100, u32::from(map.places_max)),
            ("answer_bytes", 1, 1 << 20, self.answer_bytes),
        ];
        check_ranges("Back Track", &checks)?;
        let aspect = MapRules::OFFICIAL.aspect;
        let checks = [
            ("map.aspect", aspect, aspect, map.aspect),
            ("map.mountain_share", 0.0, 1.0, map.mountain_share),
            ("map.river_share", 0.0, 1.0, map.river_share),
            ("map.river_split", 0.0, 1.0, map.river_split),
            ("map.river_ahead", 0.0, 100.0, map.river_ahead),
            ("map.river_back", 0.0, 100.0, map.river_back),
        ];
        check_ranges("Back Track", &checks)
    }

    fn players(&self) -> u8 {
        2
    }

    fn limits(&self) -> Limits {
        Limits {
            first_turn_ms: self.first_turn_ms,
            turn_ms: self.turn_ms,
            answer_bytes: self.answer_bytes as usize,
        }
    }
}
