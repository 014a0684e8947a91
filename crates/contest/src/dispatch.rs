//! The leader of an arena hands matches and builds to the workers of a cluster and records their results. The matches are leased in the
//! database; the queue of the cluster is a cache: matches that it lost are sent again, and a result counts by its lease.

mod builds;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bots::{Seating, Thinking};
use cluster::{
    ClusterError, Job, Master, MatchOutcome, MatchWork, Matches, Order, PROTOCOL, Packed, Received, Report,
    Work,
};
use model::{LadderKind, MatchId, Suspicion, VersionId};
use referee::Clock;
use serde_json::json;
use store::{CLUSTER, Leased, LeasedSeat, ProgramRef, SeenWorker, StoreError, WorkerState};
use tokio::task::JoinSet;
use toolchain::{PortableBot, PortableHow, SentProgram};

use self::builds::{BUILD, Builds};
use crate::build;
use crate::link::Link;
use crate::play::Ended;
use crate::remote::{self, Refused};
use crate::service::{Inner, lock, now_ms};
use crate::trust;
use crate::work::Over;

/// The pause after a failure.
const AGAIN: Duration = Duration::from_secs(1);
/// The interval in which the list of workers is read.
const LOOK: Duration = Duration::from_secs(2);
/// The list of workers is read at most for one part in this number of the time.
const LOOK_SHARE: u32 = 20;
/// The interval in which the workers are compared.
const JUDGE: Duration = Duration::from_secs(30);
/// The number of results over which workers are compared.
const JUDGED: i64 = 4000;
/// Files of bots are looked for again after this time: the cluster keeps them for a month.
const FILES_FRESH: Duration = Duration::from_hours(1);
/// The most matches that are leased, or sent, at once.
const AT_ONCE: usize = 256;
/// Matches are planned for at least this multiple of the time that planning takes.
const PLANNED: f64 = 10.0;
/// Results are checked and their records written by this number of threads, which mostly wait for the disk.
const THREADS: usize = 16;
/// Of the matches of deterministic bots, one in this number is played again on another worker.
const AGAIN_ONE_IN: u32 = 50;
/// The most matches that are played again at the same time.
const MOST_CHECKS: usize = 1000;
/// The mark of a match that is played again.
const CHECK: u64 = 1 << 62;
/// The longest name of a worker.
const LONGEST_NAME: usize = 100;

/// The store or the cluster failed.
enum Failure {
    Store(StoreError),
    Cluster(ClusterError),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Store(error)
    }
}

impl From<ClusterError> for Failure {
    fn from(error: ClusterError) -> Failure {
        Failure::Cluster(error)
    }
}

/// A match that is played again: the worker of the first result, and the digest of its answers.
struct Check {
    worker: String,
    digest: String,
}

/// A result that the rules give: its worker, its record as it came, and where that is.
struct Checked<'r> {
    over: Over,
    worker: &'r str,
    bytes: Vec<u8>,
    packed: &'r Packed,
}

/// The work of a leader.
struct Desk<'a> {
    inner: &'a Arc<Inner>,
    link: &'a Link,
    master: Master,
    /// The task that queues matches; it ends with the leader.
    planning: JoinSet<store::Result<()>>,
    /// Matches that were handed out.
    open: BTreeMap<u64, Leased>,
    to_send: BTreeSet<u64>,
    builds: Builds,
    /// When the file of a bot was sent, by its digest.
    files: BTreeMap<String, Instant>,
    /// The cores of the workers that can play.
    cores: usize,
    /// When the list of workers is read again.
    look_at: Option<Instant>,
    judged: Instant,
    /// Results in the current second and in the last one.
    results: (Instant, usize, usize),
    /// Matches that each worker had played when it was last seen.
    played: BTreeMap<String, (Instant, u64)>,
    /// The states of workers in the database.
    states: Mutex<BTreeMap<String, WorkerState>>,
    /// The orders that workers were sent.
    orders: BTreeMap<String, Order>,
    checks: Mutex<BTreeMap<u64, Check>>,
    /// Matches to be played again, with the worker that must not.
    to_check: Mutex<Vec<(Leased, String)>>,
    /// Whether built-in bots play the same game however fast the host is.
    deterministic: Mutex<BTreeMap<(String, String), bool>>,
}

