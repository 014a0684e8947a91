//! The state of a game.

use game::Seat;

use crate::event::{End, Reason};
use crate::grid::Cells;
use crate::links::{self, Links};
use crate::map::{MAX_REGIONS, Map};
use crate::rules::{Objective, Rules};

/// Everything that changes during a game (rules, section 6). Small, and copied without a heap allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// Turns played.
    pub turns: u16,
    /// The scores as they are counted; section 11.4 may change them at the end.
    pub scores: [i32; 2],
    /// Players whose answers have all been valid so far.
    pub active: [bool; 2],
    /// Cells with a track of player 0, of player 1, and neutral.
    pub tracks: [Cells; 3],
    /// Instability by region.
    pub instability: [u8; MAX_REGIONS],
    /// Regions that are inked, a bit each.
    pub inked: u64,
    /// The region each player disrupted last (section 9, step 4).
    pub last_disrupted: [Option<u8>; 2],
    /// Players that achieved the side quest (section 11.2).
    pub side_quest: [bool; 2],
    /// Player 0 reached the objective of its league (section 11.5).
    pub objective_reached: bool,
    /// Why the game is over; `None` while it continues.
    pub over: Option<Reason>,
    /// Every cell of an inked region. Follows from `inked`.
    pub inked_cells: Cells,
    /// The active connections. Follows from `tracks`.
    pub links: Links,
}

impl State {
    /// The state before the first turn.
    pub const START: State = State {
        turns: 0,
        scores: [0; 2],
        active: [true; 2],
        tracks: [Cells::EMPTY; 3],
        instability: [0; MAX_REGIONS],
        inked: 0,
        last_disrupted: [None; 2],
        side_quest: [false; 2],
        objective_reached: false,
        over: None,
        inked_cells: Cells::EMPTY,
        links: Links::NONE,
    };

    /// The owner of the track on a cell, as in the protocol: -1 none, 0, 1, 2 neutral.
    #[inline]
    #[must_use]
    pub fn owner(&self, cell: usize) -> i8 {
        self.tracks.iter().position(|tracks| tracks.contains(cell)).map_or(-1, |owner| owner as i8)
    }

    /// Every cell with a track.
    #[inline]
    #[must_use]
    pub fn all_tracks(&self) -> Cells {
        self.tracks[0] | self.tracks[1] | self.tracks[2]
    }

    /// Every rail cell: towns and tracks of any owner.
    #[inline]
    #[must_use]
    pub fn rails(&self, map: &Map) -> Cells {
        links::rails(map, &self.tracks)
    }

    /// Every cell on which a track can be placed.
    #[inline]
    #[must_use]
    pub fn free(&self, map: &Map) -> Cells {
        map.board - self.rails(map) - self.inked_cells
    }

    /// The regions that can be disrupted, a bit each.
    #[inline]
    #[must_use]
    pub fn disruptable(&self, rules: &Rules, map: &Map) -> u64 {
        let all = (1u64 << map.region_count) - 1;
        let towns = if rules.town_regions_disruptable { 0 } else { map.town_regions };
        all & !self.inked & !towns
    }

    /// The points of a seat.
    #[must_use]
    pub fn score(&self, seat: Seat) -> i32 {
        self.scores[seat.index()]
    }

    /// The same state with all derived values recomputed.
    #[must_use]
    pub(crate) fn rebuilt(&self, map: &Map) -> State {
        let inked_cells =
            Map::ids(self.inked).fold(Cells::EMPTY, |all, region| all | map.region_cells[region]);
        State { inked_cells, links: Links::of(map, &self.tracks), ..*self }
    }

    /// The scores that decide (section 11.4).
    #[must_use]
    pub fn final_scores(&self, rules: &Rules) -> [i32; 2] {
        match rules.objective {
            Some(Objective::Score | Objective::InkOpponent) if self.objective_reached => [0, -1],
            Some(_) => [-1, 0],
            None => std::array::from_fn(|player| if self.active[player] { self.scores[player] } else { -1 }),
        }
    }

    /// The end record of a trace (section 11.6).
    #[must_use]
    pub fn end(&self, rules: &Rules) -> End {
        End {
            scores: self.final_scores(rules),
            points: self.scores,
            side_quest: self.side_quest.map(u8::from),
            reason: self.over,
            turn_count: self.turns,
            disqualified: (0..2).filter(|&player| !self.active[usize::from(player)]).collect(),
        }
    }
}
