//! Opens a record by the words of a user.

use std::io;
use std::path::{Path, PathBuf};

use catalog::record::{self, Entry, Played, ReadError};
use catalog::replay::{self as contest_site, Hints};
use replay::analysis::Analysis;
use runs::{RunError, RunReader, record_path};

/// A record and the file it comes from.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The record.
    pub played: Played,
    /// The file that holds it.
    pub path: PathBuf,
    /// Its line, where the file has several matches.
    pub line: Option<u64>,
}

impl Opened {
    /// The file beside the record that keeps its analysis.
    pub fn analysis_path(&self) -> PathBuf {
        analysis_path(&self.path, self.line)
    }
}

/// The file beside a record that keeps its analysis: `match.analysis.json` for `match.json.gz`, `runs.7.analysis.json` for
/// line 7 of `runs.jsonl`.
pub fn analysis_path(record: &Path, line: Option<u64>) -> PathBuf {
    let name = record.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = name.trim_end_matches(".gz").trim_end_matches(".jsonl").trim_end_matches(".json");
    let line = line.map_or_else(String::new, |line| format!(".{line}"));
    record.with_file_name(format!("{stem}{line}.analysis.json"))
}

/// The analysis that is kept beside a record; `None` if there is none, or it belongs to another match.
pub fn kept_analysis(record: &Path, line: Option<u64>, played: &Played) -> Option<Analysis> {
    let text = std::fs::read(analysis_path(record, line)).ok()?;
    let analysis: Analysis = serde_json::from_slice(&text).ok()?;
    let game = catalog::find(&played.header.game).ok()?;
    let rules = game.set_up(&played.header).ok()?.rules();
    (analysis.digest == played.digest(&rules)).then_some(analysis)
}

/// A record that cannot be opened. The fault lies with the words or with the file.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// There is no such file.
    #[error("there is no file {0}; a record is FILE, FILE:LINE or RUN:INDEX")]
    NoFile(String),
    /// The file cannot be read.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// A line is neither a record nor a replay.
    #[error("{}:{line}: {error}", .path.display())]
    NoRecord {
        /// The file.
        path: PathBuf,
        /// The line.
        line: u64,
        /// The reason.
        error: ReadError,
    },
    /// A replay of the contest site that cannot be played again.
    #[error("{}: this replay of the contest site cannot be played again: {why}", .path.display())]
    Replay {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// The file has several matches.
    #[error("{path} has several matches; choose one with {path}:LINE, LINE from 1", path = .0.display())]
    Several(PathBuf),
    /// The file has no match, or none on this line.
    #[error("{}: there is no match{}", .path.display(), .line.map_or_else(String::new, |line| format!(" on line {line}")))]
    None {
        /// The file.
        path: PathBuf,
        /// The line that was asked for.
        line: Option<u64>,
    },
    /// A run without the index of a match.
    #[error("{path} is a run; choose a match with {path}:INDEX, INDEX from 0", path = .0.display())]
    Run(PathBuf),
    /// A run that cannot be read.
    #[error(transparent)]
    BadRun(#[from] RunError),
    /// The match of a run is not finished.
    #[error("{}: match {index} is not finished", .path.display())]
    NotFinished {
        /// The run.
        path: PathBuf,
        /// The match.
        index: u64,
    },
    /// A run that keeps no records.
    #[error(
        "{}: the run keeps no records, --records FOLDER does{}",
        .path.display(),
        .again.as_ref().map_or_else(String::new, |again| format!("; this plays the match again: {again} --record match.json"))
    )]
    NoRecords {
        /// The run.
        path: PathBuf,
        /// The command that plays the match again.
        again: Option<String>,
    },
}

