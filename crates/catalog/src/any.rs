//! The face that all games share, free of type parameters.

use std::fmt;

use bots::BuiltIn;
use game::{
    Dice, Fault, Feature, Info, Lang, Limits, MatchError, Outcome, ScorePart, Seat, Seats, Selected,
    Selection, SelectionError, StatementError,
};
use serde_json::Value;

use crate::record::Header;
use crate::show::AnyShow;
use crate::simulate::{Plan, Tally};

/// A game.
pub trait AnyGame: Send + Sync {
    /// The facts about the game.
    fn info(&self) -> &'static Info;
    /// What an answer may cost under these rules.
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
    /// The same match for people who watch it.
    ///
    /// # Errors
    ///
    /// Those of [`AnyGame::set_up`].
    fn show(&self, header: &Header) -> Result<Box<dyn AnyShow>, SetUpError>;
    /// Plays random legal games in memory.
    fn simulate(&self, plan: &Plan<'_>) -> Tally;
    /// The built-in bots, weakest first.
    fn ladder(&self) -> &'static [BuiltIn];
    /// The leagues of the arena as JSON.
    fn arena_leagues(&self) -> &'static str;
    /// The scores of all seats as people say them.
    fn score_parts(&self, scores: &[i64]) -> Vec<ScorePart>;
    /// Takes any bytes as an answer: the entry of the fuzzer.
    #[cfg(feature = "battery")]
    fn fuzz_parser(&self, data: &[u8]);

    /// The built-in bot of this name.
    fn bot(&self, name: &str) -> Option<&'static BuiltIn> {
        self.ladder().iter().find(|bot| bot.name == name)
    }

    /// The boss of a league.
    fn boss(&self, league: u8) -> Option<&'static BuiltIn> {
        self.ladder().iter().find(|bot| bot.league == Some(league))
    }

    /// The rule set of this name.
    ///
    /// # Errors
    ///
    /// When there is none; the message lists those there are.
    fn select(&self, asked: &Selection) -> Result<Selected, SelectionError> {
        self.info().select(asked)
    }
}

/// A match of any game: [`game::Match`] without its type.
pub trait AnyMatch: Send {
    /// Seats whose answer is still missing; empty when the game is over.
    fn awaited(&self) -> Seats;
    /// Appends what `seat` is sent now.
    fn question(&self, seat: Seat, out: &mut String);
    /// Takes an answer; `None` when none came in time.
    ///
    /// # Errors
    ///
    /// When nobody awaits an answer of `seat`.
    fn answer(&mut self, seat: Seat, line: Option<&[u8]>) -> Result<(), MatchError>;
    /// A random answer of an awaited seat that the rules allow.
    fn random_answer(&self, seat: Seat, dice: &mut Dice) -> Vec<u8>;
    /// An answer of an awaited seat that does as little as the rules allow.
    fn idle_answer(&self, seat: Seat, dice: &mut Dice) -> Vec<u8>;
    /// What was wrong with answers so far.
    fn faults(&self) -> &[Fault];
    /// How the game stands; final once nobody is awaited.
    fn outcome(&self) -> Outcome;
    /// The end in the words of the game's traces.
    fn end(&self) -> Value;
    /// Turns as the traces count them.
    fn turns_played(&self) -> u32;
    /// How many players take part.
    fn players(&self) -> u8;
    /// Every number of the rules, for a record.
    fn rules(&self) -> Value;
    /// The lines that tell a player the map.
    fn map_lines(&self, seat: Seat) -> String;
    /// The map in the words of the game's map traces.
    fn map_record(&self) -> serde_json::Map<String, Value>;
    /// Numbers of the map by which reports group outcomes.
    fn features(&self) -> Vec<Feature>;
    /// A picture of the board for a terminal.
    fn picture(&self, colours: bool) -> String;
}

/// Rules in a record that cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetUpError {
    /// The league, edition or number of players does not exist.
    Unknown(SelectionError),
    /// The rules do not have the form of this game's rules, or a value the engine is not made for.
    BadRules(String),
}

impl fmt::Display for SetUpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetUpError::Unknown(error) => error.fmt(f),
            SetUpError::BadRules(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for SetUpError {}
