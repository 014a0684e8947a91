//! The service: worker threads that build versions and play matches of the store, and one maintenance task.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use cluster::ClusterError;
use model::{BotId, MatchId, VersionId};
use play::Heartbeat;
use sandbox::{Level, Sandbox, Unreachable};
use serde::Serialize;
use store::{Claim, LeasedSeat, Store, StoreError};
use tokio::runtime::Handle;
use tokio::sync::{broadcast, oneshot};
use toolchain::{Bot, Bounds, BuildCache, Hold, Launcher};

use crate::GameLeagues;
use crate::between::Waiting;
use crate::cache::{ContestCache, Contests, OpenContests, ensure_permanent};
use crate::events::Event;
use crate::link::{ClusterConfig, Link, News};
use crate::live::{LiveMatch, Registry};
use crate::scheduler::MatchScheduler;

/// The configuration of a service.
#[derive(Clone, Debug)]
pub struct ServiceConfig {
    /// The database.
    pub store: Store,
    /// The runtime of the store. It must have several threads: the service may block one of them while it stops.
    pub handle: Handle,
    /// The sandbox level for bots; `None` for the strongest level of this host.
    pub level: Option<Level>,
    /// Matches played at the same time; 0 plays and builds none, or with a cluster only builds. See [`default_workers`].
    pub workers: usize,
    /// The folder for built programs. No other service may use it.
    pub build_cache: PathBuf,
    /// Starts built-in bots.
    pub launcher: Launcher,
    /// When no bot needs a match, a pastime match is played at this interval.
    pub idle_every: Duration,
    /// The name prefix of the workers in the store. Services on the same database have different names.
    pub name: String,
    /// The cluster whose workers play too. Several services may then use the same PostgreSQL database: one of them leads.
    pub cluster: Option<ClusterConfig>,
}

/// The default number of workers: one for every two cores, so that the site has CPU time too.
pub fn default_workers() -> usize {
    (play::cores().len() / 2).max(1)
}

/// Why a service cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// This host does not support the requested sandbox level.
    #[error("{0}")]
    Box(Unreachable),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder for built programs cannot be used.
    #[error("the folder {} cannot be used: {error}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The error of the file system.
        error: std::io::Error,
    },
    /// A thread could not be started.
    #[error("a thread could not be started: {0}")]
    Thread(String),
    /// The cluster cannot be used.
    #[error("the cluster: {0}")]
    Cluster(#[from] ClusterError),
}

/// How to stop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stop {
    /// Running matches are played to their end.
    Finish = 1,
    /// Running matches are aborted and return to the queue.
    Abort = 2,
}

/// The current activity of a worker.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "doing", rename_all = "snake_case")]
pub enum Doing {
    /// It waits for work.
    Waiting,
    /// It builds a version.
    Building {
        /// The version.
        version_id: VersionId,
    },
    /// It plays a match.
    Playing {
        /// The match.
        match_id: MatchId,
    },
    /// It has ended.
    Stopped,
}

/// The status of a worker, for the admin.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// Its current activity.
    #[serde(flatten)]
    pub doing: Doing,
    /// When this activity began.
    pub since: i64,
    /// Matches it has played.
    pub played: u64,
    /// Matches it could not play, by our fault.
    pub void: u64,
}

/// The status of the service, for the admin.
#[derive(Clone, Debug, Serialize)]
pub struct ServiceStatus {
    /// Whether no new match may begin.
    pub paused: bool,
    /// The sandbox level for bots; `None` when this service plays no matches.
    pub level: Option<Level>,
    /// The workers.
    pub workers: Vec<WorkerStatus>,
    /// Why no new work begins: the database or the disk of the records fails, and since when. The service goes on by
    /// itself when the storage works again; results that are not stored yet are kept.
    pub storage: Option<Trouble>,
    /// The latest problems, the newest last.
    pub troubles: Vec<Trouble>,
}

/// A problem on our side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Trouble {
    /// When it happened.
    pub at: i64,
    /// A description.
    pub what: String,
}

