//! Many matches: a schedule, workers, and a run file in which nothing is lost.
//!
//! A run plays each of its seeds from every seat: the rotations of one seed are a *unit*, the smallest thing statistics may
//! count. Each finished match is appended to the run file and forced to disk before it is told to anybody. A run that was
//! stopped, however rudely, goes on where its file ends. What is played and what is told depends on the file's header alone,
//! never on the number of workers or the order in which matches end.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

use game::{Selected, Selection};
use referee::{Cause, Clock, Ending};
use sandbox::{Level, Limits, Sandbox};
use serde::{Deserialize, Serialize};

use crate::bot::Bot;
use crate::host::{Heartbeat, Placement, cores};
use crate::runner::{MatchPlan, PlayedMatch, Runner};

/// The version of the run files this program writes.
const VERSION: u32 = 1;

/// What a run plays: the first line of its file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunHeader {
    /// Version of the file.
    pub agon_run: u32,
    /// Name of the game.
    pub game: String,
    /// Level of the league.
    pub league: u8,
    /// Name of the edition.
    pub rules: String,
    /// The bots, by the words they were asked for by; as many as play in one match.
    pub bots: Vec<String>,
    /// SHA-256 of each bot, where there is a file: a bot that changed is another bot.
    pub digests: Vec<Option<String>>,
    /// Seed of the first unit; each next one has the next seed.
    pub first_seed: i64,
    /// How many units are played at the most.
    pub units: u64,
    /// How time is kept.
    pub clock: Clock,
    /// The box.
    pub sandbox: Level,
    /// Whether bots may think while they are not asked.
    pub ponder: bool,
    /// The hypotheses of an early stop, if there is one: Elo differences.
    pub sprt: Option<(f64, f64)>,
}

impl RunHeader {
    /// The version this program writes.
    pub const VERSION: u32 = VERSION;

    /// How many matches there are in all.
    pub fn matches(&self) -> u64 {
        self.units * self.bots.len() as u64
    }

    /// Seed and seating of a match: the bot of each seat.
    pub fn match_at(&self, index: u64) -> (i64, Vec<usize>) {
        let bots = self.bots.len();
        let (unit, rotation) = (index / bots as u64, (index % bots as u64) as usize);
        let seats = (0..bots).map(|seat| (seat + rotation) % bots).collect();
        (self.first_seed.wrapping_add_unsigned(unit), seats)
    }
}

/// A finished match: a line of the run file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchLine {
    /// Its place in the schedule.
    pub index: u64,
    /// Its seed.
    #[serde(with = "catalog::record::seed_text")]
    pub seed: i64,
    /// The bot of each seat.
    pub seats: Vec<usize>,
    /// Final scores, by seat.
    pub scores: Vec<i64>,
    /// Places, by seat.
    pub ranks: Vec<u8>,
    /// What ended the game.
    pub reason: String,
    /// Why a player lost by its own fault, by seat: the short name.
    pub causes: Vec<Option<String>>,
    /// The same in a sentence.
    pub details: Vec<Option<String>>,
    /// How many turns it took.
    pub turns: u32,
    /// The slowest answer but the first, in microseconds, by seat.
    pub slowest_us: Vec<u64>,
}

impl MatchLine {
    /// The place of each bot, in the order of the bots.
    pub fn ranks_by_bot(&self) -> Vec<u8> {
        let mut ranks = vec![0; self.seats.len()];
        for (seat, &bot) in self.seats.iter().enumerate() {
            ranks[bot] = self.ranks[seat];
        }
        ranks
    }
}

/// A run file that cannot be used.
#[derive(Debug)]
pub enum RunError {
    /// It cannot be read or written.
    File(PathBuf, io::Error),
    /// Something else has this name already.
    Exists(PathBuf),
    /// It is not a run file, or of a version this program does not know.
    NotARun(PathBuf, String),
    /// A bot is not what it was when the run began.
    BotChanged(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::File(path, error) => write!(f, "{}: {error}", path.display()),
            RunError::Exists(path) => write!(
                f,
                "{} exists; `agon resume {}` goes on with it, another --run begins anew",
                path.display(),
                path.display()
            ),
            RunError::NotARun(path, why) => write!(f, "{} is not a run: {why}", path.display()),
            RunError::BotChanged(bot) => {
                write!(
                    f,
                    "the bot {bot} is not what it was when the run began; begin a new run for the new bot"
                )
            }
        }
    }
}

impl std::error::Error for RunError {}

/// A run and the file it is kept in.
#[derive(Debug)]
pub struct Run {
    /// What is played.
    pub header: RunHeader,
    path: PathBuf,
    file: File,
    /// Finished matches by their place in the schedule.
    results: Vec<Option<MatchLine>>,
    finished: usize,
}

