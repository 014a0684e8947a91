//! The side of a worker: it takes work, reports that it is in progress, and hands in results.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::AckKind;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::Acker;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::StreamExt as _;
use tokio::runtime::Handle;
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;
use toolchain::{LARGEST_PROGRAM, NotBuilt, SentProgram};

use crate::connection::{Class, Cluster, PROGRESS, RECORDS, done_subject, worker_name};
use crate::error::{ClusterError, Result};
use crate::message::{BuildReport, Job, MatchOutcome, MatchReport, PROTOCOL, Packed, Report, Work};
use crate::objects::digest_of;
use crate::presence::{Order, WorkerInfo};

/// The interval in which a worker announces itself.
const ANNOUNCE: Duration = Duration::from_secs(4);
/// A request for work ends after this time and is made again. It is never given up before: the server would send work to a
/// request that nobody reads.
const EXPIRES: Duration = Duration::from_secs(10);
/// The same for requests for builds: there are few builds, and a request for each language.
const BUILD_EXPIRES: Duration = Duration::from_mins(1);
/// A pause after a failed request.
const AGAIN: Duration = Duration::from_millis(500);
/// A report that the server does not take for this time is given up; the master sends the work again.
const GIVE_UP: Duration = Duration::from_mins(10);
/// Each thread has about this much work waiting beside it, so that it need not wait for the network.
const AHEAD: Duration = Duration::from_millis(250);
/// The most work per thread that waits beside it.
const MOST_AHEAD: usize = 32;
/// A worker that could not begin a work gives it back after this time.
const PAUSE: Duration = Duration::from_secs(1);
/// Work that failed is given back this many times, for another worker; then it is reported as void.
const TRIES: i64 = 5;
/// Work that was given to this many workers without a word from them is reported as void: it may be what ends them.
const LOST: i64 = 10;
/// Bytes that a message has besides its records.
const ROOM: usize = 64 << 10;
/// The tokens of stopped masters that are remembered.
const STOPPED: usize = 1000;

/// The work for the threads of a worker.
pub struct Feed {
    cluster: Cluster,
    handle: Handle,
    shared: Arc<Shared>,
    items: tokio::sync::Mutex<mpsc::UnboundedReceiver<Item>>,
    /// The tasks that take work.
    takers: Mutex<JoinSet<()>>,
    /// The tasks that run until this is dropped.
    _others: JoinSet<()>,
}

struct Shared {
    info: Mutex<WorkerInfo>,
    /// All work that was taken and not handed in.
    held: Mutex<BTreeMap<u64, Arc<Held>>>,
    next: AtomicU64,
    /// The threads of this worker.
    threads: usize,
    /// Work that may be held at once.
    target: AtomicUsize,
    changed: Notify,
    stops: AtomicBool,
    /// Whether an organiser has told this worker to take no work.
    rests: AtomicBool,
    /// The tokens of masters that have stopped.
    stopped: Mutex<BTreeSet<u64>>,
}

struct Held {
    number: u64,
    token: u64,
    acker: Acker,
    cancelled: AtomicBool,
}

/// Work that a worker holds.
pub struct Item {
    /// The work.
    pub work: Work,
    held: Arc<Held>,
    until: Instant,
    delivered: i64,
}

impl fmt::Debug for Feed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feed").finish_non_exhaustive()
    }
}

impl fmt::Debug for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Item").field("work", &self.work).finish_non_exhaustive()
    }
}

impl Item {
    /// Whether the work has to be broken off: its master has stopped, or it took too long.
    pub fn is_cancelled(&self) -> bool {
        self.held.cancelled.load(Ordering::Relaxed) || Instant::now() >= self.until
    }