/// A listener that is more events behind than this misses some.
const EVENTS: usize = 1024;
/// The interval in which a service that stops looks whether its workers have ended.
const STILL: Duration = Duration::from_millis(20);
/// The number of troubles that are remembered.
const TROUBLES: usize = 50;
/// The number of bots that are kept ready in memory.
const READY: usize = 2000;
/// The setting that stores whether the service is paused. The name is historical; existing databases use it.
const PAUSED: &str = "hall_paused";

/// The state that all parts of a service share.
pub(crate) struct Inner {
    pub(crate) store: Store,
    pub(crate) handle: Handle,
    pub(crate) heartbeat: Heartbeat,
    pub(crate) build_cache: BuildCache,
    pub(crate) launcher: Launcher,
    pub(crate) idle_every: Duration,
    pub(crate) name: String,
    pub(crate) live: Registry,
    pub(crate) between: Waiting,
    pub(crate) contests: ContestCache,
    pub(crate) open_contests: OpenContests,
    pub(crate) scheduler: Mutex<MatchScheduler>,
    /// The connection to a cluster.
    pub(crate) link: Option<Arc<Link>>,
    /// Whether the workers of this service only build.
    pub(crate) only_builds: bool,
    /// Held while the needs of ladders are computed and matches are queued.
    pub(crate) making: tokio::sync::Mutex<()>,
    /// Whether something has changed that may require new matches.
    pub(crate) changed: AtomicBool,
    /// Held while a version is built.
    pub(crate) building: Mutex<()>,
    /// Whether a build has ended without a stored result: its version still counts as being built.
    pub(crate) stale_builds: AtomicBool,
    /// The right to run the contests of the database; `None` after it was lost and when the service has stopped, and if
    /// another server of a cluster leads.
    pub(crate) claim: tokio::sync::Mutex<Option<Claim>>,
    /// The failure of the storage, as long as it lasts.
    storage: Mutex<Option<Trouble>>,
    /// The number of the worker that runs a compiler; see [`Inner::end_compiling`].
    compiling: Mutex<Option<usize>>,
    pub(crate) workers: Mutex<Vec<WorkerStatus>>,
    /// For each version that was built before: how often it could not be prepared.
    pub(crate) unready: Mutex<BTreeMap<VersionId, u32>>,
    events: broadcast::Sender<Event>,
    /// The bots that were made ready, with the digest of the program if another machine has built it.
    ready: Mutex<BTreeMap<VersionId, (Bot, Option<String>)>>,
    level: Mutex<Option<Level>>,
    troubles: Mutex<VecDeque<Trouble>>,
    paused: AtomicBool,
    stop: AtomicU8,
    news: Mutex<u64>,
    woken: Condvar,
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContestService").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The time of day: milliseconds since 1970. The store never reads a clock: callers pass the time.
pub fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Inner {
    /// Waits for the store, on a thread of the service.
    pub(crate) fn block<T>(&self, work: impl Future<Output = T>) -> T {
        self.handle.block_on(work)
    }

    pub(crate) fn tell(&self, event: Event) {
        if let Some(link) = &self.link {
            link.tell(News::Event(event.clone()));
        }
        self.tell_here(event);
    }

    /// Tells the listeners of this server something.
    pub(crate) fn tell_here(&self, event: Event) {
        // An event without listeners is not an error.
        let _ = self.events.send(event);
    }

    pub(crate) fn trouble(&self, what: String) {
        let mut troubles = lock(&self.troubles);
        tracing::warn!(target: "contest", "{what}");
        if troubles.back().is_none_or(|last| last.what != what) {
            troubles.push_back(Trouble { at: now_ms(), what });
        }
        if troubles.len() > TROUBLES {
            troubles.pop_front();
        }
    }

    /// Notes that the storage fails: no new work begins until it works again.
    pub(crate) fn storage_failed(&self, why: String) {
        let mut storage = lock(&self.storage);
        if storage.is_none() {
            self.trouble(format!("the storage fails, so no new work begins: {why}"));
            *storage = Some(Trouble { at: now_ms(), what: why });
        }
    }

    /// Notes that the storage has accepted a write. A service that has lost its claim still begins no new work.
    pub(crate) fn storage_works(&self) {
        let claimed = || self.link.is_some() || self.claim.try_lock().is_ok_and(|claim| claim.is_some());
        if self.has_storage_failure() && claimed() && lock(&self.storage).take().is_some() {
            self.trouble("the storage works again".to_owned());
            self.wake();
        }
    }

    /// Whether the storage fails, as far as is known.
    pub(crate) fn has_storage_failure(&self) -> bool {
        lock(&self.storage).is_some()
    }

    /// Checks whether a storage that failed works again, and the claim with it.
    pub(crate) async fn check_storage(&self) {
        if !self.has_storage_failure() {
            return;
        }
        let checked = async {
            self.renew_claim().await?;
            self.store.check_storage().await
        };
        if checked.await.is_ok() {
            self.storage_works();
        }
    }

    /// Renews the claim on the database if its connection was lost.
    pub(crate) async fn renew_claim(&self) -> store::Result<()> {
        if self.link.is_some() {
            // See `link::lead`.
            return Ok(());
        }
        let mut claim = self.claim.lock().await;
        let held = claim.take();
        let renewed = self.store.renew_claim(held).await?;
        if !(self.stops() && self.is_still()) {
            *claim = Some(renewed);
        }
        Ok(())
    }

    fn release_claim(&self) {
        // If the claim is being renewed at this moment, it is released after that.
        if let Ok(mut claim) = self.claim.try_lock() {
            claim.take();
        }
    }

    pub(crate) fn leagues(&self, contest: i64, game: &str) -> Result<GameLeagues, String> {
        let open = self.open_contests.get(contest).ok_or_else(|| format!("contest {contest} is not on"))?;
        open.entry
            .settings
            .games
            .of(game)
            .cloned()
            .ok_or_else(|| format!("contest {contest} does not play {game}"))
    }

    /// The bot of a seat that was made ready before, with its build kept from removal; `None` if the build is missing or
    /// damaged.
    pub(crate) fn ready(&self, seat: &LeasedSeat) -> Option<(Bot, Hold)> {
        let (bot, program) = lock(&self.ready).get(&seat.version_id).cloned()?;
        if program.is_some() && program != seat.program.as_ref().map(|program| program.digest.clone()) {
            // It is not trusted any more.
            return None;
        }
        let hold = self.build_cache.hold(&bot)?;
        Some((bot, hold))
    }

    pub(crate) fn keep_ready(&self, version: VersionId, bot: &Bot, program: Option<String>) {
        let mut ready = lock(&self.ready);
        while ready.len() >= READY {
            ready.pop_first();
        }
        ready.insert(version, (bot.clone(), program));
    }

    pub(crate) fn stops(&self) -> bool {
        self.stop.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn aborts(&self) -> bool {
        self.stop.load(Ordering::Relaxed) >= Stop::Abort as u8
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Relaxed)
    }

    /// Reads whether the service is paused: another server may have changed it.
    pub(crate) async fn read_paused(&self) -> store::Result<()> {
        let paused = self.store.setting(PAUSED).await?.is_some_and(|value| value == "1");
        self.paused.store(paused, Ordering::Relaxed);
        Ok(())
    }

    pub(crate) fn wake(&self) {
        self.look_again();
        *lock(&self.news) += 1;
        self.woken.notify_all();
    }

    /// Waits for a wake-up, at most this long.
    pub(crate) fn wait(&self, at_most: Duration) {
        let news = lock(&self.news);
        let before = *news;
        if !self.stops() {
            let _ = self.woken.wait_timeout_while(news, at_most, |news| *news == before);
        }
    }

    fn request_stop(&self, how: Stop) {
        self.stop.fetch_max(how as u8, Ordering::Relaxed);
        self.wake();
    }

    /// Whether no worker uses the store or its runtime any more. With `Stop::Abort` a running compiler is not waited
    /// for: its worker ends after it without using the store, and the version is built again at the next start.
    pub(crate) fn is_still(&self) -> bool {
        if self.link.as_ref().is_some_and(|link| !link.has_ended.load(Ordering::Relaxed)) {
            return false;
        }
        lock(&self.workers).iter().enumerate().all(|(number, worker)| match worker.doing {
            Doing::Stopped => true,
            Doing::Building { .. } => *lock(&self.compiling) == Some(number) && self.aborts(),
            Doing::Waiting | Doing::Playing { .. } => false,
        })
    }

    /// This worker uses neither the store nor its runtime until [`Inner::end_compiling`].
    pub(crate) fn begin_compiling(&self, number: usize) {
        *lock(&self.compiling) = Some(number);
    }

    /// Whether the worker that compiled may use the store again. If not, the service has been aborted: the store and
    /// its runtime may be gone, because [`Inner::is_still`] no longer waits for this worker.
    #[must_use]
    pub(crate) fn end_compiling(&self) -> bool {
        let mut compiling = lock(&self.compiling);
        if !self.aborts() {
            *compiling = None;
        }
        compiling.is_none()
    }
}

/// Worker threads that build the versions and play the matches of the store. Dropping it aborts everything and waits
/// until no worker uses the store or its runtime; so drop it before the runtime.
#[derive(Debug)]
pub struct ContestService {
    inner: Arc<Inner>,
}

impl ContestService {
    /// Starts the service: work left behind by a service of the same name returns to the queue, the permanent contest
    /// and its ladders and bots are created if necessary, and the workers start.
    ///
    /// The service claims the database until it has stopped: no other service can run on it.
    ///
    /// # Errors
    ///
    /// When another service runs on the database, this host does not support the sandbox level, or the store fails.
    pub async fn start(config: ServiceConfig) -> Result<ContestService, ServiceError> {
        let ServiceConfig { store, handle, level, workers, build_cache, launcher, idle_every, name, cluster } =
            config;
        take_over_old_builds(&build_cache)
            .map_err(|error| ServiceError::Folder { folder: build_cache.clone(), error })?;
        let now = now_ms();
        let link = match &cluster {
            Some(cluster) => Some(Arc::new(Link::open(cluster, &store, &name).await?)),
            None => None,
        };
        let only_builds = link.is_some() && workers == 0;
        let workers = if only_builds { 1 } else { workers };
        let claim = if link.is_some() { None } else { Some(store.claim().await?) };
        store.own_leases_to_queue(&worker_prefix(&name), now).await?;
        if link.is_none() {
            store.requeue_builds(None).await?;
        }
        ensure_permanent(&store, now).await?;
        let (contests, open_contests) = (ContestCache::default(), OpenContests::default());
        let troubles = open_contests.read(&contests, &store, now).await?;
        let paused = store.setting(PAUSED).await?.is_some_and(|value| value == "1");
        let waiting = |number| WorkerStatus {
            name: format!("{}{number}", worker_prefix(&name)),
            doing: Doing::Waiting,
            since: now,
            played: 0,
            void: 0,
        };
        let inner = Arc::new(Inner {
            store,
            handle: handle.clone(),
            heartbeat: Heartbeat::start(),
            build_cache: BuildCache::new(build_cache, Bounds::ARENA),
            launcher,
            idle_every,
            live: Registry::default(),
            between: Waiting::default(),
            contests,
            open_contests,
            scheduler: Mutex::new(MatchScheduler::new()),
            making: tokio::sync::Mutex::new(()),
            changed: AtomicBool::new(true),
            building: Mutex::new(()),
            stale_builds: AtomicBool::new(false),
            claim: tokio::sync::Mutex::new(claim),
            link: link.clone(),
            only_builds,
            storage: Mutex::default(),
            compiling: Mutex::new(None),
            workers: Mutex::new((0..workers).map(waiting).collect()),
            unready: Mutex::default(),
            events: broadcast::Sender::new(EVENTS),
            ready: Mutex::default(),
            level: Mutex::default(),
            troubles: Mutex::default(),
            paused: AtomicBool::new(paused),
            stop: AtomicU8::new(0),
            news: Mutex::new(0),
            woken: Condvar::new(),
            name,
        });
        for why in troubles {
            inner.trouble(why);
        }
        if let Some(link) = &link {
            inner.look_for_lead(link).await?;
        }
        if workers > 0 {
            open(&inner, level).await?;
        }
        handle.spawn(crate::maintenance::look_after(Arc::clone(&inner)));
        if let Some(link) = link {
            handle.spawn(crate::link::lead(Arc::clone(&inner), Arc::clone(&link)));
            handle.spawn(crate::link::listen(Arc::clone(&inner), Arc::clone(&link)));
            start_dispatch(&inner, &link)?;
        }
        Ok(ContestService { inner })
    }

