//! Many games at once, as arrays of numbers.
//!
//! A batch has a number of games of the same rules. Some seats are played by the caller (*agents*), the others by built-in
//! bots (*opponents*). A step plays one turn of every game, and goes on until an agent is asked again or the game is over.
//! Results depend on seeds and actions only, never on the number of threads.

mod games;
mod helpers;
mod outputs;
mod slot;

use bots::{BuiltIn, Lost};
use game::{Choice, Dice, Layout, Seat, Seats, Selected};

use crate::record::Played;

pub(crate) use games::Batch;
pub use outputs::{Memory, Outputs};

/// When a game that is over begins again.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Autoreset {
    /// In the step that ended it: the observation is that of the next game.
    SameStep,
    /// In the step after it, which ignores the action.
    #[default]
    NextStep,
    /// Never: the game stays over until it is reset.
    Off,
}

/// The most games of a batch, the most threads, and the most games of one simulation.
const MOST_GAMES: usize = 1 << 20;
const MOST_THREADS: usize = 1 << 10;
const MOST_SIMULATED: usize = 1 << 24;

/// An opponent: a built-in bot that thinks for a number of nodes.
#[derive(Clone, Copy, Debug)]
pub struct Opponent {
    /// The bot.
    pub bot: &'static BuiltIn,
    /// Nodes for each answer.
    pub nodes: u64,
}

/// The settings of a batch.
#[derive(Clone, Debug)]
pub struct BatchPlan {
    /// The rules.
    pub selected: Selected,
    /// The number of games.
    pub games: usize,
    /// The number of threads.
    pub threads: usize,
    /// When a game that is over begins again.
    pub autoreset: Autoreset,
    /// The opponent of each seat; `None` for an agent.
    pub opponents: Vec<Option<Opponent>>,
}

/// A batch that cannot do what was asked. The fault is the caller's, unless it says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// No games, threads or agents.
    #[error("a batch needs at least one {0}")]
    None(&'static str),
    /// More than a batch can have.
    #[error("{found} {array}: a batch takes at most {most}")]
    TooMany {
        /// The things.
        array: &'static str,
        /// Their number.
        found: usize,
        /// The largest number.
        most: usize,
    },
    /// Threads could not be started.
    #[error("threads cannot be started: {0}")]
    Threads(String),
    /// An array has another length.
    #[error("{array} has {found} entries; it must have {expected}")]
    Length {
        /// The array.
        array: &'static str,
        /// Its length.
        found: usize,
        /// The length that is needed.
        expected: usize,
    },
    /// A choice is past the last one of its component.
    #[error("game {game}, agent {agent}: {component} has {choices} choices, not {choice}")]
    Choice {
        /// The game.
        game: usize,
        /// The agent.
        agent: usize,
        /// The component of the action.
        component: &'static str,
        /// Its number of choices.
        choices: usize,
        /// The choice.
        choice: Choice,
    },
    /// A game that does not exist.
    #[error("there is no game {found}; the batch has {games}, counted from 0")]
    NoGame {
        /// The game that was asked for.
        found: usize,
        /// The number of games.
        games: usize,
    },
    /// A step of games that are all over and do not begin again by themselves.
    #[error("all games are over; reset the batch, or make it with another autoreset mode")]
    AllOver,
    /// A seat that does not exist or is not asked now.
    #[error("seat {0} is not asked for an answer now")]
    NotAsked(u8),
    /// A saved game that cannot be loaded.
    #[error("this is not a saved game of this batch: {0}")]
    NotSaved(String),
    /// The answers of a game do not lead to its state: a defect of ours.
    #[error("the answers of game {0} do not lead to its state, by our fault")]
    Diverged(usize),
    /// An opponent could not read its question: a defect of ours.
    #[error("an opponent failed, by our fault: {0}")]
    Opponent(#[from] Lost),
}

/// An answer as a bot writes it; `None` when none came in time.
pub type Answer = Option<Vec<u8>>;

/// How far a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The seats that are asked now; none once the game is over.
    pub asked: Seats,
    /// The number of the turn being played, as [`crate::AnyMatch::turn`] counts.
    pub turn: u32,
    /// The number of turns, as [`crate::AnyMatch::turns_played`] counts.
    pub turns_played: u32,
}

