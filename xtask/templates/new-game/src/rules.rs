//! The numbers of the game, one value per league.

use game::{Limits, RulesError, check_ranges};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The number of players.
pub const PLAYERS: usize = 2;
/// The greatest number of cells in a row: [`crate::Cells`] has a bit for each cell of such a grid.
pub const MAX_SIZE: u8 = 8;

/// Every number of the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Level of the league, from 1.
    pub league: u8,
    /// Cells in a row, and in a column.
    pub size: u8,
    /// Pairs of coins at the start: each coin has a twin on the opposite cell.
    pub coin_pairs: u8,
    /// The match ends after this many turns.
    pub turns: u16,
    /// Time for the first answer, in milliseconds.
    pub first_turn_ms: u32,
    /// Time for every other answer, in milliseconds.
    pub turn_ms: u32,
    /// A longer answer counts as none.
    pub answer_bytes: u32,
}

impl Rules {
    /// The last league: the full game.
    pub const FULL: Rules = Rules {
        league: 2,
        size: 8,
        coin_pairs: 10,
        turns: 40,
        first_turn_ms: 1000,
        turn_ms: 100,
        answer_bytes: 4096,
    };

    /// The rules of a league. The first one has fewer coins.
    pub const fn of_league(league: u8) -> Rules {
        match league {
            1 => Rules { league: 1, coin_pairs: 4, ..Rules::FULL },
            _ => Rules::FULL,
        }
    }

    /// The facts that the statement may name: the rules, and what follows from them.
    pub(crate) fn facts(&self) -> Value {
        let extras = json!({"coins": 2 * self.coin_pairs, "last": self.size - 1});
        let mut facts = serde_json::to_value(self).expect("rules are plain data");
        if let (Value::Object(facts), Value::Object(extras)) = (&mut facts, extras) {
            facts.extend(extras);
        }
        facts
    }
}

impl game::Rules for Rules {
    fn check(&self) -> Result<(), RulesError> {
        let size = u32::from(self.size);
        // The cells of one half of the grid, without the start.
        let room = (size * size / 2).saturating_sub(1);
        let checks = [
            ("league", 1, 2, u32::from(self.league)),
            ("size", 2, u32::from(MAX_SIZE), size),
            ("coin_pairs", 1, room, u32::from(self.coin_pairs)),
            ("turns", 1, 1000, u32::from(self.turns)),
            ("answer_bytes", 1, 1 << 20, self.answer_bytes),
        ];
        check_ranges("__title__", &checks)
    }

    fn players(&self) -> u8 {
        PLAYERS as u8
    }

    fn limits(&self) -> Limits {
        Limits {
            first_turn_ms: self.first_turn_ms,
            turn_ms: self.turn_ms,
            answer_bytes: self.answer_bytes as usize,
        }
    }
}
