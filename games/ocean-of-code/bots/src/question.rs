//! Reads the questions.

use ocean_of_code::{Cell, Direction, Map, SECTORS, SIZE, ShownAction};

use bots::{Lines, Lost};

/// The first question: which player this is, and the map.
pub(super) fn read_map(lines: &mut Lines<'_>) -> Result<(u8, Map), Lost> {
    const SIZES: &str = "`15 15 ID`";
    let [width, height, id] = lines.next_numbers(SIZES)?;
    if [width, height] != [i32::from(SIZE); 2] || !(0..2).contains(&id) {
        return Err(Lost::Misread { expected: SIZES, line: format!("{width} {height} {id}") });
    }
    let mut rows = Vec::with_capacity(SIZE.into());
    for _ in 0..SIZE {
        rows.push(lines.next_line()?.to_owned());
    }
    match Map::from_rows(&rows) {
        Some(map) if !map.water().is_empty() => Ok((id as u8, map)),
        _ => Err(Lost::Misread { expected: "15 rows of 15 `x` and `.`, with water", line: rows.join(" ") }),
    }
}

/// The question of a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Report {
    /// Where the own submarine is.
    pub(super) cell: Cell,
    /// The own lives.
    pub(super) lives: i32,
    /// The opponent's lives.
    pub(super) opponent_lives: i32,
    /// The result of the own sonar of the previous turn.
    pub(super) sonar: Option<bool>,
    /// The actions of the opponent's latest turn.
    pub(super) orders: Vec<ShownAction>,
}

impl Report {
    /// Reads the three lines of a turn.
    pub(super) fn read(lines: &mut Lines<'_>) -> Result<Report, Lost> {
        const NUMBERS: &str = "position, lives and missing charges, eight numbers";
        let [x, y, lives, opponent_lives, ..] = lines.next_numbers::<8>(NUMBERS)?;
        let cell = u8::try_from(x).ok().zip(u8::try_from(y).ok()).and_then(|(x, y)| Cell::new(x, y));
        let Some(cell) = cell else {
            return Err(Lost::Misread { expected: NUMBERS, line: format!("{x} {y} ...") });
        };
        let sonar = match lines.next_line()? {
            "Y" => Some(true),
            "N" => Some(false),
            "NA" => None,
            other => return Err(Lost::Misread { expected: "`Y`, `N` or `NA`", line: other.to_owned() }),
        };
        let line = lines.next_line()?;
        let orders = match line {
            "NA" => Some(Vec::new()),
            _ => line.split('|').map(|order| read_order(order.trim())).collect(),
        };
        match orders {
            Some(orders) => Ok(Report { cell, lives, opponent_lives, sonar, orders }),
            None => Err(Lost::Misread { expected: "the orders of the opponent", line: line.to_owned() }),
        }
    }
}

/// One executed action as the opponent is shown it.
fn read_order(order: &str) -> Option<ShownAction> {
    let words: Vec<&str> = order.split(' ').collect();
    let sector = |word: &str| word.parse().ok().filter(|sector| (1..=SECTORS).contains(sector));
    let cell = |x: &str, y: &str| Cell::new(x.parse().ok()?, y.parse().ok()?);
    Some(match words[..] {
        ["MOVE", direction] => ShownAction::Move(Direction::read(direction.as_bytes())?),
        ["SURFACE", word] => ShownAction::Surface(sector(word)?),
        ["TORPEDO", x, y] => ShownAction::Torpedo(cell(x, y)?),
        ["SONAR", word] => ShownAction::Sonar(sector(word)?),
        ["SILENCE"] => ShownAction::Silence,
        ["MINE"] => ShownAction::Mine,
        ["TRIGGER", x, y] => ShownAction::Trigger(cell(x, y)?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Report, Lost> {
        Report::read(&mut Lines::new(&mut text.as_bytes()))
    }

    #[test]
    fn a_turn_is_read() {
        let report =
            read("3 4 6 5 3 -1 0 2\nN\nMOVE N|TORPEDO 2 11|SURFACE 9|SONAR 4|SILENCE|MINE\n").unwrap();
        assert_eq!((report.cell.x(), report.cell.y(), report.lives, report.opponent_lives), (3, 4, 6, 5));
        assert_eq!(report.sonar, Some(false));
        let cell = Cell::new(2, 11).unwrap();
        assert_eq!(
            report.orders,
            [
                ShownAction::Move(Direction::N),
                ShownAction::Torpedo(cell),
                ShownAction::Surface(9),
                ShownAction::Sonar(4),
                ShownAction::Silence,
                ShownAction::Mine,
            ]
        );
        assert_eq!(read("3 4 6 5 3 -1 0 2\nNA\nNA\n").unwrap().orders, []);
    }

    #[test]
    fn other_lines_are_refused() {
        for text in [
            "3 4 6 5 3 -1 0\nNA\nNA\n",
            "3 15 6 5 3 -1 0 2\nNA\nNA\n",
            "-1 4 6 5 3 -1 0 2\nNA\nNA\n",
            "3 4 6 5 3 -1 0 2\nX\nNA\n",
            "3 4 6 5 3 -1 0 2\nNA\nMOVE\n",
            "3 4 6 5 3 -1 0 2\nNA\nTORPEDO 1 15\n",
            "3 4 6 5 3 -1 0 2\nNA\nSURFACE 10\n",
            "3 4 6 5 3 -1 0 2\nNA\n\n",
        ] {
            assert!(matches!(read(text), Err(Lost::Misread { .. })), "{text:?}");
        }
        assert!(matches!(read("3 4 6 5 3 -1 0 2\nNA\n"), Err(Lost::Over)));
        for text in ["15 15 2\n", "14 15 0\n", "15 15\n"] {
            assert!(matches!(read_map(&mut Lines::new(&mut text.as_bytes())), Err(Lost::Misread { .. })));
        }
        let land = format!("15 15 0\n{}", "xxxxxxxxxxxxxxx\n".repeat(15));
        assert!(read_map(&mut Lines::new(&mut land.as_bytes())).is_err());
    }
}
