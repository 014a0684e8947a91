//! Builds submissions: here, or what follows from a build of another machine.

use std::collections::BTreeSet;
use std::sync::TryLockError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use model::UserId;
use sandbox::Sandbox;
use store::{BuildTurn, Built, CLUSTER, EndedBuild, ErrorKind, Languages, ProgramRef, Version, VersionState};
use store::{WorkerRow, WorkerState};
use toolchain::{Bot, BuildCache, NotBuilt};

use crate::ContestService;
use crate::events::Event;
use crate::service::{Doing, Inner, lock, now_ms};

pub use toolchain::language;

/// The lease of a build on this server, in milliseconds: longer than a compiler may take on a busy host.
const LEASE_MS: i64 = 600_000;
/// A version that this server cannot build waits this long for a worker, in milliseconds; then it is looked at again.
const WAIT_MS: i64 = 10_000;
/// A worker that was seen within this time may come back, in milliseconds.
const MAY_COME_BACK_MS: i64 = 600_000;

/// The list of the languages of workers is read again after this time.
const FRESH: Duration = Duration::from_secs(10);

/// Builds a submission in the sandbox. `name` is the name of the bot in records; the space counts for its user.
pub(crate) fn build(
    build_cache: &BuildCache,
    sandbox: &Sandbox,
    name: &str,
    user: Option<UserId>,
    language: &str,
    source: &str,
) -> Result<Bot, NotBuilt> {
    let owner = user.map(|user| user.to_string());
    let built = build_cache.build_source(name, language, source.as_bytes(), owner.as_deref(), sandbox);
    // Other users must learn nothing about a source, not even its digest.
    built.map(|bot| Bot { digest: None, ..bot })
}

/// The stored form of a build without a program.
pub(crate) fn stored(not_built: &NotBuilt) -> Built {
    match not_built {
        NotBuilt::Failed { log, slow: true } => Built::Slow(log.clone()),
        NotBuilt::Failed { log, slow: false } | NotBuilt::Unable(log) => Built::Failed(log.clone()),
        NotBuilt::Ours(why) => Built::Ours(why.clone()),
    }
}

impl Inner {
    /// The languages that are left to workers of the cluster; `None` as long as that is not known.
    fn built_by_workers(&self) -> Option<Vec<String>> {
        match &self.link {
            Some(link) => lock(&link.builders).clone(),
            None => Some(Vec::new()),
        }
    }

    /// Builds the next waiting version that no worker of the cluster can build, if no other thread is building.
    pub(crate) fn build_one(&self, sandbox: &Sandbox, number: usize) -> store::Result<bool> {
        if !self.leads() {
            return Ok(false);
        }
        let Some(elsewhere) = self.built_by_workers() else { return Ok(false) };
        let _building = match self.building.try_lock() {
            Ok(building) => building,
            Err(TryLockError::Poisoned(building)) => building.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(false),
        };
        if self.stale_builds.load(Ordering::Relaxed) {
            self.block(self.store.requeue_builds(self.link.as_ref().map(|_| CLUSTER)))?;
            self.stale_builds.store(false, Ordering::Relaxed);
        }
        let name = self.worker_name(number);
        let now = now_ms();
        let languages = Languages::Except(&elsewhere);
        let turn = BuildTurn { builder: &name, languages, now, until: now + LEASE_MS };
        let Some(version) = self.block(self.store.next_to_build(&turn))? else { return Ok(false) };
        self.doing(number, Doing::Building { version_id: version.id });
        let source = self.block(self.store.source(version.id))?;
        let bot = self.block(self.bot(version.bot_id))?;
        let called = game::text::safe_line(&bot.name, 60);
        self.begin_compiling(number);
        let outcome = build(&self.build_cache, sandbox, &called, bot.user_id, &version.language, &source);
        if !self.end_compiling() {
            return Ok(true);
        }
        let built = match &outcome {
            Ok(bot) => {
                self.keep_ready(version.id, bot, None);
                Built::Ready(String::new())
            }
            Err(NotBuilt::Unable(_))
                if self.block(self.languages_of_workers())?.contains(&version.language) =>
            {
                let lease = version.lease.unwrap_or_default();
                self.block(self.store.give_back_build(version.id, lease, now_ms() + WAIT_MS))?;
                return Ok(true);
            }
            Err(not_built) => stored(not_built),
        };
        self.end_build(&version, &name, &built, None)?;
        Ok(true)
    }

    /// The names of the languages that workers of the cluster can compile, if they were seen lately.
    async fn languages_of_workers(&self) -> store::Result<Vec<String>> {
        let Some(link) = &self.link else { return Ok(Vec::new()) };
        let mut known = link.languages.lock().await;
        if known.0.is_none_or(|read| read.elapsed() > FRESH) {
            let since = now_ms() - MAY_COME_BACK_MS;
            let mut workers = self.store.workers().await?;
            workers.retain(|row| row.state != WorkerState::Disabled && row.last_seen > since);
            let names = |row: &WorkerRow| row.info["languages"].as_array().cloned().unwrap_or_default();
            let names = workers.iter().flat_map(names);
            let names: BTreeSet<String> = names.filter_map(|name| name.as_str().map(str::to_owned)).collect();
            *known = (Some(Instant::now()), names.into_iter().collect());
        }
        Ok(known.1.clone())
    }

    /// Stores the result of a build, and does what follows from it. A result whose lease is not valid any more changes nothing.
    pub(crate) fn end_build(
        &self,
        leased: &Version,
        builder: &str,
        built: &Built,
        program: Option<&ProgramRef>,
    ) -> store::Result<()> {
        if let Built::Ours(why) = built {
            self.trouble(format!("version {} could not be built by {builder}: {why}", leased.id));
        }
        let lease = leased.lease.unwrap_or_default();
        let ended = EndedBuild { version: leased.id, lease, builder, built, program };
        let Some(version) = self.persist(|| self.block(self.store.built(&ended, now_ms())))? else {
            return Ok(());
        };
        if version.state == VersionState::Waiting {
            // It failed by our fault and is tried again later.
            return Ok(());
        }
        let ready = version.state == VersionState::Ready;
        if ready {
            let next = self.persist(|| {
                if version.is_draft() {
                    self.block(self.store.queue_plan(version.id, now_ms())).map(|_| ())
                } else if version.activate {
                    self.block(self.activate(version.id)).map(|_| ())
                } else {
                    self.block(self.test(version.id)).map(|_| ())
                }
            });
            match next {
                // The contest may have ended or the account may have been blocked meanwhile; the version is built
                // nevertheless.
                Err(error) if error.kind != ErrorKind::Conflict => {
                    self.trouble(format!("version {}: {error}", version.id));
                }
                _ => {}
            }
        }
        let bot = self.block(self.bot(version.bot_id))?;
        self.tell(Event::VersionBuilt {
            user_id: bot.user_id,
            bot_id: bot.id,
            version_id: version.id,
            ready,
        });
        if let Some(user_id) = bot.user_id.filter(|_| !ready && !version.is_draft()) {
            self.tell(Event::Notice { user_id });
        }
        Ok(())
    }
}

impl ContestService {
    /// The names of the languages that workers of the cluster can compile, if they were seen lately.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn languages_of_workers(&self) -> store::Result<Vec<String>> {
        self.inner().languages_of_workers().await
    }
}
