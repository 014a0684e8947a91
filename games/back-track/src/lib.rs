//! Back Track: two players draw railway lines between towns and wash the opponent's lines away.
//!
//! [`BackTrack`] is the game: rules and map, shared by all states of a match. [`State`] is the small value that
//! changes. The code follows the rules of the game section by section: [`Map`] (sections 2 to 5), [`Order`] (section
//! 8), the turn (section 9), [`autoplace`] (section 10), [`Links`] (section 11.1). Bots with a search use the same
//! functions.

mod arrays;
pub mod autoplace;
mod draw;
mod event;
mod features;
mod generate;
pub mod grid;
mod growth;
mod info;
mod links;
mod map;
mod order;
mod protocol;
mod random;
mod rivers;
mod rules;
mod show;
mod state;
mod step;
mod wave;

use std::sync::Arc;

use game::{Audit, Dice, Fault, Feature, Game, Info, Lang, Log, Outcome, Painter, Seat, Seats, Selected};
use serde_json::Value;

pub use event::{End, Event, Reason, Spot};
pub use links::{FAR, Links, path, rails};
pub use map::{MAX_REGIONS, MAX_TOWNS, MAX_WISHES, Map, Terrain, Town, Wish};
pub use order::{Command, Commands, Order, Unreadable, Word, Wrong};
pub use protocol::View;
pub use rules::{AutoplaceStop, MapRules, Objective, Rules};
pub use show::{Board, Choices, Frame, Link, Station};
pub use state::State;

/// The game: rules and map of a match. A clone shares the map.
#[derive(Clone, Debug)]
pub struct BackTrack {
    rules: Rules,
    map: Arc<Map>,
}

impl BackTrack {
    /// The game on a map that was parsed, not generated from a seed.
    #[must_use]
    pub fn on(rules: Rules, map: Map) -> BackTrack {
        BackTrack { rules, map: Arc::new(map) }
    }

    /// The map of this match.
    #[inline]
    #[must_use]
    pub fn map(&self) -> &Map {
        &self.map
    }
}

impl Game for BackTrack {
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
        info::rules(selected.league, selected.edition)
    }

    fn new(rules: Rules, seed: i64) -> Self {
        let map = Arc::new(Map::new(&rules, seed));
        BackTrack { rules, map }
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn start(&self) -> State {
        State::START
    }

    fn to_act(&self, state: &State) -> Seats {
        if state.over.is_some() { Seats::NONE } else { Seats::first(2) }
    }

    fn turn(&self, state: &State) -> u32 {
        u32::from(state.turns) + u32::from(state.over.is_none())
    }

    fn turns_played(&self, state: &State) -> u32 {
        u32::from(state.turns)
    }

    fn max_steps(&self) -> u32 {
        u32::from(self.rules.max_turns)
    }

    fn step(&self, state: &mut State, orders: &[Option<Order>], log: &mut impl Log<Event>) {
        step::step(&self.rules, &self.map, state, orders, log);
    }

    fn outcome(&self, state: &State) -> Outcome {
        let scores = state.final_scores(&self.rules).map(i64::from);
        Outcome {
            scores: scores.to_vec(),
            ranks: game::ranks(&scores),
            disqualified: state.active.map(|active| !active).to_vec(),
            reason: state.over.map_or("unfinished", Reason::name).to_owned(),
        }
    }

    fn end(&self, state: &State, _: &[Fault]) -> End {
        state.end(&self.rules)
    }

    fn view<'a>(&'a self, state: &'a State, seat: Seat) -> View<'a> {
        View { map: &self.map, state, seat }
    }

    fn write_init(view: &View<'_>, out: &mut String) {
        protocol::write_init(view, out);
    }

    fn write_turn(view: &View<'_>, out: &mut String) {
        protocol::write_turn(view, out);
    }

    fn parse(_: &View<'_>, line: &[u8]) -> Order {
        Order::read(line)
    }

    fn print(order: &Order) -> Vec<u8> {
        order.write()
    }

    fn random_order(&self, state: &State, _: Seat, dice: &mut Dice) -> Order {
        random::order(&self.rules, &self.map, state, dice)
    }

    fn draw(&self, state: &State, painter: &mut Painter) {
        draw::draw(&self.map, state, painter);
    }

    fn map_record(&self) -> serde_json::Map<String, Value> {
        self.map.record()
    }

    fn statement(lang: Lang) -> &'static str {
        info::statement(lang)
    }

    fn statement_facts(rules: &Rules) -> Value {
        info::statement_facts(rules)
    }

    fn arena_leagues() -> &'static str {
        include_str!("../leagues.json")
    }

    fn win_model() -> Option<&'static str> {
        Some(include_str!("../model.json"))
    }

    fn idle_order(&self, _: &State, _: Seat, _: &mut Dice) -> Order {
        Order::read(b"WAIT")
    }

    fn features(&self) -> Vec<Feature> {
        self.map.features()
    }
}

impl Audit for BackTrack {
    fn rebuilt(&self, state: &State) -> State {
        state.rebuilt(&self.map)
    }

    fn disguised(&self, state: &State, _: Seat, _: &mut Dice) -> State {
        // The game has no hidden information: the state itself is the only possible state.
        *state
    }
}
