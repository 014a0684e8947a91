//! Orders: parsing and printing of answers (rules, section 8).

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// A parsed answer: its commands up to the first piece that is not a command.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Order {
    /// The commands, in order.
    pub commands: Commands,
    /// The piece that ended the parsing. The player loses the game; the commands before it still count.
    pub unreadable: Option<Box<Unreadable>>,
}

/// A command. Numbers are as written: a cell may lie outside the grid, a region may not exist.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `PLACE_TRACKS x y`
    Place {
        /// Column.
        x: u32,
        /// Row.
        y: u32,
    },
    /// `AUTOPLACE fromX fromY toX toY`
    Autoplace {
        /// Column and row of the start.
        from: (u32, u32),
        /// Column and row of the destination.
        to: (u32, u32),
    },
    /// `DISRUPT regionId`
    DisruptRegion(u32),
    /// `DISRUPT x y`
    DisruptCell {
        /// Column.
        x: u32,
        /// Row.
        y: u32,
    },
    /// `MESSAGE text`
    Message(Cow<'static, str>),
    /// `WAIT`
    Wait,
}

/// Why a piece of an answer is not a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// The mistake.
    pub what: Wrong,
    /// The piece, trimmed; bytes that are not UTF-8 are replaced.
    pub text: String,
}

/// A mistake in a piece of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// The piece is empty.
    Empty,
    /// The first word is not a word of the protocol.
    UnknownWord,
    /// The word is known, but its arguments are wrong.
    BadArguments(Word),
    /// A number is greater than any number of the protocol.
    NumberTooLarge,
}

/// The words of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // The variants are the words themselves.
pub enum Word {
    Autoplace,
    PlaceTracks,
    Disrupt,
    Message,
    Wait,
}

impl Word {
    const ALL: [Word; 5] = [Word::Autoplace, Word::PlaceTracks, Word::Disrupt, Word::Message, Word::Wait];

    const fn name(self) -> &'static str {
        match self {
            Word::Autoplace => "AUTOPLACE",
            Word::PlaceTracks => "PLACE_TRACKS",
            Word::Disrupt => "DISRUPT",
            Word::Message => "MESSAGE",
            Word::Wait => "WAIT",
        }
    }

    const fn form(self) -> &'static str {
        match self {
            Word::Autoplace => "`AUTOPLACE fromX fromY toX toY`",
            Word::PlaceTracks => "`PLACE_TRACKS x y`",
            Word::Disrupt => "`DISRUPT regionId` or `DISRUPT x y`",
            Word::Message => "`MESSAGE text`",
            Word::Wait => "`WAIT` alone",
        }
    }
}

impl Wrong {
    /// A short stable name.
    pub const fn code(self) -> &'static str {
        match self {
            Wrong::Empty => "empty-command",
            Wrong::UnknownWord => "unknown-command",
            Wrong::BadArguments(_) => "bad-arguments",
            Wrong::NumberTooLarge => "number-too-large",
        }
    }

    /// The expected form.
    pub const fn expected(self) -> &'static str {
        self.forms().0
    }

    /// The expected form in English and in French.
    pub(crate) const fn forms(self) -> (&'static str, &'static str) {
        match self {
            Wrong::Empty => ("a command between two `;`", "une commande entre deux `;`"),
            Wrong::UnknownWord => (
                "PLACE_TRACKS, AUTOPLACE, DISRUPT, MESSAGE or WAIT",
                "PLACE_TRACKS, AUTOPLACE, DISRUPT, MESSAGE ou WAIT",
            ),
            Wrong::BadArguments(word) => (word.form(), word.form()),
            Wrong::NumberTooLarge => ("a number up to 2147483647", "un nombre jusqu’à 2147483647"),
        }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, got {}", self.what.expected(), game::quote(self.text.as_bytes()))
    }
}

impl std::error::Error for Unreadable {}

impl Order {
    /// Parses an answer.
    #[must_use]
    pub fn read(line: &[u8]) -> Order {
        let mut order = Order::default();
        let line = trim(line);
        // `;` alone is allowed and has no effect; an empty line is an empty command.
        let used =
            if line.is_empty() { 0 } else { line.iter().rposition(|&b| b != b';').map_or(0, |at| at + 1) };
        if used == 0 && !line.is_empty() {
            return order;
        }
        for piece in line[..used].split(|&b| b == b';') {
            let piece = trim(piece);
            match read_command(piece) {
                Ok(command) => order.commands.push(command),
                Err(what) => {
                    let text = String::from_utf8_lossy(piece).into_owned();
                    order.unreadable = Some(Box::new(Unreadable { what, text }));
                    break;
                }
            }
        }
        order
    }

    /// Prints an answer that is parsed as this order.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        use std::fmt::Write as _;

