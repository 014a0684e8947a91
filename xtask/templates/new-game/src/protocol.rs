//! The lines that a player reads and writes.

use std::fmt::Write as _;

use game::Seat;

use crate::__Name__;
use crate::rules::PLAYERS;
use crate::state::State;

/// All that a player may know: everything.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Rules and map.
    pub game: &'a __Name__,
    /// The state.
    pub state: &'a State,
    /// The player.
    pub seat: Seat,
}

/// A direction, as an answer names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// One row up.
    Up,
    /// One row down.
    Down,
    /// One column to the left.
    Left,
    /// One column to the right.
    Right,
    /// Not at all.
    Stay,
}

impl Direction {
    /// All of them.
    pub const ALL: [Direction; 5] =
        [Direction::Up, Direction::Down, Direction::Left, Direction::Right, Direction::Stay];

    /// The word of the protocol.
    pub const fn word(self) -> &'static str {
        match self {
            Direction::Up => "UP",
            Direction::Down => "DOWN",
            Direction::Left => "LEFT",
            Direction::Right => "RIGHT",
            Direction::Stay => "STAY",
        }
    }

    /// What it adds to the column and to the row.
    pub const fn step(self) -> (i8, i8) {
        match self {
            Direction::Up => (0, -1),
            Direction::Down => (0, 1),
            Direction::Left => (-1, 0),
            Direction::Right => (1, 0),
            Direction::Stay => (0, 0),
        }
    }
}

/// An answer that can be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// Where to go.
    pub direction: Direction,
    /// Text for people who watch.
    pub message: Option<String>,
}

impl Command {
    /// A command without a message.
    pub const fn plain(direction: Direction) -> Command {
        Command { direction, message: None }
    }
}

/// An answer that cannot be read, as it came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable(pub Vec<u8>);

/// An answer.
pub type Order = Result<Command, Unreadable>;

/// The form of an answer, for messages.
pub(crate) const EXPECTED: &str = "UP, DOWN, LEFT, RIGHT or STAY, and a message if you like";

/// The same in French.
pub(crate) const EXPECTED_FR: &str = "UP, DOWN, LEFT, RIGHT ou STAY, et un message si l’on veut";

/// The line before the first turn: width and height of the grid, and the number of the player.
pub(crate) fn write_init(view: &View<'_>, out: &mut String) {
    let size = view.game.rules.size;
    // Writing to a String cannot fail; so it is below.
    let _ = writeln!(out, "{size} {size} {}", view.seat);
}

/// The lines of a turn: the cell of the player, the cell of the opponent, the number of coins, the cells of the coins.
pub(crate) fn write_turn(view: &View<'_>, out: &mut String) {
    let State { players, coins, .. } = view.state;
    for offset in 0..PLAYERS {
        let [x, y] = players[(view.seat.index() + offset) % PLAYERS];
        let _ = writeln!(out, "{x} {y}");
    }
    let _ = writeln!(out, "{}", coins.len());
    for [x, y] in coins.iter() {
        let _ = writeln!(out, "{x} {y}");
    }
}

/// Reads an answer: a direction, and after a space a message.
///
/// # Errors
///
/// When the line does not begin with a direction.
pub fn parse(line: &[u8]) -> Order {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    let (word, message) = text.split_once(' ').unwrap_or((text, ""));
    let direction = Direction::ALL.into_iter().find(|direction| direction.word() == word);
    let direction = direction.ok_or_else(|| Unreadable(line.to_vec()))?;
    let message = Some(message.trim()).filter(|message| !message.is_empty()).map(str::to_owned);
    Ok(Command { direction, message })
}

/// Writes an order as an answer.
pub fn print(order: &Order) -> Vec<u8> {
    match order {
        Ok(Command { direction, message: None }) => direction.word().into(),
        Ok(Command { direction, message: Some(message) }) => {
            format!("{} {message}", direction.word()).into_bytes()
        }
        Err(unreadable) => unreadable.0.clone(),
    }
}
