//! Replays of the contest site, and result files of its referees, as records.
//!
//! A replay has the seed, the answers and the final scores, and neither the name of the game nor all of its rules. [`read`]
//! reads the answers from any of the forms below, [`Replay::import`] plays them again under the rules that fit and reports
//! the differences.
//!
//! The forms:
//! - what the site's services give: `{"gameResult": {"frames", "agents", "scores", "ranks", "refereeInput"}}`, or the inner object
//!   alone. A frame is one step of the referee; `agentId` says whose answer stands in its `stdout`, -1 is the referee;
//! - what an official referee writes to a file: `{"outputs": {"0": [...]}, "errors", "scores": {"0": 5}, "uinput"}`, with an entry
//!   for each frame in each list.

mod form;

use std::collections::BTreeMap;
use std::fmt;

use game::{Fault, Outcome, Seat};
use serde_json::{Map, Value, json};

use crate::record::{self, Header, Line, Played, Player, RulesField, Turn};
use crate::{AnyGame, AnyMatch, SetUpError, UnknownGame};

pub use form::{ReplayError, read};

/// A match as it was played elsewhere.
#[derive(Clone, PartialEq, Debug)]
pub struct Replay {
    /// The number of the game on the site.
    pub game_id: Option<String>,
    /// Titles of the game in the file.
    pub titles: Vec<String>,
    /// Names of the players, by seat.
    pub names: Vec<String>,
    /// The seed.
    pub seed: i64,
    /// The input of the referee apart from the seed.
    pub parameters: BTreeMap<String, String>,
    /// The answers in the order of the frames.
    pub answers: Vec<Answer>,
    /// Final scores, by seat.
    pub scores: Option<Vec<f64>>,
    /// Places, by seat; the site counts from 0, others from 1.
    pub ranks: Option<Vec<f64>>,
}

/// An answer in a replay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Number of the frame it stands in.
    pub frame: usize,
    /// The player; `None` when the file does not name it, which means the player that is asked next.
    pub seat: Option<Seat>,
    /// The line; `None` when there was none.
    pub line: Option<Vec<u8>>,
    /// What the player wrote to its standard error output.
    pub stderr: String,
}

/// What the user knows about a replay beside its content; a part that is left out is found by trying.
#[derive(Clone, Default, Debug)]
pub struct Hints {
    /// Name of the game.
    pub game: Option<String>,
    /// Level of the league.
    pub league: Option<u8>,
    /// Name of the edition.
    pub edition: Option<String>,
}

/// A replay that was played again.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The record, whose end is what Agon computes.
    pub record: Played,
    /// Level of the league that fits.
    pub league: u8,
    /// Name of the edition that fits.
    pub edition: String,
    /// How many rule sets were tried.
    pub tried: usize,
    /// How many answers were taken.
    pub answers: usize,
    /// How it ended here.
    pub outcome: Outcome,
    /// The differences; empty when all is well.
    pub differences: Vec<Difference>,
    /// The parts of the replay that were ignored.
    pub notes: Vec<String>,
}

/// A difference between a replay and the same answers played again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The turn, as [`AnyMatch::turn`] counts; `None` for the end.
    pub turn: Option<u32>,
    /// The frame of the replay.
    pub frame: Option<usize>,
    /// The player concerned.
    pub player: Option<u8>,
    /// What is compared.
    pub what: &'static str,
    /// The value in the replay.
    pub expected: String,
    /// The value here.
    pub got: String,
    /// A possible explanation: an answer that the rules do not allow.
    pub because: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { turn, frame, player, what, expected, got, because } = self;
        match turn {
            Some(turn) => write!(f, "turn {turn}")?,
            None => f.write_str("at the end")?,
        }
        if let Some(frame) = frame {
            write!(f, " (frame {frame})")?;
        }
        if let Some(player) = player {
            write!(f, ", player {player}")?;
        }
        write!(f, ", {what}: expected {expected}, got {got}")?;
        match because {
            Some(because) => write!(f, "; {because}"),
            None => Ok(()),
        }
    }
}

/// Input of a referee that the games understand beside `seed`.
const LEAGUE_KEYS: [&str; 2] = ["league", "version"];
const EDITION_KEY: &str = "rules";
const OPTION_KEYS: [&str; 3] = ["boxes", "bombs", "range"];

/// A replay that cannot be played again.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The game that was asked for does not exist.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// No game has this number of players.
    #[error("no game here is played by {0} players")]
    Players(u8),
    /// The rules that were asked for, or that the replay names, cannot be played.
    #[error(transparent)]
    Rules(#[from] SetUpError),
    /// No game is left to try.
    #[error("no game fits this replay; name it with --game")]
    NoGame,
}

