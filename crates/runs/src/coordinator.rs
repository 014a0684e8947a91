//! The coordinator of a run on a cluster: it sends work, writes results to the run file and only then acknowledges them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::ops::{ControlFlow, Range};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use cluster::{
    Cluster, ClusterError, Job, Master, MatchOutcome, MatchReport, MatchWork, Matches, Received, Work,
};
use sha2::{Digest, Sha256};
use tokio::runtime::Handle;
use toolchain::{Bot, PortableBot};

use crate::error::RunError;
use crate::file::Run;
use crate::line::MatchLine;
use crate::work::record_path;

/// The pause after a failed request.
const AGAIN: Duration = Duration::from_millis(500);
/// The interval in which the number of workers is read.
const COUNT: Duration = Duration::from_secs(2);
/// The units that wait for workers or are with them: some for each core, and not too many, since other masters wait
/// behind them.
const UNITS_PER_CORE: usize = 16;
const FEWEST_UNITS: usize = 64;
const MOST_UNITS: usize = 8192;
/// The most units that are sent at once.
const SENT_AT_ONCE: usize = 256;

/// The connection of a run to a cluster.
#[derive(Debug)]
pub struct Coordinator {
    handle: Handle,
    master: Master,
    token: AtomicU64,
    /// The digests of the files that were sent.
    sent: Mutex<BTreeSet<String>>,
}

/// The bots of a run that workers play.
#[derive(Clone, Copy)]
pub struct ClusterContext<'a> {
    /// The connection.
    pub coordinator: &'a Coordinator,
    /// The bots, by the numbers of the run.
    pub bots: &'a [Bot],
    /// Tells the user something.
    pub say: &'a dyn Fn(&str),
}

impl std::fmt::Debug for ClusterContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClusterContext").field("bots", &self.bots).finish_non_exhaustive()
    }
}

impl Coordinator {
    /// Connects a run to a cluster. The runtime must have a thread of its own.
    ///
    /// # Errors
    ///
    /// When the server does not answer, or is used by another version.
    pub fn open(handle: Handle, cluster: Cluster, run: &Run) -> Result<Coordinator, RunError> {
        let nanoseconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos());
        let token = AtomicU64::new((nanoseconds as u64) >> 1);
        let master = handle.block_on(Master::open(cluster, master_id(run)?))?;
        // Work of an earlier start is sent again; results that wait are taken.
        handle.block_on(master.clear())?;
        Ok(Coordinator { handle, master, token, sent: Mutex::default() })
    }

    /// The portable forms of bots. Their files are put into the object store.
    fn send_bots(&self, bots: &[Bot]) -> Result<Vec<PortableBot>, RunError> {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let mut portable: Vec<PortableBot> = Vec::with_capacity(bots.len());
        for bot in bots {
            let (form, file) = PortableBot::of(bot)?;
            if let (Some(path), Some(digest)) = (file, &form.digest)
                && !sent.contains(digest)
            {
                let bytes = fs::read(&path).map_err(|error| RunError::File(path, error))?;
                let found = self.handle.block_on(self.master.put_file(&bytes))?;
                if found != *digest {
                    return Err(RunError::BotChanged(bot.asked.clone()));
                }
                sent.insert(found);
            }
            portable.push(form);
        }
        Ok(portable)
    }
}

/// The name of a run on a cluster: the same after a restart of the coordinator, so that it gets the results that wait
/// for it; another one for every run file.
fn master_id(run: &Run) -> Result<String, RunError> {
    let at = |error| RunError::File(run.path().to_owned(), error);
    let path = run.path().canonicalize().map_err(at)?;
    let inode = fs::metadata(&path).map_err(at)?.ino();
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let header = serde_json::to_string(&run.header).map_err(|error| at(error.into()))?;
    let digest = Sha256::digest(format!("{}\n{inode}\n{host}\n{header}", path.display()));
    Ok(catalog::record::hex(&digest[..12]))
}

impl Run {
    /// As [`Run::play`], with the workers of a cluster. `after` is also called when there is no new result.
    ///
    /// # Errors
    ///
    /// When a result cannot be stored, a bot has changed or cannot be sent; stored results are kept.
    pub fn play_on(
        &mut self,
        context: &ClusterContext<'_>,
        units: Range<u64>,
        stop: &AtomicBool,
        mut after: impl FnMut(&Run) -> ControlFlow<()>,
    ) -> Result<usize, RunError> {
        self.check_bots(context.bots)?;
        self.record_folder()?;
        let bots = context.coordinator.send_bots(context.bots)?;
        self.play_rounds(units, stop, |run, known| run.play_known_on(context, &bots, known, stop, &mut after))
    }

