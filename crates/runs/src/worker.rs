//! A worker of a cluster: threads that do the work of any master.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use catalog::simulate::Plan;
use cluster::{
    Build, Feed, Item, Job, MatchOutcome, MatchReport, MatchWork, Matches, Objects, ProgressSender, Teller,
    Work,
};
use game::{Selected, Selection};
use play::{Heartbeat, Placement, Watcher};
use referee::TurnLog;
use sandbox::Sandbox;
use tokio::runtime::Handle;
use toolchain::{Bot, BuildCache, Launcher, NotBuilt, PortableBot, platform_of};

use crate::error::RunError;
use crate::line::MatchLine;
use crate::work::{Attempt, Fixture, MatchPlayer, Records, WorkQueue, cores_of_match};

/// The bots that are kept ready in memory.
const READY: usize = 1000;
/// The number of games that measure the speed of a core.
const MEASURED: u64 = 300;

/// A worker.
#[derive(Debug)]
pub struct Worker {
    /// The runtime of the feed.
    pub handle: Handle,
    /// Its work.
    pub feed: Feed,
    /// The sandbox.
    pub sandbox: Sandbox,
    /// Starts built-in bots.
    pub launcher: Launcher,
    /// Built programs.
    pub build_cache: BuildCache,
    /// The folder for the files of bots.
    pub files: PathBuf,
    /// The cores for matches.
    pub cores: Vec<usize>,
}

impl Worker {
    /// Plays until the feed is closed; then all threads end after their current work, and its results are handed in.
    pub fn run(&self) {
        let shared = Shared {
            worker: self,
            heartbeat: Heartbeat::start(),
            free: Cores::new(self.cores.clone()),
            objects: Objects::new(self.files.clone()),
            ready: Mutex::default(),
            teller: self.handle.block_on(async { Teller::new(self.feed.cluster()) }),
            name: self.feed.name(),
        };
        std::thread::scope(|scope| {
            for _ in 0..self.cores.len().max(1) {
                scope.spawn(|| {
                    while let Some(item) = self.feed.take() {
                        shared.work(item);
                    }
                });
            }
        });
    }
}

/// Turns of random games that one core plays per second: the speed of a host, comparable with that of others.
pub fn measure_speed() -> u64 {
    let done = AtomicU64::new(0);
    let Some((game, selected)) =
        catalog::games().find_map(|game| Some((game, game.select(&Selection::default()).ok()?)))
    else {
        return 0;
    };
    let plan = Plan {
        selected,
        first_seed: 1,
        games: MEASURED,
        workers: 1,
        maps_only: false,
        done: &done,
        record: None,
    };
    let begun = Instant::now();
    let turns = game.simulate(&plan).turns;
    (turns as f64 / begun.elapsed().as_secs_f64().max(1e-6)) as u64
}

/// The state that the threads of a worker share.
struct Shared<'a> {
    worker: &'a Worker,
    heartbeat: Heartbeat,
    free: Cores,
    objects: Objects,
    ready: Mutex<BTreeMap<PortableBot, Bot>>,
    /// Sends answers while a match is played.
    teller: Teller,
    /// The name of the worker.
    name: String,
}

/// Sends the answers of a match while it is played.
struct Sender(ProgressSender);

impl Watcher for Sender {
    fn began(&mut self) {
        self.0.began();
    }

