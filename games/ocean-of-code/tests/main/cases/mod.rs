//! The rules, case by case, through the text protocol: no map of a seed is needed, each case has its own.

mod actions;
mod ending;
mod turns;

use game::{Fault, Game, Journal, Seat};
use ocean_of_code::{End, Event, Map, OceanOfCode, Order, Phase, Rules, State};

/// Open water.
const SEA: [&str; 15] = ["..............."; 15];

/// A match that is played by hand.
struct Table {
    game: OceanOfCode,
    state: State,
    journal: Journal<Event>,
}

impl Table {
    /// Before the placement.
    fn new(rules: Rules, rows: &[&str; 15]) -> Table {
        let game = OceanOfCode::with_map(rules, Map::from_rows(rows).expect("15 rows"));
        let state = game.start();
        Table { game, state, journal: Journal::default() }
    }

    /// The full game on open water, with both players placed.
    fn placed(first: &str, second: &str) -> Table {
        Table::on(Rules::FULL, &SEA, first, second)
    }

    fn on(rules: Rules, rows: &[&str; 15], first: &str, second: &str) -> Table {
        let mut table = Table::new(rules, rows);
        table.play(&[first, second]);
        assert_eq!(table.state.phase, Phase::Turn);
        table
    }

    /// Fills every power of both submarines.
    fn charged(mut self) -> Table {
        for submarine in &mut self.state.submarines {
            submarine.charges = [3, 4, 6, 3];
        }
        self
    }

    fn lives(mut self, lives: [i8; 2]) -> Table {
        for seat in 0..2 {
            self.state.submarines[seat].lives = lives[seat];
        }
        self.state.scores = lives;
        self
    }

    fn to_act(&self) -> Seat {
        self.game.to_act(&self.state).next().expect("the game is not over")
    }

    /// The answer of whoever is asked; `None` if there is none.
    fn answer(&mut self, line: Option<&str>) {
        let seat = self.to_act();
        let order = line.map(|line| OceanOfCode::parse(&self.game.view(&self.state, seat), line.as_bytes()));
        self.give(order);
    }

    fn give(&mut self, order: Option<Order>) {
        let mut orders = [None, None];
        orders[self.to_act().index()] = order;
        self.game.step(&mut self.state, &orders, &mut self.journal);
    }

    /// Answers of both in turn.
    fn play(&mut self, lines: &[&str]) -> &mut Table {
        for line in lines {
            self.answer(Some(line));
        }
        self
    }

    /// What the player to act is told.
    fn told(&self) -> String {
        let mut text = String::new();
        OceanOfCode::write_turn(&self.game.view(&self.state, self.to_act()), &mut text);
        text
    }

    fn end(&self) -> End {
        assert!(self.game.to_act(&self.state).is_empty(), "the game goes on");
        self.game.end(&self.state, &self.journal.faults)
    }

    /// The codes of all faults so far.
    fn codes(&self) -> Vec<&str> {
        self.journal.faults.iter().map(|fault| &*fault.code).collect()
    }

    fn last_fault(&self) -> &Fault {
        self.journal.faults.last().expect("a fault")
    }

    #[track_caller]
    fn assert_lives(&self, lives: [i8; 2]) {
        assert_eq!(self.state.submarines.map(|submarine| submarine.lives), lives);
    }
}
