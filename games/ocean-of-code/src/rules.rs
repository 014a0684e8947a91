//! The numbers of the game, one value per league (rules, section 1).

use game::{Limits, RulesError, check_ranges};
use serde::{Deserialize, Serialize};

use crate::order::Power;

/// All numbers of the game. The sizes of the map and of its sectors are not included: the types are made for them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Level of the league, 1 to 4.
    pub league: u8,
    /// Lives of each submarine at the start (section 4).
    pub lives: u8,
    /// Lives lost by surfacing (section 8, SURFACE).
    pub surface_damage: u8,
    /// The number of charges that a torpedo needs (section 8).
    pub torpedo_charge: u8,
    /// The maximum number of steps through water of a torpedo (section 8, TORPEDO).
    pub torpedo_range: u8,
    /// The number of charges that a sonar needs; `None` where the league has none (section 1).
    pub sonar_charge: Option<u8>,
    /// The number of charges that the silence mode needs; `None` where the league has none (section 1).
    pub silence_charge: Option<u8>,
    /// The maximum number of steps of a silent move (section 8, SILENCE).
    pub silence_steps: u8,
    /// The number of charges that a mine needs; `None` where the league has neither mines nor triggers (section 1).
    pub mine_charge: Option<u8>,
    /// Lives lost on the cell of an explosion (section 8, Explosion).
    pub blast_damage: u8,
    /// Lives lost on the 8 cells around an explosion (section 8, Explosion).
    pub splash_damage: u8,
    /// The maximum number of turns of both players together, without the placement (section 5).
    pub max_turns: u16,
    /// The maximum number of frames; each executed action takes one (section 5).
    pub max_frames: u16,
    /// The minimum number of rounds of the island draw (section 3, step 1).
    pub island_rounds_min: u8,
    /// The number of different limits of the island draw (section 3, step 1).
    pub island_rounds_span: u8,
    /// Time for the placement, in milliseconds (section 12).
    pub first_turn_ms: u32,
    /// Time for every other answer, in milliseconds (section 12).
    pub turn_ms: u32,
    /// A longer answer is ignored (section 12).
    pub answer_bytes: u32,
}

impl Rules {
    /// Level 4, the full game. Level 3 has the same rules.
    pub const FULL: Rules = Rules {
        league: 4,
        lives: 6,
        surface_damage: 1,
        torpedo_charge: 3,
        torpedo_range: 4,
        sonar_charge: Some(4),
        silence_charge: Some(6),
        silence_steps: 4,
        mine_charge: Some(3),
        blast_damage: 2,
        splash_damage: 1,
        max_turns: 598,
        max_frames: 1000,
        island_rounds_min: 5,
        island_rounds_span: 26,
        first_turn_ms: 1000,
        turn_ms: 50,
        answer_bytes: 10_000,
    };

    /// The rules of a league.
    pub const fn of_league(league: u8) -> Rules {
        match league {
            1 => Rules { league, sonar_charge: None, silence_charge: None, mine_charge: None, ..Rules::FULL },
            2 => Rules { league, mine_charge: None, ..Rules::FULL },
            _ => Rules { league, ..Rules::FULL },
        }
    }

    /// The number of charges that a power needs; `None` where the league does not have it.
    #[inline]
    pub const fn charge(&self, power: Power) -> Option<u8> {
        match power {
            Power::Torpedo => Some(self.torpedo_charge),
            Power::Sonar => self.sonar_charge,
            Power::Silence => self.silence_charge,
            Power::Mine => self.mine_charge,
        }
    }

    /// The powers of the league, in the order of the protocol.
    pub fn powers(&self) -> impl Iterator<Item = Power> + '_ {
        Power::ALL.into_iter().filter(|&power| self.charge(power).is_some())
    }

    /// The names of the powers for people, joined by commas.
    pub(crate) fn power_names(&self) -> String {
        self.powers().map(Power::name).collect::<Vec<_>>().join(", ")
    }
}

impl game::Rules for Rules {
    fn check(&self) -> Result<(), RulesError> {
        // The engine stores lives, with -1 for a disqualified player, and charges in a byte each.
        let checks = [
            ("league", 1, 4, u32::from(self.league)),
            ("lives", 1, 100, u32::from(self.lives)),
            ("surface_damage", 0, 100, u32::from(self.surface_damage)),
            ("torpedo_charge", 0, 100, u32::from(self.torpedo_charge)),
            ("torpedo_range", 0, 100, u32::from(self.torpedo_range)),
            ("sonar_charge", 0, 100, u32::from(self.sonar_charge.unwrap_or(0))),
            ("silence_charge", 0, 100, u32::from(self.silence_charge.unwrap_or(0))),
            ("silence_steps", 0, 14, u32::from(self.silence_steps)),
            ("mine_charge", 0, 100, u32::from(self.mine_charge.unwrap_or(0))),
            ("blast_damage", 0, 100, u32::from(self.blast_damage)),
            ("splash_damage", 0, 100, u32::from(self.splash_damage)),
            ("max_turns", 1, 10_000, u32::from(self.max_turns)),
            ("max_frames", 1, 60_000, u32::from(self.max_frames)),
            ("island_rounds_min", 0, 100, u32::from(self.island_rounds_min)),
            ("island_rounds_span", 1, 100, u32::from(self.island_rounds_span)),
            ("answer_bytes", 1, 1 << 20, self.answer_bytes),
        ];
        check_ranges("Ocean of Code", &checks)
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