impl Replay {
    /// Plays the replay again, under the rules that fit: those it names, else the first ones under which it ends the same.
    ///
    /// # Errors
    ///
    /// When no game fits the number of players, or the hints name what does not exist.
    pub fn import(&self, hints: &Hints) -> Result<Imported, ImportError> {
        let mut best: Option<Trial> = None;
        let mut tried = 0;
        let mut refused = None;
        for game in self.candidates(hints)? {
            for (league, edition) in self.rule_sets(game, hints) {
                let header = self.header(game, league, &edition);
                let play = match game.set_up(&header) {
                    Ok(play) => play,
                    Err(error) => {
                        refused = Some(error);
                        continue;
                    }
                };
                tried += 1;
                let trial = self.play(Trial::new(game, league, edition, play));
                let fits = trial.differences.is_empty();
                // Of those that do not fit, the one that came closest explains most.
                if fits || best.as_ref().is_none_or(|best| self.closeness(best) < self.closeness(&trial)) {
                    best = Some(trial);
                }
                if fits {
                    return Ok(self.finish(best, tried));
                }
            }
        }
        match best {
            Some(_) => Ok(self.finish(best, tried)),
            None => Err(refused.map_or(ImportError::NoGame, ImportError::Rules)),
        }
    }

    /// The games it may be: the one that is named, the one in its title, else all for this number of players.
    fn candidates(&self, hints: &Hints) -> Result<Vec<&'static dyn AnyGame>, ImportError> {
        let players = self.players();
        if let Some(name) = &hints.game {
            let game = crate::find(name)?;
            return Ok(vec![game]);
        }
        let titled: Vec<&'static dyn AnyGame> = crate::games()
            .filter(|game| {
                self.titles.iter().any(|title| letters(title).contains(&letters(game.info().title)))
            })
            .collect();
        let all = if titled.is_empty() { crate::games().collect() } else { titled };
        let fitting: Vec<&'static dyn AnyGame> = all
            .into_iter()
            .filter(|game| (game.info().min_players..=game.info().max_players).contains(&players))
            .collect();
        if fitting.is_empty() {
            return Err(ImportError::Players(players));
        }
        Ok(fitting)
    }

    /// Leagues and editions to try, the likely ones first: replays of the site are of the full game.
    fn rule_sets(&self, game: &dyn AnyGame, hints: &Hints) -> Vec<(u8, String)> {
        let info = game.info();
        let last = info.leagues.len() as u8;
        let named = LEAGUE_KEYS.iter().find_map(|key| self.parameters.get(*key)?.parse::<u8>().ok());
        let leagues: Vec<u8> = match hints.league.or(named) {
            Some(level) => vec![level],
            None => (1..=last).rev().collect(),
        };
        let editions: Vec<String> = match hints.edition.as_ref().or(self.parameters.get(EDITION_KEY)) {
            Some(edition) => vec![edition.clone()],
            None => info.editions.iter().map(|edition| edition.name.to_owned()).collect(),
        };
        leagues
            .iter()
            .flat_map(|&league| editions.iter().map(move |edition| (league, edition.clone())))
            .collect()
    }

    fn header(&self, game: &dyn AnyGame, league: u8, edition: &str) -> Header {
        let options: Map<String, Value> = OPTION_KEYS
            .iter()
            .filter_map(|key| {
                Some(((*key).to_owned(), json!(self.parameters.get(*key)?.parse::<u64>().ok()?)))
            })
            .collect();
        Header {
            agon: None,
            game: game.info().name.to_owned(),
            seed: self.seed,
            league: Some(league.into()),
            rules: Some(RulesField::Edition(edition.to_owned())),
            players: Some(self.players()),
            options: (!options.is_empty()).then_some(options),
        }
    }

    /// The number of players.
    pub fn players(&self) -> u8 {
        u8::try_from(self.names.len()).unwrap_or(u8::MAX)
    }

    /// Plays the answers one after the other.
    fn play(&self, mut trial: Trial) -> Trial {
        for answer in &self.answers {
            let awaited = trial.play.awaited();
            let Some(seat) = answer.seat.or_else(|| awaited.into_iter().next()) else {
                // After the end of the game a frame without an answer shows the result.
                continue;
            };
            if trial.play.answer(seat, answer.line.as_deref()).is_err() {
                let Some(line) = &answer.line else { continue };
                let got = if awaited.is_empty() {
                    "the game is over".to_owned()
                } else {
                    format!("the answer of {awaited:?} is awaited")
                };
                trial.differs(
                    Some((answer.frame, seat)),
                    "answer",
                    format!("player {seat} is asked and answers {}", game::quote(line)),
                    got,
                );
                return trial;
            }
            let stderr = (!answer.stderr.is_empty()).then(|| Line(answer.stderr.clone().into_bytes()));
            trial.turns.push(Turn { stderr, ..Turn::new(seat.0, answer.line.clone()) });
        }
        if !trial.play.awaited().is_empty() {
            let got = format!("the answer of {:?} is awaited", trial.play.awaited());
            let turn = Some(trial.play.turn());
            let expected = "the game is over, there are no more answers".to_owned();
            trial.differences.push(Difference {
                turn,
                frame: None,
                player: None,
                what: "end",
                expected,
                got,
                because: None,
            });
            return trial;
        }
        self.compare_end(&mut trial);
        trial
    }

    /// How many scores are right, and how many answers were taken.
    fn closeness(&self, trial: &Trial) -> (usize, usize) {
        let outcome = trial.play.outcome();
        let right = |(theirs, ours): &(&f64, i64)| same(**theirs, *ours as f64);
        let scores = self.scores.iter().flatten().zip(outcome.scores);
        (scores.filter(right).count(), trial.turns.len())
    }

    fn compare_end(&self, trial: &mut Trial) {
        let outcome = trial.play.outcome();
        for (seat, &got) in outcome.scores.iter().enumerate() {
            let expected = self.scores.as_ref().map(|scores| scores[seat]);
            if let Some(expected) = expected.filter(|expected| !same(*expected, got as f64)) {
                trial.differs_at_end(seat, "score", &expected.to_string(), &got.to_string());
            }
        }
        let Some(ranks) = &self.ranks else { return };
        for a in 0..ranks.len() {
            for b in a + 1..ranks.len() {
                let theirs = ranks[a].total_cmp(&ranks[b]);
                let ours = outcome.ranks[a].cmp(&outcome.ranks[b]);
                // Some files give players of equal score different places.
                let tied =
                    ours.is_eq() && self.scores.as_ref().is_none_or(|scores| same(scores[a], scores[b]));
                if theirs != ours && !tied {
                    let word = |order: std::cmp::Ordering| match order {
                        std::cmp::Ordering::Less => format!("before player {b}"),
                        std::cmp::Ordering::Equal => format!("level with player {b}"),
                        std::cmp::Ordering::Greater => format!("behind player {b}"),
                    };
                    trial.differs_at_end(a, "place", &word(theirs), &word(ours));
                }
            }
        }
    }

    fn finish(&self, trial: Option<Trial>, tried: usize) -> Imported {
        let Some(trial) = trial else { unreachable!("asked for only when there is one") };
        let (Value::Object(rules), Value::Object(end)) = (trial.play.rules(), trial.play.end()) else {
            unreachable!("rules and an end are structs")
        };
        let outcome = trial.play.outcome();
        let header = Header {
            agon: Some(record::VERSION),
            game: trial.game.info().name.to_owned(),
            seed: self.seed,
            league: None,
            rules: Some(RulesField::Full(rules)),
            players: None,
            options: None,
        };
        let mut record = Played::new(header, trial.turns, end);
        record.bots = Some(
            self.names
                .iter()
                .map(|name| Player {
                    name: name.clone(),
                    command: "replay".into(),
                    digest: None,
                    memory: None,
                })
                .collect(),
        );
        record.outcome =
            Some(json!({"scores": outcome.scores, "ranks": outcome.ranks, "reason": outcome.reason}));
        record.settings = Some(json!({"imported": {"game_id": self.game_id}}));
        let known =
            |key: &str| key == EDITION_KEY || LEAGUE_KEYS.contains(&key) || OPTION_KEYS.contains(&key);
        let notes = self
            .parameters
            .iter()
            .filter(|(key, _)| !known(key))
            .map(|(key, value)| {
                let pair = format!("{key}={value}");
                format!(
                    "the referee's input {} is not known here and was passed over",
                    game::quote(pair.as_bytes())
                )
            })
            .collect();
        Imported {
            answers: record.turns.len(),
            record,
            league: trial.league,
            edition: trial.edition,
            tried,
            outcome,
            differences: trial.differences,
            notes,
        }
    }
}

