//! Printing of the lines for players and parsing of their answers (rules, sections 4, 6, 7, 8 and 9).

use std::fmt::Write as _;

use game::Seat;

use crate::Rules;
use crate::grid::{Cell, Direction, SECTORS, SIZE};
use crate::map::Map;
use crate::number::integer;
use crate::order::{Action, Chain, Command, Order, Power, is_message, keyword, segments, trim};
use crate::state::{Phase, Shown, ShownAction, State, Submarine};
use crate::wrong::Unreadable;

/// The knowledge of a player: everything about its own submarine; of the opponent only its lives and its shown actions.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The rules of the match.
    pub rules: &'a Rules,
    /// The map.
    pub map: &'a Map,
    /// The player.
    pub seat: Seat,
    /// Whether the players are still choosing their start cells.
    pub placing: bool,
    /// The number of the current turn, which players can count.
    pub turn: u16,
    /// The number of frames used, which players can count, because they see the number of executed actions.
    pub frames: u16,
    /// The player's own submarine.
    pub own: &'a Submarine,
    /// Lives of the opponent.
    pub opponent_lives: i8,
    /// The actions that the opponent executed in its latest turn.
    pub opponent_shown: &'a Shown,
}

impl<'a> View<'a> {
    /// Restricts the state: of the opponent's submarine, the view contains only its lives and its shown actions.
    pub(crate) const fn new(rules: &'a Rules, map: &'a Map, state: &'a State, seat: Seat) -> View<'a> {
        let opponent = state.opponent(seat);
        View {
            rules,
            map,
            seat,
            placing: matches!(state.phase, Phase::Placement(_)),
            turn: state.turn,
            frames: state.frames,
            own: state.submarine(seat),
            opponent_lives: opponent.lives,
            opponent_shown: &opponent.shown,
        }
    }

    /// Rules, section 4: size and id, then the rows of the map.
    pub(crate) fn write_init(&self, out: &mut String) {
        writeln!(out, "{SIZE} {SIZE} {}", self.seat).expect("a string takes everything");
        for row in self.map.rows() {
            out.push_str(&row);
            out.push('\n');
        }
    }

    /// Rules, section 6: the three lines of a turn.
    pub(crate) fn write_turn(&self, out: &mut String) {
        if self.placing {
            return;
        }
        self.try_write_turn(out).expect("a string takes everything");
    }

    fn try_write_turn(&self, out: &mut String) -> std::fmt::Result {
        let View { own, rules, .. } = self;
        write!(out, "{} {} {} {}", own.cell.x(), own.cell.y(), own.lives, self.opponent_lives)?;
        for power in Power::ALL {
            match own.missing(rules, power) {
                Some(missing) => write!(out, " {missing}")?,
                None => out.push_str(" -1"),
            }
        }
        let sonar = match own.sonar {
            Some(true) => "Y",
            Some(false) => "N",
            None => "NA",
        };
        write!(out, "\n{sonar}\n")?;
        self.opponent_shown.write(out)?;
        out.push('\n');
        Ok(())
    }
}

impl Shown {
    /// Rules, section 9, joined by pipes; `NA` when there are no actions.
    pub(crate) fn write(&self, out: &mut String) -> std::fmt::Result {
        if self.actions().is_empty() {
            out.push_str("NA");
        }
        for (i, action) in self.actions().iter().enumerate() {
            if i > 0 {
                out.push('|');
            }
            match action {
                ShownAction::Move(direction) => write!(out, "MOVE {}", direction.letter())?,
                ShownAction::Surface(sector) => write!(out, "SURFACE {sector}")?,
                ShownAction::Torpedo(cell) => write!(out, "TORPEDO {} {}", cell.x(), cell.y())?,
                ShownAction::Sonar(sector) => write!(out, "SONAR {sector}")?,
                ShownAction::Silence => out.push_str("SILENCE"),
                ShownAction::Mine => out.push_str("MINE"),
                ShownAction::Trigger(cell) => write!(out, "TRIGGER {} {}", cell.x(), cell.y())?,
            }
        }
        Ok(())
    }
}

impl Order {
    /// Parses an answer.
    pub(crate) fn parse(view: &View<'_>, line: &[u8]) -> Order {
        let order = if view.placing { parse_placement(line) } else { parse_turn(view.rules, line) };
        order.unwrap_or_else(|why| Order::Unreadable { why, text: line.into() })
    }

