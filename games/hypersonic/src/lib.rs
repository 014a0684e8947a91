//! Hypersonic: players on a grid lay bombs, blow up boxes for points and items, and try not to be hit.
//!
//! "The rules" are the exact rules of the game as the official referee plays them; comments name their sections. The
//! modules follow them: [`Map`] (sections 2 and 3), [`State`] (4), the text protocol (5 and 6.1), [`step_towards`]
//! (6.2), the step (7 and 9 to 12), [`Explosions`] (8).

mod arrays;
mod blast;
mod draw;
mod event;
mod features;
mod forecast;
mod grid;
mod info;
mod list;
mod map;
mod movement;
mod protocol;
mod random;
mod rules;
mod show;
mod state;
mod step;

use game::{
    Audit, Dice, Fault, Feature, Game, Info, Lang, Log, Outcome, Painter, RulesError, ScorePart, Seat, Seats,
    Selected,
};
use serde::Serialize;
use serde_json::{Value, json};

pub use blast::Explosions;
pub use event::Event;
pub use forecast::{Forecast, blast};
pub use grid::{AREA, Cell, CellSet, Direction, GRID, HEIGHT, WIDTH, beside, gaps};
pub use list::List;
pub use map::Map;
pub use movement::{distance, step_towards};
pub use protocol::{Axis, Command, Mistake, Order, Unreadable, Verb, View, parse, print};
pub use rules::{Blast, MAX_FUSE, MAX_PLAYERS, Rules};
pub use show::{Board, Bomber, Choices, Frame, LitBomb, Stored};
pub use state::{Bomb, FIRST_TABLE, Item, MAX_BOMBS, Player, Reason, Reasons, State};

/// The game: rules and map of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hypersonic {
    /// The rules.
    pub rules: Rules,
    /// The map.
    pub map: Map,
}

impl Hypersonic {
    /// The cells that a player can enter (rules, section 6.2): floor without a bomb.
    #[inline]
    pub fn open_cells(&self, state: &State) -> CellSet {
        GRID - self.map.walls - state.boxes - state.bomb_cells
    }
}

/// The end of a match in the form of the traces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct End {
    /// Final score by seat (rules, section 11).
    pub scores: Vec<i64>,
    /// Place by seat.
    pub ranks: Vec<u8>,
    /// Boxes scored by seat.
    pub boxes: Vec<u16>,
    /// The first reason; `None` while the game continues.
    pub reason: Option<Reason>,
    /// All reasons in the order of the rules, section 10.
    pub reasons: Vec<Reason>,
    /// Number of updates.
    pub turn_count: u16,
    /// Time of elimination by seat.
    pub eliminated_at: Vec<Option<u16>>,
}

impl Game for Hypersonic {
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
        Rules::of_version(selected.league, selected.players)
    }

    fn new(rules: Rules, seed: i64) -> Self {
        let map = Map::generate(&rules, seed);
        Hypersonic { rules, map }
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    #[inline]
    fn start(&self) -> State {
        State::start(&self.rules, &self.map)
    }

    #[inline]
    fn to_act(&self, state: &State) -> Seats {
        if state.is_over() { Seats::NONE } else { state.living }
    }

    fn turn(&self, state: &State) -> u32 {
        u32::from(state.round)
    }

    fn max_steps(&self) -> u32 {
        u32::from(self.rules.max_rounds)
    }

    #[inline]
    fn step(&self, state: &mut State, orders: &[Option<Order>], log: &mut impl Log<Event>) {
        self.play(state, orders, log);
    }

    fn outcome(&self, state: &State) -> Outcome {
        let seats = Seats::first(self.rules.players);
        let scores: Vec<i64> = seats.map(|seat| state.score(&self.rules, seat)).collect();
        Outcome {
            ranks: game::ranks(&scores),
            scores,
            disqualified: seats.map(|seat| state.disqualified.contains(seat)).collect(),
            reason: state.ended.iter().next().map_or("", Reason::code).to_owned(),
        }
    }

    fn end(&self, state: &State, _: &[Fault]) -> End {
        let seats = Seats::first(self.rules.players);
        let Outcome { scores, ranks, .. } = self.outcome(state);
        let reasons: Vec<Reason> = state.ended.iter().collect();
        End {
            scores,
            ranks,
            boxes: seats.map(|seat| state.player(seat).boxes).collect(),
            reason: reasons.first().copied(),
            reasons,
            turn_count: state.round,
            eliminated_at: seats.map(|seat| state.player(seat).eliminated_at).collect(),
        }
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

    // Always inlined: a returned order would be copied a moment after it was written, which makes the processor wait.
    #[inline(always)]
    fn random_order(&self, state: &State, seat: Seat, dice: &mut Dice) -> Order {
        Ok(self.random_command(state, seat, dice))
    }

    fn draw(&self, state: &State, painter: &mut Painter) {
        draw::draw(self, state, painter);
    }

    fn map_record(&self) -> serde_json::Map<String, Value> {
        let rows = self.map.rows().map(Value::String).collect();
        serde_json::Map::from_iter([("map".to_owned(), Value::Array(rows))])
    }

    fn statement(lang: Lang) -> &'static str {
        match lang {
            Lang::En => include_str!("../statements/en.md"),
            Lang::Fr => include_str!("../statements/fr.md"),
        }
    }

    fn statement_facts(rules: &Rules) -> Value {
        let extras = json!({
            "kills": rules.blast != Blast::Nobody,
            "own_bombs_kill": rules.blast == Blast::Everybody,
            "boxes_max": rules.boxes_min + rules.boxes_span - 1,
            "first_range_cells": rules.range.saturating_sub(1),
        });
        let mut facts = serde_json::to_value(rules).expect("rules are plain data");
        if let (Value::Object(facts), Value::Object(extras)) = (&mut facts, extras) {
            facts.extend(extras);
        }
        facts
    }

    fn arena_leagues() -> &'static str {
        include_str!("../leagues.json")
    }

    fn win_model() -> Option<&'static str> {
        Some(include_str!("../model.json"))
    }

    /// The order of a player that stays on its cell.
    fn idle_order(&self, state: &State, seat: Seat, _: &mut Dice) -> Order {
        let cell = state.player(seat).cell;
        parse(format!("MOVE {} {}", cell.x(), cell.y()).as_bytes())
    }

    fn features(&self) -> Vec<Feature> {
        self.map.features()
    }

    fn score_parts(scores: &[i64]) -> Vec<ScorePart> {
        features::score_parts(scores)
    }

    const MAP_IN_FIRST_TURN: bool = true;

    fn apply_trace_options(
        rules: &mut Rules,
        options: &serde_json::Map<String, Value>,
    ) -> Result<(), RulesError> {
        rules.apply_trace_options(options)
    }
}

impl Audit for Hypersonic {
    fn rebuilt(&self, state: &State) -> State {
        state.rebuilt(&self.rules)
    }

    /// The game has no hidden information, so there is no other possible state.
    fn disguised(&self, state: &State, _: Seat, _: &mut Dice) -> State {
        *state
    }
}
