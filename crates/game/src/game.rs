//! The trait every game implements.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{
    Dice, Fault, Feature, Info, Journal, Lang, Log, Outcome, Painter, ScorePart, Seat, Seats, Selected,
};

/// The numbers of a game: a plain struct, one value per league, edition and number of players, stored with each match.
pub trait Rules: Clone + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync {
    /// Checks values that come from outside (a record, a file): the engine plays every rule set this accepts, and
    /// never panics on it.
    ///
    /// # Errors
    ///
    /// Says which value is wrong and what it may be.
    fn check(&self) -> Result<(), RulesError>;
    /// How many players take part.
    fn players(&self) -> u8;
    /// Time and size limits of an answer.
    fn limits(&self) -> Limits;
}

/// Rules from outside that the engine does not play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RulesError {
    /// A number outside its range.
    #[error("the rules of {game} allow {name} from {least} to {most}, not {value}")]
    OutOfRange {
        /// Title of the game.
        game: &'static str,
        /// Name of the rule.
        name: &'static str,
        /// The least value that is allowed.
        least: String,
        /// The greatest value that is allowed.
        most: String,
        /// The value that was given.
        value: String,
    },
    /// An option of a trace with a value that is not a number in its range.
    #[error("the option {name} must be a whole number from 0 to {most}, not {value}")]
    BadOption {
        /// Name of the option.
        name: String,
        /// The greatest value that is allowed.
        most: u32,
        /// The value that was given.
        value: serde_json::Value,
    },
    /// An option of a trace that the game does not have.
    #[error("there is no option {name}; known are {}", .known.join(", "))]
    UnknownOption {
        /// Name of the option.
        name: String,
        /// The options of the game.
        known: &'static [&'static str],
    },
}

