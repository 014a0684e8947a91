//! Reads the lines of a question, and plays the game for a bot that only chooses a direction.

use __ident__::{Cell, Direction, MAX_SIZE};
use bots::{Budget, Lines, Lost, Mind};

/// What a bot sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Question {
    /// The cell of the bot.
    pub(crate) own: Cell,
    /// The cell of its opponent.
    pub(crate) opponent: Cell,
    /// The coins that are left.
    pub(crate) coins: Vec<Cell>,
}

impl Question {
    fn read(lines: &mut Lines<'_>) -> Result<Question, Lost> {
        let own = read_cell(lines, "your cell: X Y")?;
        let opponent = read_cell(lines, "the cell of your opponent: X Y")?;
        let [count] = lines.next_numbers("the number of coins")?;
        let coins = (0..count).map(|_| read_cell(lines, "a coin: X Y")).collect::<Result<_, _>>()?;
        Ok(Question { own, opponent, coins })
    }
}

fn read_cell(lines: &mut Lines<'_>, expected: &'static str) -> Result<Cell, Lost> {
    let numbers: [i32; 2] = lines.next_numbers(expected)?;
    if numbers.iter().any(|number| !(0..i32::from(MAX_SIZE)).contains(number)) {
        let [x, y] = numbers;
        return Err(Lost::Misread { expected, line: format!("{x} {y}") });
    }
    Ok(numbers.map(|number| number as u8))
}

/// The number of steps between two cells.
pub(crate) fn distance(a: Cell, b: Cell) -> u8 {
    a[0].abs_diff(b[0]) + a[1].abs_diff(b[1])
}

/// A step from one cell towards another.
pub(crate) fn towards(from: Cell, to: Cell) -> Direction {
    if to[0] < from[0] {
        Direction::Left
    } else if to[0] > from[0] {
        Direction::Right
    } else if to[1] < from[1] {
        Direction::Up
    } else if to[1] > from[1] {
        Direction::Down
    } else {
        Direction::Stay
    }
}

/// A bot at a table: a function that chooses a direction.
#[derive(Debug)]
pub(crate) struct Seated {
    choose: fn(&Question) -> Direction,
    /// Whether the line before the first turn has been read.
    begun: bool,
}

impl Seated {
    pub(crate) fn new(choose: fn(&Question) -> Direction) -> Seated {
        Seated { choose, begun: false }
    }
}

impl Mind for Seated {
    fn answer(&mut self, lines: &mut Lines<'_>, _: Budget) -> Result<Vec<u8>, Lost> {
        if !self.begun {
            let _: [i32; 3] = lines.next_numbers("width, height and seat")?;
            self.begun = true;
        }
        let question = Question::read(lines)?;
        Ok((self.choose)(&question).word().into())
    }
}
