//! Test cases of bots: the input up to a turn, and a property of the answer.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use catalog::record::{Line, seed_text};
use game::{Selected, Selection};
use sandbox::{Limits, Program, Sandbox, StartError};
use serde::{Deserialize, Serialize};

use crate::compare::{Patience, answer_at};
use crate::feeder::Feeder;
use crate::recording::{Asked, Recording, RecordingError};

/// The version of the cases that this program writes, and the newest that it reads.
const VERSION: u32 = 1;

/// The time for all answers before the turn of a case.
const PAST: Duration = Duration::from_mins(1);

/// An answer may come this much after the limit, as on the contest sites.
const GRACE: Duration = Duration::from_millis(50);

/// A test of a bot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Case {
    /// Version of the form.
    pub agon_case: u32,
    /// Name of the game.
    pub game: String,
    /// Level of the league, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub league: Option<u8>,
    /// Name of the edition, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edition: Option<String>,
    /// Number of players.
    pub players: u8,
    /// The seed.
    #[serde(with = "seed_text")]
    pub seed: i64,
    /// The digest of the match.
    pub digest: String,
    /// The seat.
    pub seat: u8,
    /// The turn, as the viewer counts.
    pub turn: u32,
    /// Milliseconds for the answer.
    pub limit_ms: u32,
    /// The questions up to the turn. All lines of a question are one text.
    pub input: Vec<String>,
    /// The property of the answer.
    pub expect: Expected,
}

/// A property of an answer. Every answer must also come in time.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expected {
    /// Any answer in time.
    InTime,
    /// None of these lines.
    Not(Vec<Line>),
    /// One of these lines.
    OneOf(Vec<Line>),
}

/// The result of a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Why the bot does not pass; `None` if it passes.
    pub failed: Option<String>,
    /// The answer, if there is one.
    pub answer: Option<Vec<u8>>,
    /// What the bot wrote to its standard error output for this answer.
    pub stderr: Vec<u8>,
    /// The time of the answer.
    pub wall: Duration,
}

/// A case that cannot be read or run.
#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    /// The file or folder cannot be read.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The file is not a case.
    #[error("{}: this is not a case: {why}", .path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// The folder has no case in it.
    #[error("{}: there is no case in this folder; `agon debug --save` writes one", .0.display())]
    Empty(PathBuf),
    /// The bot cannot be started.
    #[error("the bot cannot be started: {0}")]
    Start(#[from] StartError),
}

impl Case {
    /// The case of a turn of a record.
    ///
    /// # Errors
    ///
    /// When the seat is not asked at this turn.
    pub fn new(recording: &Recording, seat: u8, turn: u32, expect: Expected) -> Result<Case, RecordingError> {
        let asked = recording.asked_until(seat, turn)?;
        let limits = recording.limits;
        Ok(Case {
            agon_case: VERSION,
            game: recording.game.info().name.to_owned(),
            league: recording.selected.map(|selected| selected.league),
            edition: recording.selected.map(|selected| selected.edition.to_owned()),
            players: recording.players(),
            seed: recording.played.header.seed,
            digest: recording.digest(),
            seat,
            turn,
            limit_ms: if asked.len() == 1 { limits.first_turn_ms } else { limits.turn_ms },
            input: asked.iter().map(|asked| asked.input.clone()).collect(),
            expect,
        })
    }

    /// The rule set by name, if it is known here.
    pub fn selected(&self) -> Option<Selected> {
        let asked = Selection {
            league: Some(self.league?),
            edition: Some(self.edition.clone()?),
            players: Some(self.players),
        };
        catalog::find(&self.game).ok()?.select(&asked).ok()
    }