/// Opens a record. `words` is a file with one match (a record, a trace, a replay of the contest site, compressed or not),
/// `FILE:LINE` for a file with a match on each line, or `RUN:INDEX` for a match of a run.
///
/// # Errors
///
/// When there is no such file or match, or it cannot be read.
pub fn open(words: &str) -> Result<Opened, SourceError> {
    let words = if words == "-" { "/dev/stdin" } else { words };
    let whole = Path::new(words);
    if whole.exists() {
        return open_file(whole, None);
    }
    let numbered = words.rsplit_once(':').and_then(|(path, number)| Some((path, number.parse().ok()?)));
    match numbered {
        Some((path, number)) if Path::new(path).exists() => open_file(Path::new(path), Some(number)),
        _ => Err(SourceError::NoFile(game::quote(words.as_bytes()))),
    }
}

/// Whether the first line of a file is the header of a run.
fn is_run(line: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Glance {
        #[serde(rename = "agon_run")]
        _agon_run: u32,
    }
    serde_json::from_slice::<Glance>(line).is_ok()
}

fn open_file(path: &Path, number: Option<u64>) -> Result<Opened, SourceError> {
    let mut found: Vec<(u64, Vec<u8>)> = Vec::new();
    let mut run = false;
    let read = catalog::verify::lines(path, |line, text| {
        if found.is_empty() && line == 1 && is_run(&text) {
            run = true;
            return false;
        }
        let wanted = number.is_none_or(|number| number == line);
        if wanted {
            found.push((line, text));
        }
        // A second match without a number is a mistake; with a number the search ends at the line.
        number.map_or(found.len() < 2, |number| line < number)
    });
    read.map_err(|error| SourceError::File { path: path.to_owned(), error })?;
    if run {
        return open_run(path, number);
    }
    if found.len() > 1 {
        return Err(SourceError::Several(path.to_owned()));
    }
    let Some((line, text)) = found.pop() else {
        return Err(SourceError::None { path: path.to_owned(), line: number });
    };
    let played = read_match(path, line, &text)?;
    Ok(Opened { played, path: path.to_owned(), line: number })
}

fn read_match(path: &Path, line: u64, text: &[u8]) -> Result<Played, SourceError> {
    let path = path.to_owned();
    match record::read(text) {
        Ok(Entry::Played(played)) => Ok(*played),
        Ok(Entry::Map(..)) => Err(SourceError::None { path, line: Some(line) }),
        Err(error @ ReadError::TooNew(_)) => Err(SourceError::NoRecord { path, line, error }),
        Err(error) => {
            // Anything that is not a record may be a replay of the contest site.
            let mut replays = contest_site::read(text);
            match (replays.pop(), replays.is_empty()) {
                (Some(Ok(replay)), true) => import(&path, &replay),
                (Some(Ok(_)), false) => {
                    Err(SourceError::Replay { path, why: "there are several in the file".into() })
                }
                _ => Err(SourceError::NoRecord { path, line, error }),
            }
        }
    }
}

fn import(path: &Path, replay: &contest_site::Replay) -> Result<Played, SourceError> {
    let refused = |why: String| SourceError::Replay { path: path.to_owned(), why };
    let imported = replay.import(&Hints::default()).map_err(|error| refused(error.to_string()))?;
    match imported.differences.first() {
        None => Ok(imported.record),
        Some(difference) => {
            Err(refused(format!("{difference}; `agon import` takes the game, league and edition")))
        }
    }
}

fn open_run(path: &Path, index: Option<u64>) -> Result<Opened, SourceError> {
    let Some(index) = index else { return Err(SourceError::Run(path.to_owned())) };
    let mut reader = RunReader::open(path)?;
    let header = reader.header().clone();
    let line = loop {
        match reader.next_match()? {
            Some(line) if line.index == index => break line,
            Some(_) => {}
            None => return Err(SourceError::NotFinished { path: path.to_owned(), index }),
        }
    };
    // A relative folder is meant from the folder in which the run was begun: usually that of the run file.
    let beside = path.parent().unwrap_or(Path::new("")).to_owned();
    let folders = header.records.iter().flat_map(|folder| [PathBuf::from(folder), beside.join(folder)]);
    let record = folders.map(|folder| record_path(&folder, index)).find(|record| record.is_file());
    match record {
        Some(record) => open_file(&record, None),
        None => Err(SourceError::NoRecords { path: path.to_owned(), again: line.again(&header) }),
    }
}