    /// Stops the service: no new work begins, and running work is finished or aborted. Returns when all workers have
    /// ended. It may be called again concurrently, for example with `Stop::Abort` after `Stop::Finish`.
    pub async fn stop(&self, how: Stop) {
        self.inner.request_stop(how);
        while !self.inner.is_still() {
            tokio::time::sleep(STILL).await;
        }
        self.inner.release_claim();
    }

    pub(crate) fn inner(&self) -> &Inner {
        &self.inner
    }

    /// The contests, at most two seconds old.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn contests(&self) -> store::Result<Arc<Contests>> {
        self.inner.contests.contests(&self.inner.store).await
    }

    /// Invalidates the cached contests after a change: the next reader of [`ContestService::contests`] sees the change.
    pub fn forget_contests(&self) {
        self.inner.contests.forget();
    }

    /// The events from now on. A listener that is too slow misses some.
    pub fn events(&self) -> broadcast::Receiver<Event> {
        self.inner.events.subscribe()
    }

    /// The matches that are being played.
    pub fn live(&self) -> Vec<LiveMatch> {
        self.inner.live.shown()
    }

    /// A match that is being played, with the live view of spectators; `None` instead of the view when the game has
    /// hidden information.
    pub fn watch(&self, match_id: MatchId) -> Option<(LiveMatch, Option<replay::Live>)> {
        self.inner.live.one(match_id)
    }

