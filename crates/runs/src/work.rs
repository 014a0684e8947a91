//! Playing matches on one thread: the one loop behind the threads of this program and the workers of a cluster.

use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use game::{Seat, Selected};
use play::{
    Heartbeat, MatchPlan, Placement, PlayedMatch, Runner, StartedMatch, Watcher, available_memory, cores,
    to_record, write_record,
};
use referee::{Cause, Clock, Ending};
use sandbox::{Limits, Sandbox};
use toolchain::{Bot, How, Launcher};

use crate::error::RunError;
use crate::line::MatchLine;

/// How often a match that is void by our fault is played again before it is left for later.
const RETRIES: u32 = 3;

/// Hands matches to a thread and takes their results.
pub(crate) trait WorkQueue {
    /// The next match; `None` when there is none for this thread.
    fn take(&self) -> Option<Fixture>;
    /// Takes the result of a match. Returns whether the thread goes on.
    fn done(&self, index: u64, result: Result<Attempt, RunError>) -> bool;
    /// Whether no further match shall begin.
    fn stops(&self) -> bool;
}

/// A match of the schedule.
pub(crate) struct Fixture {
    pub(crate) index: u64,
    pub(crate) seed: i64,
    /// The number of the bot in each seat.
    pub(crate) seats: Vec<usize>,
}

/// The result of playing a match.
pub(crate) enum Attempt {
    /// It was played to its end.
    Over(Box<Finished>),
    /// It was void each time.
    Void {
        /// The reason of the last time.
        why: String,
        /// The seat whose bot caused it, if there is one.
        by: Option<usize>,
    },
}

/// A match that was played.
pub(crate) struct Finished {
    pub(crate) line: MatchLine,
    /// The compressed record, if it is wanted.
    pub(crate) record: Option<Vec<u8>>,
}

/// Where the records of matches go.
pub(crate) enum Records {
    /// They are not wanted.
    None,
    /// To a folder.
    Folder(PathBuf),
    /// Compressed, to the queue.
    Queue,
}

/// The data that all matches of a run have in common.
pub(crate) struct MatchPlayer<'a> {
    pub(crate) game: &'static dyn catalog::AnyGame,
    pub(crate) selected: Selected,
    pub(crate) clock: Clock,
    pub(crate) ponder: bool,
    /// The bots by number; numbers that are not played have no bot.
    pub(crate) bots: Vec<Option<&'a Bot>>,
    pub(crate) sandbox: &'a Sandbox,
    pub(crate) launcher: &'a Launcher,
    pub(crate) heartbeat: &'a Heartbeat,
    pub(crate) records: Records,
    /// Returns a reason when matches have to be broken off.
    pub(crate) breaks_off: &'a (dyn Fn() -> Option<String> + Sync),
    /// Makes the watcher of a match, if matches are watched.
    pub(crate) watch: Option<&'a (dyn Fn(u64) -> Box<dyn Watcher> + Sync)>,
}

/// A match of the schedule whose programs are started.
struct Started<'a> {
    fixture: Fixture,
    plan: MatchPlan<'a>,
    /// `None` if the match is watched: its programs start when it is played.
    programs: Option<StartedMatch<'a>>,
}

impl<'a> MatchPlayer<'a> {
    /// Plays the matches of a queue. With two placements, the programs of the next match start on the cores of the one
    /// while a match is played on the other: no core of a match that is played is disturbed.
    pub(crate) fn work(&self, queue: &impl WorkQueue, placements: &[Placement]) {
        let mut placement = placements.iter().cycle();
        let mut starts = std::iter::from_fn(|| if queue.stops() { None } else { queue.take() })
            .map(|fixture| self.start(fixture, placement.next().cloned().unwrap_or_default()));
        let mut ahead = None;
        while let Some(started) = ahead.take().or_else(|| starts.next()) {
            if placements.len() > 1 {
                ahead = starts.next();
            }
            let index = started.fixture.index;
            if queue.stops() || !queue.done(index, self.play(started)) {
                break;
            }
        }
    }

    fn runner(&self) -> Runner<'a> {
        Runner::new(self.sandbox, self.launcher, Some(self.heartbeat)).breaking_off(self.breaks_off)
    }

    /// Starts the programs of a match of the schedule.
    fn start(&self, fixture: Fixture, placement: Placement) -> Started<'a> {
        let plan = MatchPlan {
            game: self.game,
            selected: self.selected,
            seed: fixture.seed,
            bots: fixture.seats.iter().filter_map(|&bot| *self.bots.get(bot)?).collect(),
            clock: self.clock,
            ponder: self.ponder,
            limits: Limits::BOT,
            placement,
            inspect: false,
        };
        let programs = self.watch.is_none().then(|| self.runner().start(&plan));
        Started { fixture, plan, programs }
    }

    /// Plays one match of the schedule.
    fn play(&self, started: Started<'a>) -> Result<Attempt, RunError> {
        let Started { fixture: Fixture { index, seed, seats }, plan, programs } = started;
        let play = || match self.watch {
            Some(watch) => self.runner().play_watched(&plan, &mut *watch(index)),
            None => self.runner().play(&plan),
        };
        let (mut played, mut retries) = (programs.map_or_else(&play, StartedMatch::play), 0);
        let line = loop {
            match (MatchLine::of(index, seed, &seats, &played), &played.ending) {
                (Some(line), _) => break line,
                (None, Ending::Void { why, by }) if retries == RETRIES || (self.breaks_off)().is_some() => {
                    return Ok(Attempt::Void { why: why.clone(), by: by.map(Seat::index) });
                }
                (None, _) => (played, retries) = (play(), retries + 1),
            }
        };
        let record = match &self.records {
            Records::None => None,
            Records::Folder(folder) => {
                let path = record_path(folder, index);
                write_record(&path, &to_record(&plan, &played))
                    .map_err(|error| RunError::File(path, error))?;
                None
            }
            Records::Queue => {
                hide_folders(&mut played, &plan.bots);
                let unwritten = |error| RunError::File("the record".into(), error);
                let mut packed = GzEncoder::new(Vec::new(), Compression::default());
                let written = serde_json::to_writer(&mut packed, &to_record(&plan, &played));
                written.map_err(|error| unwritten(error.into()))?;
                Some(packed.finish().map_err(unwritten)?)
            }
        };
        Ok(Attempt::Over(Box::new(Finished { line, record })))
    }
}

