//! The object-safe interface of all games: [`game::Game`] and [`game::Match`] without their type parameters.

use bots::BuiltIn;
use game::{
    Dice, Fault, Feature, Info, Lang, Limits, MatchError, Outcome, RulesError, ScorePart, Seat, Seats,
    Selected, Selection, SelectionError, StatementError,
};
use serde_json::Value;

use crate::batch::{AnyBatch, BatchError, BatchPlan};
use crate::record::Header;
use crate::show::AnyShow;
use crate::simulate::{Plan, Tally};
use crate::steps::Steps;

/// A game.
pub trait AnyGame: Send + Sync {
    /// The facts about the game.
    fn info(&self) -> &'static Info;
    /// Time and size limits of an answer under these rules.
    fn limits(&self, selected: Selected) -> Limits;
    /// The statement of this rule set.
    ///
    /// # Errors
    ///
    /// When the source of the statement is broken, which the tests rule out.
    fn statement(&self, selected: Selected, lang: Lang) -> Result<String, StatementError>;
    /// A match before its first question.
    fn start(&self, selected: Selected, seed: i64) -> Box<dyn AnyMatch>;
    /// The match that a record or trace is about, before its first question.
    ///
    /// # Errors
    ///
    /// When the header names rules that do not exist or cannot be played.
    fn set_up(&self, header: &Header) -> Result<Box<dyn AnyMatch>, SetUpError>;
    /// The same match for spectators.
    ///
    /// # Errors
    ///
    /// Those of [`AnyGame::set_up`].
    fn show(&self, header: &Header) -> Result<Box<dyn AnyShow>, SetUpError>;
    /// Plays random legal games in memory.
    fn simulate(&self, plan: &Plan<'_>) -> Tally;
    /// The steps of a match with these answers, which are those of the awaited seats in ascending order, step by step.
    fn steps(&self, selected: Selected, seed: i64, answers: &[(Seat, Vec<u8>)]) -> Box<dyn Steps>;
    /// Many games at once, as arrays of numbers.
    ///
    /// # Errors
    ///
    /// When the plan has no game, thread or agent, or not an entry for each seat.
    fn batch(&self, plan: BatchPlan) -> Result<Box<dyn AnyBatch>, BatchError>;
    /// The match that a record or trace is about as a batch of one game, in which the caller plays all seats. It must be
    /// reset with the seed of the header.
    ///
    /// # Errors
    ///
    /// Those of [`AnyGame::set_up`].
    fn batch_of(&self, header: &Header) -> Result<Box<dyn AnyBatch>, SetUpError>;
    /// The built-in bots, weakest first.
    fn ladder(&self) -> &'static [BuiltIn];
    /// The levels of its champion, weakest first: `champion:1` and so on. They are no rungs of the ladder.
    fn levels(&self) -> &'static [BuiltIn];
    /// The leagues of the arena as JSON.
    fn arena_leagues(&self) -> &'static str;
    /// The fitted weights of the probabilities to win as JSON; a new game has none.
    fn win_model(&self) -> Option<&'static str>;
    /// The scores of all seats as they are shown to people.
    fn score_parts(&self, scores: &[i64]) -> Vec<ScorePart>;
    /// Plays any bytes as an answer, for the fuzzer.
    #[cfg(feature = "battery")]
    fn fuzz_parser(&self, data: &[u8]);

    /// The built-in bot of this name: of the ladder, or a level such as `champion:5`.
    fn bot(&self, name: &str) -> Option<&'static BuiltIn> {
        self.ladder().iter().chain(self.levels()).find(|bot| bot.name == name)
    }

    /// The boss of a league.
    fn boss(&self, league: u8) -> Option<&'static BuiltIn> {
        self.ladder().iter().find(|bot| bot.league == Some(league))
    }

    /// The rule set of this name.
    ///
    /// # Errors
    ///
    /// When it does not exist; the message lists the choices.
    fn select(&self, asked: &Selection) -> Result<Selected, SelectionError> {
        self.info().select(asked)
    }
}

/// A match of any game: [`game::Match`] without its type.
pub trait AnyMatch: Send {
    /// Seats whose answer is still missing; empty when the game is over.
    fn awaited(&self) -> Seats;
    /// Appends the lines that `seat` is sent now.
    fn question(&self, seat: Seat, out: &mut String);
    /// Takes an answer; `None` when none came in time.
    ///
    /// # Errors
    ///
    /// When no answer of `seat` is awaited.
    fn answer(&mut self, seat: Seat, line: Option<&[u8]>) -> Result<(), MatchError>;
    /// A random answer of an awaited seat that the rules allow.
    fn random_answer(&self, seat: Seat, dice: &mut Dice) -> Vec<u8>;
    /// An answer of an awaited seat that does as little as the rules allow.
    fn idle_answer(&self, seat: Seat, dice: &mut Dice) -> Vec<u8>;
    /// The result if all players played random legal orders from here. With `only_for`, everything that is hidden from this
    /// seat is replaced by another possibility first. Answers to the turn being played are not taken into account, and the
    /// match does not change.
    fn playout(&self, only_for: Option<Seat>, dice: &mut Dice) -> Outcome;
    /// The number of the turn being played; once the game is over, of the last turn. This is THE one function that numbers
    /// turns for people, in every game and everywhere: the first answers are turn 1, and turn `k` leads to the position with
    /// index `k` in a replay, where 0 is the start.
    fn turn(&self) -> u32;
    /// What was wrong with answers so far, with turns numbered as [`AnyMatch::turn`] does.
    fn faults(&self) -> &[Fault];
    /// The present result; final once no answer is awaited.
    fn outcome(&self) -> Outcome;
    /// The end in the words of the game's traces.
    fn end(&self) -> Value;
    /// The most steps that a match can have. In each step all awaited seats answer once.
    fn max_steps(&self) -> u32;
    /// The number of turns as the game's traces count them, which may leave some out. For traces alone: see
    /// [`AnyMatch::turn`].
    fn turns_played(&self) -> u32;
    /// The number of players.
    fn players(&self) -> u8;
    /// All rules of the match, for a record.
    fn rules(&self) -> Value;
    /// The lines by which a player learns the map.
    fn map_lines(&self, seat: Seat) -> String;
    /// The map in the words of the game's map traces.
    fn map_record(&self) -> serde_json::Map<String, Value>;
    /// Numbers of the map by which reports group outcomes.
    fn features(&self) -> Vec<Feature>;
    /// A picture of the board for a terminal.
    fn picture(&self, colours: bool) -> String;
}

/// Rules in a record that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetUpError {
    /// The league, edition or number of players does not exist.
    #[error(transparent)]
    Unknown(#[from] SelectionError),
    /// The rules do not have the form of this game's rules.
    #[error("these are not rules of {title}: {why}")]
    Form {
        /// Title of the game.
        title: &'static str,
        /// What does not fit.
        why: String,
    },
    /// A rule has a value that the engine is not made for.
    #[error(transparent)]
    Rules(#[from] RulesError),
}
