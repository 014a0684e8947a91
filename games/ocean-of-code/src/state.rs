//! The state of a game.

use game::{Seat, Seats};

use crate::Rules;
use crate::grid::{Cell, Direction, Sea};
use crate::order::Power;

/// A submarine and everything that belongs to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Submarine {
    /// Its cell. Meaningless before the placement.
    pub cell: Cell,
    /// Lives; -1 once its player is disqualified (rules, section 10).
    pub lives: i8,
    /// The charges gained so far, by [`Power`].
    pub charges: [u8; 4],
    /// Cells visited since the start or the last SURFACE, the current one included.
    pub visited: Sea,
    /// Cells with a mine that has not exploded.
    pub mines: Sea,
    /// The mine laid in the latest turn, which is not active yet; it is also in `mines`.
    pub fresh_mine: Option<Cell>,
    /// The sonar result of its latest turn: whether the opponent was in the sector.
    pub sonar: Option<bool>,
    /// The actions of its latest turn as shown to the opponent.
    pub shown: Shown,
}

impl Submarine {
    /// Rules, section 4: the start.
    const fn new(rules: &Rules) -> Submarine {
        Submarine {
            cell: match Cell::new(0, 0) {
                Some(cell) => cell,
                None => unreachable!(),
            },
            lives: rules.lives as i8,
            charges: [0; 4],
            visited: Sea::EMPTY,
            mines: Sea::EMPTY,
            fresh_mine: None,
            sonar: None,
            shown: Shown::NOTHING,
        }
    }

    /// The mines that can be triggered.
    #[inline]
    pub fn active_mines(&self) -> Sea {
        let mut mines = self.mines;
        if let Some(cell) = self.fresh_mine {
            mines.discard(cell.index());
        }
        mines
    }

    /// The charges gained so far.
    #[inline]
    pub const fn charge(&self, power: Power) -> u8 {
        self.charges[power as usize]
    }

    /// The missing charges; `None` where the league does not have the power.
    #[inline]
    pub const fn missing(&self, rules: &Rules, power: Power) -> Option<u8> {
        match rules.charge(power) {
            Some(needed) => Some(needed.saturating_sub(self.charge(power))),
            None => None,
        }
    }

    /// Whether the power can be used now.
    #[inline]
    pub const fn is_ready(&self, rules: &Rules, power: Power) -> bool {
        matches!(self.missing(rules, power), Some(0))
    }

    /// Rules, section 7: the effects of the arrival of an answer, before it is processed.
    #[inline]
    pub(crate) const fn start_turn(&mut self) {
        self.fresh_mine = None;
        self.sonar = None;
        self.shown = Shown::NOTHING;
    }

    /// Removes lives; they never become negative.
    #[inline]
    pub(crate) fn lose(&mut self, lives: u8) {
        self.lives = (self.lives - lives as i8).max(0);
    }
}

/// An executed action as shown to the opponent (rules, section 9).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShownAction {
    /// `MOVE d`.
    Move(Direction),
    /// `SURFACE s`, with the submarine's sector.
    Surface(u8),
    /// `TORPEDO x y`.
    Torpedo(Cell),
    /// `SONAR n`.
    Sonar(u8),
    /// `SILENCE`.
    Silence,
    /// `MINE`.
    Mine,
    /// `TRIGGER x y`.
    Trigger(Cell),
}

/// The executed actions of a turn as shown to the opponent. Each command is executed at most once a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shown {
    actions: [ShownAction; Shown::MOST],
    len: u8,
}

impl Shown {
    /// The maximum number of actions: each command once.
    const MOST: usize = 7;
    /// No actions.
    pub const NOTHING: Shown = Shown { actions: [ShownAction::Silence; Shown::MOST], len: 0 };

    /// The actions in the order of execution; empty before the first turn.
    #[inline]
    pub fn actions(&self) -> &[ShownAction] {
        &self.actions[..self.len as usize]
    }

    #[inline]
    pub(crate) const fn push(&mut self, action: ShownAction) {
        self.actions[self.len as usize] = action;
        self.len += 1;
    }
}

/// The phase of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// A player chooses its start cell.
    Placement(Seat),
    /// A player has its turn.
    Turn,
    /// The game is over.
    Over(Ending),
}

/// The reason for the end of a game (rules, section 11).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A player was disqualified.
    Disqualified,
    /// A player has no lives left.
    ZeroLives,
    /// The last turn was played.
    TurnLimit,
    /// All frames were used.
    FrameLimit,
}

impl Ending {
    /// Its name in traces.
    pub const fn label(self) -> &'static str {
        match self {
            Ending::Disqualified => "disqualified",
            Ending::ZeroLives => "zero-lives",
            Ending::TurnLimit => "turn-limit",
            Ending::FrameLimit => "frame-limit",
        }
    }
}

/// The state of a match: a small value to copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// The submarines by seat.
    pub submarines: [Submarine; 2],
    /// The scores by seat: the lives at the last finished update, -1 for the disqualified (section 10).
    pub scores: [i8; 2],
    /// The number of the current turn, 0 during the placement; at the end the number of turns played.
    pub turn: u16,
    /// Frames used, including the current frame (section 5).
    pub frames: u16,
    /// The current phase.
    pub phase: Phase,
}

impl State {
    /// Rules, section 4: the start. Frame 1 is the placement.
    pub(crate) const fn new(rules: &Rules) -> State {
        State {
            submarines: [Submarine::new(rules); 2],
            scores: [rules.lives as i8; 2],
            turn: 0,
            frames: 1,
            phase: Phase::Placement(Seat(0)),
        }
    }

    /// The seat that must answer; none when the game is over.
    #[inline]
    pub const fn to_act(&self) -> Seats {
        match self.phase {
            Phase::Placement(seat) => Seats::only(seat),
            Phase::Turn => Seats::only(self.on_turn()),
            Phase::Over(_) => Seats::NONE,
        }
    }

    /// Rules, section 5: player 0 plays the odd turns, player 1 the even ones.
    #[inline]
    pub const fn on_turn(&self) -> Seat {
        Seat((self.turn + 1) as u8 & 1)
    }

    /// The submarine of a player.
    #[inline]
    pub const fn submarine(&self, seat: Seat) -> &Submarine {
        &self.submarines[seat.index() & 1]
    }

    /// The submarine of the other player.
    #[inline]
    pub const fn opponent(&self, seat: Seat) -> &Submarine {
        &self.submarines[!seat.index() & 1]
    }

    #[inline]
    pub(crate) const fn submarine_mut(&mut self, seat: Seat) -> &mut Submarine {
        &mut self.submarines[seat.index() & 1]
    }

    /// Whether a player was disqualified, by seat.
    #[inline]
    pub const fn disqualified(&self) -> [bool; 2] {
        [self.submarines[0].lives < 0, self.submarines[1].lives < 0]
    }

    /// Rules, section 5: a score update copies both players' lives.
    #[inline]
    pub(crate) const fn update_scores(&mut self) {
        self.scores = [self.submarines[0].lives, self.submarines[1].lives];
    }

    /// Rules, section 10: lives and score become -1; the score of the other player does not change.
    pub(crate) const fn disqualify(&mut self, seat: Seat) {
        self.submarine_mut(seat).lives = -1;
        self.scores[seat.index() & 1] = -1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_small() {
        assert!(size_of::<State>() <= 256, "{}", size_of::<State>());
    }
}
