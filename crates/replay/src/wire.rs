//! The data about matches that pages receive. The TypeScript types in `web/src/wire.ts` are generated from these types.

use game::{Fault, Limits, Mark, Outcome, ScorePart};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::analysis::Analysis;

/// A match for the viewer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Replay {
    /// The facts that are known before the first answer.
    pub header: ReplayHeader,
    /// The start position, then the state after each step.
    pub steps: Vec<Step>,
    /// Whether the replay is complete.
    pub done: bool,
    /// Number of times the match was started. A void match is played again from its start.
    pub attempt: u32,
    /// The end of the match, as far as it is known.
    pub end: ReplayEnd,
    /// The probabilities to win, if the match was analysed.
    pub analysis: Option<Analysis>,
}

/// The facts about a match that are known before its first answer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReplayHeader {
    /// Name of the game.
    #[cfg_attr(test, ts(type = "GameName"))]
    pub game: String,
    /// Title of the game.
    pub title: String,
    /// The seed, a number of 64 bits as a string.
    pub seed: String,
    /// Level of the league, if it is known.
    pub league: Option<u8>,
    /// Name of the edition, if the rules are those of an edition.
    pub edition: Option<String>,
    /// The players by seat.
    pub players: Vec<PlayerInfo>,
    /// The limits of an answer.
    pub limits: Limits,
    /// The part of the picture that does not change during the match.
    #[cfg_attr(test, ts(type = "Board"))]
    pub board: Value,
    /// A command line that plays the match again; `null` if the record does not name the bots.
    pub again: Option<String>,
    /// Seat of the human player, if there is one.
    pub human: Option<u8>,
}

/// A player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayerInfo {
    /// Name of the player, cleaned for display: the author of a bot may choose any text.
    pub name: String,
}

/// The end of a match, as far as it is known.
#[derive(Clone, Default, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReplayEnd {
    /// The outcome; `null` while the match continues.
    pub outcome: Option<Outcome>,
    /// Why a player lost by its own fault, by seat: `timeout`, `crash`, `invalid`, `flood`, `memory`.
    pub causes: Vec<Option<String>>,
    /// Why the match is void, or why the replay stops before the end.
    pub trouble: Option<String>,
    /// The metrics that bots wrote: by seat, then by name, then by the index of the answer, from 0.
    #[cfg_attr(test, ts(type = "Record<string, unknown>[]"))]
    pub metrics: Vec<Map<String, Value>>,
}

/// The state after a step, with the answers and events that led to it. The first step is the start position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Step {
    /// Number of the turn: the index of this step in the replay, 0 for the start position.
    pub turn: u32,
    /// The part of the picture that changes.
    #[cfg_attr(test, ts(type = "Frame"))]
    pub frame: Value,
    /// The events of the step.
    #[cfg_attr(test, ts(type = "GameEvent[]"))]
    pub events: Vec<Value>,
    /// The marks that the time line shows at this step.
    pub marks: Vec<Mark>,
    /// The scores by seat.
    #[cfg_attr(test, ts(type = "number[]"))]
    pub scores: Vec<i64>,
    /// The scores in the form for people, by seat.
    pub parts: Vec<ScorePart>,
    /// The answers by seat; `null` for players that were not asked.
    pub answers: Vec<Option<Answer>>,
    /// The faults of the answers.
    pub faults: Vec<Fault>,
}

/// An answer with its question, its time and the output of the bot.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Answer {
    /// The text that was sent to the player.
    pub input: String,
    /// The answer; `null` if there was none in time.
    pub output: Option<String>,
    /// Time until the answer, in microseconds.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub wall_us: Option<u64>,
    /// Standard error output of the bot since its previous answer.
    pub stderr: Option<String>,
}

/// The new steps of a match that is being played, since the previous request of the page.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReplayDelta {
    /// The steps that the client does not have yet.
    pub steps: Vec<Step>,
    /// Whether the replay is complete.
    pub done: bool,
    /// The end of the match, as far as it is known.
    pub end: ReplayEnd,
    /// Number of times the match was started. A void match is played again from its start.
    pub attempt: u32,
}