    /// Lets workers play matches whose pairings are known.
    fn play_known_on(
        &mut self,
        context: &ClusterContext<'_>,
        bots: &[PortableBot],
        indices: Range<u64>,
        stop: &AtomicBool,
        after: &mut impl FnMut(&Run) -> ControlFlow<()>,
    ) -> Result<usize, RunError> {
        let token = context.coordinator.token.fetch_add(1, Ordering::Relaxed);
        let each = u64::from(self.header.players);
        let mut session = Session {
            context: *context,
            bots,
            token,
            units: indices.start / each..indices.end.div_ceil(each),
            open: BTreeSet::new(),
            to_send: BTreeSet::new(),
            void: BTreeSet::new(),
            window: FEWEST_UNITS,
            counted: None,
            is_away: false,
        };
        let played = session.play(self, stop, after);
        let is_complete = session.open.is_empty() && session.units.is_empty();
        if !is_complete {
            // If this fails, workers play for some time in vain, and the results come with the next start.
            let _ = context.coordinator.handle.block_on(context.coordinator.master.stop(token));
        }
        played.map(|()| session.void.len())
    }

    /// The line of a report, if it is the result of the right match.
    fn line_of(&self, report: &MatchReport) -> Option<MatchLine> {
        let MatchOutcome::Over { line, .. } = &report.outcome else { return None };
        let line = serde_json::to_vec(line).ok()?;
        let line = MatchLine::parse(&line, &self.header).ok()?;
        let expected = self.match_at(report.index)?;
        (line.index == report.index && (line.seed, &line.seats) == (expected.0, &expected.1)).then_some(line)
    }
}

/// The matches that are being played.
struct Session<'a> {
    context: ClusterContext<'a>,
    bots: &'a [PortableBot],
    token: u64,
    /// Units that were not looked at yet.
    units: Range<u64>,
    /// Units that were sent and are not finished.
    open: BTreeSet<u64>,
    /// Units of `open` that have to be sent.
    to_send: BTreeSet<u64>,
    /// Matches that were void.
    void: BTreeSet<u64>,
    /// The most open units.
    window: usize,
    /// When the workers were counted.
    counted: Option<(Instant, usize)>,
    /// Whether the user was told that the server does not answer.
    is_away: bool,
}