    fn answered(&mut self, answer: &TurnLog) {
        self.0.answered(answer.turn, answer.seat.0, answer.output.as_deref(), answer.wall);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared<'_> {
    /// Does work and hands in its results, or gives it back.
    fn work(&self, item: Item) {
        let Worker { feed, sandbox, .. } = self.worker;
        if let Some(why) = item.refusal() {
            return feed.failed(item, &why);
        }
        if item.work.not_by.as_deref() == Some(&self.name) {
            return feed.failed(item, "another worker has to play it");
        }
        if sandbox.level() > item.work.level {
            let why =
                format!("box level {} is asked for, this worker has {}", item.work.level, sandbox.level());
            return feed.failed(item, &why);
        }
        match item.work.job.clone() {
            Job::Matches(work) => self.play(item, &work),
            Job::Build(build) => self.build(item, &build),
        }
        feed.compiled(self.worker.build_cache.compiled());
    }

    /// Builds a source. What only this host cannot do is given back: another one may be able to.
    fn build(&self, item: Item, build: &Build) {
        let Worker { handle, feed, sandbox, build_cache, .. } = self.worker;
        let file = handle.block_on(self.objects.file(feed.cluster(), &build.source, "bot"));
        let source = file.map_err(|error| error.to_string());
        let source = source.and_then(|file| std::fs::read(file).map_err(|error| error.to_string()));
        let source = match source {
            Ok(source) => source,
            Err(why) => return feed.failed(item, &format!("the source cannot be read: {why}")),
        };
        // A compiler takes a core from matches.
        let own = self.free.take(1);
        let built = build_cache.build_source(&build.name, &build.language, &source, None, sandbox);
        drop(own);
        match (built, toolchain::language(&build.language)) {
            (Ok(bot), Some(language)) => match build_cache.pack(&bot) {
                Ok(packed) => feed.built(item, Ok((packed, platform_of(language)))),
                Err(error) => feed.failed(item, &format!("the program cannot be read: {error}")),
            },
            (Err(failed @ NotBuilt::Failed { .. }), Some(_)) => feed.built(item, Err(failed)),
            (Err(NotBuilt::Ours(why)), _) => feed.failed(item, &why),
            _ => {
                feed.lacks(&build.language);
                feed.failed(item, &format!("this worker cannot compile {}", build.language));
            }
        }
    }

    /// Plays matches.
    fn play(&self, item: Item, work: &Matches) {
        let Worker { feed, sandbox, launcher, build_cache, .. } = self.worker;
        let (game, selected) = match rules_of(work) {
            Ok(rules) => rules,
            Err(why) => return feed.failed(item, &why),
        };
        let mut bots: BTreeMap<usize, Bot> = BTreeMap::new();
        // Keeps the programs on disk until the matches are over.
        let mut holds = Vec::new();
        for (&number, portable) in &work.bots {
            let prepared = self.prepare(portable).and_then(|bot| {
                holds.push(build_cache.hold(&bot).ok_or("its program is damaged")?);
                Ok(bot)
            });
            match prepared {
                Ok(bot) => drop(bots.insert(number, bot)),
                Err(why) => {
                    lock(&self.ready).remove(portable);
                    let why = format!("{} cannot be made ready: {why}", portable.name);
                    return feed.failed(item, &why);
                }
            }
        }
        let simultaneous = game.info().simultaneous;
        let own = self.free.take(cores_of_match(simultaneous, selected.players, self.worker.cores.len()));
        let begun = Instant::now();
        let breaks_off = || item.is_cancelled().then(|| "broken off".to_owned());
        let watch = |index| -> Box<dyn Watcher> {
            let Work { master, token, .. } = &item.work;
            Box::new(Sender(self.teller.progress(master, index, *token, &self.name)))
        };
        let numbers = bots.keys().next_back().map_or(0, |last| last + 1);
        let player = MatchPlayer {
            game,
            selected,
            clock: work.clock,
            ponder: work.ponder,
            bots: (0..numbers).map(|number| bots.get(&number)).collect(),
            sandbox,
            launcher,
            heartbeat: &self.heartbeat,
            records: if work.records { Records::Queue } else { Records::None },
            breaks_off: &breaks_off,
            watch: if work.live { Some(&watch) } else { None },
        };
        let queue = ItemQueue {
            item: &item,
            left: RefCell::new(work.matches.iter()),
            reports: RefCell::new(Vec::new()),
        };
        player.work(&queue, &[Placement::of(simultaneous, selected.players, &own.cores)]);
        let reports = queue.reports.into_inner();
        drop(own);
        feed.done(item, reports, begun.elapsed());
    }

    /// Prepares a bot, once for all its matches.
    fn prepare(&self, portable: &PortableBot) -> Result<Bot, String> {
        // One thread prepares bots at a time: others would build the same ones.
        let mut ready = lock(&self.ready);
        if let Some(bot) = ready.get(portable) {
            return Ok(bot.clone());
        }
        let Worker { handle, feed, sandbox, build_cache, .. } = self.worker;
        let file = match &portable.digest {
            Some(digest) if portable.needs_file() => {
                let name = portable.file_name();
                let file = self.objects.file(feed.cluster(), digest, &name);
                Some(handle.block_on(file).map_err(|error| error.to_string())?)
            }
            _ => None,
        };
        if let (Some((language, program)), Some(file)) = (portable.program(), &file) {
            let source = std::fs::read(file).map_err(|error| error.to_string())?;
            handle.block_on(feed.cluster().fetch_program(build_cache, language, &source, program));
        }
        let bot = build_cache.prepare_portable(portable, file.as_deref(), sandbox);
        let bot = bot.map_err(|error| error.to_string())?;
        if ready.len() >= READY {
            ready.clear();
        }
        ready.insert(portable.clone(), bot.clone());
        Ok(bot)
    }
}

/// The rules of work, if it is consistent.
fn rules_of(work: &Matches) -> Result<(&'static dyn catalog::AnyGame, Selected), String> {
    let game = catalog::find(&work.game).map_err(|error| error.to_string())?;
    let asked = Selection {
        league: Some(work.league),
        edition: Some(work.edition.clone()),
        players: Some(work.players),
    };
    let selected = game.select(&asked).map_err(|error| error.to_string())?;
    let is_whole = |each: &MatchWork| {
        each.seats.len() == usize::from(work.players)
            && each.seats.iter().all(|bot| work.bots.contains_key(bot))
    };
    if work.matches.iter().all(is_whole) {
        Ok((game, selected))
    } else {
        Err("its seats have no bots".to_owned())
    }
}

/// The matches of one work, for one thread.
struct ItemQueue<'a> {
    item: &'a Item,
    left: RefCell<std::slice::Iter<'a, MatchWork>>,
    reports: RefCell<Vec<MatchReport>>,
}