/// How long the parts of a round took.
struct Times {
    since: Instant,
    parts: Vec<(&'static str, Duration)>,
}

impl Times {
    fn begin() -> Times {
        Times { since: Instant::now(), parts: Vec::new() }
    }

    /// Notes the end of a part.
    fn note(&mut self, part: &'static str) {
        let now = Instant::now();
        self.parts.push((part, now - self.since));
        self.since = now;
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|(part, took)| write!(f, "{part} {} ms ", took.as_millis()))
    }
}

/// Marks the thread as ended, even by a panic: a service that stops waits for that.
struct End<'a>(&'a Link);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.has_ended.store(true, Ordering::Relaxed);
    }
}

/// Hands out matches while this server leads, until the service stops.
pub(crate) fn dispatch(inner: &Arc<Inner>, link: &Link) {
    let _end = End(link);
    let mut desk: Option<(u64, Desk<'_>)> = None;
    while !inner.stops() {
        let times_led = link.times_led.load(Ordering::Relaxed);
        desk = desk.filter(|(opened, _)| *opened == times_led && inner.leads());
        if !inner.leads() || inner.has_storage_failure() {
            inner.wait(Master::TICK);
            continue;
        }
        let done = match &mut desk {
            Some((_, desk)) => desk.round(),
            None => Desk::open(inner, link).map(|opened| desk = Some((times_led, opened))),
        };
        match done {
            Ok(()) => {}
            Err(Failure::Store(error)) if error.is_storage() => inner.storage_failed(error.to_string()),
            Err(Failure::Store(error)) => {
                inner.trouble(format!("the store: {error}"));
                std::thread::sleep(AGAIN);
            }
            Err(Failure::Cluster(error)) => {
                inner.trouble(format!("the cluster: {error}"));
                // Meanwhile this server builds all versions itself.
                *lock(&link.builders) = Some(Vec::new());
                std::thread::sleep(AGAIN);
                if let Some((_, desk)) = &mut desk {
                    // The server may have lost its queues and files. If this fails, the next round fails too.
                    let _ = inner.block(desk.master.prepare_again());
                    desk.files.clear();
                }
            }
        }
    }
}

impl<'a> Desk<'a> {
    /// Takes over the matches that are with workers.
    fn open(inner: &'a Arc<Inner>, link: &'a Link) -> Result<Desk<'a>, Failure> {
        let master = inner.block(Master::open(link.cluster.clone(), link.arena.clone()))?;
        let leased = inner.block(inner.store.leased_to(CLUSTER))?;
        let builds = Builds::of(inner.block(inner.store.builds_leased_to(CLUSTER))?);
        let now = Instant::now();
        let open = leased.into_iter().map(|leased| (leased.id.0 as u64, leased));
        Ok(Desk {
            inner,
            link,
            master,
            planning: JoinSet::new(),
            open: open.collect(),
            to_send: BTreeSet::new(),
            builds,
            files: BTreeMap::new(),
            cores: 0,
            look_at: None,
            judged: now,
            results: (now, 0, 0),
            played: BTreeMap::new(),
            states: Mutex::default(),
            orders: BTreeMap::new(),
            checks: Mutex::default(),
            to_check: Mutex::default(),
            deterministic: Mutex::default(),
        })
    }

    fn round(&mut self) -> Result<(), Failure> {
        let mut times = Times::begin();
        self.look_at_workers()?;
        self.judge_workers()?;
        times.note("workers");
        self.hand_out_builds()?;
        self.plan()?;
        self.lease()?;
        times.note("lease");
        self.send()?;
        times.note("send");
        let reports = self.inner.block(self.master.reports(Master::TICK))?;
        if reports.is_empty() {
            return self.look_for_lost();
        }
        times.note("wait");
        self.take(&reports)?;
        self.inner.block(self.master.acknowledge(&reports));
        times.note("record");
        tracing::debug!(target: "contest", results = reports.len(), open = self.open.len(), %times, "a round");
        Ok(())
    }

    /// Reads the announcements of workers, stores them, and sends the orders of organisers.
    fn look_at_workers(&mut self) -> Result<(), Failure> {
        let begun = Instant::now();
        if self.look_at.is_some_and(|at| begun < at) {
            return Ok(());
        }
        let workers = self.inner.block(self.link.cluster.seen_workers())?;
        let mut seen = Vec::with_capacity(workers.len());
        for worker in &workers {
            let now = Instant::now();
            let before = self.played.insert(worker.name.clone(), (now, worker.played));
            let rate = before.map_or(0.0, |(at, played)| {
                worker.played.saturating_sub(played) as f64 / now.duration_since(at).as_secs_f64().max(0.1)
            });
            seen.push(SeenWorker { name: worker.name.clone(), info: json!(worker), rate });
        }
        self.inner.block(self.inner.store.see_workers(&seen, now_ms()))?;
        let rows = self.inner.block(self.inner.store.workers())?;
        let states: BTreeMap<String, WorkerState> =
            rows.into_iter().map(|row| (row.name, row.state)).collect();
        let is_active = |name: &str| states.get(name) == Some(&WorkerState::Active);
        let can_play = |worker: &&cluster::WorkerInfo| {
            worker.timed
                && worker.protocol == PROTOCOL
                && worker.level <= self.link.level
                && is_active(&worker.name)
        };
        self.cores = workers.iter().filter(can_play).map(|worker| worker.cores).sum();
        for worker in &workers {
            let order = if is_active(&worker.name) { Order::Play } else { Order::Rest };
            if self.orders.get(&worker.name) != Some(&order) {
                self.inner.block(self.link.cluster.set_order(&worker.name, order))?;
                self.orders.insert(worker.name.clone(), order);
            }
        }
        self.see_builders(&workers, &states);
        *lock(&self.states) = states;
        self.look_at = Some(Instant::now() + LOOK.max(LOOK_SHARE * begun.elapsed()));
        Ok(())
    }

    /// Names workers whose results differ from those elsewhere.
    fn judge_workers(&mut self) -> Result<(), Failure> {
        if self.judged.elapsed() < JUDGE {
            return Ok(());
        }
        self.judged = Instant::now();
        let tallies = self.inner.block(self.inner.store.worker_tallies(JUDGED))?;
        for suspect in trust::suspects(&tallies) {
            let worker = suspect.worker.strip_prefix(CLUSTER).unwrap_or(&suspect.worker);
            self.note(worker, &suspect.why())?;
        }
        Ok(())
    }

    /// Notes a suspicion about a worker, once.
    fn note(&self, worker: &str, why: &Suspicion) -> store::Result<()> {
        let store = &self.inner.store;
        let rows = self.inner.block(store.workers())?;
        let row = rows.iter().find(|row| row.name == worker);
        if row.is_some_and(|row| row.why.is_some()) {
            return Ok(());
        }
        let state = row.map_or(WorkerState::Active, |row| row.state);
        let is_known = self.inner.block(store.set_worker(worker, state, Some(&why.stored())))?;
        let what = format!("worker {worker}: {why}");
        if is_known {
            self.inner.block(store.audit(now_ms(), None, &what))?;
        }
        self.inner.trouble(what);
        Ok(())
    }

    /// Refuses a result and disables its worker.
    fn disable(&self, worker: &str, id: MatchId, why: &str) -> store::Result<()> {
        let why = Suspicion::FalseResult { match_id: id, details: game::text::safe_line(why, 300) };
        let stored = why.stored();
        let store = &self.inner.store;
        self.inner.block(async {
            if !store.set_worker(worker, WorkerState::Disabled, Some(&stored)).await? {
                let seen = SeenWorker { name: worker.to_owned(), info: json!({}), rate: 0.0 };
                store.see_workers(&[seen], now_ms()).await?;
                store.set_worker(worker, WorkerState::Disabled, Some(&stored)).await?;
            }
            store.audit(now_ms(), None, &format!("worker {worker} was disabled: {why}")).await
        })?;
        lock(&self.states).insert(worker.to_owned(), WorkerState::Disabled);
        self.inner.trouble(format!("worker {worker} is disabled: {why}"));
        Ok(())
    }

    /// The matches that may be with workers: two for each core, and those of one second.
    fn window(&mut self) -> usize {
        if self.cores == 0 {
            return 0;
        }
        let (since, now, last) = self.results;
        if since.elapsed() >= Duration::from_secs(1) {
            self.results = (Instant::now(), 0, now);
        }
        2 * self.cores + now.max(last)
    }

    /// Queues ladder matches beside the other work, before the waiting ones run out: in large ladders it takes seconds.
    fn plan(&mut self) -> Result<(), Failure> {
        while let Some(planned) = self.planning.try_join_next() {
            planned.unwrap_or(Ok(()))?;
        }
        if !self.planning.is_empty()
            || self.cores == 0
            || self.inner.is_paused()
            || !self.inner.wants_matches()
        {
            return Ok(());
        }
        let planning = lock(&self.inner.scheduler).planning.as_secs_f64();
        let during = |times: f64| (self.rate() * times * planning) as usize;
        let (least, most) = (self.cores.max(during(2.0)), (2 * self.cores).max(during(PLANNED)));
        let inner = Arc::clone(self.inner);
        let plan = async move {
            if inner.store.count_queued(LadderKind::Ladder, least).await? < least {
                inner.make_matches(most).await?;
            }
            Ok(())
        };
        self.planning.spawn_on(plan, &self.inner.handle);
        Ok(())
    }

    fn lease(&mut self) -> Result<(), Failure> {
        let window = self.window();
        let free = window.saturating_sub(self.open.len()).min(AT_ONCE);
        // A new batch is leased when there is room for it, or little work is left: single leases cost too much.
        let is_worth_it = free >= AT_ONCE.min(self.cores.div_ceil(2));
        if free == 0 || !is_worth_it || self.inner.is_paused() {
            return Ok(());
        }
        let now = now_ms();
        let leased = self.inner.store.lease_many(CLUSTER, free, now, now + crate::work::LEASE_MS);
        let leased = self.inner.block(leased)?;
        for leased in leased {
            let id = leased.id.0 as u64;
            self.open.insert(id, leased);
            self.to_send.insert(id);
        }
        Ok(())
    }

    /// Results per second, lately.
    fn rate(&self) -> f64 {
        let (_, now, last) = self.results;
        now.max(last) as f64
    }

    fn send(&mut self) -> Result<(), Failure> {
        let ids: Vec<u64> = self.to_send.iter().take(AT_ONCE).copied().collect();
        self.put_sources(&ids)?;
        let mut works = Vec::with_capacity(ids.len());
        for id in &ids {
            let Some(leased) = self.open.get(id).cloned() else { continue };
            match self.work_of(&leased, true)? {
                Ok(work) => works.push(work),
                Err(why) => {
                    self.inner.void_match(&leased, &why, None)?;
                    self.open.remove(id);
                }
            }
        }
        let again: Vec<(Leased, String)> = std::mem::take(&mut *lock(&self.to_check));
        for (leased, worker) in again {
            if let Ok(work) = self.work_of(&leased, false)? {
                works.push(Work { item: work.item | CHECK, not_by: Some(worker), ..work });
            }
        }
        if !works.is_empty() {
            self.inner.block(self.master.send(&works))?;
        }
        for id in &ids {
            self.to_send.remove(id);
        }
        Ok(())
    }

    /// The work of a match, whose answers are shown while it is played if it `is_live`; the inner error says why it cannot be played.
    fn work_of(&mut self, leased: &Leased, is_live: bool) -> Result<Result<Work, String>, Failure> {
        let (game, selected) = match self.inner.rules_of(leased) {
            Ok(rules) => rules,
            Err(why) => return Ok(Err(why)),
        };
        let mut bots = BTreeMap::new();
        for (number, seat) in leased.seats.iter().enumerate() {
            match self.portable(seat)? {
                Ok(bot) => drop(bots.insert(number, bot)),
                Err(why) => return Ok(Err(format!("player {number} cannot be sent: {why}"))),
            }
        }
        let id = leased.id.0 as u64;
        Ok(Ok(Work {
            master: self.link.arena.clone(),
            token: leased.token as u64,
            item: id,
            deadline_s: Master::MATCH_S,
            level: self.link.level,
            not_by: None,
            job: Job::Matches(Matches {
                game: game.info().name.to_owned(),
                league: selected.league,
                edition: selected.edition.to_owned(),
                players: selected.players,
                clock: Clock::SITE,
                ponder: game.info().simultaneous,
                matches: vec![MatchWork { index: id, seed: leased.seed, seats: (0..bots.len()).collect() }],
                bots,
                records: true,
                live: is_live && !game.info().hidden,
            }),
        }))
    }

    /// Whether the source of a seat's bot has to be put into the object store.
    fn is_file_due(&self, seat: &LeasedSeat) -> bool {
        seat.built_in.is_none()
            && self.files.get(&seat.digest).is_none_or(|sent| sent.elapsed() > FILES_FRESH)
    }

    /// Puts the sources of the bots of these matches into the object store, several at a time.
    fn put_sources(&mut self, ids: &[u64]) -> Result<(), Failure> {
        let seats = ids.iter().filter_map(|id| self.open.get(id)).flat_map(|leased| &leased.seats);
        let due: BTreeSet<VersionId> =
            seats.filter(|seat| self.is_file_due(seat)).map(|seat| seat.version_id).collect();
        let due: Vec<VersionId> = due.into_iter().collect();
        let sources = self.inner.block(self.inner.store.sources(&due))?;
        for digest in self.inner.block(self.master.put_files(&sources))? {
            self.files.insert(digest, Instant::now());
        }
        Ok(())
    }

    /// The bot of a seat for a worker; its source is put into the object store.
    fn portable(&mut self, seat: &LeasedSeat) -> Result<Result<PortableBot, String>, Failure> {
        let name = game::text::safe_line(&seat.name, 60);
        if let Some(built_in) = &seat.built_in {
            let (asked, how) = (format!("@{built_in}"), PortableHow::Builtin(built_in.clone()));
            return Ok(Ok(PortableBot { name, asked, digest: None, how, env: Vec::new() }));
        }
        let Some(extension) = build::language(&seat.language).and_then(|known| known.extensions.first())
        else {
            return Ok(Err(format!("the language {} is not known here", seat.language)));
        };
        if self.is_file_due(seat) {
            let source = self.inner.block(self.inner.store.source(seat.version_id))?;
            if self.inner.block(self.master.put_file(source.as_bytes()))? != seat.digest {
                return Ok(Err("its source is another one than when it was submitted".to_owned()));
            }
            self.files.insert(seat.digest.clone(), Instant::now());
        }
        let sent = |program: &ProgramRef| SentProgram {
            digest: program.digest.clone(),
            platform: program.platform.clone(),
        };
        let program = seat.program.as_ref().map(sent);
        let how = PortableHow::Source { extension: (*extension).to_owned(), program };
        let asked = name.clone();
        Ok(Ok(PortableBot { name, asked, digest: Some(seat.digest.clone()), how, env: Vec::new() }))
    }

    /// Records the results of reports. After an error all of them come again.
    fn take(&mut self, reports: &[Received]) -> Result<(), Failure> {
        let next = AtomicUsize::new(0);
        let failed: Mutex<Option<Failure>> = Mutex::new(None);
        let checked: Mutex<Vec<Checked<'_>>> = Mutex::default();
        let desk = &*self;
        std::thread::scope(|scope| {
            for _ in 0..THREADS.min(reports.len()) {
                scope.spawn(|| {
                    while let Some(received) = reports.get(next.fetch_add(1, Ordering::Relaxed)) {
                        match desk.settle(&received.report) {
                            Ok(over) => lock(&checked).extend(over),
                            Err(error) => *lock(&failed) = Some(error),
                        }
                    }
                });
            }
        });
        self.record(checked.into_inner().unwrap_or_default())?;
        if let Some(error) = failed.into_inner().unwrap_or_default() {
            return Err(error);
        }
        for report in
            reports.iter().map(|received| &received.report).filter(|report| report.item & BUILD != 0)
        {
            self.settle_build(report)?;
        }
        for Report { item, token, matches, .. } in reports.iter().map(|received| &received.report) {
            if self.open.get(item).is_some_and(|leased| leased.token as u64 == *token) {
                self.open.remove(item);
                self.to_send.remove(item);
                self.results.1 += 1;
            }
            if matches.iter().any(|each| matches!(each.outcome, MatchOutcome::Void { .. })) {
                // The file of a bot may be missing.
                self.files.clear();
            }
        }
        Ok(())
    }

    /// Checks the result of one report; `None` if nothing has to be recorded.
    fn settle<'r>(&self, report: &'r Report) -> Result<Option<Checked<'r>>, Failure> {
        if report.item & CHECK != 0 {
            return self.compare(report).map(|()| None);
        }
        // See `settle_build`; no match has this number.
        if report.item & BUILD != 0 {
            return Ok(None);
        }
        let Some(leased) = self.open.get(&report.item) else { return Ok(None) };
        if leased.token as u64 != report.token {
            return Ok(None);
        }
        let worker = report.worker.as_str();
        if !self.is_trusted(worker) {
            return self.give_back(leased).map(|()| None);
        }
        let outcome = report.matches.iter().find(|each| each.index == report.item).map(|each| &each.outcome);
        let packed = match outcome {
            Some(MatchOutcome::Void { why, by }) => {
                let why = format!("{} (worker {worker})", game::text::safe_line(why, 300));
                self.inner.void_match(leased, &why, *by)?;
                return Ok(None);
            }
            Some(MatchOutcome::Over { record: Some(packed), .. }) => packed,
            _ => {
                self.disable(worker, leased.id, "its report has no record of the match")?;
                return self.give_back(leased).map(|()| None);
            }
        };
        let bytes = match self.inner.block(self.master.unpack(packed)) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.inner.trouble(format!("the record of match {}: {error}", leased.id));
                return self.give_back(leased).map(|()| None);
            }
        };
        let rules = match self.inner.rules_of(leased) {
            Ok(rules) => rules,
            Err(why) => {
                self.inner.void_match(leased, &why, None)?;
                return Ok(None);
            }
        };
        match remote::check(rules, leased, &bytes) {
            Ok(Ended::Over(mut result, record)) => {
                result.worker = Some(format!("{CLUSTER}{worker}"));
                let mut over = Over { leased: leased.clone(), result: *result, record };
                self.inner.put_record(&mut over)?;
                return Ok(Some(Checked { over, worker, bytes, packed }));
            }
            Ok(Ended::Void { why, by }) => self.inner.void_match(leased, &why, by)?,
            Ok(Ended::BrokenOff) => self.give_back(leased)?,
            Err(Refused(why)) => {
                self.disable(worker, leased.id, &why)?;
                self.give_back(leased)?;
            }
        }
        Ok(None)
    }

    /// Whether reports of a worker are read: it has a proper name, and is not disabled.
    fn is_trusted(&self, worker: &str) -> bool {
        let is_named = (1..=LONGEST_NAME).contains(&worker.len()) && cluster::worker_name(worker) == worker;
        is_named && lock(&self.states).get(worker) != Some(&WorkerState::Disabled)
    }

    /// Records results that the rules give.
    fn record(&self, checked: Vec<Checked<'_>>) -> Result<(), Failure> {
        let (mut overs, mut origins) = (Vec::new(), Vec::new());
        for Checked { over, worker, bytes, packed } in checked {
            overs.push(over);
            origins.push((worker, bytes, packed));
        }
        self.inner.record(&mut overs)?;
        for (Over { leased, .. }, (worker, bytes, packed)) in overs.iter().zip(&origins) {
            self.inner.live.remove_remote(leased.id);
            self.play_again(leased, worker, bytes);
            self.forget(packed);
        }
        Ok(())
    }

    fn give_back(&self, leased: &Leased) -> Result<(), Failure> {
        self.inner.block(self.inner.store.give_back(leased.id, leased.token))?;
        self.inner.live.remove_remote(leased.id);
        self.inner.look_again();
        Ok(())
    }

    fn forget(&self, packed: &Packed) {
        self.inner.block(self.master.forget(packed));
    }

    /// Has some matches of deterministic bots played again by another worker.
    fn play_again(&self, leased: &Leased, worker: &str, bytes: &[u8]) {
        let is_chosen = lock(&self.inner.scheduler).dice.one_in(AGAIN_ONE_IN);
        if !is_chosen || !leased.seats.iter().all(|seat| self.is_deterministic(leased, seat)) {
            return;
        }
        let Ok(digest) = remote::digest(bytes) else { return };
        let mut checks = lock(&self.checks);
        if checks.len() < MOST_CHECKS {
            checks.insert(leased.id.0 as u64 | CHECK, Check { worker: worker.to_owned(), digest });
            lock(&self.to_check).push((leased.clone(), worker.to_owned()));
        }
    }

    /// Compares a match that was played again with its first result.
    fn compare(&self, report: &Report) -> Result<(), Failure> {
        let Some(check) = lock(&self.checks).remove(&report.item) else { return Ok(()) };
        let Some(MatchOutcome::Over { record: Some(packed), .. }) =
            report.matches.first().map(|each| &each.outcome)
        else {
            return Ok(());
        };
        let Ok(bytes) = self.inner.block(self.master.unpack(packed)) else { return Ok(()) };
        self.forget(packed);
        if remote::digest(&bytes).is_ok_and(|digest| digest == check.digest) {
            return Ok(());
        }
        let match_id = MatchId((report.item & !CHECK) as i64);
        for (worker, other) in [(&check.worker, &report.worker), (&report.worker, &check.worker)] {
            let other = game::text::safe_line(other, LONGEST_NAME);
            let why = Suspicion::Differs { match_id, other };
            self.note(&game::text::safe_line(worker, LONGEST_NAME), &why)?;
        }
        Ok(())
    }

    fn is_deterministic(&self, leased: &Leased, seat: &LeasedSeat) -> bool {
        let Some(name) = &seat.built_in else { return false };
        let key = (leased.ladder.game.clone(), name.clone());
        if let Some(&known) = lock(&self.deterministic).get(&key) {
            return known;
        }
        let found =
            self.inner.rules_of(leased).is_ok_and(|(game, selected)| plays_alike(game, selected, name));
        lock(&self.deterministic).insert(key, found);
        found
    }

    /// Sends matches and builds again that were lost, if they are still leased.
    fn look_for_lost(&mut self) -> Result<(), Failure> {
        let items: Vec<u64> = self.open.keys().copied().chain(self.builds.items()).collect();
        if items.is_empty() {
            return Ok(());
        }
        let found = self.inner.block(self.master.find_lost(items.into_iter()))?;
        for id in found.map_or_else(Vec::new, |found| found.lost) {
            if id & BUILD != 0 {
                self.builds.send_again(id);
                continue;
            }
            let Some(leased) = self.open.get(&id) else { continue };
            let until = now_ms() + crate::work::LEASE_MS;
            if self.inner.block(self.inner.store.renew(leased.id, leased.token, until))? {
                self.to_send.insert(id);
            } else {
                self.open.remove(&id);
            }
        }
        Ok(())
    }
}

/// Whether a built-in bot plays the same games with little and with much time to think.
fn plays_alike(game: &'static dyn catalog::AnyGame, selected: game::Selected, name: &str) -> bool {
    const SEEDS: std::ops::Range<i64> = 0..3;
    let Some(bot) = game.bot(name) else { return false };
    let results = |nodes: u64| -> Option<Vec<(Vec<i64>, u32)>> {
        let play = |seed| {
            let sit = |_| (bot.sit)(&Seating { selected, seed: 0 });
            let mut minds: Vec<_> = (0..selected.players).map(sit).collect();
            let thinking = vec![Thinking::Nodes(nodes); minds.len()];
            let played = catalog::built_in::play(game, selected, seed, &mut minds, &thinking).ok()?;
            Some((played.outcome.scores, played.turns))
        };
        SEEDS.map(play).collect()
    };
    let few = results(1);
    few.is_some() && few == results(100)
}
