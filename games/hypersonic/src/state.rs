//! The state of a game.

use game::{Seat, Seats};
use serde::Serialize;

use crate::grid::{AREA, Cell, CellSet, HEIGHT, WIDTH};
use crate::list::List;
use crate::map::Map;
use crate::rules::{MAX_FUSE, MAX_PLAYERS, Rules};

/// The maximum number of bombs at once. A player lays at most one bomb in a round, and new bombs are added before the
/// bombs that explode in the same round are removed.
pub const MAX_BOMBS: usize = MAX_PLAYERS * (MAX_FUSE + 1);

/// The initial capacity of the hash table that determines the order of items (rules, section 9).
pub const FIRST_TABLE: u16 = 16;

/// A state of the game, between two rounds: a flat value, cheap to copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// The next round, counted from 0; also the number of updates so far.
    pub round: u16,
    /// The number of updates without progress that are left (section 10).
    pub idle: u8,
    /// The number of updates without boxes that are left, where the rules count them (section 10).
    pub extra: u8,
    /// The capacity of the hash table that determines the order of items; it only grows (section 9).
    pub table: u16,
    /// Players that are not eliminated.
    pub living: Seats,
    /// Players eliminated by their answers.
    pub disqualified: Seats,
    /// The reasons that ended the game; empty while it continues.
    pub ended: Reasons,
    /// The players by seat; entries past the number of players are meaningless.
    pub players: [Player; MAX_PLAYERS],
    /// Boxes.
    pub boxes: CellSet,
    /// Cells with an extra range, in a box or on the floor.
    pub extra_ranges: CellSet,
    /// Cells with an extra bomb, in a box or on the floor.
    pub extra_bombs: CellSet,
    /// Cells with bombs.
    pub bomb_cells: CellSet,
    /// Bombs in play, oldest first.
    pub bombs: List<Bomb, MAX_BOMBS>,
    /// Cells with an item on the floor, in the order of the protocol (section 9).
    pub items: List<Cell, AREA>,
}

/// A player.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Player {
    /// Its cell, or its last cell.
    pub cell: Cell,
    /// Bombs it can lay now.
    pub available: u16,
    /// Range of the bombs it lays; their own cell counts.
    pub range: u16,
    /// Boxes it scored.
    pub boxes: u16,
    /// When it was eliminated (sections 7 and 12).
    pub eliminated_at: Option<u16>,
}

/// A bomb in play.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Bomb {
    /// Its cell.
    pub cell: Cell,
    /// Its owner.
    pub owner: u8,
    /// Its range; its own cell counts.
    pub range: u16,
    /// The number of the update in which it explodes by itself; the first update is 1.
    pub due: u16,
}

/// An item in a box or on the floor (section 9).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Item {
    /// The player's later bombs reach one cell further.
    ExtraRange,
    /// The player can have one more bomb in play.
    ExtraBomb,
}

impl Item {
    /// The number of the item type in the protocol.
    pub const fn number(self) -> u8 {
        match self {
            Item::ExtraRange => 1,
            Item::ExtraBomb => 2,
        }
    }

    /// The item on a cell, given the cells with items.
    #[inline]
    pub(crate) const fn of(cell: Cell, extra_ranges: &CellSet, extra_bombs: &CellSet) -> Option<Item> {
        if extra_ranges.contains(cell.index()) {
            Some(Item::ExtraRange)
        } else if extra_bombs.contains(cell.index()) {
            Some(Item::ExtraBomb)
        } else {
            None
        }
    }
}

/// The start cells of the players, by seat (section 4).
const START_CELLS: [Cell; MAX_PLAYERS] =
    [Cell::at(0, 0), Cell::at(WIDTH - 1, HEIGHT - 1), Cell::at(WIDTH - 1, 0), Cell::at(0, HEIGHT - 1)];

impl State {
    /// The state before the first round.
    #[inline]
    pub fn start(rules: &Rules, map: &Map) -> State {
        let player =
            |cell| Player { cell, available: rules.bombs, range: rules.range, boxes: 0, eliminated_at: None };
        State {
            round: 0,
            idle: rules.idle_rounds,
            extra: rules.rounds_after_last_box.unwrap_or(0),
            table: FIRST_TABLE,
            living: Seats::first(rules.players),
            disqualified: Seats::NONE,
            ended: Reasons::NONE,
            players: START_CELLS.map(player),
            boxes: map.boxes,
            extra_ranges: map.extra_ranges,
            extra_bombs: map.extra_bombs,
            bomb_cells: CellSet::EMPTY,
            bombs: List::default(),
            items: List::default(),
        }
    }

