//! __title__: two players walk over a small grid and collect coins.
//!
//! A match is a value of [`__Name__`] (rules and map, fixed) and a [`State`] that [`game::Game::step`] changes. The modules:
//! `rules` (the numbers), `map` (the coins of a seed), `state`, `step` (one turn), `protocol` (the lines that a player reads and
//! writes), `random` (random legal play), `arrays`
//! (the game as numbers, for programs that learn), `draw` (the board in a terminal), `show` (the board on a page), `info` (names).

mod arrays;
mod draw;
mod event;
mod info;
mod map;
mod protocol;
mod random;
mod rules;
mod show;
mod state;
mod step;

use game::{Audit, Dice, Fault, Game, Info, Lang, Log, Outcome, Painter, Seat, Seats, Selected};
use serde::Serialize;
use serde_json::{Value, json};

pub use event::Event;
pub use map::{Cell, Cells, Map};
pub use protocol::{Command, Direction, Order, Unreadable, View, parse, print};
pub use rules::{MAX_SIZE, PLAYERS, Rules};
pub use show::{Board, Choices, Frame};
pub use state::State;

/// The game: rules and map of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct __Name__ {
    /// The rules.
    pub rules: Rules,
    /// The map.
    pub map: Map,
}

/// The end of a match, as records store it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct End {
    /// Final score by seat.
    pub scores: Vec<i64>,
    /// Place by seat.
    pub ranks: Vec<u8>,
    /// Coins collected by seat.
    pub collected: [u8; PLAYERS],
    /// What ended the match.
    pub reason: String,
    /// Number of turns.
    pub turn_count: u16,
}

impl Game for __Name__ {
    type Rules = Rules;
    type State = State;
    type Order = Order;
    type View<'a> = View<'a>;
    type Event = Event;
    type End = End;

    fn info() -> &'static Info {
        &info::INFO
    }

    fn rule_set(selected: Selected) -> Rules {
        Rules::of_league(selected.league)
    }

    fn new(rules: Rules, seed: i64) -> Self {
        let map = Map::generate(&rules, seed);
        __Name__ { rules, map }
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn start(&self) -> State {
        State::start(&self.rules, &self.map)
    }

    fn to_act(&self, state: &State) -> Seats {
        if self.ending(state).is_some() { Seats::NONE } else { Seats::first(PLAYERS as u8) }
    }

    fn turn(&self, state: &State) -> u32 {
        u32::from(state.turn)
    }

    fn max_steps(&self) -> u32 {
        u32::from(self.rules.turns)
    }

    fn step(&self, state: &mut State, orders: &[Option<Order>], log: &mut impl Log<Event>) {
        self.play(state, orders, log);
    }

    fn outcome(&self, state: &State) -> Outcome {
        let scores: Vec<i64> = Seats::first(PLAYERS as u8).map(|seat| state.score(seat)).collect();
        Outcome {
            ranks: game::ranks(&scores),
            scores,
            disqualified: Seats::first(PLAYERS as u8).map(|seat| state.disqualified.contains(seat)).collect(),
            reason: self.ending(state).unwrap_or_default().to_owned(),
        }
    }

    fn end(&self, state: &State, _: &[Fault]) -> End {
        let Outcome { scores, ranks, reason, .. } = self.outcome(state);
        End { scores, ranks, collected: state.collected, reason, turn_count: state.turn }
    }

    fn view<'a>(&'a self, state: &'a State, seat: Seat) -> View<'a> {
        View { game: self, state, seat }
    }

    fn write_init(view: &View<'_>, out: &mut String) {
        protocol::write_init(view, out);
    }

    fn write_turn(view: &View<'_>, out: &mut String) {
        protocol::write_turn(view, out);
    }

    fn parse(_: &View<'_>, line: &[u8]) -> Order {
        parse(line)
    }

    fn print(order: &Order) -> Vec<u8> {
        print(order)
    }

    fn random_order(&self, state: &State, seat: Seat, dice: &mut Dice) -> Order {
        Ok(self.random_command(state, seat, dice))
    }

    /// A player that stays on its cell.
    fn idle_order(&self, _: &State, _: Seat, _: &mut Dice) -> Order {
        Ok(Command::plain(Direction::Stay))
    }

    fn draw(&self, state: &State, painter: &mut Painter) {
        draw::draw(self, state, painter);
    }

    fn map_record(&self) -> serde_json::Map<String, Value> {
        let coins = self.map.coins.iter().collect::<Vec<Cell>>();
        serde_json::Map::from_iter([("coins".to_owned(), json!(coins))])
    }

    fn statement(lang: Lang) -> &'static str {
        match lang {
            Lang::En => include_str!("../statements/en.md"),
            Lang::Fr => include_str!("../statements/fr.md"),
        }
    }

    fn statement_facts(rules: &Rules) -> Value {
        rules.facts()
    }

    fn arena_leagues() -> &'static str {
        include_str!("../leagues.json")
    }

    const MAP_IN_FIRST_TURN: bool = true;
}

impl Audit for __Name__ {
    /// No value of the state follows from another one.
    fn rebuilt(&self, state: &State) -> State {
        *state
    }

    /// Nothing is hidden: no other state looks the same to a player.
    fn disguised(&self, state: &State, _: Seat, _: &mut Dice) -> State {
        *state
    }
}