    /// The reason why no worker shall do this work, if there is one.
    pub fn refusal(&self) -> Option<String> {
        (self.delivered > LOST)
            .then(|| format!("{} workers took this work and never answered", self.delivered - 1))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Feed {
    /// Announces a worker and begins to take work for this number of threads. The runtime must have a thread of its own.
    ///
    /// # Errors
    ///
    /// When the server does not answer, no master has prepared it yet, or the masters have another version.
    pub async fn open(cluster: Cluster, info: WorkerInfo, threads: usize) -> Result<Feed> {
        cluster.check_protocol().await?;
        cluster.announce(&info).await?;
        let (sender, items) = mpsc::unbounded_channel();
        let (timed, languages) = (info.timed, info.languages.clone());
        let shared = Arc::new(Shared {
            info: Mutex::new(info),
            held: Mutex::default(),
            next: AtomicU64::new(0),
            threads: threads.max(1),
            target: AtomicUsize::new(threads.max(1)),
            changed: Notify::new(),
            stops: AtomicBool::new(false),
            rests: AtomicBool::new(false),
            stopped: Mutex::default(),
        });
        let (mut takers, mut others) = (JoinSet::new(), JoinSet::new());
        let classes = [Class::Untimed, Class::Timed].into_iter();
        let classes = classes.filter(|class| timed || *class == Class::Untimed);
        let builds = languages.iter().filter_map(|language| Class::of_build(language));
        for class in classes.chain(builds) {
            takers.spawn(take_work(cluster.clone(), Arc::clone(&shared), class, sender.clone()));
        }
        others.spawn(listen(cluster.clone(), Arc::clone(&shared)));
        others.spawn(renew(cluster.clone(), Arc::clone(&shared)));
        Ok(Feed {
            cluster,
            handle: Handle::current(),
            shared,
            items: tokio::sync::Mutex::new(items),
            takers: Mutex::new(takers),
            _others: others,
        })
    }

    /// The connection.
    pub fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// The name of this worker.
    pub fn name(&self) -> String {
        lock(&self.shared.info).name.clone()
    }

    /// The next work; blocks until it comes. `None` when the worker stops.
    pub fn take(&self) -> Option<Item> {
        self.handle.block_on(self.next())
    }

    /// The next work, for a worker without threads. `None` when the worker stops.
    pub async fn next(&self) -> Option<Item> {
        loop {
            let item = self.items.lock().await.recv().await?;
            if self.shared.stops.load(Ordering::Relaxed) || self.shared.rests.load(Ordering::Relaxed) {
                self.give_back(&item);
            } else if item.is_cancelled() {
                self.settle(&item, AckKind::Ack);
            } else {
                return Some(item);
            }
        }
    }

    /// Hands in the results of work that took this long. The report is on its way when this returns.
    pub fn done(&self, item: Item, matches: Vec<MatchReport>, took: Duration) {
        if item.is_cancelled() {
            return self.settle(&item, AckKind::Ack);
        }
        let ahead = (AHEAD.as_secs_f64() / took.as_secs_f64().max(1e-6)) as usize;
        self.shared.target.store(self.shared.threads * (1 + ahead.min(MOST_AHEAD)), Ordering::Relaxed);
        let void =
            matches.iter().filter(|report| matches!(report.outcome, MatchOutcome::Void { .. })).count();
        {
            let mut info = lock(&self.shared.info);
            info.played += (matches.len() - void) as u64;
            info.void += void as u64;
        }
        let report = Report { matches, ..self.report_of(&item) };
        self.hand_in(item, report, None);
    }

    /// Hands in the result of a build: the packed program and its platform, or why there is none. The report is on its way when
    /// this returns.
    pub fn built(&self, item: Item, built: std::result::Result<(Vec<u8>, String), NotBuilt>) {
        if item.is_cancelled() {
            return self.settle(&item, AckKind::Ack);
        }
        let built = built.and_then(|(packed, platform)| {
            let why = || NotBuilt::Ours(format!("the program is too large: {} bytes", packed.len()));
            if packed.len() > LARGEST_PROGRAM { Err(why()) } else { Ok((packed, platform)) }
        });
        lock(&self.shared.info).built += 1;
        let (build, program) = match built {
            Ok((packed, platform)) => {
                let digest = digest_of(&packed);
                (BuildReport::Ready(SentProgram { digest, platform }), Some(packed))
            }
            Err(why) => (BuildReport::NotBuilt(why), None),
        };
        let report = Report { build: Some(build), ..self.report_of(&item) };
        self.hand_in(item, report, program);
    }

    /// Announces the number of compilers that this worker has started.
    pub fn compiled(&self, compiled: u64) {
        lock(&self.shared.info).compiled = compiled;
    }

    /// Takes no more builds of a language: its compiler is missing.
    pub fn lacks(&self, language: &str) {
        lock(&self.shared.info).languages.retain(|known| known != language);
    }

    fn report_of(&self, item: &Item) -> Report {
        let Work { token, item: number, .. } = &item.work;
        let worker = lock(&self.shared.info).name.clone();
        Report { item: *number, token: *token, worker, matches: Vec::new(), build: None }
    }

    /// Sends a report, and the program that belongs to it, until the server takes them.
    fn hand_in(&self, item: Item, mut report: Report, program: Option<Vec<u8>>) {
        let (cluster, shared) = (self.cluster.clone(), Arc::clone(&self.shared));
        self.handle.spawn(async move {
            let begun = Instant::now();
            while begun.elapsed() < GIVE_UP && !item.held.cancelled.load(Ordering::Relaxed) {
                match hand_in(&cluster, &item.work.master, &mut report, program.as_deref()).await {
                    Ok(()) => break,
                    Err(error) => {
                        tracing::warn!(target: "cluster", %error, "a report was not taken; it is sent again");
                        tokio::time::sleep(AGAIN).await;
                    }
                }
            }
            settle(&shared, &item.held, AckKind::Ack).await;
        });
    }

    /// Gives work back that could not be begun here; another worker may be able to. After some tries its matches are
    /// reported as void, and a build as failed by our fault.
    pub fn failed(&self, item: Item, why: &str) {
        if item.delivered < TRIES {
            tracing::warn!(target: "cluster", "work is given back: {why}");
            let (shared, held) = (Arc::clone(&self.shared), Arc::clone(&item.held));
            // Meanwhile this worker takes less work, so that another one gets it.
            self.handle.spawn(async move {
                tokio::time::sleep(PAUSE).await;
                settle(&shared, &held, AckKind::Nak(None)).await;
            });
            return;
        }
        match &item.work.job {
            Job::Matches(of) => {
                let void = |index| MatchReport { index, outcome: MatchOutcome::void(why) };
                let matches = of.matches.iter().map(|each| void(each.index)).collect();
                self.done(item, matches, AHEAD);
            }
            Job::Build(_) => {
                let build = Some(BuildReport::NotBuilt(NotBuilt::Ours(why.to_owned())));
                let report = Report { build, ..self.report_of(&item) };
                self.hand_in(item, report, None);
            }
        }
    }

    /// Gives work back.
    fn give_back(&self, item: &Item) {
        self.settle(item, AckKind::Nak(None));
    }

    /// Compressed bytes for a report.
    pub fn pack(bytes: &[u8]) -> Packed {
        Packed::Inline(STANDARD.encode(bytes))
    }

    fn settle(&self, item: &Item, kind: AckKind) {
        let (shared, held) = (Arc::clone(&self.shared), Arc::clone(&item.held));
        self.handle.spawn(async move { settle(&shared, &held, kind).await });
    }

    /// Takes no more work. Work that has not begun is given back; [`Feed::take`] returns `None`.
    pub fn close(&self) {
        self.shared.stops.store(true, Ordering::Relaxed);
        lock(&self.takers).abort_all();
    }

    /// Waits until all results are handed in, at most this long. Called after the threads have ended.
    pub fn drain(&self, at_most: Duration) {
        let begun = Instant::now();
        while begun.elapsed() < at_most {
            while let Ok(item) = self.handle.block_on(self.items.lock()).try_recv() {
                self.give_back(&item);
            }
            if lock(&self.shared.held).is_empty() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        // If this fails, the server finds out that this worker has gone.
        let _ = self.handle.block_on(self.cluster.client.flush());
    }
}

/// Records that are too large for a message go to the object store.
async fn pack_large(cluster: &Cluster, matches: &mut [MatchReport]) -> Result<()> {
    let size_of = |report: &MatchReport| match &report.outcome {
        MatchOutcome::Over { record: Some(Packed::Inline(text)), .. } => text.len(),
        _ => 0,
    };
    let most = cluster.max_payload().saturating_sub(ROOM);
    while matches.iter().map(size_of).sum::<usize>() > most {
        let Some(largest) = matches.iter_mut().max_by_key(|report| size_of(report)) else { break };
        let MatchOutcome::Over { record: Some(record), .. } = &mut largest.outcome else { break };
        let Packed::Inline(text) = record else { break };
        let bytes = STANDARD.decode(text.as_bytes()).map_err(ClusterError::broker)?;
        *record = Packed::Object(cluster.put_object(RECORDS, &bytes).await?);
    }
    Ok(())
}

async fn hand_in(cluster: &Cluster, master: &str, report: &mut Report, program: Option<&[u8]>) -> Result<()> {
    if let Some(packed) = program {
        cluster.put_program(packed).await?;
    }
    pack_large(cluster, &mut report.matches).await?;
    let text = serde_json::to_vec(report)?;
    let subject = done_subject(master, &worker_name(&report.worker));
    let accepted = cluster.js.publish(subject, text.into()).await.map_err(ClusterError::broker)?;
    accepted.await.map_err(ClusterError::broker)?;
    Ok(())
}

async fn settle(shared: &Shared, held: &Held, kind: AckKind) {
    // If this fails, the work comes again; its result is known to the master then.
    let _ = held.acker.ack_with(kind).await;
    lock(&shared.held).remove(&held.number);
    shared.changed.notify_waiters();
}

/// Takes work of a class as long as the worker has room.
async fn take_work(cluster: Cluster, shared: Arc<Shared>, class: Class, sender: mpsc::UnboundedSender<Item>) {
    let mut queue: Option<PullConsumer> = None;
    loop {
        let changed = shared.changed.notified();
        let held = lock(&shared.held).len();
        let target = shared.target.load(Ordering::Relaxed);
        if shared.rests.load(Ordering::Relaxed) {
            tokio::time::sleep(AGAIN).await;
            continue;
        }
        let is_build = matches!(class, Class::Build(_));
        if is_build && !lock(&shared.info).languages.iter().any(|name| Class::of_build(name) == Some(class)) {
            return;
        }
        // A new batch is asked for when half of the last one is done, or a thread has nothing to do.
        if held >= shared.threads && held * 2 > target {
            let _ = tokio::time::timeout(EXPIRES, changed).await;
            continue;
        }
        let taken = async {
            if queue.is_none() {
                queue = Some(cluster.queue(class).await?);
            }
            let Some(queue) = &queue else { return Ok(()) };
            let most = if is_build { 1 } else { target.saturating_sub(held).max(1) };
            let expires = if is_build { BUILD_EXPIRES } else { EXPIRES };
            take_batch(queue, &shared, most, expires, &sender).await
        };
        if let Err(error) = taken.await {
            tracing::debug!(target: "cluster", %error, "no work");
            // The server may have lost it.
            queue = None;
            tokio::time::sleep(AGAIN).await;
        }
    }
}

async fn take_batch(
    queue: &PullConsumer,
    shared: &Arc<Shared>,
    most: usize,
    expires: Duration,
    sender: &mpsc::UnboundedSender<Item>,
) -> Result<()> {
    let batch = queue.batch().max_messages(most).expires(expires).messages();
    let mut batch = batch.await.map_err(ClusterError::broker)?;
    while let Some(message) = batch.next().await {
        let message = message.map_err(ClusterError::broker)?;
        let delivered = message.info().map_or(1, |info| info.delivered);
        let (message, acker) = message.split();
        let work: Work = match serde_json::from_slice(&message.payload) {
            Ok(work) => work,
            Err(error) => {
                tracing::warn!(target: "cluster", %error, "work cannot be read");
                // If this fails, it comes again.
                let _ = acker.ack_with(AckKind::Term).await;
                continue;
            }
        };
        let held = Arc::new(Held {
            number: shared.next.fetch_add(1, Ordering::Relaxed),
            token: work.token,
            acker,
            cancelled: AtomicBool::new(lock(&shared.stopped).contains(&work.token)),
        });
        lock(&shared.held).insert(held.number, Arc::clone(&held));
        let until = Instant::now() + Duration::from_secs(work.deadline_s);
        if sender.send(Item { work, held, until, delivered }).is_err() {
            break;
        }
    }
    Ok(())
}

/// Breaks off the work of masters that stop.
async fn listen(cluster: Cluster, shared: Arc<Shared>) {
    loop {
        if let Ok(mut stops) = cluster.client.subscribe(format!("agon.{PROTOCOL}.stop.*")).await {
            while let Some(message) = stops.next().await {
                let Ok(token) = String::from_utf8_lossy(&message.payload).parse::<u64>() else { continue };
                let mut stopped = lock(&shared.stopped);
                while stopped.len() >= STOPPED {
                    stopped.pop_first();
                }
                stopped.insert(token);
                for held in lock(&shared.held).values().filter(|held| held.token == token) {
                    held.cancelled.store(true, Ordering::Relaxed);
                }
            }
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// Reports that work is in progress, and that the worker is there.
async fn renew(cluster: Cluster, shared: Arc<Shared>) {
    let mut renewed = Instant::now();
    loop {
        if renewed.elapsed() >= PROGRESS {
            renewed = Instant::now();
            let all: Vec<Arc<Held>> = lock(&shared.held).values().cloned().collect();
            for held in all {
                // If this fails, the work goes to another worker, and the first result counts.
                let _ = held.acker.ack_with(AckKind::Progress).await;
            }
        }
        let info = {
            let mut info = lock(&shared.info);
            info.held = lock(&shared.held).len();
            info.clone()
        };
        if let Err(error) = cluster.announce(&info).await {
            tracing::debug!(target: "cluster", %error, "not announced");
        }
        // Without an answer the last order stays in force.
        if let Ok(order) = cluster.order_of(&info.name).await {
            let rests = order != Order::Play;
            if shared.rests.swap(rests, Ordering::Relaxed) != rests {
                tracing::info!(target: "cluster", ?order, "an organiser has changed the order of this worker");
            }
        }
        tokio::time::sleep(ANNOUNCE).await;
    }
}