    /// Whether the game is over.
    #[inline]
    pub const fn is_over(&self) -> bool {
        !self.ended.is_empty()
    }

    /// A player.
    #[inline]
    pub const fn player(&self, seat: Seat) -> &Player {
        &self.players[seat.index()]
    }

    /// The item on the floor of a cell, or in the box there.
    #[inline]
    pub const fn item(&self, cell: Cell) -> Option<Item> {
        Item::of(cell, &self.extra_ranges, &self.extra_bombs)
    }

    /// Cells with an item on the floor.
    #[inline]
    pub fn floor_items(&self) -> CellSet {
        (self.extra_ranges | self.extra_bombs) - self.boxes
    }

    /// The number of rounds a bomb has left, as in the protocol (section 5).
    #[inline]
    pub const fn rounds_left(&self, bomb: &Bomb) -> u16 {
        bomb.due.saturating_sub(self.round)
    }

    /// Eliminates a player.
    pub(crate) const fn eliminate(&mut self, seat: Seat, time: u16) {
        self.players[seat.index()].eliminated_at = Some(time);
        self.living.discard(seat);
    }

    /// The score of a player (section 11).
    pub fn score(&self, rules: &Rules, seat: Seat) -> i64 {
        let player = self.player(seat);
        i64::from(player.boxes)
            + match player.eliminated_at {
                None => i64::from(rules.survivor_score),
                Some(time) => i64::from(rules.round_score) * i64::from(time),
            }
    }

    /// All reasons to end the game now (section 10); the caller guarantees that an update has been played.
    #[inline]
    pub(crate) fn reasons_to_end(&self, rules: &Rules) -> Reasons {
        let mut others = self.living;
        others.next();
        let holds = [
            self.idle == 0,
            rules.rounds_after_last_box.is_some() && self.extra == 0,
            rules.ends_when_cleared && self.boxes.is_empty(),
            others.is_empty(),
            self.round >= rules.max_rounds,
        ];
        Reasons(holds.iter().rev().fold(0, |bits, &holds| bits << 1 | u8::from(holds)))
    }

    /// The state with all derived values recomputed from the other values.
    pub(crate) fn rebuilt(&self, rules: &Rules) -> State {
        let mut state = *self;
        state.living = Seats::NONE;
        for seat in Seats::first(rules.players) {
            if self.player(seat).eliminated_at.is_none() {
                state.living.add(seat);
            }
        }
        state.bomb_cells = self.bombs.iter().map(|bomb| bomb.cell.index()).collect();
        // An item exists only if it is in a box or in the list; a list entry without an item on its cell is removed.
        let listed: CellSet = self.items.iter().map(|cell| cell.index()).collect();
        state.extra_ranges = self.extra_ranges & (self.boxes | listed);
        state.extra_bombs = (self.extra_bombs & (self.boxes | listed)) - self.extra_ranges;
        state.items.retain(|_, cell| self.floor_items().contains(cell.index()));
        state.ended = if self.round == 0 { Reasons::NONE } else { state.reasons_to_end(rules) };
        state
    }
}

/// A reason for the end of a game (section 10).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "BombReason"))]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// There was no progress for too long.
    NoProgress,
    /// The countdown after the last box has ended.
    BoxesCountdown,
    /// No box is left.
    BoxesCleared,
    /// Fewer than two players are left.
    LastStanding,
    /// All rounds have been played.
    MaxRounds,
}

impl Reason {
    /// All reasons in the order of the rules.
    pub const ALL: [Reason; 5] = [
        Reason::NoProgress,
        Reason::BoxesCountdown,
        Reason::BoxesCleared,
        Reason::LastStanding,
        Reason::MaxRounds,
    ];

    /// A short stable name.
    pub const fn code(self) -> &'static str {
        match self {
            Reason::NoProgress => "no-progress",
            Reason::BoxesCountdown => "boxes-countdown",
            Reason::BoxesCleared => "boxes-cleared",
            Reason::LastStanding => "last-standing",
            Reason::MaxRounds => "max-rounds",
        }
    }
}

/// A set of reasons, one bit each in the order of [`Reason::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Reasons(u8);

impl Reasons {
    /// No reasons.
    pub const NONE: Reasons = Reasons(0);

    /// Whether there are no reasons.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The reasons in the order of the rules.
    pub fn iter(self) -> impl Iterator<Item = Reason> {
        Reason::ALL
            .into_iter()
            .enumerate()
            .filter(move |(bit, _)| self.0 >> bit & 1 != 0)
            .map(|(_, reason)| reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_small() {
        assert!(size_of::<State>() <= 1024, "{} bytes", size_of::<State>());
    }
}