    /// The status of the service.
    pub fn status(&self) -> ServiceStatus {
        ServiceStatus {
            paused: self.inner.is_paused(),
            level: *lock(&self.inner.level),
            workers: self.workers(),
            storage: lock(&self.inner.storage).clone(),
            troubles: lock(&self.inner.troubles).iter().cloned().collect(),
        }
    }

    /// The status of each worker.
    pub fn workers(&self) -> Vec<WorkerStatus> {
        lock(&self.inner.workers).clone()
    }

    /// Pauses or resumes the service: while it is paused, no new match begins, but submissions are still built. The
    /// setting survives a restart.
    ///
    /// # Errors
    ///
    /// When the store fails; then nothing changes.
    pub async fn set_paused(&self, paused: bool) -> store::Result<()> {
        self.inner.store.set_setting(PAUSED, if paused { "1" } else { "0" }).await?;
        self.inner.paused.store(paused, Ordering::Relaxed);
        self.wake();
        Ok(())
    }

    /// Wakes the workers, because the store has new work.
    pub fn wake(&self) {
        self.inner.wake();
        if let Some(link) = &self.inner.link {
            link.tell(News::Work);
        }
    }

    /// Whether this service has a cluster.
    pub fn has_cluster(&self) -> bool {
        self.inner.link.is_some()
    }