/// A replay under one set of rules.
struct Trial {
    game: &'static dyn AnyGame,
    league: u8,
    edition: String,
    play: Box<dyn AnyMatch>,
    turns: Vec<Turn>,
    differences: Vec<Difference>,
}

impl Trial {
    fn new(game: &'static dyn AnyGame, league: u8, edition: String, play: Box<dyn AnyMatch>) -> Trial {
        Trial { game, league, edition, play, turns: Vec::new(), differences: Vec::new() }
    }

    fn differs(&mut self, at: Option<(usize, Seat)>, what: &'static str, expected: String, got: String) {
        let turn = Some(self.play.turn());
        let because = self.fatal_fault(None);
        let (frame, player) = (at.map(|(frame, _)| frame), at.map(|(_, seat)| seat.0));
        self.differences.push(Difference { turn, frame, player, what, expected, got, because });
    }

    fn differs_at_end(&mut self, seat: usize, what: &'static str, expected: &str, got: &str) {
        let player = seat as u8;
        let because = self.fatal_fault(Some(player));
        let (expected, got) = (expected.to_owned(), got.to_owned());
        self.differences.push(Difference {
            turn: None,
            frame: None,
            player: Some(player),
            what,
            expected,
            got,
            because,
        });
    }

    /// The answer that cost a player the game here.
    fn fatal_fault(&self, player: Option<u8>) -> Option<String> {
        let about = |fault: &&Fault| fault.fatal && player.is_none_or(|player| fault.seat.0 == player);
        self.play.faults().iter().rev().find(about).map(|fault| format!("here {fault}"))
    }
}

/// Scores are whole numbers, however they are written.
fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

/// The letters and digits of a title in lower case: people write the rest differently.
fn letters(title: &str) -> String {
    title.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
