//! Replays records and traces and compares every line sent, every map and the end.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::ScopedJoinHandle;

use flate2::bufread::MultiGzDecoder;
use game::{Seat, Seats};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::batch::{Answer, AnyBatch, Memory};
use crate::record::{self, Entry, Header, Line, Played, Turn};
use crate::{AnyGame, AnyMatch, SetUpError, UnknownGame};

/// A difference between a replay and its record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// Name of the game.
    pub game: String,
    /// The seed.
    pub seed: i64,
    /// Index of the entry of `turns`; `None` for the map or the end.
    pub turn: Option<usize>,
    /// What is compared: `input line 3 of player 1`, `end.scores`, ...
    pub what: String,
    /// What was recorded.
    pub expected: String,
    /// What the replay gives.
    pub got: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { game, seed, turn, what, expected, got } = self;
        write!(f, "{game}, seed {seed}")?;
        if let Some(turn) = turn {
            write!(f, ", turns[{turn}]")?;
        }
        write!(f, ", {what}: expected {expected}, got {got}")
    }
}

/// The result of the replay of one line.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Checked {
    /// Turns replayed, as the game counts them; 0 for a map.
    pub turns: u64,
    /// Whether it was a map.
    pub map: bool,
    /// Everything that differs.
    pub mismatches: Vec<Mismatch>,
}

/// A line that cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not a record, a trace or a map.
    #[error(transparent)]
    Read(#[from] record::ReadError),
    /// It names a game that does not exist.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// It has rules that cannot be played.
    #[error(transparent)]
    Rules(#[from] SetUpError),
    /// It has no turns, and a part of a map is missing.
    #[error("the line has neither turns nor a map (`{0}` is missing)")]
    Incomplete(String),
}

/// Replays one line of a file.
///
/// # Errors
///
/// When the line cannot be read or names a game or rules that do not exist.
pub fn line(text: &[u8]) -> Result<Checked, LineError> {
    line_by(Driver::Match, text)
}

/// The driver of the matches that are replayed. All drivers must give the same lines and ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Driver {
    /// The driver of all matches that are played.
    Match,
    /// A batch of one game.
    Batch,
}

/// Replays one line of a file by a driver.
///
/// # Errors
///
/// Those of [`line()`].
pub fn line_by(driver: Driver, text: &[u8]) -> Result<Checked, LineError> {
    match record::read(text)? {
        Entry::Played(played) => {
            let game = crate::find(&played.header.game)?;
            let play: Box<dyn Driven> = match driver {
                Driver::Match => Box::new(game.set_up(&played.header)?),
                Driver::Batch => Box::new(BatchOfOne::new(game, &played.header)?),
            };
            let players = usize::from(play.players());
            let (past, forked) = (vec![0; players], vec![None; players]);
            Ok(Replay { play, played: &played, mismatches: Vec::new(), past, forked }.run())
        }
        Entry::Map(header, fields) => {
            let game = crate::find(&header.game)?;
            let play = game.set_up(&header)?;
            let mut checked = Checked { map: true, ..Checked::default() };
            for (key, got) in play.map_record() {
                let Some(expected) = fields.get(&key) else { return Err(LineError::Incomplete(key)) };
                if *expected != got {
                    let (expected, got) = first_difference(expected, &got);
                    checked.mismatches.push(Mismatch {
                        game: header.game.clone(),
                        seed: header.seed,
                        turn: None,
                        what: key,
                        expected,
                        got,
                    });
                }
            }
            Ok(checked)
        }
    }
}

/// A match that is replayed.
trait Driven {
    fn awaited(&self) -> Seats;
    fn question(&self, seat: Seat, out: &mut String);
    fn answer(&mut self, seat: Seat, line: Option<&[u8]>) -> Result<(), String>;
    fn turn(&self) -> u32;
    fn turns_played(&self) -> u32;
    fn players(&self) -> u8;
    fn end(&self) -> Value;
}

impl Driven for Box<dyn AnyMatch> {
    fn awaited(&self) -> Seats {
        (**self).awaited()
    }

    fn question(&self, seat: Seat, out: &mut String) {
        (**self).question(seat, out);
    }

