//! The lines that a bot reads and the line that it writes (rules, sections 5 and 6.1).

use std::fmt;

use game::Seat;

use crate::Hypersonic;
use crate::grid::{Cell, HEIGHT, WIDTH};
use crate::map::write_row;
use crate::state::State;

/// The knowledge of a player: the whole state, and its own seat.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Rules and map.
    pub game: &'a Hypersonic,
    /// The state at the start of the round.
    pub state: &'a State,
    /// The player.
    pub seat: Seat,
}

/// A parsed answer.
pub type Order = Result<Command, Unreadable>;

/// The command of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// Whether it lays a bomb first.
    pub verb: Verb,
    /// The column of the target, possibly off the grid.
    pub x: i32,
    /// The row of the target, possibly off the grid.
    pub y: i32,
    /// The message, without the white space around it.
    pub message: Option<Box<str>>,
}

/// The two commands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    /// Only moves.
    Move,
    /// Lays a bomb, then moves.
    Bomb,
}

impl Verb {
    /// The command as bots write it.
    pub const fn word(self) -> &'static str {
        match self {
            Verb::Move => "MOVE",
            Verb::Bomb => "BOMB",
        }
    }
}

/// A line that is not a valid command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// The mistake.
    pub mistake: Mistake,
    /// The original line.
    pub line: Box<[u8]>,
}

/// Why a line is not a valid command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    /// The line contains only white space.
    Empty,
    /// There is white space before the command.
    LeadingSpace,
    /// The first word is not a command.
    UnknownCommand,
    /// The line ends before the coordinate.
    MissingCoordinate(Axis),
    /// The word at the place of the coordinate is not a whole number.
    NotANumber(Axis),
    /// The coordinate does not fit in 32 bits.
    OutOfRange(Axis),
}

/// A coordinate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axis {
    /// The column.
    X,
    /// The row.
    Y,
}

impl Mistake {
    /// A short stable name.
    pub const fn code(self) -> &'static str {
        match self {
            Mistake::Empty => "empty-line",
            Mistake::LeadingSpace => "leading-space",
            Mistake::UnknownCommand => "unknown-command",
            Mistake::MissingCoordinate(_) => "missing-coordinate",
            Mistake::NotANumber(_) => "bad-coordinate",
            Mistake::OutOfRange(_) => "coordinate-out-of-range",
        }
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Axis::X => "x",
            Axis::Y => "y",
        })
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mistake::Empty => write!(f, "The line is empty."),
            Mistake::LeadingSpace => write!(f, "The line begins with white space."),
            Mistake::UnknownCommand => write!(f, "The first word is neither MOVE nor BOMB."),
            Mistake::MissingCoordinate(axis) => write!(f, "The line ends before coordinate {axis}."),
            Mistake::NotANumber(axis) => write!(f, "Coordinate {axis} is not a whole number."),
            Mistake::OutOfRange(axis) => write!(f, "Coordinate {axis} does not fit in 32 bits."),
        }
    }
}

impl std::error::Error for Mistake {}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} got {}", self.mistake, game::quote(&self.line))
    }
}

impl std::error::Error for Unreadable {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.mistake)
    }
}

/// White space of the protocol (section 6.1).
const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

fn trim_start(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|&byte| !is_space(byte)).unwrap_or(text.len());
    &text[start..]
}

fn trim(text: &[u8]) -> &[u8] {
    let text = trim_start(text);
    let end = text.iter().rposition(|&byte| !is_space(byte)).map_or(0, |last| last + 1);
    &text[..end]
}

/// Reads an answer (section 6.1).
///
/// # Errors
///
/// When the line is not a valid command; the error contains the line and the mistake.
pub fn parse(line: &[u8]) -> Order {
    command(line).map_err(|mistake| Unreadable { mistake, line: line.into() })
}

