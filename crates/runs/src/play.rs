//! Plays the unfinished matches of a run on many cores.

use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;

use game::Selected;
use play::{
    Heartbeat, MatchPlan, Placement, Runner, StartedMatch, available_memory, cores, to_record, write_record,
};
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
            placements: alternating_placements(simultaneous, selected.players, context.workers),
            records,
        };
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
                    seed: header.seed(unit),
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
                    let unfinished = std::iter::from_fn(|| {
                        (!stop.load(Ordering::Relaxed)).then(|| next.fetch_add(1, Ordering::Relaxed))
                    })
                    .take_while(|&index| index < indices.end)
                    .filter(|index| finished.get((index - indices.start) as usize) != Some(&true));
                    let mut placements = player.placements[worker].iter().cycle();
                    let mut starts = unfinished.map(|index| {
                        let placement = placements.next().cloned().unwrap_or_default();
                        player.start(fixture(index), placement)
                    });
                    let mut ahead = None;
                    while let Some(started) = ahead.take().or_else(|| starts.next()) {
                        if player.placements[worker].len() > 1 {
                            ahead = starts.next();
                        }
                        if stop.load(Ordering::Relaxed) || sender.send(player.play(started)).is_err() {
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
    let cores = cores();
    (cores.len() / cores_of_match(simultaneous, players, &cores)).max(1)
}

/// The cores of each worker, assigned in turn, so that workers share as few as possible.
pub fn placements(simultaneous: bool, players: u8, workers: usize) -> Vec<Placement> {
    let cores = cores();
    deal(&cores, cores_of_match(simultaneous, players, &cores))
        .map(|own| Placement::of(simultaneous, players, &own))
        .take(workers.max(1))
        .collect()
}

/// The placements that each worker uses in turn. A worker with two placements starts the programs of its next match on
/// the cores of the one while the other is played: no core of a match that is played is disturbed.
fn alternating_placements(simultaneous: bool, players: u8, workers: usize) -> Vec<Vec<Placement>> {
    let cores = cores();
    let each = cores_of_match(simultaneous, players, &cores);
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

/// The number of cores that a match uses.
fn cores_of_match(simultaneous: bool, players: u8, cores: &[usize]) -> usize {
    if simultaneous { usize::from(players).min(cores.len()) } else { 1 }.max(1)
}

/// The cores in groups of this size, again and again.
fn deal(cores: &[usize], each: usize) -> impl Iterator<Item = Vec<usize>> {
    let mut cores = cores.iter().copied().cycle();
    std::iter::repeat_with(move || cores.by_ref().take(each).collect())
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
    /// The placements that each worker uses in turn.
    placements: Vec<Vec<Placement>>,
    records: Option<PathBuf>,
}

/// A match of the schedule whose programs are started.
struct Started<'a> {
    fixture: Fixture,
    plan: MatchPlan<'a>,
    programs: StartedMatch<'a>,
}

impl<'a> MatchPlayer<'a> {
    fn runner(&self) -> Runner<'a> {
        Runner::new(self.context.sandbox, self.context.launcher, Some(self.heartbeat))
    }

    /// Starts the programs of a match of the schedule.
    fn start(&self, fixture: Fixture, placement: Placement) -> Started<'a> {
        let plan = MatchPlan {
            game: self.game,
            selected: self.selected,
            seed: fixture.seed,
            bots: fixture.seats.iter().map(|&bot| &self.context.bots[bot]).collect(),
            clock: fixture.clock,
            ponder: fixture.ponder,
            limits: Limits::BOT,
            placement,
            inspect: false,
        };
        let programs = self.runner().start(&plan);
        Started { fixture, plan, programs }
    }

    /// Plays one match of the schedule; `None` if it was void each time.
    fn play(&self, started: Started<'a>) -> Result<Option<MatchLine>, RunError> {
        let Started { fixture: Fixture { index, seed, seats, .. }, plan, programs } = started;
        let (mut played, mut retries) = (programs.play(), 0);
        let line = loop {
            match MatchLine::of(index, seed, &seats, &played) {
                Some(line) => break line,
                None if retries == RETRIES => return Ok(None),
                None => (played, retries) = (self.runner().play(&plan), retries + 1),
            }
        };
        if let Some(folder) = &self.records {
            let path = record_path(folder, index);
            write_record(&path, &to_record(&plan, &played)).map_err(|error| RunError::File(path, error))?;
        }
        Ok(Some(line))
    }
}

/// The path of the record of a match in a folder of records.
pub fn record_path(folder: &Path, index: u64) -> PathBuf {
    folder.join(format!("{index}.json.gz"))
}
