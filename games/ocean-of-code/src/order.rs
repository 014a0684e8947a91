//! Orders: the actions of an answer.

use std::borrow::Cow;
use std::fmt::Write as _;

use serde::Serialize;

use crate::Rules;
use crate::grid::{Cell, Direction};
use crate::wrong::Unreadable;

/// A power that is charged by moving (rules, section 8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Power {
    /// Shoots at a cell a few steps away.
    Torpedo,
    /// Asks whether the opponent is in a sector.
    Sonar,
    /// Moves without showing the direction.
    Silence,
    /// Lays a mine.
    Mine,
}

impl Power {
    /// All powers, in the order of the protocol.
    pub const ALL: [Power; 4] = [Power::Torpedo, Power::Sonar, Power::Silence, Power::Mine];

    /// The name in the protocol.
    pub const fn name(self) -> &'static str {
        Command::Power(self).name()
    }
}

/// The first word of a piece of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// `MOVE`.
    Move,
    /// `SURFACE`.
    Surface,
    /// `TORPEDO`, `SONAR`, `SILENCE` or `MINE`.
    Power(Power),
    /// `TRIGGER`.
    Trigger,
}

impl Command {
    /// The word in the protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Command::Move => "MOVE",
            Command::Surface => "SURFACE",
            Command::Power(Power::Torpedo) => "TORPEDO",
            Command::Power(Power::Sonar) => "SONAR",
            Command::Power(Power::Silence) => "SILENCE",
            Command::Power(Power::Mine) => "MINE",
            Command::Trigger => "TRIGGER",
        }
    }

    /// The command with this name.
    pub const fn named(word: &[u8]) -> Option<Command> {
        Some(match word {
            b"MOVE" => Command::Move,
            b"SURFACE" => Command::Surface,
            b"TORPEDO" => Command::Power(Power::Torpedo),
            b"SONAR" => Command::Power(Power::Sonar),
            b"SILENCE" => Command::Power(Power::Silence),
            b"MINE" => Command::Power(Power::Mine),
            b"TRIGGER" => Command::Trigger,
            _ => return None,
        })
    }

    /// Rules, section 1: whether the league has the command.
    pub const fn exists(self, rules: &Rules) -> bool {
        match self {
            Command::Move | Command::Surface => true,
            Command::Power(power) => rules.charge(power).is_some(),
            Command::Trigger => rules.mine_charge.is_some(),
        }
    }

    /// A separate bit for each command.
    pub(crate) const fn bit(self) -> u8 {
        1 << match self {
            Command::Power(power) => power as u8,
            Command::Move => 4,
            Command::Surface => 5,
            Command::Trigger => 6,
        }
    }
}

/// A piece of an answer. Whether it is executed, is dropped or disqualifies the player is decided only when all pieces
/// before it are done (rules, section 7).
// Aligned, so that it is passed in a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(4))]
pub enum Action {
    /// Go to the neighbour cell and charge a power.
    Move {
        /// The direction.
        direction: Direction,
        /// The power to charge, if any.
        charge: Option<Power>,
    },
    /// Delete the trail at the cost of a life.
    Surface,
    /// Shoot a torpedo.
    Torpedo {
        /// The target; `None` for a cell off the map.
        target: Option<Cell>,
    },
    /// Use the sonar on a sector.
    Sonar {
        /// The sector, from 1 to 9.
        sector: u8,
    },
    /// Move in silence.
    Silence {
        /// The direction.
        direction: Direction,
        /// The number of steps.
        steps: u8,
    },
    /// Lay a mine next to the submarine.
    Mine {
        /// The side of the submarine.
        direction: Direction,
    },
    /// Trigger an own mine.
    Trigger {
        /// The target; `None` for a cell off the map.
        target: Option<Cell>,
    },
    /// A command whose arguments are invalid.
    Malformed {
        /// The command.
        command: Command,
        /// The mistake.
        why: Unreadable,
    },
    /// A command that the league does not have. The pieces after it are never checked.
    Unknown,
}

impl Action {
    /// The command of the action; `None` if it is unknown.
    pub const fn command(self) -> Option<Command> {
        Some(match self {
            Action::Move { .. } => Command::Move,
            Action::Surface => Command::Surface,
            Action::Torpedo { .. } => Command::Power(Power::Torpedo),
            Action::Sonar { .. } => Command::Power(Power::Sonar),
            Action::Silence { .. } => Command::Power(Power::Silence),
            Action::Mine { .. } => Command::Power(Power::Mine),
            Action::Trigger { .. } => Command::Trigger,
            Action::Malformed { command, .. } => command,
            Action::Unknown => return None,
        })
    }

    /// Whether [`Action::print`] prints it completely.
    pub(crate) const fn is_plain(self) -> bool {
        !matches!(
            self,
            Action::Torpedo { target: None }
                | Action::Trigger { target: None }
                | Action::Malformed { .. }
                | Action::Unknown
        )
    }

    /// Prints the action as a piece of an answer.
    fn print(self, out: &mut String) {
        out.push_str(self.command().map_or("", Command::name));
        let done = match self {
            Action::Move { direction, charge: None } | Action::Mine { direction } => {
                write!(out, " {}", direction.letter())
            }
            Action::Move { direction, charge: Some(power) } => {
                write!(out, " {} {}", direction.letter(), power.name())
            }
            Action::Torpedo { target: Some(cell) } | Action::Trigger { target: Some(cell) } => {
                write!(out, " {} {}", cell.x(), cell.y())
            }
            Action::Torpedo { target: None } | Action::Trigger { target: None } => write!(out, " -1 -1"),
            Action::Sonar { sector } => write!(out, " {sector}"),
            Action::Silence { direction, steps } => write!(out, " {} {steps}", direction.letter()),
            Action::Surface | Action::Malformed { .. } | Action::Unknown => Ok(()),
        };
        done.expect("a string takes everything");
    }
}

