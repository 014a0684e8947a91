//! Ocean of Code: two submarines hunt each other without seeing each other.
//!
//! The crate implements the rules, pure and exact: a seed gives the same map, the same lines and the same result as the
//! official referee. "The rules" in comments means the normative rules document, by section.
//!
//! [`OceanOfCode`] is the rules and the map of a match; [`State`] is everything that changes, a small value to copy. A
//! search copies states and calls [`Game::step`] on them with its own [`Chain`]s:
//!
//! ```
//! use game::{Game, Seat, Silent};
//! use ocean_of_code::{Action, Cell, Chain, Direction, OceanOfCode, Order, Power, Rules};
//!
//! let game = OceanOfCode::new(Rules::FULL, 1);
//! let mut state = game.start();
//! game.step(&mut state, &[Some(Order::Place { x: 5, y: 9 }), None], &mut Silent);
//! game.step(&mut state, &[None, Some(Order::Place { x: 7, y: 2 })], &mut Silent);
//! let east = Action::Move { direction: Direction::E, charge: Some(Power::Torpedo) };
//! game.step(&mut state, &[Some(Chain::from_iter([east]).into()), None], &mut Silent);
//! assert_eq!(Some(state.submarine(Seat(0)).cell), Cell::new(6, 9));
//! ```

mod arrays;
mod draw;
mod event;
mod features;
mod grid;
mod info;
mod map;
mod number;
mod order;
mod protocol;
mod random;
mod rules;
mod show;
mod state;
mod step;
mod track;
mod wrong;

use game::{
    Audit, Dice, Fault, Feature, Game, Info, Lang, Log, Outcome, Painter, Seat, Seats, Selected, ranks,
};
use serde_json::Value;

pub use event::{End, Event};
pub use grid::{Cell, Direction, SECTOR_SIZE, SECTORS, SIZE, Sea};
pub use map::Map;
pub use order::{Action, Chain, Command, Order, Power};
pub use protocol::View;
pub use rules::Rules;
pub use show::{Board, Boat, Choices, Frame, Rows};
pub use state::{Ending, Phase, Shown, ShownAction, State, Submarine};
pub use track::Tracks;
pub use wrong::{NotAllowed, Unreadable};

/// The rules and the map of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OceanOfCode {
    rules: Rules,
    map: Map,
    /// [`Rules::charge`] as a table, because it is used several times a turn; [`NEVER`] where the league does not have the
    /// power.
    needed: [u8; 4],
}

/// More charges than a submarine can have, in 7 bits.
const NEVER: u8 = 127;

impl OceanOfCode {
    /// A match on a given map. The rules must have passed their check.
    pub fn with_map(rules: Rules, map: Map) -> Self {
        let needed = Power::ALL.map(|power| rules.charge(power).unwrap_or(NEVER));
        OceanOfCode { rules, map, needed }
    }

    /// The number of charges that a power needs; `None` where the league does not have it.
    #[inline]
    pub const fn needed(&self, power: Power) -> Option<u8> {
        match self.needed[power as usize] {
            NEVER => None,
            needed => Some(needed),
        }
    }

    /// The powers that are ready with these charges and `more` of one power, a bit each.
    #[inline]
    const fn ready(&self, charges: [u8; 4], power: Power, more: u32) -> u32 {
        // All four bytes at once: the top bit of a byte is set before the subtraction, and stays set if nothing is borrowed.
        const TOP_BITS: u32 = 0x8080_8080;
        let gained = u32::from_le_bytes(charges) + (more << (u8::BITS * power as u32));
        let enough = (gained | TOP_BITS) - u32::from_le_bytes(self.needed);
        // The product moves the four bits side by side above bit 24; the other products land elsewhere, one per place.
        ((enough & TOP_BITS) >> 7).wrapping_mul(1 << 24 | 1 << 17 | 1 << 10 | 1 << 3) >> 24 & 0xF
    }

    /// The map of this match.
    #[inline]
    pub const fn map(&self) -> &Map {
        &self.map
    }
}

