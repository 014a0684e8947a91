//! Plays the unfinished matches of a run on many cores.

use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};

use play::{Heartbeat, Placement};
use sandbox::Sandbox;
use toolchain::{Bot, Launcher};

use crate::error::RunError;
use crate::file::Run;
use crate::header::RunHeader;
use crate::schedule::Schedule;
use crate::work::{Attempt, Fixture, MatchPlayer, Records, WorkQueue, alternating_placements};

/// The most finished matches that wait for the disk; then the workers wait too.
const WAITING: usize = 64;

/// The bots of a run and everything needed to play them.
#[derive(Clone, Copy, Debug)]
pub struct RunContext<'a> {
    /// The bots, by the numbers of the run.
    pub bots: &'a [Bot],
    /// The sandbox.
    pub sandbox: &'a Sandbox,
    /// Starts built-in bots.
    pub launcher: &'a Launcher,
    /// The number of matches at the same time.
    pub workers: usize,
}

impl Run {
    /// Plays the unfinished matches of some units, until all are played, `after` returns that it should stop, or
    /// `stop` is set. Returns the number of matches that were void and are still to be played.
    ///
    /// # Errors
    ///
    /// When a result cannot be stored, or a bot has changed; stored results are kept.
    pub fn play(
        &mut self,
        context: &RunContext<'_>,
        units: Range<u64>,
        stop: &AtomicBool,
        mut after: impl FnMut(&Run) -> ControlFlow<()>,
    ) -> Result<usize, RunError> {
        self.check_bots(context.bots)?;
        let (game, selected) =
            self.header.rules().map_err(|why| RunError::NotARun(self.path().to_owned(), why))?;
        let heartbeat = Heartbeat::start();
        let placements = alternating_placements(game.info().simultaneous, selected.players, context.workers);
        let player = MatchPlayer {
            game,
            selected,
            clock: self.header.clock,
            ponder: self.header.ponder,
            bots: context.bots.iter().map(Some).collect(),
            sandbox: context.sandbox,
            launcher: context.launcher,
            heartbeat: &heartbeat,
            records: self.record_folder()?.map_or(Records::None, Records::Folder),
            // The first signal of a user lets running matches end.
            breaks_off: &|| None,
            watch: None,
        };
        self.play_rounds(units, stop, |run, known| {
            run.play_known(&player, &placements, known, stop, &mut after)
        })
    }

    /// Refuses bots that are not those of the run.
    pub(crate) fn check_bots(&self, bots: &[Bot]) -> Result<(), RunError> {
        let changed = bots.iter().zip(&self.header.digests).find(|(bot, digest)| bot.digest != **digest);
        changed.map_or(Ok(()), |(bot, _)| Err(RunError::BotChanged(bot.asked.clone())))
    }

    /// The folder of records, if they are wanted; it exists then.
    pub(crate) fn record_folder(&self) -> Result<Option<PathBuf>, RunError> {
        let folder = self.header.records.clone().map(PathBuf::from);
        if let Some(folder) = &folder {
            std::fs::create_dir_all(folder).map_err(|error| RunError::File(folder.clone(), error))?;
        }
        Ok(folder)
    }

    /// Plays the unfinished matches of some units, as far as their pairings are known, then those whose pairings became
    /// known by them, and so on. `play` plays a range of matches and returns how many were void.
    pub(crate) fn play_rounds(
        &mut self,
        units: Range<u64>,
        stop: &AtomicBool,
        mut play: impl FnMut(&mut Run, Range<u64>) -> Result<usize, RunError>,
    ) -> Result<usize, RunError> {
        let (each, own) = (u64::from(self.header.players), self.header.own_units());
        let mut first = units.start.max(own.start) * each;
        loop {
            let end = units.end.min(own.end).min(self.units_known()) * each;
            // Finished rounds are passed by once, not again with every later round.
            while first < end && self.has(first) {
                first += 1;
            }
            let known = first..end;
            if known.is_empty() || stop.load(Ordering::Relaxed) {
                return Ok(0);
            }
            let void = play(self, known)?;
            if void > 0 || !self.extend_schedule() {
                return Ok(void);
            }
        }
    }

    /// Plays matches whose pairings are known.
    fn play_known(
        &mut self,
        player: &MatchPlayer<'_>,
        placements: &[Vec<Placement>],
        indices: Range<u64>,
        stop: &AtomicBool,
        after: &mut impl FnMut(&Run) -> ControlFlow<()>,
    ) -> Result<usize, RunError> {
        // One flag for each match up to the last finished one: the workers read it while new results are added.
        let finished: Vec<bool> =
            indices.clone().take_while(|&index| index < self.reach()).map(|index| self.has(index)).collect();
        let next = AtomicU64::new(indices.start);
        let (schedule, header) = (Arc::clone(&self.schedule), self.header.clone());
        let mut void = 0;
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(placements.len() + WAITING);
            for own in placements {
                let queue = MemoryQueue {
                    next: &next,
                    end: indices.end,
                    start: indices.start,
                    finished: &finished,
                    schedule: &schedule,
                    header: &header,
                    results: sender.clone(),
                    stop,
                };
                scope.spawn(move || player.work(&queue, own));
            }
            drop(sender);
            let mut done = Ok(());
            while let Ok(first) = receiver.recv() {
                let mut lines = Vec::new();
                for result in std::iter::once(first).chain(receiver.try_iter()) {
                    match result {
                        Ok(Attempt::Over(over)) => lines.push(over.line),
                        Ok(Attempt::Void { .. }) => void += 1,
                        Err(error) => done = done.and(Err(error)),
                    }
                }
                if !lines.is_empty() && done.is_ok() {
                    done = self.keep(lines);
                }
                if done.is_err() || after(self).is_break() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            done
        })?;
        Ok(void)
    }
}

/// The matches of a run for the threads of this program: each takes the next unfinished one.
struct MemoryQueue<'a> {
    next: &'a AtomicU64,
    start: u64,
    end: u64,
    finished: &'a [bool],
    schedule: &'a Schedule,
    header: &'a RunHeader,
    results: SyncSender<Result<Attempt, RunError>>,
    stop: &'a AtomicBool,
}

impl WorkQueue for MemoryQueue<'_> {
    fn take(&self) -> Option<Fixture> {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.end {
                return None;
            }
            if self.finished.get((index - self.start) as usize) != Some(&true) {
                let seed = self.header.seed(index / u64::from(self.header.players));
                return Some(Fixture { index, seed, seats: self.schedule.seats(index) });
            }
        }
    }

    fn done(&self, _index: u64, result: Result<Attempt, RunError>) -> bool {
        self.results.send(result).is_ok()
    }

    fn stops(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