fn command(line: &[u8]) -> Result<Command, Mistake> {
    let text = trim_start(line);
    if text.is_empty() {
        return Err(Mistake::Empty);
    }
    if text.len() < line.len() {
        return Err(Mistake::LeadingSpace);
    }
    let (word, rest) = split_word(line);
    let verb = [Verb::Move, Verb::Bomb]
        .into_iter()
        .find(|verb| word.eq_ignore_ascii_case(verb.word().as_bytes()))
        .ok_or(Mistake::UnknownCommand)?;
    let (x, rest) = coordinate(rest, Axis::X)?;
    let (y, rest) = coordinate(rest, Axis::Y)?;
    let message = trim(rest);
    let message = (!message.is_empty()).then(|| String::from_utf8_lossy(message).into());
    Ok(Command { verb, x, y, message })
}

/// The text up to the first white space, and the rest.
fn split_word(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|&byte| is_space(byte)).unwrap_or(text.len()))
}

fn coordinate(text: &[u8], axis: Axis) -> Result<(i32, &[u8]), Mistake> {
    let (word, rest) = split_word(trim_start(text));
    if word.is_empty() {
        return Err(Mistake::MissingCoordinate(axis));
    }
    let (sign, digits) = word.strip_prefix(b"-").map_or((1, word), |digits| (-1, digits));
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(Mistake::NotANumber(axis));
    }
    // Any number of digits is allowed; the value of too many digits stays too large.
    let value = digits
        .iter()
        .fold(0i64, |value, digit| value.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    let value = i32::try_from(sign * value).map_err(|_| Mistake::OutOfRange(axis))?;
    Ok((value, rest))
}

/// Writes an order so that it can be parsed again.
pub fn print(order: &Order) -> Vec<u8> {
    match order {
        Ok(Command { verb, x, y, message: None }) => format!("{} {x} {y}", verb.word()).into_bytes(),
        Ok(Command { verb, x, y, message: Some(text) }) => {
            format!("{} {x} {y} {text}", verb.word()).into_bytes()
        }
        Err(unreadable) => unreadable.line.to_vec(),
    }
}

/// The part of a message that the viewer shows (section 6.1).
pub(crate) fn shown_message(message: &str) -> String {
    const LONGEST: usize = 19;
    const CUT_TO: usize = 17;
    if message.chars().count() <= LONGEST {
        return message.to_owned();
    }
    message.chars().take(CUT_TO).chain("...".chars()).collect()
}

/// Writes the initialization line (section 5).
pub(crate) fn write_init(view: &View<'_>, out: &mut String) {
    write_numbers(out, &[WIDTH as u16, HEIGHT as u16, u16::from(view.seat.0)]);
}

/// Writes the lines of a round (section 5), which are the same for all players.
pub(crate) fn write_turn(view: &View<'_>, out: &mut String) {
    const PLAYER: u16 = 0;
    const BOMB: u16 = 1;
    const ITEM: u16 = 2;
    let state = view.state;
    for y in 0..HEIGHT {
        write_row(out, y, &view.game.map.walls, &state.boxes, &state.extra_ranges, &state.extra_bombs);
        out.push('\n');
    }
    let entities = state.living.len() as usize + state.bombs.len() + state.items.len();
    write_numbers(out, &[entities as u16]);
    let mut entity = |kind: u16, owner: u8, cell: Cell, param1: u16, param2: u16| {
        write_numbers(out, &[kind, u16::from(owner), cell.x() as u16, cell.y() as u16, param1, param2]);
    };
    for seat in state.living {
        let player = state.player(seat);
        entity(PLAYER, seat.0, player.cell, player.available, player.range);
    }
    for bomb in state.bombs.iter() {
        entity(BOMB, bomb.owner, bomb.cell, state.rounds_left(bomb), bomb.range);
    }
    for &cell in state.items.iter() {
        let number = state.item(cell).map_or(0, |item| u16::from(item.number()));
        entity(ITEM, 0, cell, number, number);
    }
}