impl WorkQueue for ItemQueue<'_> {
    fn take(&self) -> Option<Fixture> {
        let MatchWork { index, seed, seats } = self.left.borrow_mut().next()?;
        Some(Fixture { index: *index, seed: *seed, seats: seats.clone() })
    }

    fn done(&self, index: u64, result: Result<Attempt, RunError>) -> bool {
        let void = |why: String| MatchOutcome::void(why);
        let outcome = match result {
            Ok(Attempt::Over(over)) => match serde_json::to_value::<MatchLine>(over.line) {
                Ok(line) => {
                    let record = over.record.map(|bytes| Feed::pack(&bytes));
                    MatchOutcome::Over { line, record }
                }
                Err(error) => void(error.to_string()),
            },
            Ok(Attempt::Void { why, by }) => MatchOutcome::Void { why, by },
            Err(error) => void(error.to_string()),
        };
        self.reports.borrow_mut().push(MatchReport { index, outcome });
        true
    }

    fn stops(&self) -> bool {
        self.item.is_cancelled()
    }
}

/// The free cores of a worker.
struct Cores {
    free: Mutex<Vec<usize>>,
    /// Held while a thread waits for its cores: those who ask first get them first.
    turn: Mutex<()>,
    changed: Condvar,
}

/// Cores that a match uses; they are free again when this is dropped.
struct OwnCores<'a> {
    cores: Vec<usize>,
    of: &'a Cores,
}

impl Cores {
    fn new(cores: Vec<usize>) -> Cores {
        Cores { free: Mutex::new(cores), turn: Mutex::new(()), changed: Condvar::new() }
    }

    /// Waits for this number of cores.
    fn take(&self, count: usize) -> OwnCores<'_> {
        let _turn = lock(&self.turn);
        let free = lock(&self.free);
        let mut free =
            self.changed.wait_while(free, |free| free.len() < count).unwrap_or_else(PoisonError::into_inner);
        let from = free.len().saturating_sub(count);
        OwnCores { cores: free.split_off(from), of: self }
    }
}

impl Drop for OwnCores<'_> {
    fn drop(&mut self) {
        lock(&self.of.free).append(&mut self.cores);
        self.of.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_wait_for_free_cores() {
        let cores = Cores::new(vec![0, 1, 2]);
        let one = cores.take(1);
        assert_eq!(one.cores, [2]);
        std::thread::scope(|scope| {
            let all = scope.spawn(|| cores.take(3).cores.len());
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(!all.is_finished());
            drop(one);
            assert_eq!(all.join().unwrap(), 3);
        });
        assert_eq!(lock(&cores.free).len(), 3);
    }

    #[test]
    fn a_core_has_a_speed() {
        assert!(measure_speed() > 1000);
    }
}
