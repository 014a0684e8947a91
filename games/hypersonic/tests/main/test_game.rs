//! Boards set up by hand.

use game::{Game, Journal, Seat};
use hypersonic::{AREA, Bomb, Cell, CellSet, End, Event, HEIGHT, Hypersonic, Item, Map, Rules, State, WIDTH};

/// A game on a board that is given in the form of the protocol, with its journal.
pub(crate) struct TestGame {
    pub(crate) game: Hypersonic,
    pub(crate) state: State,
    pub(crate) journal: Journal<Event>,
}

impl TestGame {
    /// The board has these rows; missing ones are floor.
    pub(crate) fn new(rules: Rules, rows: &[&str]) -> TestGame {
        let marked = |marks: &str| -> CellSet {
            (0..AREA)
                .map(|i| (i % WIDTH, i / WIDTH))
                .filter(|&(x, y)| rows.get(y).is_some_and(|row| marks.contains(&row[x..=x])))
                .map(|(x, y)| Cell::at(x, y).index())
                .collect()
        };
        assert!(rows.len() <= HEIGHT && rows.iter().all(|row| row.len() == WIDTH), "{rows:?}");
        let map = Map {
            walls: marked("X"),
            boxes: marked("012"),
            extra_ranges: marked("1"),
            extra_bombs: marked("2"),
        };
        let game = Hypersonic { rules, map };
        let state = game.start();
        TestGame { game, state, journal: Journal::default() }
    }

    /// Puts a player on another cell.
    pub(crate) fn stand(mut self, seat: usize, x: usize, y: usize) -> TestGame {
        self.state.players[seat].cell = Cell::at(x, y);
        self
    }

    /// Lays a bomb that goes off in the update after `rounds - 1` more.
    pub(crate) fn bomb(mut self, owner: u8, x: usize, y: usize, rounds: u16, range: u16) -> TestGame {
        let cell = Cell::at(x, y);
        self.state.bombs.push(Bomb { cell, owner, range, due: self.state.round + rounds });
        self.state.bombs.sort_by_key(|bomb| bomb.due);
        self.state.bomb_cells.add(cell.index());
        self
    }

    /// Lays an item on the floor.
    pub(crate) fn item(mut self, x: usize, y: usize, item: Item) -> TestGame {
        let cell = Cell::at(x, y);
        match item {
            Item::ExtraRange => self.state.extra_ranges.add(cell.index()),
            Item::ExtraBomb => self.state.extra_bombs.add(cell.index()),
        }
        self.state.items.push(cell);
        self
    }

    /// Plays a round; `-` stands for no answer.
    pub(crate) fn play(&mut self, answers: &[&str]) {
        let orders: Vec<_> = answers
            .iter()
            .map(|&answer| (answer != "-").then(|| hypersonic::parse(answer.as_bytes())))
            .collect();
        self.game.step(&mut self.state, &orders, &mut self.journal);
    }

    /// Plays a round in which every player stays where it is.
    pub(crate) fn wait(&mut self) {
        let stay = |seat: u8| {
            let cell = self.state.player(Seat(seat)).cell;
            format!("MOVE {} {}", cell.x(), cell.y())
        };
        let answers: Vec<String> = (0..self.game.rules.players).map(stay).collect();
        let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
        self.play(&answers);
    }

    /// What a player is told now, apart from the rows of the grid: number of entities, entities.
    pub(crate) fn entities(&self) -> Vec<String> {
        let text = self.told();
        text.lines().skip(HEIGHT + 1).map(str::to_owned).collect()
    }

    /// The lines of a round.
    pub(crate) fn told(&self) -> String {
        let mut text = String::new();
        Hypersonic::write_turn(&self.game.view(&self.state, Seat(0)), &mut text);
        text
    }

    /// The codes of the faults so far, and whether each was fatal.
    pub(crate) fn faults(&self) -> Vec<(u8, &str, bool)> {
        self.journal.faults.iter().map(|fault| (fault.seat.0, &*fault.code, fault.fatal)).collect()
    }

    pub(crate) fn end(&self) -> End {
        self.game.end(&self.state, &self.journal.faults)
    }
}