/// A batch of any game.
pub trait AnyBatch: Send {
    /// What the arrays contain.
    fn layout(&self) -> &'static Layout;
    /// The number of games.
    fn games(&self) -> usize;
    /// The seats of the agents, in ascending order.
    fn agents(&self) -> &[Seat];
    /// The number of players of a game.
    fn players(&self) -> usize;
    /// Begins all games anew, with these seeds or with the next ones.
    ///
    /// # Errors
    ///
    /// When an array has another length.
    fn reset(&mut self, seeds: Option<&[i64]>, out: Outputs<'_>) -> Result<(), BatchError>;
    /// Begins some games anew, with a seed each, and writes the arrays of all games.
    ///
    /// # Errors
    ///
    /// When there is no such game, a seed is missing or an array has another length: no game has changed then.
    fn restart(&mut self, games: &[usize], seeds: &[i64], out: Outputs<'_>) -> Result<(), BatchError>;
    /// Plays one turn of every game. `actions` are `[games, agents, components]`.
    ///
    /// # Errors
    ///
    /// When an array has another length, a choice does not exist, or all games are over for good: no game has changed then.
    fn step(&mut self, actions: &[Choice], out: Outputs<'_>) -> Result<(), BatchError>;
    /// Plays one turn of every game by answers as bots write them, `[games][agents]`; an answer of an agent that is not asked
    /// is ignored.
    ///
    /// # Errors
    ///
    /// When there are more or fewer answers, or all games are over for good: no game has changed then.
    fn step_lines(&mut self, answers: &[Vec<Answer>], out: Outputs<'_>) -> Result<(), BatchError>;
    /// Writes the arrays of all games again.
    ///
    /// # Errors
    ///
    /// When an array has another length.
    fn write(&self, out: Outputs<'_>) -> Result<(), BatchError>;
    /// Writes the planes and scalars that agents cannot see, `[games, agents, ...]`.
    ///
    /// # Errors
    ///
    /// When an array has another length.
    fn reveal(&self, planes: &mut [u8], scalars: &mut [f32]) -> Result<(), BatchError>;
    /// How far a game is.
    ///
    /// # Errors
    ///
    /// When there is no such game.
    fn position(&self, game: usize) -> Result<Position, BatchError>;
    /// The seed of each game.
    fn seeds(&self) -> Vec<i64>;
    /// The lines that a seat of a game is sent now.
    ///
    /// # Errors
    ///
    /// When there is no such game or seat.
    fn view_of(&self, game: usize, seat: Seat) -> Result<String, BatchError>;
    /// A picture of the board for a terminal.
    ///
    /// # Errors
    ///
    /// When there is no such game.
    fn picture(&self, game: usize, colours: bool) -> Result<String, BatchError>;
    /// The action of an answer; `None` if there is none with the same effect.
    ///
    /// # Errors
    ///
    /// When the seat is not asked now.
    fn encode(&self, game: usize, seat: Seat, line: &[u8]) -> Result<Option<Vec<Choice>>, BatchError>;
    /// The answer of an action.
    ///
    /// # Errors
    ///
    /// When the seat is not asked now, or a choice does not exist.
    fn decode(&self, game: usize, seat: Seat, action: &[Choice]) -> Result<Vec<u8>, BatchError>;
    /// A game as text: its seed and its answers.
    ///
    /// # Errors
    ///
    /// When there is no such game.
    fn save(&self, game: usize) -> Result<Vec<u8>, BatchError>;
    /// Puts a saved game in the place of a game. Its opponents read all their questions again.
    ///
    /// # Errors
    ///
    /// When it is not a saved game of these rules: no game has changed then.
    fn load(&mut self, game: usize, saved: &[u8]) -> Result<(), BatchError>;
    /// A game as a record.
    ///
    /// # Errors
    ///
    /// When there is no such game.
    fn record(&self, game: usize) -> Result<Played, BatchError>;
    /// A batch of copies of some games, without opponents and without a reset at the end, to search in.
    ///
    /// # Errors
    ///
    /// When there is no such game.
    fn branch(&self, games: &[usize]) -> Result<Box<dyn AnyBatch>, BatchError>;
    /// The results of random play from a game, `[times, players]`: places, from 1.
    ///
    /// # Errors
    ///
    /// When there is no such game, or too many times.
    fn simulate(&self, game: usize, times: usize, seed: u64) -> Result<Vec<u8>, BatchError>;
}

/// Chooses at random among the choices that masks allow, for every agent.
pub fn sample(layout: &Layout, masks: &[u8], actions: &mut [Choice], dice: &mut Dice) {
    for (mask, action) in masks.chunks(layout.mask()).zip(actions.chunks_mut(layout.actions.len())) {
        let mut rest = mask;
        for (&(_, choices), choice) in layout.actions.iter().zip(action) {
            let (own, others) = rest.split_at(choices);
            rest = others;
            *choice = choose(own, dice) as Choice;
        }
    }
}

/// Refuses a number that is too large.
fn check_number(array: &'static str, found: usize, most: usize) -> Result<(), BatchError> {
    if found > most { Err(BatchError::TooMany { array, found, most }) } else { Ok(()) }
}

/// A random choice among those that are allowed; 0 if there is none.
fn choose(allowed: &[u8], dice: &mut Dice) -> usize {
    let count: u32 = allowed.iter().map(|&allowed| u32::from(allowed != 0)).sum();
    let rank = if count > 1 { dice.below(count) as usize } else { 0 };
    // Short of a search: all choices are allowed, or only the first one.
    if count as usize == allowed.len() || count == 1 && allowed[0] != 0 {
        return rank;
    }
    allowed.iter().enumerate().filter(|(_, allowed)| **allowed != 0).nth(rank).map_or(0, |(choice, _)| choice)
}