    /// Prints an answer that is parsed as this order.
    pub(crate) fn print(&self) -> Vec<u8> {
        match self {
            Order::Place { x, y } => format!("{x} {y}").into_bytes(),
            Order::Turn(chain) => chain.print(),
            Order::Unreadable { text, .. } => text.to_vec(),
        }
    }
}

/// Rules, section 4: the whole line must be one or two ASCII digits, one space, one or two ASCII digits.
fn parse_placement(line: &[u8]) -> Result<Order, Unreadable> {
    let number = |digits: &[u8]| match *digits {
        [a @ b'0'..=b'9'] => Some(a - b'0'),
        [a @ b'0'..=b'9', b @ b'0'..=b'9'] => Some((a - b'0') * 10 + (b - b'0')),
        _ => None,
    };
    let mut words = line.split(|&byte| byte == b' ').map(number);
    match (words.next(), words.next(), words.next()) {
        (Some(Some(x)), Some(Some(y)), None) => Ok(Order::Place { x, y }),
        _ => Err(Unreadable::PlacementFormat),
    }
}

/// Rules, section 7: the pieces of a line. The pieces after an unknown command are never checked, except for
/// duplicates.
fn parse_turn(rules: &Rules, line: &[u8]) -> Result<Order, Unreadable> {
    let mut chain = Chain::new();
    let mut plain = true;
    let mut ended = false;
    let mut commands = 0;
    let mut unknown: Vec<&[u8]> = Vec::new();
    for segment in segments(line) {
        let word = keyword(segment);
        let command = Command::named(word);
        match command {
            Some(command) if commands & command.bit() != 0 => return Err(Unreadable::Duplicate),
            Some(command) => commands |= command.bit(),
            None if is_message(segment) => {
                plain = false;
                continue;
            }
            None => unknown.push(word),
        }
        if !ended {
            let action = match command.filter(|command| command.exists(rules)) {
                Some(command) => read_action(rules, command, segment),
                None => Action::Unknown,
            };
            plain &= action.is_plain();
            ended = action == Action::Unknown;
            chain.push(action);
        }
    }
    // Sorted, so that the search for duplicates stays fast for a long line of short words.
    unknown.sort_unstable();
    if unknown.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Unreadable::Duplicate);
    }
    Ok(Order::Turn(if plain { chain } else { chain.with_text(line) }))
}

/// Rules, section 8: parses the arguments of a command.
fn read_action(rules: &Rules, command: Command, segment: &[u8]) -> Action {
    // Section 7: split at every single space. No command has more than three tokens; a fourth token is an error.
    let mut tokens = segment.split(|&byte| byte == b' ');
    let tokens = [tokens.next(), tokens.next(), tokens.next(), tokens.next()];
    let read = match command {
        Command::Move => read_move(rules, tokens),
        Command::Surface => Ok(Action::Surface),
        Command::Power(Power::Torpedo) => read_torpedo(tokens),
        Command::Power(Power::Sonar) => read_sonar(tokens),
        Command::Power(Power::Silence) => read_silence(rules, tokens),
        Command::Power(Power::Mine) => read_mine(tokens),
        Command::Trigger => read_trigger(tokens),
    };
    read.unwrap_or_else(|why| Action::Malformed { command, why })
}

/// The first four tokens of a piece, the keyword included.
type Tokens<'a> = [Option<&'a [u8]>; 4];

fn read_direction(token: &[u8]) -> Result<Direction, Unreadable> {
    Direction::read(token).ok_or(Unreadable::BadDirection)
}

/// The target cell; `None` for a cell off the map.
fn read_target(x: i32, y: i32) -> Option<Cell> {
    Cell::new(x.try_into().ok()?, y.try_into().ok()?)
}

fn read_move(rules: &Rules, tokens: Tokens<'_>) -> Result<Action, Unreadable> {
    let [_, direction, power, None] = tokens else { return Err(Unreadable::MoveArgs) };
    let direction = read_direction(direction.ok_or(Unreadable::MoveForm)?)?;
    let charge = match power {
        None => None,
        Some(name) => match Command::named(trim(name)) {
            Some(Command::Power(power)) if rules.charge(power).is_some() => Some(power),
            _ => return Err(Unreadable::BadPower),
        },
    };
    Ok(Action::Move { direction, charge })
}

fn read_torpedo(tokens: Tokens<'_>) -> Result<Action, Unreadable> {
    let [_, Some(x), Some(y), None] = tokens else { return Err(Unreadable::TorpedoArgs) };
    match (integer(x), integer(y)) {
        (Some(x), Some(y)) => Ok(Action::Torpedo { target: read_target(x, y) }),
        _ => Err(Unreadable::TorpedoNumbers),
    }
}