/// An entry of the list of matches.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListedReplay {
    /// Index of the match in the list.
    pub id: usize,
    /// Name of the game.
    pub game: String,
    /// The seed.
    pub seed: String,
    /// The players by seat.
    pub players: Vec<PlayerInfo>,
    /// Scores by seat; `null` if the match is not over.
    #[cfg_attr(test, ts(type = "number[] | null"))]
    pub scores: Option<Vec<i64>>,
    /// The scores in the form for people, by seat; `null` if the match is not over.
    pub parts: Option<Vec<ScorePart>>,
    /// Whether the match is being played.
    pub live: bool,
}

/// The matches of the local viewer, and the games that a person can play.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReplayList {
    /// The matches.
    pub matches: Vec<ListedReplay>,
    /// The bots that the server was started with, as the user named them.
    pub bots: Vec<String>,
    /// Whether the server starts programs for this page.
    pub starts_bots: bool,
    /// The games that a person can play.
    pub games: Vec<Playable>,
}

/// A game that a person can play.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Playable {
    /// Name of the game.
    pub name: String,
    /// Title of the game.
    pub title: String,
    /// Names of the leagues; the first one is level 1.
    pub leagues: Vec<String>,
    /// Names of the editions.
    pub editions: Vec<String>,
    /// Minimum and maximum number of players.
    pub players: [u8; 2],
    /// Names of the possible opponents, weakest first; levels of the champion last.
    pub opponents: Vec<String>,
}

/// A request of a person to play.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Challenge {
    /// Name of the game.
    pub game: String,
    /// Level of the league; the default of the game if it is not given.
    pub league: Option<u8>,
    /// Name of the edition; the default of the game if it is not given.
    pub edition: Option<String>,
    /// Number of players; the default of the game if it is not given.
    pub players: Option<u8>,
    /// The seed; a new one is chosen if it is not given.
    pub seed: Option<String>,
    /// Seat of the person.
    pub seat: u8,
    /// Name of the bot that plays all other seats.
    pub opponent: String,
    /// Time limit for each answer of the person, in seconds; no limit if it is not given.
    pub seconds: Option<u16>,
}

/// A request to continue a match from a turn.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Continuation {
    /// The first turn that is played anew.
    pub turn: u32,
    /// The player of each seat: `you`, a built-in bot such as `@boss-1` or `@random`, or another bot that the server
    /// offers. At most one seat is `you`.
    pub seats: Vec<String>,
    /// Answers that are played at this turn instead of those of the players.
    #[serde(default)]
    pub given: Vec<Given>,
}

/// An answer for a seat.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Given {
    /// The seat.
    pub seat: u8,
    /// The answer, one line.
    pub line: String,
}

/// A request to run a bot on the recorded input of a turn.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Trial {
    /// The seat whose input the bot is sent.
    pub seat: u8,
    /// The turn it is asked for.
    pub turn: u32,
    /// The bot, one of those that the server offers.
    pub bot: String,
}

/// The answer of a bot to a recorded question, beside the recorded one.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Tried {
    /// The seat whose input the bot was sent.
    pub seat: u8,
    /// The turn.
    pub turn: u32,
    /// Name of the bot.
    pub bot: String,
    /// Its answer; `null` if there was none.
    pub answered: Option<String>,
    /// Whether it is the recorded answer.
    pub same: bool,
    /// Why there is no answer.
    pub why: Option<String>,
    /// Standard error output of the bot since the question.
    pub stderr: String,
    /// Time until the answer, in milliseconds.
    pub time_ms: f64,
}

/// The state of a game for the person who plays it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Reply {
    /// Index of the game in the list of matches.
    pub id: usize,
    /// The steps since the last answer.
    pub steps: Vec<Step>,
    /// The current question; `null` if the game is over.
    pub asked: Option<Asked>,
    /// The end of the game, as far as it is known.
    pub end: ReplayEnd,
}

/// A question to a person.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Asked {
    /// The text that a bot would be sent.
    pub input: String,
    /// The choices of the person.
    #[cfg_attr(test, ts(type = "Choices"))]
    pub choices: Value,
    /// Time limit for the answer, in seconds; `null` if there is no limit.
    pub seconds: Option<u16>,
}

/// An answer of a person.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Line {
    /// One line, as a bot would print it; `null` if the time is up.
    pub line: Option<String>,
}