    fn answer(&mut self, seat: Seat, line: Option<&[u8]>) -> Result<(), String> {
        (**self).answer(seat, line).map_err(|error| error.to_string())
    }

    fn turn(&self) -> u32 {
        (**self).turn()
    }

    fn turns_played(&self) -> u32 {
        (**self).turns_played()
    }

    fn players(&self) -> u8 {
        (**self).players()
    }

    fn end(&self) -> Value {
        (**self).end()
    }
}

/// A match as a batch of one game. The batch takes the answers of a turn together.
struct BatchOfOne {
    batch: Box<dyn AnyBatch>,
    memory: Memory,
    answers: Vec<Answer>,
    awaited: Seats,
}

impl BatchOfOne {
    fn new(game: &dyn AnyGame, header: &Header) -> Result<BatchOfOne, SetUpError> {
        let mut batch = game.batch_of(header)?;
        let mut memory = Memory::new(&*batch);
        batch
            .reset(Some(&[header.seed]), memory.outputs())
            .expect("the memory fits, and there are no opponents");
        let answers = vec![None; batch.players()];
        let mut play = BatchOfOne { batch, memory, answers, awaited: Seats::NONE };
        play.awaited = play.position().asked;
        Ok(play)
    }

    fn position(&self) -> crate::batch::Position {
        self.batch.position(0).expect("the batch has one game")
    }
}

impl Driven for BatchOfOne {
    fn awaited(&self) -> Seats {
        self.awaited
    }

    fn question(&self, seat: Seat, out: &mut String) {
        // A question that is missing differs from the recorded one.
        out.push_str(&self.batch.view_of(0, seat).unwrap_or_default());
    }

    fn answer(&mut self, seat: Seat, line: Option<&[u8]>) -> Result<(), String> {
        if !self.awaited.contains(seat) {
            return Err(format!("no answer of player {seat} is awaited"));
        }
        self.answers[seat.index()] = line.map(<[u8]>::to_vec);
        self.awaited.discard(seat);
        if self.awaited.is_empty() {
            let answers = std::mem::replace(&mut self.answers, vec![None; self.batch.players()]);
            self.batch.step_lines(&[answers], self.memory.outputs()).map_err(|error| error.to_string())?;
            self.awaited = self.position().asked;
        }
        Ok(())
    }

    fn turn(&self) -> u32 {
        self.position().turn
    }

    fn turns_played(&self) -> u32 {
        self.position().turns_played
    }

    fn players(&self) -> u8 {
        self.batch.players() as u8
    }

    fn end(&self) -> Value {
        match self.batch.record(0) {
            Ok(played) => Value::Object(played.end),
            Err(error) => Value::String(error.to_string()),
        }
    }
}

struct Replay<'a> {
    play: Box<dyn Driven>,
    played: &'a Played,
    mismatches: Vec<Mismatch>,
    /// The number of answers before the turn of the parent, by seat.
    past: Vec<u32>,
    /// The answers at the turn of the parent, by seat.
    forked: Vec<Option<Line>>,
}