        let mut line = String::new();
        for (i, command) in self.commands.iter().enumerate() {
            let separator = if i > 0 { ";" } else { "" };
            write!(line, "{separator}{command}").expect("a string takes all");
        }
        match &self.unreadable {
            None if self.commands.is_empty() => line.push(';'),
            None => (),
            Some(piece) => {
                if !self.commands.is_empty() {
                    line.push(';');
                    if piece.text.is_empty() {
                        // An empty piece at the end would not be parsed as a piece.
                        line.push_str(";WAIT");
                    }
                }
                line.push_str(&piece.text);
            }
        }
        line.into_bytes()
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Place { x, y } => write!(f, "PLACE_TRACKS {x} {y}"),
            Command::Autoplace { from, to } => {
                write!(f, "AUTOPLACE {} {} {} {}", from.0, from.1, to.0, to.1)
            }
            Command::DisruptRegion(region) => write!(f, "DISRUPT {region}"),
            Command::DisruptCell { x, y } => write!(f, "DISRUPT {x} {y}"),
            Command::Message(text) => write!(f, "MESSAGE {text}"),
            Command::Wait => f.write_str("WAIT"),
        }
    }
}

/// Removes characters with a code up to that of the space, and no others.
fn trim(mut text: &[u8]) -> &[u8] {
    while let [0..=b' ', rest @ ..] = text {
        text = rest;
    }
    while let [rest @ .., 0..=b' '] = text {
        text = rest;
    }
    text
}

fn read_command(piece: &[u8]) -> Result<Command, Wrong> {
    if piece.is_empty() {
        return Err(Wrong::Empty);
    }
    let end = piece.iter().position(|&b| b == b' ').unwrap_or(piece.len());
    let (word, rest) = piece.split_at(end);
    let word = Word::ALL
        .into_iter()
        .find(|known| word.eq_ignore_ascii_case(known.name().as_bytes()))
        .ok_or(Wrong::UnknownWord)?;
    let bad = Wrong::BadArguments(word);
    if word == Word::Message {
        let [b' ', text @ ..] = rest else { return Err(bad) };
        return Ok(Command::Message(Cow::Owned(String::from_utf8_lossy(text).into_owned())));
    }
    // Every number has exactly one space before it.
    let mut numbers = [0; 4];
    let mut count = 0;
    let mut too_large = false;
    for digits in rest.split(|&b| b == b' ').skip(1) {
        if count == 4 || digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Err(bad);
        }
        let number = digits
            .iter()
            .fold(0u64, |number, digit| (number * 10 + u64::from(digit - b'0')).min(u64::from(u32::MAX)));
        too_large |= number > i32::MAX as u64;
        numbers[count] = number as u32;
        count += 1;
    }
    let [a, b, c, d] = numbers;
    let command = match (word, count) {
        (Word::Autoplace, 4) => Command::Autoplace { from: (a, b), to: (c, d) },
        (Word::PlaceTracks, 2) => Command::Place { x: a, y: b },
        (Word::Disrupt, 1) => Command::DisruptRegion(a),
        (Word::Disrupt, 2) => Command::DisruptCell { x: a, y: b },
        (Word::Wait, 0) => Command::Wait,
        _ => return Err(bad),
    };
    if too_large { Err(Wrong::NumberTooLarge) } else { Ok(command) }
}

/// A list of commands. A few commands, as in an ordinary answer, are stored inline, without a heap allocation.
#[derive(Clone)]
pub struct Commands {
    few: [Command; Commands::FEW],
    /// The number of inline commands; 0 once there are more.
    used: usize,
    many: Vec<Command>,
}

impl Commands {
    /// The number of commands that are stored inline.
    pub const FEW: usize = 8;

    /// Appends a command.
    #[inline]
    pub fn push(&mut self, command: Command) {
        if self.many.is_empty() && self.used < Self::FEW {
            self.few[self.used] = command;
            self.used += 1;
        } else {
            self.push_more(command);
        }
    }

    #[cold]
    fn push_more(&mut self, command: Command) {
        for few in &mut self.few[..self.used] {
            self.many.push(std::mem::replace(few, Command::Wait));
        }
        self.used = 0;
        self.many.push(command);
    }
}

impl Default for Commands {
    #[inline]
    fn default() -> Self {
        Commands { few: [const { Command::Wait }; Self::FEW], used: 0, many: Vec::new() }
    }
}

impl Deref for Commands {
    type Target = [Command];

    #[inline]
    fn deref(&self) -> &[Command] {
        if self.many.is_empty() { &self.few[..self.used] } else { &self.many }
    }
}