/// The actions of a turn in the order in which they were written. Each command occurs at most once, which limits the
/// length.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain {
    actions: [Action; Chain::LONGEST],
    /// The number of actions, as a whole word: an order is read a moment after it is written, and a processor waits if it
    /// reads a longer piece than it has written.
    len: usize,
    /// The original answer, stored only where the actions do not contain all of it: messages, unreadable pieces,
    /// targets off the map.
    text: Option<Box<[u8]>>,
}

impl Chain {
    /// The maximum length: all seven commands, and an unknown command that ends the chain.
    pub const LONGEST: usize = 8;

    /// No actions.
    #[inline]
    pub const fn new() -> Chain {
        Chain { actions: [Action::Surface; Chain::LONGEST], len: 0, text: None }
    }

    /// A single action.
    #[inline]
    pub const fn only(action: Action) -> Chain {
        let mut chain = Chain::new();
        chain.actions[0] = action;
        chain.len = 1;
        chain
    }

    /// Appends an action.
    ///
    /// # Panics
    ///
    /// May panic if its command is already in the chain: the rules forbid it, and no answer is parsed as such a chain.
    #[inline]
    pub fn push(&mut self, action: Action) {
        debug_assert!(
            self.actions().iter().all(|earlier| earlier.command() != action.command()),
            "{action:?} repeats a command of {self:?}"
        );
        self.actions[self.len] = action;
        self.len += 1;
    }

    /// The same chain, with the original answer.
    pub(crate) fn with_text(mut self, text: &[u8]) -> Chain {
        self.text = Some(text.into());
        self
    }

    /// The actions in order.
    #[inline]
    pub fn actions(&self) -> &[Action] {
        &self.actions[..self.len]
    }

    /// The next action after `done` actions.
    #[inline]
    pub(crate) fn get(&self, done: usize) -> Option<&Action> {
        if done < self.len { self.actions.get(done) } else { None }
    }

    /// The piece of the answer that contains an action.
    pub(crate) fn segment(&self, at: usize) -> Cow<'_, [u8]> {
        match &self.text {
            Some(text) => {
                let segment = segments(text).filter(|segment| !is_message(segment)).nth(at);
                Cow::Borrowed(segment.unwrap_or_default())
            }
            None => {
                let mut text = String::new();
                if let Some(action) = self.get(at) {
                    action.print(&mut text);
                }
                Cow::Owned(text.into_bytes())
            }
        }
    }

    /// Whether there may be messages in the answer.
    #[inline]
    pub(crate) const fn has_text(&self) -> bool {
        self.text.is_some()
    }

    /// The messages between the action at `at` and the action before it. (Rules, section 8, MSG: the text after the
    /// first four characters, if there is any.)
    pub(crate) fn messages(&self, at: usize) -> impl Iterator<Item = &[u8]> {
        let mut actions = 0;
        segments(self.text.as_deref().unwrap_or_default())
            .filter(move |segment| {
                let message = is_message(segment);
                actions += usize::from(!message);
                message && actions == at
            })
            .filter_map(|segment| segment.get(4..).filter(|text| !text.is_empty()))
    }

    /// Prints the chain as an answer.
    pub(crate) fn print(&self) -> Vec<u8> {
        if let Some(text) = &self.text {
            return text.to_vec();
        }
        let mut out = String::new();
        for (i, action) in self.actions().iter().enumerate() {
            if i > 0 {
                out.push('|');
            }
            action.print(&mut out);
        }
        out.into_bytes()
    }
}

impl Default for Chain {
    fn default() -> Self {
        Chain::new()
    }
}

impl FromIterator<Action> for Chain {
    fn from_iter<I: IntoIterator<Item = Action>>(actions: I) -> Self {
        let mut chain = Chain::new();
        for action in actions {
            chain.push(action);
        }
        chain
    }
}

/// A parsed answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Order {
    /// A start cell; each number is at most 99.
    Place {
        /// Column.
        x: u8,
        /// Row.
        y: u8,
    },
    /// The actions of a turn.
    Turn(Chain),
    /// An answer that cannot be parsed at all.
    Unreadable {
        /// The mistake.
        why: Unreadable,
        /// The answer.
        text: Box<[u8]>,
    },
}

impl From<Chain> for Order {
    #[inline]
    fn from(chain: Chain) -> Order {
        Order::Turn(chain)
    }
}

/// Rules, section 7, Splitting: the pieces between pipes, trimmed, without empty pieces.
pub(crate) fn segments(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|&byte| byte == b'|').map(trim).filter(|segment| !segment.is_empty())
}

/// Removes characters up to U+0020 from both ends. Each of them is one byte of UTF-8 and not part of a longer
/// character.
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    let Some(start) = text.iter().position(|&byte| byte > b' ') else { return &[] };
    let end = text.iter().rposition(|&byte| byte > b' ').unwrap_or(start);
    &text[start..=end]
}

/// Rules, section 7: everything before the first space, or all of it.
pub(crate) fn keyword(segment: &[u8]) -> &[u8] {
    segment.split(|&byte| byte == b' ').next().unwrap_or_default()
}

/// Whether a piece is a message, which has no effect on play.
pub(crate) fn is_message(segment: &[u8]) -> bool {
    keyword(segment) == b"MSG"
}