impl Run {
    /// Begins a run in a new file.
    ///
    /// # Errors
    ///
    /// When there is a file of this name already, or it cannot be written.
    pub fn create(path: &Path, header: RunHeader) -> Result<Run, RunError> {
        let at = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => RunError::Exists(path.to_owned()),
            _ => RunError::File(path.to_owned(), error),
        };
        let file = OpenOptions::new().create_new(true).write(true).open(path).map_err(at)?;
        let results = vec![None; header.matches() as usize];
        let mut run = Run { header, path: path.to_owned(), file, results, finished: 0 };
        let line =
            serde_json::to_vec(&run.header).map_err(|error| RunError::File(path.to_owned(), error.into()))?;
        run.append(line)?;
        Ok(run)
    }

    /// Opens a run that was stopped. A last line that was cut off by a crash is forgotten; its match is played again.
    ///
    /// # Errors
    ///
    /// When it is not a run file.
    pub fn open(path: &Path) -> Result<Run, RunError> {
        let at = |error| RunError::File(path.to_owned(), error);
        let not = |why: String| RunError::NotARun(path.to_owned(), why);
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(at)?;
        let mut reader = BufReader::new(&file);
        let mut line = Vec::new();
        let mut whole = reader.read_until(b'\n', &mut line).map_err(at)? as u64;
        let header: RunHeader = serde_json::from_slice(&line).map_err(|error| not(error.to_string()))?;
        if header.agon_run > VERSION {
            return Err(not(format!(
                "it has version {}, this program reads up to {VERSION}",
                header.agon_run
            )));
        }
        let mut results = vec![None; header.matches() as usize];
        loop {
            line.clear();
            let size = reader.read_until(b'\n', &mut line).map_err(at)?;
            if size == 0 || !line.ends_with(b"\n") {
                break;
            }
            let result: MatchLine = serde_json::from_slice(&line).map_err(|error| not(error.to_string()))?;
            let place = results
                .get_mut(result.index as usize)
                .ok_or_else(|| not("a match is out of its schedule".into()))?;
            // Whatever happened, no match counts twice.
            place.get_or_insert(result);
            whole += size as u64;
        }
        drop(reader);
        file.set_len(whole).map_err(at)?;
        file.seek(SeekFrom::End(0)).map_err(at)?;
        let finished = results.iter().flatten().count();
        Ok(Run { header, path: path.to_owned(), file, results, finished })
    }

    /// The rule set of the run.
    ///
    /// # Errors
    ///
    /// When the file names a game or rules that do not exist.
    pub fn rules(&self) -> Result<(&'static dyn catalog::AnyGame, Selected), RunError> {
        let not = |why: String| RunError::NotARun(self.path.clone(), why);
        let game = catalog::find(&self.header.game).map_err(not)?;
        let asked = Selection {
            league: Some(self.header.league),
            edition: Some(self.header.rules.clone()),
            players: u8::try_from(self.header.bots.len()).ok(),
        };
        Ok((game, game.select(&asked).map_err(|error| not(error.to_string()))?))
    }

    /// Where it is kept.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Finished matches in the order of the schedule, however they came.
    pub fn results(&self) -> impl Iterator<Item = &MatchLine> {
        self.results.iter().flatten()
    }

    /// How many matches are finished.
    pub fn finished(&self) -> usize {
        self.finished
    }

    /// The matches of a unit, if all of them are finished. An early stop may look at units in their order only, up to the first
    /// that is not finished: otherwise what it says would depend on who was faster.
    pub fn unit(&self, unit: u64) -> Option<Vec<&MatchLine>> {
        let each = self.header.bots.len();
        let from = unit as usize * each;
        self.results.get(from..from + each)?.iter().map(Option::as_ref).collect()
    }

    fn append(&mut self, mut line: Vec<u8>) -> Result<(), RunError> {
        line.push(b'\n');
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        written.map_err(|error| RunError::File(self.path.clone(), error))
    }

    fn keep(&mut self, result: MatchLine) -> Result<(), RunError> {
        let line =
            serde_json::to_vec(&result).map_err(|error| RunError::File(self.path.clone(), error.into()))?;
        self.append(line)?;
        let place = &mut self.results[result.index as usize];
        self.finished += usize::from(place.is_none());
        place.get_or_insert(result);
        Ok(())
    }

    /// Plays what is not finished, with so many workers, until all is played, `after` each match says to stop, or `stop` is set.
    /// Returns how many matches were void and are still to be played.
    ///
    /// # Errors
    ///
    /// When a result cannot be kept, or a bot is not what it was; what was kept stays.
    pub fn play(
        &mut self,
        bots: &[Bot],
        sandbox: &Sandbox,
        workers: usize,
        stop: &AtomicBool,
        mut after: impl FnMut(&Run) -> ControlFlow<()>,
    ) -> Result<usize, RunError> {
        for (bot, digest) in bots.iter().zip(&self.header.digests) {
            if bot.digest != *digest {
                return Err(RunError::BotChanged(bot.asked.clone()));
            }
        }
        let (game, selected) = self.rules()?;
        let todo: Vec<u64> =
            (0..self.header.matches()).filter(|&index| self.results[index as usize].is_none()).collect();
        let heartbeat = Heartbeat::start();
        let table = Tables {
            header: self.header.clone(),
            game,
            selected,
            bots,
            sandbox,
            heartbeat: &heartbeat,
            placements: placements(game.info().simultaneous, selected.players, workers),
        };
        let next = AtomicUsize::new(0);
        let mut void = 0;
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(workers);
            for worker in 0..workers.max(1) {
                let (sender, table, todo, next) = (sender.clone(), &table, &todo, &next);
                scope.spawn(move || {
                    while let Some(&index) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if stop.load(Ordering::Relaxed) || sender.send(table.play(index, worker)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut done = Ok(());
            for result in receiver {
                match result {
                    None => void += 1,
                    Some(result) => {
                        if done.is_ok() {
                            done = self.keep(result);
                        }
                        if done.is_err() || after(self).is_break() {
                            stop.store(true, Ordering::Relaxed);
                        }
                    }
                }
            }
            done
        })?;
        Ok(void)
    }
}

/// How many matches at once do not disturb each other's clocks: where players take turns a match needs a core, where they answer
/// together each player does.
pub fn workers_for(simultaneous: bool, players: u8) -> usize {
    let cores = cores().len();
    if simultaneous { (cores / players as usize).max(1) } else { cores.max(1) }
}

/// The cores of each worker: dealt out in turn, so that workers share as few as there are.
fn placements(simultaneous: bool, players: u8, workers: usize) -> Vec<Placement> {
    let cores = cores();
    let each = if simultaneous { players as usize } else { 1 };
    let mut deal = cores.iter().copied().cycle();
    (0..workers.max(1))
        .map(|_| {
            let own: Vec<usize> = deal.by_ref().take(each.min(cores.len())).collect();
            Placement::of(simultaneous, players, &own)
        })
        .collect()
}

/// A match that is our fault is played again so many times before it is left for later.
const RETRIES: u32 = 3;

struct Tables<'a> {
    header: RunHeader,
    game: &'static dyn catalog::AnyGame,
    selected: Selected,
    bots: &'a [Bot],
    sandbox: &'a Sandbox,
    heartbeat: &'a Heartbeat,
    placements: Vec<Placement>,
}