impl PartialEq for Commands {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Commands {}

impl fmt::Debug for Commands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl FromIterator<Command> for Commands {
    fn from_iter<I: IntoIterator<Item = Command>>(commands: I) -> Self {
        let mut list = Commands::default();
        for command in commands {
            list.push(command);
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, commands: &[Command], wrong: Option<Wrong>) {
        let order = Order::read(line.as_bytes());
        assert_eq!(&*order.commands, commands, "{line:?}");
        assert_eq!(order.unreadable.as_ref().map(|piece| piece.what), wrong, "{line:?}");
        assert_eq!(Order::read(&order.write()), order, "{line:?}");
    }

    #[test]
    fn commands_are_read() {
        use Command::*;
        check("WAIT", &[Wait], None);
        check(" \t wait ;; \r", &[Wait], None);
        check(";", &[], None);
        check(";;;", &[], None);
        check("PLACE_TRACKS 3 007", &[Place { x: 3, y: 7 }], None);
        check(
            "aUtOpLaCe 0 2147483647 3 4; DISRUPT 5 ;DISRUPT 5 6",
            &[
                Autoplace { from: (0, 2_147_483_647), to: (3, 4) },
                DisruptRegion(5),
                DisruptCell { x: 5, y: 6 },
            ],
            None,
        );
        check("MESSAGE  a , b\u{A0};WAIT", &[Message(" a , b\u{A0}".into()), Wait], None);
        check("MESSAGE \u{A0}", &[Message("\u{A0}".into())], None);
        check("message hi", &[Message("hi".into())], None);
    }

    #[test]
    fn what_is_no_command_ends_the_reading() {
        use Command::Wait;
        use Wrong::*;
        check("", &[], Some(Empty));
        check(" \t", &[], Some(Empty));
        check(";WAIT", &[], Some(Empty));
        check("WAIT;;WAIT", &[Wait], Some(Empty));
        check("WAIT; ;WAIT", &[Wait], Some(Empty));
        // Only completely empty pieces at the end are dropped, but the line is trimmed before.
        check("WAIT; ", &[Wait], None);
        check("WAIT; ;", &[Wait], Some(Empty));
        check("garbage", &[], Some(UnknownWord));
        check("PLACE_TRACK 3 4", &[], Some(UnknownWord));
        check("WAITING", &[], Some(UnknownWord));
        check("WAIT\tWAIT", &[], Some(UnknownWord));
        check("WAIT\u{A0}", &[], Some(UnknownWord));
        check("\u{FEFF}WAIT", &[], Some(UnknownWord));
        check("D\u{131}SRUPT 4", &[], Some(UnknownWord));
        check("DI\u{17F}RUPT 4", &[], Some(UnknownWord));
        check("\u{FF37}\u{FF21}\u{FF29}\u{FF34}", &[], Some(UnknownWord));
        check("WAIT 3", &[], Some(BadArguments(Word::Wait)));
        check("MESSAGE", &[], Some(BadArguments(Word::Message)));
        check("MESSAGE \t", &[], Some(BadArguments(Word::Message)));
        for line in ["PLACE_TRACKS  3 4", "PLACE_TRACKS 3", "PLACE_TRACKS 3 4 5", "PLACE_TRACKS 3,4"] {
            check(line, &[], Some(BadArguments(Word::PlaceTracks)));
        }
        for line in ["PLACE_TRACKS -1 3", "PLACE_TRACKS +3 4", "PLACE_TRACKS 0x3 4", "PLACE_TRACKS 1.0 2"] {
            check(line, &[], Some(BadArguments(Word::PlaceTracks)));
        }
        check("PLACE_TRACKS \u{663} \u{664}", &[], Some(BadArguments(Word::PlaceTracks)));
        check("DISRUPT", &[], Some(BadArguments(Word::Disrupt)));
        check("DISRUPT 1 2 3", &[], Some(BadArguments(Word::Disrupt)));
        check("AUTOPLACE 1 2 3", &[], Some(BadArguments(Word::Autoplace)));
        check("AUTOPLACE 1 2 3 4 5", &[], Some(BadArguments(Word::Autoplace)));
        check("DISRUPT 2147483648", &[], Some(NumberTooLarge));
        check("WAIT;DISRUPT 99999999999999999999999;WAIT", &[Wait], Some(NumberTooLarge));
    }

    #[test]
    fn bytes_that_are_no_text_are_no_command() {
        let order = Order::read(b"WAIT;WA\xFFIT;WAIT");
        assert_eq!(&*order.commands, [Command::Wait]);
        assert_eq!(order.unreadable.as_ref().map(|piece| &piece.text[..]), Some("WA\u{FFFD}IT"));
        assert_eq!(Order::read(&order.write()), order);
        let order = Order::read(b"MESSAGE a\xFFb");
        assert_eq!(&*order.commands, [Command::Message("a\u{FFFD}b".into())]);
    }

    #[test]
    fn long_lists_keep_their_order() {
        for count in [0, 1, 7, 8, 9, 20] {
            let commands: Vec<_> = (0..count).map(Command::DisruptRegion).collect();
            let list: Commands = commands.iter().cloned().collect();
            assert_eq!(*list, commands[..]);
        }
    }
}
