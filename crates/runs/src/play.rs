//! Plays the unfinished matches of a run on many cores.

use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;

use game::Selected;
use play::{Heartbeat, MatchPlan, Placement, Runner, cores, to_record, write_record};
use sandbox::{Limits, Sandbox};
use toolchain::{Bot, Launcher};

use crate::error::RunError;
use crate::file::Run;
use crate::line::MatchLine;

/// How often a match that is void by our fault is played again before it is left for later.
const RETRIES: u32 = 3;

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
        for (bot, digest) in context.bots.iter().zip(&self.header.digests) {
            if bot.digest != *digest {
                return Err(RunError::BotChanged(bot.asked.clone()));
            }
        }
        let (game, selected) =
            self.header.rules().map_err(|why| RunError::NotARun(self.path().to_owned(), why))?;
        let records = self.header.records.clone().map(PathBuf::from);
        if let Some(folder) = &records {
            std::fs::create_dir_all(folder).map_err(|error| RunError::File(folder.clone(), error))?;
        }
        let heartbeat = Heartbeat::start();
        let simultaneous = game.info().simultaneous;
        let player = MatchPlayer {
            game,
            selected,
            context,
            heartbeat: &heartbeat,
            placements: placements(simultaneous, selected.players, context.workers),
            records,
        };
        let each = u64::from(self.header.players);
        let mut first = units.start * each;
        loop {
            let end = units.end.min(self.units_known()) * each;
            // Finished rounds are passed by once, not again with every later round.
            while first < end && self.has(first) {
                first += 1;
            }
            let known = first..end;
            if known.is_empty() || stop.load(Ordering::Relaxed) {
                return Ok(0);
            }
            let void = self.play_known(&player, known, stop, &mut after)?;
            if void > 0 || !self.extend_schedule() {
                return Ok(void);
            }
        }
    }

    /// Plays matches whose pairings are known.
    fn play_known(
        &mut self,
        player: &MatchPlayer<'_>,
        indices: Range<u64>,
        stop: &AtomicBool,
        after: &mut impl FnMut(&Run) -> ControlFlow<()>,
    ) -> Result<usize, RunError> {
        let workers = player.context.workers.max(1);
        // One flag for each match up to the last finished one: the workers read it while new results are added.
        let finished: Vec<bool> =
            indices.clone().take_while(|&index| index < self.reach()).map(|index| self.has(index)).collect();
        let next = AtomicU64::new(indices.start);
        let fixture = {
            let (schedule, header) = (Arc::clone(&self.schedule), self.header.clone());
            move |index: u64| {
                let unit = index / u64::from(header.players);
                Fixture {
                    index,
                    seed: header.first_seed.wrapping_add_unsigned(unit),
                    seats: schedule.seats(index),
                    clock: header.clock,
                    ponder: header.ponder,
                }
            }
        };
        let mut void = 0;
        std::thread::scope(|scope| {
            let (sender, receiver) = sync_channel(workers + WAITING);
            for worker in 0..workers {
                let sender = sender.clone();
                let (player, indices, finished, next, fixture) =
                    (&player, &indices, &finished, &next, &fixture);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= indices.end {
                            break;
                        }
                        if finished.get((index - indices.start) as usize) == Some(&true) {
                            continue;
                        }
                        if sender.send(player.play(&fixture(index), worker)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut done = Ok(());
            while let Ok(first) = receiver.recv() {
                let mut lines = Vec::new();
                for result in std::iter::once(first).chain(receiver.try_iter()) {
                    match result {
                        Ok(Some(line)) => lines.push(line),
                        Ok(None) => void += 1,
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

/// The number of matches at once that do not disturb each other's clocks: if players take turns a match needs one
/// core; if they answer together, each player needs one.
pub fn workers_for(simultaneous: bool, players: u8) -> usize {
    let cores = cores().len();
    if simultaneous { (cores / players as usize).max(1) } else { cores.max(1) }
}

/// The cores of each worker, assigned in turn, so that workers share as few as possible.
pub fn placements(simultaneous: bool, players: u8, workers: usize) -> Vec<Placement> {
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

/// A match of the schedule.
struct Fixture {
    index: u64,
    seed: i64,
    seats: Vec<usize>,
    clock: referee::Clock,
    ponder: bool,
}

/// The data that all matches of a run have in common.
struct MatchPlayer<'a> {
    game: &'static dyn catalog::AnyGame,
    selected: Selected,
    context: &'a RunContext<'a>,
    heartbeat: &'a Heartbeat,
    placements: Vec<Placement>,
    records: Option<PathBuf>,
}

impl MatchPlayer<'_> {
    /// Plays one match of the schedule; `None` if it was void each time.
    fn play(&self, fixture: &Fixture, worker: usize) -> Result<Option<MatchLine>, RunError> {
        let Fixture { index, seed, seats, .. } = fixture;
        let bots: Vec<Bot> = seats.iter().map(|&bot| self.context.bots[bot].clone()).collect();
        let plan = MatchPlan {
            game: self.game,
            selected: self.selected,
            seed: *seed,
            bots: &bots,
            clock: fixture.clock,
            ponder: fixture.ponder,
            limits: Limits::BOT,
            placement: self.placements[worker % self.placements.len()].clone(),
            inspect: false,
        };
        let runner = Runner::new(self.context.sandbox, self.context.launcher, Some(self.heartbeat));
        for _ in 0..=RETRIES {
            let played = runner.play(&plan);
            let Some(line) = MatchLine::of(*index, *seed, seats, &played) else { continue };
            if let Some(folder) = &self.records {
                let path = record_path(folder, *index);
                write_record(&path, &to_record(&plan, &played))
                    .map_err(|error| RunError::File(path.clone(), error))?;
            }
            return Ok(Some(line));
        }
        Ok(None)
    }
}

/// The path of the record of a match in a folder of records.
pub fn record_path(folder: &Path, index: u64) -> PathBuf {
    folder.join(format!("{index}.json.gz"))
}