    /// Whether this service plans matches; of several services on one database, one does.
    pub fn leads(&self) -> bool {
        self.inner.leads()
    }

    /// Activates a version; in the first leagues its trial begins.
    ///
    /// # Errors
    ///
    /// `Conflict` when it is not built; any error of the store.
    pub async fn activate(&self, version: VersionId) -> store::Result<store::Bot> {
        let bot = self.inner.activate(version).await?;
        self.wake();
        Ok(bot)
    }

    /// Queues a match of a version against the boss of its bot's league that does not count. Returns its number.
    ///
    /// # Errors
    ///
    /// `Conflict` when it is not built or the contest is not running; any error of the store.
    pub async fn test(&self, version: VersionId) -> store::Result<MatchId> {
        let id = self.inner.test(version).await?;
        self.wake();
        Ok(id)
    }

    /// Begins another trial (best of five) of a bot against the boss of its league.
    ///
    /// # Errors
    ///
    /// `Conflict` when a trial is running, the league has none, or the bot has no active version; any error of the
    /// store.
    pub async fn trial(&self, bot: BotId) -> store::Result<()> {
        self.inner.trial(bot).await?;
        self.wake();
        Ok(())
    }
}

impl Drop for ContestService {
    fn drop(&mut self) {
        self.inner.request_stop(Stop::Abort);
        while !self.inner.is_still() {
            std::thread::sleep(STILL);
        }
        self.inner.release_claim();
    }
}