impl Session<'_> {
    fn block<T>(&self, work: impl Future<Output = T>) -> T {
        self.context.coordinator.handle.block_on(work)
    }

    fn master(&self) -> &Master {
        &self.context.coordinator.master
    }

    fn play(
        &mut self,
        run: &mut Run,
        stop: &AtomicBool,
        after: &mut impl FnMut(&Run) -> ControlFlow<()>,
    ) -> Result<(), RunError> {
        loop {
            self.open_units(run);
            if self.open.is_empty() {
                return Ok(());
            }
            if let Err(error) = self.exchange(run)? {
                if !self.is_away {
                    (self.context.say)(&format!("{error}; results are kept, and the run goes on by itself"));
                }
                self.is_away = true;
                std::thread::sleep(AGAIN);
            } else {
                self.is_away = false;
            }
            if after(run).is_break() {
                stop.store(true, Ordering::Relaxed);
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
    }

    /// Sends work and takes results once. The outer error is ours, the inner one that of the server.
    fn exchange(&mut self, run: &mut Run) -> Result<Result<(), ClusterError>, RunError> {
        if let Err(error) = self.count_workers().and_then(|()| self.send(run)) {
            self.restore();
            return Ok(Err(error));
        }
        match self.block(self.master().reports(Master::TICK)) {
            Ok(reports) if reports.is_empty() => Ok(self.look_for_lost(run)),
            Ok(reports) => {
                self.take(run, &reports)?;
                self.block(self.master().acknowledge(&reports));
                Ok(Ok(()))
            }
            Err(error) => {
                self.restore();
                Ok(Err(error))
            }
        }
    }

    /// Makes the queues and sends the files of the bots again: the server may have lost them. If this fails, the next
    /// request fails too, and this is tried again.
    fn restore(&self) {
        let Coordinator { sent, .. } = self.context.coordinator;
        if self.block(self.master().prepare_again()).is_ok() {
            sent.lock().unwrap_or_else(PoisonError::into_inner).clear();
            let _ = self.context.coordinator.send_bots(self.context.bots);
        }
    }

    /// Opens units until the window is full.
    fn open_units(&mut self, run: &Run) {
        while self.open.len() < self.window
            && let Some(unit) = self.units.next()
        {
            if !self.missing(run, unit).is_empty() {
                self.open.insert(unit);
                self.to_send.insert(unit);
            }
        }
    }

    /// The matches of a unit that have to be played.
    fn missing(&self, run: &Run, unit: u64) -> Vec<u64> {
        let each = u64::from(run.header.players);
        let is_missing = |index: &u64| !run.has(*index) && !self.void.contains(index);
        (unit * each..(unit + 1) * each).filter(is_missing).collect()
    }

    fn send(&mut self, run: &Run) -> Result<(), ClusterError> {
        while !self.to_send.is_empty() {
            let units: Vec<u64> = self.to_send.iter().take(SENT_AT_ONCE).copied().collect();
            let works: Vec<Work> = units.iter().map(|&unit| self.work_of(run, unit)).collect();
            self.block(self.master().send(&works))?;
            for unit in units {
                self.to_send.remove(&unit);
            }
        }
        Ok(())
    }

    fn work_of(&self, run: &Run, unit: u64) -> Work {
        let header = &run.header;
        let indices = self.missing(run, unit);
        let matches: Vec<MatchWork> = indices
            .iter()
            .filter_map(|&index| run.match_at(index).map(|(seed, seats)| MatchWork { index, seed, seats }))
            .collect();
        let numbers: BTreeSet<usize> = matches.iter().flat_map(|each| each.seats.iter().copied()).collect();
        Work {
            master: self.master().id().to_owned(),
            token: self.token,
            item: unit,
            deadline_s: Master::MATCH_S * matches.len() as u64,
            level: header.sandbox,
            not_by: None,
            job: Job::Matches(Matches {
                game: header.game.clone(),
                league: header.league,
                edition: header.edition.clone(),
                players: header.players,
                clock: header.clock,
                ponder: header.ponder,
                bots: numbers.into_iter().map(|bot| (bot, self.bots[bot].clone())).collect(),
                matches,
                records: header.records.is_some(),
                live: false,
            }),
        }
    }

    /// Stores the results of reports. Reports of earlier starts are as good as others.
    fn take(&mut self, run: &mut Run, reports: &[Received]) -> Result<(), RunError> {
        let mut lines: BTreeMap<u64, MatchLine> = BTreeMap::new();
        let mut packed = Vec::new();
        for report in reports.iter().map(|received| &received.report) {
            for each in report.matches.iter().filter(|each| !run.has(each.index)) {
                match (&each.outcome, run.line_of(each)) {
                    (MatchOutcome::Over { record, .. }, Some(line)) => {
                        if !self.store_record(run, each.index, record.as_ref())? {
                            continue;
                        }
                        packed.extend(record);
                        self.void.remove(&each.index);
                        lines.entry(each.index).or_insert(line);
                    }
                    (MatchOutcome::Void { why, .. }, _) if report.token == self.token => {
                        if self.void.insert(each.index) {
                            (self.context.say)(&format!(
                                "match {} was void on {}: {why}",
                                each.index, report.worker
                            ));
                        }
                    }
                    (MatchOutcome::Void { .. }, _) => {}
                    (MatchOutcome::Over { .. }, None) => {
                        (self.context.say)(&format!(
                            "{} reported another match than match {}",
                            report.worker, each.index
                        ));
                    }
                }
            }
        }
        if !lines.is_empty() {
            run.keep(lines.into_values().collect())?;
        }
        for record in packed {
            self.block(self.master().forget(record));
        }
        let touched: BTreeSet<u64> = reports.iter().map(|received| received.report.item).collect();
        for unit in touched {
            if self.missing(run, unit).is_empty() {
                self.open.remove(&unit);
                self.to_send.remove(&unit);
            }
        }
        Ok(())
    }

    /// Writes the record of a match, if it is wanted. Returns whether the result can be used.
    fn store_record(
        &self,
        run: &Run,
        index: u64,
        record: Option<&cluster::Packed>,
    ) -> Result<bool, RunError> {
        let Some(folder) = &run.header.records else { return Ok(true) };
        let Some(record) = record else { return Ok(false) };
        let bytes = match self.block(self.master().unpack(record)) {
            Ok(bytes) => bytes,
            Err(error) => {
                (self.context.say)(&format!("the record of match {index}: {error}; it is played again"));
                return Ok(false);
            }
        };
        let path = record_path(Path::new(folder), index);
        let written = tempfile::NamedTempFile::new_in(folder).and_then(|mut draft| {
            draft.write_all(&bytes)?;
            draft.as_file().sync_data()?;
            draft.persist(&path).map_err(|failed| failed.error)
        });
        written.map(|_| true).map_err(|error| RunError::File(path, error))
    }

    /// Sends work again that was lost.
    fn look_for_lost(&mut self, run: &Run) -> Result<(), ClusterError> {
        let Some(found) = self.block(self.master().find_lost(self.open.iter().copied()))? else {
            return Ok(());
        };
        self.to_send.extend(found.lost);
        if found.waiting == 0 || self.counted.is_none_or(|(_, workers)| workers > 0) {
            return Ok(());
        }
        let done = run.finished();
        (self.context.say)(&format!(
            "{done} matches are finished; there is no worker, start one with agon worker"
        ));
        Ok(())
    }

    /// Adapts the window to the number of workers.
    fn count_workers(&mut self) -> Result<(), ClusterError> {
        if self.counted.is_some_and(|(at, _)| at.elapsed() < COUNT) {
            return Ok(());
        }
        let count = self.block(self.master().cluster().worker_count())?;
        if self.counted.is_none_or(|(_, before)| before != count) {
            let workers = self.block(self.master().cluster().seen_workers())?;
            let cores: usize = workers.iter().map(|worker| worker.cores).sum();
            self.window = (UNITS_PER_CORE * cores).clamp(FEWEST_UNITS, MOST_UNITS);
        }
        self.counted = Some((Instant::now(), count));
        Ok(())
    }
}