impl Replay<'_> {
    fn run(mut self) -> Checked {
        let mut question = String::new();
        for (index, turn) in self.played.turns.iter().enumerate() {
            let seat = Seat(turn.player);
            if !self.play.awaited().contains(seat) {
                let awaited = match self.play.awaited() {
                    seats if seats.is_empty() => "the game is over".to_owned(),
                    seats => format!("the answer of {seats:?} is awaited"),
                };
                self.mismatch(Some(index), "player".into(), format!("player {seat} is asked"), awaited);
                return self.finish();
            }
            question.clear();
            self.play.question(seat, &mut question);
            self.compare_question(index, turn, &question);
            self.count_past(turn);
            if let Err(error) = self.play.answer(seat, turn.answer()) {
                self.mismatch(Some(index), "player".into(), format!("player {seat} is asked"), error);
                return self.finish();
            }
        }
        self.compare_parent();
        if self.play.awaited().is_empty() {
            self.compare_end();
        } else {
            let got = format!("the answer of {:?} is awaited", self.play.awaited());
            self.mismatch(None, "end".into(), "the game is over".into(), got);
        }
        self.finish()
    }

    fn finish(self) -> Checked {
        Checked { turns: u64::from(self.play.turns_played()), map: false, mismatches: self.mismatches }
    }

    fn mismatch(&mut self, turn: Option<usize>, what: String, expected: String, got: String) {
        let header = &self.played.header;
        self.mismatches.push(Mismatch {
            game: header.game.clone(),
            seed: header.seed,
            turn,
            what,
            expected,
            got,
        });
    }

    /// Compares the question with the recorded one. The first line that differs is reported.
    fn compare_question(&mut self, index: usize, turn: &Turn, question: &str) {
        let player = turn.player;
        if let Some(input) = &turn.input
            && let Some((at, expected, got)) = different_line(input, question)
        {
            self.mismatch(Some(index), format!("input line {at} of player {player}"), expected, got);
        }
        let Some(expected) = &turn.input_sha256 else { return };
        let got = record::hex(&Sha256::digest(question.as_bytes()));
        if *expected == got {
            return;
        }
        // A digest does not show which line differs; the other recorded parts may.
        let init = turn.init.iter().flatten().count();
        if let Some(lines) = &turn.init {
            let start: String = question.split_inclusive('\n').take(init).collect();
            if let Some((at, expected, got)) = different_line(lines, &start) {
                self.mismatch(
                    Some(index),
                    format!("initialization line {at} of player {player}"),
                    expected,
                    got,
                );
                return;
            }
        }
        if let Some(scores) = &turn.scores {
            let sent: Vec<String> =
                question.lines().skip(init).take(scores.len()).map(str::to_owned).collect();
            let recorded: Vec<String> = scores.iter().map(i64::to_string).collect();
            if sent != recorded {
                let what = format!("scores sent to player {player}");
                self.mismatch(Some(index), what, recorded.join(" "), sent.join(" "));
                return;
            }
        }
        self.mismatch(Some(index), format!("SHA-256 of the input of player {player}"), expected.clone(), got);
    }

    /// Counts an answer up to the turn of the parent.
    fn count_past(&mut self, answer: &Turn) {
        let Some(parent) = &self.played.parent else { return };
        let (turn, seat) = (self.play.turn(), usize::from(answer.player));
        self.past[seat] += u32::from(turn < parent.turn);
        if turn == parent.turn {
            self.forked[seat] = answer.answer().map(|line| Line(line.to_vec()));
        }
    }

    /// Compares the description of the parent with the answers.
    fn compare_parent(&mut self) {
        let Some(parent) = &self.played.parent else { return };
        if !(1..=self.play.turn()).contains(&parent.turn) {
            let got = format!("the match has the turns 1 to {}", self.play.turn());
            return self.mismatch(None, "parent.turn".into(), parent.turn.to_string(), got);
        }
        if parent.seats.len() != self.past.len() {
            let (expected, got) = (parent.seats.len().to_string(), self.past.len().to_string());
            return self.mismatch(None, "parent.seats".into(), expected, got);
        }
        for (seat, recorded) in parent.seats.iter().enumerate() {
            let past = self.past[seat];
            let most = past + u32::from(recorded.given.is_some());
            if recorded.ignored > most || recorded.differed > recorded.ignored {
                let expected = format!("{} ignored, {} different", recorded.ignored, recorded.differed);
                self.mismatch(None, format!("parent.seats[{seat}]"), expected, format!("{past} answers"));
            }
            if recorded.given.is_some() && recorded.given != self.forked[seat] {
                let text =
                    |line: &Option<Line>| line.as_ref().map_or("none".into(), |line| game::quote(&line.0));
                let (expected, got) = (text(&recorded.given), text(&self.forked[seat]));
                self.mismatch(None, format!("parent.seats[{seat}].given"), expected, got);
            }
        }
    }

    /// Compares every key of the recorded end.
    fn compare_end(&mut self) {
        let Value::Object(end) = self.play.end() else {
            return self.mismatch(None, "end".into(), "an object".into(), "none".into());
        };
        let played = self.played;
        for (key, expected) in &played.end {
            let got = end.get(key).unwrap_or(&Value::Null);
            if got != expected {
                self.mismatch(None, format!("end.{key}"), expected.to_string(), got.to_string());
            }
        }
        // An end that says nothing would verify anything.
        let missing: Map<String, Value> =
            end.into_iter().filter(|(key, _)| !played.end.contains_key(key)).collect();
        if let Some((key, got)) = missing.into_iter().next() {
            self.mismatch(
                None,
                format!("end.{key}"),
                "a value".into(),
                format!("{got} (nothing was recorded)"),
            );
        }
    }
}