impl Tables<'_> {
    /// Plays one match of the schedule; `None` if it was void each time.
    fn play(&self, index: u64, worker: usize) -> Option<MatchLine> {
        let (seed, seats) = self.header.match_at(index);
        let bots: Vec<Bot> = seats.iter().map(|&bot| self.bots[bot].clone()).collect();
        let plan = MatchPlan {
            game: self.game,
            selected: self.selected,
            seed,
            bots: &bots,
            clock: self.header.clock,
            ponder: self.header.ponder,
            limits: Limits::BOT,
            placement: self.placements[worker % self.placements.len()].clone(),
            inspect: false,
        };
        let runner = Runner::new(self.sandbox, Some(self.heartbeat));
        (0..=RETRIES).find_map(|_| line_of(index, seed, &seats, &runner.play(&plan, &mut ())))
    }
}

fn line_of(index: u64, seed: i64, seats: &[usize], played: &PlayedMatch) -> Option<MatchLine> {
    let Ending::Over { outcome, causes } = &played.ending else { return None };
    let slowest = |seat: usize| {
        let walls = played.log.iter().filter(|turn| turn.seat.index() == seat).skip(1).map(|turn| turn.wall);
        walls.max().unwrap_or_default().as_micros() as u64
    };
    Some(MatchLine {
        index,
        seed,
        seats: seats.to_vec(),
        scores: outcome.scores.clone(),
        ranks: outcome.ranks.clone(),
        reason: outcome.reason.clone(),
        causes: causes
            .iter()
            .map(|cause| cause.as_ref().map(|cause| Cause::name(cause).to_owned()))
            .collect(),
        details: causes.iter().map(|cause| cause.as_ref().map(ToString::to_string)).collect(),
        turns: played.play.turns_played(),
        slowest_us: (0..seats.len()).map(slowest).collect(),
    })
}