fn read_sonar(tokens: Tokens<'_>) -> Result<Action, Unreadable> {
    let [_, Some(sector), None, None] = tokens else { return Err(Unreadable::SonarArgs) };
    let sector = integer(sector).and_then(|sector| u8::try_from(sector).ok());
    let sector = sector.filter(|sector| (1..=SECTORS).contains(sector)).ok_or(Unreadable::SonarSector)?;
    Ok(Action::Sonar { sector })
}

fn read_silence(rules: &Rules, tokens: Tokens<'_>) -> Result<Action, Unreadable> {
    let [_, Some(direction), Some(steps), None] = tokens else { return Err(Unreadable::SilenceArgs) };
    let direction = read_direction(direction)?;
    let steps = integer(steps).and_then(|steps| u8::try_from(steps).ok());
    let steps = steps.filter(|&steps| steps <= rules.silence_steps).ok_or(Unreadable::SilenceDistance)?;
    Ok(Action::Silence { direction, steps })
}

fn read_mine(tokens: Tokens<'_>) -> Result<Action, Unreadable> {
    let [_, direction, None, None] = tokens else { return Err(Unreadable::MineArgs) };
    let direction = read_direction(direction.ok_or(Unreadable::MineForm)?)?;
    Ok(Action::Mine { direction })
}