    /// Writes a case, compressed if the name ends in `.gz`.
    ///
    /// # Errors
    ///
    /// When it cannot be written; nothing is left behind then.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        catalog::file::write_one(path, self)
    }

    /// Reads a case.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is not one case.
    pub fn read(path: &Path) -> Result<Case, CaseError> {
        let mut texts = Vec::new();
        catalog::verify::lines(path, |_, text| {
            texts.push(text);
            texts.len() < 2
        })
        .map_err(|error| CaseError::File { path: path.to_owned(), error })?;
        let form = |why: String| CaseError::Form { path: path.to_owned(), why };
        let [text] = &texts[..] else { return Err(form("it has several lines".into())) };
        let case: Case = serde_json::from_slice(text).map_err(|error| form(error.to_string()))?;
        if case.agon_case > VERSION {
            return Err(form(format!("it has version {}; use a newer agon", case.agon_case)));
        }
        if case.input.is_empty() {
            return Err(form("it has no input".into()));
        }
        Ok(case)
    }

    /// Reads all cases of a folder (`*.json`, `*.json.gz`) in the order of their names.
    ///
    /// # Errors
    ///
    /// When the folder or a file cannot be read, or there is no case.
    pub fn read_folder(folder: &Path) -> Result<Vec<(PathBuf, Case)>, CaseError> {
        let at = |error| CaseError::File { path: folder.to_owned(), error };
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(at)? {
            let path = entry.map_err(at)?.path();
            let plain = if path.extension().is_some_and(|ending| ending == "gz") {
                path.with_extension("")
            } else {
                path.clone()
            };
            if path.is_file() && plain.extension().is_some_and(|ending| ending == "json") {
                paths.push(path);
            }
        }
        paths.sort();
        if paths.is_empty() {
            return Err(CaseError::Empty(folder.to_owned()));
        }
        paths.into_iter().map(|path| Case::read(&path).map(|case| (path, case))).collect()
    }

    /// Runs a program on the case.
    ///
    /// # Errors
    ///
    /// When the program cannot be started.
    pub fn run(&self, sandbox: &Sandbox, program: &Program, timed: bool) -> Result<Verdict, StartError> {
        let mut feeder = Feeder::start(sandbox, program, &Limits::BOT)?;
        let question = |input: &String| Asked { turn: self.turn, input: input.clone(), answer: None };
        let asked: Vec<Asked> = self.input.iter().map(question).collect();
        let limit = Duration::from_millis(u64::from(self.limit_ms)) + GRACE;
        let patience = Patience { past: Some(PAST), each: None, last: timed.then_some(limit) };
        let answered = match answer_at(&mut feeder, &asked, patience) {
            Ok(answered) => answered,
            Err(error) => {
                let failed = Some(format!("it failed on the input before the turn: {}", error.why));
                let stderr = error.stderr.into_bytes();
                return Ok(Verdict { failed, answer: None, stderr, wall: Duration::ZERO });
            }
        };
        let (answer, failed) = match answered.answer {
            Ok(answer) => (Some(answer.clone()), self.expect.violated_by(&answer)),
            Err(why) => (None, Some(why.to_string())),
        };
        Ok(Verdict { failed, answer, stderr: answered.stderr, wall: answered.wall })
    }
}

impl Expected {
    /// Why an answer does not have the property; `None` if it has it.
    pub fn violated_by(&self, answer: &[u8]) -> Option<String> {
        let listed = |lines: &[Line]| lines.iter().any(|line| line.0 == answer);
        let answered = || format!("it answers {}", game::quote(answer));
        match self {
            Expected::InTime => None,
            Expected::Not(lines) => listed(lines).then(answered),
            Expected::OneOf(lines) => (!listed(lines)).then(|| {
                let known: Vec<String> = lines.iter().map(|line| game::quote(&line.0)).collect();
                format!("{}, not one of {}", answered(), known.join(", "))
            }),
        }
    }

    /// The property in words.
    pub fn words(&self) -> String {
        let quoted =
            |lines: &[Line]| lines.iter().map(|line| game::quote(&line.0)).collect::<Vec<_>>().join(", ");
        match self {
            Expected::InTime => "answers in time".into(),
            Expected::Not(lines) => format!("does not answer {}", quoted(lines)),
            Expected::OneOf(lines) => format!("answers one of {}", quoted(lines)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_checked() {
        let lines = || vec![Line(b"MOVE N".to_vec()), Line(b"SURFACE".to_vec())];
        assert_eq!(Expected::InTime.violated_by(b"x"), None);
        assert!(Expected::Not(lines()).violated_by(b"SURFACE").is_some());
        assert_eq!(Expected::Not(lines()).violated_by(b"MOVE S"), None);
        assert_eq!(Expected::OneOf(lines()).violated_by(b"MOVE N"), None);
        let why = Expected::OneOf(lines()).violated_by(b"MOVE S").unwrap_or_default();
        assert!(why.contains("MOVE S") && why.contains("SURFACE"), "{why}");
    }
}