/// Writes a line of numbers separated by spaces.
fn write_numbers(out: &mut String, numbers: &[u16]) {
    for (i, &number) in numbers.iter().enumerate() {
        if i > 0 {
            out.push(' ');
        }
        let mut divisor = 1;
        while number / divisor >= 10 {
            divisor *= 10;
        }
        while divisor > 0 {
            out.push(char::from(b'0' + (number / divisor % 10) as u8));
            divisor /= 10;
        }
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Result<(Verb, i32, i32, Option<&str>), Mistake>) {
        let order = parse(line.as_bytes());
        assert_eq!(parse(&print(&order)), order, "{line:?}");
        let read = order
            .as_ref()
            .map(|order| (order.verb, order.x, order.y, order.message.as_deref()))
            .map_err(|unreadable| unreadable.mistake);
        assert_eq!(read, expected, "{line:?}");
    }

    #[test]
    fn commands() {
        check("MOVE 3 4", Ok((Verb::Move, 3, 4, None)));
        check("bOmB 0 10", Ok((Verb::Bomb, 0, 10, None)));
        check("MOVE -0 007", Ok((Verb::Move, 0, 7, None)));
        check("MOVE\t1 \x0B\x0C\r-2\n", Ok((Verb::Move, 1, -2, None)));
        check("MOVE 2147483647 -2147483648", Ok((Verb::Move, i32::MAX, i32::MIN, None)));
        check("MOVE 00000000000000000000000000001 1", Ok((Verb::Move, 1, 1, None)));
        check("BOMB 1 2 3", Ok((Verb::Bomb, 1, 2, Some("3"))));
        check("MOVE 1 2  hello  there \t", Ok((Verb::Move, 1, 2, Some("hello  there"))));
        check("MOVE 1 2 \u{A0}", Ok((Verb::Move, 1, 2, Some("\u{A0}"))));
    }

    #[test]
    fn mistakes() {
        use Axis::{X, Y};
        check("", Err(Mistake::Empty));
        check(" \t", Err(Mistake::Empty));
        check(" MOVE 1 1", Err(Mistake::LeadingSpace));
        check("WAIT", Err(Mistake::UnknownCommand));
        check("MOVE1 1", Err(Mistake::UnknownCommand));
        check("MOVE\u{A0}1 1", Err(Mistake::UnknownCommand));
        check("MOVE", Err(Mistake::MissingCoordinate(X)));
        check("MOVE ", Err(Mistake::MissingCoordinate(X)));
        check("MOVE 1", Err(Mistake::MissingCoordinate(Y)));
        check("MOVE 1 ", Err(Mistake::MissingCoordinate(Y)));
        check("MOVE x 1", Err(Mistake::NotANumber(X)));
        check("MOVE +1 1", Err(Mistake::NotANumber(X)));
        check("MOVE - 1", Err(Mistake::NotANumber(X)));
        check("MOVE --1 1", Err(Mistake::NotANumber(X)));
        check("MOVE 1,1", Err(Mistake::NotANumber(X)));
        check("MOVE \u{0663} 1", Err(Mistake::NotANumber(X)));
        check("MOVE 1 1msg", Err(Mistake::NotANumber(Y)));
        check("MOVE 1 2.5", Err(Mistake::NotANumber(Y)));
        check("MOVE 1 2\u{2003}x", Err(Mistake::NotANumber(Y)));
        check("MOVE 2147483648 1", Err(Mistake::OutOfRange(X)));
        check("MOVE 1 -2147483649", Err(Mistake::OutOfRange(Y)));
        check("MOVE 1 -99999999999999999999999999", Err(Mistake::OutOfRange(Y)));
    }

    #[test]
    fn broken_text_is_read() {
        for line in [&b"\xff"[..], b"MOVE 1 1 \xff \xfe", b"MOVE \xff 1", b"\0", b"MOVE 1 1 \0"] {
            let order = parse(line);
            assert_eq!(parse(&print(&order)), order, "{line:?}");
        }
    }

    #[test]
    fn long_messages_are_cut_for_the_viewer() {
        assert_eq!(shown_message("1234567890123456789"), "1234567890123456789");
        assert_eq!(shown_message("12345678901234567890"), "12345678901234567...");
    }

    #[test]
    fn numbers_are_written_whole() {
        let mut out = String::new();
        write_numbers(&mut out, &[0, 9, 10, 99, 100, 1143, 10_000, u16::MAX]);
        assert_eq!(out, "0 9 10 99 100 1143 10000 65535\n");
    }
}