/// A rule that is a number: its name, its least and greatest allowed value, and the value it has.
pub type Range<T> = (&'static str, T, T, T);

/// Checks that values of rules lie in the ranges the engine is made for.
///
/// # Errors
///
/// Names the first value outside its range, and the range.
pub fn check_ranges<T>(game: &'static str, values: &[Range<T>]) -> Result<(), RulesError>
where
    T: Copy + PartialOrd + ToString,
{
    match values.iter().find(|(_, least, most, value)| !(least..=most).contains(&value)) {
        None => Ok(()),
        Some(&(name, least, most, value)) => Err(RulesError::OutOfRange {
            game,
            name,
            least: least.to_string(),
            most: most.to_string(),
            value: value.to_string(),
        }),
    }
}

/// Time and size limits of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Limits {
    /// Time for the first answer, in milliseconds.
    pub first_turn_ms: u32,
    /// Time for every later answer, in milliseconds.
    pub turn_ms: u32,
    /// A longer answer counts as none.
    pub answer_bytes: usize,
}

/// A game: its rules and its map, fixed for a whole match. The state is a value of its own, so that a search copies
/// states and shares the map.
///
/// The parts: facts ([`Game::info`], [`Game::rule_set`]), play ([`Game::start`], [`Game::to_act`], [`Game::step`]), the
/// one gate through which a player sees anything ([`Game::view`]), the text protocol, which is given a view and never
/// the state, and pictures of the state for people.
pub trait Game: Sized + Send + Sync + 'static {
    /// The numbers of the game.
    type Rules: Rules;
    /// All that changes while the game is played.
    type State: Clone + PartialEq + Debug + Send + Sync;
    /// An answer that was read. A piece that could not be read is kept in it, since the games differ in what such a
    /// piece costs and when.
    type Order: Clone + PartialEq + Debug + Send;
    /// All that one player may know: its bot is sent nothing else.
    type View<'a>
    where
        Self: 'a;
    /// What happened in a step, for spectators.
    type Event: Clone + Debug + Serialize + Send;
    /// The end of a match in the words of the game's traces.
    type End: Debug + Serialize;

    /// The facts about the game.
    fn info() -> &'static Info;
    /// The rules with this name.
    fn rule_set(selected: Selected) -> Self::Rules;
    /// Rules and map of a match. The rules must have passed [`Rules::check`].
    fn new(rules: Self::Rules, seed: i64) -> Self;
    /// The rules of this match.
    fn rules(&self) -> &Self::Rules;

    /// The state before the first answer.
    fn start(&self) -> Self::State;
    /// Seats that owe an answer now: one in an alternating game, every living seat in a simultaneous one, none when
    /// the game is over.
    fn to_act(&self, state: &Self::State) -> Seats;
    /// The number of the turn being played, as the game's rules count. People are shown [`crate::Match::turn`] instead.
    fn turn(&self, state: &Self::State) -> u32;
    /// The number of turns so far as the game's traces count them: `turn_count` at the end.
    fn turns_played(&self, state: &Self::State) -> u32 {
        self.turn(state)
    }
    /// No game has more steps than this.
    fn max_steps(&self) -> u32;
    /// Plays one turn. `orders` has one entry per seat; `None` for a seat that was asked and did not answer, or was
    /// not asked. Any order that [`Game::parse`] can return is taken without a panic.
    fn step(&self, state: &mut Self::State, orders: &[Option<Self::Order>], log: &mut impl Log<Self::Event>);
    /// The present result; final once [`Game::to_act`] is empty.
    fn outcome(&self, state: &Self::State) -> Outcome;
    /// The end record of a trace, given all faults of the match.
    fn end(&self, state: &Self::State, faults: &[Fault]) -> Self::End;

    /// All that `seat` may know now.
    fn view<'a>(&'a self, state: &'a Self::State, seat: Seat) -> Self::View<'a>;
    /// The lines a player gets once, before its first turn; each ends with a line feed.
    fn write_init(view: &Self::View<'_>, out: &mut String);
    /// The lines a player gets each turn; each ends with a line feed. May be nothing.
    fn write_turn(view: &Self::View<'_>, out: &mut String);
    /// Reads an answer: one line without its line feed. Never panics, whatever the bytes.
    fn parse(view: &Self::View<'_>, line: &[u8]) -> Self::Order;
    /// Writes an order as an answer that is read as the same order. (`parse(print(parse(x))) == parse(x)`)
    fn print(order: &Self::Order) -> Vec<u8>;

    /// A random order that the rules allow, so that games of such orders are free of faults.
    fn random_order(&self, state: &Self::State, seat: Seat, dice: &mut Dice) -> Self::Order;
    /// Draws the board for a terminal.
    fn draw(&self, state: &Self::State, painter: &mut Painter);
    /// The map in the words of the game's map traces: the keys and values of a map line apart from the header.
    fn map_record(&self) -> serde_json::Map<String, serde_json::Value>;
    /// The source of the statement: Markdown with marks for [`crate::render`].
    fn statement(lang: Lang) -> &'static str;
    /// What the marks in the statement stand for: the rules, and what follows from them.
    fn statement_facts(rules: &Self::Rules) -> serde_json::Value;
    /// The leagues of the arena as JSON: rules, boss, regular opponents and promotion of each.
    fn arena_leagues() -> &'static str;
    /// The fitted weights of the probabilities to win as JSON; a new game has none.
    fn win_model() -> Option<&'static str> {
        None
    }

    /// The order of a player that does as little as the rules allow.
    fn idle_order(&self, state: &Self::State, seat: Seat, dice: &mut Dice) -> Self::Order {
        self.random_order(state, seat, dice)
    }
    /// Numbers of the map by which reports group outcomes.
    fn features(&self) -> Vec<Feature> {
        Vec::new()
    }
    /// The scores of all seats as people say them.
    fn score_parts(scores: &[i64]) -> Vec<ScorePart> {
        ScorePart::plain(scores)
    }
    /// Whether a player learns the map with its first turn, not with the initialization lines.
    const MAP_IN_FIRST_TURN: bool = false;
    /// Applies the options that only the traces of this game have in their header.
    ///
    /// # Errors
    ///
    /// When an option is unknown or has a value that the game does not allow.
    fn apply_trace_options(
        _rules: &mut Self::Rules,
        _options: &serde_json::Map<String, serde_json::Value>,
    ) -> Result<(), RulesError> {
        Ok(())
    }

    /// Checks one order and changes nothing: all that would be wrong with it.
    fn check(&self, state: &Self::State, seat: Seat, order: &Self::Order) -> Vec<Fault> {
        let mut orders = vec![None; self.rules().players() as usize];
        orders[seat.index()] = Some(order.clone());
        let mut journal = Journal::default();
        self.step(&mut state.clone(), &orders, &mut journal);
        journal.faults.retain(|fault| fault.seat == seat);
        journal.faults
    }
}

/// What the checks of every game (feature `battery`) need beyond [`Game`].
pub trait Audit: Game {
    /// The same state with every value that is kept up incrementally computed anew from those it follows from.
    fn rebuilt(&self, state: &Self::State) -> Self::State;
    /// Another state that could be the true one for all that `seat` may know: whatever is hidden from it is changed.
    fn disguised(&self, state: &Self::State, seat: Seat, dice: &mut Dice) -> Self::State;
}