/// Starts the thread that hands out matches.
fn start_dispatch(inner: &Arc<Inner>, link: &Arc<Link>) -> Result<(), ServiceError> {
    let (own, own_link) = (Arc::clone(inner), Arc::clone(link));
    let dispatch = move || crate::dispatch::dispatch(&own, &own_link);
    let started = std::thread::Builder::new().name("dispatch".to_owned()).spawn(dispatch);
    started.map(drop).map_err(|error| {
        link.has_ended.store(true, Ordering::Relaxed);
        inner.request_stop(Stop::Abort);
        ServiceError::Thread(error.to_string())
    })
}

/// Renames the folder of built programs from its former name `workshop`, so that its programs are kept.
fn take_over_old_builds(folder: &Path) -> std::io::Result<()> {
    let old = folder.with_file_name("workshop");
    if old.is_dir() && !folder.exists() { std::fs::rename(old, folder) } else { Ok(()) }
}

fn worker_prefix(name: &str) -> String {
    format!("{name}/")
}

/// Creates the sandbox and starts the workers, from a thread that lives as long as they do: a program started in a
/// sandbox dies with the thread that started it.
async fn open(inner: &Arc<Inner>, level: Option<Level>) -> Result<(), ServiceError> {
    let (opened, open) = oneshot::channel();
    let own = Arc::clone(inner);
    let keeper = move || {
        let sandbox = match Sandbox::new(level) {
            Ok(sandbox) => sandbox,
            Err(error) => return drop(opened.send(Err(ServiceError::Box(error)))),
        };
        *lock(&own.level) = Some(sandbox.level());
        own.build_cache.clean();
        let cores = play::cores();
        let count = lock(&own.workers).len();
        let mut opened = Some(opened);
        let failed = std::thread::scope(|scope| {
            for number in 0..count {
                let (inner, sandbox) = (&own, &sandbox);
                let share = share_of(&cores, number, count);
                let worker = std::thread::Builder::new().name(format!("worker {number}"));
                let started = worker.spawn_scoped(scope, move || inner.work(sandbox, number, &share));
                if let Err(error) = started {
                    own.request_stop(Stop::Abort);
                    return Some(ServiceError::Thread(error.to_string()));
                }
            }
            let _ = opened.take().map(|opened| opened.send(Ok(())));
            None
        });
        // The workers that were started have ended.
        if let (Some(opened), Some(error)) = (opened, failed) {
            let _ = opened.send(Err(error));
        }
    };
    std::thread::Builder::new()
        .name("service".to_owned())
        .spawn(keeper)
        .map_err(|error| ServiceError::Thread(error.to_string()))?;
    open.await.map_err(|_| ServiceError::Thread("it ended at once".to_owned()))?
}

/// The cores of a worker: an even share of all cores, at least one, so that workers do not disturb each other while
/// there are enough cores.
fn share_of(cores: &[usize], number: usize, count: usize) -> Vec<usize> {
    let (from, to) = (number * cores.len() / count, (number + 1) * cores.len() / count);
    if from < to { cores[from..to].to_vec() } else { cores.get(from).copied().into_iter().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_builds_are_taken_over_once() {
        let scratch = testing::scratch();
        let (old, new) = (scratch.path().join("workshop"), scratch.path().join("builds"));
        take_over_old_builds(&new).unwrap();
        assert!(!new.exists());
        std::fs::create_dir(&old).unwrap();
        std::fs::write(old.join("program"), "x").unwrap();
        take_over_old_builds(&new).unwrap();
        assert!(new.join("program").exists() && !old.exists());
        std::fs::create_dir(&old).unwrap();
        take_over_old_builds(&new).unwrap();
        assert!(old.exists(), "the new folder is in use");
    }

    #[test]
    fn cores_are_divided_among_workers() {
        let cores: Vec<usize> = (0..8).collect();
        assert_eq!(share_of(&cores, 0, 4), [0, 1]);
        assert_eq!(share_of(&cores, 3, 4), [6, 7]);
        assert_eq!(share_of(&cores, 0, 1), cores);
        assert_eq!(share_of(&cores, 1, 3), [2, 3, 4]);
        // More workers than cores: each worker has one core.
        assert!((0..20).all(|number| share_of(&cores, number, 20).len() == 1));
        assert!(share_of(&[], 0, 2).is_empty());
        assert!(default_workers() >= 1);
    }
}
