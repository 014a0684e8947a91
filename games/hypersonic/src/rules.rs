//! The numbers of the game, one value per version (rules, sections 1 and 14).

use game::{Limits, RulesError, check_ranges};
use serde::{Deserialize, Serialize};

/// The maximum number of players, which determines the size of the state.
pub const MAX_PLAYERS: usize = 4;
/// The longest fuse, which determines the number of bombs in the state.
pub const MAX_FUSE: usize = 8;

/// All numbers of the game. The size of the grid is not included: the types are made for it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Version of the rules, 1 to 4; also the level of the league.
    pub league: u8,
    /// The number of players, 2 to 4.
    pub players: u8,
    /// Walls on cells with odd coordinates (section 3.1).
    pub walls: bool,
    /// Boxes keep a distance and their number is fixed: the practice rules (sections 3.2, 3.4).
    pub spaced_boxes: bool,
    /// The target number of boxes under the practice rules (section 3.2).
    pub spaced_box_count: u16,
    /// The minimum target number of boxes (section 3.2).
    pub boxes_min: u16,
    /// The number of different targets that can be drawn (section 3.2).
    pub boxes_span: u16,
    /// Replaces the number of boxes drawn (section 1, option `boxes`).
    pub boxes: Option<u16>,
    /// Tries before the placement of boxes gives up (section 3.4).
    pub box_tries: u16,
    /// Boxes keep this Manhattan distance from the corners (section 3.4).
    pub corner_distance: u8,
    /// Some boxes hold items (section 3.3).
    pub items: bool,
    /// There is one item of each type for this number of boxes (section 3.3).
    pub boxes_per_item: u16,
    /// Bombs each player can have in play at the start.
    pub bombs: u16,
    /// Range of each player's bombs at the start; the bomb's own cell counts.
    pub range: u16,
    /// Rounds until a bomb goes off.
    pub fuse: u8,
    /// The players that explosions eliminate (section 8).
    pub blast: Blast,
    /// The game ends when no box is left (section 10).
    pub ends_when_cleared: bool,
    /// The game ends this many updates after the last box was removed, that update included (section 10).
    pub rounds_after_last_box: Option<u8>,
    /// The game ends after this many updates without progress (section 10).
    pub idle_rounds: u8,
    /// The game ends after this many rounds (section 10).
    pub max_rounds: u16,
    /// Score of a player that is not eliminated, without boxes (section 11).
    pub survivor_score: u32,
    /// Score for each round survived by an eliminated player (section 11).
    pub round_score: u32,
    /// Time for the first answer, in milliseconds (section 5).
    pub first_turn_ms: u32,
    /// Time for every other answer, in milliseconds (section 5).
    pub turn_ms: u32,
    /// A longer answer is ignored.
    pub answer_bytes: u32,
}

/// The players that an explosion eliminates (section 8).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Blast {
    /// No player.
    Nobody,
    /// All players except the bomb's owner.
    Others,
    /// All players.
    Everybody,
}

impl Rules {
    /// Version 4 for two players: the full game.
    pub const FULL: Rules = Rules {
        league: 4,
        players: 2,
        walls: true,
        spaced_boxes: false,
        spaced_box_count: 30,
        boxes_min: 30,
        boxes_span: 36,
        boxes: None,
        box_tries: 1000,
        corner_distance: 2,
        items: true,
        boxes_per_item: 3,
        bombs: 1,
        range: 3,
        fuse: 8,
        blast: Blast::Everybody,
        ends_when_cleared: false,
        rounds_after_last_box: Some(20),
        idle_rounds: 20,
        max_rounds: 200,
        survivor_score: 1_000_000,
        round_score: 100,
        first_turn_ms: 1000,
        turn_ms: 100,
        answer_bytes: 100_000,
    };

    /// Applies the options of a trace (rules, section 1).
    pub(crate) fn apply_trace_options(
        &mut self,
        options: &serde_json::Map<String, serde_json::Value>,
    ) -> Result<(), RulesError> {
        for (name, value) in options {
            let number = value.as_u64().and_then(|number| u16::try_from(number).ok()).ok_or_else(|| {
                RulesError::BadOption { name: name.clone(), most: u16::MAX.into(), value: value.clone() }
            })?;
            match name.as_str() {
                "version" => {}
                "boxes" => self.boxes = Some(number),
                "bombs" => self.bombs = number,
                "range" => self.range = number,
                _ => {
                    let known = &["version", "boxes", "bombs", "range"];
                    return Err(RulesError::UnknownOption { name: name.clone(), known });
                }
            }
        }
        Ok(())
    }

    /// The rules of a version.
    pub const fn of_version(version: u8, players: u8) -> Rules {
        let full = Rules { league: version, players, ..Rules::FULL };
        let practice = Rules {
            walls: false,
            spaced_boxes: true,
            blast: Blast::Nobody,
            ends_when_cleared: true,
            rounds_after_last_box: None,
            ..full
        };
        match version {
            1 => Rules { items: false, ..practice },
            2 => practice,
            3 => Rules { blast: Blast::Others, rounds_after_last_box: None, ..full },
            _ => full,
        }
    }
}

impl game::Rules for Rules {
    fn check(&self) -> Result<(), RulesError> {
        // A player lays at most one bomb a round, so `players * fuse` bombs must fit in the state.
        let checks = [
            ("league", 1, 4, u32::from(self.league)),
            ("players", 2, MAX_PLAYERS as u32, u32::from(self.players)),
            ("spaced_box_count", 0, 143, u32::from(self.spaced_box_count)),
            ("boxes_min", 0, 143, u32::from(self.boxes_min)),
            ("boxes_span", 1, 143, u32::from(self.boxes_span)),
            ("boxes", 0, 1000, u32::from(self.boxes.unwrap_or(0))),
            ("box_tries", 0, 10_000, u32::from(self.box_tries)),
            ("corner_distance", 0, 24, u32::from(self.corner_distance)),
            ("boxes_per_item", 1, 1000, u32::from(self.boxes_per_item)),
            ("bombs", 0, 1000, u32::from(self.bombs)),
            ("range", 0, 1000, u32::from(self.range)),
            ("fuse", 1, MAX_FUSE as u32, u32::from(self.fuse)),
            ("rounds_after_last_box", 0, 200, u32::from(self.rounds_after_last_box.unwrap_or(0))),
            ("idle_rounds", 1, 200, u32::from(self.idle_rounds)),
            ("max_rounds", 1, 1000, u32::from(self.max_rounds)),
            ("answer_bytes", 1, 1 << 20, self.answer_bytes),
        ];
        check_ranges("Hypersonic", &checks)
    }

    fn players(&self) -> u8 {
        self.players
    }

    fn limits(&self) -> Limits {
        Limits {
            first_turn_ms: self.first_turn_ms,
            turn_ms: self.turn_ms,
            answer_bytes: self.answer_bytes as usize,
        }
    }
}