/// Removes the folder of a bot's program from its output: tracebacks contain it, and it reveals the setup of this
/// host.
pub fn hide_folders(played: &mut PlayedMatch, bots: &[&Bot]) {
    for (seat, bot) in bots.iter().enumerate() {
        let How::Program(program) = &bot.how else { continue };
        let Some(folder) = &program.folder else { continue };
        let folder = format!("{}/", folder.display());
        for entry in played.log.iter_mut().filter(|entry| entry.seat.index() == seat) {
            if let Some(shown) = without(&entry.stderr, folder.as_bytes()) {
                entry.stderr = shown;
            }
        }
        if let Ending::Over { causes, .. } = &mut played.ending
            && let Some(Some(Cause::Crash { stderr, .. })) = causes.get_mut(seat)
        {
            *stderr = stderr.replace(&folder, "");
        }
    }
}

/// The text without every `part`; `None` when it contains none, which is usual.
fn without(text: &[u8], part: &[u8]) -> Option<Vec<u8>> {
    let find = |text: &[u8]| text.windows(part.len()).position(|window| window == part);
    let (mut rest, mut shown) = (text, Vec::new());
    while let Some(at) = find(rest) {
        shown.extend_from_slice(&rest[..at]);
        rest = &rest[at + part.len()..];
    }
    (rest.len() < text.len()).then(|| [&shown, rest].concat())
}

/// The path of the record of a match in a folder of records.
pub fn record_path(folder: &Path, index: u64) -> PathBuf {
    folder.join(format!("{index}.json.gz"))
}

/// The number of matches at once that do not disturb each other's clocks: if players take turns a match needs one
/// core; if they answer together, each player needs one.
pub fn workers_for(simultaneous: bool, players: u8) -> usize {
    let cores = cores();
    (cores.len() / cores_of_match(simultaneous, players, cores.len())).max(1)
}

/// The cores of each worker, assigned in turn, so that workers share as few as possible.
pub fn placements(simultaneous: bool, players: u8, workers: usize) -> Vec<Placement> {
    let cores = cores();
    deal(&cores, cores_of_match(simultaneous, players, cores.len()))
        .map(|own| Placement::of(simultaneous, players, &own))
        .take(workers.max(1))
        .collect()
}

/// The placements that each worker uses in turn. A worker gets two where there are enough cores and memory.
pub(crate) fn alternating_placements(simultaneous: bool, players: u8, workers: usize) -> Vec<Vec<Placement>> {
    let cores = cores();
    let each = cores_of_match(simultaneous, players, cores.len());
    let workers = workers.max(1);
    let mut deal = deal(&cores, each).map(|own| Placement::of(simultaneous, players, &own));
    let mut placements: Vec<Vec<Placement>> = deal.by_ref().take(workers).map(|first| vec![first]).collect();
    let idle = cores.len().saturating_sub(workers * each) / each;
    let memory = Limits::BOT.memory.saturating_mul(u64::from(players));
    let room = available_memory() / memory.max(1);
    let spare = idle.min(usize::try_from(room).unwrap_or(0).saturating_sub(workers));
    for (own, second) in placements.iter_mut().zip(deal.take(spare)) {
        own.push(second);
    }
    placements
}

/// The number of cores that a match uses on a host with this number of cores.
pub(crate) fn cores_of_match(simultaneous: bool, players: u8, cores: usize) -> usize {
    if simultaneous { usize::from(players).min(cores) } else { 1 }.max(1)
}

/// The cores in groups of this size, again and again.
fn deal(cores: &[usize], each: usize) -> impl Iterator<Item = Vec<usize>> {
    let mut cores = cores.iter().copied().cycle();
    std::iter::repeat_with(move || cores.by_ref().take(each).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_folders_are_removed() {
        assert_eq!(
            without(b"File \"/data/w/1/bot.py\", in /data/w/1/", b"/data/w/1/").unwrap(),
            b"File \"bot.py\", in "
        );
        assert_eq!(without(b"File \"bot.py\"", b"/data/w/1/"), None);
        assert_eq!(without(b"", b"/data/"), None);
    }
}
