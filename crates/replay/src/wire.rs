//! The form in which pages get matches. The TypeScript types in `web/src/wire.ts` are generated from these types.

use game::{Fault, Limits, Mark, Outcome, ScorePart};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A match to be shown.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Replay {
    /// What is known before the first answer.
    pub header: ReplayHeader,
    /// The start, then the state after each step.
    pub steps: Vec<Step>,
    /// Whether nothing more will come.
    pub done: bool,
    /// How often the match was begun; a void match is played again from its start.
    pub attempt: u32,
    /// What is known at the end.
    pub end: ReplayEnd,
}

/// What is known of a match before its first answer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReplayHeader {
    /// Name of the game.
    #[cfg_attr(test, ts(type = "GameName"))]
    pub game: String,
    /// Its title.
    pub title: String,
    /// The seed; a string, since it has 64 bits.
    pub seed: String,
    /// Level of the league.
    pub league: Option<u8>,
    /// Name of the edition, where the rules are those of one.
    pub edition: Option<String>,
    /// Who plays, by seat.
    pub players: Vec<PlayerInfo>,
    /// What an answer may cost.
    pub limits: Limits,
    /// What stays.
    #[cfg_attr(test, ts(type = "Board"))]
    pub board: Value,
    /// A command that plays the match again; nothing where it is not known who played.
    pub again: Option<String>,
    /// The seat of the person who plays, where one does.
    pub human: Option<u8>,
}

/// A player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayerInfo {
    /// Its name, made safe to show: the author of a bot may choose any text.
    pub name: String,
}

/// What is known at the end of a match.
#[derive(Clone, Default, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReplayEnd {
    /// How it ended; nothing while it goes on.
    pub outcome: Option<Outcome>,
    /// Why players lost by their own fault, by seat: `timeout`, `crash`, `invalid`, `flood`, `memory`.
    pub causes: Vec<Option<String>>,
    /// Why the match is void, or cannot be shown to its end.
    pub trouble: Option<String>,
    /// Numbers that bots wrote about themselves: by seat, by name, by the count of its answers from 0.
    #[cfg_attr(test, ts(type = "Record<string, unknown>[]"))]
    pub metrics: Vec<Map<String, Value>>,
}

/// The state after a step, and what led to it. The first one is the start.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Step {
    /// The number of the turn: the index of this step in the replay, 0 for the start position.
    pub turn: u32,
    /// What is drawn.
    #[cfg_attr(test, ts(type = "Frame"))]
    pub frame: Value,
    /// What happened in the step.
    #[cfg_attr(test, ts(type = "GameEvent[]"))]
    pub events: Vec<Value>,
    /// Where the time line points.
    pub marks: Vec<Mark>,
    /// The scores by seat.
    #[cfg_attr(test, ts(type = "number[]"))]
    pub scores: Vec<i64>,
    /// The scores as people say them, by seat.
    pub parts: Vec<ScorePart>,
    /// The answers by seat; nothing for those who were not asked.
    pub answers: Vec<Option<Answer>>,
    /// What was wrong with them.
    pub faults: Vec<Fault>,
}

/// An answer and what is known of it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Answer {
    /// What the player was sent.
    pub input: String,
    /// What it answered; nothing when no answer came in time.
    pub output: Option<String>,
    /// How long it took, in microseconds.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub wall_us: Option<u64>,
    /// Its standard error output while it thought.
    pub stderr: Option<String>,
}

/// The steps of a match that is being played since the page last asked.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReplayDelta {
    /// The steps after those that the client has.
    pub steps: Vec<Step>,
    /// Whether nothing more will come.
    pub done: bool,
    /// What is known at the end.
    pub end: ReplayEnd,
    /// How often the match was begun; a void match is played again from its start.
    pub attempt: u32,
}

/// One line of the list of matches.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ListedReplay {
    /// Its place in the list.
    pub id: usize,
    /// Name of the game.
    pub game: String,
    /// The seed.
    pub seed: String,
    /// Who plays.
    pub players: Vec<PlayerInfo>,
    /// Scores by seat, where it is over.
    #[cfg_attr(test, ts(type = "number[] | null"))]
    pub scores: Option<Vec<i64>>,
    /// The scores as people say them, by seat, where it is over.
    pub parts: Option<Vec<ScorePart>>,
    /// Whether it is being played.
    pub live: bool,
}

/// The matches of the local viewer, and the games a person can play.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReplayList {
    /// The matches.
    pub matches: Vec<ListedReplay>,
    /// What can be played.
    pub games: Vec<Playable>,
}

/// A game that a person can play.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Playable {
    /// Its name.
    pub name: String,
    /// Its title.
    pub title: String,
    /// Names of its leagues, from level 1.
    pub leagues: Vec<String>,
    /// Names of its editions.
    pub editions: Vec<String>,
    /// Fewest and most players.
    pub players: [u8; 2],
    /// Who can be played against, weakest first.
    pub opponents: Vec<String>,
}

/// A request of a person to play.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Challenge {
    /// Name of the game.
    pub game: String,
    /// Level of the league.
    pub league: Option<u8>,
    /// Name of the edition.
    pub edition: Option<String>,
    /// Number of players.
    pub players: Option<u8>,
    /// The seed; another one each time where there is none.
    pub seed: Option<String>,
    /// The seat of the person.
    pub seat: u8,
    /// Who plays the other seats.
    pub opponent: String,
    /// Seconds for each answer of the person; no limit where there is none.
    pub seconds: Option<u16>,
}

/// The state of a game for the person who plays it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Reply {
    /// Its place in the list.
    pub id: usize,
    /// What happened since the last answer.
    pub steps: Vec<Step>,
    /// What is asked now; nothing when the game is over.
    pub asked: Option<Asked>,
    /// How it ended.
    pub end: ReplayEnd,
}

/// A question to a person.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Asked {
    /// What a bot would be sent.
    pub input: String,
    /// What may be chosen.
    #[cfg_attr(test, ts(type = "Choices"))]
    pub choices: Value,
    /// Seconds for the answer; no limit where there is none.
    pub seconds: Option<u16>,
}

/// An answer of a person.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Line {
    /// One line, as a bot would print it; nothing when time is up.
    pub line: Option<String>,
}