/// The number (from 1), the recorded and the sent form of the first line that differs.
fn different_line(recorded: &[String], sent: &str) -> Option<(usize, String, String)> {
    let mut lines = sent.lines();
    for (at, expected) in recorded.iter().enumerate() {
        match lines.next() {
            Some(got) if got == expected => {}
            got => {
                let got = got.map_or("the end of the input".to_owned(), |got| game::quote(got.as_bytes()));
                return Some((at + 1, game::quote(expected.as_bytes()), got));
            }
        }
    }
    let extra = lines.next()?;
    Some((recorded.len() + 1, "the end of the input".into(), game::quote(extra.as_bytes())))
}

/// Narrows two different values down to the first element that differs, so that a map is not printed whole.
fn first_difference(expected: &Value, got: &Value) -> (String, String) {
    if let (Value::Array(expected), Value::Array(got)) = (expected, got) {
        if expected.len() != got.len() {
            return (format!("{} elements", expected.len()), format!("{} elements", got.len()));
        }
        if let Some(at) = (0..got.len()).find(|&at| expected[at] != got[at]) {
            return (format!("{} at [{at}]", expected[at]), got[at].to_string());
        }
    }
    (expected.to_string(), got.to_string())
}

/// The result of the verification of files.
#[derive(Default, Debug)]
pub struct Report {
    /// Lines replayed, maps included.
    pub games: u64,
    /// How many of them were maps.
    pub maps: u64,
    /// Turns replayed.
    pub turns: u64,
    /// How many differences there are in all.
    pub mismatches: u64,
    /// The first ones by file and line, at most [`Report::SHOWN`].
    pub first: Vec<(Place, Mismatch)>,
    /// Files and lines that could not be read, by file and line, at most [`Report::SHOWN`].
    pub unreadable: Vec<(Place, String)>,
    /// How many files and lines could not be read.
    pub unreadable_count: u64,
}

/// A line of a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// Position of the file among those asked for.
    pub file: usize,
    /// Number of the line, from 1; 0 stands for the file as a whole.
    pub line: u64,
}

impl Report {
    /// How many differences and unreadable lines are kept in full.
    pub const SHOWN: usize = 10;

    fn add(&mut self, place: &Place, checked: Result<Checked, LineError>) {
        match checked {
            Ok(checked) => {
                self.games += 1;
                self.maps += u64::from(checked.map);
                self.turns += checked.turns;
                self.mismatches += checked.mismatches.len() as u64;
                self.first.extend(checked.mismatches.into_iter().map(|mismatch| (place.clone(), mismatch)));
                keep_first(&mut self.first);
            }
            Err(error) => {
                self.unreadable_count += 1;
                self.unreadable.push((place.clone(), error.to_string()));
                keep_first(&mut self.unreadable);
            }
        }
    }

    fn merge(&mut self, other: Report) {
        self.games += other.games;
        self.maps += other.maps;
        self.turns += other.turns;
        self.mismatches += other.mismatches;
        self.unreadable_count += other.unreadable_count;
        self.first.extend(other.first);
        keep_first(&mut self.first);
        self.unreadable.extend(other.unreadable);
        keep_first(&mut self.unreadable);
    }
}

/// Keeps the first entries by place, so that the result does not depend on the order of the workers.
fn keep_first<T>(list: &mut Vec<(Place, T)>) {
    list.sort_by(|a, b| a.0.cmp(&b.0));
    list.truncate(Report::SHOWN);
}

/// A line for a worker, or the error that occurred when it was read.
type Work = (Place, io::Result<Vec<u8>>);