fn read_trigger(tokens: Tokens<'_>) -> Result<Action, Unreadable> {
    let [_, x, y, None] = tokens else { return Err(Unreadable::TriggerArgs) };
    match (x.and_then(integer), y.and_then(integer)) {
        (Some(x), Some(y)) => Ok(Action::Trigger { target: read_target(x, y) }),
        _ => Err(Unreadable::TriggerNumbers),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &[u8]) -> Order {
        let order = parse_turn(&Rules::FULL, line);
        let order = order.unwrap_or_else(|why| Order::Unreadable { why, text: line.into() });
        let again = parse_turn(&Rules::FULL, &order.print());
        assert_eq!(again.unwrap_or_else(|why| Order::Unreadable { why, text: line.into() }), order);
        order
    }

    fn actions(line: &str) -> Vec<Action> {
        match parse(line.as_bytes()) {
            Order::Turn(chain) => chain.actions().to_vec(),
            order => panic!("{line}: {order:?}"),
        }
    }

    fn malformed(line: &str) -> Unreadable {
        match actions(line)[..] {
            [Action::Malformed { why, .. }] => why,
            [Action::Unknown] => Unreadable::Unknown,
            ref other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn placements() {
        for (line, x, y) in [("3 7", 3, 7), ("03 07", 3, 7), ("0 14", 0, 14), ("99 15", 99, 15)] {
            assert_eq!(parse_placement(line.as_bytes()), Ok(Order::Place { x, y }));
        }
        for line in
            ["", " ", "7", "7 7 7", "7,7", "-1 3", "100 3", "3 100", "+3 3", "3  3", " 3 3", "3 3 ", "3\t3"]
        {
            assert_eq!(parse_placement(line.as_bytes()), Err(Unreadable::PlacementFormat), "{line:?}");
        }
        for line in ["3 3|", "3.0 3", "\u{0663} \u{0663}", "\u{a0}3 3"] {
            assert_eq!(parse_placement(line.as_bytes()), Err(Unreadable::PlacementFormat), "{line:?}");
        }
    }

    #[test]
    fn readable_answers_keep_no_text() {
        let line = " \x01MOVE N  | TORPEDO +03 007|SURFACE here and now|SONAR \u{0669}||SILENCE W -0|MINE S|TRIGGER 1 2";
        let Order::Turn(chain) = parse(line.as_bytes()) else { panic!() };
        assert!(!chain.has_text());
        assert_eq!(
            String::from_utf8(chain.print()).unwrap(),
            "MOVE N|TORPEDO 3 7|SURFACE|SONAR 9|SILENCE W 0|MINE S|TRIGGER 1 2"
        );
        assert_eq!(
            actions("MOVE E \tSILENCE\t"),
            [Action::Move { direction: Direction::E, charge: Some(Power::Silence) }]
        );
    }

    #[test]
    fn malformed_pieces() {
        for (line, why) in [
            ("MOVE", Unreadable::MoveForm),
            ("MOVE N TORPEDO X", Unreadable::MoveArgs),
            ("MOVE X TORPEDO X", Unreadable::MoveArgs),
            ("MOVE  N TORPEDO", Unreadable::MoveArgs),
            ("MOVE  N", Unreadable::BadDirection),
            ("MOVE X Y", Unreadable::BadDirection),
            ("MOVE N torpedo", Unreadable::BadPower),
            ("MOVE N TRIGGER", Unreadable::BadPower),
            ("MOVE N \u{a0}MINE", Unreadable::BadPower),
            ("TORPEDO", Unreadable::TorpedoArgs),
            ("TORPEDO 3", Unreadable::TorpedoArgs),
            ("TORPEDO  3 4", Unreadable::TorpedoArgs),
            ("TORPEDO a b", Unreadable::TorpedoNumbers),
            ("TORPEDO 3 2147483648", Unreadable::TorpedoNumbers),
            ("TORPEDO 3 \t4", Unreadable::TorpedoNumbers),
            ("SONAR", Unreadable::SonarArgs),
            ("SONAR 4 5", Unreadable::SonarArgs),
            ("SONAR 0", Unreadable::SonarSector),
            ("SONAR 10", Unreadable::SonarSector),
            ("SONAR 257", Unreadable::SonarSector),
            ("SILENCE N", Unreadable::SilenceArgs),
            ("SILENCE X 9 9", Unreadable::SilenceArgs),
            ("SILENCE X 9", Unreadable::BadDirection),
            ("SILENCE N 5", Unreadable::SilenceDistance),
            ("SILENCE N -1", Unreadable::SilenceDistance),
            ("MINE", Unreadable::MineForm),
            ("MINE N E", Unreadable::MineArgs),
            ("MINE n", Unreadable::BadDirection),
            ("TRIGGER", Unreadable::TriggerNumbers),
            ("TRIGGER 1", Unreadable::TriggerNumbers),
            ("TRIGGER 1 b", Unreadable::TriggerNumbers),
            ("TRIGGER 1 2 3", Unreadable::TriggerArgs),
            ("MOVE\tN", Unreadable::Unknown),
            ("MSG\thi", Unreadable::Unknown),
            ("surface", Unreadable::Unknown),
            ("\u{a0}SURFACE", Unreadable::Unknown),
        ] {
            assert_eq!(malformed(line), why, "{line:?}");
        }
    }

    #[test]
    fn duplicates_are_found_wherever_they_stand() {
        for line in [
            "MOVE N|MOVE S",
            "SURFACE 1|SURFACE 2",
            "x y|MOVE N|z|x z",
            "x|SURFACE|SURFACE",
            "TORPEDO|TORPEDO",
        ] {
            let expected = Order::Unreadable { why: Unreadable::Duplicate, text: line.as_bytes().into() };
            assert_eq!(parse(line.as_bytes()), expected, "{line}");
        }
        assert_eq!(actions("MSG a|MSG a|SURFACE|MSG"), [Action::Surface]);
        assert_eq!(actions("SURFACE|surface"), [Action::Surface, Action::Unknown]);
        assert_eq!(actions("x|SURFACE|y"), [Action::Unknown]);
        // Locked commands count too.
        assert_eq!(parse_turn(&Rules::of_league(1), b"MINE N|MINE S"), Err(Unreadable::Duplicate));
        assert_eq!(
            parse_turn(&Rules::of_league(1), b"MINE N"),
            Ok(Order::Turn([Action::Unknown].into_iter().collect::<Chain>().with_text(b"MINE N")))
        );
    }

    #[test]
    fn targets_off_the_map_are_read() {
        for line in ["TORPEDO 15 3", "TORPEDO 3 -1", "TORPEDO 2147483647 -2147483648", "TORPEDO 256 256"] {
            assert_eq!(actions(line), [Action::Torpedo { target: None }], "{line}");
        }
        assert_eq!(actions("TRIGGER 14 14"), [Action::Trigger { target: Cell::new(14, 14) }]);
    }

    #[test]
    fn pieces_and_messages_are_found_again() {
        let Order::Turn(chain) = parse(b"MSG one|MOVE N|MSG|MSG t\xffwo| MSG  |FOO bar |MSG three") else {
            panic!()
        };
        assert_eq!(&*chain.segment(0), b"MOVE N");
        assert_eq!(&*chain.segment(1), b"FOO bar");
        assert_eq!(&*chain.segment(2), b"");
        let messages = |at| chain.messages(at).collect::<Vec<_>>();
        assert_eq!(messages(0), [b"one"]);
        assert_eq!(messages(1), [b"t\xffwo"]);
        assert_eq!(messages(2), [b"three"]);
    }

    #[test]
    fn long_lines_of_short_words_are_read_quickly() {
        let words: Vec<String> = (0..200_000).map(|i| format!("{i:x}")).collect();
        let line = words.join("|");
        assert_eq!(actions(&line), [Action::Unknown]);
    }
}