impl Game for OceanOfCode {
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
        OceanOfCode::with_map(rules, map)
    }

    #[inline]
    fn rules(&self) -> &Rules {
        &self.rules
    }

    #[inline]
    fn start(&self) -> State {
        State::new(&self.rules)
    }

    #[inline]
    fn to_act(&self, state: &State) -> Seats {
        state.to_act()
    }

    #[inline]
    fn turn(&self, state: &State) -> u32 {
        state.turn.into()
    }

    /// The two placements and all turns.
    fn max_steps(&self) -> u32 {
        2 + u32::from(self.rules.max_turns)
    }

    #[inline]
    fn step(&self, state: &mut State, orders: &[Option<Order>], log: &mut impl Log<Event>) {
        step::step(self, state, orders, log);
    }

    fn outcome(&self, state: &State) -> Outcome {
        let scores = state.scores.map(i64::from);
        Outcome {
            scores: scores.to_vec(),
            ranks: ranks(&scores),
            disqualified: state.disqualified().to_vec(),
            reason: if let Phase::Over(ending) = state.phase {
                ending.label().to_owned()
            } else {
                String::new()
            },
        }
    }

    /// Rules, sections 11 and 13. The reasons of the disqualified players are in the faults, player 0's first.
    fn end(&self, state: &State, faults: &[Fault]) -> End {
        let reasons: Vec<&str> =
            faults.iter().filter(|fault| fault.fatal).map(|fault| fault.reason.as_str()).collect();
        let [a, b] = state.scores;
        End {
            scores: state.scores,
            winner: (a != b).then_some(u8::from(b > a)),
            lives: state.submarines.map(|submarine| submarine.lives),
            reason: if reasons.is_empty() { self.outcome(state).reason } else { reasons.join(" / ") },
            turn_count: state.turn,
            disqualified: state.disqualified(),
            frames: state.frames,
        }
    }

    #[inline]
    fn view<'a>(&'a self, state: &'a State, seat: Seat) -> View<'a> {
        View::new(&self.rules, &self.map, state, seat)
    }

    fn write_init(view: &View<'_>, out: &mut String) {
        view.write_init(out);
    }

    fn write_turn(view: &View<'_>, out: &mut String) {
        view.write_turn(out);
    }

    fn parse(view: &View<'_>, line: &[u8]) -> Order {
        Order::parse(view, line)
    }

    fn print(order: &Order) -> Vec<u8> {
        order.print()
    }

    // Always inlined: a returned order would be copied a moment after it was written, which makes the processor wait.
    #[inline(always)]
    fn random_order(&self, state: &State, seat: Seat, dice: &mut Dice) -> Order {
        random::order(self, state, seat, dice)
    }

    fn draw(&self, state: &State, painter: &mut Painter) {
        draw::draw(&self.rules, &self.map, state, painter);
    }

    fn map_record(&self) -> serde_json::Map<String, Value> {
        let rows = self.map.rows().map(Value::String).collect();
        [("map".to_owned(), Value::Array(rows))].into_iter().collect()
    }

    fn statement(lang: Lang) -> &'static str {
        match lang {
            Lang::En => include_str!("../statements/en.md"),
            Lang::Fr => include_str!("../statements/fr.md"),
        }
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

    /// A submarine must be placed first; after that the minimal order is to surface.
    fn idle_order(&self, state: &State, seat: Seat, dice: &mut Dice) -> Order {
        match state.phase {
            Phase::Placement(_) => self.random_order(state, seat, dice),
            _ => Order::parse(&self.view(state, seat), b"SURFACE"),
        }
    }

    fn features(&self) -> Vec<Feature> {
        self.map.features()
    }
}

impl Audit for OceanOfCode {
    /// The scores follow from the lives, except that a disqualification does not change the other player's score.
    fn rebuilt(&self, state: &State) -> State {
        let mut rebuilt = *state;
        if state.disqualified() == [false; 2] {
            rebuilt.update_scores();
        }
        rebuilt
    }

    /// Chooses another position, trail, charge, minefield and sonar result for the opponent; its lives and its shown
    /// actions stay.
    fn disguised(&self, state: &State, seat: Seat, dice: &mut Dice) -> State {
        let mut disguised = *state;
        let opponent = disguised.submarine_mut(Seat(1 - seat.0));
        let water = *self.map.water();
        let random_sea = |dice: &mut Dice| game::Cells([0; 4].map(|_| dice.bits())) & water;
        if let Some(index) = water.nth(dice.below(water.len().max(1))) {
            opponent.cell = Cell::from_index(index);
        }
        opponent.visited = random_sea(dice);
        opponent.visited.add(opponent.cell.index());
        opponent.mines = random_sea(dice);
        opponent.fresh_mine = opponent.mines.first().filter(|_| dice.one_in(2)).map(Cell::from_index);
        opponent.sonar = [None, Some(false), Some(true)][dice.below(3) as usize];
        for power in Power::ALL {
            let needed = self.needed(power).unwrap_or_default();
            opponent.charges[power as usize] = dice.below(u32::from(needed) + 1) as u8;
        }
        disguised
    }
}