/// Replays all lines of all files with `workers` threads. `done` counts the lines finished, for a display of progress.
pub fn files(paths: &[PathBuf], workers: usize, done: &AtomicU64) -> Report {
    files_by(Driver::Match, paths, workers, done)
}

/// The same by a driver.
pub fn files_by(driver: Driver, paths: &[PathBuf], workers: usize, done: &AtomicU64) -> Report {
    let (sender, receiver) = sync_channel::<Work>(4 * workers);
    let receiver = Mutex::new(receiver);
    std::thread::scope(|scope| {
        let handles: Vec<_> =
            (0..workers.max(1)).map(|_| scope.spawn(|| work(driver, &receiver, done))).collect();
        for (file, path) in paths.iter().enumerate() {
            if let Err(error) = send_lines(path, file, &sender) {
                let place = Place { file, line: 0 };
                // The workers live as long as the sender, so this cannot fail.
                let _ = sender.send((place, Err(error)));
            }
        }
        drop(sender);
        merged(handles)
    })
}

/// Replays `count` records, each of which is the result of `read`, with `workers` threads.
pub fn records(
    count: usize,
    read: impl Fn(usize) -> io::Result<Vec<u8>> + Sync,
    workers: usize,
    done: &AtomicU64,
) -> Report {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut report = Report::default();
        loop {
            let file = next.fetch_add(1, Ordering::Relaxed);
            if file >= count {
                return report;
            }
            report.add(
                &Place { file, line: 1 },
                read(file).map_err(LineError::Io).and_then(|text| line(&text)),
            );
            done.fetch_add(1, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| merged((0..workers.max(1)).map(|_| scope.spawn(work)).collect()))
}

/// The report of all threads.
fn merged(handles: Vec<ScopedJoinHandle<'_, Report>>) -> Report {
    let mut report = Report::default();
    for handle in handles {
        report.merge(handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
    }
    report
}

fn work(driver: Driver, receiver: &Mutex<Receiver<Work>>, done: &AtomicU64) -> Report {
    let mut report = Report::default();
    loop {
        let next = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((place, text)) = next else { return report };
        report.add(&place, text.map_err(LineError::Io).and_then(|text| line_by(driver, &text)));
        done.fetch_add(1, Ordering::Relaxed);
    }
}

fn send_lines(path: &Path, file: usize, sender: &SyncSender<Work>) -> io::Result<()> {
    lines(path, |number, line| sender.send((Place { file, line: number }, Ok(line))).is_ok())
}

/// No line may be longer: a file without line feeds must not fill the memory.
const LONGEST_LINE: u64 = 256 << 20;

/// Reads a file, compressed or not (its first bytes show which), and passes its lines with their numbers to `take` until it
/// returns false. A document that spreads over several lines is one line.
///
/// # Errors
///
/// When the file cannot be read or has no line in it.
pub fn lines(path: &Path, mut take: impl FnMut(u64, Vec<u8>) -> bool) -> io::Result<()> {
    let mut raw = BufReader::with_capacity(1 << 16, File::open(path)?);
    let mut text: Box<dyn BufRead> = if raw.fill_buf()?.starts_with(&[0x1F, 0x8B]) {
        Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(raw)))
    } else {
        Box::new(raw)
    };
    let mut found = false;
    for number in 1.. {
        let mut line = Vec::new();
        let size = text.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? as u64;
        if size == 0 {
            break;
        }
        if size == LONGEST_LINE {
            return Err(io::Error::other(format!("line {number} is longer than {LONGEST_LINE} bytes")));
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        if !found && is_opening(&line) {
            text.by_ref().take(LONGEST_LINE).read_to_end(&mut line)?;
        }
        found = true;
        if !take(number, line) {
            break;
        }
    }
    if found { Ok(()) } else { Err(io::Error::other("the file has no records in it")) }
}

/// Whether a first line is only the beginning of a document that goes on in the lines below.
fn is_opening(line: &[u8]) -> bool {
    matches!(serde_json::from_slice::<serde::de::IgnoredAny>(line), Err(error) if error.is_eof())
        && line.ends_with(b"\n")
}
